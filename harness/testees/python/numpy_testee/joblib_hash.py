"""joblib.hash as a store: an object is found again under its hash, and only that object. Imported on first use.

Similar arrays are stored first under their own hashes: they differ in one element at the beginning, in the middle or at
the end, in the type or in the shape. If one of them has the hash of the array, the wrong array is found.
"""

import copy
import multiprocessing
import pickle

from . import joblib_formats  # noqa: F401  sets the folder of temporary files
from .formats import Encoded
from .memory import with_inverted
from .refusal import Unsupported

import joblib  # noqa: E402
import numpy  # noqa: E402

_MOST_AXES = 32
_MOST_STORES = 2  # of a value and its twin
_stores = {}  # hash of an array -> the arrays like it, and itself, by their hashes
_pools = []


def _alike(array, other):
    """`other`, when joblib.hash must give both the same hash."""
    orders = [(one.flags.c_contiguous, one.flags.f_contiguous) for one in (array, other)]
    if type(other) is not type(array) or other.shape != array.shape or orders[0] != orders[1]:
        raise Unsupported("the copy has another memory order")
    if orders[0] == (False, False) and other.strides != array.strides:
        raise Unsupported("the copy of an array with gaps has other strides")
    if not array.size and other.strides != array.strides:
        raise Unsupported("the strides of an array without elements mean nothing, and the copy has others")
    # A pickle may change the byte order, and with it the hashed bytes.
    if other.dtype != array.dtype:
        raise Unsupported("the copy has another type")
    return other


class _Pickled:
    """Arrives in another process as its pickle. Pools use a protocol of their own, which may change the byte order."""

    def __init__(self, array):
        self._content = pickle.dumps(array, pickle.HIGHEST_PROTOCOL)

    def __reduce__(self):
        return pickle.loads, (self._content,)


def _pickled(array):
    return _alike(array, pickle.loads(pickle.dumps(array, pickle.HIGHEST_PROTOCOL)))


def _in_another_process(array):
    _pickled(array)
    if not _pools:
        _pools.append(multiprocessing.get_context("spawn").Pool(1))
    return _pools[0].apply_async(joblib.hash, (_Pickled(array),)).get(10)


_WAYS = {
    "here": joblib.hash,
    "copied": lambda array: joblib.hash(_alike(array, copy.deepcopy(array))),
    "pickled": lambda array: joblib.hash(_pickled(array)),
    "fresh": _in_another_process,
}


def _other_type(array):
    """The same bytes as elements of another type, or None."""
    dtype = array.dtype
    if dtype.kind in "iufcmM" and dtype.itemsize > 1:
        return array.view(dtype.newbyteorder())
    return array.view("i1" if dtype.kind == "u" else "u1") if dtype.itemsize == 1 else None


def others(array):
    """Arrays that differ in type, shape or elements."""
    # Not for objects, which are pickled, or structures, of which a part may be padding with undefined content.
    plain = numpy.asarray(array)
    if plain.dtype.names is not None or plain.dtype.hasobject:
        return
    if plain.nbytes:
        for place in {0, plain.size // 2, plain.size - 1}:
            yield with_inverted(array, place)
        other = _other_type(plain)
        if other is not None:
            yield other
    if plain.flags.c_contiguous and plain.ndim < _MOST_AXES:
        yield plain.reshape((1,) + plain.shape)
    if plain.flags.c_contiguous and plain.ndim > 1:
        yield plain.reshape(-1)


def _keep(hash_of):
    def keep(array, path, step):
        digest = hash_of(array)
        _stores.pop(digest, None)
        if len(_stores) == _MOST_STORES:
            del _stores[next(iter(_stores))]
        _stores[digest] = store = {joblib.hash(other): other for other in others(array)}
        store.setdefault(digest, array)
        return Encoded(digest.encode())

    return keep


def _recall(encoded, path, step, case):
    digest = encoded.read().decode()
    if digest not in _stores:
        raise Unsupported("this process has not stored it")
    return _stores[digest][digest], None


ENCODERS = {name: _keep(way) for name, way in _WAYS.items()}
DECODERS = {"recall": _recall}


def close():
    while _pools:
        pool = _pools.pop()
        pool.terminate()
        pool.join()
