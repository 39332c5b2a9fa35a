"""Scripts of `ndproof replay --script` with correct libraries and with libraries that have a planted fault.

A fault is code in a sitecustomize.py, so testee and script import the same library."""

import functools
import json
import os
import pickle

import pytest

from faulty_library import NDPROOF, NUMPY, PYTHON, broken, run  # noqa: F401

# Formats that need only NumPy.
FORMATS = ("--format", "npy", "--format", "npz", "--format", "raw", "--format", "pickle")
CLEAN, DIVERGES, USAGE, FAULT = 0, 1, 2, 3


def write_script(folder, case, *options):
    """The finished replay, and the path of the script if there is one."""
    script = folder / "script.py"
    script.unlink(missing_ok=True)
    done = run(NDPROOF, "replay", "--script", script, *options, case)
    return done, script if script.exists() else None


def array(dtype, shape, views=(), **more):
    base = dict({"dtype": dtype, "shape": shape, "data": {"pattern": "index"}}, **more)
    return {"array": {"base": base, "views": list(views)}}


def npy(encode, decode):
    return {"format": "npy", "encode": encode, "decode": decode}


NUMPY_LOAD = """
import numpy
load = numpy.load
def changed(file, mmap_mode=None, **options):
    array = load(file, mmap_mode, **options)
    return %s
numpy.load = changed
"""
JOBLIB_DUMP = """
import joblib
dump = joblib.dump
joblib.dump = lambda value, *words, **options: dump(value + 1, *words, **options)
"""
JOBLIB_REDUCE = """
import joblib._memmapping_reducer as reducer
call = reducer.ArrayMemmapForwardReducer.__call__
def changed(self, array): return call(self, array[::-1])
reducer.ArrayMemmapForwardReducer.__call__ = changed
"""
STRUCTURE = {"fields": [{"name": "a", "offset": 0, "dtype": "|u1"}, {"name": "b", "offset": 4, "dtype": "<f4"}], "itemsize": 8}
# The code of the fault, the value, the route, the property that detects it.
FAULTS = {
    "values": (NUMPY_LOAD % "array + 1", array("<i4", [3]), npy("memory", "memory"), "values"),
    "padded values": (NUMPY_LOAD % "numpy.zeros_like(array)", array(STRUCTURE, [3]), npy("file", "file"), "values"),
    "long doubles": (NUMPY_LOAD % "array * 3", array("<f16", [2]), npy("file", "file"), "values"),
    "objects": (
        "import pickle\nloads = pickle.loads\npickle.loads = lambda *words, **options: loads(*words, **options) * 2\n",
        array("|O", [3]),
        {"format": "pickle", "protocol": 4, "encode": "c", "decode": "c"},
        "values",
    ),
    "shape": (NUMPY_LOAD % "array.reshape(-1)", array("<i4", [2, 3]), npy("memory", "memory"), "shape"),
    "dtype": (NUMPY_LOAD % "array.astype('<f8')", array("<i4", [3]), npy("memory", "memory"), "dtype"),
    "byte order": (NUMPY_LOAD % "array.astype('<i4')", array(">i4", [3]), npy("memory", "memory"), "byte_order"),
    "memory order": (
        NUMPY_LOAD % "array.copy('C')",
        array("<i4", [3, 2], [{"transpose": [1, 0]}]),
        npy("memory", "memory"),
        "memory_order",
    ),
    "flags": (
        NUMPY_LOAD % "(array.setflags(write=False), array)[1]",
        array("<i4", [3]),
        npy("memory", "memory"),
        "flags",
    ),
    "map": (NUMPY_LOAD % "numpy.array(array)", array("<i4", [3]), npy("file", "mmap:r"), "memmap"),
    "entry points": (
        NUMPY_LOAD % "array if mmap_mode is None else array[::-1]",
        array("<i4", [3]),
        npy("file", "file"),
        "entry_points",
    ),
    "refusal of one entry point": (
        NUMPY_LOAD % "array if mmap_mode is None else [][0]",
        array("<i4", [3]),
        npy("file", "file"),
        "entry_points",
    ),
    "refusal": (NUMPY_LOAD % "[][0]", array("<i4", [3]), npy("file", "file"), "values"),
    "second trip": (
        "import numpy\nsave, load, seen = numpy.save, numpy.load, []\n"
        "numpy.save = lambda f, a: save(f, a + 1 if any(a is one for one in seen) else a)\n"
        "numpy.load = lambda *words, **options: (seen.append(load(*words, **options)), seen[-1])[1]\n",
        array("<i4", [3]),
        npy("memory", "memory"),
        "idempotence",
    ),
    # numpy.savez changes or refuses what numpy.load made, and nothing else.
    "second format": (
        "import numpy\nsavez, load, seen = numpy.savez, numpy.load, []\n"
        "numpy.savez = lambda f, a: savez(f, a=a + 1 if any(a is one for one in seen) else a)\n"
        "numpy.load = lambda *words, **options: (seen.append(load(*words, **options)), seen[-1])[1]\n",
        array("<i4", [3]),
        npy("memory", "memory"),
        "transcode",
    ),
    "refusal of the second format": (
        "import numpy\nsavez, load, seen = numpy.savez, numpy.load, []\n"
        "numpy.savez = lambda f, a: savez(f, a=[][0] if any(a is one for one in seen) else a)\n"
        "numpy.load = lambda *words, **options: (seen.append(load(*words, **options)), seen[-1])[1]\n",
        array("<i4", [3]),
        npy("memory", "memory"),
        "transcode",
    ),
    "death": (NUMPY_LOAD % "os.kill(os.getpid(), 11)", array("<i4", [3]), npy("file", "file"), "values"),
    "joblib": (
        JOBLIB_DUMP,
        array("<i4", [3]),
        {"format": "joblib", "protocol": 4, "encode": "file", "decode": "file"},
        "values",
    ),
    "compressed": (
        JOBLIB_DUMP,
        array("<i4", [3]),
        {"format": "joblib", "protocol": 4, "encode": "zlib", "decode": "object"},
        "values",
    ),
    "a hash": (
        "import joblib\nhash_of = joblib.hash\njoblib.hash = lambda array: '%d' % (id(array) % 97) + hash_of(array)\n",
        array("<i4", [3]),
        {"format": "joblib.hash", "encode": "here", "decode": "recall"},
        "entry_points",
    ),
    "an array under a hash": (
        "import joblib\njoblib.hash = lambda array: 'the same'\n",
        array("<i4", [3]),
        {"format": "joblib.hash", "encode": "copied", "decode": "recall"},
        "shape",
    ),
    "a hash in another process": (
        "import joblib, os\nhash_of = joblib.hash\njoblib.hash = lambda array: '%d' % os.getpid() + hash_of(array)\n",
        array("<i4", [3]),
        {"format": "joblib.hash", "encode": "fresh", "decode": "recall"},
        "entry_points",
    ),
    "joblib.Parallel": (
        JOBLIB_REDUCE,
        array("<i4", [3]),
        {"transport": "joblib.Parallel", "protocol": 5, "backend": "loky", "max_nbytes": 1},
        "values",
    ),
    "joblib.Parallel and back": (
        JOBLIB_REDUCE,
        array("<i4", [3]),
        {"transport": "joblib.Parallel", "protocol": 5, "backend": "multiprocessing:return", "max_nbytes": 1, "mmap_mode": "c"},
        "values",
    ),
    "a pool": (
        "import copyreg, numpy\n"
        "copyreg.pickle(numpy.ndarray, lambda a: (numpy.frombuffer, (b'no', 'u1')))\n",
        array("<i4", [3]),
        {"transport": "multiprocessing", "protocol": pickle.DEFAULT_PROTOCOL, "backend": "spawn:pool"},
        "shape",
    ),
    "a process": (
        "import copyreg, numpy\n"
        "copyreg.pickle(numpy.ndarray, lambda a: (numpy.array, ([9, 9, 9], '<i4')))\n",
        array("<i4", [3]),
        {"transport": "multiprocessing", "protocol": pickle.DEFAULT_PROTOCOL, "backend": "spawn:process"},
        "values",
    ),
    "identity": (
        "import pickle\nloads = pickle.loads\npickle.loads = lambda *words: [one.copy() for one in loads(*words)]\n",
        {"graph": {"root": 0, "nodes": [{"list": [1, 1]}, {"array": {"base": {"dtype": "<i4", "shape": [2]}}}]}},
        {"format": "pickle", "protocol": 4, "encode": "c", "decode": "c"},
        "identity",
    ),
    "a class": (
        "import copy\ndeepcopy = copy.deepcopy\n"
        "copy.deepcopy = lambda one: (made := deepcopy(one), vars(made).clear())[0]\n",
        {
            "graph": {
                "root": 0,
                "nodes": [
                    {
                        "array": {"base": {"dtype": "<i4", "shape": [2]}, "class": {"name": "reduce_pair"}},
                        "attributes": {"extra": 1},
                    },
                    {"int": "5"},
                ],
            }
        },
        {"transport": "copy", "backend": "deepcopy"},
        "class",
    ),
    "a closure": (
        "import cloudpickle\nloads = cloudpickle.loads\ndef changed(data):\n    made = loads(data)\n"
        "    made.__closure__[0].cell_contents += 1\n    return made\ncloudpickle.loads = changed\n",
        {
            "graph": {
                "root": 0,
                "nodes": [{"function": {"code": "add", "name": "f", "cells": [1]}}, {"cell": 2}, {"int": "5"}],
            }
        },
        {"format": "cloudpickle", "protocol": 5, "encode": "dumps", "decode": "here"},
        "closure",
    ),
    "a description": (
        "import cloudpickle\nloads = cloudpickle.loads\ndef changed(data):\n    made = loads(data)\n"
        "    made.__annotations__ = {}\n    made.__doc__ = None\n    made.__module__ = 'other'\n    return made\n"
        "cloudpickle.loads = changed\n",
        {
            "graph": {
                "root": 0,
                "nodes": [
                    {"function": {"code": "add", "name": "f", "attributes": {"__doc__": 1, "__annotations__": 2}}},
                    {"text": "one\n  two \u20ac"},
                    {"dict": [[1, 0]]},
                ],
            }
        },
        {"format": "cloudpickle", "protocol": 5, "encode": "dumps", "decode": "here"},
        "closure",
    ),
    "a fresh process": (
        "import cloudpickle\nloads = cloudpickle.loads\ncloudpickle.loads = lambda data: loads(data) + 1\n",
        array("<i4", [3]),
        {"format": "cloudpickle", "protocol": 5, "encode": "dumps", "decode": "fresh"},
        "values",
    ),
}
NEEDED = ("joblib", "cloudpickle")


