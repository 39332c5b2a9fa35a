"""Call histories: what happens before and around a call of an encoder, a decoder or a transport.

A history needs a twin: the value of the case with every bit of its elements and numbers inverted. A decoder reads the encoding that
the encoder of the same case made of the twin or, in another process, the same bytes once more. Nothing here judges.
"""

import contextlib
import functools
import gc
import io
import os
import pickle
import select
import signal
import struct
import sys
import threading
import time

import numpy

from .formats import Encoded
from .graph_build import build_graph
from .graph_observe import observe_graph
from .observation import Observed, look
from .patience import PATIENCE
from .refusal import Carried, Refused, record_of
from .values import Store, build_value

_INVERTED = bytes(range(255, -1, -1))
_SMALL_BYTES = 1 << 14
_WAIT_SECONDS = 6 * PATIENCE  # must be below the deadline of a case
_SWITCH_SECONDS = 1e-5
_TURNS = 4  # of threads
_TURNS_SECONDS = 0.02
_SIZES = struct.Struct("<QQ")
_store = Store()


class Died(Exception):
    """The process that made the call ended, or does not respond. `end` is the member `died` of END."""

    def __init__(self, end):
        super().__init__("the process that made the call died")
        self.end = end


class _TwinRefused(Exception):
    """The library refuses the twin, so there is nothing before the call."""


@contextlib.contextmanager
def _before():
    """What is done with the twin alone."""
    try:
        yield
    except Exception as error:
        raise _TwinRefused from error


def _or_plain(plain):
    """A decorator: `plain` makes the call if the library refuses the twin."""

    def decorated(function):
        @functools.wraps(function)
        def called(step, case, value):
            try:
                return function(step, case, value)
            except _TwinRefused:
                return plain(step, case, value)

        return called

    return decorated


def _encode_plain(step, case, array):
    return step.code(array, step.path, step)


def _decode_plain(step, case, encoded):
    return step.code(_detached(encoded), step.path, step, case)


class _Unwilling:
    """An object that every pickler and copier fails on."""

    def __reduce_ex__(self, protocol):
        raise RuntimeError("this object refuses")

    def __deepcopy__(self, memo):
        raise RuntimeError("this object refuses")


class _FullFile(io.RawIOBase):
    """A file that is full after `room` bytes."""

    def __init__(self, room):
        self._room = room

    def writable(self):
        return True

    def write(self, content):
        size = memoryview(content).nbytes
        if size > self._room:
            raise OSError(28, "No space left on device")
        self._room -= size
        return size


def _path_of(step, name):
    """A file name beside the one of the step, with the same ending."""
    root, ending = os.path.splitext(step.path)
    return "%s.%s%s" % (root, name, ending)


def _inverted_hex(text):
    return bytes.fromhex(text).translate(_INVERTED).hex()


_INVERSES = {"int": lambda text: str(~int(text)), "float": _inverted_hex, "bytes": _inverted_hex}


def _inverted(graph):
    """The graph with other numbers and bytes, unless they may be the arguments of a class, such as extents."""
    nodes = graph["nodes"]
    if any("class" in node and "array" not in node for node in nodes):
        return graph
    twins = [{kind: _INVERSES[kind](node[kind]) for kind in node if kind in _INVERSES} or node for node in nodes]
    return dict(graph, nodes=twins)


def _build(case, path, is_twin):
    """The value of the case or its twin, built anew."""
    spec = case.spec

    def part(place):
        content = case.part(place)
        return bytes(content).translate(_INVERTED) if is_twin else content

    if "graph" in spec["value"]:
        graph = spec["value"]["graph"]
        return build_graph(_inverted(graph) if is_twin else graph, part, _store, path)[0]
    return build_value(spec["value"], part(spec.get("data", (0, 0))), _store, path)


def _twin(step, case, name="twin"):
    return _build(case, _path_of(step, name), True)


