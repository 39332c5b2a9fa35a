"""Plays the guard of a testee that forks its processes."""

import array
import importlib.util
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time

import pytest
from testee_driver import HERE, SCRIPT

NUMBA = os.path.join(HERE, "ndproof_numba_testee.py")
PROBE = """
import os, runpy, sys
os.environ["OPENBLAS_NUM_THREADS"] = "1"
sys.path.insert(0, {here!r})
from numpy_testee import interpreter
def serve(*arguments):
    out = {{"argv": sys.argv, "fds": sorted(map(int, os.listdir("/proc/self/fd")))}}
    import json, signal, tempfile, threading, numpy
    out["cwd"] = os.getcwd()
    out["environment"] = {{name: os.environ.get(name) for name in ("TMPDIR", "HOME", "NDPROOF_FORKS", "JOBLIB_TEMP_FOLDER")}}
    out["temporary"] = tempfile.gettempdir()
    out["random"] = [float(numpy.random.random()), __import__("random").random()]
    out["threads"] = len(os.listdir("/proc/self/task"))
    out["children"] = open("/proc/self/task/%d/children" % os.getpid()).read().split()
    out["signals"] = [signal.getsignal(number) == signal.SIG_DFL for number in (signal.SIGCHLD, signal.SIGTERM)]
    out["modules"] = sorted(sys.modules)
    os.write(4, json.dumps(out).encode())
    os.write(2, b"printed\\n")
    if os.read(3, 1) == b"c":
        os.kill(os.getpid(), signal.SIGSEGV)
interpreter.serve = serve
runpy.run_path({script!r}, run_name="__main__")
"""


class Forking:
    """A testee with a socket at descriptor 6. The first process sends HELLO."""

    def __init__(self, code):
        self.folder = tempfile.TemporaryDirectory(prefix="ndproof-nursery-")
        self.control, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        read_end, write_end = os.pipe()
        # The shell connects the descriptors, whatever numbers they have here, and closes these.
        ends = write_end, other.fileno(), write_end, other.fileno()
        launcher = "exec 3</dev/null 4>&%d 6<&%d %d>&- %d>&-; exec %s -c \"$CODE\"" % (ends + (sys.executable,))
        self.process = subprocess.Popen(
            ["bash", "-c", launcher],
            stdin=subprocess.DEVNULL,
            cwd=self.folder.name,
            env=dict(os.environ, TMPDIR=self.folder.name, HOME=self.folder.name, NDPROOF_FORKS="6", CODE=code),
            pass_fds=(write_end, other.fileno()),
        )
        os.close(write_end)
        other.close()
        with os.fdopen(read_end, "rb") as source:
            self.hello = json.loads(source.read()[24:])
        self.number = 0

    def fork(self):
        """Asks for a process; returns the ends of its three channels."""
        self.number += 1
        down_read, down = os.pipe()
        up, up_write = os.pipe()
        prints, print_write = os.pipe()
        channels = array.array("i", [down_read, up_write, print_write])
        self.control.sendmsg([b"fork %d" % self.number], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, channels)])
        for descriptor in channels:
            os.close(descriptor)
        while True:
            message = self.control.recv(64)
            if message != b"ready":
                break
        assert message == b"forked %d" % self.number
        return down, up, prints

    def ended(self):
        while True:
            message = self.control.recv(64)
            if message != b"ready":
                break
        word, number, status = message.split()
        assert (word, int(number)) == (b"ended", self.number)
        return int(status)

    def close(self):
        self.control.close()
        self.process.wait(timeout=20)
        self.folder.cleanup()


@pytest.fixture
def probe():
    testee = Forking(PROBE.format(here=HERE, script=SCRIPT))
    yield testee
    testee.close()


def ask(testee, command):
    """Starts a process; returns what it is, what it printed, and how it ended."""
    down, up, prints = testee.fork()
    seen = json.loads(os.read(up, 1 << 20))
    os.write(down, command)
    os.close(down)
    status = testee.ended()
    with os.fdopen(up, "rb") as source, os.fdopen(prints, "rb") as printed:
        assert source.read() == b""
        return seen, printed.read(), status


def test_every_process_is_new(probe):
    assert probe.hello["forks"] is True
    first, printed, status = ask(probe, b"c")
    assert os.WTERMSIG(status) == signal.SIGSEGV
    assert printed.startswith(b"printed\n") and b"Segmentation fault" in printed
    second, printed, status = ask(probe, b"q")
    assert (printed, status) == (b"printed\n", 0)
    for number, seen in ((1, first), (2, second)):
        folder = os.path.join(probe.folder.name, str(number))
        assert seen["cwd"] == seen["temporary"] == folder
        assert seen["environment"]["TMPDIR"] == seen["environment"]["HOME"] == folder
        assert seen["environment"]["NDPROOF_FORKS"] is None
        assert seen["environment"]["JOBLIB_TEMP_FOLDER"] in (None, folder)
        # 5 is the descriptor that lists them, or the table of mappings.
        assert len(seen["fds"]) <= 7 and 6 not in seen["fds"][7:]
        assert (seen["threads"], seen["children"], seen["signals"]) == (1, [], [True, True])
    assert not set(first["random"]) & set(second["random"])


def test_the_successor_has_imported_the_libraries(probe):
    """It takes over some time after the first process; nobody waits for it."""
    wanted = {name for name in probe.hello["libraries"] if name not in ("python", "cudf")} | {"multiprocessing"}
    for _ in range(600):
        seen, _, _ = ask(probe, b"q")
        if wanted <= set(seen["modules"]):
            break
        time.sleep(0.1)
    assert wanted <= set(seen["modules"])
    assert (seen["threads"], seen["children"]) == (1, [])
    assert seen["cwd"] == os.path.join(probe.folder.name, str(probe.number))


def test_a_library_that_kills_its_importer_costs_nothing(tmp_path):
    """The first process serves on."""
    (tmp_path / "dill.py").write_text("import os; os.abort()")
    code = "import sys; sys.path.append(%r)\n" % str(tmp_path) + PROBE.format(here=HERE, script=SCRIPT)
    code = code.replace("\nfrom numpy_testee import interpreter", "\nsys.path.insert(0, %r)\nfrom numpy_testee import interpreter" % str(tmp_path))
    testee = Forking(code)
    try:
        for _ in range(20):
            seen, _, status = ask(testee, b"q")
            assert status == 0 and "dill" not in seen["modules"]
    finally:
        testee.close()


@pytest.mark.skipif(importlib.util.find_spec("numba") is None, reason="needs numba")
def test_numba_says_hello_before_it_is_imported(tmp_path):
    """A numba that cannot be imported ends the testee before a process serves."""
    (tmp_path / "numba.py").write_text("raise ImportError('it is broken')")
    code = "import runpy, sys; sys.path.insert(0, %r); runpy.run_path(%r, run_name='__main__')" % (str(tmp_path), NUMBA)
    testee = Forking(code)
    assert testee.hello["implementation"] == "numba" and testee.hello["forks"] is True
    assert testee.process.wait(timeout=60) == 1
    assert testee.control.recv(64) == b""
    testee.close()
