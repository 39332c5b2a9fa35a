"""Variants: the other ways to call the entry points of NumPy, pickle, joblib, cloudpickle and dill.

Every claimed variant sends an array to an ordinary entry point and back; the encoding is the plain bytes of the format."""

import functools
import importlib.util
import os
import struct
import sys

import numpy
import pytest

from numpy_testee import file_objects, picklers, variants
from numpy_testee.refusal import Refused, Unsupported, record_of
from testee_driver import Testee

PYTHONS = [sys.executable] + [path for path in os.environ.get("NDPROOF_TESTEE_PYTHONS", "").split(":") if path]
DOUBLES = struct.pack("<6d", *range(6))
ARRAY = {"array": {"base": {"dtype": "<f8", "shape": [2, 3]}}}
AS = {"dtype": "<f8", "shape": [2, 3], "order": "C"}
PLAIN = {"npy": "memory", "npz": "memory", "raw": "memory", "pickle": "c", "joblib": "file"}
PLAIN.update(cloudpickle=("dumps", "here"), dill=("dumps", "here"))
# NumPy 2.4 writes such a header as "np.int64(2)", and cannot read it. NumPy and joblib write arrays at a place of a file.
DEFECTS = {("npy", "mapped:numpy"), ("npy", "pipe"), ("joblib", "object:pipe")}


@pytest.fixture(scope="module", params=PYTHONS)
def testee(request):
    with Testee(request.param) as running:
        yield running
    assert running.code == 0


def plain(form, kind):
    entry = PLAIN[form]
    return entry if type(entry) is str else entry[kind == "decode"]


def variants_of(testee, kind):
    """The variants that take an array: format, protocol, buffers and entry."""
    for claim in testee.hello["entries"]:
        if claim.get("variant") and "array" in claim.get("values", ["array"]):
            for entry in claim.get(kind, ()):
                yield claim["format"], claim.get("protocol", 0), claim.get("buffers", ""), entry


def send(testee, form, protocol, buffers, encode, decode, value=ARRAY, data=DOUBLES, **more):
    how = [buffers, protocol, 5 if form == "raw" else 0]
    steps = [
        ["build", "", "source"],
        ["observe", "source", "source"],
        ["encode", "source", "encoded", form, encode] + how,
        ["fetch", "encoded", "encoded"],
        ["decode", "encoded", "result", form, decode] + how,
        ["observe", "result", "result"],
    ]
    return testee.run(steps, value, data, **dict({"as": AS} if form == "raw" else {}, **more))


def test_every_variant_encodes_plain_bytes(testee):
    found = list(variants_of(testee, "encode"))
    assert ("npy", 0, "", "sequence") in found and ("pickle", 5, "in-band", "gzip") in found
    for form, protocol, buffers, entry in found:
        if (form, entry) in DEFECTS:
            continue
        answer = send(testee, form, protocol, buffers, entry, plain(form, "decode"))
        assert "observation" in answer.slots["result"], (form, entry, answer.slots)
        assert answer.elements("result") == DOUBLES, (form, entry)
        own = send(testee, form, protocol, buffers, plain(form, "encode"), plain(form, "decode")).bytes("encoded")
        if form in ("npy", "raw", "pickle"):
            assert answer.bytes("encoded") == own, (form, entry)


def test_every_variant_decodes_plain_bytes(testee):
    found = list(variants_of(testee, "decode"))
    assert ("npy", 0, "", "zip") in found and ("raw", 0, "", "mmap:r+:numpy") in found
    for form, protocol, buffers, entry in found:
        answer = send(testee, form, protocol, buffers, plain(form, "encode"), entry)
        assert "observation" in answer.slots["result"], (form, entry, answer.slots)
        assert answer.elements("result") == DOUBLES, (form, entry)
        backing = answer.observation("result").get("backing")
        if form != "npz":
            assert (backing is not None) == entry.startswith("mmap"), (form, entry)
        if backing is not None:
            assert backing["mode"] == entry.split(":")[1] and backing["offset"] == backing["position"]


