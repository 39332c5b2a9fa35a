"""Snippets: the last value, its descriptor, and what no descriptor can express. No value is described as another."""

import pathlib
import sys

import numpy as np
import pytest

sys.path[0:0] = [str(pathlib.Path(__file__).parent)]

from numpy_testee.graph_observe import observe_graph  # noqa: E402
from snippet import check, describe, run  # noqa: E402
from snippet.reason import Inexpressible  # noqa: E402


def value_of(text, folder):
    path = folder / "snippet.py"
    path.write_text(text)
    kept = sys.argv, sys.path[:]
    try:
        return run.last_value(str(path))
    finally:
        sys.argv, sys.path[:] = kept


@pytest.mark.parametrize(
    "text, expected",
    [
        ("3", 3),
        ("a = 3", 3),
        ("a = 3\nb = 4\na", 3),
        ("a = b = 5", 5),
        ("a: int = 6", 6),
        ("a = 1\na += 6", 7),
        ("a = 8\nfor i in ():\n    pass", 8),
        ("a = [9]\na.append(1)", [9, 1]),
        ("a = 1\nNone", None),
        ("import __main__\n__name__", "__main__"),
    ],
)
def test_last_value(tmp_path, text, expected):
    assert value_of(text, tmp_path) == expected


@pytest.mark.parametrize("text", ["", "import os", "a = = 3", "for i in ():\n    pass"])
def test_no_value(tmp_path, text):
    with pytest.raises(run.NoValue):
        value_of(text, tmp_path)


def _cycle():
    inner = []
    outer = (inner, np.eye(2))
    inner.append(outer)
    return outer


def _hard_masked():
    array = np.ma.array([1, 2, 3], mask=[0, 1, 0], fill_value=7)
    array.harden_mask()
    return array


def _objects():
    shared = [1]
    array = np.empty(3, object)
    array[:] = [shared, shared, None]
    return array


def _readonly():
    array = np.arange(4)
    array.flags.writeable = False
    return array


_STRUCTURE = np.dtype({"names": ["a", "b"], "formats": [">i2", "<f8"], "offsets": [1, 8], "itemsize": 20, "titles": ["T", None]})
_BASE = np.arange(24)
# Name: a function that makes the value, and a word that its descriptor must contain.
def _strings():
    if not hasattr(np.dtypes, "StringDType"):
        pytest.skip("NumPy has no StringDType")
    return np.array([["a", None], ["b" * 300, ""]], np.dtypes.StringDType(na_object=None))


VALUES = {
    "structure": (lambda: np.array([(1, 2.5), (3, 4)], _STRUCTURE), "itemsize"),
    "field": (lambda: np.zeros(4, [("x", "i1"), ("y", "<f8", (2,))])["y"], "field"),
    "several fields": (lambda: np.zeros(4, [("x", "i1"), ("y", "<f8"), ("z", "i1")])[["x", "z"]], "as_dtype"),
    "F": (lambda: np.asfortranarray(np.eye(3, dtype=">f4")), "'order': 'F'"),
    "reshaped": (lambda: _BASE.reshape(2, 3, 4), "reshape"),
    "transposed": (lambda: np.ones((2, 3, 4)).transpose(1, 0, 2), "transpose"),
    "sliced": (lambda: np.arange(10)[8:1:-3], "slice"),
    "strided": (lambda: _BASE.reshape(2, 3, 4)[:, 1:, ::-2].swapaxes(0, 2), "strided"),
    "broadcast": (lambda: np.broadcast_to(np.arange(3), (2, 3)), "strided"),
    "windows": (lambda: np.lib.stride_tricks.sliding_window_view(np.arange(5), 3), "strided"),
    "real": (lambda: np.arange(3).astype(complex).real, "real"),
    "imaginary": (lambda: np.arange(3).astype(complex).imag, "imag"),
    "reinterpreted": (lambda: np.arange(4, dtype="<i8").view("<i2"), "as_dtype"),
    "misaligned": (lambda: np.zeros(17, "u1")[1:].view("<f8"), "as_dtype"),
    "empty": (lambda: np.zeros((0, 3), ">M8[ms]"), "M8"),
    "scalar array": (lambda: np.array(3 + 2j), "c16"),
    "metadata": (lambda: np.zeros(2, np.dtype("f4", metadata={"k": 1})), "metadata"),
    "text": (lambda: np.array(["a", "bc"]), "U"),
    "long double": (lambda: np.array([1.5, -0.0, np.nan], np.longdouble), "f"),
    "bytes": (lambda: np.frombuffer(b"abcdefgh", "<u2"), "readonly"),
    "read-only": (_readonly, "writeable"),
    "matrix": (lambda: np.matrix("1 2; 3 4").T, "matrix"),
    "records": (lambda: np.rec.array([(1, 2)], dtype=[("x", "i4"), ("y", "f8")]), "recarray"),
    "masked": (_hard_masked, "hard_mask"),
    "masked rows": (lambda: np.ma.masked_array(np.arange(12).reshape(3, 4), np.eye(3, 4))[1:, ::2], "mask"),
    "objects": (_objects, "objects"),
    "strings": (_strings, "string"),
    "one array twice": (lambda: [_BASE, {"k": _BASE}], "[1, 2]"),
    "shared memory": (lambda: [_BASE, _BASE[1:3]], "view"),
    "views of a hidden base": (lambda: (lambda base: [base[1:3], base[2:5]])(np.arange(6)), "view"),
    "atoms": (lambda: [None, True, 10**20, -2.5, "t\0\ud800", b"\xff", (), {}], "none"),
    "cycle": (_cycle, "tuple"),
}