@functools.cache
def has_library(name):
    return run(PYTHON, "-c", "import " + name).returncode == 0


@pytest.mark.parametrize("name", FAULTS)
def test_script_ends_with_1_as_long_as_the_fault_exists(name, tmp_path, broken):
    fault, value, route, prop = FAULTS[name]
    for library in NEEDED:
        if "import " + library in fault and not has_library(library):
            pytest.skip("the environment has no " + library)
    python = broken(fault)
    case = tmp_path / "case.json"
    ends = {"encoder": "numpy", "decoder": "numpy"}
    case.write_text(json.dumps({"ndproof": 1, "value": value, "route": dict(route, **ends), "properties": [prop]}))
    done, script = write_script(tmp_path, case, "--python", python, *NUMPY)
    assert done.returncode == DIVERGES, done.stdout + done.stderr
    assert script is not None, done.stderr
    with_fault = run(python, script)
    assert with_fault.returncode == 1, script.read_text() + with_fault.stdout + with_fault.stderr
    assert "expected" in with_fault.stdout and "got" in with_fault.stdout, with_fault.stderr
    without = run(PYTHON, script)
    assert without.returncode == 0, script.read_text() + without.stdout + without.stderr


def findings_of(report):
    for finding in json.loads(report.read_text())["findings"]:
        if finding["status"] != "flaky" and finding["severity"] != "hazard":
            yield {"signature": finding["signature"], "descriptor": finding["descriptor"]}


