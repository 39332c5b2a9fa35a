"""Measures how many arrays per second pass through joblib's files and through joblib.Parallel.

bare     a Python loop over arrays that are already built: joblib.dump and joblib.load, or calls in one lasting pool
testee   the same through the testee and its protocol, with all observations
sweep    a whole ordinary sweep with generated values, confirming and minimising: the share of its time that is spent
         in joblib. A bare loop of the same calls takes exactly that time, so the share is the ratio to it.

Needs joblib: runs under the environment `current` when that exists. Exits with 1 when the testee or the sweep reaches
less than 0.5 of the bare loop with files, or 0.7 with pools.
"""

import json
import os
import runpy
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..", "..")
PYTHON = os.path.join(ROOT, "build", "env", "current", "bin", "python3")
NDPROOF = os.path.join(ROOT, "build", "ndproof")
SWEEP_SECONDS = 30
FILES = (("file", "file"), ("object", "object"), ("file", "mmap:r"), ("zlib", "file"))
BACKENDS = ("loky", "multiprocessing", "threading")
PROTOCOL = 4
LEAST_OF_BARE = {"joblib": 0.5, "joblib.Parallel": 0.7}
MAX_NBYTES = 64


def transport_batch(count, backend):
    """Plain arrays through one backend, some of them larger than the limit above which a file is used."""
    from bench_trips import made_batch

    text, binary = made_batch(count, "", "")
    batch = json.loads(text)
    how = ["", 0, 0, MAX_NBYTES, ""]
    steps = [["build", "", "source"], ["observe", "source", "source"]]
    steps += [["transport", "source", "result", "joblib.Parallel", backend] + how, ["observe", "result", "result"]]
    batch["programs"] = [steps]
    return json.dumps(batch).encode(), binary


def pool_rate(batch, backend):
    """Calls per second in one lasting pool: the worker receives the array and returns its observation."""
    from bench_trips import best
    from numpy_testee import interpreter, transports, values
    from numpy_testee.fresh import give

    text, binary = batch
    arrays = []
    for spec in json.loads(text)["cases"]:
        case = interpreter.Case(spec, memoryview(binary), None)
        arrays.append(values.build_value(spec["value"], case.part(spec["data"]), values.Store(), "unused"))
    pool = transports._JoblibPool(backend, MAX_NBYTES, "")

    def rate():
        start = time.perf_counter()
        for array in arrays:
            pool.call(give, array, (), False)
        return len(arrays) / (time.perf_counter() - start)

    try:
        return best(rate)
    finally:
        pool.close()


class Clock:
    """The time spent in the calls of one process so far, in a file of its own, because a testee may be killed at any
    time. Testees are forks, so the process that writes is not the one that made the clock."""

    def __init__(self, folder):
        self._path = os.path.join(folder, "calls.%d")
        self._seconds = 0.0
        self._depth = 0

    def around(self, function):
        def timed(*arguments, **named):
            self._depth += 1
            start = time.perf_counter()
            try:
                return function(*arguments, **named)
            finally:
                self._depth -= 1
                if self._depth == 0:
                    self._seconds += time.perf_counter() - start
                    with open(self._path % os.getpid(), "w") as file:
                        file.write("%.6f" % self._seconds)

        return timed


def be_testee(folder):
    """The testee of a sweep, with a clock around joblib's calls and around the start of its pools."""
    import joblib
    import numpy  # noqa: F401
    from numpy_testee import transports

    clock = Clock(folder)
    joblib.dump, joblib.load = clock.around(joblib.dump), clock.around(joblib.load)
    pool = transports._JoblibPool
    pool.__init__, pool.call = clock.around(pool.__init__), clock.around(pool.call)
    sys.argv = [os.path.join(HERE, "ndproof_testee.py")]
    runpy.run_path(sys.argv[0], run_name="__main__")


def sweep_share(form, folder):
    """The share of a sweep's time that is spent in joblib."""
    place = tempfile.mkdtemp(dir=folder)
    config = os.path.join(place, "config.json")
    with open(config, "w") as file:
        command = [sys.executable, os.path.abspath(__file__), "--testee", place]
        json.dump({"environments": {"timed": {"command": command}}}, file)
    arguments = [NDPROOF, "sweep", "--config", config, "--env", "timed", "--target", "numpy", "--format", form]
    arguments += ["--seed", "1", "--jobs", "1", "--seconds", str(SWEEP_SECONDS), "--report", os.path.join(place, "report.json")]
    variables = dict(os.environ, NDPROOF_SANDBOX="none")  # the clocks write into the folder of this program
    start = time.perf_counter()
    run = subprocess.run(arguments, cwd=ROOT, env=variables, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    wall = time.perf_counter() - start
    if run.returncode not in (0, 1, 6):
        sys.exit("the sweep ended with %d:\n%s" % (run.returncode, run.stdout))
    spent = 0.0
    for name in os.listdir(place):
        if name.startswith("calls."):
            with open(os.path.join(place, name)) as file:
                spent += float(file.read() or 0)
    cases = [text for text in run.stdout.splitlines() if " cases on " in text]
    print("whole sweep, %s: %.2f of its %.1f s in joblib's calls; %s" % (form, spent / wall, wall, cases[0]))
    return spent / wall


def bench(folder, files, calls):
    from bench_trips import bare_rate, best, line, made_batch, testee_rate

    os.chdir(folder)
    missed = []

    def compare(form, name, bare, rate):
        line("bare, %s" % name, bare)
        line("testee, the same", rate, ("bare", bare))
        if rate < LEAST_OF_BARE[form] * bare:
            missed.append(name)

    for encode, decode in FILES:
        batch = made_batch(files, encode, decode, "joblib")
        words = json.loads(batch[0])
        for step in words["programs"][0]:
            if step[0] in ("encode", "decode"):
                step[6] = PROTOCOL
        batch = json.dumps(words).encode(), batch[1]
        rate = best(lambda batch=batch: testee_rate(batch, 4))
        compare("joblib", "joblib %s > %s" % (encode, decode), bare_rate([batch], folder), rate)
    for backend in BACKENDS:
        batch = transport_batch(calls, backend)
        rate = best(lambda batch=batch: testee_rate(batch, 2))
        compare("joblib.Parallel", "joblib.Parallel %s" % backend, pool_rate(batch, backend), rate)
    for form, least in LEAST_OF_BARE.items():
        if sweep_share(form, folder) < least:
            missed.append("the sweep of %s" % form)
    told = tuple(LEAST_OF_BARE.values()) + ("MISSED by " + ", ".join(missed) if missed else "kept",)
    print("promised: files at least %.1f of bare, pools %.1f: %s" % told)
    return 1 if missed else 0


def use_current_environment():
    """Starts this program again under the environment `current` when that exists and is another."""
    home = os.path.dirname(os.path.dirname(PYTHON))
    if os.path.exists(PYTHON) and os.path.realpath(sys.prefix) != os.path.realpath(home):
        os.execv(PYTHON, [PYTHON] + sys.argv)


def main():
    if sys.argv[1:2] == ["--testee"]:
        be_testee(sys.argv[2])
        return 0
    use_current_environment()
    try:
        import joblib  # noqa: F401
    except ImportError:
        print("NOT MEASURED: joblib is not installed, and there is no environment `current` (make env NAME=current)")
        return 0
    place = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    folder = tempfile.mkdtemp(prefix="ndproof-bench-", dir=place)
    os.environ["TMPDIR"] = tempfile.tempdir = folder
    try:
        return bench(folder, 256, 64)
    finally:
        os.chdir("/")
        shutil.rmtree(folder)


if __name__ == "__main__":
    sys.exit(main())