@pytest.mark.parametrize("name", VALUES)
def test_described_value_is_the_value(name, tmp_path):
    """The built value has the bytes and the whole observation of the original."""
    make, word = VALUES[name]
    value = make()
    spec = check.describe_exactly(value)
    assert word in str(spec)
    built = check.build(spec, str(tmp_path))
    expected, got = observe_graph(value), observe_graph(built)
    assert [bytes(one) for one in got.chunks] == [bytes(one) for one in expected.chunks]


@pytest.mark.parametrize("mode", ["r", "r+", "c", "w+"])
def test_memory_maps(tmp_path, mode):
    path = tmp_path / "file"
    path.write_bytes(bytes(range(100)))
    mapped = np.memmap(path, "<i2", mode, 10, (5, 3))
    spec = check.describe_exactly(mapped[1:, ::2])["array"]
    assert spec["base"]["memmap"] == {"mode": mode, "offset": 10} and spec["views"] == [{"slice": [[1, 1, 4], [0, 2, 2]]}]


class Own(np.ndarray):
    pass


def _masked_pair():
    array = np.arange(3)
    return [array, np.ma.MaskedArray(array, [0, 1, 0])]


def _partly_readonly():
    array = np.arange(3)
    view = array[:2]
    view.flags.writeable = False
    return [array, view]


@pytest.mark.parametrize(
    "make, reason",
    [
        (lambda: len, "value: a builtins.builtin_function_or_method"),
        (lambda: [np.float64(1)], r"value\[0\]: a scalar of numpy.float64"),
        (lambda: {"k": {1}}, r"value\['k'\]: an object of class builtins.set"),
        (lambda: np.zeros(3).view(Own), "value: an array of class .*Own"),
        (lambda: [1, np.zeros(3).view(Own)], r"value\[1\]: an array of class .*Own"),
        (lambda: np.zeros(2, [("o", object)]), "value: objects inside elements"),
        (lambda: np.array(["a"], object)[:, None], "value: an array of objects that is a view"),
        (_masked_pair, "shares its memory"),
        (_partly_readonly, "may be written to"),
        (lambda: list(map(str, range(600))), "more than 512 objects"),
        (lambda: np.zeros((17 << 20), "u1"), "bytes"),
    ],
)
def test_inexpressible(make, reason):
    with pytest.raises(Inexpressible, match=reason):
        check.describe_exactly(make())


def test_a_wrong_description_is_noticed(monkeypatch):
    """The check builds the description, whatever made it."""
    array = np.arange(6).reshape(2, 3)
    wrong = describe.describe(array.T.copy())
    monkeypatch.setattr(check, "describe", lambda value: wrong)
    with pytest.raises(Inexpressible, match="built differently: nodes"):
        check.describe_exactly(array)
    same_shape = describe.describe(array + 1)
    monkeypatch.setattr(check, "describe", lambda value: same_shape)
    with pytest.raises(Inexpressible, match="bytes of the elements differ"):
        check.describe_exactly(array)