def test_scripts_of_a_sweep_agree_with_replay(tmp_path):
    """For every finding, the script ends with 1 if replay shows a difference, a defect or a documented loss."""
    report = tmp_path / "report.json"
    run(NDPROOF, "sweep", "--seed", 3, "--cases", 2600, *NUMPY, *FORMATS, "--report", report)
    agreed, written, others = 0, 0, []
    for number, finding in enumerate(findings_of(report)):
        case = tmp_path / ("%d.json" % number)
        case.write_text(json.dumps(finding))
        done, script = write_script(tmp_path, case, *NUMPY, "--format", finding["descriptor"]["route"]["format"])
        if script is None:
            assert done.returncode != DIVERGES
            others.append(finding["signature"] + ": " + done.stderr.strip().rpartition("\n")[2])
            continue
        written += 1
        code = run(PYTHON, script).returncode
        shown = done.returncode == DIVERGES or "  documented: " in done.stdout
        agreed += code == int(shown)
        if code != int(shown):
            others.append("%s: replay %d, script %d" % (finding["signature"], done.returncode, code))
    print("scripts that agree with replay: %d of %d %s" % (agreed, written, others))
    assert written > 0 and agreed == written, others


def test_script_without_a_python_library_is_refused_with_the_reason(tmp_path):
    case = tmp_path / "case.json"
    value = array({"type": "<i4", "metadata": {"a": 1}}, [2])
    route = dict(npy("memory", "memory"), encoder="reference", decoder="reference")
    signature = "DIVERGES|dtype|npy|dtype.metadata|reference"
    case.write_text(json.dumps({"signature": signature, "descriptor": {"ndproof": 1, "value": value, "route": route}}))
    done, script = write_script(tmp_path, case)
    assert script is None and done.returncode == FAULT and "no Python library" in done.stderr


def test_script_that_cannot_be_written(tmp_path):
    case = tmp_path / "case.json"
    value = array({"type": "<i4", "metadata": {"a": 1}}, [2])
    route = dict(npy("memory", "memory"), encoder="numpy", decoder="numpy")
    signature = "DIVERGES|dtype|npy|dtype.metadata|numpy"
    case.write_text(json.dumps({"signature": signature, "descriptor": {"ndproof": 1, "value": value, "route": route}}))
    done = run(NDPROOF, "replay", "--script", tmp_path / "no/such/folder.py", case)
    assert done.returncode == FAULT and "cannot create" in done.stderr and "No such file" in done.stderr
