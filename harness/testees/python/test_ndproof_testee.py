"""Drives the NumPy testee as ndproof does: as a process, through the protocol.

NDPROOF_TESTEE_PYTHONS may list more interpreters to test, each with its own NumPy, separated by ":". Expected bytes,
shapes and strides are written out or computed here without NumPy.
"""

import mmap
import os
import struct
import sys
from types import SimpleNamespace

import pytest

from testee_driver import Testee

PYTHONS = [sys.executable] + [path for path in os.environ.get("NDPROOF_TESTEE_PYTHONS", "").split(":") if path]
BUILD = [["build", "", "source"], ["observe", "source", "source"]]
DOUBLES = struct.pack("<6d", *range(6))


@pytest.fixture(scope="module", params=PYTHONS)
def testee(request):
    with Testee(request.param) as running:
        yield running
    assert running.code == 0


def array(dtype, shape, views=(), **base):
    top = {key: base.pop(key) for key in ("writeable", "class") if key in base}
    return {"array": dict({"base": dict(base, dtype=dtype, shape=shape), "views": list(views)}, **top)}


def fields(*entries, itemsize, **more):
    return dict(fields=[dict(zip(("name", "offset", "dtype"), entry)) for entry in entries], itemsize=itemsize, **more)


def trip(form, encode, decode, buffers="", protocol=0, offset=0):
    how = [buffers, protocol, offset]
    return BUILD + [
        ["encode", "source", "encoded", form, encode] + how,
        ["fetch", "encoded", "encoded"],
        ["decode", "encoded", "result", form, decode] + how,
        ["observe", "result", "result"],
    ]


def build(testee, value, data=b""):
    return testee.run(BUILD, value, data)


def test_hello(testee):
    hello = testee.hello
    assert hello["protocol"] == 1
    assert hello["implementation"] == "numpy"
    assert hello["version"] == hello["libraries"]["numpy"]
    assert hello["endian"] == sys.byteorder
    assert hello["max_ndim"] in (32, 64)
    assert set(hello["kinds"]) == set("biufcSUVMmORAX")
    routes = {(entry["format"], entry.get("protocol", 0), entry.get("buffers", "")) for entry in hello["entries"]}
    assert ("npy", 0, "") in routes and ("pickle", 5, "out-of-band") in routes and len(routes) >= 10


@pytest.mark.parametrize(
    "dtype, itemsize",
    [("|b1", 1), ("<i2", 2), (">u8", 8), ("<f2", 2), (">f16", 16), (">c32", 32), ("|S3", 3), (">U2", 8)]
    + [("|V5", 5), ("<M8", 8), (">M8[25us]", 8), ("<m8[D]", 8), ({"type": "<f8", "metadata": {"k": [1]}}, 8)],
)
def test_base_holds_the_bytes_that_were_sent(testee, dtype, itemsize):
    data = bytes((7 * k + 3) % 256 for k in range(3 * itemsize))
    answer = build(testee, array(dtype, [3]), data)
    assert answer.elements("source") == data
    seen = answer.observation("source")
    assert seen["dtype"] == dtype
    assert (seen["class"], seen["shape"], seen["strides"]) == ("ndarray", [3], [itemsize])
    assert set(seen["flags"]) - {"O"} == set("CFWA")
    assert "backing" not in seen


def test_native_order_becomes_the_machines(testee):
    seen = build(testee, array("=i4", [1]), bytes(4)).observation("source")
    assert seen["dtype"] == ("<i4" if sys.byteorder == "little" else ">i4")


@pytest.mark.parametrize("dtype", ["|S0", "<U0", "|V0", {"fields": [], "itemsize": 0, "aligned": False}])
def test_items_of_no_size(testee, dtype):
    answer = build(testee, array(dtype, [3]))
    assert answer.observation("source")["dtype"] == dtype
    assert answer.observation("source")["strides"] == [0]
    assert answer.elements("source") == b""


def test_order_misalign_readonly(testee):
    answer = build(testee, array("<f8", [2, 3], order="F", misalign=4, readonly=True), DOUBLES)
    assert answer.observation("source")["strides"] == [8, 16]
    assert set(answer.observation("source")["flags"]) - {"O"} == {"F"}
    assert struct.unpack("<6d", answer.elements("source")) == (0, 2, 4, 1, 3, 5)
    aligned = build(testee, array("<f8", [2, 3], readonly=True), DOUBLES).observation("source")
    assert set(aligned["flags"]) - {"O"} == set("CA")
    unset = build(testee, array("<f8", [6], writeable=False), DOUBLES).observation("source")
    assert set(unset["flags"]) - {"O"} == set("CFA")


