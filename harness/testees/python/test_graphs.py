"""Graphs of objects through the NumPy testee: building, observing, calling and sending.

The expected observations are written out here, from the protocol's description of each node.
"""

import os
import struct
import sys

import numpy
import pytest

from numpy_testee import dtypes, graph_observe, observation
from numpy_testee.refusal import Unsupported
from testee_driver import Testee

PYTHONS = [sys.executable] + [path for path in os.environ.get("NDPROOF_TESTEE_PYTHONS", "").split(":") if path]
BUILD = [["build", "", "source"], ["observe", "source", "source"]]
INTS = struct.pack("<3i", 1, 2, 3)
PALINDROME = b"\1\2\2\1"  # one number in both byte orders


@pytest.fixture(scope="module", params=PYTHONS)
def testee(request):
    with Testee(request.param) as running:
        yield running
    assert running.code == 0


def array(shape=(3,), dtype="<i4", kind="ndarray", data=(0, 12), views=(), **more):
    spec = {"base": {"dtype": dtype, "shape": list(shape)}, "views": list(views), "class": {"name": kind}}
    return dict(more, array=spec, data=list(data))


def function(code, name="f", **more):
    return {"function": dict(more, code=code, name=name)}


def graph(*nodes):
    return {"graph": {"root": 0, "nodes": list(nodes)}}


def pickled(protocol=4, between=()):
    return BUILD + [
        *between,
        ["encode", "source", "encoded", "pickle", "c", "", protocol, 0],
        ["decode", "encoded", "result", "pickle", "c", "", protocol, 0],
        ["observe", "result", "result"],
    ]


def run(testee, steps, *nodes):
    return testee.run(steps, graph(*nodes), INTS + PALINDROME)


def source(testee, *nodes):
    return run(testee, BUILD, *nodes).slots["source"]["observation"]["graph"]["nodes"]


def sent(testee, *nodes, steps=pickled()):
    return run(testee, steps, *nodes).slots["result"]["observation"]["graph"]["nodes"]


SCALARS = [
    {"none": True},
    {"bool": True},
    {"int": "-123456789012345678901234567890"},
    {"float": "7ff8000000000001"},
    {"text": "a\u00e9"},
    {"text": {"codepoints": [0, 0xD800]}},
    {"bytes": "00ff"},
]


@pytest.mark.parametrize("node", SCALARS)
def test_scalars(testee, node):
    assert source(testee, node) == [node]


def test_containers_share_and_hold_themselves(testee):
    nodes = source(testee, {"list": [0, 1, 1, 2]}, {"tuple": [3, 3]}, {"dict": [[3, 0]]}, {"int": "5"})
    assert nodes == [{"list": [0, 1, 1, 3]}, {"tuple": [2, 2]}, {"int": "5"}, {"dict": [[2, 0]]}]


def test_a_tuple_in_itself_is_refused(testee):
    assert run(testee, BUILD, {"tuple": [0]}).reason("source") == "value"


def test_arrays_tell_class_memory_and_wholeness(testee):
    views = [{"slice": [[1, 1, 2]]}]
    nodes = source(testee, {"list": [1, 2, 3]}, array(), {"view": {"of": 1, "views": views}}, array())
    assert [node["memory"] for node in nodes[1:]] == [[0, 0], [0, 4], [1, 0]]
    assert all(node["whole"] is True and node["class"] == "ndarray" for node in nodes[1:])


def test_two_maps_of_one_file_are_one_memory(testee):
    path = {"mode": "r+", "offset": 8}
    mapped = array(kind="memmap")
    mapped["array"]["base"]["memmap"] = path
    nodes = source(testee, {"list": [1, 2]}, mapped, {"view": {"of": 1, "views": [{"slice": [[2, 1, 1]]}]}})
    assert [node["memory"] for node in nodes[1:]] == [[0, 0], [0, 8]]
    apart = source(testee, {"list": [1, 2]}, mapped, mapped)
    assert [node["memory"] for node in apart[1:]] == [[0, 0], [1, 0]]


