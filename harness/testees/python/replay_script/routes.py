"""Routes as Python: a template for each entry point of each format, and the transports.

A place is where an encoding is: a variable with the bytes (`data`), or a file (`file`, quoted), or both."""

import contextlib

from .case import Refused
from .values import dtype_word, has_objects, tuple_word

MEMORY, FILE = "memory", "file"
_BYTES = "; {data} = f.getvalue()"
# Format, entry point and buffers: where the bytes go, and the statements.
_ENCODERS = {
    ("npy", "memory", ""): (MEMORY, "f = io.BytesIO(); np.save(f, {value})" + _BYTES),
    ("npy", "file", ""): (FILE, "np.save({file}, {value})"),
    ("npy", "mapped", ""): (
        FILE,
        'm = np.lib.format.open_memmap({file}, "w+", {value}.dtype, {value}.shape, {value}.flags.fnc); '
        "m[...] = {value}; m.flush()",
    ),
    ("npz", "memory", ""): (MEMORY, "f = io.BytesIO(); np.savez(f, {members})" + _BYTES),
    ("npz", "file", ""): (FILE, "np.savez({file}, {members})"),
    ("npz", "compressed", ""): (MEMORY, "f = io.BytesIO(); np.savez_compressed(f, {members})" + _BYTES),
    ("raw", "memory", ""): (MEMORY, '{data} = b"\\xee" * {offset} + {value}.tobytes({order})'),
    ("raw", "file", ""): (
        FILE,
        'with open({file}, "wb") as f: f.write(b"\\xee" * {offset}); f.flush(); '
        '({value}.T if {order} == "F" else {value}).tofile(f)',
    ),
    ("raw", "mapped", ""): (
        FILE,
        'm = np.memmap({file}, {value}.dtype, "w+", {offset}, {value}.shape, {order}); m[...] = {value}; m.flush()\n'
        'with open({file}, "r+b") as f: f.write(b"\\xee" * {offset})',
    ),
    ("pickle", "c", "out-of-band"): (
        MEMORY,
        "buffers = []; {data} = pickle.dumps({value}, {protocol}, buffer_callback=buffers.append)",
    ),
    ("pickle", "c", ""): (MEMORY, "{data} = pickle.dumps({value}, {protocol})"),
    ("pickle", "python", "out-of-band"): (
        MEMORY,
        "f = io.BytesIO(); buffers = []; "
        "pickle._Pickler(f, {protocol}, buffer_callback=buffers.append).dump({value})" + _BYTES,
    ),
    ("pickle", "python", ""): (MEMORY, "f = io.BytesIO(); pickle._Pickler(f, {protocol}).dump({value})" + _BYTES),
    ("joblib", "file", ""): (FILE, "joblib.dump({value}, {file}, protocol={protocol})"),
    ("joblib", "object", ""): (FILE, 'with open({file}, "wb") as f: joblib.dump({value}, f, protocol={protocol})'),
    ("joblib", "*", ""): (FILE, 'joblib.dump({value}, {file}, compress=("{entry}", {level}), protocol={protocol})'),
    ("joblib.hash", "here", ""): (MEMORY, "{data} = joblib.hash({value}).encode()"),
    ("joblib.hash", "copied", ""): (MEMORY, "{data} = joblib.hash(copy.deepcopy({value})).encode()"),
    ("joblib.hash", "pickled", ""): (MEMORY, "{data} = joblib.hash(pickle.loads(pickle.dumps({value}))).encode()"),
    ("cloudpickle", "dumps", ""): (MEMORY, "{data} = cloudpickle.dumps({value}, protocol={protocol})"),
    ("dill", "dumps", ""): (MEMORY, "{data} = dill.dumps({value}, protocol={protocol})"),
}
# Format, entry point and buffers: where the bytes come from, and the expression.
_DECODERS = {
    ("npy", "memory", ""): (MEMORY, "np.load(io.BytesIO({data}){permission})"),
    ("npy", "file", ""): (FILE, "np.load({file}{permission})"),
    ("npy", "mmap", ""): (FILE, "np.load({file}, mmap_mode={mode}{permission})"),
    ("npz", "memory", ""): (MEMORY, "{read}np.load(io.BytesIO({data}){permission}){member}"),
    ("npz", "file", ""): (FILE, "{read}np.load({file}{permission}){member}"),
    ("raw", "memory", ""): (MEMORY, "np.frombuffer({data}, {type}, {count}, {offset}).reshape({shape}, order={order})"),
    ("raw", "file", ""): (
        FILE,
        "np.fromfile({file}, {type}, {count}, offset={offset}).reshape({shape}, order={order})",
    ),
    ("raw", "mmap", ""): (FILE, "np.memmap({file}, {type}, {mode}, {offset}, {shape}, {order})"),
    ("pickle", "c", "out-of-band"): (MEMORY, "pickle.loads({data}, buffers=buffers)"),
    ("pickle", "c", ""): (MEMORY, "pickle.loads({data})"),
    ("pickle", "python", "out-of-band"): (MEMORY, "pickle._Unpickler(io.BytesIO({data}), buffers=buffers).load()"),
    ("pickle", "python", ""): (MEMORY, "pickle._Unpickler(io.BytesIO({data})).load()"),
    ("joblib", "file", ""): (FILE, "joblib.load({file})"),
    ("joblib", "object", ""): (FILE, 'joblib.load(open({file}, "rb"))'),
    ("joblib", "mmap", ""): (FILE, "joblib.load({file}, mmap_mode={mode})"),
    ("cloudpickle", "here", ""): (MEMORY, "cloudpickle.loads({data})"),
    ("dill", "here", ""): (MEMORY, "dill.loads({data})"),
}
_ENDINGS = {"raw": "bin", "pickle": "pkl"}
_MODEL_WORDS = {
    "type": lambda model: dtype_word(model["dtype"]),
    "shape": lambda model: tuple_word(model["shape"]),
    "order": lambda model: '"%s"' % model["order"],
    "count": lambda model: _product(model["shape"]),
}


