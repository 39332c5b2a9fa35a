"""Observations: exactly what an array is and says, as the JSON of the protocol."""

import mmap
import os

import numpy

from .dtypes import print_dtype, print_integers
from .memory import address_of, element_bytes
from .refusal import Refused

MAX_VALUE_BYTES = 1 << 30
_CACHE_LIMIT = 8192
_FLAG_LETTERS = ((0x0001, "C"), (0x0002, "F"), (0x0400, "W"), (0x0100, "A"), (0x0004, "O"))
_SIMPLE_NUMS = frozenset(list(range(17)) + [18, 19, 21, 22, 23])
_MODES = ("r", "r+", "w+", "c")
_geometries = {}


def _print_geometry(dtype_text, shape, strides, flags):
    letters = "".join(letter for bit, letter in _FLAG_LETTERS if flags & bit)
    return '"dtype":%s,"shape":%s,"strides":%s,"flags":"%s"' % (
        dtype_text,
        print_integers(shape),
        print_integers(strides),
        letters,
    )


def _geometry(array):
    """The JSON of all that is not data; kept for simple dtypes, where printing would cost most."""
    dtype = array.dtype
    flags = array.flags.num
    if dtype.num not in _SIMPLE_NUMS or dtype.metadata:
        return _print_geometry(print_dtype(dtype), array.shape, array.strides, flags)
    key = (dtype.str, array.shape, array.strides, flags)
    text = _geometries.get(key)
    if text is None:
        if len(_geometries) >= _CACHE_LIMIT:
            _geometries.clear()
        text = _geometries[key] = _print_geometry('"%s"' % key[0], key[1], key[2], flags)
    return text


def root_of(array):
    """The first owner of the memory of `array` that is not an array."""
    owner = array
    while True:
        if isinstance(owner, memoryview):
            below = owner.obj
        elif isinstance(owner, mmap.mmap):
            return owner
        else:
            below = getattr(owner, "base", None)
        if below is None:
            return owner
        owner = below


def map_of(array):
    """The nearest array of class memmap in the ancestry of `array`, or None."""
    owner = array
    while owner is not None and not isinstance(owner, numpy.memmap):
        owner = getattr(owner, "base", None)
    return owner


def _mappings_at(address, is_empty):
    """Each (device, inode, file position) of a file mapped at an address; for an empty array also of the
    mapping that ends there.

    The kernel's own table answers: attributes and base chains are what is under test.
    """
    try:
        with open("/proc/self/maps", "rb") as table:
            lines = table.read().splitlines()
    except OSError:
        return
    for line in lines:
        span, _, position, device, inode = line.split(None, 5)[:5]
        low, high = (int(part, 16) for part in span.split(b"-"))
        if inode != b"0" and (low <= address < high or (is_empty and address == high)):
            major, minor = (int(part, 16) for part in device.split(b":"))
            yield os.makedev(major, minor), int(inode), address - low + int(position, 16)


def _claims(array, files):
    name = getattr(array, "filename", None)
    if name is None:
        return "none"
    try:
        claimed = os.path.realpath(os.fspath(name))
    except TypeError:
        return "other"
    return "case" if any(claimed == os.path.realpath(path) for path in files) else "other"


def _position(array, files):
    """The place of element 0 in one of the case's files, from the addresses; None when it is in none."""
    known = set()
    for path in files:
        try:
            status = os.stat(path)
        except OSError:
            continue
        known.add((status.st_dev, status.st_ino))
    is_empty = array.size == 0 or array.dtype.itemsize == 0
    for device, inode, position in _mappings_at(address_of(array), is_empty):
        if (device, inode) in known:
            return position
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
    if isinstance(offset, int) and offset >= 0:
        text += ',"offset":%d' % offset
    if position is not None:
        text += ',"position":%d' % position
    return text + "}"


def observe(array, files, place):
    """The JSON of an observation and its element bytes, which will stand at `place` of the frame."""
    if not isinstance(array, numpy.ndarray):
        raise Refused("type", "not an array but a %s" % type(array).__name__)
    if array.nbytes > MAX_VALUE_BYTES:
        raise Refused("limit", "an array of %d bytes" % array.nbytes)
    elements = element_bytes(array)
    kind = type(array)
    backing = ""
    if array.base is not None or kind is not numpy.ndarray:
        backing = _backing(array, files)
    text = '{"class":"%s",%s,"elements":[%d,%d]%s}' % (
        kind.__name__,
        _geometry(array),
        place,
        len(elements),
        backing,
    )
    return text, elements