def test_an_object_array_tells_its_items(testee):
    nodes = source(testee, {"objects": {"shape": [2], "items": [0, 1]}}, {"int": "1"})
    assert nodes == [{"objects": {"shape": [2], "items": [0, 1]}}, {"int": "1"}]
    fortran = {"objects": {"shape": [2, 2], "items": [1, 2, 0, 1], "order": "F"}}
    assert source(testee, fortran, {"int": "1"}, {"list": [1]})[0]["objects"]["order"] == "F"


KEPT = ["reduce_setstate", "reduce_pair", "reduce_only", "reduce_ex"]
ALL = KEPT + ["plain", "finalize_none", "finalize_getattr", "slots"]


@pytest.mark.parametrize("kind", ALL)
def test_classes_have_their_attributes(testee, kind):
    node = source(testee, array(kind=kind, attributes={"extra": 1}), {"int": "7"})[0]
    assert (node["class"], node["attributes"], node["whole"]) == (kind, {"extra": 1}, True)


@pytest.mark.parametrize("kind", KEPT)
@pytest.mark.parametrize("protocol", [0, 2, 5])
def test_classes_with_pickling_keep_them(testee, kind, protocol):
    nodes = sent(testee, array(kind=kind, attributes={"extra": 1}), {"int": "7"}, steps=pickled(protocol))
    assert nodes[1] == {"int": "7"}
    assert (nodes[0]["attributes"], nodes[0]["whole"]) == ({"extra": 1}, True)


def test_classes_without_pickling_lose_them(testee):
    left = {}
    for kind in ("plain", "finalize_none", "finalize_getattr", "slots"):
        node = sent(testee, array(kind=kind, attributes={"extra": 1}), {"int": "7"})[0]
        left[kind] = (list(node["attributes"]), str(node["whole"]).split(":")[0])
    assert left == {
        "plain": ([], "True"),
        "finalize_none": ([], "AttributeError"),
        "finalize_getattr": (["extra"], "True"),  # now None
        "slots": ([], "AttributeError"),
    }


def test_a_proxy_arrives_without_what_it_stands_for(testee):
    nodes = array(kind="proxy", attributes={"wrapped": 1}), array()
    assert source(testee, *nodes)[0]["whole"] is True
    assert sent(testee, *nodes)[0]["whole"].startswith("AttributeError")


def test_an_attribute_may_be_the_object(testee):
    node = sent(testee, array(kind="reduce_setstate", attributes={"extra": 0}))[0]
    assert node["attributes"] == {"extra": 0}


def test_masks_are_shared(testee):
    mask = array(dtype="|b1", data=(0, 3))
    nodes = source(testee, {"list": [1, 2]}, array(kind="MaskedArray", mask=3), array(kind="MaskedArray", mask=3), mask)
    assert nodes[1]["mask"] == nodes[3]["mask"] == 2 and nodes[2]["array"]["dtype"] == "|b1"


def test_masked_arrays_tell_the_rest(testee):
    node = source(testee, array(kind="MaskedArray", fill_value="05000000", hard_mask=True))[0]
    assert (node["mask"], node["fill_value"], node["hard_mask"]) == (None, "05000000", True)
    node = source(testee, array(kind="MaskedArray", dtype=">i4", fill_value="05000000"))[0]
    assert (node["fill_value"], node["hard_mask"]) == ("05000000", False)


