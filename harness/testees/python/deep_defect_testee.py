"""The NumPy testee with a planted defect that only a chain of choices reaches, each of which a generator makes rarely:
for .ci/feedback.sh, which shows that fuzzers find it by the lines that run, and blind generation does not.

Nothing but that experiment starts this program.
"""

import os
import signal
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy  # noqa: E402

from numpy_testee import formats, interpreter  # noqa: E402

_decode = formats.DECODERS["npy"]["memory"]


def deep(array):
    """Dies where seven things hold at once; that one more of them holds shows in a line alone."""
    if array.dtype.kind != "M":
        return 0
    if array.dtype.byteorder != ">":
        return 1
    if numpy.datetime_data(array.dtype)[0] != "us":
        return 2
    if numpy.datetime_data(array.dtype)[1] != 25:
        return 3
    if array.flags.c_contiguous:
        return 4
    if array.ndim < 4:
        return 5
    if array.ndim != 5:
        return 6
    os.kill(os.getpid(), signal.SIGILL)
    return 7


def decode(*arguments):
    array, path = _decode(*arguments)
    deep(array)
    return array, path


if __name__ == "__main__":
    formats.DECODERS["npy"]["memory"] = decode
    interpreter.serve(3, 4)
