"""NumPy's half of the bench harness/codec/npy/npy_bench.c: runs the tasks on its input lines and replies with seconds.

take PATH          keeps numpy.load(PATH) for later saves
take-strided PATH  keeps every other column of an array twice as wide
save PATH          numpy.save of the kept array to a new file
load PATH          numpy.load
trip COUNT         one round trip of COUNT float64 through memory, the mean of 2000
"""

import io
import pathlib
import sys
import time

import numpy as np

TRIPS = 2000


def trips(array):
    for _ in range(TRIPS):
        file = io.BytesIO()
        np.save(file, array)
        file.seek(0)
        np.load(file)


def main():
    taken = None
    for line in sys.stdin:
        task, argument = line.rstrip("\n").split(" ", 1)
        if task == "save":
            pathlib.Path(argument).unlink(missing_ok=True)
        start = time.perf_counter()
        divisor = 1
        if task == "take":
            taken = np.load(argument)
        elif task == "take-strided":
            taken = np.repeat(np.load(argument), 2, axis=1)[:, ::2]
        elif task == "save":
            np.save(argument, taken)
        elif task == "load":
            np.load(argument)
        elif task == "trip":
            trips(np.zeros(int(argument)))
            divisor = TRIPS
        print((time.perf_counter() - start) / divisor, flush=True)


if __name__ == "__main__":
    main()
