"""Files of the corpora, decoded by the C reference, encoded by all of its encoders, and loaded by NumPy, pickle and
joblib. The result must equal what they load from the file itself.

The reference runs as a testee, so only the protocol is between the two. Files that one side refuses are the subject of
the corpus tests, not of this one.
"""

import io
import os
import pickle
import sys
import warnings

import pytest

from testee_driver import HERE, Testee

numpy = pytest.importorskip("numpy", reason="there is no NumPy to load what the reference wrote")
from numpy_testee import graph_classes  # noqa: E402

try:
    import joblib
except ImportError:
    joblib = None

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
PROGRAM = os.path.join(ROOT, "build", "ndproof")
# A file on which libraries disagree may end the process that loads it.
FOLDERS = [(form, "accept") for form in ("npy", "npz", "pickle", "joblib")] + [("npy", "open"), ("npz", "open")]
# The globals that pickles of arrays use; none of them has side effects.
SAFE = {"_codecs": ["encode"], "copyreg": ["_reconstructor"], "collections": ["OrderedDict"], "joblib": None}
BUILTINS = ["bytes", "bytearray", "object", "set", "frozenset", "complex", "slice", "range", "list", "dict", "tuple"]
PLAIN_LONGDOUBLE = 10  # the meaningful bytes of sixteen on x86


class Careful(pickle.Unpickler):
    def find_class(self, module, name):
        top = module.split(".")[0]
        is_builtin = top in ("builtins", "__builtin__") and name in BUILTINS
        if top == "numpy" or is_builtin or (top in SAFE and (SAFE[top] is None or name in SAFE[top])):
            return super().find_class(module, name)
        raise pickle.UnpicklingError("%s.%s is not for this test" % (module, name))


def load(form, content, buffers=()):
    """The object that the library of that format loads from a file, with its out-of-band buffers."""
    source = io.BytesIO(content)
    if form == "npy":
        return numpy.load(source)
    if form == "npz":
        members = numpy.load(source)
        if len(members.files) != 1:
            raise KeyError("which of %s is meant is not said" % members.files)
        return members[members.files[0]]
    if form == "pickle":
        return Careful(source, encoding="latin1", buffers=buffers).load()
    return joblib.load(source)


def load_raw(content, seen, order):
    """None when the dtype is not a simple one, or there is nothing for NumPy to read."""
    dtype = numpy.dtype(seen["dtype"]) if isinstance(seen["dtype"], str) else None
    if dtype is None or dtype.itemsize == 0:
        return None
    return numpy.frombuffer(content, dtype).reshape(seen["shape"], order=order)


def bits(array):
    """The bits of every element in native order, without meaningless ones."""
    dtype = array.dtype
    if dtype.names is not None:
        # A field of zero bytes may have extents that no NumPy array has, so its type is compared.
        return [bits(array[name]) for name in dtype.names if dtype[name].itemsize > 0]
    if dtype.hasobject:
        return array.tolist()
    plain = numpy.ascontiguousarray(array.astype(dtype.newbyteorder("=")))
    if dtype.char in "gG" and dtype.itemsize in (16, 32):
        return plain.view("u1").reshape(-1, 16)[:, :PLAIN_LONGDOUBLE].tobytes()
    return plain.tobytes()


def form_of(dtype):
    """A dtype without byte orders."""
    if dtype.subdtype is not None:
        return form_of(dtype.subdtype[0]), dtype.subdtype[1]
    if dtype.names is None:
        return dtype.kind, dtype.itemsize, numpy.datetime_data(dtype) if dtype.kind in "mM" else None
    fields = [(name, form_of(dtype.fields[name][0])) + tuple(dtype.fields[name][1:]) for name in dtype.names]
    return fields, dtype.itemsize


def assert_same(expected, got, where):
    assert isinstance(got, numpy.ndarray), where
    assert form_of(got.dtype) == form_of(expected.dtype), where
    assert got.shape == expected.shape, where
    order = expected.flags.c_contiguous, expected.flags.f_contiguous
    if expected.dtype.itemsize and any(order):
        assert (got.flags.c_contiguous, got.flags.f_contiguous) == order, where
    assert bits(got) == bits(expected), where


@pytest.fixture(scope="module")
def reference():
    if not os.access(PROGRAM, os.X_OK):
        pytest.skip("there is no build/ndproof to be the reference")
    with Testee(PROGRAM, "testee") as running:
        yield running


def ways_of(hello):
    """Every encoder: format, entry, buffers, protocol."""
    for entry in hello["entries"]:
        if entry.get("values", ["array"]) == ["graph"]:
            continue
        for name in entry.get("encode", ()):
            yield entry["format"], name, entry.get("buffers", ""), entry.get("protocol", 0)


