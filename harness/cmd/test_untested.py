"""Runs that leave something out that was expected: the exit code is 5, and the last line names it."""

import json
import pathlib
import shlex
import subprocess
import sys

import jsonschema
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
NDPROOF = ROOT / "build/ndproof"
EXAMPLE = ROOT / "harness/testees/example/example_testee.py"
CLEAN, FAULT, VACUOUS = 0, 3, 5
# Enough cases for every floor.
SHORT = ("--seed", 1, "--cases", 300, "--property", "shape")
ARRAY = {"array": {"base": {"dtype": "<i4", "shape": [2]}}}


def run(*words, code, program=NDPROOF, path=None):
    """Runs a command, checks its exit code, and returns its last line and everything that it printed."""
    env = None if path is None else {"PATH": path}
    done = subprocess.run([program, *map(str, words)], capture_output=True, text=True, timeout=300, env=env)
    assert done.returncode == code, (done.returncode, done.stdout[-2000:], done.stderr[-2000:])
    text = done.stdout + done.stderr
    return (done.stdout or done.stderr).splitlines()[-1], text


def allow(*names):
    return [word for name in names for word in ("--allow-missing", name)]


def read_report(path):
    report = json.loads(path.read_text())
    jsonschema.Draft202012Validator(json.loads((ROOT / "reports/schema.json").read_text())).validate(report)
    return report


def untested(report, **fields):
    return [item["name"] for item in report["untested"] if all(item[key] == value for key, value in fields.items())]


@pytest.fixture
def tree(tmp_path):
    """A tree of ndproof without any Python environment."""
    for name in ("harness/testees/python", "corpus"):
        (tmp_path / "tree" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "tree" / name).symlink_to(ROOT / name)
    (tmp_path / "tree/.ci/env").mkdir(parents=True)
    for path in (ROOT / ".ci/env").glob("*.txt"):
        (tmp_path / "tree/.ci/env" / path.name).write_bytes(path.read_bytes())
    (tmp_path / "tree/build").mkdir()
    (tmp_path / "tree/build/ndproof").write_bytes(NDPROOF.read_bytes())
    (tmp_path / "tree/build/ndproof").chmod(0o755)
    return tmp_path / "tree"


def make_environment(tree, folder):
    """Puts this interpreter into the tree."""
    python = tree / "build" / folder / "bin/python3"
    python.parent.mkdir(parents=True)
    python.write_text('#!/bin/sh\nexec %s "$@"\n' % shlex.quote(sys.executable))
    python.chmod(0o755)


@pytest.fixture
def any_finding(tmp_path):
    """A baseline that accepts every divergence, because those of NumPy do not matter here."""
    path = tmp_path / "any.json"
    path.write_text(json.dumps({"schema": 2, "entries": [{"pattern": "*", "reason": "not the subject of this test"}]}))
    return ("--baseline", path)


LIBRARIES = ("joblib", "cloudpickle", "dill", "multiprocess", "astropy", "scipy", "ml_dtypes")
EVERYTHING = ("numpy", "numba", *LIBRARIES)


@pytest.fixture
def alone(tree, tmp_path):
    """The last line and the report of a sweep on a machine without Python."""
    report = tmp_path / "report.json"
    last, _ = run("sweep", *SHORT, "--report", report, code=VACUOUS, program=tree / "build/ndproof", path="/nonexistent")
    return last, report


# Targets.


def test_a_machine_without_python_is_not_green(alone):
    last, report = alone
    assert last.startswith("NOT TESTED: numpy@current (") and last.endswith("; use --allow-missing NAME to accept that")
    assert all(name + "@current" in last for name in EVERYTHING)
    content = read_report(report)
    assert content["gate"]["exit_code"] == VACUOUS
    assert sorted(untested(content, expected=True)) == sorted(name + "@current" for name in EVERYTHING)


def test_the_gate_judges_what_the_report_did_not_test(alone):
    _, report = alone
    last, _ = run("gate", report, code=VACUOUS)
    assert last.startswith("NOT TESTED: numpy@current (")
    run("gate", report, *allow(*EVERYTHING[1:]), code=VACUOUS)
    run("gate", report, *allow(*EVERYTHING), code=CLEAN)


