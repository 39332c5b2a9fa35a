"""The renderer of scripts, and the scripts under real libraries: each is run, and its exit code is checked.

The inputs are made here in the form that `ndproof replay --script` writes; cmd/test_script.py tests the whole command.
A script exits with 1 when the library breaks the promise and with 0 when it keeps it."""

import functools
import io
import json
import operator
import os
import pathlib
import pickle
import struct
import subprocess
import sys

import numpy
import pytest

from numpy_testee.values import Store, build_value
from replay_script import values
from replay_script.case import Case, Refused
from replay_script.questions import render
from replay_script.script import Script, literal

ENVIRONMENTS = pathlib.Path(__file__).resolve().parents[3] / "build/env"
SEEDS = ENVIRONMENTS / "seeds/bin/python"  # joblib 1.4.2
CURRENT = ENVIRONMENTS / "current/bin/python"
LIBRARY_PYTHON = CURRENT if CURRENT.exists() else sys.executable  # what runs the scripts
PYTHON = {"language": "CPython 3.11.2", "implementation": "numpy", "entries": []}
REFERENCE = {"language": "C", "implementation": "reference", "entries": []}
FIXED, SHOWN = 0, 1
DATA = bytes(range(12))
# A big-endian array in Fortran order: what raw bytes do not say.
ARRAY = {"array": {"base": {"dtype": ">i2", "shape": [2, 3], "order": "F"}}}
AS = {"dtype": ">i2", "shape": [2, 3], "order": "F"}
NPY = {"format": "npy", "encode": "memory", "decode": "memory"}
PICKLE = {"format": "pickle", "protocol": 4, "encode": "c", "decode": "c"}
RAW_C = {"format": "raw", "encode": "memory", "decode": "memory"}


def frame(kind, spec, binary=b""):
    text = json.dumps(spec).encode()
    return struct.pack("<4sBBHIIQ", b"NDP1", kind, 0, 0, 1, len(text), len(binary)) + text + binary


def observation(array):
    return {"dtype": array.dtype.str, "shape": list(array.shape), "elements": array.tobytes()}


def make_case(value, route, *differences, data=b"", encoded=None, buffers=(), promised=None, result=None, model=None, **about):
    """A case as the renderer reads it; `differences` are (path, expected, got)."""
    spec, binary, seen, slots = {"id": "0", "program": 0}, data, b"", {}
    if value is not None:
        spec.update(value=value, data=[0, len(data)])
    if encoded is not None:
        spec["supplied"] = [len(binary), len(encoded)]
        binary += encoded
        spec["supplied_buffers"] = [[len(binary) + len(b"".join(buffers[:i])), len(b)] for i, b in enumerate(buffers)]
        binary += b"".join(buffers)
    if model is not None:
        spec["as"] = model
    for slot, one in (("source", promised), ("result", result)):
        if one is not None:
            slots[slot] = {"observation": dict(one, elements=[len(seen), len(one["elements"])])}
            seen += one["elements"]
    first = {"signature": "the signature", "statement": "The promise.", "verdict": "DIVERGES", "field": ""}
    descriptor = dict(about.pop("descriptor", {}), ndproof=1, route=route)
    first.update(outlier="numpy", differences=differences, descriptor=descriptor)
    ends = about.pop("encoder", PYTHON), about.pop("decoder", PYTHON)
    text = json.dumps(dict(first, **about)).encode() + b"\n"
    text += frame(1, ends[0]) + frame(1, ends[1])
    text += frame(2, {"programs": [[]], "cases": [spec]}, binary) + frame(4, {"slots": slots}, seen)
    return Case(io.BytesIO(text))


def run(text, folder, python=LIBRARY_PYTHON):
    path = folder / "script.py"
    path.write_text(text)
    return subprocess.run([python, path], capture_output=True, text=True, timeout=120)


def assert_ends(expected, case, folder, python=LIBRARY_PYTHON):
    text = render(case)
    done = run(text, folder, python)
    assert done.returncode == expected and "expected" in done.stdout, text + done.stdout + done.stderr


@functools.lru_cache(None)
def has_library(name):
    return subprocess.run([LIBRARY_PYTHON, "-c", "import " + name], capture_output=True).returncode == 0


def skip_without(name):
    if name in ("joblib", "cloudpickle", "dill") and not has_library(name):
        pytest.skip("the environment has no " + name)


def route(form, encode, decode, **more):
    return dict(more, format=form, encode=encode, decode=decode)


