"""The interpreter: programs of steps over named slots, batch after batch."""

import gc
import json
import os
import sys
import warnings

import numpy

from . import codec_functions, feedback, formats, instances, libraries, variants
from .channel import BEGIN, END, Channel, frame, send_hello
from .dtypes import integer
from .formats import Encoded
from .graph_build import build_graph
from .graph_observe import call_graph, invert_number, observe_graph, writeable_array
from .memory import invert
from .observation import MAX_VALUE_BYTES, Observed, map_of, observe, root_of
from .patience import PATIENCE
from .peak import compile_steps, file_peak
from .refusal import Refused, Unsupported, record_of
from .values import Store, build_value


class Case:
    """The input of one case, the content of its slots, and the parts of its END frame."""

    __slots__ = ("spec", "binary", "store", "slots", "files", "records", "chunks", "size", "peak", "has_objects")
    __slots__ += ("is_graph", "twin", "sent")

    def __init__(self, spec, binary, store):
        self.spec = spec
        self.binary = binary
        self.store = store
        self.slots = {}
        self.files = {}  # slot of an array -> the file behind it
        self.records = {}  # slot -> its JSON members
        self.chunks = []
        self.size = 0
        self.peak = 0
        self.sent = {}  # the objects of the source by id, once they are observed
        self.twin = None  # the encoding of the twin, of a case with a history
        # True, or the rules by which the instances of a graph are recognised.
        self.is_graph = instances.rules_of(spec["keep"]) if "keep" in spec else spec.get("graph", False)
        self.has_objects = spec.get("objects", bool(self.is_graph))  # the permission that a decoder checks

    @property
    def rules(self):
        return () if self.is_graph is True else self.is_graph

    def part(self, place):
        start, size = place
        return self.binary[start : start + size]

    def append(self, chunk):
        """Appends bytes to the frame; returns their `[offset, length]`."""
        place = "[%d,%d]" % (self.size, len(chunk))
        self.chunks.append(chunk)
        self.size += len(chunk)
        return place

    def record(self, slot, text):
        """Appends JSON members to the record of a slot."""
        before = self.records.get(slot)
        self.records[slot] = before + "," + text if before and text else before or text


_TABLES = {"encode": (formats.ENCODERS, variants.ENCODERS), "decode": (formats.DECODERS, variants.DECODERS)}


class Step:
    """A step of a program, parsed once for all cases of its batch."""

    __slots__ = ("op", "source", "target", "path", "protocol", "buffers", "offset", "mode", "code", "run")
    __slots__ += ("form", "entry", "max_nbytes", "map_mode", "level", "history")

    def __init__(self, words):
        words = list(words) + [""] * (12 - len(words))
        self.op, self.source, self.target, form, entry, self.buffers = words[:6]
        self.form, self.entry = form, entry
        self.max_nbytes, self.map_mode, self.level = integer(words[8] or 0), words[9], words[10] or 0
        self.history = words[11]
        self.protocol = words[6] or 0
        self.offset = integer(words[7] or 0)
        self.mode = entry.split(":")[1] if entry.startswith("mmap:") else ""
        self.path = os.path.join(os.getcwd(), self.target + formats.ENDINGS.get(form, ".map"))
        self.run = _OPS.get(self.op, _unknown)
        self.code = None
        tables = _TABLES.get(self.op)
        if tables is not None:
            found = [table[form][entry] for table in tables if entry in table.get(form, ())]
            self.code = found[0] if found else libraries.code_of(self.op, form, entry)
            if self.code is None:
                self.run = _unknown


def _unknown(step, case):
    raise Unsupported("a step that this testee does not claim")


def _build(step, case):
    spec = case.spec
    value = spec["value"]
    if "graph" in value:
        _build_graph(step, case)
        return
    array = build_value(value, case.part(spec.get("data", (0, 0))), case.store, step.path)
    case.slots[step.target] = array
    case.has_objects = case.has_objects or array.dtype.hasobject
    if value["array"]["base"].get("memmap") is not None:
        case.files[step.target] = step.path


def _build_owning(step, case):
    case.store.is_avoided = True
    try:
        _build(step, case)
    finally:
        case.store.is_avoided = False


def _build_graph(step, case):
    spec = case.spec["value"]["graph"]
    case.has_objects = True
    case.is_graph = instances.rules_of(node["class"] for node in spec["nodes"] if "class" in node) or True
    graph, paths = build_graph(spec, case.part, case.store, step.path)
    case.slots[step.target] = graph
    for number, path in enumerate(paths):
        case.files["%s.%d" % (step.target, number)] = path


def _file_graph(step, case, seen):
    case.record(step.target, '"observation":' + seen.text(case.size))
    case.chunks += seen.chunks
    case.size += sum(map(len, seen.chunks))


def _call(step, case):
    if type(case.slots[step.source]) is Observed:
        raise Unsupported("the object is in another process")
    call_graph(case.slots[step.source], case.rules)
    case.record(step.target, "")


