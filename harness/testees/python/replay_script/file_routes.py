"""Routes through the kinds of files that a call accepts besides a path, as Python.

`write_<kind>(save, x)` returns the bytes that `save(f, x)` wrote into such a file, `read_<kind>(data, load, save)` the
value that `load(f)` read from it. `{w}` and `{r}` stand for the names of their files."""

# Format: the call that saves `x` to `f`, and the one that loads from `f`.
_CALLS = {
    "npy": ("np.save(f, x)", "np.load(f{permission})"),
    "npz": ("np.savez(f, {expanded})", "{read}np.load(f{permission}){member}"),
    "pickle": ("pickle.dump(x, f, {protocol})", "pickle.load(f)"),
    "joblib": ("joblib.dump(x, f, protocol={protocol})", "joblib.load(f)"),
    "cloudpickle": ("cloudpickle.dump(x, f, protocol={protocol})", "cloudpickle.load(f)"),
    "dill": ("dill.dump(x, f, protocol={protocol})", "dill.load(f)"),
}
_KINDS = {"dump": "offset", "load": "offset"}  # of cloudpickle and dill
_SAVE_THREE = """\
save(f, np.arange(2)); at = f.tell(); save(f, x); n = f.tell() - at; save(f, np.arange(3)); f.seek(at); return f.read(n)"""
_LOAD_THREE = "assert (load(f) == np.arange(2)).all(); x = load(f); assert (load(f) == np.arange(3)).all(); return x"
_WRITERS = {
    "path": """\
def write_path(save, x): save(pathlib.Path({w} + ".{ending}"), x); return open({w} + ".{ending}", "rb").read()""",
    "memory": """\
def write_memory(save, x): f = io.BytesIO(); save(f, x); return f.getvalue()""",
    "offset": """\
def write_offset(save, x):
    with open({w}, "w+b") as f: f.write(b"before"); save(f, x); n = f.tell(); f.write(b"after"); f.seek(6); return f.read(n - 6)""",
    "sequence": """\
def write_sequence(save, x):
    with open({w}, "w+b") as f: """ + _SAVE_THREE,
    "memory-sequence": """\
def write_memory_sequence(save, x):
    f = io.BytesIO(); """ + _SAVE_THREE,
    "stream": """\
class Sink(io.RawIOBase):
    data = b""
    def writable(self): return True
    def write(self, part): self.data += bytes(part); return len(bytes(part))
def write_stream(save, x): f = Sink(); save(f, x); return f.data""",
    "pipe": """\
def write_pipe(save, x):
    r, w = os.pipe(); got = []; t = threading.Thread(target=lambda: got.append(open(r, "rb").read())); t.start()
    try:
        with open(w, "wb") as f: save(f, x)
    finally: t.join()
    return got[0]""",
    "gzip": """\
def write_gzip(save, x):
    with gzip.open({w}, "wb") as f: save(f, x)
    return gzip.open({w}).read()""",
    "bz2": """\
def write_bz2(save, x):
    with bz2.open({w}, "wb") as f: save(f, x)
    return bz2.open({w}).read()""",
    "zip": """\
def write_zip(save, x):
    with zipfile.ZipFile({w}, "w") as z, z.open("m", "w", force_zip64=True) as f: save(f, x)
    return zipfile.ZipFile({w}).read("m")""",
}
_READERS = {
    "path": """\
def read_path(data, load, save): open({r}, "wb").write(data); return load(pathlib.Path({r}))""",
    "bytes": """\
def read_bytes(data, load, save): open({r}, "wb").write(data); return load(os.fsencode({r}))""",
    "memory": """\
def read_memory(data, load, save): return load(io.BytesIO(data))""",
    "object": """\
def read_object(data, load, save): open({r}, "wb").write(data); return load(open({r}, "rb"))""",
    "offset": """\
def read_offset(data, load, save):
    open({r}, "wb").write(b"before" + data + b"after" * 9); f = open({r}, "rb"); f.seek(6); x = load(f)
    assert f.tell() <= 6 + len(data), "the call read on"
    return x""",
    "sequence": """\
def read_sequence(data, load, save):
    with open({r}, "wb") as f: save(f, np.arange(2)); f.write(data); save(f, np.arange(3))
    f = open({r}, "rb"); """ + _LOAD_THREE,
    "memory-sequence": """\
def read_memory_sequence(data, load, save):
    f = io.BytesIO(); save(f, np.arange(2)); f.write(data); save(f, np.arange(3)); f.seek(0)
    """ + _LOAD_THREE,
    "stream": """\
class Source(io.RawIOBase):
    def readable(self): return True
    def readinto(self, part): n = min(len(part), 1000, len(self.data)); part[:n] = self.data[:n]; self.data = self.data[n:]; return n
def read_stream(data, load, save): f = Source(); f.data = data; return load({stream})""",
    "pipe": """\
def read_pipe(data, load, save):
    r, w = os.pipe(); threading.Thread(target=lambda: open(w, "wb").write(data)).start()
    with open(r, "rb") as f: return load(f)""",
    "gzip": """\
def read_gzip(data, load, save): gzip.open({r}, "wb").write(data); return load(gzip.open({r}))""",
    "bz2": """\
def read_bz2(data, load, save): bz2.open({r}, "wb").write(data); return load(bz2.open({r}))""",
    "zip": """\
def read_zip(data, load, save):
    with zipfile.ZipFile({r}, "w") as z: z.writestr("m", data)
    return load(zipfile.ZipFile({r}).open("m"))""",
}


def _kind(entry):
    return _KINDS.get(entry) or entry.rpartition(":")[2]


def _is_of_files(form, entry):
    word, colon, _ = entry.partition(":")
    return form in _CALLS and (not colon or (form == "joblib" and word in ("file", "object")))


def encodes(form, entry):
    return _is_of_files(form, entry) and _kind(entry) in _WRITERS


def decodes(form, entry):
    return _is_of_files(form, entry) and _kind(entry) in _READERS


def _define(script, text):
    """Adds a definition. Each of several threads has files of its own."""
    suffix = '%d" % threading.get_ident()' if script.case.route.history == "threads" else '"'
    for name in "wr":
        text = text.replace("{%s}" % name, '"' + name + suffix)
    script.define(text)


def encode(script, form, entry):
    """The template of the statement that encodes {value} into {data}."""
    _define(script, _WRITERS[_kind(entry)].replace("{ending}", form))
    return "{data} = write_%s(lambda f, x: %s, {value})" % (_kind(entry).replace("-", "_"), _CALLS[form][0])


def decode(script, form, entry):
    """The template of the expression that decodes {data}."""
    kind, (save, load) = _kind(entry), _CALLS[form]
    stream = "io.BufferedReader(f)"
    if form == "npy" and kind == "stream":
        load = "np.lib.format.read_array(f, allow_pickle=%s)" % bool(script.case.graph)
        stream = "f" if script.case.graph is None else stream
    _define(script, _READERS[kind].replace("{stream}", stream))
    return "read_%s({data}, lambda f: %s, lambda f, x: %s)" % (kind.replace("-", "_"), load, save)