ROUTES = [
    route("npy", "memory", "memory"),
    route("npy", "file", "file"),
    route("npy", "mapped", "mmap:r+"),
    route("npy", "file", "memory"),
    route("npy", "memory", "mmap:c"),
    route("npz", "compressed", "memory"),
    route("npz", "file", "file"),
    route("raw", "memory", "memory", offset=7),
    route("raw", "file", "file", offset=7),
    route("raw", "mapped", "mmap:r", offset=16),
    route("pickle", "c", "c", protocol=2),
    route("pickle", "python", "python", protocol=4),
    route("pickle", "c", "python", protocol=5, buffers="out-of-band"),
    route("pickle", "python", "c", protocol=5, buffers="in-band"),
    route("joblib", "file", "mmap:r", protocol=4),
    route("joblib", "zlib", "object", protocol=4),
    route("joblib", "object", "file", protocol=4, level=9),
    route("cloudpickle", "dumps", "here", protocol=5),
    route("cloudpickle", "dumps", "fresh", protocol=5),
    route("dill", "dumps", "here", protocol=4),
    route("npy", "path", "bytes"),
    route("npy", "offset", "sequence"),
    route("npy", "sequence", "offset"),
    route("npy", "stream", "stream"),
    route("npy", "gzip", "zip"),
    route("npy", "zip", "bz2"),
    route("npy", "bz2", "gzip"),
    route("npy", "file:no-pickle", "file:max-header"),
    route("npy", "file:numpy", "file:no-pickle"),
    route("npy", "mapped:keyword", "file:numpy"),
    route("npy", "file", "mmap:c:numpy"),
    route("npz", "path", "object"),
    route("npz", "stream", "gzip"),
    route("npz", "pipe", "object"),
    route("npy", "memory-sequence", "memory-sequence"),
    route("pickle", "pipe", "pipe", protocol=5, buffers="in-band"),
    route("joblib", "object:memory", "object:pipe", protocol=4),
    route("raw", "mapped:numpy", "object", offset=7),
    route("raw", "mapped:keyword", "file:numpy", offset=7),
    route("raw", "file", "mmap:r:numpy", offset=16),
    route("raw", "file", "mmap:c:keyword", offset=16),
    route("pickle", "sequence", "stream", protocol=4),
    route("pickle", "c:no-fix-imports", "c:no-fix-imports", protocol=2),
    route("joblib", "object:memory", "object:sequence", protocol=4),
    route("joblib", "object:gzip", "file:path", protocol=4),
    route("cloudpickle", "dump", "load", protocol=5),
    route("dill", "dumps:recurse", "load", protocol=4),
    {"transport": "copy", "backend": "deepcopy"},
    *({"transport": "shared_memory", "backend": entry} for entry in ("here", "unlinked", "heap", "named")),
    *({"transport": "buffer", "backend": entry} for entry in ("memoryview", "interface")),
    *({"transport": "joblib.Memory", "protocol": 4, "backend": entry} for entry in ("call", "again", "shelve", "mmap:c", "mmap:r:shelve")),
    {"transport": "multiprocessing", "protocol": 4, "backend": "fork:pool"},
    {"transport": "multiprocessing", "protocol": 4, "backend": "spawn:process"},
    {"transport": "joblib.Parallel", "protocol": 5, "backend": "loky", "max_nbytes": -1},
    {"transport": "joblib.Parallel", "protocol": 5, "backend": "threading:return", "mmap_mode": "none"},
]


@pytest.mark.parametrize("way", ROUTES, ids=lambda way: "-".join(map(str, way.values())))
def test_script_compares_with_the_promise(way, tmp_path):
    skip_without(way.get("format", way.get("transport", "")).split(".")[0])
    # Pickles below protocol 5 have elements in native byte order, which NumPy documents.
    dtype = ">i2" if way.get("protocol", 5) == 5 else numpy.dtype("i2").str
    promised = observation(numpy.ndarray((2, 3), dtype, DATA, 0, None, "F"))
    differences = [("[0]", "0", "1"), ("shape[0]", "2", "3"), ("dtype.order", ">", "<")]
    value, model = {"array": {"base": {"dtype": dtype, "shape": [2, 3], "order": "F"}}}, dict(AS, dtype=dtype)
    case = functools.partial(make_case, value, way, *differences, data=DATA, result=promised, model=model)
    assert_ends(FIXED, case(promised=promised), tmp_path)
    assert_ends(SHOWN, case(promised=dict(promised, elements=DATA[::-1])), tmp_path)


PLAIN = {"memory", "file", "mapped", "compressed", "c", "python", "object", "dumps", "mmap:r", "here", "fresh"}
POOLS = ("copy", "joblib.Parallel", "multiprocessing", "multiprocess")


