"""Replays hostile pickles under every protection: each attempt is stopped and reported. Controls show that the attempts
succeed without protection."""

import os
import pathlib
import pickle
import re
import signal
import socket
import subprocess
import sys
import time

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
NDPROOF = ROOT / "build/ndproof"
HERE = ["--python", sys.executable, "--target", "numpy"]
CLEAN, DIVERGES, USAGE, FAULT, INCONCLUSIVE = 0, 1, 2, 3, 5
# The exit codes of a process that ran a hostile pickle.
STOPPED, SUCCEEDED = 40, 41
PROTECTIONS = ["bubblewrap", "namespaces", "limits"]
TOKEN = "a-secret-of-the-user"

ATTACK = """
import os, signal, socket, time
def attempt():
{attempt}
try:
    has_succeeded = attempt()
except (OSError, KeyError, MemoryError):
    has_succeeded = False
os._exit({succeeded} if has_succeeded else {stopped})
"""

WRITE = """
    open({path!r}, "w").close()
    return True
"""
READ_HOME = """
    return {token!r} in open({path!r}).read()
"""
READ_ENVIRONMENT = """
    found = {token!r} in os.environ.values()
    for process in filter(str.isdigit, os.listdir("/proc")):
        try:
            found = found or {token!r}.encode() in open("/proc/%s/environ" % process, "rb").read()
        except OSError:
            pass
    return found
"""
CONNECT = """
    socket.create_connection(("127.0.0.1", {port}), 5).close()
    return True
"""
SIGNAL = """
    os.kill({victim}, signal.SIGKILL)
    return True
"""
# The processes of the testee itself have one command line.
SIGNAL_SUPERVISOR = """
    def read(process, name):
        with open("/proc/%d/%s" % (process, name), "rb") as file:
            return file.read()
    victim = os.getpid()
    while read(victim, "cmdline") == read(os.getpid(), "cmdline"):
        victim = int(read(victim, "stat").rpartition(b")")[2].split()[1])
    os.kill(victim, signal.SIGKILL)
    time.sleep(60)
"""
FORK = """
    children = []
    try:
        while len(children) < {most}:
            child = os.fork()
            if child == 0:
                time.sleep(60)
                os._exit(0)
            children.append(child)
        return True
    finally:
        for child in children:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
"""
FILL = """
    for number in range({files}):
        with open("filler-%d" % number, "wb") as file:
            os.posix_fallocate(file.fileno(), 0, 1 << 26)
    return True
"""
OUTLIVE = """
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.execv({program!r}, [{program!r}, "600"])
        os._exit(0)
    os.wait()
    return True
"""


class Hostile:
    """Unpickling it runs `code`."""

    def __init__(self, code):
        self.code = code

    def __reduce__(self):
        return exec, (self.code, {})


def hostile(folder, attempt, **values):
    """Writes a pickle that makes the attempt and ends its process with STOPPED or SUCCEEDED."""
    path = folder / "hostile.pkl"
    code = ATTACK.format(attempt=attempt.format(**values), stopped=STOPPED, succeeded=SUCCEEDED)
    path.write_bytes(pickle.dumps(Hostile(code), protocol=4))
    return path


def replay(path, *words, **variables):
    return subprocess.run([NDPROOF, "replay", *HERE, *words, path], capture_output=True, text=True, timeout=300, env={**os.environ, **variables})


@pytest.fixture(params=PROTECTIONS)
def protection(request):
    """Each protection that works here. The others are skipped by name."""
    done = subprocess.run([NDPROOF, "list", "targets", *HERE[:2]], capture_output=True, text=True, timeout=300, env={**os.environ, "NDPROOF_SANDBOX": request.param})
    if "does not work on this machine" in done.stderr:
        pytest.skip(f"{request.param} does not work on this machine, so its protection is NOT TESTED")
    assert done.returncode == CLEAN, done.stderr
    assert f"protection: {request.param}" in done.stdout + done.stderr
    return request.param