RESULTS = [
    # (nodes from the function on, the results for 2 and 3)
    ([function("const", cells=[1, 1]), {"cell": 2}, {"int": "5"}], ["10", "10"]),
    ([function("add", cells=[1], defaults=[2], kwdefaults={"k": 2}), {"cell": 2}, {"int": "5"}], ["17", "18"]),
    ([function("counter", cells=[1]), {"cell": 2}, {"int": "5"}], ["6", "7"]),
    ([function("recurse", cells=[1]), {"cell": 0}], ["2", "3"]),
    ([function("mutual", cells=[1]), {"cell": 2}, function("mutual", cells=[3]), {"cell": 0}], ["3", "7"]),
    ([function("late", globals=1), {"globals": {"late": 2}}, {"int": "5"}], ["7", "8"]),
    ([function("deep", globals=1), {"globals": {"late": 2}}, {"int": "5"}], ["7", "8"]),
    ([function("late", globals=1), {"globals": {}}], ["NameError", "NameError"]),
    ([function("nested", cells=[1]), {"cell": 2}, {"int": "5"}], ["7", "8"]),
    ([function("call", cells=[1]), {"cell": 2}, function("identity", "g")], ["2", "3"]),
    ([function("identity", "<lambda>")], ["2", "3"]),
    ([function("add", cells=[1]), {"cell": None}], ["NameError", "NameError"]),
    ([{"method": {"function": 1, "self": 2}}, function("identity"), {"int": "5"}], ["TypeError", "TypeError"]),
    ([{"partial": {"function": 1, "args": [2]}}, function("add", defaults=[2]), {"int": "5"}], ["7", "8"]),
    ([{"partial": {"function": 1, "keywords": {"k": 2}}}, function("add", kwdefaults={"k": 3}), {"int": "5"}, {"int": "9"}], ["7", "8"]),
]


@pytest.mark.parametrize("nodes,results", RESULTS)
def test_what_calls_give(testee, nodes, results):
    assert source(testee, *nodes)[0]["results"] == results


@pytest.mark.parametrize("options", [{}, {"otypes": "d"}, {"signature": "()->()"}, {"excluded": [1]}])
def test_vectorize_tells_its_options_and_stays_uncalled(testee, options):
    nodes = {"vectorize": dict(options, function=1)}, function("identity", importable=True, name="identity")
    seen = run(testee, pickled(), *nodes).slots
    for slot in ("source", "result"):
        node = seen[slot]["observation"]["graph"]["nodes"][0]["vectorize"]
        assert {name: node[name] for name in options} == options
    assert seen["result"]["observation"]["graph"]["nodes"][0]["results"][0].split(" ")[1] != ""


def test_vectorize_with_otypes_cannot_be_sent_once_it_was_called(testee):
    nodes = {"vectorize": {"otypes": "d", "function": 1}}, function("identity", importable=True, name="identity")
    slots = run(testee, pickled(between=[["call", "source", "called"]]), *nodes).slots
    assert slots["called"] == {} and "refused" in slots["encoded"]
    called = {"vectorize": {"otypes": "d", "function": 1, "calls": 1}}, nodes[1]
    assert "refused" in run(testee, pickled(), *called).slots["encoded"]


def test_calls_leave_cells_as_they_were(testee):
    steps = BUILD + [["call", "source", "called"], ["observe", "source", "again"]]
    slots = run(testee, steps, function("counter", cells=[1]), {"cell": 2}, {"int": "5"}).slots
    assert slots["again"] == slots["source"]


def test_a_ufunc_tells_its_name(testee):
    node = source(testee, {"frompyfunc": {"function": 1}}, function("identity", "g"))[0]
    assert node["frompyfunc"] == {"name": "g"}


def test_functions_of_a_module_are_told_by_name(testee):
    for code, name in (("const", "const"), ("add", "add"), ("identity", "identity"), ("call", "decorated")):
        node = source(testee, function(code, name, importable=True))[0]["function"]
        assert node == {"code": code, "name": name, "importable": True}
    hidden = source(testee, function("identity", "decorated", importable=True))[0]["function"]
    assert (hidden["code"], hidden["name"]) == ("identity", "decorated") and "importable" not in hidden


def test_functions_tell_what_they_have_beside(testee):
    own = {"__doc__": 1, "__qualname__": 2, "__annotations__": 3}
    texts = {"text": "Says."}, {"text": "Outer.f"}, {"dict": [[1, 4]]}, {"none": True}
    node = source(testee, function("identity", attributes=own), *texts)[0]["function"]
    assert set(node["attributes"]) == set(own)
    assert source(testee, function("identity"))[0]["function"]["attributes"] == {}