def with_histories():
    for way in ROUTES:
        if way.get("transport", "copy") not in POOLS or not {way.get("encode", "c"), way.get("decode", "c")} <= PLAIN:
            continue
        histories = ("reused", "failed", "freed", "threads", "forked")
        if "transport" in way:
            parallel = ("reused", "freed", "threads") if way["transport"] == "joblib.Parallel" else ("reused", "freed")
            histories = histories[:4] if way["transport"] == "copy" else parallel
        if way.get("backend") != "spawn:process":
            yield from (dict(way, history=history) for history in histories)
    # Each thread has a file of its own.
    yield from (route("npy", kind, kind, history="threads") for kind in ("path", "offset", "sequence", "gzip", "zip"))


@pytest.mark.parametrize("way", with_histories(), ids=lambda way: "-".join(map(str, way.values())))
def test_script_repeats_the_history(way, tmp_path):
    skip_without(way.get("format", way.get("transport", "")).split(".")[0])
    promised = observation(numpy.ndarray((2, 3), numpy.dtype("i2"), DATA, 0, None, "F"))
    dtype = promised["dtype"]
    value, model = {"array": {"base": {"dtype": dtype, "shape": [2, 3], "order": "F"}}}, dict(AS, dtype=dtype)
    case = functools.partial(make_case, value, way, ("[0]", "0", "1"), data=DATA, result=promised, model=model)
    assert_ends(FIXED, case(promised=promised), tmp_path)
    assert_ends(SHOWN, case(promised=dict(promised, elements=DATA[::-1])), tmp_path)


@pytest.mark.parametrize("codec", ["pickle:dumps>pickle:loads", "pickle:dumps>pickle:loads>gc:collect"])
def test_script_imports_a_codec(codec, tmp_path):
    promised = observation(numpy.ndarray((2, 3), "<i2", DATA, 0, None, "F"))
    value = {"array": {"base": {"dtype": "<i2", "shape": [2, 3], "order": "F"}}}
    way = route("pickle:dumps", "codec", "codec")
    case = functools.partial(make_case, value, way, ("[0]", "0", "1"), data=DATA, result=promised, codecs=[codec])
    assert_ends(FIXED, case(promised=promised), tmp_path)
    assert_ends(SHOWN, case(promised=dict(promised, elements=DATA[::-1])), tmp_path)
    with pytest.raises(Refused):
        render(make_case(value, way, ("[0]", "0", "1"), data=DATA, result=promised, promised=promised))


# Each statement takes a resource and keeps it until the process ends.
TAKES = {
    "descriptors": 'open("/dev/null")',
    "maps": "mmap.mmap(os.open(__file__, os.O_RDONLY), 0, access=mmap.ACCESS_READ)",
    "shared_memory": 'open("/dev/shm/ndproof-test-%d-%d" % (os.getpid(), len(kept)), "w").close()',
    "temporary_files": 'open("kept%d" % len(kept), "w").close()',
    "children": 'subprocess.Popen(["sleep", "60"])',
}
LEAKY = """\
import atexit, glob, mmap, os, subprocess
kept = []
def end():
    for one in kept: one.kill() if hasattr(one, "kill") else None
    for name in glob.glob("/dev/shm/ndproof-test-%%d-*" %% os.getpid()): os.unlink(name)
atexit.register(end)
def encode(x):
    kept.append(%s)
    return b""
def decode(d): return 0
"""


@pytest.mark.parametrize("what", TAKES)
def test_script_counts_what_a_trip_leaves(what, tmp_path):
    (tmp_path / "leaky.py").write_text(LEAKY % TAKES[what])
    value, difference = {"array": {"base": {"dtype": "<i2", "shape": [6]}}}, (what, "1 as at the first sample", "9")
    for form, codec, ends in (("leaky", "leaky:encode>leaky:decode", SHOWN), ("pickle:dumps", "pickle:dumps>pickle:loads", FIXED)):
        case = make_case(value, route(form, "codec", "codec"), difference, data=DATA, codecs=[codec])
        assert_ends(ends, case, tmp_path)


def test_script_encodes_in_a_second_format(tmp_path):
    """raw bytes do not say the memory order, whichever format the array comes from."""
    way = route("npy", "file", "file")
    for second, path, ends in ((PICKLE, "[0]", FIXED), (PICKLE, "accepted", FIXED), (RAW_C, "strides[0]", SHOWN)):
        difference = ("pickle4:c>c: " + path, "accepted", "other")
        seen = observation(numpy.ndarray((2, 3), ">i2", DATA, 0, None, "F"))
        case = make_case(ARRAY, way, difference, data=DATA, result=seen, model=dict(AS, order="C"), second={"route": second})
        assert_ends(ends, case, tmp_path)


def test_script_compares_shapes(tmp_path):
    promised = observation(numpy.zeros((2, 3), "<i2"))
    case = make_case(ARRAY, NPY, ("shape[0]", "3", "2"), data=DATA, promised=dict(promised, shape=[3, 2]), model=AS)
    assert_ends(SHOWN, case, tmp_path)