STRUCT = fields(("a", 1, "|u1"), ("b", 8, ">f8"), itemsize=24, aligned=False)


@pytest.mark.parametrize(
    "view, shape, strides, expected",
    [
        ({"reshape": [2, 3], "order": "C"}, [2, 3], [24, 8], (0, 1, 2, 3, 4, 5)),
        ({"reshape": [2, 3], "order": "F"}, [2, 3], [8, 16], (0, 2, 4, 1, 3, 5)),
        ({"slice": [[4, -2, 3]]}, [3], [-16], (4, 2, 0)),
        ({"slice": [[1, 2, 2]]}, [2], [16], (1, 3)),
        ({"slice": [[2, 1, 0]]}, [0], [8], ()),
        ({"slice": [[2, -1, 0]]}, [0], [8], ()),
        ({"newaxis": 0}, [1, 6], [0, 8], (0, 1, 2, 3, 4, 5)),
        ({"newaxis": 1}, [6, 1], [8, 0], (0, 1, 2, 3, 4, 5)),
        ({"broadcast": [2, 6]}, [2, 6], [0, 8], (0, 1, 2, 3, 4, 5) * 2),
        ({"strided": [2, 3], "strides": [8, 16], "offset": 0}, [2, 3], [8, 16], (0, 2, 4, 1, 3, 5)),
        ({"strided": [2], "strides": [-16], "offset": 32}, [2], [-16], (4, 2)),
    ],
)
def test_views(testee, view, shape, strides, expected):
    answer = build(testee, array("<f8", [6], [view]), DOUBLES)
    assert answer.observation("source")["shape"] == shape
    assert answer.observation("source")["strides"] == strides
    assert struct.unpack("<%dd" % len(expected), answer.elements("source")) == expected
    assert ("W" in answer.observation("source")["flags"]) == ("broadcast" not in view)


def test_views_of_views_and_of_parts(testee):
    turned = build(testee, array("<f8", [6], [{"reshape": [2, 3]}, {"transpose": [1, 0]}]), DOUBLES)
    assert turned.observation("source")["strides"] == [8, 24]
    assert struct.unpack("<6d", turned.elements("source")) == (0, 3, 1, 4, 2, 5)
    imaginary = build(testee, array("<c16", [3], [{"imag": True}]), DOUBLES)
    assert struct.unpack("<3d", imaginary.elements("source")) == (1, 3, 5)
    real = build(testee, array("<c16", [3], [{"real": True}]), DOUBLES)
    assert struct.unpack("<3d", real.elements("source")) == (0, 2, 4)
    recast = build(testee, array("<f8", [6], [{"as_dtype": "<u4"}]), DOUBLES)
    assert recast.observation("source")["shape"] == [12] and recast.elements("source") == DOUBLES
    data = bytes(range(48))
    field = build(testee, array(STRUCT, [2], [{"field": "b"}]), data)
    assert field.observation("source")["dtype"] == ">f8"
    assert field.elements("source") == data[8:16] + data[32:40]


def test_zero_dimensions_stay_an_array(testee):
    for views in ([], [{"slice": []}], [{"transpose": []}], [{"reshape": []}]):
        answer = build(testee, array("<f8", [], views), DOUBLES[:8])
        assert answer.observation("source")["shape"] == [] and answer.elements("source") == DOUBLES[:8]


def test_padding_is_observed_as_it_lies_there(testee):
    data = bytes(range(96))
    answer = build(testee, array(STRUCT, [4], [{"slice": [[3, -2, 2]]}]), data)
    assert answer.elements("source") == data[72:96] + data[24:48]
    assert answer.observation("source")["dtype"] == STRUCT


def test_structures_say_everything(testee):
    inner = fields(("x", 2, "<i2"), ("y", 0, ">i2"), itemsize=6, aligned=False)
    dtype = {
        "fields": [
            {"name": "a\u00e9\U0001f600'\"\\", "title": "T\u03b1", "offset": 0, "dtype": "<i4"},
            {"name": {"codepoints": [97, 0, 98]}, "offset": 4, "dtype": {"base": inner, "shape": [2, 1]}},
            {"name": {"codepoints": [55296]}, "offset": 2, "dtype": {"type": "<i4", "metadata": {"m": "x"}}},
            {"name": "", "offset": 16, "dtype": "|V0"},
        ],
        "itemsize": 19,
        "aligned": False,
    }
    data = bytes(range(38))
    answer = build(testee, array(dtype, [2]), data)
    assert answer.observation("source")["dtype"] == dtype
    assert answer.elements("source") == data
    aligned = fields(("a", 0, "|u1"), ("b", 8, "<f8"), itemsize=16, aligned=True, metadata={"k": 1})
    assert build(testee, array(aligned, [1]), bytes(16)).observation("source")["dtype"] == aligned