@pytest.mark.parametrize("name", ["__doc__", "__qualname__", "__annotations__", "__module__"])
def test_what_says_nothing_is_unsupported(testee, name):
    assert "unsupported" in run(testee, BUILD, function("identity", attributes={name: 1}), {"none": True}).slots["source"]


def test_results_do_not_tell_byte_orders(testee):
    seen = []
    for order in "<>":
        held = array((1,), order + "i4", data=(12, 4))
        seen.append(source(testee, function("const", cells=[1]), {"cell": 2}, held)[0]["results"])
    assert seen[0] == seen[1] and "01020201" in seen[0][0]


SHOP = """
import numpy
class priced(numpy.ndarray):
    def __array_finalize__(self, other): self.price = getattr(other, "price", None)
"""


@pytest.mark.parametrize("encode, decode", [("memory", "file"), ("file", "memory"), ("compressed", "memory")])
def test_an_archive_has_the_arrays_of_a_dict(testee, encode, decode):
    """The order and the names stay, and two names of one array become two arrays (numpy.savez documentation)."""
    steps = BUILD + [
        ["encode", "source", "encoded", "npz", encode, "", 0, 0],
        ["decode", "encoded", "result", "npz", decode, "", 0, 0],
        ["observe", "result", "result"],
    ]
    keys = [{"text": name} for name in ("b", "a", "\u00e9 / x.npy")]
    nodes = [{"dict": [[1, 2], [3, 2], [4, 5]]}, keys[0], array(), *keys[1:], array((2, 1), "<u2", data=(12, 4))]
    answer = run(testee, steps, *nodes)
    seen = answer.slots["result"]["observation"]["graph"]["nodes"]
    pairs = seen[0]["dict"]
    assert [seen[key] for key, _ in pairs] == keys
    assert len({value for _, value in pairs}) == 3
    shapes = [seen[value]["array"]["shape"] for _, value in pairs]
    assert shapes == [[3], [3], [2, 1]]


@pytest.mark.parametrize(
    "nodes",
    [
        ({"list": [1]}, array()),
        ({"dict": [[1, 2]]}, {"int": "1"}, array()),
        ({"dict": [[1, 2]]}, {"text": "a"}, {"int": "1"}),
        ({"dict": [[1, 2]]}, {"text": "a"}, array(kind="plain")),
    ],
)
def test_other_graphs_are_no_archives(testee, nodes):
    answer = run(testee, BUILD + [["encode", "source", "encoded", "npz", "memory", "", 0, 0]], *nodes)
    assert "unsupported" in answer.slots["encoded"]


@pytest.mark.parametrize("encode", ["memory", "file", "compressed"])
def test_a_member_called_like_a_parameter_is_refused(testee, encode):
    steps = BUILD + [["encode", "source", "encoded", "npz", encode, "", 0, 0]]
    answer = run(testee, steps, {"dict": [[1, 2]]}, {"text": "file"}, array())
    assert answer.reason("encoded") == "type"


def test_a_changed_array_in_a_graph_is_sent_again(testee):
    again = [
        ["poke", "source", "touched"],
        ["observe", "source", "touched_source"],
        ["encode", "source", "touched_encoded", "pickle", "c", "", 4, 0],
        ["decode", "touched_encoded", "touched_result", "pickle", "c", "", 4, 0],
        ["observe", "touched_result", "touched_result"],
    ]
    answer = run(testee, pickled() + again, {"list": [1]}, array())
    elements = []
    for slot in ("result", "touched_source", "touched_result"):
        elements.append(answer.part(answer.observation(slot)["graph"]["nodes"][1]["array"]["elements"]))
    assert elements[0] == INTS
    assert elements[1] == elements[2] == bytes(255 - byte for byte in INTS[:4]) + INTS[4:]


@pytest.mark.parametrize(("entry", "is_sent"), [("copy", [None, True, True, None]), ("deepcopy", [None] * 4)])
def test_objects_that_were_sent_are_marked_in_the_result(testee, entry, is_sent):
    steps = [*BUILD, ["observe", "source", "source"], ["transport", "source", "result", "copy", entry], ["observe", "result", "result"]]
    answer = run(testee, steps, {"list": [1, 2, 3]}, {"list": []}, array(), {"int": "7"})
    assert [node.get("sent") for node in answer.observation("result")["graph"]["nodes"]] == is_sent
    assert "sent" not in str(answer.observation("source"))


