"""Raw memory: copies element bytes to and from arrays without conversion."""

import ctypes
import sys

import numpy

from .dtypes import integer_twin
from .refusal import Refused, Unsupported

_INT64_LIMIT = 2**63


class _Window:
    """An address with the array interface, which keeps the owner of the memory alive."""

    def __init__(self, address, shape, strides, typestr, is_readonly, owner):
        self.__array_interface__ = {
            "version": 3,
            "data": (address, is_readonly),
            "shape": shape,
            "strides": strides,
            "typestr": typestr,
        }
        self.base = owner


def _stated_address(array):
    return numpy.ndarray.__array_interface__.__get__(array)["data"][0]


def _read_address(array):
    """The same, twenty times as fast for a structure, whose interface lists all fields."""
    return _pointer(id(array) + _DATA_OFFSET).value or 0


# NumPy's C API fixes the place of an array's data pointer: behind the head that every object of CPython has.
_pointer = ctypes.c_void_p.from_address
_DATA_OFFSET = object.__basicsize__


def _choose_address():
    """Reads the pointer where this interpreter has it, and asks NumPy elsewhere (PyPy)."""
    if sys.implementation.name != "cpython":
        return _stated_address
    probe = numpy.zeros(3, "u1")[1:]
    return _read_address if _read_address(probe) == _stated_address(probe) else _stated_address


address_of = _choose_address()  # the address of element 0 of an array


def window(array, typestr, is_readonly=True, offset=0, shape=None, strides=None):
    """The memory of `array` as another type of the same size, or as elements with this shape and these strides, the
    first one `offset` bytes after the array's own."""
    if shape is None:
        shape, strides = array.shape, array.strides
    return numpy.asarray(_Window(address_of(array) + offset, shape, strides, typestr, is_readonly, array))


def element_bytes(array):
    """All elements in logical C order, as their bytes in memory; objects as int64."""
    dtype = array.dtype
    if dtype.hasobject:
        return _object_bytes(array)
    if array.flags.c_contiguous:
        return numpy.ndarray.tobytes(array)
    if dtype.itemsize == 0:
        return b""
    return _gather(array)


def _gather(array):
    """Raw memory in logical C order, read as items without fields, because copying a structure leaves padding
    undefined. Copied first, because some versions of tobytes do not support more than 32 dimensions."""
    return window(array, "|V%d" % array.dtype.itemsize).copy("C").tobytes()


def _object_bytes(array):
    dtype = array.dtype
    if dtype.itemsize == 0 or array.size == 0:
        return b""
    raw = bytearray(_gather(array))
    twin = numpy.frombuffer(raw, integer_twin(dtype)).reshape(array.shape)
    _copy_objects(numpy.asarray(array), twin, _integers_of)
    return bytes(raw)


def _integers_of(objects):
    numbers = objects.reshape(-1).tolist()
    for number in numbers:
        if type(number) is not int or not -_INT64_LIMIT <= number < _INT64_LIMIT:
            raise Refused("type", "an element is a %s, not a 64-bit int" % type(number).__name__)
    return numpy.array(numbers, "<i8").reshape(objects.shape)


def _objects_of(numbers):
    return numbers.astype(object)


def _copy_objects(source, target, convert):
    """Assigns every object leaf of one array, converted, to the same leaf of another."""
    names = source.dtype.names
    if names is None:
        is_object = source.dtype.hasobject or target.dtype.hasobject
        if is_object:
            target[...] = convert(source)
        return
    for name in names:
        if source.dtype.fields[name][0].hasobject or target.dtype.fields[name][0].hasobject:
            _copy_objects(source[name], target[name], convert)


def _object_mask(dtype):
    """A mask of the bytes of an item that belong to objects."""
    mask = numpy.zeros(dtype.itemsize, bool)
    if dtype.subdtype is not None:
        base, shape = dtype.subdtype
        count = int(numpy.prod(shape, dtype=int))
        mask[:] = numpy.tile(_object_mask(base), count)
    elif dtype.names is not None:
        for name in dtype.names:
            field, offset = dtype.fields[name][:2]
            mask[offset : offset + field.itemsize] |= _object_mask(field)
    else:
        mask[:] = dtype.hasobject
    return mask


def invert(array, place=0):
    """Inverts every byte of element `place` (in C order) in place. Objects become other integers."""
    index = numpy.unravel_index(place, array.shape) if place else (0,) * array.ndim
    first = tuple(slice(one, one + 1) for one in index) + (Ellipsis,)
    inverted = bytes(255 - byte for byte in element_bytes(array[first]))
    shape = (1,) * array.ndim
    if array.dtype.hasobject:
        array[first] = object_array(inverted, array.dtype, shape, "C", 0)
    else:
        array[first] = numpy.ndarray(shape, array.dtype, inverted)


def with_inverted(array, place):
    """A copy that differs in element `place`."""
    other = numpy.array(array, copy=True, order="K", subok=True)
    invert(other, place)
    return other


def object_array(data, dtype, shape, order, misalign):
    """An array with objects: integers from `data`, with all other bytes unchanged."""
    if dtype.subdtype is not None:
        raise Unsupported("objects in a sub-array at the top")
    array = _object_storage(dtype, shape, order, misalign)
    if array.size == 0 or dtype.itemsize == 0:
        return array
    twin_dtype = integer_twin(dtype)
    twin = numpy.ndarray(shape, twin_dtype, data, 0, None, order)
    plain = ~_object_mask(dtype)
    if plain.any():
        row = array.T if order == "F" else array
        raw = numpy.asarray(
            _Window(address_of(row), (row.size, dtype.itemsize), (dtype.itemsize, 1), "|u1", False, array)
        )
        raw[:, plain] = numpy.frombuffer(data, "u1").reshape(raw.shape)[:, plain]
    _copy_objects(twin, array, _objects_of)
    return array


def _object_storage(dtype, shape, order, misalign):
    if misalign == 0:
        return numpy.empty(shape, dtype, order)
    # Object arrays cannot use an existing buffer, so misalignment is made by a structure with padding before them. The
    # allocator aligns to 16 bytes, which suffices for every type.
    stored = shape if order == "C" else shape[::-1]
    wrapper = {"names": ["a"], "formats": [(dtype, stored)], "offsets": [misalign]}
    array = numpy.zeros((), wrapper)["a"]
    return array if order == "C" else array.T
