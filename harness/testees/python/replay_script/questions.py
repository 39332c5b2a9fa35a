"""The script of a divergence: the question that reproduces it, and the code around that question."""

import re

from . import dicts, graph_checks, graphs, history, routes, values
from .case import Refused, is_python
from .checks import define_look, split_path
from .script import Script, literal

_CHILD_SECONDS = 60
# Resource that a trip may leave behind -> the list of those in use. Resources as in harness/target/process/resource_snapshot.h.
_RESOURCES = {
    "descriptors": 'os.listdir("/proc/self/fd")',
    "maps": '[m for m in open("/proc/self/maps") if "/" in m]',
    "shared_memory": 'os.listdir("/dev/shm")',
    "temporary_files": "[n for place in os.walk(home.name) for n in place[1] + place[2]]",
    "children": '[p for t in os.listdir("/proc/self/task") for p in open("/proc/self/task/%s/children" % t).read().split()]',
}
_SEE = 'def see(load):\n    try: return look(load())\n    except Exception: return "refused"'
# Inverts element 0 of `x`. An array that is read-only stays as it is.
_CHANGE = """\
i = (slice(0, 1),) * {x}.ndim + (...,)
with contextlib.suppress(ValueError):
    {x}[i] = ~{x}[i] if {x}.dtype == object else np.ndarray((1,) * {x}.ndim, {x}.dtype, bytes(255 - n for n in {x}[i].tobytes()))"""
_CHANGE_NUMBER = """\
def change(x):
    if hasattr(x, "cell_contents"): x.cell_contents = ~x.cell_contents; return
    key = next(k for k, v in (x.items() if isinstance(x, dict) else enumerate(x)) if type(v) is int); x[key] = ~x[key]"""
_NUMBER = re.compile(r"touched: nodes\[\d+\]\.(items|values|content)\[")
_LOOK_ACCEPTED = 'def look(x): getattr(x, "tobytes", int)(); return "accepted"  # a worker reads the elements of an array'
# A worker that dies in one process may read memory of others in another one.
_LOOK_ELEMENTS = "def look(x): return zlib.crc32(repr(x.tolist()).encode())"


def _encode_value(script):
    """Encodes `a`, or writes the bytes that another implementation encoded; returns their place."""
    case = script.case
    if case.builds and case.route.history:
        return history.encode(script)
    if case.builds:
        code, place = routes.encode(script, case.route.encode, "a", 1)
        script.do(code)
        return place
    if case.encoded is None:
        raise Refused("the bytes to decode are unknown")
    script.do("d1 = " + literal(case.encoded))
    if case.route.buffers == "out-of-band":
        script.do("buffers = [%s]" % ", ".join("bytearray(%s)" % literal(one) for one in case.buffers))
    return routes.Place("d1")


def _travel(script):
    """Assigns `look` of the decoded value to `got`."""
    route = script.case.route
    if route.is_transport:
        if route.history:
            history.send(script)
        else:
            routes.send(script, "a")
        return
    place = _encode_value(script)
    if route.decode == "fresh":
        script.define("def fresh(d): return look(%s.loads(d))" % route.form)
        routes.call_in_pool(script, "multiprocessing", "spawn", "fresh", place.data)
        return
    if route.history:
        result = history.decode(script, place)
        script.do("got = " + (result if history.is_looked_at(script.case) else "look(%s)" % result))
        return
    script.do("got = look(%s)" % routes.decode(script, route.decode, place))


def _ask_promised(script):
    """Asks for the promised observation of the array."""
    case = script.case
    source = "a" if case.model is not None and case.builds else None
    expected = define_look(script, "", case.promised, source)
    _travel(script)
    script.do("expected = " + expected)


def _ask_graph(script):
    """Asks whether the decoded objects equal the source. The source comes last, because `look` may call functions."""
    graph_checks.define_look(script)
    _travel(script)
    script.do("expected = look(a)")


def _ask_history(script):
    """Sends the value, then once more after a call of everything in it."""
    script.define(_LOOK_ACCEPTED)
    for turn in range(2):
        if turn == 1:
            script.do("expected = got")
            graphs.call_all(script)
        with script.block("try:"):
            _travel(script)
        script.do('except Exception as error: print(error); got = "refused"')


