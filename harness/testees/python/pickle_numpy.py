"""The libraries' half of the bench harness/codec/pickle/pickle_bench.c: runs the tasks on its input lines and replies
with seconds.

Lines are LIBRARY TASK ARGUMENT. LIBRARY is numpy (pickles of protocol 5) or joblib. Without joblib, each of its replies
is 0.

make COUNT   keeps COUNT float64 for later dumps
dump PATH    dumps them to a new file
load PATH    loads a dump
trip COUNT   one round trip of COUNT float64 through memory, the mean of 5000
"""

import io
import pathlib
import pickle
import sys
import time

import numpy as np

try:
    import joblib
except ImportError:
    joblib = None

TRIPS = 5000


def pickle_dump(path, array):
    with open(path, "wb") as file:
        pickle.dump(array, file, 5)


def pickle_load(path):
    with open(path, "rb") as file:
        return pickle.load(file)


def pickle_trip(array):
    pickle.loads(pickle.dumps(array, 5))


def joblib_dump(path, array):
    joblib.dump(array, path)


def joblib_load(path):
    return joblib.load(path)


def joblib_trip(array):
    file = io.BytesIO()
    joblib.dump(array, file)
    file.seek(0)
    joblib.load(file)


LIBRARIES = {
    "numpy": (pickle_dump, pickle_load, pickle_trip),
    "joblib": (joblib_dump, joblib_load, joblib_trip),
}


def main():
    kept = None
    for line in sys.stdin:
        library, task, argument = line.rstrip("\n").split(" ", 2)
        dump, load, trip = LIBRARIES[library]
        if library == "joblib" and joblib is None:
            print(0, flush=True)
            continue
        if task == "dump":
            pathlib.Path(argument).unlink(missing_ok=True)
        small = np.zeros(int(argument)) if task == "trip" else None
        start = time.perf_counter()
        divisor = 1
        if task == "make":
            kept = np.arange(int(argument), dtype=np.float64)
        elif task == "dump":
            dump(argument, kept)
        elif task == "load":
            load(argument)
        elif task == "trip":
            for _ in range(TRIPS):
                trip(small)
            divisor = TRIPS
        print((time.perf_counter() - start) / divisor, flush=True)


if __name__ == "__main__":
    main()
