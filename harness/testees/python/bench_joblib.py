"""How many arrays a second go through joblib: by its files and by joblib.Parallel, on two roads.

bare     a Python loop over arrays that are built already: joblib.dump and joblib.load, or calls in one pool that stays
testee   the same through the testee and its protocol, with all that is observed of them

Needs joblib: runs under the environment `current` where that was made. Ends with 1 when the testee gives less than 0.5
of the bare loop with files, or 0.7 with pools.
"""

import json
import os
import shutil
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
PYTHON = os.path.join(HERE, "..", "..", "..", "build", "env", "current", "bin", "python3")
FILES = (("file", "file"), ("object", "object"), ("file", "mmap:r"), ("zlib", "file"))
BACKENDS = ("loky", "multiprocessing", "threading")
PROTOCOL = 4
LEAST_OF_BARE = {"joblib": 0.5, "joblib.Parallel": 0.7}
MAX_NBYTES = 64


def transport_batch(count, backend):
    """Plain arrays through one backend, some of them larger than what goes through a file."""
    from bench_trips import made_batch

    text, binary = made_batch(count, "", "")
    batch = json.loads(text)
    how = ["", 0, 0, MAX_NBYTES, ""]
    steps = [["build", "", "source"], ["observe", "source", "source"]]
    steps += [["transport", "source", "result", "joblib.Parallel", backend] + how, ["observe", "result", "result"]]
    batch["programs"] = [steps]
    return json.dumps(batch).encode(), binary


def pool_rate(batch, backend):
    """Calls a second in one pool that stays: the worker is given the array and says what it sees."""
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
    told = tuple(LEAST_OF_BARE.values()) + ("MISSED by " + ", ".join(missed) if missed else "kept",)
    print("promised: files at least %.1f of bare, pools %.1f: %s" % told)
    return 1 if missed else 0


def main():
    if os.path.exists(PYTHON) and os.path.realpath(sys.prefix) != os.path.realpath(os.path.dirname(os.path.dirname(PYTHON))):
        os.execv(PYTHON, [PYTHON] + sys.argv)
    try:
        import joblib  # noqa: F401
    except ImportError:
        print("NOT MEASURED: no joblib here, and no environment `current` (make env NAME=current)")
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