def test_numbers_beyond_doubles_are_strings(testee):
    answer = build(testee, array("|u1", [0, str(2**60)]))
    assert answer.observation("source")["shape"] == [0, str(2**60)]
    assert answer.observation("source")["strides"] == [str(2**60), 1]


def test_many_dimensions(testee):
    most = testee.hello["max_ndim"]
    shape = [2, 2] + [1] * (most - 2)
    turn = {"transpose": [1, 0] + list(range(2, most))}
    answer = build(testee, array("<u2", shape, [turn]), struct.pack("<4H", 0, 1, 2, 3))
    assert struct.unpack("<4H", answer.elements("source")) == (0, 2, 1, 3)


OBJECTS = fields(("o", 3, "|O"), ("n", 12, ">i2"), ("s", 14, {"base": "|O", "shape": [2]}), itemsize=31, aligned=False)


@pytest.mark.parametrize("form, encode, decode", [("npy", "memory", "file"), ("npz", "file", "memory"), ("", "", "")])
@pytest.mark.parametrize("order, misalign", [("C", 0), ("F", 0), ("C", 5), ("F", 5)])
def test_objects_travel_as_integers(testee, form, encode, decode, order, misalign):
    data = bytes((11 * k) % 256 for k in range(4 * 31))
    value = array(OBJECTS, [2, 2], order=order, misalign=misalign)
    answer = testee.run(trip(form, encode, decode) if form else BUILD, value, data)
    items = [data[31 * k : 31 * k + 31] for k in range(4)]
    expected = b"".join(items if order == "C" else [items[k] for k in (0, 2, 1, 3)])
    assert answer.elements("source") == expected
    assert answer.observation("source")["strides"] == ([62, 31] if order == "C" else [31, 62])
    if form:
        assert [
            k for k in range(124) if answer.elements("result")[k] != expected[k] and k % 31 not in (0, 1, 2, 11, 30)
        ] == []


def test_an_object_that_is_no_integer_is_told(testee):
    foreign = b"\x80\x04cnumpy\nfull\nK\x02cbuiltins\nint\ncbuiltins\nobject\n\x87R."  # numpy.full(2, int, object)
    steps = [["supply", "", "encoded"], ["decode", "encoded", "result", "pickle", "c", "", 4, 0]]
    answer = testee.run(steps + [["observe", "result", "result"]], supplied=foreign)
    assert answer.reason("result") == "type"


@pytest.mark.parametrize("mode", ["r", "r+", "w+", "c"])
@pytest.mark.parametrize("offset", [0, 3, 4096, 5000])
def test_maps(testee, mode, offset):
    steps = BUILD + [["fetch", "source", "file_after"]]
    views = [{"slice": [[2, 1, 3]]}]
    answer = testee.run(steps, array("<f8", [6], views, memmap={"mode": mode, "offset": offset}), DOUBLES)
    seen = answer.observation("source")
    assert seen["class"] == "memmap"
    assert seen["backing"] == {
        "class": True,
        "claims": "case",
        "mapped": True,
        "mode": mode,
        "offset": offset,
        "position": offset + 16,
    }
    assert ("W" in seen["flags"]) == (mode != "r")
    assert answer.bytes("file_after") == b"\xee" * offset + DOUBLES


def test_windows_of_structures_whose_padding_is_called_as_a_field(testee):
    dtype = fields(("f1", 4, "<i4"), ("f0", 12, "<i4"), itemsize=16, aligned=False)
    data = bytes(range(48))
    answer = build(testee, array(dtype, [3], [{"strided": [3], "strides": [-16], "offset": 32}]), data)
    assert answer.observation("source")["dtype"] == dtype
    assert answer.elements("source") == data[32:] + data[16:32] + data[:16]


