"""Call histories in scripts: what happens before and around the calls, with a twin `t` of the value `a` whose bits are
inverted. Its encoding is in `d8`."""

import contextlib

from . import graphs, routes, values

_INVERTED = bytes(range(255, -1, -1))
_BAD = "class Bad:\n    def __reduce_ex__(self, protocol): raise RuntimeError"
_FULL = """\
class Full(io.RawIOBase):
    def __init__(self, room): self.room = room
    def writable(self): return True
    def write(self, b): self.room -= len(memoryview(b).cast("B")); assert self.room >= 0; return len(b)"""
_RACE = """\
def race(own, other, count=300):
    alone = own(); sys.setswitchinterval(1e-5); over = []
    ts = [threading.Thread(target=lambda: [other() for _ in iter(lambda: len(over), 1)]) for _ in range(2)]
    try: got = [[t.start() for t in ts], *(own() for _ in range(count))][1:]
    finally: over.append(1); [t.join() for t in ts]
    return next((x for x in got if x != alone), alone)"""
_THEN = """\
def then(x, call):
    with contextlib.suppress(Exception): call()
    return x"""
_UNLIKE = "def unlike(alone, more): return next((x for x in more if x != alone), alone)"
_CHILD = """\
def child(call):
    c = multiprocessing.get_context("fork"); source, sink = c.Pipe(False)
    p = c.Process(target=lambda: sink.send(call())); p.start(); sink.close()
    assert source.poll(20), "no answer"
    return [source.recv(), p.kill()][0]"""
_LATER = 7  # the number of an encoding after that of the value
_PICKLERS = {"c": "pickle.Pickler", "python": "pickle._Pickler"}
# Writes the twin to a file that is full.
_CLEANERS = {
    "npy": "np.save(f, t)",
    "npz": "np.savez(f, a=t)",
    "raw": "np.asarray(t).tofile(f)",
    "pickle": "pickle.Pickler(f, %d).dump(t)",
    "joblib": "joblib.dump(t, f, protocol=%d)",
    "cloudpickle": "cloudpickle.dump(t, f, protocol=%d)",
    "dill": "dill.dump(t, f, protocol=%d)",
}


def _has_map(case):
    arrays = [case.value["array"]] if "array" in case.value else []
    arrays += [node["array"] for node in (case.graph or {}).get("nodes", ()) if "array" in node]
    return any(one["base"].get("memmap") is not None for one in arrays)


def _inverted_hex(text):
    return bytes.fromhex(text).translate(_INVERTED).hex()


_INVERSES = {"int": lambda text: str(~int(text)), "float": _inverted_hex, "bytes": _inverted_hex}


def _inverted(nodes):
    """The nodes with other numbers and bytes, unless they may be the arguments of a class, such as extents."""
    if any("class" in node and "array" not in node for node in nodes):
        return nodes
    return [{kind: _INVERSES[kind](node[kind]) for kind in node if kind in _INVERSES} or node for node in nodes]


class _Inverted:
    """The data and the numbers of a case while its twin is built."""

    def __init__(self, case):
        self._case = case

    def __enter__(self):
        case = self._case
        self._was = case.binary, case.graph["nodes"]
        case.binary, case.graph["nodes"] = bytes(case.binary).translate(_INVERTED), _inverted(case.graph["nodes"])

    def __exit__(self, *_):
        self._case.binary, self._case.graph["nodes"] = self._was


def build_twin(script):
    """Builds the twin `t`, before the value itself is built. The value is its own twin if it is a map in a graph."""
    case = script.case
    if case.graph is None:
        values.build(script, case.value["array"], case.data.translate(_INVERTED), "t")
    elif not _has_map(case):
        with _Inverted(case):
            graphs.build(script)
        script.do("t = a")


def _is_without_twin(case):
    return case.graph is not None and _has_map(case)


def _reused(script):
    """One object that encodes both, where the format has one."""
    route = script.case.route
    ends = "f = io.BytesIO(); %s; n = f.tell(); %s; d8 = f.getvalue()[:n]; d1 = f.getvalue()[n:]"
    if (route.form, route.encode) == ("npy", "memory"):
        script.do(ends % ("np.save(f, t)", "np.save(f, a)"))
        return routes.Place("d1")
    if route.form == "pickle" and route.buffers != "out-of-band":
        script.do(ends % ("p = %s(f, %d); p.dump(t)" % (_PICKLERS[route.encode], route.protocol), "p.clear_memo(); p.dump(a)"))
        return routes.Place("d1")
    return _one_after_the_other(script)


def _one_after_the_other(script):
    entry = script.case.route.encode
    code, place = routes.encode(script, entry, "t", 1)
    script.do("%s\nd8 = %s" % (code, place.bytes))
    if script.case.route.history == "freed" and script.case.graph is None and not _has_map(script.case):
        script.do("del t")
        values.build(script, script.case.value["array"], script.case.data, "a")
    code, place = routes.encode(script, entry, "a", 1)
    script.do(code)
    if script.case.route.history == "reused" and script.case.route.buffers != "out-of-band":
        with script.block("with contextlib.suppress(Exception):"):
            script.do(routes.encode(script, entry, "t", _LATER)[0])
    return place


