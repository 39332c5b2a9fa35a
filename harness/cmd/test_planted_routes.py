"""Planted defects of the routes that are no files, and of calls that change an earlier result: a sweep catches each by its
property, and its script shows it.

A fault is code in a sitecustomize.py, so the testee, its workers and the script import the same library."""

import json

import pytest

from faulty_library import NDPROOF, NUMPY, PYTHON, broken, run  # noqa: F401

CLEAN, DIVERGES, UNSUPPORTED = 0, 1, 5
CASES = {"buffer": 500, "joblib.Memory": 336, "npy": 800, "copy": 300}  # of a sweep, enough for a unit of each entry; 150 for other formats
BLOCKS = "from multiprocessing.shared_memory import SharedMemory, ShareableList\n"
TRUTH = {
    "value": {"graph": {"root": 0, "nodes": [{"list": [1]}, {"bool": True}]}},
    "route": {"transport": "shared_memory.ShareableList", "backend": "named"},
}
# The format, the property that must catch the fault, the beginning of the path that differs, or the case if the library has a defect with
# the same signature, and the fault.
FAULTS = {
    "a name stays in shared memory": (
        "shared_memory",
        "leaks",
        "shared_memory",
        BLOCKS + "SharedMemory.unlink = lambda self: None",
    ),
    "a block that is found by name is a copy with one bit inverted": (
        "shared_memory",
        "values",
        "",
        BLOCKS
        + """
init, buf = SharedMemory.__init__, SharedMemory.buf
def start(self, name=None, create=False, *more, **settings):
    init(self, name, create, *more, **settings)
    self.copy = None if create else memoryview(bytearray(buf.fget(self)))
    if not create: self.copy[0] ^= 1
SharedMemory.__init__, SharedMemory.buf = start, property(lambda self: buf.fget(self) if self.copy is None else self.copy)
""",
    ),
    "a truth value comes back as a number": (
        "shared_memory.ShareableList",
        "closure",
        TRUTH,
        BLOCKS
        + """
get = ShareableList.__getitem__
def number(self, position): value = get(self, position); return int(value) if value is True else value
ShareableList.__getitem__ = number
""",
    ),
    "DLPack copies in C order": (
        "buffer",
        "memory_order",
        "",
        "import numpy; load = numpy.from_dlpack; numpy.from_dlpack = lambda x: numpy.array(load(x), order='C')",
    ),
    "an array over a read-only buffer can be written": (
        "buffer",
        "flags",
        "flags.",
        """
import numpy
load = numpy.frombuffer
def read(x, *of, **settings): return load(x, *of, **settings).copy() if type(x) is numpy.ndarray else load(x, *of, **settings)
numpy.frombuffer = read
""",
    ),
    "a reader reads into the array that it returned before": (
        "npy",
        "values",
        "[",
        """
import numpy
load, kept = numpy.load, []
def read(*of, **settings):
    x = load(*of, **settings)
    if type(x) is not numpy.ndarray: return x
    for one in kept:
        if one.dtype == x.dtype and one.shape == x.shape: one[...] = x
    kept[:] = [x]
    return x
numpy.load = read
""",
    ),
    "a deep copy changes the copy before": (
        "copy",
        "values",
        "[",
        """
import copy, numpy
deepcopy, kept = copy.deepcopy, []
def duplicate(x, *memo):
    y = deepcopy(x, *memo)
    if type(y) is not numpy.ndarray or memo: return y
    for one in kept:
        if one.dtype == y.dtype and one.shape == y.shape and one.flags.writeable: one[...] = y
    kept[:] = [y]
    return y
copy.deepcopy = duplicate
""",
    ),
    "a cache finds results by the type of the argument": (
        "joblib.Memory",
        "values",
        "[",
        "import joblib.hashing; joblib.hashing.hash = lambda obj, *more, **settings: type(obj).__name__",
    ),
    "a cache ignores the mode of a map": (
        "joblib.Memory",
        "memmap",
        "",
        """
import joblib.numpy_pickle as files
load = files.load
files.load = lambda file, mmap_mode=None, **settings: load(file, **settings)
""",
    ),
}


