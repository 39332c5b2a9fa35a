"""Observations: the properties of an array as JSON of the protocol."""

import math
import mmap
import os

import numpy

from .dtypes import metadata_of, print_dtype, print_integers
from .mapping import MapTable
from .memory import address_of, element_bytes
from .refusal import Refused, Unsupported

MAX_VALUE_BYTES = 1 << 30
_CACHE_LIMIT = 8192
_FLAG_LETTERS = ((0x0001, "C"), (0x0002, "F"), (0x0400, "W"), (0x0100, "A"), (0x0004, "O"))
_SIMPLE_NUMS = frozenset(list(range(17)) + [18, 19, 21, 22, 23])
_MODES = ("r", "r+", "w+", "c")
_geometries = {}
_letters = {}  # flags of an array -> their letters
_table = MapTable()


def _print_geometry(kind, dtype_text, shape, strides, flags):
    letters = _letters.get(flags)
    if letters is None:
        letters = _letters[flags] = "".join(letter for bit, letter in _FLAG_LETTERS if flags & bit)
    return '{"class":"%s","dtype":%s,"shape":%s,"strides":%s,"flags":"%s","elements":[' % (
        kind.__name__,
        dtype_text,
        print_integers(shape),
        print_integers(strides),
        letters,
    )


def _geometry(array):
    """The JSON of everything before the data, cached for simple dtypes because printing is slow."""
    dtype = array.dtype
    if dtype.num not in _SIMPLE_NUMS or metadata_of(dtype):
        return _print_geometry(type(array), print_dtype(dtype), array.shape, array.strides, array.flags.num)
    key = (type(array), dtype.str, array.shape, array.strides, array.flags.num)
    text = _geometries.get(key)
    if text is None:
        if len(_geometries) >= _CACHE_LIMIT:
            _geometries.clear()
        text = _geometries[key] = _print_geometry(key[0], print_dtype(dtype), *key[2:])
    return text


def root_of(array):
    """The first object in the chain of bases that is not an array: the owner of the memory."""
    owner = array
    while True:
        if isinstance(owner, memoryview):
            try:
                below = owner.obj
            except ValueError:
                return owner  # released
        elif isinstance(owner, mmap.mmap):
            return owner
        else:
            below = getattr(owner, "base", None)
        if below is None:
            return owner
        owner = below


def map_of(array):
    """The nearest memmap in the chain of bases, or None."""
    owner = array
    while owner is not None and not isinstance(owner, numpy.memmap):
        owner = getattr(owner, "base", None)
    return owner


def _claims(array, files):
    name = getattr(array, "filename", None)
    if name is None:
        return "none"
    if name in files:
        return "case"
    try:
        claimed = os.path.realpath(os.fspath(name))
    except TypeError:
        return "other"
    return "case" if any(claimed == os.path.realpath(path) for path in files) else "other"


def file_place(address):
    """(inode, offset in the file) of an address in a file mapping, else None."""
    return _table.find(address)


def _position(array, files):
    """The offset of element 0 in one of the case's files, from the addresses, or None."""
    if array.nbytes == 0:
        return None  # no bytes, so no address
    found = _table.find(address_of(array))
    if found is None:
        return None
    # The inode identifies the file, because the address is in a mapping. Device numbers in the table of mappings can
    # differ from those of stat.
    for path in files:
        try:
            if os.stat(path).st_ino == found[0]:
                return found[1]
        except OSError:
            continue
    return None


def _backing(array, files):
    is_map_class = isinstance(array, numpy.memmap)
    if not is_map_class and not isinstance(root_of(array), mmap.mmap):
        return ""
    position = _position(array, files)
    text = ',"backing":{"class":%s,"claims":"%s","mapped":%s' % (
        "true" if is_map_class else "false",
        _claims(array, files),
        "false" if position is None else "true",
    )
    mode = getattr(array, "mode", None)
    if mode in _MODES:
        text += ',"mode":"%s"' % mode
    offset = getattr(array, "offset", None)
    if isinstance(offset, (int, numpy.integer)) and offset >= 0:
        text += ',"offset":%d' % offset
    if position is not None:
        text += ',"position":%d' % position
    return text + "}"


def _is_plainly_in_memory(array):
    """Whether a quick check excludes a map; it does for most arrays."""
    if type(array) is not numpy.ndarray:
        return False
    owner = array.base
    while type(owner) is numpy.ndarray:
        owner = owner.base
    return owner is None or type(owner) is bytes


class Observed:
    """The observation of an array in another process. It replaces the array, about which nothing else can be asked."""

    __slots__ = ("parts",)

    def __init__(self, parts):
        self.parts = parts


def _check_extents(array):
    """Items of zero bytes, and an extent of 0, permit other extents of any size."""
    if array.nbytes > MAX_VALUE_BYTES or math.prod(array.shape) > MAX_VALUE_BYTES:
        raise Refused("limit", "an array of %d bytes" % array.nbytes)
    if math.prod(extent or 1 for extent in array.shape) * max(array.itemsize, 1) >= 2**63:
        raise Unsupported("the protocol cannot express shape %s" % (array.shape,))


def look(array, files):
    """The observation of an array: JSON before the offset of its element bytes, those bytes, JSON after it."""
    if not isinstance(array, numpy.ndarray):
        raise Refused("type", "the result is a %s, not an array" % type(array).__name__)
    if not 0 < array.nbytes <= MAX_VALUE_BYTES:
        _check_extents(array)
    elements = element_bytes(array)
    backing = "" if _is_plainly_in_memory(array) else _backing(array, files)
    return _geometry(array), elements, backing


def observe(array, files, place):
    """The JSON of an observation, whose element bytes will be at `place` in the frame, and these bytes."""
    before, elements, after = array.parts if type(array) is Observed else look(array, files)
    return "%s%d,%d]%s}" % (before, place, len(elements), after), elements
