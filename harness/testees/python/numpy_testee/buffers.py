"""Arrays that share the memory of another array through a protocol of the same library. Imported on first use."""

import numpy

from .refusal import Unsupported


class _Described:
    """Offers the memory of an array by nothing but `__array_interface__`."""

    def __init__(self, array):
        self.__array_interface__ = array.__array_interface__
        self._array = array


def _from_buffer(array):
    order = "F" if array.flags.fnc else "C"
    return numpy.frombuffer(array, array.dtype).reshape(array.shape, order=order)


def _from_dlpack(array):
    if not hasattr(numpy, "from_dlpack"):
        raise Unsupported("this release has no from_dlpack")
    return numpy.from_dlpack(array)


WAYS = {
    "memoryview": lambda array: numpy.asarray(memoryview(array)),
    "interface": lambda array: numpy.asarray(_Described(array)),
    "dlpack": _from_dlpack,
    "frombuffer": _from_buffer,
}


def send(entry, array):
    """The array over the memory of `array`."""
    if not isinstance(array, numpy.ndarray):
        raise Unsupported("an object that is not an array")
    return WAYS[entry](array)
