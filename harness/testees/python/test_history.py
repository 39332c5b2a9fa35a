"""Call histories of the NumPy testee: every entry that claims one returns the value of the case, and a library with a
defect of several calls shows it."""

import contextlib
import io
import struct
import sys
import time
import types

import numpy
import pytest

from numpy_testee import history
from numpy_testee.formats import Encoded
from test_ndproof_testee import BUILD, array
from testee_driver import Testee

HISTORIES = ("reused", "failed", "freed", "threads", "forked")
DOUBLES = struct.pack("<6d", *range(6))


@pytest.fixture(scope="module")
def testee():
    with Testee(sys.executable) as running:
        yield running
    assert running.code == 0


def entries(testee, kind):
    for entry in testee.hello["entries"]:
        for name in entry.get(kind, ()):
            for one in entry.get("histories", ()):
                yield entry, name, one


def step(op, slots, entry, name, one, form=None):
    return [op, *slots, entry["format"], name, entry.get("buffers", ""), entry.get("protocol", 0), 0, 0, "", 0, one]


def test_every_entry_returns_the_value(testee):
    seen = set()
    for entry, name, one in entries(testee, "encode"):
        plain = [word for word in step("encode", ("source", "encoded"), entry, name, "")]
        again = step("encode", ("source", "reencoded"), entry, name, one)
        steps = BUILD + [plain, ["fetch", "encoded", "encoded"], again, ["fetch", "reencoded", "reencoded"]]
        answer = testee.run(steps, array("<f8", [2, 3]), DOUBLES)
        assert answer.bytes("reencoded") == answer.bytes("encoded"), (entry, name, one)
        assert answer.buffers("reencoded") == answer.buffers("encoded"), (entry, name, one)
        seen.add(one)
    assert seen == set(HISTORIES)


def test_every_decoder_returns_the_value(testee):
    for entry, name, one in entries(testee, "decode"):
        if not entry.get("encode") or entry["format"] == "raw":
            continue
        slots = ("source", "encoded"), ("encoded", "result")
        steps = BUILD + [
            step("encode", slots[0], entry, entry["encode"][0], one),
            step("decode", slots[1], entry, name, one),
            ["observe", "result", "result"],
        ]
        answer = testee.run(steps, array("<f8", [2, 3]), DOUBLES)
        assert answer.elements("result") == DOUBLES, (entry, name, one)


@pytest.mark.parametrize("one", ["reused", "failed", "freed", "threads"])
def test_an_instance_is_observed_by_its_rule(testee, one):
    made = {"class": {"import": "numpy.ma:MaskedArray", "args": [1], "keep": ["data"]}}
    value = {"graph": {"root": 0, "nodes": [made, {"objects": {"shape": [1], "items": [2]}}, {"list": []}]}}
    slots = (("source", "encoded"), ("encoded", "result"))
    steps = [[op, *pair, "pickle", "c", "in-band", 5, 0, 0, "", 0, one] for op, pair in zip(("encode", "decode"), slots)]
    answer = testee.run([*BUILD, *steps, ["observe", "result", "result"]], value, b"")
    assert "class" in answer.observation("result")["graph"]["nodes"][0]


def test_an_unknown_history_is_refused(testee):
    encode = ["encode", "source", "encoded", "npy", "memory", "", 0, 0, 0, "", 0, "other"]
    assert testee.run([*BUILD, encode], array("<f8", [2, 3]), DOUBLES).reason("encoded") == "unsupported"


def a_case(data=DOUBLES):
    value = array("<f8", [2, 3])
    case = types.SimpleNamespace(spec={"value": value, "data": [0, len(data)]}, binary=data, twin=None, files={})
    case.part = lambda place: data[place[0] : place[0] + place[1]]
    case.has_objects = case.is_graph = False
    return case


def a_step(one, code):
    return types.SimpleNamespace(history=one, form="own", entry="own", buffers="", path="x.bin", protocol=0, code=code)


def the_array():
    return numpy.frombuffer(DOUBLES).reshape(2, 3)


def encoded_by(one, code):
    return history.encode(a_step(one, code), a_case(), the_array()).read()


class _Stateful:
    """Encoders with a defect that one call does not show."""

    def __init__(self):
        self.before = None

    def first_of_the_call_before(self, value, path, step):
        content, self.before = self.before or value.tobytes(), value.tobytes()
        return Encoded(content)

    def by_address(self, value, path, step):
        place = value.__array_interface__["data"][0]
        if self.before is None or self.before[0] != place:
            self.before = place, value.tobytes()
        return Encoded(self.before[1])

    def after_failure(self, value, path, step):
        if type(value) is list:
            self.before = True
            raise ValueError("halfway")
        return Encoded(b"" if self.before else value.tobytes())

    def shared(self, value, path, step):
        self.before = value.tobytes()
        time.sleep(0.001)
        return Encoded(self.before)