def assert_stopped(path, protection, is_limited=False, **variables):
    """The attempt failed inside the testee, or with `is_limited` the guard may have ended the testee, which is not a
    defect of the library."""
    done = replay(path, "--trust", NDPROOF_SANDBOX=protection, **variables)
    assert f"protection: {protection}" in done.stderr
    is_over = is_limited and "a process over its limit of memory, processes or files" in done.stdout
    assert done.returncode == DIVERGES or is_over, (done.stdout, done.stderr)
    assert is_over or f"exited with {STOPPED}" in done.stdout or f"exit code {STOPPED}" in done.stdout, done.stdout
    assert f"exited with {SUCCEEDED}" not in done.stdout and f"exit code {SUCCEEDED}" not in done.stdout, done.stdout


def assert_succeeds(path, **variables):
    """The control."""
    done = replay(path, "--trust", NDPROOF_SANDBOX="none", **variables)
    assert "protection: NONE" in done.stderr
    assert f"exited with {SUCCEEDED}" in done.stdout or f"exit code {SUCCEEDED}" in done.stdout, done.stdout


def run_alone(path, folder):
    """Unpickles in an interpreter without ndproof; returns its exit code."""
    code = "import pickle, sys; pickle.load(open(sys.argv[1], 'rb'))"
    return subprocess.run([sys.executable, "-c", code, path], cwd=folder, timeout=300).returncode


def test_write_outside(tmp_path, protection):
    path = hostile(tmp_path, WRITE, path=str(tmp_path / "written"))
    assert_stopped(path, protection)
    assert not (tmp_path / "written").exists()
    assert_succeeds(path)
    assert (tmp_path / "written").exists()


def test_read_home(tmp_path, protection):
    (tmp_path / "home").mkdir()
    (tmp_path / "home/key").write_text(TOKEN)
    path = hostile(tmp_path, READ_HOME, path=str(tmp_path / "home/key"), token=TOKEN)
    assert_stopped(path, protection, HOME=str(tmp_path / "home"))
    assert_succeeds(path, HOME=str(tmp_path / "home"))


def test_read_environment(tmp_path, protection):
    path = hostile(tmp_path, READ_ENVIRONMENT, token=TOKEN)
    assert_stopped(path, protection, SECRET=TOKEN)
    assert_succeeds(path, SECRET=TOKEN)


def test_open_connection(tmp_path, protection):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(0)
        path = hostile(tmp_path, CONNECT, port=listener.getsockname()[1])
        assert_stopped(path, protection)
        with pytest.raises(BlockingIOError):
            listener.accept()
        assert_succeeds(path)
        listener.accept()[0].close()


@pytest.fixture
def victim():
    with subprocess.Popen(["sleep", "600"]) as process:
        yield process
        process.kill()


def test_signal_another_process(tmp_path, protection, victim):
    path = hostile(tmp_path, SIGNAL, victim=victim.pid)
    assert_stopped(path, protection)
    assert victim.poll() is None
    assert_succeeds(path)
    assert victim.wait(60) == -signal.SIGKILL


def test_signal_supervisor(tmp_path, protection):
    path = hostile(tmp_path, SIGNAL_SUPERVISOR)
    assert_stopped(path, protection)
    done = replay(path, "--trust", NDPROOF_SANDBOX="none")
    assert done.returncode == FAULT, done.stdout


def test_fork_endlessly(tmp_path, protection):
    assert_stopped(hostile(tmp_path, FORK, most=20000), protection, is_limited=True)
    assert run_alone(hostile(tmp_path, FORK, most=600), tmp_path) == SUCCEEDED


def test_fill_disk(tmp_path, protection):
    assert_stopped(hostile(tmp_path, FILL, files=200), protection, is_limited=True)
    assert run_alone(hostile(tmp_path, FILL, files=2), tmp_path) == SUCCEEDED


