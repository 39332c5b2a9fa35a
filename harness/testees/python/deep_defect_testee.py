"""The NumPy testee with a planted defect that only a chain of rare choices reaches: for .ci/feedback, which shows that
fuzzers find it by the lines that run, and blind generation does not.

Nothing but that experiment starts this program.
"""

import os
import signal
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from numpy_testee import formats, interpreter  # noqa: E402

_decode = formats.DECODERS["npy"]["memory"]


def deep(array):
    """Dies where six things hold at once, each of which is one choice of a generator among several."""
    if array.dtype.byteorder != ">":
        return
    if array.dtype.kind != "c":
        return
    if array.ndim != 3:
        return
    if array.flags.c_contiguous:
        return
    if array.shape[1] != 33:
        return
    if array.shape[2] != 7:
        return
    os.kill(os.getpid(), signal.SIGILL)


def decode(*arguments):
    array, path = _decode(*arguments)
    deep(array)
    return array, path


if __name__ == "__main__":
    formats.DECODERS["npy"]["memory"] = decode
    interpreter.serve(3, 4)