def _product(shape):
    count = 1
    for extent in shape:
        count *= int(extent)
    return count


class Place:
    """The location of an encoding."""

    def __init__(self, data="", file=""):
        self.data, self.file = data, file

    @property
    def bytes(self):
        """An expression of the bytes."""
        return self.data or 'open(%s, "rb").read()' % self.file


class _Words(dict):
    """The words of a template; those of the sent array are computed on demand."""

    def __init__(self, case, **words):
        super().__init__(words, protocol=case.route.protocol, offset=case.route.offset, level=case.route.level)
        self._model = case.model
        is_allowed = case.graph is not None or (self._model is not None and has_objects(self._model["dtype"]))
        self["permission"] = ", allow_pickle=True" if is_allowed else ""
        # An archive has the arrays of a dict as members, or one array as the member a.
        is_dict = case.graph is not None and "dict" in case.graph["nodes"][case.graph.get("root", 0)]
        self["members"] = "**%s" % words.get("value") if is_dict else "a=%s" % words.get("value")
        self["read"], self["member"] = ("dict(", ")") if is_dict else ("", '["a"]')

    def __missing__(self, word):
        if self._model is None:
            raise Refused("the type and shape of the array are unknown")
        return _MODEL_WORDS[word](self._model)


def _find(table, route, entry):
    for buffers in (route.buffers, ""):
        for name in (entry, "*"):
            if (route.form, name, buffers) in table:
                return table[route.form, name, buffers]
    return None


def _decoder(route, entry):
    return _find(_DECODERS, route, entry.partition(":")[0])


def can_encode(case, entry):
    return _find(_ENCODERS, case.route, entry) is not None


def can_decode(case, entry):
    return _decoder(case.route, entry) is not None


