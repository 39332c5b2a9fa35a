#!/usr/bin/env python3
"""Tests fuzz.py, nightly.py and addresses.sh in a temporary tree: each new input of AFL++ is copied to libFuzzer once;
merged inputs are removed, others stay; addresses are fixed only if necessary."""

import contextlib
import io
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True
import fuzz  # noqa: E402
import nightly  # noqa: E402


def put(path, text):
    """Creates a complete file with an old time, so that the time cannot identify new files."""
    path = pathlib.Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    pathlib.Path("new").write_text(text)
    os.utime("new", (0, 0))
    os.replace("new", path)


def wait_for(condition):
    ends = time.monotonic() + 60
    while not condition() and time.monotonic() < ends:
        time.sleep(0.02)


class Looks(threading.Event):
    """Counts the polls of the thread."""

    count = 0

    def wait(self, timeout=None):
        self.count += 1
        return super().wait(timeout)


def test_shared_queues():
    put("afl/main/queue/id:000000,before", "old")
    os.mkdir("to")
    done = Looks()
    sharing = threading.Thread(target=fuzz.share_queues, args=("afl", "to", done, 0.05))
    sharing.start()
    wait_for(lambda: done.count > 0)
    put("afl/main/queue/id:000001,time:0,execs:0,orig:seed", "seed")
    put("afl/main/queue/id:000002,sync:libfuzzer,src:000001", "other")
    put("afl/main/queue/id:000003,src:000001,op:havoc", "one")
    put("afl/main/queue/id:000004,src:000003,op:havoc", "one")
    put("afl/main/queue/id:000005,src:000001,op:havoc", "")
    put("afl/helper1/queue/id:000006,src:000001,op:havoc", "two")
    wait_for(lambda: len(os.listdir("to")) >= 2)
    pathlib.Path("afl/main/queue/id:000005,src:000001,op:havoc").write_text("three")
    wait_for(lambda: len(os.listdir("to")) >= 3)
    done.set()
    sharing.join()
    shared = sorted(path.read_text() for path in pathlib.Path("to").iterdir())
    assert shared == ["one", "three", "two"], shared


def test_merged_inputs_are_removed():
    os.makedirs("build/merged/fuzz_a")
    now = time.time()
    for name in ("fuzz_a", "fuzz_b"):
        put("build/found/%s/afl/main/queue/id:0" % name, "found")
        put("build/found/%s/.merged" % name, "")
        os.utime("build/found/%s/.merged" % name, (now - 3600, now - 3600))
    nightly.forget_merged("fuzz_never")
    nightly.forget_merged("fuzz_b")
    assert os.path.exists("build/found/fuzz_b/afl/main/queue/id:0"), "expected the inputs to stay without a merge"
    pathlib.Path("build/found/fuzz_a/new").write_text("since the merge")
    nightly.forget_merged("fuzz_a")
    assert os.path.exists("build/found/fuzz_a/afl/main/queue/id:0"), "expected the inputs to stay, because one is newer than the merge"
    os.unlink("build/found/fuzz_a/new")
    nightly.forget_merged("fuzz_a")
    assert not os.path.exists("build/found/fuzz_a"), "expected the merged inputs to be removed"


def test_addresses_are_fixed_where_they_must_be():
    os.mkdir("bin")
    pathlib.Path("bin/setarch").write_text('#!/bin/sh\n[ ! -e refused ] && [ "$2" = -R ] && shift 2 && FIXED=yes exec "$@"\n')
    os.chmod("bin/setarch", 0o755)

    def run(bits):
        pathlib.Path("bits").write_text(bits)
        env = {"PATH": os.path.abspath("bin") + ":" + os.environ["PATH"], "BITS_FILE": "bits"}
        command = [HERE / "addresses.sh", "sh", "-c", 'echo "$FIXED:$1:$2"', "sh", "one", "two words"]
        done = subprocess.run(command, env=env, capture_output=True, text=True)
        return done.stdout.strip(), done.stderr

    assert run("28") == (":one:two words", "")
    assert run("32") == ("yes:one:two words", "")
    pathlib.Path("refused").touch()
    assert run("32")[0] == ":one:two words" and "random in 32 bits" in run("32")[1]


def put_program(path, text):
    put(path, "#!/bin/sh\n" + text)
    os.chmod(path, 0o755)


def test_the_bench_compares_with_the_engine_where_there_is_one():
    """Replaces the programs: the replay prints two rates, the engine works for a moment and says how many runs it did."""
    put_program("speed/fuzz_npz", 'case $NDP_FUZZ_EMPTY in "") echo 40000 60000;; body) echo 1 2000000;; esac\n')
    os.makedirs("corpus")

    def table():
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            assert fuzz.bench(["speed/fuzz_npz"]) == 0
        return out.getvalue().splitlines()

    row, last = table()[1].split(), table()[-1]
    assert row[:4] == ["fuzz_npz", "40000", "60000", "50000"] and row[5:7] == ["2000000", "3.00%"] and "ok" in row, row
    assert "NOT COMPARED" in last, last
    put_program(
        fuzz.LIBFUZZER_FOLDER + "fuzz_npz",
        'i=0; while [ $i -lt 50000 ]; do i=$((i + 1)); done\n[ "$NDP_FUZZ_EMPTY" = engine ] && runs=100000 || runs=1000\n'
        'echo "Done $runs runs in 1 second(s)" >&2\n',
    )
    row, last = table()[1].split(), table()[-1]
    assert float(row[5]) > float(row[7]) > 0 and "libFuzzer" in last and "NOT COMPARED" not in last, (row, last)


with tempfile.TemporaryDirectory() as tree:
    os.chdir(tree)
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            test()
    os.chdir("/")