def find_process(program):
    """The processes that run this program."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and (entry / "cmdline").read_bytes().split(b"\0")[0] == program.encode():
                found.append(int(entry.name))
        except OSError:
            continue
    return found


def test_outlive_the_case(tmp_path, protection):
    """The process that outlives its testee is ended with it; the end of the testee is reported."""
    program = "/usr/bin/../bin/../bin/sleep"  # a path that no other process has
    path = hostile(tmp_path, OUTLIVE, program=program)
    done = replay(path, "--trust", NDPROOF_SANDBOX=protection)
    assert done.returncode == DIVERGES, done.stdout
    assert f"exited with {SUCCEEDED}" in done.stdout or f"exit code {SUCCEEDED}" in done.stdout, done.stdout
    assert find_process(program) == []
    # A pickle that returns leaves its process to its testee, which ends after the case.
    quiet = tmp_path / "quiet.pkl"
    code = "import os\n" + "def attempt():\n" + OUTLIVE.format(program=program) + "\nattempt()"
    quiet.write_bytes(pickle.dumps(Hostile(code.replace("def attempt():\n", "def attempt(os=os):\n")), protocol=4))
    done = replay(quiet, "--trust", NDPROOF_SANDBOX=protection)
    assert re.search(r"ended [1-9]\d* processes that outlived the case", done.stdout), done.stdout
    assert find_process(program) == []
    assert run_alone(path, tmp_path) == SUCCEEDED
    deadline = time.monotonic() + 60
    while not (left := find_process(program)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert left
    for process in left:
        os.kill(process, signal.SIGKILL)


@pytest.mark.parametrize("command", ["replay", "import", "shrink", "show"])
def test_nothing_runs_without_trust(tmp_path, command):
    folder = tmp_path / "in"
    folder.mkdir()
    path = hostile(folder, WRITE, path=str(tmp_path / "written"))
    target = [] if command in ("shrink", "show") else HERE[2:]
    given = folder if command == "import" else path
    words = ["--report", tmp_path / "report.json"] if command == "import" else []
    done = subprocess.run([NDPROOF, command, *HERE[:2], *target, *words, given], capture_output=True, text=True, timeout=300, env={**os.environ, "NDPROOF_SANDBOX": "none"})
    assert not (tmp_path / "written").exists()
    if command == "show":
        assert done.returncode == CLEAN, done.stderr
    else:
        assert done.returncode in (FAULT, INCONCLUSIVE), (done.stdout, done.stderr)
        assert "NOT RUN without --trust: numpy pickle" in done.stdout


def test_a_file_that_only_claims_to_be_of_the_corpus(tmp_path):
    """The name of a corpus file does not make its bytes trusted; the bytes do."""
    own = next(path for path in sorted((ROOT / "corpus/pickle/accept").iterdir()) if path.suffix == ".pkl")
    folder = tmp_path / "corpus/pickle/accept"
    folder.mkdir(parents=True)
    path = hostile(folder, WRITE, path=str(tmp_path / "written")).rename(folder / own.name)
    done = replay(path, NDPROOF_SANDBOX="none")
    assert done.returncode != CLEAN and "NOT RUN without --trust" in done.stdout
    assert not (tmp_path / "written").exists()
    assert "NOT RUN" not in replay(own).stdout


def test_inert_formats_run_without_trust(tmp_path):
    import numpy

    numpy.save(tmp_path / "a.npy", numpy.arange(3.0))
    done = replay(tmp_path / "a.npy")
    assert done.returncode == CLEAN and "NOT RUN" not in done.stdout, done.stdout


def test_an_unknown_word_names_the_known_ones(tmp_path):
    done = replay(hostile(tmp_path, WRITE, path="/nowhere"), NDPROOF_SANDBOX="strong")
    assert done.returncode in (USAGE, FAULT)
    assert "bubblewrap, namespaces, limits or none" in done.stderr