@pytest.mark.parametrize("stride, offset, expected", [(8, 8, (1, 2)), (-16, 24, (3, 1)), (0, 16, (2, 2))])
def test_windows_into_objects(testee, stride, offset, expected):
    window = {"strided": [2], "strides": [stride], "offset": offset}
    answer = build(testee, array("|O", [4], [window]), struct.pack("<4q", *range(4)))
    assert struct.unpack("<2q", answer.elements("source")) == expected


def test_windows_into_a_map(testee):
    map_ = {"mode": "r", "offset": 3}
    views = [{"strided": [2], "strides": [16], "offset": 8}]
    seen = build(testee, array("<f8", [6], views, memmap=map_), DOUBLES).observation("source")
    assert seen["class"] == "memmap"
    assert (seen["backing"]["claims"], seen["backing"]["offset"], seen["backing"]["position"]) == ("case", 3, 11)
    real = build(testee, array("<c16", [3], [{"imag": True}], memmap=map_), DOUBLES).observation("source")
    assert (real["class"], real["backing"]["position"]) == ("memmap", 11)


def test_nothing_lies_nowhere(testee):
    seen = build(testee, array("<f8", [0, 3], memmap={"mode": "r", "offset": 5})).observation("source")
    assert seen["backing"] == {"class": True, "claims": "case", "mapped": False, "mode": "r", "offset": 5}


def test_a_created_map_holds_padding_too(testee):
    data = bytes(range(48))
    answer = build(testee, array(STRUCT, [2], memmap={"mode": "w+", "offset": 0}), data)
    assert answer.elements("source") == data


ROUTES = [
    ("npy", "memory", "memory"),
    ("npy", "memory", "file"),
    ("npy", "file", "memory"),
    ("npy", "file", "file"),
    ("npy", "mapped", "mmap:r"),
    ("npy", "memory", "mmap:r+"),
    ("npy", "file", "mmap:c"),
    ("npz", "memory", "file"),
    ("npz", "file", "memory"),
    ("npz", "compressed", "memory"),
    ("raw", "memory", "memory"),
    ("raw", "memory", "file"),
    ("raw", "file", "file"),
    ("raw", "mapped", "memory"),
    ("raw", "file", "mmap:r"),
    ("raw", "mapped", "mmap:r+"),
    ("raw", "memory", "mmap:c"),
]


@pytest.mark.parametrize("form, encode, decode", ROUTES)
@pytest.mark.parametrize("order", ["C", "F"])
def test_round_trips(testee, form, encode, decode, order):
    offset = 5 if form == "raw" else 0
    value = array(">f8", [2, 3], order=order)
    told = {"dtype": ">f8", "shape": [2, 3], "order": order}
    answer = testee.run(trip(form, encode, decode, offset=offset), value, DOUBLES, **{"as": told})
    seen = answer.observation("result")
    assert answer.elements("result") == answer.elements("source")
    assert (seen["dtype"], seen["shape"]) == (">f8", [2, 3])
    assert seen["strides"] == ([24, 8] if order == "C" else [8, 16])
    assert ("backing" in seen) == decode.startswith("mmap")
    encoded = answer.bytes("encoded")
    if form == "raw":
        assert encoded == b"\xee" * 5 + DOUBLES
    else:
        assert encoded.startswith(b"\x93NUMPY" if form == "npy" else b"PK")
    if "backing" in seen:
        assert seen["backing"]["mode"] == decode[5:]
        assert seen["backing"]["position"] == seen["backing"]["offset"] == len(encoded) - 48


PICKLES = [(protocol, "") for protocol in range(5)] + [(5, "in-band"), (5, "out-of-band")]


@pytest.mark.parametrize("protocol, buffers", PICKLES)
@pytest.mark.parametrize("encode, decode", [("c", "c"), ("c", "python"), ("python", "c"), ("python", "python")])
def test_pickles(testee, protocol, buffers, encode, decode):
    value = array("<f8", [2, 3], order="F")
    answer = testee.run(trip("pickle", encode, decode, buffers, protocol), value, DOUBLES)
    assert answer.elements("result") == answer.elements("source")
    assert answer.observation("result")["strides"] == [8, 16]
    if protocol >= 2:
        assert answer.bytes("encoded")[:2] == b"\x80" + bytes([protocol])
    assert answer.buffers("encoded") == ([DOUBLES] if buffers == "out-of-band" else [])


