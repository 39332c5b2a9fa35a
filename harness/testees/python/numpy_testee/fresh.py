"""Loads in a fresh process: a root that was forked before the first case forks again for every request.

The root has imported NumPy, the observing code and the library that loads, but nothing of a case. Its `__main__` is
empty, as that of a new interpreter.
"""

import functools
import gc
import multiprocessing
import os
import pickle
import socket
import struct
import sys
import threading
import types

from .channel import leave
from .graph_observe import observe_graph
from .libraries import load
from .observation import look
from .refusal import Carried, WorkerDied, record_of

_SIZE = struct.Struct("<Q")
_REQUEST = struct.Struct("<QBQ")  # the size of `is_graph` as a pickle; the library; the size of the pickle to load
LIBRARIES = ("cloudpickle", "dill")


def take(answer):
    """The parts that another process observed, or the exception for its refusal."""
    if answer is None:
        raise WorkerDied("the process that was to observe the array died")
    record, parts = answer
    if record is not None:
        raise Carried(record)
    return parts


def give(array, files, is_graph):
    """Observes in the process that has the array, or any object with `is_graph`, which is true or the rules for
    instances."""
    try:
        return None, observe_graph(array, files, () if is_graph is True else is_graph) if is_graph else look(array, files)
    except Exception as error:
        return record_of(error), None
    finally:
        # In a forked worker the garbage collector is off, as in the testee, and nothing collects between batches:
        # observed objects and their maps would stay.
        if not gc.isenabled() and multiprocessing.parent_process() is not None:
            gc.collect()


def _answer(library, content, is_graph, sink):
    try:
        answer = give(load(library).loads(content), (), is_graph)
    except Exception as error:
        answer = record_of(error), None
    with os.fdopen(sink, "wb") as file:
        file.write(pickle.dumps(answer))


def _forget_main():
    """Replaces the module of the testee's script, into which a function of `__main__` could look."""
    main = types.ModuleType("__main__")
    sys.modules["__main__"] = sys.modules["__mp_main__"] = main  # as multiprocessing does
    dill = sys.modules.get("dill._dill")
    if dill is not None:
        dill._main_module = main


def _serve(stream):
    """Forks for every request until the testee is gone. An empty reply means that the child died."""
    _forget_main()
    while True:
        header = stream.read(_REQUEST.size)
        if len(header) < _REQUEST.size:
            return
        told, number, size = _REQUEST.unpack(header)
        is_graph = pickle.loads(stream.read(told))
        content = stream.read(size)
        try:
            load(LIBRARIES[number])
        except Exception:
            pass  # the child will report it
        read_end, write_end = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(read_end)
            _answer(LIBRARIES[number], content, is_graph, write_end)
            os._exit(0)
        os.close(write_end)
        with os.fdopen(read_end, "rb") as file:
            answer = file.read()
        os.waitpid(child, 0)
        stream.write(_SIZE.pack(len(answer)) + answer)
        stream.flush()


class _Root:
    """The process from which fresh processes come, as the testee sees it."""

    def __init__(self, channels):
        own, other = socket.socketpair()
        self._process = os.fork()
        if self._process == 0:
            own.close()
            for descriptor in channels:
                try:
                    os.close(descriptor)
                except OSError:
                    pass
            try:
                _serve(other.makefile("rwb"))
            finally:
                os._exit(0)
        other.close()
        self._socket = own
        self._stream = own.makefile("rwb")
        self._lock = threading.Lock()
        # Other processes that the testee forks must not keep the root alive.
        os.register_at_fork(after_in_child=functools.partial(leave, (own.fileno(),)))

    def observe(self, library, content, is_graph):
        with self._lock:
            answer = self._ask(library, content, is_graph)
        return take(pickle.loads(answer) if answer else None)

    def _ask(self, library, content, is_graph):
        try:
            told = pickle.dumps(is_graph)
            self._stream.write(_REQUEST.pack(len(told), LIBRARIES.index(library), len(content)) + told + content)
            self._stream.flush()
            header = self._stream.read(_SIZE.size)
        except OSError as error:
            raise WorkerDied("the server of fresh processes ended") from error
        if len(header) < _SIZE.size:
            raise WorkerDied("the server of fresh processes ended")
        return self._stream.read(_SIZE.unpack(header)[0])

    def close(self):
        try:
            self._stream.close()
        except OSError:
            pass
        self._socket.close()
        os.waitpid(self._process, 0)


_roots = []


def prepare(channels):
    """Forks the root, which closes `channels`. Call it before the first case."""
    _roots.append(_Root(channels))


def observe_fresh(library, content, is_graph):
    """The observation of a pickle's content in a new process, in parts."""
    return _roots[0].observe(library, content, is_graph)


def close():
    while _roots:
        _roots.pop().close()
