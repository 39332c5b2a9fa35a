"""Loads in a fresh process: a server forks for every request.

The server has imported NumPy, the observing code and the library that loads, but nothing of the case.
"""

import gc
import importlib
import multiprocessing
import os
import pickle
import struct
import subprocess
import sys

from .graph_observe import observe_graph
from .observation import look
from .refusal import Carried, WorkerDied, record_of

_SIZE = struct.Struct("<Q")
_REQUEST = struct.Struct("<?Q")  # whether the pickle contains a graph; its size
_COMMAND = "import sys; sys.path.insert(0, sys.argv[1]); from numpy_testee import fresh; fresh.serve(sys.argv[2])"


class Fresh:
    """A running server for one library."""

    def __init__(self, library):
        above = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
        self._process = subprocess.Popen(
            [sys.executable, "-c", _COMMAND, above, library], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def observe(self, content, is_graph):
        """The observation of a pickle's content in a new process, in parts."""
        try:
            self._process.stdin.write(_REQUEST.pack(is_graph, len(content)) + content)
            self._process.stdin.flush()
            answer = _read_answer(self._process.stdout)
        except OSError as error:
            raise WorkerDied("the server of fresh processes ended") from error
        if answer is None:
            raise WorkerDied("the server of fresh processes ended")
        return take(pickle.loads(answer) if answer else None)

    def close(self):
        self._process.stdin.close()
        self._process.wait()


def take(answer):
    """The parts that another process observed, or the exception for its refusal."""
    if answer is None:
        raise WorkerDied("the process that was to observe the array died")
    record, parts = answer
    if record is not None:
        raise Carried(record)
    return parts


def give(array, files, is_graph):
    """Observes in the process that has the array, or any object with `is_graph`."""
    try:
        return None, observe_graph(array, files) if is_graph else look(array, files)
    except Exception as error:
        return record_of(error), None
    finally:
        # In a forked worker the garbage collector is off, as in the testee, and nothing collects between batches:
        # observed objects and their maps would stay.
        if not gc.isenabled() and multiprocessing.parent_process() is not None:
            gc.collect()


def _read_answer(source):
    header = source.read(_SIZE.size)
    if len(header) < _SIZE.size:
        return None
    return source.read(_SIZE.unpack(header)[0])


def _read_request(source):
    header = source.read(_REQUEST.size)
    if len(header) < _REQUEST.size:
        return None, False
    is_graph, size = _REQUEST.unpack(header)
    return source.read(size), is_graph


def _answer(loads, content, is_graph, sink):
    try:
        answer = give(loads(content), (), is_graph)
    except Exception as error:
        answer = record_of(error), None
    with os.fdopen(sink, "wb") as file:
        file.write(pickle.dumps(answer))


def serve(library):
    """Forks for every request on standard input until it ends. An empty reply means that the child died."""
    loads = importlib.import_module(library).loads
    source, sink = sys.stdin.buffer, sys.stdout.buffer
    while True:
        content, is_graph = _read_request(source)
        if content is None:
            return
        read_end, write_end = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(read_end)
            _answer(loads, content, is_graph, write_end)
            os._exit(0)
        os.close(write_end)
        with os.fdopen(read_end, "rb") as file:
            answer = file.read()
        os.waitpid(child, 0)
        sink.write(_SIZE.pack(len(answer)) + answer)
        sink.flush()


_servers = {}


def observe_fresh(library, content, is_graph):
    """Like Fresh.observe, with a server that stays for the next case and is restarted when it has ended."""
    if library not in _servers:
        _servers[library] = Fresh(library)
    try:
        return _servers[library].observe(content, is_graph)
    except WorkerDied:
        _servers.pop(library).close()
        raise


def close():
    while _servers:
        _servers.popitem()[1].close()