def way_in(form, content):
    """The step with which the reference decodes a file."""
    if form in ("npy", "npz"):
        return form, "memory", "", 0
    if form == "joblib":
        return form, "file", "", 3
    protocol = content[1] if content[:1] == b"\x80" else 0
    return form, "c", "in-band" if protocol == 5 else "", protocol


def transcode(reference, form, content, ways):
    """The reference's observation of a file, and its encodings by encoder."""
    arrive = [["supply", "", "encoded"], ["decode", "encoded", "result", *way_in(form, content)]]
    arrive.append(["observe", "result", "result"])
    programs = [arrive + [["encode", "result", "reencoded", *way], ["fetch", "reencoded", "reencoded"]] for way in ways]
    answers = []
    for first in range(0, len(programs), 32):
        part = programs[first : first + 32]
        cases = [{"id": str(i), "program": i, "supplied": [0, len(content)]} for i in range(len(part))]
        answers += reference.collect(reference.send(part, cases, content), len(part))
    return answers


def files_of(form, what):
    folder = os.path.join(ROOT, "corpus", form, what)
    if not os.path.isdir(folder):
        return
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), "rb") as file:
            yield name, file.read()


def real(form, content):
    """The array that the real library loads; None when it refuses or loads something else."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            value = load(form, content)
        except Exception:
            return None
    return value if type(value) is numpy.ndarray else None


def own_error(form, array):
    """The error when the library loads its own dump, or None."""
    sink = io.BytesIO()
    try:
        if form == "npy":
            numpy.save(sink, array)
        elif form == "npz":
            numpy.savez(sink, a=array)
        elif form == "pickle":
            pickle.dump(array, sink)
        elif form == "joblib":
            joblib.dump(array, sink)
        load(form, sink.getvalue())
    except Exception as error:
        return type(error)
    return None


def compare(reference, form, what, ways):
    """Counts files that both sides load, compared encodings, and impossible ones: the format cannot express the array,
    or the library cannot load such an array from its own file either."""
    files = compared = refused = 0
    for name, content in files_of(form, what):
        expected = real(form, content)
        if expected is None or expected.dtype.hasobject:
            continue
        answers = transcode(reference, form, content, ways)
        if "observation" not in answers[0].slots.get("result", {}):
            continue
        files += 1
        for way, answer in zip(ways, answers):
            if "bytes" not in answer.slots.get("reencoded", {}):
                refused += 1
                continue
            where = "%s/%s/%s as %s" % (form, what, name, way)
            try:
                got = take(way[0], answer)
            except Exception as error:
                # The reference's entry point c writes like NumPy 2, whose modules and flags NumPy 1 may not know.
                is_newer = numpy.__version__ < "2" and way[:2] == ("pickle", "c")
                assert is_newer or own_error(way[0], expected) is type(error), "%s: %r" % (where, error)
                refused += 1
                continue
            if got is not None:
                compared += 1
                assert_same(expected, got, where)
    return files, compared, refused


def take(form, answer):
    """The array that the real library loads from an encoding; None when this test cannot load it."""
    content = answer.bytes("reencoded")
    if form == "joblib" and joblib is None:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if form != "raw":
            return load(form, content, answer.buffers("reencoded"))
        seen = answer.observation("result")
        is_fortran = "F" in seen["flags"] and "C" not in seen["flags"]
        return load_raw(content, seen, "F" if is_fortran else "C")


@pytest.mark.parametrize("form, what", FOLDERS)
def test_what_the_reference_transcodes_is_loaded_as_the_file_is(reference, form, what, capsys):
    if form == "joblib" and joblib is None:
        pytest.skip("there is no joblib to load the files with")
    if sys.byteorder != "little":
        pytest.skip("the files are of little-endian machines")
    files, compared, refused = compare(reference, form, what, list(ways_of(reference.hello)))
    with capsys.disabled():
        text = "\ntranscoded for NumPy %s, %s: %s/%s: %d files, %d encodings loaded and compared, %d cannot be"
        beside = "joblib %s" % joblib.__version__ if joblib else "without joblib, whose formats are left out"
        print(text % (numpy.__version__, beside, form, what, files, compared, refused))
    assert compared > files or what != "accept"


def buffers_of(way):
    return "in-band" if way[::2] == ("pickle", 5) else ""


def arrays_that_hold_more():
    """By name: arrays of objects and of a class with attributes, quantities, and whether the reference represents them."""
    items = numpy.empty((2, 2), object)
    items[0, 0], items[0, 1], items[1, 0], items[1, 1] = [1, "two"], None, numpy.arange(3), {"k": b"v"}
    yield "objects", items, True
    yield "objects in Fortran order", numpy.asfortranarray(items), True
    yield "objects of a matrix", items.view(numpy.matrix), False
    for name in ("plain", "reduce_setstate", "reduce_pair", "reduce_only"):
        array = items.copy().view(graph_classes.PATTERNS[name])
        array.extra = ["more"]
        yield "objects of " + name, array, False
    yield "objects behind a mask", numpy.ma.MaskedArray(items, [[True, False], [False, False]]), False
    record = numpy.dtype([("o", object), ("n", ">i2"), ("in", [("p", object), ("f", "f8")]), ("sub", object, (2,))])
    struct = numpy.zeros(2, record)
    struct[0] = ([1], 2, ("x", 0.5), [None, 3])
    yield "objects in fields", struct, False
    yield "objects of a record", struct.view(numpy.recarray), False
    yield "many objects", numpy.array([str(i) for i in range(600)], object), False
    named = numpy.arange(3.0).view(graph_classes.reduce_pair)
    named.__dict__.update({"a\0b": 1, "\ud800": [2], "": None})
    yield "attributes", named, True
    try:
        from astropy import units
    except ImportError:
        return
    yield "a quantity", units.Quantity(numpy.arange(6.0).reshape(2, 3).T, "km / s"), False


def told(value):
    """A complete description of a value; equal values have equal descriptions."""
    if isinstance(value, numpy.ndarray):
        own = getattr(value, "__dict__", {})
        mask = numpy.ma.getmaskarray(value).tolist() if isinstance(value, numpy.ma.MaskedArray) else None
        unit = str(value.unit) if hasattr(value, "unit") else None
        attributes = [(name, told(own[name])) for name in sorted(own) if not name.startswith("_")]
        items = told(numpy.asarray(value).tolist())
        return type(value), form_of(value.dtype), value.shape, items, mask, unit, attributes
    if isinstance(value, (list, tuple)):
        return type(value), [told(one) for one in value]
    if isinstance(value, dict):
        return [(told(key), told(value[key])) for key in value]
    return type(value), repr(value)


def load_trusted(form, content):
    """Everything here was written by this test."""
    source = io.BytesIO(content)
    if form == "joblib":
        return joblib.load(source)
    if form == "pickle":
        return pickle.load(source)
    loaded = numpy.load(source, allow_pickle=True)
    return loaded["a"] if form == "npz" else loaded


def written(array):
    """Format, protocol and bytes of an array's encodings by libraries."""
    for protocol in range(6):
        yield "pickle", protocol, pickle.dumps(array, protocol)
    sink = io.BytesIO()
    if joblib is not None:
        joblib.dump(array, sink)
        yield "joblib", 4, sink.getvalue()
    for form, save in (("npy", numpy.save), ("npz", lambda sink, array: numpy.savez_compressed(sink, a=array))):
        sink = io.BytesIO()
        if array.dtype.hasobject:
            save(sink, array)
            yield form, 0, sink.getvalue()