def _ask_after_change(script):
    """Sends the value, changes its element 0, and asks whether the same object arrives with its new contents."""
    case, path = script.case, script.case.differences[0].path
    changed = "a"
    if path == "touched":
        script.define(_LOOK_ACCEPTED)
    elif case.graph is not None:
        changed = graph_checks.define_look(script).replace("x", "a", 1)
    elif path != "touched_encoded":
        define_look(script, "touched", None, None)
    change = _CHANGE.format(x=changed)
    if _NUMBER.match(path):
        script.define(_CHANGE_NUMBER)
        change = "change(%s)" % changed
    with script.block("try:"):
        if path == "touched_encoded":
            first = _encode_value(script)
            script.do(change)
            code, second = routes.encode(script, case.route.encode, "a", 2)
            script.do(code)
            script.do('got = "unchanged" if %s == %s else "changed"' % (first.bytes, second.bytes))
        elif case.route.is_transport:
            routes.send_twice(script, "a", change)
        else:
            _travel(script)
            script.do(change)
            _travel(script)
    script.do('except Exception as error: got = f"{type(error).__name__}: {error}"')
    script.do('expected = "changed"' if path == "touched_encoded" else "expected = look(a)")


def _ask_source(script):
    """Asks whether the source itself was built as requested."""
    expected = define_look(script, "", script.case.promised, None)
    script.do("got = look(a)")
    script.do("expected = " + expected)


def _ask_built(script):
    """Asks whether the library builds the value."""
    with script.block("try:"):
        graphs.build(script)
    script.do('except Exception as error: got = f"{type(error).__name__}: {error}"\nelse: got = "accepted"')
    script.do('expected = "accepted"')


def _ask_accepted(script):
    """Asks whether the library accepts the value."""
    case = script.case
    must_accept = case.differences[0].expected == "accepted"
    is_dead = must_accept and case.graph is None and case.differences[0].got.startswith("WorkerDied")
    script.define(_LOOK_ELEMENTS if is_dead else _LOOK_ACCEPTED)
    with script.block("try:"):
        if case.operation == "encode" and not is_python(case.decoder):
            _encode_value(script)
            script.do('got = "accepted"')
        else:
            _travel(script)
    reason = 'f"{type(error).__name__}: {error}"' if must_accept else '"refused"'
    script.do("except Exception as error: got = " + reason)
    script.do("expected = look(a)" if is_dead else 'expected = "%s"' % ("accepted" if must_accept else "refused"))


def _ask_other_decoder(script, entry):
    """Asks whether another entry point decodes the same."""
    script.define(_SEE)
    define_look(script, entry, None, None)
    place = _encode_value(script)
    own = routes.decode(script, script.case.route.decode, place)
    other = routes.decode(script, entry, place)
    script.do("expected = see(lambda: %s)\ngot = see(lambda: %s)" % (own, other))


def _ask_other_transport(script, entry):
    """Asks whether another entry point of the transport sends the same."""
    case = script.case
    define_look(script, entry, None, None)
    for name, one in (("expected", case.route.encode), ("got", entry)):
        case.route = case.route._replace(encode=one)
        with script.block("try:"):
            routes.send(script, "a")
            if name == "expected":
                script.do("expected = got")
        script.do('except Exception: %s = "refused"' % name)


def _ask_other_encoder(script, entry):
    """Asks whether another entry point encodes the same."""
    pairs = (("expected", script.case.route.encode), ("got", entry))
    for number, (name, one) in enumerate(pairs, 1):
        code, place = routes.encode(script, one, "a", number)
        with script.block("try:"):
            script.do("%s\n%s = %s" % (code, name, place.bytes))
        script.do('except Exception: %s = "refused"' % name)


def _other_encoder(case):
    """The encoder that is compared with that of the route, as engine/plan.c chooses it."""
    others = [entry for entry in case.entries("encode") if entry != case.route.encode]
    decoders = case.entries("decode")
    turn = decoders.index(case.route.decode) if case.route.decode in decoders else 0
    return others[turn % len(others)] if others else ""


def _ask_again(script, is_bytes):
    """Asks whether a second trip gives the same as the first."""
    route = script.case.route
    if not is_bytes:
        define_look(script, "again", None, None)
    first = _encode_value(script)
    if is_bytes:
        script.do("expected = " + first.bytes)
    script.do("b = " + routes.decode(script, route.decode, first))
    if not is_bytes:
        script.do("expected = look(b)")
    code, second = routes.encode(script, route.encode, "b", 2)
    script.do(code)
    got = second.bytes if is_bytes else "look(%s)" % routes.decode(script, route.decode, second)
    script.do("got = " + got)