@pytest.mark.parametrize(
    "one, code",
    [
        ("reused", "first_of_the_call_before"),
        ("freed", "by_address"),
        ("failed", "after_failure"),
        ("threads", "shared"),
    ],
)
def test_a_defect_of_several_calls_shows(one, code):
    assert encoded_by(one, lambda value, path, step: Encoded(value.tobytes())) == DOUBLES
    assert encoded_by(one, getattr(_Stateful(), code)) != DOUBLES


class _Sharing:
    """A codec whose calls change the results of the calls before, or their arguments."""

    def __init__(self):
        self.buffer, self.before = bytearray(DOUBLES), None

    def encode(self, value, path, step):
        self.buffer[:] = value.tobytes()
        return Encoded(self.buffer)

    def decode(self, encoded, path, step, case):
        self.buffer[:] = encoded.read()
        return numpy.frombuffer(self.buffer), None

    def send(self, value):
        if self.before is not None:
            self.before[...] = value
        self.before = value.copy()
        return self.before


def test_a_later_call_that_changes_an_earlier_result_shows():
    assert encoded_by("reused", _Sharing().encode) != DOUBLES
    step, case = a_step("reused", _Sharing().decode), a_case()
    case.twin = Encoded(bytes(255 - byte for byte in DOUBLES))
    assert history.decode(step, case, Encoded(DOUBLES))[0].tobytes() != DOUBLES
    case.slots, step.source = {1: the_array()}, 1
    assert history.transport(step, case, _Sharing().send, None).tobytes() != DOUBLES
    assert history.transport(step, case, lambda value: value.copy(), None).tobytes() == DOUBLES


def test_the_twin_of_a_graph_has_other_numbers():
    nodes = [{"list": [1, 2, 3, 4]}, {"int": "-5"}, {"float": "3ff8000000000000"}, {"bytes": "00ff"}, {"text": "a"}]
    twins = history._inverted({"root": 0, "nodes": nodes})["nodes"]
    assert twins[1:] == [{"int": "4"}, {"float": "c007ffffffffffff"}, {"bytes": "ff00"}, {"text": "a"}]
    assert history._inverted({"root": 0, "nodes": [*nodes, {"class": {}}]})["nodes"][:5] == nodes


class _MixingPool:
    """A pool of threads whose tasks find the argument of the task that began last."""

    def __init__(self):
        self.last = None

    def send(self, value):
        return self.send_all([value])[0]

    def send_all(self, values):
        results = []
        for value in values:
            results.append(value if self.last is None or len(results) % 5 else self.last)
            self.last = value
        self.last = None
        return results


def test_a_defect_of_several_tasks_shows():
    pool, step = _MixingPool(), a_step("threads", None)
    case = a_case()
    case.slots, step.source = {1: the_array()}, 1
    assert history.transport(step, case, pool.send, pool.send_all).tobytes() != DOUBLES
    assert history.transport(step, case, pool.send, lambda values: values).tobytes() == DOUBLES


def test_a_defect_of_a_child_shows():
    import os

    parent = os.getpid()
    content = encoded_by("forked", lambda value, *_: Encoded(value.tobytes() if os.getpid() == parent else b"child"))
    assert content == b"child"


def test_a_child_that_hangs_is_a_timeout(monkeypatch):
    import os

    parent = os.getpid()
    monkeypatch.setattr(history, "_WAIT_SECONDS", 0.2)

    def encode(value, path, step):
        if os.getpid() != parent:
            time.sleep(60)
        return Encoded(value.tobytes())

    with pytest.raises(history.Died) as caught:
        encoded_by("forked", encode)
    assert caught.value.end == {"timeout": True}


def test_a_child_that_dies_is_a_death():
    import os

    parent = os.getpid()

    def encode(value, path, step):
        if os.getpid() != parent:
            os.abort()
        return Encoded(value.tobytes())

    with pytest.raises(history.Died) as caught:
        encoded_by("forked", encode)
    assert caught.value.end == {"signal": 6}


def test_a_full_file_fails_every_writer():
    step = types.SimpleNamespace(form="npy", entry="memory", protocol=4)
    for form in ("npy", "npz", "pickle"):
        step.form = form
        with pytest.raises(OSError):
            history._write_to(step, the_array(), history._FullFile(16))
    with contextlib.closing(io.BytesIO()) as file:
        history._write_to(types.SimpleNamespace(form="npy", entry="memory", protocol=4), the_array(), file)
        assert file.getvalue().endswith(DOUBLES)