def test_missing_targets_can_be_allowed(tree, tmp_path):
    words = ("sweep", *SHORT, *allow(*EVERYTHING), "--report", tmp_path / "report.json")
    _, text = run(*words, code=CLEAN, program=tree / "build/ndproof", path="/nonexistent")
    assert "not tested, as permitted: numpy@current (" in text
    assert "numpy@current" in untested(read_report(tmp_path / "report.json"), expected=True, allowed=True)
    # A reader of the report need not repeat it.
    run("gate", tmp_path / "report.json", code=CLEAN)


def test_only_named_targets_are_expected(tree):
    words = ("sweep", *SHORT, "--target", "reference")
    run(*words, code=CLEAN, program=tree / "build/ndproof", path="/nonexistent")
    last, _ = run(*words, "--target", "numba", code=VACUOUS, program=tree / "build/ndproof", path="/nonexistent")
    assert last.startswith("NOT TESTED: numba@current (") and last.endswith("; use --allow-missing numba to accept that")


def test_another_interpreter_lacks_the_libraries_of_the_environment(tree, any_finding):
    make_environment(tree, "venv")
    last, _ = run("sweep", *SHORT, *any_finding, code=VACUOUS, program=tree / "build/ndproof")
    assert "numba@current (" in last and "joblib@current" in last and "numpy@current" not in last
    run("sweep", *SHORT, *any_finding, *allow(*EVERYTHING[1:]), code=CLEAN, program=tree / "build/ndproof")


def test_a_library_that_the_environment_omits_is_not_expected(tree, any_finding, tmp_path):
    make_environment(tree, "env/small")
    report = tmp_path / "report.json"
    lines = ["numpy", 'numba==0.1; python_version < "3.0"', 'dill==0.1; python_version < "3.0"', "# ---- needed by these ----", "lz4==4.4.5"]
    (tree / ".ci/env/small.txt").write_text("\n".join(lines))
    words = ("sweep", "--env", "small", *SHORT, *any_finding, "--report", report)
    _, text = run(*words, code=CLEAN, program=tree / "build/ndproof")
    assert "numba@small, dill@small (its environment has none for this Python)" in text
    assert {"numba@small", "dill@small"} <= set(untested(read_report(report), expected=False))
    # Without the marker, it is.
    (tree / ".ci/env/small.txt").write_text("numpy\ndill==0.1\n")
    last, _ = run(*words, code=VACUOUS, program=tree / "build/ndproof")
    assert last == "NOT TESTED: dill@small (not installed); use --allow-missing dill to accept that"
    assert "numba@small" in untested(read_report(report), expected=False, reason="its environment does not list it")


def test_an_environment_that_does_not_start(tree):
    last, _ = run("sweep", "--env", "seeds", *SHORT, code=VACUOUS, program=tree / "build/ndproof")
    assert last.startswith("NOT TESTED: numpy@seeds (no environment seeds found; 'make env NAME=seeds' builds")
    listed = ("numba", "joblib", "cloudpickle", "dill", "multiprocess")
    run("sweep", "--env", "seeds", *SHORT, *allow("numpy", *listed), code=CLEAN, program=tree / "build/ndproof")
    # The path of an interpreter is an argument of the command.
    run("sweep", "--python", "/nonexistent", *SHORT, *allow("numpy"), code=FAULT)


# Comparisons.


@pytest.fixture
def example(tmp_path):
    """Makes a configuration with the example testee, which claims npy; `without` are its functions that support nothing."""

    def make(*without):
        text = EXAMPLE.read_text()
        for name in without:
            head = next(line for line in text.splitlines() if line.startswith("def %s(" % name))
            text = text.replace(head, head + '\n    raise Unsupported("everything")')
        (tmp_path / "testee.py").write_text(text)
        path = tmp_path / "config.json"
        path.write_text(json.dumps({"environments": {"example": {"command": [sys.executable, str(tmp_path / "testee.py")]}}}))
        return path

    return make