def _ask_second_format(script):
    """What was decoded from one format cannot be encoded in another, or arrives there as something else."""
    case = script.case
    where, rest = split_path(case.differences[0].path)
    is_value = not rest.startswith("accepted")
    if is_value:
        define_look(script, where, None, None)
    else:
        script.define(_LOOK_ACCEPTED)
    script.do("b = " + routes.decode(script, case.route.decode, _encode_value(script)))
    case.route = case.second
    script.do("expected = " + ("look(b)" if is_value else '"accepted"'))
    with script.block("try:"):
        code, place = routes.encode(script, case.route.encode, "b", 2)
        script.do(code)
        script.do("got = look(%s)" % routes.decode(script, case.route.decode, place))
    script.do('except Exception as error: got = f"{type(error).__name__}: {error}"')


def _ask_write(script):
    """Inverts element 0, and asks whether that is possible and which of array and file change."""
    route, first = script.case.route, script.case.differences[0]
    place = _encode_value(script)
    script.do("b = " + routes.decode(script, route.decode, place))
    script.do("i = (slice(0, 1),) * b.ndim + (...,); v = bytes(255 - n for n in b[i].tobytes())")
    poke = "b[i] = np.ndarray((1,) * b.ndim, b.dtype, v)"
    if first.path == "poked":
        script.do('try: %s; got = "written"\nexcept ValueError: got = "refused"' % poke)
        script.do('expected = "%s"' % first.expected)
        return
    is_file = first.path.startswith("file_after")
    now = 'open(%s, "rb").read()' % place.file if is_file else "b.tobytes()"
    end = " - 1" if is_file and route.form == "joblib" else ""  # the last byte of a joblib dump ends the pickle
    script.do("old = %s; at = %s" % (now, "len(old) - b.nbytes" + end if is_file else "0"))
    script.do("try: %s; b.flush()\nexcept ValueError: pass" % poke)
    is_changed = not is_file or route.decode == "mmap:r+"
    script.do("got = " + now)
    script.do("expected = " + ("old[:at] + v + old[at + len(v):]" if is_changed else "old"))


def _ask_peak(script):
    """Asks for the peak of the heap; a MemoryError counts as 0."""
    place = _encode_value(script)
    load = routes.decode(script, script.case.route.decode, place)
    expected = script.case.differences[0].expected
    bound = "".join(filter(str.isdigit, expected.partition(" bytes")[0]))
    script.do("tracemalloc.start()\ntry: %s" % load)
    script.do("except MemoryError: tracemalloc.clear_traces()\nexcept Exception: pass")
    script.do('peak = tracemalloc.get_traced_memory()[1]; expected = "%s"' % expected)
    script.do('got = expected if peak <= %s else f"{peak} bytes"' % (bound or 0))


def _ask_left(script, what):
    """Asks whether a resource grows with every trip."""
    case = script.case
    script.define("def count(): gc.collect(); return len(%s)" % _RESOURCES[what])
    script.define(_LOOK_ACCEPTED)
    script.do("counts = []")
    with script.block("for turn in range(24):"):
        with script.block("with contextlib.suppress(Exception):"):
            _travel(script)
        script.do("counts.append(count())")
    script.do('got = "%s" if counts[23] - counts[8] >= 15 else "%s"' % ("grows with every trip", "does not grow"))
    script.do('expected = "does not grow"')


def _suppressed(script, code):
    """Adds statements whose exceptions the child ignores."""
    head = "with contextlib.suppress(Exception):"
    if "\n" not in code and not code.startswith("with "):
        script.do("%s %s" % (head, code))
        return
    with script.block(head):
        script.do(code)