def _copied(encoded):
    """The encoding without its file and without the memory of the encoded array."""
    raw = [bytearray(one.raw() if hasattr(one, "raw") else one) for one in encoded.buffers]
    return Encoded(encoded.read(), buffers=raw)


def _detached(encoded):
    """The encoding without its file, which the next call replaces."""
    return Encoded(encoded.read(), buffers=encoded.buffers)


def _first(case, encoded):
    """What a decoder reads before the encoding of the case."""
    return _copied(case.twin or encoded)


# ---- reused: one pickler, one file object or one path for both, and the twin once more ----


def _then(call, result):
    """Makes one more call, which must change neither the source nor the result of the one before."""
    with contextlib.suppress(Exception):
        call()
    return result


def _save_reused(twin, array, step, case):
    with io.BytesIO() if step.entry == "memory" else open(step.path, "w+b") as file:
        with _before():
            numpy.save(file, twin)
        start = file.tell()
        numpy.save(file, array)
        file.seek(0)
        case.twin = Encoded(file.read(start))
        return Encoded(file.read())


def _pickle_reused(make, twin, array, step, case):
    sink, buffers = io.BytesIO(), []
    pickler = make(sink, step.protocol, **({"buffer_callback": buffers.append} if step.buffers == "out-of-band" else {}))
    with _before():
        pickler.dump(twin)
    start, count = sink.tell(), len(buffers)
    pickler.clear_memo()  # a pickler remembers the objects that it has seen, see pickle.Pickler.clear_memo
    pickler.dump(array)
    content = sink.getvalue()
    case.twin = _copied(Encoded(content[:start], buffers=buffers[:count]))
    return Encoded(content[start:], buffers=buffers[count:])


def _load_reused(first, encoded, step, case):
    with io.BytesIO(first.read() + encoded.read() + first.read()) as file:
        with _before():
            numpy.load(file, allow_pickle=case.has_objects)
        result = numpy.load(file, allow_pickle=case.has_objects)
        return _then(lambda: numpy.load(file, allow_pickle=case.has_objects), (result, None))


def _unpickle_reused(make, first, encoded, step, case):
    """Several unpicklers read one file: the places of an unpickler's memo go on from one load to the next, and those of a
    cleared pickler begin anew."""

    def load(one):
        return make(file, **({"buffers": one.buffers} if step.buffers == "out-of-band" else {})).load()

    file = io.BytesIO(first.read() + encoded.read() + first.read())
    with _before():
        load(first)
    return _then(lambda: load(first), (load(encoded), None))


_REUSING_ENCODERS = {
    ("npy", "memory"): _save_reused,
    ("npy", "file"): _save_reused,
    ("pickle", "c"): functools.partial(_pickle_reused, pickle.Pickler),
    ("pickle", "python"): functools.partial(_pickle_reused, pickle._Pickler),
}
_REUSING_DECODERS = {
    ("npy", "memory"): _load_reused,
    ("pickle", "c"): functools.partial(_unpickle_reused, pickle.Unpickler),
    ("pickle", "python"): functools.partial(_unpickle_reused, pickle._Unpickler),
}


@_or_plain(_encode_plain)
def _encode_reused(step, case, array):
    special = _REUSING_ENCODERS.get((step.form, step.entry))
    with _before():
        twin = _twin(step, case)
    if special is not None:
        return special(twin, array, step, case)
    with _before():
        case.twin = _copied(step.code(twin, step.path, step))
    return _then(lambda: step.code(twin, _path_of(step, "later"), step), step.code(array, step.path, step))


@_or_plain(_decode_plain)
def _decode_reused(step, case, encoded):
    first, special = _first(case, encoded), _REUSING_DECODERS.get((step.form, step.entry))
    if special is not None:
        return special(first, encoded, step, case)
    with _before():
        step.code(first, step.path, step, case)
    result = step.code(_detached(encoded), step.path, step, case)
    return _then(lambda: step.code(first, _path_of(step, "later"), step, case), result)