def test_unsupported_is_no_comparison(example, tmp_path):
    """Enough cases for the samples of leaks, which a target without any work would pass."""
    report = tmp_path / "report.json"
    words = ("sweep", "--config", example("build", "decode"), "--seed", 1, "--cases", 2000, "--report", report)
    last, text = run(*words, "--target", "example", code=VACUOUS)
    assert "  nothing was compared\n" in text
    assert last == "NOT TESTED: example (it supported none of its 2000 cases); nothing was compared"
    content = read_report(report)
    assert content["work"]["comparisons"] == 0 and not any(cell["pass"] for cell in content["work"]["cells"])
    # A permission to leave out a target does not turn a run without comparisons into evidence.
    run(*words, "--target", "example", *allow("example"), code=VACUOUS)
    # The reference compares with itself, which says nothing about the target.
    last, _ = run(*words, "--property", "shape", code=VACUOUS)
    assert last.startswith("NOT TESTED: example (it supported none of its ")


def test_a_target_that_only_encodes_is_compared(example):
    run("sweep", "--config", example("decode"), "--seed", 1, "--cases", 2000, code=CLEAN)


def test_named_format_that_no_target_has(example):
    words = ("sweep", "--config", example(), "--seed", 1, "--cases", 300, "--format", "npz")
    last, _ = run(*words, "--target", "example", code=VACUOUS)
    assert "npz (0 comparisons, expected at least 10)" in last and "example (no case reached it)" in last
    # The reference has the format, but the requested environment has not.
    last, _ = run(*words, code=VACUOUS)
    assert last == "NOT TESTED: example (no case reached it); use --allow-missing example to accept that"
    run(*words, *allow("example"), code=CLEAN)


def test_named_property_that_is_never_judged():
    words = ("sweep", "--target", "reference", "--in-process", "--format", "raw", *SHORT, "--property", "identity")
    last, _ = run(*words, code=VACUOUS)
    assert last == "NOT TESTED: identity (0 comparisons, expected at least 10); use --allow-missing identity to accept that"
    run(*words, *allow("identity"), code=CLEAN)


# The baseline.


@pytest.fixture
def baseline(tmp_path):
    """29 entries about NumPy."""
    route = {"format": "npy", "encode": "memory", "decode": "memory", "encoder": "numpy", "decoder": "numpy"}
    entry = {"reason": "known", "descriptor": {"ndproof": 1, "value": ARRAY, "route": route}}
    path = tmp_path / "baseline.json"
    path.write_text(json.dumps({"schema": 2, "entries": [{"cause": "%08x" % number, **entry} for number in range(29)]}))
    return path


def test_entries_about_a_missing_target(tree, baseline, tmp_path):
    report = tmp_path / "report.json"
    words = ("sweep", *SHORT, "--target", "reference", "--baseline", baseline, "--report", report)
    last, _ = run(*words, code=VACUOUS, program=tree / "build/ndproof", path="/nonexistent")
    assert last == "NOT TESTED: 29 entries of the baseline (numpy was not compared); use --allow-missing numpy to accept that"
    assert len(untested(read_report(report), kind="baseline", expected=True)) == 29
    run("gate", report, "--baseline", baseline, code=VACUOUS)
    run("gate", report, "--baseline", baseline, *allow("numpy"), code=CLEAN)
    run("gate", report, code=CLEAN)
    run(*words, *allow("numpy"), code=CLEAN, program=tree / "build/ndproof", path="/nonexistent")


# Imported cases.


def test_imported_case_without_a_target(tmp_path):
    folder = tmp_path / "artifacts"
    folder.mkdir()
    case = {"ndproof": 1, "value": ARRAY, "route": {"format": "npy", "encode": "memory", "decode": "memory"}}
    (folder / "one.json").write_text(json.dumps(case))
    words = ("import", folder, "--python", sys.executable)
    run(*words, code=CLEAN)
    case["route"] = {"format": "joblib", "encode": "nowhere"}
    (folder / "two.json").write_text(json.dumps(case))
    last, _ = run(*words, code=VACUOUS)
    assert last.startswith("NOT TESTED: ") and "joblib" in last and "(no available target supports its case)" in last
