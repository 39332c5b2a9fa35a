"""Arrays over shared memory of multiprocessing, and lists of scalars in it. Imported on first use.

An array is copied into a new block, and the array over that block is the result. Every entry removes the name of its
block before it returns, whatever happens.
"""

import contextlib
import multiprocessing
import pickle
import weakref

import numpy

from .fresh import give
from .memory import element_bytes
from .refusal import Unsupported


def _order(array):
    return "F" if array.flags.fnc else "C"


def _over(memory, array):
    """An array over `memory` in the type, shape and order of `array`."""
    return numpy.ndarray(array.shape, array.dtype, memory, 0, None, _order(array))


def _size(array):
    return max(array.nbytes, 1)  # a block of 0 bytes is refused


def _filled(array):
    """A new block with the elements of `array`."""
    from multiprocessing.shared_memory import SharedMemory

    block = SharedMemory(create=True, size=_size(array))
    try:
        _over(block.buf, array)[...] = array
    except BaseException:
        _release(block)
        raise
    return block


@contextlib.contextmanager
def _block(array):
    """A block with the elements of `array`; its name is gone afterwards."""
    block = _filled(array)
    try:
        yield block
    finally:
        block.unlink()


def _release(block):
    block.close()
    block.unlink()


def _here(array):
    """The array owns its block, which ends with it."""
    block = _filled(array)
    result = _over(block.buf, array)
    weakref.finalize(result, _release, block)
    return result


def _unlinked(array):
    with _block(array) as block:
        result = _over(block.buf, array)
    weakref.finalize(result, block.close)
    return result


def _read_first(array):
    """Reads the first element at once: later another object may be in the place of the memory."""
    element_bytes(array.ravel("K")[:1])
    return array


def _closed(array):
    with _block(array) as block:
        result = _over(block.buf, array)
    block.close()
    return _read_first(result)


def _dropped(array):
    with _block(array) as block:
        result = _over(block.buf, array)
    del block
    return _read_first(result)


def _heap(array):
    result = _over(multiprocessing.RawArray("B", _size(array)), array)
    result[...] = array
    return result


def _attach(name, shape, dtype, order, files, is_graph):
    """Runs in another process: the observation of the array over a block."""
    from multiprocessing.shared_memory import SharedMemory

    block = SharedMemory(name=name)
    try:
        array = numpy.ndarray(shape, dtype, block.buf, 0, None, order)
        try:
            return give(array, files, is_graph)
        finally:
            del array
    finally:
        block.close()


_WAYS = {"here": _here, "unlinked": _unlinked, "heap": _heap, "here:closed": _closed, "here:dropped": _dropped}


def send(entry, array, files, is_graph, call):
    """The array over a block, or the observation of it from another process: that which `call` calls a function in."""
    if not isinstance(array, numpy.ndarray) or array.dtype.hasobject:
        raise Unsupported("the addresses of objects in shared memory")
    if entry != "named":
        return _WAYS[entry](array)
    with _block(array) as block:
        answer = call(_attach, block.name, array.shape, array.dtype, _order(array), files, is_graph)
    block.close()
    return answer


@contextlib.contextmanager
def _shareable(*items, **name):
    """A ShareableList, closed afterwards."""
    from multiprocessing.shared_memory import ShareableList

    shared = ShareableList(*items, **name)
    try:
        yield shared
    finally:
        shared.shm.close()


def _attach_list(name, files, is_graph):
    """Runs in another process: the observation of the items of a list in shared memory."""
    with _shareable(name=name) as shared:
        return give(list(shared), files, is_graph)


def _assigned(shared, items):
    """The items after each was replaced and assigned again."""
    for number, item in enumerate(items):
        shared[number] = None
        shared[number] = item
    return list(shared)


def _unpickled(shared):
    copy = pickle.loads(pickle.dumps(shared))
    try:
        return list(copy)
    finally:
        copy.shm.close()


def send_list(entry, items, files, is_graph, call):
    """The items of a ShareableList, or the observation of them from another process."""
    with _shareable(items) as shared:
        try:
            if entry == "named":
                return call(_attach_list, shared.shm.name, files, is_graph)
            if entry == "assigned":
                return _assigned(shared, items)
            return _unpickled(shared) if entry == "pickled" else list(shared)
        finally:
            shared.shm.unlink()