def test_a_class_with_an_import_path_is_built_and_loses_its_attribute(tmp_path, monkeypatch):
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop/arrays.py").write_text(SHOP)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with Testee() as running:
        slots = run(running, pickled(), array(kind="shop.arrays.priced", attributes={"price": 1}), {"int": "7"}).slots
    source, result = (slots[slot]["observation"]["graph"]["nodes"] for slot in ("source", "result"))
    assert source[0]["class"] == result[0]["class"] == "shop.arrays.priced"
    assert source[0]["attributes"] == {"price": 1} and source[1] == {"int": "7"}
    assert source[0]["whole"] is True and result[1] == {"none": True}


PATHS = ["no_such_module.Class", "numpy.no_such_class", "pathlib.Path", "numpy_testee.graph_classes.plain"]


@pytest.mark.parametrize("path", PATHS)
def test_a_path_that_is_no_array_class_is_unsupported(testee, path):
    message = run(testee, BUILD, array(kind=path)).slots["source"]["unsupported"]["message"]
    assert path in message


def test_unknown_things_are_unsupported(testee):
    assert "unsupported" in run(testee, BUILD, array(kind="no_such_class")).slots["source"]
    assert "unsupported" in run(testee, BUILD, {"module": "numpy"}).slots["source"]


@pytest.mark.parametrize(
    "dtype, data",
    [
        ("<i4", INTS[4:8]),
        ("=M8[25s]", struct.pack("<q", 7)),
        ("|b1", b"\1"),
        ("|V3", b"\0\1\2"),
        ("|S2", b"\0a"),
        ("<U1", "\u00e9".encode("utf-32-le")),
        ({"itemsize": 6, "fields": [{"name": "a", "dtype": ">i4", "offset": 2}]}, b"\0\0" + INTS[4:8]),
    ],
)
def test_scalars_arrive_as_scalars_of_their_type(testee, dtype, data):
    scalar = array((), dtype, "scalar", data=(0, len(data)))
    result = testee.run(pickled(), graph({"objects": {"shape": [2], "items": [1, 1]}}, scalar), data)
    sent = result.slots["source"]["observation"]["graph"]["nodes"]
    arrived = result.slots["result"]["observation"]["graph"]["nodes"]
    for nodes in (sent, arrived):
        assert nodes[0] == {"objects": {"shape": [2], "items": [1, 1]}}
        assert (nodes[1]["class"], nodes[1]["attributes"], nodes[1]["whole"]) == ("scalar", {}, True)
        assert nodes[1]["array"]["shape"] == [] and "W" not in nodes[1]["array"]["flags"]
        place, size = nodes[1]["array"]["elements"]
        assert size == len(data)
    assert arrived[1]["array"]["dtype"] == sent[1]["array"]["dtype"]


@pytest.mark.parametrize("missing", [{"none": True}, {"float": "7ff8000000000000"}, {"text": "gone"}])
def test_arrays_of_strings_arrive_as_such(testee, missing):
    texts = [{"text": "x" * 300}, {"text": {"codepoints": [97, 0, 233]}}, {"text": ""}]
    spec = {"shape": [2, 2], "items": [1, 2, 3, 4], "order": "F", "dtype": {"string": {"na_object": 4, "coerce": False}}}
    slots = run(testee, pickled(), {"objects": spec}, *texts, missing).slots
    if "unsupported" in slots["source"]:
        assert "StringDType" in slots["source"]["unsupported"]["message"]
        assert int(testee.hello["version"].split(".")[0]) < 2
        return
    for slot in ("source", "result"):
        assert slots[slot]["observation"]["graph"]["nodes"] == [{"objects": spec}, *texts, missing]