# ---- failed: a call that fails halfway ----


def _broken(step, twin):
    """A value whose encoding fails after a part that contains the twin."""
    if step.form not in ("npy", "npz"):
        return [twin, _Unwilling()]
    objects = numpy.empty(2, object)
    objects[:] = [1, _Unwilling()]
    return {"a": twin, "b": objects} if step.form == "npz" else objects


def _write_to(step, twin, file):
    """Encodes into a file object, where the format has a function for that."""
    if step.form == "npy":
        numpy.save(file, twin)
    elif step.form == "npz":
        (numpy.savez_compressed if step.entry == "compressed" else numpy.savez)(file, a=twin)
    elif step.form == "raw":
        numpy.asarray(twin).tofile(file)
    elif step.form == "pickle":
        (pickle._Pickler if step.entry == "python" else pickle.Pickler)(file, step.protocol).dump(twin)
    elif step.form in ("joblib", "cloudpickle", "dill"):
        from .libraries import load

        load(step.form).dump(twin, file, protocol=step.protocol)


@_or_plain(_encode_plain)
def _encode_failed(step, case, array):
    with _before():
        twin = _twin(step, case)
    with contextlib.suppress(Exception):
        step.code(_broken(step, twin), step.path, step)
    with contextlib.suppress(Exception), open("/dev/full", "wb", buffering=0) as file:
        _write_to(step, twin, file)
    for room in (1 << 14, 256, 16):  # the last call before that of the value fails
        with contextlib.suppress(Exception):
            _write_to(step, twin, _FullFile(room))
    return step.code(array, step.path, step)