STRUCTURE = {
    "fields": [{"name": "a", "offset": 4, "dtype": "<f4"}, {"name": "\u00e9\"'", "title": "T", "offset": 0, "dtype": "|u1"}],
    "itemsize": 8,
    "aligned": True,
}
# A field has the name that as_strided gives the padding.
PADDED = {"fields": [{"name": "f0", "offset": 4, "dtype": "<f4"}], "itemsize": 8}
# Base, views, class and more of an array value; its data.
VALUES = {
    "zeros": ({"dtype": "<i4", "shape": [2]}, [], bytes(8)),
    "shifted": ({"dtype": ">i2", "shape": [3], "misalign": 3}, [], DATA[:6]),
    "read-only": ({"dtype": ">i2", "shape": [3], "readonly": True}, [], DATA[:6]),
    "structure": ({"dtype": STRUCTURE, "shape": [1]}, [], bytes([1, 0, 0, 0, 5, 6, 7, 8])),
    "sub-array": ({"dtype": {"base": "<i2", "shape": [2]}, "shape": [3]}, [], DATA),
    "nothing": ({"dtype": "<U0", "shape": [2]}, [], b""),
    "metadata": ({"dtype": {"type": "<i4", "metadata": {"k": [None, "\u20ac"]}}, "shape": []}, [], DATA[:4]),
    "objects": ({"dtype": "|O", "shape": [2]}, [], struct.pack("<2q", -1, 7)),
    "map": ({"dtype": "<i2", "shape": [6], "memmap": {"mode": "c", "offset": 5}}, [{"slice": [[5, -2, 3]]}], DATA),
    "new map": ({"dtype": "<i2", "shape": [6], "memmap": {"mode": "w+", "offset": 16}}, [], DATA),
    "reshape": ({"dtype": "|u1", "shape": [12]}, [{"reshape": [3, 4], "order": "F"}, {"transpose": [1, 0]}], DATA),
    "slices": ({"dtype": "|u1", "shape": [3, 4]}, [{"slice": [[2, -1, 3], [0, 2, 0]]}, {"newaxis": 1}], DATA),
    "broadcast": ({"dtype": "<i4", "shape": [3]}, [{"broadcast": [2, 3]}], DATA),
    "field": ({"dtype": STRUCTURE, "shape": [1]}, [{"field": "a"}, {"as_dtype": ">u4"}], bytes(8)),
    "imaginary": ({"dtype": "<c8", "shape": [1]}, [{"imag": True}], DATA[:8]),
    "window": ({"dtype": "<i2", "shape": [6]}, [{"strided": [2, 2], "strides": [4, 2], "offset": 2}], DATA),
    "window on padding": ({"dtype": PADDED, "shape": [3]}, [{"strided": [2], "strides": [8]}], bytes(24)),
    "overlap": ({"dtype": "<i2", "shape": [6]}, [{"strided": [4, 2], "strides": [2, 2]}], DATA),
}