# cudf.pandas: a stand-in with the structure that RAPIDS documents (proxies of a metaclass with ndarray among their
# bases, and one attribute that contains the wrapped object). It installs itself and then fails without a GPU.
STUB = {
    "cudf/__init__.py": """
import os
if "RAPIDS_NO_INITIALIZE" not in os.environ: raise RuntimeError("no driver")
""",
    "cudf/pandas/__init__.py": """
import numpy
LOADED = False
class Meta(type): pass
class Pickles:
    def __reduce__(self): return type(self).rebuilt, (self._fsproxy_wrapped,)
class ndarray(numpy.ndarray, Pickles, metaclass=Meta):
    @classmethod
    def rebuilt(kind, wrapped): return numpy.asarray(wrapped).view(kind)
    def __array_finalize__(self, other):
        if other is not None: self._fsproxy_wrapped = getattr(other, "_fsproxy_wrapped", other)
    def __getitem__(self, key): return self._fsproxy_wrapped[key]
def install():
    global LOADED
    LOADED = %s
    raise RuntimeError("cudaErrorInsufficientDriver")
""",
    "pandas.py": """
import cudf.pandas, numpy
class Series:
    def __init__(self, array): self._array = array
    def to_numpy(self, copy): return self._array.copy().view(cudf.pandas.ndarray)
""",
    "cudf_cu12-25.2.2.dist-info/METADATA": "Metadata-Version: 2.1\\nName: cudf-cu12\\nVersion: 25.2.2\\n",
}


def stubbed(folder, monkeypatch, is_loaded):
    for path, text in STUB.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text.replace("%s", str(is_loaded)))
    monkeypatch.setenv("PYTHONPATH", str(folder))
    return Testee()


def test_a_proxy_without_a_gpu_is_built_and_loses_what_it_wraps(tmp_path, monkeypatch):
    with stubbed(tmp_path, monkeypatch, True) as running:
        assert running.hello["libraries"]["cudf"] == "25.2.2 without a GPU"
        slots = run(running, pickled(), array(kind="cudf.pandas")).slots
    source, result = (slots[slot]["observation"]["graph"]["nodes"][0] for slot in ("source", "result"))
    assert source["class"] == result["class"] == "cudf.pandas"
    assert source["whole"] is True and "_fsproxy_wrapped" in result["whole"]


def test_a_proxy_that_cannot_be_installed_is_unsupported(tmp_path, monkeypatch):
    with stubbed(tmp_path, monkeypatch, False) as running:
        slots = run(running, BUILD, array(kind="cudf.pandas")).slots
    assert "cudaErrorInsufficientDriver" in slots["source"]["unsupported"]["message"]


def test_results_have_no_padding_and_no_addresses():
    """Bytes between fields, and the addresses of objects, differ from process to process."""
    inner = numpy.dtype({"names": ["x"], "formats": [">i2"], "offsets": [1], "itemsize": 4})
    padded = numpy.dtype({"names": ["a", "b"], "formats": ["<u1", inner], "offsets": [1, 3], "itemsize": 9})
    first, second = (numpy.frombuffer(bytes(range(start, start + 18)), padded).copy() for start in (1, 101))
    assert graph_observe._plain(first) != graph_observe._plain(second)
    second["a"], second["b"]["x"] = first["a"], first["b"]["x"]
    assert first.tobytes() != second.tobytes() and graph_observe._plain(first) == graph_observe._plain(second)
    objects = numpy.array([(1, b"")], [("o", "O"), ("v", "V0")])
    assert graph_observe._plain(objects) == "{o: O[1][1] v: V0[1] }"


def test_what_the_protocol_cannot_express_is_unsupported():
    """NumPy takes both from a file: a type of 70 structures in each other, and extents whose product overflows."""
    dtype = numpy.dtype("u1")
    for _ in range(70):
        dtype = numpy.dtype([("a", dtype)])
    with pytest.raises(Unsupported):
        dtypes.print_dtype(dtype)
    array = numpy.empty(0, "f4")
    array.__setstate__((1, (2**60 + 1, 0, 2, 2), numpy.dtype("f4"), False, b""))
    with pytest.raises(Unsupported):
        observation.look(array, None)


