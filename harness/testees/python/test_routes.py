"""The transports of shared memory, buffers and joblib.Memory, driven through the protocol."""

import os
import struct
import sys

import pytest

from testee_driver import Testee

PYTHONS = [sys.executable] + [path for path in os.environ.get("NDPROOF_TESTEE_PYTHONS", "").split(":") if path]
BUILD = [["build", "", "source"], ["observe", "source", "source"]]
DOUBLES = struct.pack("<6d", *range(6))
# Rows in reverse, and the same row four times.
REVERSED = [{"slice": [[1, -1, 2], [0, 1, 3]]}]
REPEATED = [{"slice": [[0, 1, 1], [0, 1, 3]]}, {"broadcast": [4, 3]}]


@pytest.fixture(scope="module", params=PYTHONS)
def testee(request):
    with Testee(request.param) as running:
        yield running
    assert running.code == 0


def claims(testee, form):
    return [name for entry in testee.hello["entries"] if entry["format"] == form for name in entry["transport"]]


def send(testee, form, entry, dtype="<f8", views=(), **base):
    value = {"array": {"base": dict({"shape": [2, 3]}, dtype=dtype, **base), "views": list(views)}}
    steps = BUILD + [["transport", "source", "result", form, entry], ["observe", "result", "result"]]
    return testee.run(steps, value, DOUBLES)


@pytest.mark.parametrize("entry", ["here", "unlinked", "heap", "named"])
def test_array_over_shared_memory_has_the_elements(testee, entry):
    before = set(os.listdir("/dev/shm"))
    answer = send(testee, "shared_memory", entry, views=REVERSED)
    seen = answer.observation("result")
    assert (seen["shape"], seen["dtype"], seen["strides"]) == ([2, 3], "<f8", [24, 8])
    assert answer.elements("result") == DOUBLES[24:] + DOUBLES[:24]
    assert "W" in seen["flags"]
    send(testee, "copy", "copy")  # the array is freed before the next case
    assert {name for name in set(os.listdir("/dev/shm")) - before if name.startswith("psm_")} == set()


SCALARS = [{"int": "-9223372036854775808"}, {"float": "8000000000000000"}, {"bool": True}, {"text": "seven b"}]
SCALARS += [{"text": "eight by"}, {"text": ""}, {"bytes": "00ff"}, {"none": True}]


def send_scalars(testee, entry, nodes):
    graph = {"root": 0, "nodes": [{"list": list(range(1, len(nodes) + 1))}, *nodes]}
    steps = BUILD + [["transport", "source", "result", "shared_memory.ShareableList", entry], ["observe", "result", "result"]]
    return testee.run(steps, {"graph": graph})


@pytest.mark.parametrize("entry", ["here", "assigned", "pickled", "named"])
@pytest.mark.parametrize("nodes", [SCALARS, []], ids=["all", "none"])
def test_list_in_shared_memory_has_the_items(testee, entry, nodes):
    before = set(os.listdir("/dev/shm"))
    seen = send_scalars(testee, entry, nodes).slots["result"]["observation"]["graph"]["nodes"]
    assert [seen[number] for number in seen[0]["list"]] == nodes
    assert {name for name in set(os.listdir("/dev/shm")) - before if name.startswith("psm_")} == set()


@pytest.mark.parametrize("entry", ["here", "named"])
def test_error_of_another_process_is_that_of_this_one(testee, entry):
    record = send_scalars(testee, entry, [{"text": "\u65e5" * 8}]).slots["result"]["refused"]
    assert (record["type"], "unexpected end of data" in record["message"]) == ("UnicodeDecodeError", True)


@pytest.mark.parametrize("entry", ["memoryview", "interface", "dlpack"])
@pytest.mark.parametrize("views, strides", [((), [24, 8]), (REVERSED, [-24, 8]), (REPEATED, [0, 8])])
def test_array_over_a_buffer_has_the_strides(testee, entry, views, strides):
    seen = send(testee, "buffer", entry, views=views).observation("result")
    assert seen["strides"] == strides
    assert "O" not in seen["flags"]


def test_buffer_of_an_array_with_gaps_is_refused(testee):
    assert send(testee, "buffer", "frombuffer", views=REVERSED).reason("result") == "value"


@pytest.mark.parametrize("entry", ["memoryview", "interface", "frombuffer"])
def test_array_over_a_read_only_buffer_is_read_only(testee, entry):
    assert "W" not in send(testee, "buffer", entry, readonly=True).observation("result")["flags"]


@pytest.mark.parametrize(
    "entry, kind", [("call", "ndarray"), ("again", "ndarray"), ("shelve", "ndarray"), ("mmap:c", "memmap"), ("mmap:r:shelve", "memmap")]
)
def test_cached_result_has_the_requested_kind(testee, entry, kind):
    if entry not in claims(testee, "joblib.Memory"):
        pytest.skip("needs joblib")
    answer = send(testee, "joblib.Memory", entry)
    assert answer.observation("result")["class"] == kind
    assert answer.elements("result") == DOUBLES