def _decode_failed(step, case, encoded):
    first = _first(case, encoded)
    content = first.read()
    for size in sorted({len(content) // 2, max(len(content) - 1, 0)}):
        with contextlib.suppress(Exception):
            step.code(Encoded(content[:size], buffers=first.buffers), step.path, step, case)
    return step.code(_detached(encoded), step.path, step, case)


# ---- freed: the value takes the place of the twin ----


def _is_fixed(step, case):
    """Whether the encoding must be that of the array itself, because it refers to memory or a file of it."""
    return step.buffers == "out-of-band" or bool(case.files)


@_or_plain(_encode_plain)
def _encode_freed(step, case, array):
    _store.is_taken = False
    with _before():
        case.twin = _copied(step.code(_twin(step, case), step.path, step))
    gc.collect(0)
    _store.is_taken = False
    if not _is_fixed(step, case):
        array = _build(case, _path_of(step, "twin"), False)
    return step.code(array, step.path, step)


@_or_plain(_decode_plain)
def _decode_freed(step, case, encoded):
    first = _first(case, encoded)
    with _before():
        step.code(first, step.path, step, case)
    del first
    case.twin = None
    gc.collect(0)
    content = bytes(bytearray(encoded.read()))  # a new object, perhaps in the place of the one that was freed
    return step.code(Encoded(content, buffers=encoded.buffers), step.path, step, case)


# ---- threads ----


def _other(alone, results, key_of):
    """The last of the results that differs from that of a call without other threads, or else the last."""
    key = key_of(alone)
    return next((one for one in reversed(results) if key_of(one) != key), results[-1])


def _work(begun, over, done, call):
    while not over.is_set():
        with contextlib.suppress(Exception):
            call(len(done))
        done.append(None)
        if len(done) == 1:
            begun.release()


def _repeat(count, own, done_of_others):
    """The results of at least `count` calls; of more on a busy machine, where threads seldom take turns."""
    end, results, turns = time.monotonic() + _TURNS_SECONDS, [], 0
    while len(results) < count or (turns < _TURNS and len(results) < 8 * count and time.monotonic() < end):
        before = sum(map(len, done_of_others))
        results.append(own(len(results)))
        turns += sum(map(len, done_of_others)) > before
    return results


def _at_once(count, own, others):
    """Calls `own` alone, and then at least `count` times in this thread while `others` are called in one thread each; the result of
    the first call and the list of the others. A thread that has made a call does not sleep when this one begins."""
    alone = own(count)
    begun, over = threading.Semaphore(0), threading.Event()
    done = [[] for _ in others]
    threads = [threading.Thread(target=_work, args=(begun, over, *one), daemon=True) for one in zip(done, others)]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(_SWITCH_SECONDS)
    try:
        for thread in threads:
            thread.start()
        for _ in threads:
            begun.acquire(timeout=_WAIT_SECONDS / len(threads))
        return alone, _repeat(count, own, done)
    finally:
        over.set()
        for thread in threads:
            thread.join(_WAIT_SECONDS)
        sys.setswitchinterval(interval)


def _count(size):
    return 16 if size <= _SMALL_BYTES else 2


def _content_of(encoded):
    return encoded.content, tuple(bytes(one.raw() if hasattr(one, "raw") else one) for one in encoded.buffers)


@_or_plain(_encode_plain)
def _encode_threads(step, case, array):
    _store.is_taken = True  # every twin has memory of its own
    with _before():
        twins = [_twin(step, case, "twin%d" % number) for number in range(2)]

    def other(twin, name, number):
        case.twin = _copied(step.code(twin, _path_of(step, name), step))

    others = [functools.partial(other, twin, "other%d" % place) for place, twin in enumerate(twins)]
    results = _at_once(_count(len(case.binary)), lambda number: _detached(step.code(array, step.path, step)), others)
    return _other(*results, _content_of)


def _seen_key(case, result):
    """A text of everything that can be observed of a decoded value, or None."""
    value, path = result
    files = () if path is None else (path,)
    if type(value) is Observed:
        seen = value.parts
        return (seen.text(0), *seen.chunks) if case.is_graph else tuple(seen)
    if not case.is_graph:
        return look(value, files)
    seen = observe_graph(value, files, case.rules)
    return (seen.text(0), *seen.chunks)


def _decode_threads(step, case, encoded):
    first = _first(case, encoded)
    content = encoded.read()

    def own(number):
        return step.code(Encoded(content, buffers=encoded.buffers), _path_of(step, str(number)), step, case)

    def other(name, number):
        step.code(_copied(first), _path_of(step, name), step, case)

    others = [functools.partial(other, "other%d" % place) for place in range(2)]
    results = _at_once(_count(len(content)), own, others)
    return _other(*results, functools.partial(_seen_key, case))


# ---- forked ----


def _answer(sink, call):
    """Writes the encoding, or the record of its refusal, in the child. Never returns."""
    try:
        try:
            content, buffers = _content_of(_copied(call()))
        except Exception as error:
            content, buffers = repr(record_of(error)).encode(), None
        parts = [content, *(buffers or ())]
        with os.fdopen(sink, "wb") as file:
            file.write(_SIZES.pack(buffers is not None, len(parts)))
            for part in parts:
                file.write(_SIZES.pack(len(part), 0) + part)
        os._exit(0)
    except BaseException:
        os._exit(70)


def _read_until(source, end):
    """All bytes of a pipe until it is closed, or None when that takes too long."""
    content = []
    while True:
        if not select.select([source], [], [], max(end - time.monotonic(), 0))[0]:
            return None
        piece = os.read(source, 1 << 16)
        if not piece:
            return b"".join(content)
        content.append(piece)


def _in_child(call):
    """The encoding that `call` makes in a child process."""
    source, sink = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(source)
        _answer(sink, call)
    os.close(sink)
    content = None
    try:
        content = _read_until(source, time.monotonic() + _WAIT_SECONDS)
    finally:
        os.close(source)
        if content is None:
            os.kill(child, signal.SIGKILL)
        status = os.waitpid(child, 0)[1]
    if content is None:
        raise Died({"timeout": True})
    if os.WIFSIGNALED(status):
        raise Died({"signal": os.WTERMSIG(status)})
    if status != 0 or len(content) < _SIZES.size:
        raise Died({"exit": os.WEXITSTATUS(status)})
    return _parsed(content)


def _parsed(content):
    is_encoded, count = _SIZES.unpack_from(content)
    parts, at = [], _SIZES.size
    for _ in range(count):
        size = _SIZES.unpack_from(content, at)[0]
        at += _SIZES.size
        parts.append(content[at : at + size])
        at += size
    if not is_encoded:
        import ast

        raise Carried(ast.literal_eval(parts[0].decode()))
    return Encoded(parts[0], buffers=[bytearray(part) for part in parts[1:]])


@_or_plain(_encode_plain)
def _encode_forked(step, case, array):
    _store.is_taken = True
    with _before():
        twin, path = _twin(step, case), _path_of(step, "other")
    is_over, is_working = threading.Event(), threading.Event()

    def work():
        while not is_over.is_set():
            with contextlib.suppress(Exception):
                case.twin = _copied(step.code(twin, path, step))
            is_working.set()

    thread = threading.Thread(target=work, daemon=True)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(_SWITCH_SECONDS)
    thread.start()
    try:
        is_working.wait(_WAIT_SECONDS)
        return _in_child(lambda: step.code(array, step.path, step))
    finally:
        is_over.set()
        thread.join()
        sys.setswitchinterval(interval)


# ---- the tables ----

_ENCODERS = {
    "reused": _encode_reused,
    "failed": _encode_failed,
    "freed": _encode_freed,
    "threads": _encode_threads,
    "forked": _encode_forked,
}
_DECODERS = {
    "reused": _decode_reused,
    "failed": _decode_failed,
    "freed": _decode_freed,
    "threads": _decode_threads,
    "forked": lambda step, case, encoded: step.code(encoded, step.path, step, case),
}


def _find(table, step):
    if step.history not in table:
        raise Refused("unsupported", "a history that this testee does not claim")
    return table[step.history]


def encode(step, case, array):
    """The encoding of the array after or during the history of the step."""
    return _find(_ENCODERS, step)(step, case, array)


def decode(step, case, encoded):
    """The decoded value and its file, as decoders of formats.py return them."""
    return _find(_DECODERS, step)(step, case, encoded)


def _send_at_once(step, case, array, send, send_all):
    """The result of the value among the tasks of one call; the other tasks are twins."""
    alone = send(array)
    with _before():
        twins = [_twin(step, case, "twin%d" % number) for number in range(2)]
        for twin in twins:
            send(twin)
    count = _count(len(case.binary)) // 2
    results = [(result, None) for result in send_all([twins[0], array, twins[1], array] * count)[1::2]]
    return _other((alone, None), results, functools.partial(_seen_key, case))[0]


def transport(step, case, send, send_all):
    """The result of `send(value)` for the value of the case, with its history; `send` is a transport. `send_all(values)`
    sends them in one call; None for a transport that takes one."""
    array = case.slots[step.source]
    if step.history == "threads" and send_all is not None:
        _store.is_taken = True
        try:
            return _send_at_once(step, case, array, send, send_all)
        except _TwinRefused:
            return send(array)
    if step.history == "threads":
        _store.is_taken = True
        twins = [_twin(step, case, "twin%d" % number) for number in range(2)]
        others = [lambda number, twin=twin: send(twin) for twin in twins]
        results = _at_once(_count(len(case.binary)), lambda number: (send(array), None), others)
        return _other(*results, functools.partial(_seen_key, case))[0]
    _store.is_taken, twin = False, None
    with contextlib.suppress(Exception):
        twin = _twin(step, case)
        send([twin, _Unwilling()] if step.history == "failed" else twin)
    if step.history == "reused":
        return _then(lambda: send(twin), send(array))
    twin = None
    if step.history == "freed":
        gc.collect(0)
    return send(array)