def test_results_have_no_padding():
    """The six bytes behind the ten of a long double are those of whatever was in memory."""
    numpy = pytest.importorskip("numpy")
    from numpy_testee.graph_observe import _plain

    if numpy.finfo(numpy.longdouble).nmant != 63:
        pytest.skip("a long double has no padding here")
    results = set()
    for filler in (0, 0xEE):
        array = numpy.array([1, 2], numpy.longdouble)
        array.view("u1").reshape(2, 16)[:, 10:] = filler
        results.add((_plain(array), _plain(array[0]), _plain(array.view(numpy.clongdouble))))
    assert len(results) == 1


def instance(path, *args, keep=(), **keywords):
    return {"class": {"import": path, "args": list(args), "keywords": keywords, "keep": list(keep)}}


HOLDER = "numpy_testee.graph_classes:holder"


def test_an_instance_keeps_what_is_named(testee):
    nodes = source(testee, instance(HOLDER, array=1, note=2, keep=["note", "array"]), array(), {"text": "m"})
    assert nodes[0] == {"class": {"import": HOLDER, "keep": {"note": 1, "array": 2}}}
    assert nodes[1] == {"text": "m"} and nodes[2]["class"] == "ndarray"


def test_arguments_of_an_instance_are_complete_and_shared(testee):
    value = [{"list": [1, 2]}, instance("collections:deque", 2, 3, keep=["__iter__", "maxlen"]), {"list": [4]}]
    nodes = source(testee, *value, {"int": "7"}, {"text": "a"})
    assert nodes[0] == {"list": [1, 5]}
    assert nodes[1] == {"class": {"import": "collections:deque", "keep": {"__iter__": 2, "maxlen": 4}}}
    assert nodes[2:] == [{"list": [3]}, {"text": "a"}, {"int": "7"}, {"list": [3]}]


def test_a_factory_makes_instances_of_its_class(testee):
    path, text = "datetime:datetime.fromisoformat", {"text": "2024-02-29T12:30:01"}
    nodes = source(testee, instance(path, 1, keep=["isoformat()", "tzinfo"]), text)
    assert nodes == [
        {"class": {"import": "datetime:datetime", "keep": {"isoformat()": 1, "tzinfo": 2}}},
        text,
        {"none": True},
    ]


def test_what_has_no_form_shows_its_text(testee):
    nodes = source(testee, instance("decimal:Decimal", 1, keep=["as_tuple()"]), {"text": "1.5"})
    assert nodes[1]["other"].startswith("decimal.DecimalTuple DecimalTuple(sign=0, digits=(1, 5)")


def test_instances_survive_a_pickle_and_a_supplied_one(testee):
    tagged = instance("numpy_testee.graph_classes:tagged", 1, tag=2, keep=["tag", "__array__"])
    answer = run(testee, pickled() + [["fetch", "encoded", "encoded"]], tagged, array(), {"text": "m"})
    expected = answer.slots["source"]["observation"]["graph"]["nodes"]
    assert answer.slots["result"]["observation"]["graph"]["nodes"][:2] == expected[:2]
    steps = [["supply", "", "encoded"], pickled()[-2], pickled()[-1]]
    rule = {"import": tagged["class"]["import"], "keep": ["tag"]}
    alone = testee.run(steps, graph=True, keep=[rule], supplied=answer.bytes("encoded"))
    assert alone.slots["result"]["observation"]["graph"]["nodes"][1] == {"text": "m"}


@pytest.mark.parametrize("path", ["no_such_package.here:Name", "collections:NoSuchClass"])
def test_a_missing_class_is_unsupported(testee, path):
    assert path in run(testee, BUILD, instance(path)).slots["source"]["unsupported"]["message"]


def test_a_name_that_cannot_be_read_is_unsupported(testee):
    message = run(testee, BUILD, instance(HOLDER, keep=["nothing"])).slots["source"]["unsupported"]["message"]
    assert "cannot read nothing" in message


def test_a_class_may_refuse_its_arguments(testee):
    assert run(testee, BUILD, instance("fractions:Fraction", 1), {"text": "half"}).reason("source") == "value"
