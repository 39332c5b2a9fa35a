"""The example testee under build/ndproof: it starts, encodes, decodes and refuses, and breaks no promise."""

import json
import pathlib
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
NDPROOF = HERE.parents[2] / "build/ndproof"
CLEAN, DIVERGES, FAULT = 0, 1, 3
MAX_LINES = 120


@pytest.fixture
def config(tmp_path):
    """Makes a configuration that runs a testee of this folder, or a changed copy of it."""

    def make(change=None):
        testee = HERE / "example_testee.py"
        if change is not None:
            before, after = change
            text = testee.read_text()
            assert before in text
            testee = tmp_path / "changed_testee.py"
            testee.write_text(text.replace(before, after))
        path = tmp_path / "config.json"
        path.write_text(json.dumps({"environments": {"example": {"command": [sys.executable, str(testee)]}}}))
        return path

    return make


def ndproof(*words):
    return subprocess.run([NDPROOF, *map(str, words)], capture_output=True, text=True, timeout=300)


def sweep(config, report, seed=1, cases=1500):
    targets = ("--target", "example", "--target", "reference")
    words = ("--seed", seed, "--cases", cases, *targets, "--format", "npy", "--report", report)
    done = ndproof("sweep", "--config", config, *words)
    return done, json.loads(report.read_text()) if report.exists() else None


def test_it_is_short():
    assert len((HERE / "example_testee.py").read_text().splitlines()) <= MAX_LINES


@pytest.mark.parametrize("seed", [1, 2])
def test_a_sweep_compares_and_is_clean(config, tmp_path, seed):
    done, report = sweep(config(), tmp_path / "report.json", seed)
    assert done.returncode == CLEAN, done.stdout + done.stderr
    # The npy format has no metadata, which is documented.
    assert all(one["severity"] == "documented-loss" for one in report["findings"])
    assert report["work"]["comparisons"] > 1000
    passed = {cell["route"].split()[0] for cell in report["work"]["cells"] if cell["pass"] > 0}
    assert {"example>example", "example>reference", "reference>example"} <= passed


@pytest.mark.parametrize(
    "descriptor, expected",
    [
        ({"value": {"array": {"base": {"dtype": ">i2", "shape": [2, 3], "data": {"pattern": "index"}}}}}, "HOLDS"),
        ({"fault": {"name": "keep", "argument": 67}, "expect": "refuse"}, "HOLDS"),
        ({"fault": {"name": "keep", "argument": 67}, "expect": "accept"}, "DIVERGES"),
    ],
)
def test_a_case_is_encoded_decoded_or_refused(config, tmp_path, descriptor, expected):
    case = tmp_path / "case.json"
    route = {"format": "npy", "decode": "memory", "decoder": "example"}
    if "value" in descriptor:
        route.update(encode="memory", encoder="example")
    case.write_text(json.dumps(dict(descriptor, ndproof=1, route=route)))
    done = ndproof("replay", "--config", config(), case)
    assert done.stdout.splitlines()[-1].startswith(expected), done.stdout + done.stderr


def test_a_wrong_value_is_found(config, tmp_path):
    """The sweep would be clean, too, if it compared nothing."""
    change = ("text.encode() + array.data", "text.encode() + array.data[::-1]")
    done, report = sweep(config(change), tmp_path / "report.json")
    assert done.returncode == DIVERGES
    assert {"values", "cross"} & {one["property"] for one in report["findings"] if "example" in one["signature"]}


@pytest.fixture
def pair(tmp_path):
    """Makes a configuration of the example and a changed copy that is another library, called "other"."""

    def make(before, after, claims='"decode": ["memory"]'):
        text = (HERE / "example_testee.py").read_text()
        assert before in text and '"decode": ["memory"]' in text
        text = text.replace('"decode": ["memory"]', claims)
        other = tmp_path / "other_testee.py"
        names = ('"implementation": "example"', '"implementation": "other"')
        other.write_text(text.replace(before, after).replace(*names).replace('"example": "1.0"', '"other": "2.0"'))
        other.write_text(other.read_text().replace('"library": "example"', '"library": "other"'))
        testees = {"example": HERE / "example_testee.py", "other": other}
        commands = {name: {"command": [sys.executable, str(path)]} for name, path in testees.items()}
        path = tmp_path / "config.json"
        path.write_text(json.dumps({"environments": commands}))
        return path

    return make


def blamed(config, writer, reader):
    """The lines of a sweep that blame a library, for findings from `writer` to `reader`."""
    words = ("--seed", 1, "--cases", 5000, "--format", "npy", "--property", "shape", "--property", "values")
    done = ndproof("sweep", "--config", config, *words)
    assert done.returncode == DIVERGES, done.stdout + done.stderr
    findings = done.stderr.split("\n\n")
    lines = [one for one in findings if "npy:memory>memory, %s to %s\n" % (writer, reader) in one]
    assert lines, done.stderr
    return [line.strip() for one in lines for line in one.splitlines() if "to blame:" in line]


def test_a_writer_of_wrong_headers_is_to_blame(pair, tmp_path):
    """The example and the reference read the same shape from the bytes, which is not that of the array."""
    config = pair('"shape": array.shape}', '"shape": array.shape[::-1]}', claims='"decode": []')
    lines = blamed(config, "other", "example")
    assert lines and all(line.startswith("to blame: other, on npy. All other readers") for line in lines)
    assert all("(reference 0.1.0) read the same as example, so other wrote them wrong." in line for line in lines)


def test_a_reader_of_wrong_headers_is_to_blame(pair, tmp_path):
    """The example reads the bytes of the reference as promised."""
    config = pair('shape, is_fortran = header["shape"]', 'shape, is_fortran = header["shape"][::-1]')
    lines = blamed(config, "reference", "other")
    assert lines and all(line.startswith("to blame: other, on npy. All other readers") for line in lines)
    assert all("(example 1.0) read what was promised; only other does not." in line for line in lines)


def test_a_wrong_frame_is_a_fault(config, tmp_path):
    change = ('"strides": strides', '"steps": strides')
    done, _ = sweep(config(change), tmp_path / "report.json", cases=100)
    assert done.returncode == FAULT and 'unknown key "steps"' in done.stdout + done.stderr