def _file_name(route, number):
    return '"e%d.%s"' % (number, _ENDINGS.get(route.form, route.form))


def encode(script, entry, value, number):
    """The statements that encode the variable `value`, and the place of the bytes; `number` makes its name unique."""
    case = script.case
    found = _find(_ENCODERS, case.route, entry)
    if found is None:
        raise Refused("no script can encode by %s of %s" % (entry, case.route.form))
    where, code = found
    place = Place("d%d" % number) if where == MEMORY else Place(file=_file_name(case.route, number))
    return code.format_map(_Words(case, value=value, entry=entry, data=place.data, file=place.file)), place


def decode(script, entry, place):
    """An expression that decodes the bytes at a place; writes them to a file first if needed."""
    case = script.case
    found = _decoder(case.route, entry)
    if found is None:
        raise Refused("no script can decode by %s of %s" % (entry, case.route.form))
    where, code = found
    if where == FILE and not place.file:
        place.file = _file_name(case.route, 0)
        script.do('with open(%s, "wb") as f: f.write(%s)' % (place.file, place.data))
    mode = '"%s"' % entry.partition(":")[2]
    return code.format_map(_Words(case, data=place.bytes, file=place.file, mode=mode))


def _joblib_pool(script, value, backend, is_return):
    route, settings = script.case.route, ""
    if route.max_nbytes:
        settings = ", max_nbytes=%s" % ("None" if route.max_nbytes < 0 else route.max_nbytes)
    if route.mmap_mode:
        settings += ", mmap_mode=%s" % ("None" if route.mmap_mode == "none" else '"%s"' % route.mmap_mode)
    call = "p([joblib.delayed(%s)(%s)])[0]" % ("same" if is_return else "look", value)
    if is_return:
        script.define("def same(x): return x")
        call = "look(%s)" % call
    return 'with joblib.Parallel(2, backend="%s", timeout=20%s) as p:' % (backend, settings), "got = " + call


def _process(script, value, method):
    script.define("def report(sink, x): sink.send(look(x))")
    return "", (
        'c = multiprocessing.get_context("%s"); source, sink = c.Pipe(False)\n'
        "p = c.Process(target=report, args=(sink, %s)); p.start(); sink.close()\n"
        'got = source.recv() if source.poll(20) else "no answer"; p.kill()' % (method, value)
    )


def _pool(library, method, function, argument):
    head = 'with %s.get_context("%s").Pool(1) as p:' % (library, method)
    return head, "got = p.apply_async(%s, (%s,)).get(20)" % (function, argument)


def call_in_pool(script, *words):
    """Calls a function in another process and assigns its result to `got`."""
    script.do("%s %s" % _pool(*words))


def way(script, value):
    """The statement that makes a pool, or "", and the statements that send a value and assign `look` of it there."""
    route = script.case.route
    backend, _, manner = route.encode.partition(":")
    if route.form == "joblib.Parallel":
        return _joblib_pool(script, value, backend, manner == "return")
    if route.form == "multiprocessing" and manner == "process":
        return _process(script, value, backend)
    if route.form == "multiprocessing":
        return _pool("multiprocessing", backend, "look", value)
    if route.form == "multiprocess":
        return _pool("multiprocess", "fork", "look", value)
    if route.form == "copy":
        return "", "got = look(copy.%s(%s))" % (route.encode, value)
    raise Refused("no script can send by %s" % route.form)


def send(script, value):
    """Sends a value by the route's transport and assigns `look` of it there to `got`."""
    head, code = way(script, value)
    script.do("%s %s" % (head, code) if head else code)


def send_twice(script, value, between):
    """Sends a value twice through one pool, with the statements `between` in between."""
    head, code = way(script, value)
    if script.case.route.encode.endswith(":once"):
        head, code = "", "%s %s" % (head, code)
    with script.block(head) if head else contextlib.nullcontext():
        script.do(code)
        script.do(between)
        script.do(code)