@pytest.mark.parametrize("name", VALUES)
def test_script_builds_what_the_testee_builds(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    base, views, data = VALUES[name]
    value = {"array": {"base": base, "views": views, "writeable": name != "reshape"}}
    script, scope = Script(make_case(value, NPY, data=data)), {"np": numpy}
    values.build(script, value["array"], data, "a")
    exec("\n".join(script._helpers + script.body), scope)
    expected, got = build_value(value, data, Store(), str(tmp_path / "testee.map")), scope["a"]
    for look in ("dtype", "shape", "strides", "flags.writeable", "flags.aligned", "dtype.metadata"):
        assert operator.attrgetter(look)(got) == operator.attrgetter(look)(expected), look
    assert type(got) is type(expected) and got.tolist() == expected.tolist()


@pytest.mark.parametrize("content", [b"", b"a\"'\\\x93\n", b"\0" * 9, "", "\0\ud800\u00e9\U0001f600\"'\\\n"])
def test_literal_means_its_content(content):
    assert literal(content).isascii() and "\n" not in literal(content) and eval(literal(content)) == content


def graph(*nodes, root=0):
    return {"graph": {"root": root, "nodes": list(nodes)}}


def array_node(kind="ndarray", **more):
    return dict(more, array={"base": {"dtype": "<i4", "shape": [1]}, "class": {"name": kind}}, data=[0, 4])


NEXT = bytes(4)
GRAPHS = {
    # numpy.ma.MaskedArray.__getstate__ leaves the hard mask out (NumPy 1.26 to 2.4).
    "hard mask": (SHOWN, graph(array_node("MaskedArray", hard_mask=True)), PICKLE, ("nodes[0].hard_mask", "true", "false")),
    # numpy.ndarray.__reduce__ leaves the attributes of a subclass out (the documentation of NumPy's pickles).
    "attribute": (
        SHOWN,
        graph(array_node("finalize_getattr", attributes={"extra": 1}), {"int": "7"}),
        PICKLE,
        ("nodes[0].attributes.extra", "7", "None"),
    ),
    "kept attribute": (
        FIXED,
        graph(array_node("reduce_pair", attributes={"extra": 1}), {"int": "7"}),
        PICKLE,
        ("nodes[0].attributes.extra", "7", "None"),
    ),
    "whole": (FIXED, graph(array_node("reduce_only", attributes={"extra": 1}), {"none": True}), PICKLE, ("nodes[0].whole", "true", "E")),
    "one object": (FIXED, graph({"list": [1, 1]}, array_node()), PICKLE, ("nodes[1]", "one object", "two objects")),
    "two objects": (FIXED, graph({"list": [1, 2]}, array_node(), array_node()), PICKLE, ("nodes[1]", "two", "one object")),
    # A shallow copy contains the objects of the original (Python copy documentation).
    "object of the source": (
        SHOWN,
        graph({"list": [1]}, {"list": []}),
        {"transport": "copy", "backend": "copy"},
        ("nodes[1]", "a new object", "the object that was sent"),
    ),
    "new object": (
        FIXED,
        graph({"list": [1]}, {"list": []}),
        {"transport": "copy", "backend": "deepcopy"},
        ("nodes[1]", "a new object", "the object that was sent"),
    ),
    # pickle gives a view memory of its own.
    "shared memory": (
        SHOWN,
        graph({"tuple": [1, 2]}, array_node(), {"view": {"of": 1, "views": []}}),
        PICKLE,
        ("nodes[1] and nodes[2]", "shared", "not shared"),
    ),
    "values": (
        FIXED,
        graph({"dict": [[1, 2]]}, {"text": "k"}, {"objects": {"shape": [1], "items": [3]}}, array_node()),
        PICKLE,
        ("nodes[3]: [0]", "0", "1"),
    ),
    "scalars": (
        FIXED,
        graph({"list": [1, 2, 3, 4]}, {"float": "3ff8000000000000"}, {"bytes": "00ff"}, {"bool": True}, {"none": True}),
        PICKLE,
        ("nodes[0].items[0]", "1.5", "2.5"),
        ("nodes[0].items[3]", "None", "0"),
    ),
    "closure": (
        FIXED,
        graph(
            {"function": {"code": "add", "name": "f", "cells": [1], "defaults": [2], "kwdefaults": {"k": 2}}},
            {"cell": 2},
            {"int": "5"},
        ),
        route("cloudpickle", "dumps", "here", protocol=5),
        ("nodes[0].results[0]", "17", "18"),
        ("nodes[1].content", "5", "6"),
    ),
    "importable": (
        FIXED,
        graph({"list": [1]}, {"function": {"code": "call", "name": "decorated", "importable": True}}),
        {"transport": "multiprocessing", "backend": "spawn:pool", "protocol": 4},
        ("nodes[1].name", "decorated", "f"),
    ),
    "partial": (
        FIXED,
        graph(
            {"partial": {"function": 1, "args": [2], "keywords": {}}},
            {"function": {"code": "identity", "name": "identity", "importable": True}},
            {"int": "3"},
        ),
        PICKLE,
        ("nodes[0].args[0]", "3", "4"),
    ),
    "vectorize": (
        FIXED,
        graph({"vectorize": {"function": 1, "otypes": "d"}}, {"function": {"code": "add", "name": "add", "importable": True}}),
        PICKLE,
        ("nodes[0].otypes", "d", "None"),
        ("nodes[0].results[0]", "[2. 3.]", "[2 3]"),
    ),
    "changed": (FIXED, graph({"list": [1]}, array_node()), PICKLE, ("touched: nodes[1]: [0]", "-1", "0")),
    "archive": (
        FIXED,
        graph({"dict": [[1, 2], [3, 2]]}, {"text": "a"}, array_node(), {"text": "b"}),
        route("npz", "memory", "file"),
        ("nodes[2]: [0]", "0", "1"),
    ),
    # numpy.savez stores each array as a file of its own.
    "archive of one array twice": (
        SHOWN,
        graph({"dict": [[1, 2], [3, 2]]}, {"text": "a"}, array_node(), {"text": "b"}),
        route("npz", "compressed", "memory"),
        ("nodes[2]", "one object", "two objects"),
    ),
    "refusal": (
        SHOWN,  # pickle cannot find a function that is in no module
        graph({"function": {"code": "identity", "name": "f"}}),
        PICKLE,
        ("accepted", "accepted", "refused"),
    ),
}


@pytest.mark.parametrize("entry", ["here", "assigned", "pickled", "named"])
def test_script_sends_a_list_through_shared_memory(entry, tmp_path):
    way = {"transport": "shared_memory.ShareableList", "backend": entry}
    for text, ends in (("a", FIXED), ("a\0", SHOWN)):  # the documentation: NULs at the end may be stripped
        value = graph({"list": [1, 2]}, {"text": text}, {"none": True})
        assert_ends(ends, make_case(value, way, ("nodes[0].items[0]", text, "a")), tmp_path)


@pytest.mark.parametrize("name", GRAPHS)
def test_script_of_a_graph(name, tmp_path):
    expected, value, way, *differences = GRAPHS[name]
    skip_without(way.get("format"))
    assert_ends(expected, make_case(value, way, *differences, data=NEXT), tmp_path)


def npy_bytes(array):
    file = io.BytesIO()
    numpy.save(file, array)
    return file.getvalue()


WHOLE = npy_bytes(numpy.zeros(3, "<i2"))
PAYLOAD = {"descriptor": {"bytes": ""}, "encoder": REFERENCE}


@pytest.mark.parametrize(
    "expected, content, decode, promise",
    [
        (FIXED, WHOLE, "file", "accepted"),
        (FIXED, WHOLE[:-1], "file", "refused"),
        (SHOWN, WHOLE, "file", "refused"),
        (SHOWN, WHOLE[:-1], "memory", "accepted"),
        # numpy.load(..., mmap_mode="r+") makes a file longer that is cut short.
        (SHOWN, WHOLE[:-6], "mmap:r+", "refused"),
    ],
)
def test_script_of_crafted_bytes(expected, content, decode, promise, tmp_path):
    way, difference = route("npy", "memory", decode), ("accepted", promise, "something else")
    assert_ends(expected, make_case(None, way, difference, encoded=content, **PAYLOAD), tmp_path)


def test_script_reads_the_buffers_of_another_implementation(tmp_path):
    way = route("pickle", "python", "c", protocol=5, buffers="out-of-band")
    array, found = numpy.ndarray((2, 3), "<i2", bytearray(DATA)), []
    encoded = pickle.dumps(array, 5, buffer_callback=found.append)
    given = dict(encoder=REFERENCE, encoded=encoded, buffers=[one.raw().tobytes() for one in found], data=DATA)
    case = functools.partial(make_case, ARRAY, way, ("[0]", "0", "1"), result=observation(array), **given)
    assert_ends(FIXED, case(promised=observation(array)), tmp_path)
    assert_ends(SHOWN, case(promised=dict(observation(array), elements=DATA[::-1])), tmp_path)


@pytest.mark.parametrize("expected, content", [(FIXED, {"text": "5"}), (SHOWN, {"text": "x"})])
def test_script_of_a_value_that_is_not_built(expected, content, tmp_path):
    value = graph({"class": {"import": "fractions:Fraction", "args": [1], "keep": ["numerator"]}}, content)
    assert_ends(expected, make_case(value, PICKLE, ("built", "accepted", "ValueError"), field="built"), tmp_path)


def test_script_of_another_entry_point(tmp_path):
    way = route("npy", "memory", "memory")
    short = make_case(None, way, ("mmap:r+: accepted", "refused", "accepted"), encoded=WHOLE[:-6], **PAYLOAD)
    assert_ends(SHOWN, short, tmp_path)
    result = observation(numpy.zeros(3, "<i2"))
    whole = make_case(None, way, ("mmap:r: [0]", "0", "1"), encoded=WHOLE, result=result, **PAYLOAD)
    assert_ends(FIXED, whole, tmp_path)


@pytest.mark.parametrize("expected, dtype", [(FIXED, "<i8"), (SHOWN, "<M8[s]")])
def test_script_of_another_entry_point_of_a_transport(expected, dtype, tmp_path):
    # NumPy's buffers refuse times, and its array interface does not (multiarray/buffer.c, _buffer_format_string).
    way = {"transport": "buffer", "backend": "memoryview"}
    value = {"array": {"base": {"dtype": dtype, "shape": [2]}}}
    case = make_case(value, way, ("interface: accepted", "refused", "accepted"), data=bytes(16))
    assert_ends(expected, case, tmp_path)


CHANGED = [
    (route("npy", "memory", "memory"), FIXED),
    (route("npz", "file", "memory"), FIXED),
    (route("cloudpickle", "dumps", "fresh", protocol=5), FIXED),
    ({"transport": "copy", "backend": "deepcopy"}, FIXED),
    ({"transport": "multiprocessing", "protocol": 4, "backend": "fork:process"}, FIXED),
    ({"transport": "joblib.Parallel", "protocol": 5, "backend": "multiprocessing:once", "max_nbytes": 1}, FIXED),
    # A pool keeps the file of an array as long as the array lives (joblib 1.1 to 1.6, ArrayMemmapForwardReducer).
    ({"transport": "joblib.Parallel", "protocol": 5, "backend": "multiprocessing", "max_nbytes": 1}, SHOWN),
]


@pytest.mark.parametrize("path", ["touched: [0]", "touched", "touched_encoded"])
@pytest.mark.parametrize("way, ends", CHANGED, ids=lambda value: "-".join(map(str, value.values())) if type(value) is dict else "")
def test_script_sends_a_changed_source(way, ends, path, tmp_path):
    skip_without(way.get("format", way.get("transport", "")).split(".")[0])
    if path == "touched_encoded" and "transport" in way:
        pytest.skip("a transport has no encoding")
    seen = observation(numpy.ndarray((2, 3), ">i2", DATA, 0, None, "F"))
    case = make_case(ARRAY, way, (path, "accepted", "other"), data=DATA, result=seen, promised=seen, model=AS)
    assert_ends(FIXED if path == "touched" else ends, case, tmp_path)


@pytest.mark.parametrize(
    "decode, difference, expected",
    [
        ("mmap:r+", ("poked", "written", "refused"), FIXED),
        ("mmap:r", ("poked", "written", "refused"), SHOWN),
        ("mmap:c", ("file_after[0]", "0", "1"), FIXED),
        ("mmap:r+", ("file_after[0]", "0", "1"), FIXED),
        ("mmap:r+", ("result_after[0]", "0", "1"), FIXED),
        ("memory", ("again: [0]", "0", "1"), FIXED),
        ("memory", ("reencoded[0]", "0", "1"), FIXED),
        ("memory", ("mapped: encoded", "0", "1"), FIXED),
        ("memory", ("peak", "at most 100000 bytes", "1"), FIXED),
        ("memory", ("peak", "at most 0 bytes", "1"), SHOWN),
        ("mmap:r", ("backing.class", "true", "false"), FIXED),
        ("mmap:r", ("backing.mapped", "true", "false"), FIXED),
        ("file", ("backing.mapped", "true", "false"), SHOWN),
        ("file", ("flags.writeable", "true", "false"), FIXED),
        ("file", ("class", "memmap", "ndarray"), SHOWN),
    ],
)
def test_script_of_one_question(decode, difference, expected, tmp_path):
    seen = observation(numpy.ndarray((2, 3), ">i2", DATA, 0, None, "F"))
    case = make_case(ARRAY, route("npy", "file", decode), difference, data=DATA, result=seen, promised=seen, model=AS)
    assert_ends(expected, case, tmp_path)


def test_script_of_lost_metadata(tmp_path):
    """The npy format has no metadata (numpy.lib.format warns of it); a copy keeps them."""
    dtype = {"type": "<i4", "metadata": {"a": None}}
    value, promised = {"array": {"base": {"dtype": dtype, "shape": [1]}}}, {"dtype": dtype, "shape": [1], "elements": NEXT}
    difference = ("dtype.metadata", '{"a":null}', "none")
    model = {"dtype": dtype, "shape": [1], "order": "C"}
    copied = {"transport": "copy", "backend": "copy"}
    for way, expected in ((NPY, SHOWN), (copied, FIXED)):
        assert_ends(expected, make_case(value, way, difference, data=NEXT, promised=promised, model=model), tmp_path)


def test_script_of_overlapping_fields(tmp_path):
    """joblib converts arrays to native order, which cannot keep fields that share bytes; pickle converts nothing."""
    if not has_library("joblib"):
        pytest.skip("joblib is not installed")
    big, little = (
        {"fields": [{"name": n, "offset": at, "dtype": order + "i4"} for n, at in (("a", 0), ("b", 1))], "itemsize": 5}
        for order in "><"
    )
    data, value = b"\0\0\0\0\1", {"array": {"base": {"dtype": big, "shape": []}}}
    promised, seen = ({"dtype": dtype, "shape": [], "elements": data} for dtype in (big, little))
    model = {"dtype": big, "shape": [], "order": "C"}
    for way, expected in ((route("joblib", "file", "file"), SHOWN), (route("pickle", "c", "c"), FIXED)):
        case = make_case(value, way, ("[].a", "0", "256"), data=data, promised=promised, result=seen, model=model)
        assert_ends(expected, case, tmp_path)


@pytest.mark.skipif(not SEEDS.exists(), reason="the environment seeds is not set up: make env NAME=seeds")
def test_script_shows_a_defect_that_a_later_version_fixed(tmp_path):
    """joblib 1.4.2 cannot send a big-endian array as a file to a worker; joblib 1.6.0 can."""
    skip_without("joblib")
    way = {"transport": "joblib.Parallel", "protocol": 5, "backend": "loky", "max_nbytes": 1}
    value = {"array": {"base": {"dtype": ">i4", "shape": [3]}}}
    case = make_case(value, way, ("accepted", "accepted", "BrokenProcessPool"), data=DATA)
    assert_ends(SHOWN, case, tmp_path, SEEDS)
    assert_ends(FIXED, case, tmp_path)


def test_script_of_a_death(tmp_path):
    value = {"array": {"base": {"dtype": "<i4", "shape": [3]}}}
    entries = [{"format": "npy", "encode": ["memory", "file", "mapped"], "decode": ["memory", "file", "mmap:r"]}]
    ends = {"encoder": dict(PYTHON, entries=entries), "decoder": dict(PYTHON, entries=entries)}
    case = make_case(value, NPY, data=DATA, verdict="CRASH", **ends)
    assert_ends(FIXED, case, tmp_path)
    (tmp_path / "sitecustomize.py").write_text("import os, numpy\nnumpy.load = lambda *words, **options: os.abort()\n")
    python = tmp_path / "python"
    python.write_text('#!/bin/sh\nPYTHONPATH="%s" exec "%s" "$@"\n' % (tmp_path, LIBRARY_PYTHON))
    python.chmod(0o755)
    assert_ends(SHOWN, case, tmp_path, python)


def test_script_of_a_schedule_of_threads():
    threads = [[["set", 10, 5], ["read", 0, 10]], [["delete", 0, 5], ["iterate", 0, 0]]]
    for key in ("int64", "float64", "unicode", "tuple"):
        value = {"dict": {"key": key, "item": "array", "initial": 10, "rounds": 8, "threads": threads}}
        text = render(make_case(value, {"transport": "threads", "backend": "threads"}))
        compile(text, "script", "exec")
        assert "[[(0, 10, 5, 1), (1, 0, 10, 2)], [(2, 0, 5, 5), (3, 0, 0, 6)]]" in text


MANY = graph({"list": list(range(1, 100))}, *[{"list": []}] * 99)
REFUSALS = {
    "no Python library": dict(value=ARRAY, way=NPY, encoder=REFERENCE, decoder=REFERENCE),
    "the library at fault, reference": dict(value=ARRAY, way=NPY, decoder=REFERENCE, outlier="reference"),
    "no difference": dict(value=ARRAY, way=NPY, differences=[]),
    "can encode by unknown of npy": dict(value=ARRAY, way=route("npy", "unknown", "file")),
    "can decode by unknown of npy": dict(value=ARRAY, way=route("npy", "file", "unknown")),
    "can send by pigeon": dict(value=ARRAY, way={"transport": "pigeon", "backend": "post"}),
    "bytes to decode are unknown": dict(value=ARRAY, way=NPY, encoder=REFERENCE),
    "type and shape of the array are unknown": dict(value=None, way=route("raw", "file", "file"), encoded=b"", **PAYLOAD),
    "only one path": dict(value=graph({"list": [1]}, array_node()), way=PICKLE, differences=[("nodes[1]", "", "two objects")]),
    "no script can ask": dict(value=graph({"list": []}), way=PICKLE, differences=[("elsewhere", "", "")]),
    "arrays of the class unknown": dict(value=graph(array_node("unknown")), way=PICKLE),
    "no script can build the cycle": dict(value=graph({"tuple": [0]}), way=PICKLE),
    "partial array": dict(value=ARRAY, way=NPY, differences=[("partial", "", "")]),
    "the promised array is unknown": dict(value=ARRAY, way=NPY, data=DATA, model=AS, differences=[("shape[0]", "2", "1")]),
    "too large": dict(value=None, way=NPY, encoded=bytes(range(256)) * (1 << 16), **PAYLOAD),
}


@pytest.mark.parametrize("reason", REFUSALS)
def test_script_is_refused_with_the_reason(reason):
    options = dict(REFUSALS[reason])
    differences = options.pop("differences", [("flags.writeable", "true", "false")])
    with pytest.raises(Refused, match=reason):
        render(make_case(options.pop("value"), options.pop("way"), *differences, **options))


def test_long_scripts_have_several_statements_on_a_line(tmp_path):
    case = make_case(MANY, PICKLE, ("nodes[0].items[0]", "[]", "None"))
    assert_ends(FIXED, case, tmp_path)


def test_renderer_prints_the_script_or_the_reason():
    program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "replay_script")
    done = subprocess.run([sys.executable, program], input=b"{}\n", capture_output=True)
    assert done.returncode == 1 and b"expected a frame" in done.stderr