def sweep(folder, python, form, prop):
    """The findings of a short sweep."""
    options = ("--seed", 1, "--cases", CASES.get(form, 150), "--format", form, "--property", prop, "--report", folder / "report.json")
    done = run(NDPROOF, "sweep", "--python", python, *NUMPY, *options)
    assert done.returncode == DIVERGES, done.stdout + done.stderr
    return json.loads((folder / "report.json").read_text())["findings"]


@pytest.mark.parametrize("name", FAULTS)
def test_sweep_catches_a_planted_defect(name, broken, tmp_path):
    form, prop, part, fault = FAULTS[name]
    if form.startswith("joblib") and run(PYTHON, "-c", "import joblib").returncode:
        pytest.skip("needs joblib")
    python, script, case = broken(fault), tmp_path / "script.py", tmp_path / "case.json"
    if isinstance(part, str):
        findings = [one for one in sweep(tmp_path, python, form, prop) if one["property"] == prop]
        findings = [one for one in findings if one["difference"][0]["path"].startswith(part)]
        assert findings
        part = findings[0]["descriptor"]
    case.write_text(json.dumps(part))
    done = run(NDPROOF, "replay", "--script", script, "--python", python, *NUMPY, case)
    assert done.returncode == DIVERGES and script.exists(), done.stdout + done.stderr
    assert run(python, script).returncode == DIVERGES, script.read_text()
    right = broken("")
    assert run(right, script).returncode == CLEAN, script.read_text()
    assert run(NDPROOF, "replay", "--python", right, *NUMPY, case).returncode == CLEAN


# Closing a block that an array uses, and the end of a block that an array uses, in libraries of the future and of today.
KEPT = BLOCKS + "SharedMemory.__del__ = lambda self: None"
REFUSING = BLOCKS + "def close(self): raise BufferError('cannot close exported pointers exist')\nSharedMemory.close = close"


@pytest.mark.parametrize(
    "entry, fault, code",
    [
        ("here:dropped", "", DIVERGES),
        ("here:dropped", KEPT, CLEAN),
        ("here:closed", "", CLEAN),  # a documented hazard
        ("here:closed", REFUSING, CLEAN),
        ("here", "", CLEAN),
        ("unlinked", "", CLEAN),
    ],
)
def test_array_needs_its_block(entry, fault, code, broken, tmp_path):
    case = tmp_path / "case.json"
    value = {"array": {"base": {"dtype": "<f8", "shape": [100000]}}}
    case.write_text(json.dumps({"value": value, "route": {"transport": "shared_memory", "backend": entry}}))
    done = run(NDPROOF, "replay", "--python", broken(fault), *NUMPY, case)
    assert done.returncode == code, done.stdout + done.stderr


def test_a_missing_compressor_is_no_defect(broken, tmp_path):
    """joblib without lz4 cannot read what the reference compressed with it."""
    if run(PYTHON, "-c", "import joblib").returncode:
        pytest.skip("needs joblib")
    hide = "import importlib.util as u\nfind = u.find_spec\nu.find_spec = lambda name, *more: None if name == 'lz4' else find(name, *more)\n"
    python, case = broken(hide + "sys.modules['lz4'] = None"), tmp_path / "case.json"
    value = {"array": {"base": {"dtype": "<f8", "shape": [3]}}}
    for entry in ("object", "object:memory", "object:pipe", "file:path"):
        route = {"format": "joblib", "protocol": 4, "encode": "lz4", "decode": entry, "encoder": "reference", "decoder": "numpy"}
        case.write_text(json.dumps({"value": value, "route": route, "properties": ["values"]}))
        done = run(NDPROOF, "replay", "--python", python, case)
        assert done.returncode == UNSUPPORTED, done.stdout + done.stderr
