"""NumPy's half of the bench harness/codec/pickle_bench.c: does what its lines say and answers with the seconds taken.

make COUNT   keeps COUNT float64 for the dumps that follow
dump PATH    pickle.dump of them, protocol 5, to a new file
load PATH    pickle.load
trip COUNT   one round trip of COUNT float64 through memory, the mean of 5000
"""

import pathlib
import pickle
import sys
import time

import numpy as np

TRIPS = 5000


def dump(path, array):
    with open(path, "wb") as file:
        pickle.dump(array, file, 5)


def load(path):
    with open(path, "rb") as file:
        return pickle.load(file)


def trips(array):
    for _ in range(TRIPS):
        pickle.loads(pickle.dumps(array, 5))


def main():
    kept = None
    for line in sys.stdin:
        task, argument = line.rstrip("\n").split(" ", 1)
        if task == "dump":
            pathlib.Path(argument).unlink(missing_ok=True)
        start = time.perf_counter()
        divisor = 1
        if task == "make":
            kept = np.arange(int(argument), dtype=np.float64)
        elif task == "dump":
            dump(argument, kept)
        elif task == "load":
            load(argument)
        elif task == "trip":
            trips(np.zeros(int(argument)))
            divisor = TRIPS
        print((time.perf_counter() - start) / divisor, flush=True)


if __name__ == "__main__":
    main()
