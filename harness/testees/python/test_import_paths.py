"""Codecs by import path: a module of a temporary folder encodes and decodes in the testee."""

import os
import struct
import sys

import pytest

from numpy_testee import codec_names
from testee_driver import Testee

PYTHONS = [sys.executable] + [path for path in os.environ.get("NDPROOF_TESTEE_PYTHONS", "").split(":") if path]
DOUBLES = struct.pack("<6d", *range(6))
MODULE = '''
import io, numpy

calls = []

def prepare():
    calls.append(1)

def to_text(value):
    return repr((str(value.dtype), value.shape, value.tobytes().hex(), len(calls), value.base is None)) if hasattr(value, "dtype") else "0"

def from_text(text):
    dtype, shape, content = eval(text)[:3]
    return numpy.frombuffer(bytes.fromhex(content), dtype).reshape(shape)

class Bytes:
    @staticmethod
    def dump(value):
        file = io.BytesIO()
        numpy.save(file, value)
        return bytearray(file.getvalue())

    @staticmethod
    def load(content):
        return numpy.load(io.BytesIO(content))

def to_list(value):
    return [value]
'''
TEXT = "mycodec.inner:to_text>mycodec.inner:from_text>mycodec.inner:prepare"


@pytest.fixture(scope="module", params=PYTHONS)
def testee(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("modules")
    (folder / "mycodec").mkdir()
    (folder / "mycodec/__init__.py").write_text("")
    (folder / "mycodec/inner.py").write_text(MODULE)
    (folder / "other.py").write_text(MODULE)
    codecs = [TEXT, "other:Bytes.dump>other:Bytes.load", "other:to_list>other:from_text", "missing:a>missing:b"]
    codecs += ["mycodec:absent>mycodec:absent"]
    words = " ".join("--codec '%s'" % codec for codec in codecs)
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = str(folder)
    try:
        running = Testee(request.param, os.path.join(os.path.dirname(__file__), "ndproof_testee.py") + " " + words)
    finally:
        if before is None:
            del os.environ["PYTHONPATH"]
        else:
            os.environ["PYTHONPATH"] = before
    with running:
        yield running
    assert running.code == 0


def send(testee, form, base=None):
    steps = [
        ["build", "", "source"],
        ["observe", "source", "source"],
        ["encode", "source", "encoded", form, "codec", "", 0, 0],
        ["fetch", "encoded", "encoded"],
        ["decode", "encoded", "result", form, "codec", "", 0, 0],
        ["observe", "result", "result"],
    ]
    return testee.run(steps, {"array": {"base": dict({"dtype": "<f8", "shape": [2, 3]}, **(base or {}))}}, DOUBLES)


def test_hello_names_the_codecs(testee):
    found = {claim["format"]: claim for claim in testee.hello["entries"] if claim.get("encode") == ["codec"]}
    assert {"mycodec.inner", "mycodec", "other", "other:to_list", "missing"} <= set(found)
    for claim in found.values():
        assert claim["library"] in testee.hello["libraries"] and claim["functions"] is False


def test_text_and_bytes(testee):
    answer = send(testee, "mycodec.inner")
    assert answer.elements("result") == DOUBLES and answer.observation("result")["shape"] == [2, 3]
    content = answer.bytes("encoded").decode()
    assert eval(content)[3] == 1, "prepared once"
    assert send(testee, "mycodec.inner").bytes("encoded").decode() == content
    assert send(testee, "other").bytes("encoded").startswith(b"\x93NUMPY")


def test_bytes_of_another_process(testee):
    content = send(testee, "mycodec.inner").bytes("encoded")
    steps = [["supply", "", "encoded"], ["decode", "encoded", "result", "mycodec.inner", "codec", "", 0, 0]]
    answer = testee.run(steps + [["observe", "result", "result"]], supplied=content)
    assert answer.elements("result") == DOUBLES


def test_bases_own_their_memory(testee):
    for more, is_owning in (({}, True), ({"order": "F"}, True), ({"misalign": 1}, False), ({"readonly": True}, True)):
        answer = send(testee, "mycodec.inner", more)
        assert eval(answer.bytes("encoded"))[4] == is_owning, more
        assert sorted(answer.elements("source")) == sorted(DOUBLES)


@pytest.mark.parametrize(
    "form, message",
    [("missing", "missing cannot be imported"), ("mycodec", "mycodec has no absent"), ("other:to_list", "returns list")],
)
def test_what_cannot_run_is_unsupported(testee, form, message):
    answer = send(testee, form)
    assert message in answer.slots["encoded"]["unsupported"]["message"]


def test_names_of_formats():
    assert codec_names.form_of("a.b:c>d:e") == "a.b"
    assert codec_names.form_of("pickle:dumps>pickle:loads") == "pickle:dumps"
    assert list(codec_names.forms_of(["a:b>a:c", "a:d>a:e"])) == ["a", "a:d"]
    assert codec_names.text_of("jsonpickle", []).endswith("register_handlers")
    assert codec_names.text_of("jsonpickle", ["jsonpickle:encode>jsonpickle:decode"]).endswith("decode")
    assert codec_names.text_of("nothing", []) is None
