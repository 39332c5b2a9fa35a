"""Arrays as descriptors: the base that owns the memory, and the views that lead to the array."""

import json
import mmap

import numpy
from numpy_testee.dtypes import print_dtype, print_text
from numpy_testee.memory import address_of, element_bytes
from numpy_testee.refusal import Refused, Unsupported
from numpy_testee.values import apply_views

from .reason import Inexpressible

MAX_BASE_BYTES = 16 << 20
_SAFE_INTEGER = 2**53 - 1
_SHARED_CLASSES = (numpy.ndarray, numpy.memmap)
CLASSES = {numpy.matrix: "matrix", numpy.recarray: "recarray", numpy.ma.MaskedArray: "MaskedArray"}


def number(value):
    """An integer of a descriptor: a JSON number, or a decimal string if a double cannot represent it."""
    value = int(value)
    return value if -_SAFE_INTEGER <= value <= _SAFE_INTEGER else str(value)


def numbers(values):
    return [number(value) for value in values]


def dtype_spec(dtype, path):
    try:
        return json.loads(print_dtype(dtype))
    except (Refused, Unsupported) as reason:
        raise Inexpressible("%s: %s" % (path, reason))


def plain(array):
    """The array without its class."""
    return array.view(numpy.ndarray)


def root_of(array):
    """The array at the end of the chain of bases."""
    while True:
        below = array.base
        while below is not None and not isinstance(below, numpy.ndarray):
            below = getattr(below, "base", None)  # as_strided puts an object of its own between two arrays
        if below is None:
            return array
        array = below


# ---- views ----


def _geometry(array):
    """Address, shape and the strides that matter."""
    strides = tuple(stride if extent > 1 and array.size else 0 for extent, stride in zip(array.shape, array.strides))
    return address_of(array), array.shape, strides, print_dtype(array.dtype)


def _is_same(a, b):
    return _geometry(a) == _geometry(b)


def _as_bytes(root, array):
    """The bytes between the first and the last of `array`, as a flat array of its dtype: (views, result)."""
    if not (root.flags.c_contiguous and root.itemsize and array.itemsize and array.size):
        return
    reach = [(extent - 1) * stride for extent, stride in zip(array.shape, array.strides)]
    low = address_of(array) - address_of(root) + sum(one for one in reach if one < 0)
    size = sum(abs(one) for one in reach) + array.itemsize
    if low < 0 or low + size > root.nbytes or size % array.itemsize:
        return
    views = [{"reshape": [root.size]}, {"as_dtype": "|u1"}, {"slice": [numbers((low, 1, size))]}]
    try:
        current = apply_views(root, views + [{"as_dtype": json.loads(print_dtype(array.dtype))}])
    except (ValueError, TypeError):
        return
    yield views + [{"as_dtype": json.loads(print_dtype(array.dtype))}], current


def _with_dtype(root, array):
    """Candidates for the views of `root` that have the dtype of `array`: (views, result)."""
    yield [], root
    for name in root.dtype.names or ():
        yield [{"field": json.loads(print_text(name))}], root[name]
    if root.dtype.kind == "c":
        yield [{"real": True}], root.real
        yield [{"imag": True}], root.imag
    try:
        yield [{"as_dtype": json.loads(print_dtype(array.dtype))}], root.view(array.dtype)
    except (ValueError, TypeError):
        pass
    yield from _as_bytes(root, array)


def _as_reshape(current, array):
    for order in "CF":
        spec = {"reshape": numbers(array.shape)}
        if order == "F":
            spec["order"] = "F"
        try:
            yield spec, current.reshape(array.shape, order=order)
        except ValueError:
            return


def _as_transpose(current, array):
    if sorted(current.shape) != sorted(array.shape):
        return
    free, axes = list(range(current.ndim)), []
    for extent, stride in zip(array.shape, array.strides):
        fits = [k for k in free if current.shape[k] == extent and (extent < 2 or current.strides[k] == stride)]
        if not fits:
            return
        axes.append(fits[0])
        free.remove(fits[0])
    yield {"transpose": axes}, current.transpose(axes)


def _start(current, offset):
    """The index of the element at `offset` bytes, or None."""
    index = [0] * current.ndim
    for axis in sorted(range(current.ndim), key=lambda k: -current.strides[k]):
        if current.strides[axis] > 0 and current.shape[axis] > 1:
            index[axis], offset = divmod(offset, current.strides[axis])
    return index if offset == 0 else None


