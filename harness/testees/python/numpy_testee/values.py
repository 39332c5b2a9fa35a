"""Values: places a base in memory, then applies views with NumPy's own operations."""

import ctypes

import numpy
from numpy.lib.stride_tricks import as_strided

from .dtypes import build_dtype, integer, integers, read_text
from .memory import address_of, object_array, window
from .refusal import Unsupported

FILLER = b"\xee"
_BOUNDARY = 64
_STORE_BYTES = 1 << 20


def _aligned(size):
    """New memory of `size` bytes that starts on the boundary."""
    whole = numpy.zeros(size + _BOUNDARY, "u1")
    start = -address_of(whole) % _BOUNDARY
    return whole[start : start + size]


class Store:
    """Memory for bases. The first base of each case uses the same block, because allocating aligned memory costs more
    than everything else about a small array."""

    def __init__(self):
        self._block = _aligned(_STORE_BYTES)
        self._bytes = memoryview(self._block)
        self.is_taken = False
        self.is_avoided = False  # bases own their memory, for encoders that look at the base of an array

    def place(self, data, misalign):
        """Copies `data` to `misalign` bytes past a boundary; returns the block and the offset in it."""
        size = misalign + len(data)
        if self.is_taken or size > _STORE_BYTES:
            block = _aligned(size)
            memoryview(block)[misalign:size] = data
            return block
        self.is_taken = True
        self._bytes[misalign:size] = data
        return self._block


def _immutable(data, misalign):
    """A bytes object that contains `data`, and the offset of `data` in it."""
    size = len(data)
    whole = bytes(size + 2 * _BOUNDARY)
    address = address_of(numpy.frombuffer(whole, "u1"))
    start = -address % _BOUNDARY + misalign
    # Modifying the object is safe, because nothing else refers to it. It is necessary because the alignment is known
    # only after the allocation.
    ctypes.memmove(address + start, bytes(data), size)
    return whole, start


def _mapped(base, dtype, shape, order, data, path):
    if dtype.hasobject:
        raise Unsupported("objects in a memory map")
    mode = base["memmap"].get("mode", "r")
    offset = integer(base["memmap"].get("offset", 0))
    if mode == "w+":
        array = numpy.memmap(path, dtype, "w+", offset, shape, order)
        if array.nbytes:
            # As items without fields, so that padding is copied, too.
            plain = "|V%d" % dtype.itemsize
            window(array, plain, False)[...] = numpy.ndarray(array.shape, plain, data, 0, None, order)
        fill_start(path, offset)
        return array
    with open(path, "wb") as file:
        file.write(FILLER * offset)
        file.write(data)
    return numpy.memmap(path, dtype, mode, offset, shape, order)


def fill_start(path, size):
    """Writes filler to the first bytes of a file that was created by a map."""
    if size:
        with open(path, "r+b") as file:
            file.write(FILLER * size)


def build_base(base, data, store, path):
    """The base of a value: `data` as a contiguous array."""
    dtype = build_dtype(base["dtype"])
    shape = integers(base["shape"])
    order = base.get("order", "C")
    if base.get("memmap") is not None:
        return _mapped(base, dtype, shape, order, data, path)
    misalign = base.get("misalign", 0)
    if dtype.hasobject:
        array = object_array(data, dtype, shape, order, misalign)
        if base.get("readonly"):
            array.flags.writeable = False
        return array
    if base.get("readonly") and not store.is_avoided:
        whole, start = _immutable(data, misalign)
        return numpy.ndarray(shape, dtype, whole, start, None, order)
    if store.is_avoided and not misalign and dtype.itemsize:
        array = _owning(dtype, shape, order, data)
    else:
        array = numpy.ndarray(shape, dtype, store.place(data, misalign), misalign, None, order)
    if base.get("readonly"):
        array.flags.writeable = False
    return array


def _owning(dtype, shape, order, data):
    array = numpy.ndarray(shape, dtype, order=order)
    # As items without fields, so that padding is copied, too.
    plain = "|V%d" % dtype.itemsize
    window(array, plain, False)[...] = numpy.ndarray(array.shape, plain, data, 0, None, order)
    return array


def _slice(one):
    start, step, count = integers(one)
    if count == 0:
        return slice(start, start, step)
    stop = start + step * count
    return slice(start, None if stop < 0 else stop, step)


def _strided(array, view):
    offset = integer(view.get("offset", 0))
    shape, strides = integers(view["strided"]), integers(view["strides"])
    if not array.dtype.hasobject and array.dtype.itemsize:
        return _window(array, offset, shape, strides)
    if offset and array.dtype.itemsize:
        # as_strided itself cannot move element 0.
        array = as_strided(array, (2,), (offset,), subok=True)[1:]
    return as_strided(array, shape, strides, subok=True)


def _window(array, offset, shape, strides):
    """The result of as_strided, which lists the fields of a structure and names its padding f0, f1 and so on; these
    names may already be in use."""
    moved = window(array, "|V%d" % array.dtype.itemsize, not array.flags.writeable, offset, shape, strides)
    moved = moved.view(array.dtype)
    if type(array) is not numpy.ndarray:
        moved = moved.view(type(array))
        moved.__array_finalize__(array)
    return moved


# One NumPy operation per view of the protocol. The trailing Ellipsis keeps 0-d arrays arrays.
_VIEWS = {
    "reshape": lambda a, view: a.reshape(integers(view["reshape"]), order=view.get("order", "C")),
    "transpose": lambda a, view: a.transpose(view["transpose"]),
    "slice": lambda a, view: a[tuple(map(_slice, view["slice"])) + (Ellipsis,)],
    "newaxis": lambda a, view: a[(slice(None),) * view["newaxis"] + (None, Ellipsis)],
    "broadcast": lambda a, view: numpy.broadcast_to(a, integers(view["broadcast"]), subok=True),
    "field": lambda a, view: a[read_text(view["field"])],
    "as_dtype": lambda a, view: a.view(build_dtype(view["as_dtype"])),
    "real": lambda a, view: a.real,
    "imag": lambda a, view: a.imag,
    "strided": _strided,
}
_CLASSES = {"matrix": numpy.matrix, "recarray": numpy.recarray}


def _apply(array, view):
    for name, operation in _VIEWS.items():
        if name in view:
            return operation(array, view)
    raise Unsupported("unknown kind of view: %s" % sorted(view))


def apply_views(array, views):
    """The array after the views of a value, one after the other."""
    for view in views:
        array = _apply(array, view)
    return array


def build_plain(spec, data, store, path):
    """Base and views of an array value, without its class and its read-only flag."""
    return apply_views(build_base(spec["base"], data, store, path), spec.get("views", ()))


def build_value(value, data, store, path):
    """The array of a value. `path` is for the file of a map."""
    spec = value.get("array")
    if spec is None:
        raise Unsupported("a value that is not an array")
    array = build_plain(spec, data, store, path)
    name = spec["class"]["name"] if "class" in spec else "ndarray"
    if name not in ("ndarray", "memmap"):
        if name not in _CLASSES:
            raise Unsupported("an array of class %s" % name)
        array = array.view(_CLASSES[name])
    if not spec.get("writeable", True):
        array.flags.writeable = False
    return array