@pytest.mark.parametrize("buffers", ["in-band", "out-of-band"])
def test_supplied_pickles(testee, buffers):
    answer = testee.run(trip("pickle", "c", "c", buffers, 5), array("<f8", [6], writeable=False), DOUBLES)
    steps = [["supply", "", "encoded"], ["decode", "encoded", "result", "pickle", "python", buffers, 5, 0]]
    again = testee.run(
        steps + [["observe", "result", "result"]],
        supplied=answer.bytes("encoded"),
        supplied_buffers=answer.buffers("encoded"),
    )
    assert again.elements("result") == DOUBLES
    assert "W" not in again.observation("result")["flags"]


def test_a_pickle_does_not_depend_on_what_came_before(testee):
    """dill, once imported, would change how Python's pickler writes `bytes`."""
    if "dill" not in testee.hello["libraries"]:
        pytest.skip("no dill in this interpreter")
    plain = trip("pickle", "python", "python", protocol=1)
    empty = array(fields(itemsize=0), [3])
    before = testee.run(plain, empty).bytes("encoded")
    assert "bytes" in testee.run(trip("dill", "dumps", "here", protocol=4), empty).slots["encoded"]
    after = testee.run(plain, empty)
    assert after.bytes("encoded") == before and b"dill" not in before
    assert after.observation("result")["shape"] == [3]


def test_pickled_map_is_detached(testee):
    value = array("<f8", [6], memmap={"mode": "r", "offset": 0})
    answer = testee.run(trip("pickle", "c", "c", "", 2), value, DOUBLES)
    assert answer.observation("result")["backing"] == {"class": True, "claims": "none", "mapped": False}


@pytest.mark.parametrize("mode", ["r", "r+", "c"])
def test_poke_and_flush(testee, mode):
    steps = trip("npy", "file", "mmap:" + mode) + [
        ["poke", "result", "poked"],
        ["flush", "result", "poked"],
        ["fetch", "result", "file_after"],
        ["observe", "result", "result_after"],
        ["decode", "encoded", "peer0", "npy", "file", "", 0, 0],
        ["observe", "peer0", "peer0"],
    ]
    answer = testee.run(steps, array(">f8", [6]), DOUBLES)
    inverted = bytes(255 - byte for byte in DOUBLES[:8]) + DOUBLES[8:]
    if mode == "r":
        assert answer.reason("poked") == "value"
    else:
        assert answer.slots["poked"] == {}
    assert answer.elements("result_after") == (DOUBLES if mode == "r" else inverted)
    assert answer.bytes("file_after")[-48:] == (inverted if mode == "r+" else DOUBLES)
    assert answer.elements("peer0") == DOUBLES


def test_poke_objects_and_nothing(testee):
    steps = BUILD + [["poke", "source", "poked"], ["observe", "source", "source_after"]]
    answer = testee.run(steps, array("|O", [2]), struct.pack("<2q", 5, 6))
    assert struct.unpack("<2q", answer.elements("source_after")) == (~5, 6)
    assert testee.run(steps, array("<f8", [0])).reason("poked") == "value"
    assert testee.run(BUILD + [["flush", "source", "poked"]], array("<f8", [1]), bytes(8)).reason("poked") == "value"