def _as_slice(current, array):
    """Every axis sliced. Only for a `current` with positive strides."""
    if current.ndim != array.ndim or not array.size:
        return
    index = _start(current, address_of(array) - address_of(current))
    if index is None:
        return
    slices = []
    for axis, start in enumerate(index):
        extent, step = array.shape[axis], 1
        if extent > 1:
            if not current.strides[axis] or array.strides[axis] % current.strides[axis]:
                return
            step = array.strides[axis] // current.strides[axis]
        last = start + (extent - 1) * step
        if not step or not 0 <= start < current.shape[axis] or not 0 <= last < current.shape[axis]:
            return
        slices.append((start, step, extent))
    made = current[tuple(slice(a, None if a + s * n < 0 else a + s * n, s) for a, s, n in slices) + (Ellipsis,)]
    yield {"slice": [numbers(one) for one in slices]}, made


def _as_strided(current, array):
    spec = {
        "strided": numbers(array.shape),
        "strides": numbers(array.strides),
        "offset": number(address_of(array) - address_of(current) if array.size else 0),
    }
    yield spec, apply_views(current, [spec])


def _unchanged(current, array):
    yield None, current


def views_between(root, array, path):
    """The views that make `array` of `root`, whose class does not matter: an explicit layout only if no other view does."""
    root, array = plain(root), plain(array)
    heads = [one for one in _with_dtype(root, array) if print_dtype(one[1].dtype) == print_dtype(array.dtype)]
    for ways in (_unchanged, _as_reshape, _as_transpose, _as_slice), (_as_strided,):
        for head, current in heads:
            for way in ways:
                for spec, made in way(current, array):
                    if _is_same(made, array):
                        return head if spec is None else head + [spec]
    raise Inexpressible("%s: a view whose way from its base cannot be described" % path)


# ---- bases ----


def _is_immutable(root):
    """Whether the memory belongs to an object that nobody may write to, such as bytes."""
    try:
        return root.base is not None and memoryview(root.base).readonly
    except TypeError:  # not a buffer
        return False


def base_spec(root, path):
    """The base of an array that is not a view of another one."""
    if root.nbytes > MAX_BASE_BYTES:
        raise Inexpressible("%s: memory of %d bytes; at most %d are described" % (path, root.nbytes, MAX_BASE_BYTES))
    if not (root.flags.c_contiguous or root.flags.f_contiguous):
        raise Inexpressible("%s: a base that is not contiguous" % path)
    order = "C" if root.flags.c_contiguous else "F"
    spec = {"dtype": dtype_spec(root.dtype, path), "shape": numbers(root.shape), "order": order}
    if root.nbytes:
        spec["data"] = {"hex": _memory(root).hex()}
    if isinstance(root, numpy.memmap):
        if not isinstance(root.base, mmap.mmap):
            raise Inexpressible("%s: a memmap without its file" % path)
        spec["memmap"] = {"mode": root.mode, "offset": number(root.offset)}
        return spec
    if root.nbytes and address_of(root) % 16:
        spec["misalign"] = address_of(root) % 16
    if _is_immutable(root):
        spec["readonly"] = True
    return spec


def _memory(root):
    """The bytes of the base in the order of the memory, padding included."""
    return element_bytes(plain(root).T if not root.flags.c_contiguous else plain(root))


def array_spec(array, path):
    """The member "array" of a value or a node, without the class of a masked array."""
    root = root_of(array)
    kind = type(array)
    if array.dtype.hasobject:
        raise Inexpressible("%s: objects inside elements of dtype %s" % (path, array.dtype))
    if isinstance(root, numpy.memmap) != (kind is numpy.memmap):
        raise Inexpressible("%s: a %s whose memory is a memmap" % (path, kind.__name__))
    spec = {"base": base_spec(root, path)}
    views = views_between(root, array, path)
    if views:
        spec["views"] = views
    if kind in CLASSES:
        spec["class"] = {"name": CLASSES[kind]}
    if root.flags.writeable and not array.flags.writeable:
        spec["writeable"] = False
    elif not root.flags.writeable and not spec["base"].get("readonly") and kind is not numpy.memmap:
        spec["writeable"] = False
    return spec


def view_spec(root, array, path):
    """The member "view" of a node, without its edge."""
    if type(array) not in _SHARED_CLASSES:
        raise Inexpressible("%s: a %s that shares its memory with another array" % (path, type(array).__name__))
    if array.flags.writeable != root.flags.writeable:
        raise Inexpressible("%s: a view that may be written to, unlike its base, or the reverse" % path)
    return {"views": views_between(root, array, path)}