def test_arrays_that_hold_more_are_the_same_behind_the_reference(reference, capsys):
    ways = [("pickle", "c", protocol) for protocol in range(6)] + [("npy", "memory", 0), ("npz", "compressed", 0)]
    ways += [] if joblib is None else [("joblib", "file", 4), ("joblib", "lzma", 4)]
    count, left = 0, 0
    for name, array, is_represented in arrays_that_hold_more():
        for form, protocol, content in written(array):
            expected = told(load_trusted(form, content))
            entry = {"pickle": "c", "joblib": "file"}.get(form, "memory")
            buffers = buffers_of((form, entry, protocol))
            start = [["supply", "", "encoded"], ["decode", "encoded", "result", form, entry, buffers, protocol]]
            encodes = [["encode", "result", "reencoded", *way[:2], buffers_of(way), way[2]] for way in ways]
            programs = [start + [encode, ["fetch", "reencoded", "reencoded"]] for encode in encodes]
            cases = [
                {"id": str(i), "program": i, "supplied": [0, len(content)], "graph": True} for i in range(len(programs))
            ]
            answers = reference.collect(reference.send(programs, cases, content), len(cases))
            for way, answer in zip(ways, answers):
                # An NPY file keeps no attributes.
                if not is_represented or (way[0] in ("npy", "npz") and not array.dtype.hasobject):
                    assert "bytes" not in answer.slots.get("reencoded", {}), (name, form, protocol, way)
                    assert is_represented or "unsupported" in answer.slots["result"], (name, form, answer.slots)
                    left += 1
                    continue
                assert "bytes" in answer.slots.get("reencoded", {}), (name, form, protocol, way, answer.slots)
                got = told(load_trusted(way[0], answer.bytes("reencoded")))
                assert got == expected, (name, form, protocol, way)
                count += 1
    with capsys.disabled():
        print("\n%d encodings of arrays that hold more loaded and compared, %d cannot be" % (count, left))
    assert count > 100 and left > 100
