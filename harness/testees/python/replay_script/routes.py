"""Routes as Python: a template for each entry point of each format, and the transports.

A place is where an encoding is: a variable with the bytes (`data`), or a file (`file`, quoted), or both."""

import contextlib

from numpy_testee.codec_names import text_of

from . import file_routes
from .case import CODEC, Refused
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
    ("npy", "file:no-pickle", ""): (FILE, "np.save({file}, {value}, allow_pickle=False)"),
    ("npy", "file:numpy", ""): (FILE, "np.save({file}, {value}, np.bool_(True))"),
    ("npy", "mapped:numpy", ""): (
        FILE,
        'm = np.lib.format.open_memmap({file}, "w+", {value}.dtype, tuple(map(np.int64, {value}.shape)), '
        "np.bool_({value}.flags.fnc)); m[...] = {value}; m.flush()",
    ),
    ("npy", "mapped:keyword", ""): (
        FILE,
        'm = np.lib.format.open_memmap(filename={file}, mode="w+", dtype={value}.dtype, shape={value}.shape, '
        "fortran_order={value}.flags.fnc); m[...] = {value}; m.flush()",
    ),
    ("npz", "memory", ""): (MEMORY, "f = io.BytesIO(); np.savez(f, {members})" + _BYTES),
    ("npz", "positional", ""): (FILE, "np.savez({file}, *{value}.values())"),
    ("npz", "file", ""): (FILE, "np.savez({file}, {members})"),
    ("npz", "compressed", ""): (MEMORY, "f = io.BytesIO(); np.savez_compressed(f, {members})" + _BYTES),
    ("scipy.sparse.npz", "memory", ""): (MEMORY, "f = io.BytesIO(); scipy.sparse.save_npz(f, {value}, compressed=False)" + _BYTES),
    ("scipy.sparse.npz", "compressed", ""): (MEMORY, "f = io.BytesIO(); scipy.sparse.save_npz(f, {value})" + _BYTES),
    ("scipy.sparse.npz", "file", ""): (FILE, "scipy.sparse.save_npz({file}, {value}, compressed=False)"),
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
    ("raw", "mapped:numpy", ""): (
        FILE,
        'm = np.memmap({file}, {value}.dtype, "w+", np.int64({offset}), tuple(map(np.int64, {value}.shape)), '
        "np.str_({order})); m[...] = {value}; m.flush()\n"
        'with open({file}, "r+b") as f: f.write(b"\\xee" * {offset})',
    ),
    ("raw", "mapped:keyword", ""): (
        FILE,
        'm = np.memmap(filename={file}, dtype={value}.dtype, mode="w+", offset={offset}, '
        "shape={value}.shape[0] if {value}.ndim == 1 else list({value}.shape), order={order}); "
        "m[...] = {value}; m.flush()\n"
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
    ("pickle", "c:no-fix-imports", ""): (MEMORY, "{data} = pickle.dumps({value}, {protocol}, fix_imports=False)"),
    ("joblib", "file", ""): (FILE, "joblib.dump({value}, {file}, protocol={protocol})"),
    ("joblib", "object", ""): (FILE, 'with open({file}, "wb") as f: joblib.dump({value}, f, protocol={protocol})'),
    ("joblib", "*", ""): (FILE, 'joblib.dump({value}, {file}, compress=("{entry}", {level}), protocol={protocol})'),
    ("joblib.hash", "here", ""): (MEMORY, "{data} = joblib.hash({value}).encode()"),
    ("joblib.hash", "copied", ""): (MEMORY, "{data} = joblib.hash(copy.deepcopy({value})).encode()"),
    ("joblib.hash", "pickled", ""): (MEMORY, "{data} = joblib.hash(pickle.loads(pickle.dumps({value}))).encode()"),
    ("joblib.hash", "fresh", ""): (
        MEMORY,
        'with multiprocessing.get_context("spawn").Pool(1) as p: {data} = p.apply(joblib.hash, (Pickled({value}),)).encode()',
    ),
    ("cloudpickle", "dumps", ""): (MEMORY, "{data} = cloudpickle.dumps({value}, protocol={protocol})"),
    ("dill", "dumps", ""): (MEMORY, "{data} = dill.dumps({value}, protocol={protocol})"),
    ("dill", "dumps:recurse", ""): (MEMORY, "{data} = dill.dumps({value}, protocol={protocol}, recurse=True)"),
    ("dill", "dumps:byref", ""): (MEMORY, "{data} = dill.dumps({value}, protocol={protocol}, byref=True)"),
}
# Format, entry point and buffers: where the bytes come from, and the expression.
_DECODERS = {
    ("npy", "memory", ""): (MEMORY, "np.load(io.BytesIO({data}){permission})"),
    ("npy", "file", ""): (FILE, "np.load({file}{permission})"),
    ("npy", "mmap", ""): (FILE, "np.load({file}, mmap_mode={mode}{permission})"),
    ("npy", "mmap:numpy", ""): (FILE, "np.load({file}, np.str_({mode}), np.bool_(False))"),
    ("npy", "file:no-pickle", ""): (FILE, "np.load({file}, allow_pickle=False)"),
    ("npy", "file:max-header", ""): (FILE, "np.load({file}, max_header_size=1 << 24{permission})"),
    ("npy", "file:numpy", ""): (FILE, 'np.load({file}, None, np.bool_({is_permitted}), np.bool_(True), np.str_("ASCII"))'),
    ("npz", "memory", ""): (MEMORY, "{read}np.load(io.BytesIO({data}){permission}){member}"),
    ("npz", "file", ""): (FILE, "{read}np.load({file}{permission}){member}"),
    ("npz", "mmap", ""): (FILE, "{read}np.load({file}, mmap_mode={mode}{permission}){member}"),
    ("scipy.sparse.npz", "memory", ""): (MEMORY, "scipy.sparse.load_npz(io.BytesIO({data}))"),
    ("scipy.sparse.npz", "file", ""): (FILE, "scipy.sparse.load_npz({file})"),
    ("raw", "memory", ""): (MEMORY, "np.frombuffer({data}, {type}, {count}, {offset}).reshape({shape}, order={order})"),
    ("raw", "file", ""): (
        FILE,
        "np.fromfile({file}, {type}, {count}, offset={offset}).reshape({shape}, order={order})",
    ),
    ("raw", "object", ""): (
        FILE,
        'np.fromfile([f.seek({offset}) and f or f for f in [open({file}, "rb")]][0], {type}, {count})'
        ".reshape({shape}, order={order})",
    ),
    ("raw", "file:numpy", ""): (
        FILE,
        'np.fromfile({file}, {type}, np.int64({count}), "", np.int64({offset})).reshape({shape}, order={order})',
    ),
    ("raw", "mmap", ""): (FILE, "np.memmap({file}, {type}, {mode}, {offset}, {shape}, {order})"),
    ("raw", "mmap:numpy", ""): (
        FILE,
        "np.memmap({file}, {type}, {mode}, np.int64({offset}), tuple(map(np.int64, {shape})), np.str_({order}))",
    ),
    ("raw", "mmap:keyword", ""): (
        FILE,
        "np.memmap(filename={file}, dtype={type}, mode={mode}, offset={offset}, "
        "shape={shape}[0] if len({shape}) == 1 else list({shape}), order={order})",
    ),
    ("pickle", "c", "out-of-band"): (MEMORY, "pickle.loads({data}, buffers=buffers)"),
    ("pickle", "c", ""): (MEMORY, "pickle.loads({data})"),
    ("pickle", "c:no-fix-imports", ""): (MEMORY, "pickle.loads({data}, fix_imports=False)"),
    ("pickle", "python", "out-of-band"): (MEMORY, "pickle._Unpickler(io.BytesIO({data}), buffers=buffers).load()"),
    ("pickle", "python", ""): (MEMORY, "pickle._Unpickler(io.BytesIO({data})).load()"),
    ("joblib", "file", ""): (FILE, "joblib.load({file})"),
    ("joblib", "object", ""): (FILE, 'joblib.load(open({file}, "rb"))'),
    ("joblib", "mmap", ""): (FILE, "joblib.load({file}, mmap_mode={mode})"),
    ("cloudpickle", "here", ""): (MEMORY, "cloudpickle.loads({data})"),
    ("dill", "here", ""): (MEMORY, "dill.loads({data})"),
    ("joblib.hash", "recall", ""): (MEMORY, "recall({data}, {value})"),
}
# Format and entry point -> the definitions that its template uses.
_DEFINED = {
    ("joblib.hash", "fresh"): """\
class Pickled:
    def __init__(self, array): self.data = pickle.dumps(array, pickle.HIGHEST_PROTOCOL)
    def __reduce__(self): return pickle.loads, (self.data,)""",
    # The array that is found under a hash, after arrays that differ a little were stored under theirs.
    ("joblib.hash", "recall"): """\
def others(array):
    a = np.asarray(array); t = a.dtype
    if t.names is not None or t.hasobject: return
    for n in {0, a.size // 2, a.size - 1} if a.nbytes else ():
        o = np.array(array, copy=True, order="K", subok=True); i = np.unravel_index(n, o.shape) + (...,)
        o[i] = np.ndarray((), t, bytes(255 - b for b in o[i].tobytes())); yield o
    if a.nbytes and t.itemsize > 1 and t.kind in "iufcmM": yield a.view(t.newbyteorder())
    if a.nbytes and t.itemsize == 1: yield a.view("i1" if t.kind == "u" else "u1")
    if a.flags.c_contiguous and a.ndim < 32: yield a.reshape((1,) + a.shape)
    if a.flags.c_contiguous and a.ndim > 1: yield a.reshape(-1)
def recall(key, a): found = {joblib.hash(o).encode(): o for o in others(a)}; found.setdefault(key, a); return found[key]""",
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
    """The location of an encoding, and the variable of the encoded value."""

    def __init__(self, data="", file="", value="a"):
        self.data, self.file, self.value = data, file, value

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
        self["is_permitted"] = is_allowed
        # An archive has the arrays of a dict as members, or one array as the member a.
        is_dict = case.graph is not None and "dict" in case.graph["nodes"][case.graph.get("root", 0)]
        self["members"] = "**%s" % words.get("value") if is_dict else "a=%s" % words.get("value")
        self["expanded"] = "**x" if is_dict else "a=x"
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


def _shape_of(entry):
    """The entry without the mode of a map."""
    word, _, rest = entry.partition(":")
    return entry if word != "mmap" else ":".join([word, *rest.split(":")[1:]])


def _encoder(route, entry):
    is_open = route.form != "joblib" or ":" not in entry  # a compressor stands for "*"
    return _find(_ENCODERS, route, entry) if is_open else None


def _decoder(route, entry):
    return _find(_DECODERS, route, _shape_of(entry))


def _codec(case):
    """The import paths of the codec of the route, as words of Python; a third one prepares both."""
    text = text_of(case.route.form, case.codecs) or ""
    return [path.replace(":", ".") for path in text.split(">")] if text else []


def _define_codec(script):
    text = text_of(script.case.route.form, script.case.codecs)
    modules = dict.fromkeys(path.partition(":")[0] for path in text.split(">"))
    script.define("import %s" % ", ".join(modules))
    for path in _codec(script.case)[2:]:
        script.define(path + "()")


def can_encode(case, entry):
    if entry == CODEC:
        return bool(_codec(case))
    return _encoder(case.route, entry) is not None or file_routes.encodes(case.route.form, entry)


def can_decode(case, entry):
    if entry == CODEC:
        return bool(_codec(case))
    return _decoder(case.route, entry) is not None or file_routes.decodes(case.route.form, entry)


OF_THREADS = 8  # the number of an encoding that several threads make, each in a file of its own


def _file_name(route, number):
    ending = _ENDINGS.get(route.form, route.form)
    return '"e%%d.%s" %% threading.get_ident()' % ending if number == OF_THREADS else '"e%d.%s"' % (number, ending)


def _define(script, entry):
    text = _DEFINED.get((script.case.route.form, entry))
    if text:
        script.define(text)


def encode(script, entry, value, number):
    """The statements that encode the variable `value`, and the place of the bytes; `number` makes its name unique."""
    case = script.case
    found = _encoder(case.route, entry)
    if entry == CODEC and _codec(case):
        _define_codec(script)
        found = MEMORY, "{data} = %s({value})" % _codec(case)[0]
    if found is None and file_routes.encodes(case.route.form, entry):
        found = MEMORY, file_routes.encode(script, case.route.form, entry)
    if found is None:
        raise Refused("no script can encode by %s of %s" % (entry, case.route.form))
    where, code = found
    _define(script, entry)
    in_file = where == FILE
    place = Place("" if in_file else "d%d" % number, _file_name(case.route, number) if in_file else "", value)
    return code.format_map(_Words(case, value=value, entry=entry, data=place.data, file=place.file)), place


def decode(script, entry, place):
    """An expression that decodes the bytes at a place; writes them to a file first if needed."""
    case = script.case
    found = _decoder(case.route, entry)
    if entry == CODEC and _codec(case):
        _define_codec(script)
        found = MEMORY, "%s({data})" % _codec(case)[1]
    if found is None and file_routes.decodes(case.route.form, entry):
        found = MEMORY, file_routes.decode(script, case.route.form, entry)
    if found is None:
        raise Refused("no script can decode by %s of %s" % (entry, case.route.form))
    where, code = found
    _define(script, entry)
    if where == FILE and not place.file:
        place.file = _file_name(case.route, 0)
        script.do('with open(%s, "wb") as f: f.write(%s)' % (place.file, place.data))
    mode = '"%s"' % (entry + "::").split(":")[1]
    return code.format_map(_Words(case, data=place.bytes, file=place.file, mode=mode, value=place.value))


def _joblib_pool(script, value, backend, is_return, twin=None):
    """With a twin, the value and the twin are eight tasks each of one call, and the last other result counts."""
    route, settings = script.case.route, ""
    if route.max_nbytes:
        settings = ", max_nbytes=%s" % ("None" if route.max_nbytes < 0 else route.max_nbytes)
    if route.mmap_mode:
        settings += ", mmap_mode=%s" % ("None" if route.mmap_mode == "none" else '"%s"' % route.mmap_mode)
    function, look = ("same", "look(%s)") if is_return else ("look", "%s")
    if is_return:
        script.define("def same(x): return x")
    call = look % ("p([joblib.delayed(%s)(%s)])[0]" % (function, value))
    if twin is not None:
        several = "p([joblib.delayed(%s)(x) for x in [%s, %s] * 8])[1::2]" % (function, twin, value)
        call = "unlike(%s, [%s for y in %s])" % (call, look % "y", several)
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


_BLOCK = """\
def block(x):
    b = shared_memory.SharedMemory(create=True, size=x.nbytes or 1)
    over(b, x)[...] = x
    return b"""
_OVER = 'def over(b, x): return np.ndarray(x.shape, x.dtype, b.buf, 0, None, "F" if x.flags.fnc else "C")'
_DROP = """\
def dropped(x):
    b = block(x); b.unlink()
    return over(b, x)"""

_SPAWN_POOL = 'with multiprocessing.get_context("spawn").Pool(1) as p:'
_NAMED = """\
def named(p, x):
    b = block(x); got = p.apply_async(attached, (b.name, x.shape, x.dtype, "F" if x.flags.fnc else "C")).get(20)
    b.close(); b.unlink(); return got"""
_ATTACHED = """\
def attached(name, shape, dtype, order):
    b = shared_memory.SharedMemory(name=name); got = look(np.ndarray(shape, dtype, b.buf, 0, None, order))
    b.close(); return got"""
# Entry -> the statements that assign `look` of the items of a ShareableList `s`.
_ITEMS = {
    "here": "got = look(list(s))",
    "assigned": "[s.__setitem__(i, v) for i, w in enumerate({x}) for v in (None, w)]; got = look(list(s))",
    "pickled": "t = pickle.loads(pickle.dumps(s)); got = look(list(t)); t.shm.close()",
    "named": "got = p.apply_async(listed, (s.shm.name,)).get(20)",
}
_LISTED = """\
def listed(name):
    s = shared_memory.ShareableList(name=name); got = look(list(s))
    s.shm.close(); return got"""


def _shareable(script, value, entry):
    """The statements that assign `look` of the items of a list in shared memory."""
    if entry == "named":
        script.define(_LISTED)
    code = "s = shared_memory.ShareableList(%s); %s; s.shm.close(); s.shm.unlink()"
    return _SPAWN_POOL if entry == "named" else "", code % (value, _ITEMS[entry].format(x=value))


def _over_block(script, value, entry):
    """The statements that assign `look` of an array over shared memory."""
    if entry == "heap":
        return "", (
            'r = multiprocessing.RawArray("B", %s.nbytes or 1)\n'
            'y = np.ndarray(%s.shape, %s.dtype, r, 0, None, "F" if %s.flags.fnc else "C"); y[...] = %s; got = look(y)'
            % ((value,) * 5)
        )
    script.define(_OVER)
    script.define(_BLOCK)
    if entry == "named":
        script.define(_ATTACHED)
        script.define(_NAMED)
        return _SPAWN_POOL, "got = named(p, %s)" % value
    if entry == "here:dropped":
        script.define(_DROP)
        return "", "got = look(dropped(%s))" % value
    close = "b.close(); " if entry == "here:closed" else ""
    return "", "b = block(%s); y = over(b, %s); b.unlink(); %sgot = look(y)" % (value, value, close)


_VIEWS = {
    "memoryview": "np.asarray(memoryview({x}))",
    "interface": 'np.asarray(type("Described", (), dict(__array_interface__={x}.__array_interface__))())',
    "dlpack": "np.from_dlpack({x})",
    "frombuffer": 'np.frombuffer({x}, {x}.dtype).reshape({x}.shape, order="F" if {x}.flags.fnc else "C")',
}

# Stores the results for arrays that differ in nothing but the bytes, or the byte order.
_SIMILAR = """\
if {x}.dtype.kind in "biufcS":
    f(np.ndarray({x}.shape, {x}.dtype, bytes(255 - n for n in {x}.tobytes()))); f({x}.view({x}.dtype.newbyteorder()))"""


def _cache(script, value, entry):
    """A store in the working folder, and the statements that assign `look` of the result of a cached function."""
    script.define("def same(x): return x")
    word, _, rest = entry.partition(":")
    mode, _, place = rest.partition(":")
    setting = ', mmap_mode="%s"' % mode if word == "mmap" else ", compress=True" if word == "compress" else ""
    inner, outer = (setting, "") if place == "decorator" else ("", setting)
    script.do('f = joblib.Memory(tempfile.mkdtemp(), verbose=0%s).cache(same%s)' % (outer, inner))
    call = "f(%s)" % value
    if word == "again":
        script.do(_SIMILAR.format(x=value))
    if entry.endswith("shelve"):
        return "", "got = look(f.call_and_shelve(%s).get())" % value
    return "", "got = look(%s)" % call if word == "call" else "%s; got = look(%s)" % (call, call)


def way(script, value, twin=None):
    """The statement that makes a pool, or "", and the statements that send a value and assign `look` of it there; with a
    twin, among other tasks of one call (only of joblib.Parallel)."""
    route = script.case.route
    backend, _, manner = route.encode.partition(":")
    if route.form == "joblib.Parallel":
        return _joblib_pool(script, value, backend, manner == "return", twin)
    if route.form == "multiprocessing" and manner == "process":
        return _process(script, value, backend)
    if route.form == "multiprocessing":
        return _pool("multiprocessing", backend, "look", value)
    if route.form == "multiprocess":
        return _pool("multiprocess", "fork", "look", value)
    if route.form == "copy":
        return "", "got = look(copy.%s(%s))" % (route.encode, value)
    if route.form == "shared_memory":
        return _over_block(script, value, route.encode)
    if route.form == "shared_memory.ShareableList":
        return _shareable(script, value, route.encode)
    if route.form == "buffer":
        return "", "got = look(%s)" % _VIEWS[route.encode].format(x=value)
    if route.form == "joblib.Memory":
        return _cache(script, value, route.encode)
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