def _failed(script):
    """Two encodings that fail halfway, then the encoding."""
    route = script.case.route
    script.define(_BAD)
    broken = "np.array([1, Bad()])" if route.form in ("npy", "npz") else "[t, Bad()]"
    script.do("bad = " + broken)
    with script.block("with contextlib.suppress(Exception):"):
        script.do(routes.encode(script, route.encode, "bad", 1)[0])
    if route.form in _CLEANERS:
        script.define(_FULL)
        call = _CLEANERS[route.form]
        with script.block('for f in (open("/dev/full", "wb", buffering=0), *map(Full, (16384, 256, 16))):'):
            script.do("with contextlib.suppress(Exception): " + (call % route.protocol if "%d" in call else call))
    code, place = routes.encode(script, route.encode, "a", 1)
    script.do(code)
    script.do("d8 = " + place.bytes)
    return place


def _call(script, name, value, number):
    """Defines a function that encodes a variable and returns the bytes, with copies of the out-of-band buffers."""
    code, place = routes.encode(script, script.case.route.encode, value, number)
    result = place.bytes
    if script.case.route.buffers == "out-of-band":
        result += ", [bytearray(b.raw()) for b in buffers]"
    if "\n" not in code and not code.startswith("with "):
        script.do("def %s(): %s; return %s" % (name, code, result))
        return
    with script.block("def %s():" % name):
        script.do("%s\nreturn %s" % (code, result))


def _by_threads(script):
    _call(script, "own", "a", 1)
    _call(script, "other", "t", routes.OF_THREADS)
    script.define(_RACE)
    found = "d1, buffers" if script.case.route.buffers == "out-of-band" else "d1"
    if script.case.route.history == "forked":
        script.define(_CHILD)
        script.do("d8 = other(); %s = race(lambda: child(own), other, 5)" % found)
    else:
        script.do("d8 = other(); %s = race(own, other)" % found)
    return routes.Place("d1")


_ENCODERS = {
    "reused": _reused,
    "freed": _one_after_the_other,
    "failed": _failed,
    "threads": _by_threads,
    "forked": _by_threads,
}


def encode(script):
    """Encodes `a` with the history of the route; returns the place of the bytes."""
    if _is_without_twin(script.case):
        script.do("t = a")
    return _ENCODERS[script.case.route.history](script)


def decode(script, place):
    """An expression that decodes the bytes at the place with the history of the route."""
    route = script.case.route
    if route.history == "forked" or route.buffers == "out-of-band":
        return routes.decode(script, route.decode, place)
    if not script.case.builds:
        script.do("d8 = d1")
    if route.history == "threads":
        return _decode_by_threads(script, place)
    if route.history == "failed":
        with script.block("with contextlib.suppress(Exception):"):
            script.do(routes.decode(script, route.decode, routes.Place("d8[:len(d8) // 2]")))
    else:
        script.do(routes.decode(script, route.decode, routes.Place("d8")))
    place = routes.Place(place.bytes)
    own = routes.decode(script, route.decode, place)
    if route.history != "reused":
        return own
    script.define(_THEN)
    return "then(%s, lambda: %s)" % (own, routes.decode(script, route.decode, _beside(script, place)))


def _beside(script, place):
    """The place of the twin's bytes; in a file of their own if `place` is in one."""
    second = routes.Place("d8", "")
    if place.file:
        second.file = place.file.replace("e", "t", 1)
        script.do('with open(%s, "wb") as f: f.write(d8)' % second.file)
    return second


def _decode_by_threads(script, place):
    script.define(_RACE)
    route = script.case.route
    own = routes.decode(script, route.decode, place)
    other = routes.decode(script, route.decode, _beside(script, place))
    return "race(lambda: look(%s), lambda: %s)" % (own, other)


def is_looked_at(case):
    """Whether the expression of `decode` has called `look` already."""
    return case.route.history == "threads" and case.route.buffers != "out-of-band"


def send(script):
    """Sends `a` by the route's transport with its history, and assigns `look` of it there to `got`."""
    route = script.case.route
    if _is_without_twin(script.case):
        script.do("t = a")
    is_among_others = route.history == "threads" and route.form == "joblib.Parallel"
    head, own = routes.way(script, "a", "t" if is_among_others else None)
    if is_among_others:
        script.define(_UNLIKE)
        script.do("%s %s" % (head, own))
        return
    if route.history == "threads":
        script.define(_RACE)
        script.do("got = race(lambda: look(copy.{0}(a)), lambda: copy.{0}(t))".format(route.encode))
        return
    if route.history == "failed":
        script.define(_BAD)
        script.do("bad = [t, Bad()]")
        head, other = routes.way(script, "bad")
        script.do("with contextlib.suppress(Exception): " + other)
        script.do(own)
        return
    other = routes.way(script, "t")[1]
    with script.block(head) if head else contextlib.nullcontext():
        script.do(other)
        if route.history == "reused" and own.count("look(") == 1 and not head:
            with script.block("def later(x):"):
                with script.block("with contextlib.suppress(Exception):"):
                    script.do(other)
                script.do("return look(x)")
            own = own.replace("look(", "later(")
        if route.history == "freed":
            script.do("del t")
        script.do(own)