def test_variants_of_permissions(testee):
    ints = struct.pack("<2q", 3, -4)
    value = {"array": {"base": {"dtype": "|O", "shape": [2]}}}
    for encode, decode, is_accepted in (
        ("file", "file:numpy", True),
        ("file", "file:max-header", True),
        ("stream", "stream", True),
        ("file", "file:no-pickle", False),
        ("file:no-pickle", "file", False),
    ):
        answer = send(testee, "npy", 0, "", encode, decode, value, ints)
        assert ("observation" in answer.slots.get("result", {})) == is_accepted, (encode, decode, answer.slots)


def test_members_without_names(testee):
    node = {"array": {"base": {"dtype": "|u1", "shape": [1]}}}
    names = ["arr_%d" % number for number in range(12)]
    nodes = [{"dict": [[2 * i + 1, 2 * i + 2] for i in range(12)]}]
    for number, name in enumerate(names):
        nodes += [{"text": name}, dict(node, data=[number, 1])]
    value = {"graph": {"root": 0, "nodes": nodes}}
    answer = send(testee, "npz", 0, "", "positional", "memory", value, bytes(range(12)))
    seen = answer.observation("result")["graph"]["nodes"]
    pairs = [(seen[key]["text"], answer.part(seen[item]["array"]["elements"])) for key, item in seen[0]["dict"]]
    assert pairs == [(name, bytes([number])) for number, name in enumerate(names)]
    nodes[1] = {"text": "arr_1"}
    nodes[3] = {"text": "arr_0"}
    refused = send(testee, "npz", 0, "", "positional", "memory", value, bytes(range(12)))
    assert "unsupported" in refused.slots["encoded"]


@pytest.mark.parametrize("kind", sorted(set(file_objects.READERS) - {"path", "bytes", "memory", "object", "pipe"}))
def test_a_reader_that_skips_bytes_is_refused(kind, tmp_path):
    def load(file):
        file.read(7)
        return numpy.lib.format.read_array(file)

    array = numpy.arange(5)
    content = file_objects.WRITERS["memory"](str(tmp_path / "w"), numpy.save, array)
    read, path = file_objects.READERS[kind], str(tmp_path / "r")
    assert (read(path, content, numpy.lib.format.read_array, numpy.save) == array).all()
    with pytest.raises((Refused, ValueError)):
        read(path, content, load, numpy.save)


def test_a_reader_that_reads_on_is_refused(tmp_path):
    array = numpy.arange(5)
    content = file_objects.WRITERS["memory"]("", numpy.save, array)

    def load(file):
        value = numpy.load(file)
        file.read(1)
        return value

    for kind in ("offset", "sequence", "memory-sequence"):
        with pytest.raises((Refused, ValueError)):
            file_objects.READERS[kind](str(tmp_path / "r"), content, load, numpy.save)


@pytest.mark.skipif(importlib.util.find_spec("dill") is None, reason="dill is not installed")
def test_settings_reach_dill(monkeypatch):
    import dill

    seen = []
    monkeypatch.setattr(dill, "dumps", lambda value, **options: seen.append(options) or b"")
    step = type("Step", (), {"protocol": 4})
    for entry in ("dumps", "dumps:recurse", "dumps:byref"):
        picklers.encoder("dill", entry)(1, "", step)
    assert seen == [{"protocol": 4}, {"protocol": 4, "recurse": True}, {"protocol": 4, "byref": True}]
    assert picklers.encoder("cloudpickle", "dumps:recurse") is None


@pytest.mark.parametrize("kind, most", [("bz2", 1 << 20), ("gzip", None)])
def test_slow_compression_is_unsupported_for_large_arrays(kind, most, tmp_path):
    array = numpy.zeros((1 << 20) + 8, "u1")
    content = file_objects.WRITERS["memory"]("", numpy.save, array)
    write = functools.partial(file_objects.WRITERS[kind], str(tmp_path / "w"), numpy.save, array)
    read = functools.partial(file_objects.READERS[kind], str(tmp_path / "r"), content, numpy.load, numpy.save)
    if most is None:
        assert write() == content and (read() == array).all()
        return
    for call in (write, read):
        with pytest.raises(Unsupported):
            call()


def test_extents_are_numpy_scalars():
    assert [type(one) for one in variants._extents((3, 1 << 40))] == [numpy.int32, numpy.int64]


def test_messages_have_no_addresses():
    message = record_of(ValueError("malformed <ast.Call object at 0x7f0b0b9addb0>, 0x10"))["refused"]["message"]
    assert message == "malformed <ast.Call object at 0x...>, 0x10"