def _observe(step, case):
    held = case.slots[step.source]
    if case.is_graph:
        if type(held) is Observed:
            seen = held.parts
        else:
            sent, reached = ((), case.sent) if step.source == "source" else (case.sent, None)
            seen = observe_graph(held, tuple(case.files.values()), case.rules, sent, reached)
        _file_graph(step, case, seen)
        return
    text, elements = observe(case.slots[step.source], case.files.values(), case.size)
    case.chunks.append(elements)
    case.size += len(elements)
    case.record(step.target, '"observation":' + text)


def _encode(step, case):
    array = case.slots[step.source]
    if type(array) is Observed:
        raise Unsupported("the array is in another process")
    if case.is_graph:
        formats.check_graph(step.form, array)
    if step.history:
        from . import history

        case.slots[step.target] = history.encode(step, case, array)
    else:
        case.slots[step.target] = step.code(array, step.path, step)


def _decode(step, case):
    if step.history:
        from . import history

        array, path = history.decode(step, case, case.slots[step.source])
    else:
        array, path = step.code(case.slots[step.source], step.path, step, case)
    if path is not None:
        case.files[step.target] = path
    case.slots[step.target] = array


def _transport(step, case):
    from . import transports

    def send(value):
        return transports.transport(step, value, tuple(case.files.values()), case.is_graph)

    def send_all(values):
        return transports.transport_all(step, values, tuple(case.files.values()), case.is_graph)

    if step.history:
        from . import history

        several = send_all if step.form in transports.TAKE_SEVERAL else None
        case.slots[step.target] = history.transport(step, case, send, several)
    else:
        case.slots[step.target] = send(case.slots[step.source])


def _supply(step, case):
    spec = case.spec
    # Buffers must be writeable. A decoder makes an array read-only when the bytes require it.
    buffers = [bytearray(case.part(place)) for place in spec.get("supplied_buffers", ())]
    case.slots[step.target] = Encoded(bytes(case.part(spec["supplied"])), buffers=buffers)


def _fetch(step, case):
    held = case.slots[step.source]
    buffers = ()
    if isinstance(held, Encoded):
        content, buffers = held.read(), held.buffers
    else:
        path = case.files.get(step.source)
        if path is None:
            raise Refused("value", "the array has no file")
        with open(path, "rb") as file:
            content = file.read()
    text = '"bytes":' + case.append(content)
    if buffers:
        raw = [bytes(one.raw() if hasattr(one, "raw") else one) for one in buffers]
        text += ',"buffers":[%s]' % ",".join(map(case.append, raw))
    case.record(step.target, text)


def _poke(step, case):
    array = case.slots[step.source]
    if type(array) is Observed:
        raise Unsupported("the object is in another process")
    # A library may own the numbers that its instances keep.
    is_changed = case.is_graph and step.target == "touched" and not case.rules and invert_number(array)
    if case.is_graph:
        array = writeable_array(array, case.rules)
    if isinstance(array, numpy.ndarray) and array.size > 0:
        invert(array)
    elif not is_changed:
        raise Refused("value", "no element to write")
    case.record(step.target, "")


def _flush(step, case):
    array = case.slots[step.source]
    owner = map_of(array)
    if owner is None:
        owner = root_of(array)
    if not hasattr(owner, "flush"):
        raise Refused("value", "the array is not a memory map")
    owner.flush()
    case.record(step.target, "")


_OPS = {
    "build": _build,
    "call": _call,
    "observe": _observe,
    "encode": _encode,
    "decode": _decode,
    "supply": _supply,
    "transport": _transport,
    "fetch": _fetch,
    "poke": _poke,
    "flush": _flush,
    "size": file_peak,
}


def run_case(case, steps):
    """Runs the steps; returns the JSON of the END frame."""
    slots, died = case.slots, ""
    for step in steps:
        if step.source and step.source not in slots:
            continue
        try:
            step.run(step, case)
        except (Exception, SystemExit) as error:
            if type(error).__name__ == "Died":  # of history.py, which most cases do not import
                died = ',"died":' + json.dumps(error.end)
                break
            if step.source != step.target:
                slots.pop(step.target, None)
            case.records[step.target] = json.dumps(record_of(error, step.op == "transport"))[1:-1]
    parts = ['"%s":{%s}' % record for record in case.records.items()]
    return '{"slots":{%s}%s}' % (",".join(parts), died)


_read_json = json.JSONDecoder().raw_decode
_COMPILED = {}
_MAX_COMPILED = 4096
_COLLECT_ALL_EVERY = 64


def _has_transport(programs):
    for steps in programs:
        for step in steps:
            if step.op == "transport":
                return True
    return False