def _do_everything(script):
    """Adds all operations of the process that died: both trips by all entry points."""
    case = script.case
    route = case.route
    if route.is_transport:
        _travel(script)
        return
    for number, entry in enumerate(case.entries("encode") if case.builds else (), 3):
        if entry != route.encode and routes.can_encode(case, entry):
            _suppressed(script, routes.encode(script, entry, "a", number)[0])
    place = _encode_value(script)
    is_fresh = route.decode == "fresh"
    if not is_python(case.decoder) or not (is_fresh or routes.can_decode(case, route.decode)):
        return
    for entry in case.entries("decode"):
        if entry != route.decode and routes.can_decode(case, entry):
            _suppressed(script, routes.decode(script, entry, place))
    if is_fresh:
        return
    if not case.builds:
        script.do(routes.decode(script, route.decode, place))
        return
    script.do("b = " + routes.decode(script, route.decode, place))
    if case.second is not None:
        case.route = case.second
        for number, name in enumerate("ab", 5):
            _suppressed(script, routes.encode(script, case.second.encode, name, number)[0])
        return
    code, second = routes.encode(script, route.encode, "b", 2)
    script.do(code)
    script.do(routes.decode(script, route.decode, second))


def _ask_death(script):
    """Runs the operations in a child and asks how it ends. The parent removes the child's files."""
    is_late = script.case.verdict == "TIMEOUT"
    script.define("def look(x): return np.asarray(x).copy().tobytes()[:0]")
    _do_everything(script)
    script.define(
        'if sys.argv[1:] != ["child"] and __name__ == "__main__":\n'
        "    home = tempfile.TemporaryDirectory()\n"
        '    %scode = subprocess.run([sys.executable, __file__, "child"], timeout=%d, '
        'env={**os.environ, "TMPDIR": home.name}).returncode'
        % ("try: " if is_late else "", _CHILD_SECONDS)
    )
    if is_late:
        script.define('    except subprocess.TimeoutExpired: code = "no answer"')
    script.define('    print("expected: the process survives\\ngot: it ended with", code)')
    script.define("    sys.exit(int(code not in (0, 1)))")


def _ask_difference(script):
    """Asks the question that fits the first difference."""
    case = script.case
    path = case.differences[0].path
    where, rest = split_path(path)
    if case.second is not None:
        _ask_second_format(script)
    elif case.field == "source":
        _ask_source(script)
    elif case.field == "built":
        _ask_built(script)
    elif where == "touched" or path in ("touched", "touched_encoded"):
        _ask_after_change(script)
    elif path == "history" and not graphs.is_called_before(case.graph):
        _ask_history(script)
    elif path == "history" or path.startswith("accepted"):
        _ask_accepted(script)
    elif path in _RESOURCES:
        _ask_left(script, path)
    elif case.graph is not None:
        _ask_graph(script)
    elif path == "encoder.accepted":
        _ask_other_encoder(script, _other_encoder(case))
    elif rest.startswith("encoded"):
        _ask_other_encoder(script, where)
    elif "again" in (where, path):
        _ask_again(script, False)
    elif path.startswith("reencoded"):
        _ask_again(script, True)
    elif where and case.route.is_transport:
        _ask_other_transport(script, where)
    elif where:
        _ask_other_decoder(script, where)
    elif path == "poked" or path.startswith(("file_after", "result_after")):
        _ask_write(script)
    elif path == "peak":
        _ask_peak(script)
    elif path == "partial":
        raise Refused("callers of the library cannot see a partial array after a refusal")
    else:
        _ask_promised(script)


def _check_targets(case):
    ends = (case.encoder, case.decoder)
    if not any(map(is_python, ends)):
        raise Refused("no Python library is on this route")
    for end in ends:
        if not is_python(end) and end["implementation"] == case.outlier:
            raise Refused("the library at fault, %s, is not a Python library" % case.outlier)


def _build(script):
    case = script.case
    if case.field == "built":
        return  # the question is whether it can be built
    if case.route.history and case.builds:
        history.build_twin(script)
    if case.graph is not None:
        graphs.build(script)
    elif "array" in case.value and case.builds:
        values.build(script, case.value["array"], case.data, "a")


def render(case):
    """The text of the script. Raises Refused."""
    script = Script(case)
    _check_targets(case)
    if "dict" in case.value:
        dicts.ask(script, case.value["dict"])
        return script.text(False)
    script.do("home = tempfile.TemporaryDirectory(); os.chdir(home.name)")
    _build(script)
    if case.verdict != "DIVERGES":
        _ask_death(script)
    elif not case.differences:
        raise Refused("the divergence names no difference")
    else:
        _ask_difference(script)
        script.do('print("expected:", expected)\nprint("got:     ", got)\nsys.exit(int(got != expected))')
    return script.text(case.route.is_transport or "fresh" in (case.route.encode, case.route.decode))