def header(text):
    padded = text + " " * (-(len(text) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(padded)) + padded.encode("latin-1")


NPY = header("{'descr': '<f8', 'fortran_order': False, 'shape': (6,), }") + DOUBLES


@pytest.mark.parametrize("entry", ["memory", "file", "mmap:r", "mmap:r+", "mmap:c"])
def test_supplied_files(testee, entry):
    steps = [["supply", "", "encoded"], ["decode", "encoded", "result", "npy", entry, "", 0, 0]]
    steps.append(["observe", "result", "result"])
    assert testee.run(steps, supplied=NPY).elements("result") == DOUBLES
    assert testee.run(steps, supplied=NPY[:100]).reason("result") in ("value", "truncated")
    objects = NPY.replace(b"'<f8'", b"'|O' ")
    assert testee.run(steps, supplied=objects).reason("result") == "value"


def test_a_type_without_words_is_refused(testee):
    steps = [["supply", "", "encoded"], ["decode", "encoded", "result", "npy", "memory", "", 0, 0]]
    odd = header("{'descr': '<M8[0s]', 'fortran_order': False, 'shape': (6,), }") + DOUBLES
    assert testee.run(steps + [["observe", "result", "result"]], supplied=odd).reason("result") == "type"


def test_truncation_in_memory_is_told(testee):
    steps = [["supply", "", "encoded"], ["decode", "encoded", "result", "npy", "memory", "", 0, 0]]
    assert testee.run(steps, supplied=NPY[:-1]).reason("result") == "truncated"
    answer = testee.run(trip("pickle", "c", "c", "", 4), array("<f8", [6]), DOUBLES)
    steps[1][3:7] = ["pickle", "c", "", 4]
    assert testee.run(steps, supplied=answer.bytes("encoded")[:-9]).reason("result") == "truncated"


def test_extents_in_a_pickle_may_be_truth_values(testee):
    dtype = fields(("a", 0, {"base": "<i4", "shape": [2, 1]}), itemsize=8, aligned=False)
    answer = testee.run(trip("pickle", "c", "c", "", 2), array(dtype, [6]), DOUBLES)
    extents, truths = b"K\x02K\x01\x86", b"K\x02\x88\x86"
    encoded = answer.bytes("encoded")
    assert encoded.count(extents) == 1
    steps = [["supply", "", "encoded"], ["decode", "encoded", "result", "pickle", "c", "", 2, 0]]
    seen = testee.run(steps + [["observe", "result", "result"]], supplied=encoded.replace(extents, truths))
    assert seen.observation("result")["dtype"] == dtype


def test_byte_order_in_a_pickle_may_be_missing(testee):
    """NumPy takes the state ">" -> "|" for items of two bytes; no type string has it."""
    encoded = testee.run(trip("pickle", "c", "c", "", 2), array("<u2", [1]), b"\1\2").bytes("encoded")
    assert encoded.count(b"X\x01\x00\x00\x00<") == 1
    steps = [["supply", "", "encoded"], ["decode", "encoded", "result", "pickle", "c", "", 2, 0]]
    changed = encoded.replace(b"X\x01\x00\x00\x00<", b"X\x01\x00\x00\x00|")
    record = testee.run(steps + [["observe", "result", "result"]], supplied=changed).slots["result"]
    assert "the protocol cannot express" in record["unsupported"]["message"]


# States in pickles of a structure for which numpy.dtype would make no such type, or which JSON cannot express.
@pytest.mark.parametrize(
    "old, new",
    [
        (b"bK\x04\x86", b"bK\x05\x86"),  # a field outside of the item, or misaligned
        (b"NNK\x04K\x02K\x00t", b"NNK\x05K\x02K\x00t"),  # a sub-array of another size than its elements
        (b"i2q", b"V0q"),  # a sub-array of items of zero bytes, which NumPy changes to one byte
        (b"X\x01\x00\x00\x00z", b"X\x01\x00\x00\x00a"),  # two fields of one name
        (b"G?\xf8", b"G\x7f\xf8"),  # metadata that are not a number
        (b"X\x01\x00\x00\x00m", b"X\x01\x00\x00\x00\x00"),  # or contain a NUL
        (b"X\x01\x00\x00\x00m", b"X\x03\x00\x00\x00\xed\xa0\x80"),  # or half of a character
    ],
)
def test_types_that_only_a_pickle_makes_are_not_claimed(testee, old, new):
    dtype = fields(("a", 0, "<i4"), ("z", 4, {"base": "<i2", "shape": [2]}), itemsize=8, aligned=True)
    dtype["metadata"] = {"m": 1.5}
    steps = [["supply", "", "encoded"], ["decode", "encoded", "result", "pickle", "c", "", 2, 0]]
    steps.append(["observe", "result", "result"])
    encoded = testee.run(trip("pickle", "c", "c", "", 2), array(dtype, [2]), bytes(16)).bytes("encoded")
    assert testee.run(steps, supplied=encoded).observation("result")["dtype"] == dtype
    assert encoded.count(old) >= 1
    assert "unsupported" in testee.run(steps, supplied=encoded.replace(old, new)).slots["result"]


def test_permission_to_unpickle(testee):
    numbers = struct.pack("<2q", 1, -2)
    encoded = testee.run(trip("npy", "memory", "memory"), array("|O", [2]), numbers).bytes("encoded")
    steps = [["supply", "", "encoded"], ["decode", "encoded", "result", "npy", "memory", "", 0, 0]]
    steps.append(["observe", "result", "result"])
    assert testee.run(steps, supplied=encoded).reason("result") == "value"
    assert testee.run(steps, supplied=encoded, objects=True).elements("result") == numbers


def test_refusals_and_what_is_not_claimed(testee):
    overlap = fields(("a", 0, "<i4"), ("b", 2, "<i4"), itemsize=6, aligned=False)
    answer = testee.run(trip("npy", "memory", "memory"), array(overlap, [1]), bytes(6))
    assert answer.slots["encoded"]["refused"]["type"] == "ValueError"
    assert "result" not in answer.slots
    assert build(testee, array("<f8", [6], [{"reshape": [4]}]), DOUBLES).reason("source") == "value"
    assert build(testee, array("<f8", [6], [{"twist": 1}]), DOUBLES).slots["source"]["unsupported"]
    assert build(testee, array("<f8", [6], **{"class": {"name": "Own"}}), DOUBLES).slots["source"]["unsupported"]
    assert testee.run([["dance", "", "source"]]).slots["source"]["unsupported"]
    strange = testee.run(trip("npy", "pigeon", "memory"), array("<f8", [6]), DOUBLES)
    assert strange.slots["encoded"]["unsupported"]["reason"] == "unsupported"
    assert testee.run(trip("raw", "memory", "memory"), array("|O", [1]), bytes(8)).slots["encoded"]["unsupported"]


def test_batches_wait_in_line(testee):
    programs = [BUILD, trip("npy", "file", "mmap:r")]
    cases = []
    for k in range(40):
        value = array("<f8", [1 + k % 3])
        cases.append({"id": str(k), "program": k % 2, "value": value, "data": [8 * (k % 3), 8 * (1 + k % 3)]})
    sequences = [testee.send(programs, cases, DOUBLES) for _ in range(2)]
    for sequence in sequences:
        for k, answer in enumerate(testee.collect(sequence, 40)):
            expected = DOUBLES[8 * (k % 3) :][: 8 * (1 + k % 3)]
            assert answer.elements("source") == expected
            assert ("result" in answer.slots) == (k % 2 == 1)
            if k % 2:
                assert answer.elements("result") == expected
    assert testee.collect(testee.send(programs, []), 0) == []


def test_two_values_in_one_case_do_not_share_memory(testee):
    steps = BUILD + [["build", "", "again"], ["poke", "again", "poked"], ["observe", "source", "source_after"]]
    assert testee.run(steps, array("<f8", [6]), DOUBLES).elements("source_after") == DOUBLES


@pytest.mark.parametrize("noise", [b"NDP2" + bytes(20), b"NDP1\x01" + bytes(19), b"NDP1\x02" + bytes(10)])
def test_a_broken_frame_ends_it(noise, capfd):
    running = Testee()
    os.write(running._write, noise)
    running.close()
    assert running.code == 1
    assert "ValueError" in capfd.readouterr().err  # the traceback that reports show


def test_what_stands_behind_the_json_of_a_batch_ends_it(capfd):
    running = Testee()
    running.send_frame(1, b'{"programs":[],"cases":[]}{}', b"")
    running.close()
    assert running.code == 1
    assert "after its JSON" in capfd.readouterr().err


# Consecutive batches, and the expected depth of the last collection: 2 full, 1 young, 0 youngest.
@pytest.mark.parametrize(
    "op, cases, depth",
    [
        ("build", [{"value": array("<f8", [6])}], 0),
        ("build", [{"value": {"graph": {}}}], 1),
        ("decode", [{"graph": True}], 1),
        ("build", [{"value": array("<f8", [6])}] * 2, 1),
        ("build", [], 0),
        ("transport", [{"value": array("<f8", [6])}], 2),
    ],
)
def test_how_far_cycles_are_looked_for(monkeypatch, op, cases, depth):
    pytest.importorskip("numpy")
    from numpy_testee import interpreter

    looks, programs = [], [[SimpleNamespace(op=op)]]
    monkeypatch.setattr(interpreter.gc, "collect", lambda generation=2: looks.append(generation))
    for calls in ("freeze", "disable"):
        monkeypatch.setattr(interpreter.gc, calls, lambda: None)
    collector = interpreter._Collector()
    assert looks == [2]
    collector.collect(programs, cases)
    assert looks == [2, depth]
    for _ in range(interpreter._COLLECT_ALL_EVERY - 1):
        collector.collect(programs, cases)
    assert looks[2:] == [depth] * (interpreter._COLLECT_ALL_EVERY - 2) + [2]


def test_what_is_imported_is_looked_at_once(monkeypatch):
    pytest.importorskip("numpy")
    from numpy_testee import interpreter

    done, programs = [], [[SimpleNamespace(op="transport")]]
    for calls in ("collect", "freeze", "disable"):
        monkeypatch.setattr(interpreter.gc, calls, lambda calls=calls: done.append(calls))
    collector = interpreter._Collector()
    assert done == ["collect", "freeze", "disable"]
    collector.collect(programs, [{}])
    assert done[3:] == ["collect"]
    monkeypatch.setitem(sys.modules, "a_library_that_a_case_needs", SimpleNamespace())
    collector.collect(programs, [{}])
    assert done[4:] == ["collect", "freeze"]
    collector.collect(programs, [{}])
    assert done[6:] == ["collect"]


def test_claims_are_compared_with_what_is_mapped(tmp_path):
    """A detached copy that claims to be a map, a map of another file, a map without a claim."""
    numpy = pytest.importorskip("numpy")
    from numpy_testee.observation import observe

    path, other = str(tmp_path / "a"), str(tmp_path / "b")
    for name in (path, other):
        with open(name, "wb") as file:
            file.write(DOUBLES)

    def backing(held, files=(path,)):
        text = observe(held, files, 0)[0]
        return text[text.index('"backing"') :]

    mapped = numpy.memmap(path, "<f8", "r", 8, (5,))
    assert (
        backing(mapped) == '"backing":{"class":true,"claims":"case","mapped":true,"mode":"r","offset":8,"position":8}}'
    )
    detached = mapped.copy()
    detached.filename = os.path.relpath(path)
    assert backing(detached) == '"backing":{"class":true,"claims":"case","mapped":false}}'
    assert '"claims":"other","mapped":false' in backing(numpy.memmap(other, "<f8", "r"))
    with open(path, "rb") as file, mmap.mmap(file.fileno(), 48, access=mmap.ACCESS_READ) as memory:
        bare = numpy.frombuffer(memory, "<f8", 2, 16)
        assert backing(bare) == '"backing":{"class":false,"claims":"none","mapped":true,"position":16}}'
        del bare


def test_the_whole_table_answers_as_a_query_does(tmp_path):
    from numpy_testee.mapping import MapTable

    path = tmp_path / "a"
    path.write_bytes(bytes(3 * mmap.PAGESIZE))
    numpy = pytest.importorskip("numpy")
    held = numpy.memmap(str(path), "|u1", "r", mmap.PAGESIZE + 7, (5,))
    address = held.__array_interface__["data"][0]
    table = MapTable()
    expected = (os.stat(path).st_ino, mmap.PAGESIZE + 7)
    assert table.find(address) == expected
    table._answers_queries = False
    assert table.find(address) == expected
    assert table.find(numpy.zeros(1).__array_interface__["data"][0]) is None


def test_metadata_that_cannot_be_read_is_none():
    from numpy_testee.dtypes import metadata_of

    class Loaded:  # as NumPy 2.2 unpickles what 2.4 wrote
        @property
        def metadata(self):
            raise TypeError("mappingproxy() argument must be a mapping, not NoneType")

    assert metadata_of(Loaded()) is None


@pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")  # of numpy.matrix
@pytest.mark.parametrize("kind", ["ndarray", "matrix", "memmap", "structure", "empty", "reversed"])
def test_the_address_is_that_of_the_array_interface(kind, tmp_path):
    numpy = pytest.importorskip("numpy")
    from numpy_testee.memory import address_of

    array = {
        "ndarray": lambda: numpy.arange(9)[2:],
        "matrix": lambda: numpy.matrix([[1, 2], [3, 4]])[1:],
        "memmap": lambda: numpy.memmap(str(tmp_path / "map"), "u1", "w+", 3, (5,)),
        "structure": lambda: numpy.zeros(3, [("a", "i1"), ("b", "f8")])["b"],
        "empty": lambda: numpy.zeros((0, 3)),
        "reversed": lambda: numpy.arange(9)[::-1],
    }[kind]()
    assert address_of(array) == array.__array_interface__["data"][0]


@pytest.mark.parametrize("shape", [(), (3,), (0, 2), (2, 3)])
def test_objects_are_observed_in_any_shape_and_layout(shape):
    numpy = pytest.importorskip("numpy")
    from numpy_testee.memory import element_bytes
    from numpy_testee.refusal import Refused

    numbers = numpy.arange(-2, numpy.prod(shape, dtype=int) - 2, dtype="<i8").reshape(shape)
    objects = numbers.astype(object)
    assert element_bytes(objects) == numbers.tobytes()
    assert element_bytes(objects.T) == numbers.T.tobytes()
    if objects.size:
        for wrong in (2**63, True, "1", None):
            objects[(0,) * len(shape)] = wrong
            with pytest.raises(Refused):
                element_bytes(objects)