class _Collector:
    """Runs the garbage collector between batches, where it disturbs no case.

    A full collection takes as long as some small cases. Normally a collection of the youngest generation finds the
    cycles of a case; after a graph or several cases the middle generation finds cycles of a few cases. Transports keep
    objects for later cases, so batches with them, and every now and then any batch, end with a full collection. Objects
    that importing a library creates are frozen: they are many times what cases leave.
    """

    def __init__(self):
        self._batches = 0
        self._modules = 0
        self._collect_all()
        gc.disable()

    def _collect_all(self):
        gc.collect()
        if len(sys.modules) != self._modules:
            self._modules = len(sys.modules)
            gc.freeze()

    def collect(self, programs, cases):
        self._batches += 1
        if self._batches % _COLLECT_ALL_EVERY == 0 or _has_transport(programs):
            self._collect_all()
        elif len(cases) > 1 or (cases and ("graph" in cases[0] or "graph" in cases[0].get("value", ()))):
            gc.collect(1)
        else:
            gc.collect(0)


def _compiled(steps):
    """The parsed steps of a program, cached because most programs occur again in the next batches."""
    key = tuple(map(tuple, steps))
    found = _COMPILED.get(key)
    if found is None:
        if len(_COMPILED) == _MAX_COMPILED:
            _COMPILED.clear()
        parsed = [Step(words) for words in steps]
        if any(codec_functions.codec_of(step.form) for step in parsed):
            for step in parsed:
                step.run = _build_owning if step.op == "build" else step.run
        found = _COMPILED[key] = compile_steps(parsed)
    return found


def _run_batch(channel, sequence, text, binary, store):
    """Runs the cases of a batch; returns its programs and the kinds of its cases."""
    batch, end = _read_json(text)
    if end != len(text):
        raise ValueError("a batch has %d characters after its JSON" % (len(text) - end))
    programs = [_compiled(steps) for steps in batch["programs"]]
    cases = batch["cases"]
    if not cases:
        return programs, cases
    channel.write(frame(BEGIN, 0, sequence))
    last = len(cases) - 1
    for index, spec in enumerate(cases):
        store.is_taken = False
        case = Case(spec, binary, store)
        text = run_case(case, programs[spec["program"]])
        chunks = case.chunks
        # Arrays must be freed before the next case, which uses the same memory and files.
        del case
        out = frame(END, index, sequence, text, chunks)
        if index < last:
            out += frame(BEGIN, index + 1, sequence)
        channel.write(out)
    return programs, cases


def _entries(found):
    entries = []
    for form in ("npy", "npz", "raw"):
        for values, ways in formats.kinds_of(form):
            entries.append(
                {
                    "format": form,
                    "library": "numpy",
                    "values": values,
                    "encode": [way for way in formats.ENCODERS[form] if way in ways],
                    "decode": [way for way in formats.DECODERS[form] if way in ways],
                    "histories": list(libraries.HISTORIES),
                }
            )
    for protocol, buffers in formats.PICKLE_PROTOCOLS:
        entries.append(
            {
                "format": "pickle",
                "library": "numpy",
                "protocol": protocol,
                "buffers": buffers,
                "values": list(libraries.VALUES),
                "histories": list(libraries.HISTORIES),
                "encode": list(formats.ENCODERS["pickle"]),
                "decode": list(formats.DECODERS["pickle"]),
            }
        )
    return entries + list(variants.claims()) + libraries.entries(found)


def _max_ndim():
    try:
        numpy.empty((1,) * 64)
        return 64
    except ValueError:
        return 32


def hello():
    """The JSON of HELLO."""
    python = sys.version.split()[0]
    name = {"cpython": "CPython", "pypy": "PyPy"}.get(sys.implementation.name, sys.implementation.name)
    found = libraries.versions()
    return {
        "protocol": 1,
        "implementation": "numpy",
        "version": numpy.__version__,
        "language": "%s %s" % (name, python),
        "endian": sys.byteorder,
        "kinds": "biufcSUVMmORAX",
        "max_ndim": _max_ndim(),
        "max_value_bytes": MAX_VALUE_BYTES,
        "tells_peak": True,
        "patience": PATIENCE,
        "longdouble_alignment": numpy.dtype("longdouble").alignment,
        "libraries": dict(found, numpy=numpy.__version__, python=python),
        "entries": _entries(found),
    }


def serve(read_descriptor, write_descriptor, greeting=None, is_greeted=False):
    """Runs batches until ndproof closes its end. `greeting` is the result of `hello`, which may have been sent."""
    libraries.prepare((read_descriptor, write_descriptor, feedback.DESCRIPTOR))
    channel = Channel(read_descriptor, write_descriptor)
    # Warnings are advice to people; ndproof observes the behaviour.
    warnings.simplefilter("ignore")
    store = Store()
    is_counted = feedback.start()
    if not is_greeted:
        send_hello(write_descriptor, dict(greeting or hello(), **{"feedback": True} if is_counted else {}))
    collector = _Collector()
    while True:
        message = channel.read()
        if message is None:
            libraries.close()
            return
        if is_counted:
            feedback.heed(*message[1:])
        done = _run_batch(channel, *message, store)
        del message
        collector.collect(*done)
