"""Runs build/ndproof as a user does: signals, files, exit codes, and replay of findings."""

import json
import os
import pathlib
import pty
import re
import shutil
import signal
import subprocess
import sys
import time

import jsonschema
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
NDPROOF = ROOT / "build/ndproof"
CLEAN, DIVERGES, USAGE, FAULT, STALE, VACUOUS, FLAKY = range(7)
PATIENCE_S = 60
# Formats that start no process for a case.
FAST = [word for name in ("npy", "npz", "raw", "pickle") for word in ("--format", name)]
# This interpreter has fewer libraries than the default environment, so its testee starts faster.
HERE = ["--python", sys.executable]
# All routes of the default environment, with process pools, but without numba, which compiles for seconds.
WIDE = ["--target", "numpy"]

# A Python interpreter whose NumPy has a fault, called as `faulty.sh SCRIPT`.
WRAPPER = """#!/bin/sh
exec '{python}' '{patch}' "$@"
"""
PATCH = """
import os, runpy, sys
import numpy
true_save = numpy.savez
{fault}
numpy.savez = save
sys.argv = sys.argv[1:]
sys.path[0] = os.path.dirname(sys.argv[0])
runpy.run_path(sys.argv[0], run_name="__main__")
"""
# Matrices return with their rows reversed.
REVERSES = """
def save(file, a):
    true_save(file, a=a[::-1] if a.ndim == 2 and type(a) is numpy.ndarray else a)
"""
# Breaks only the property shape, which archives of NumPy always preserve.
TURNS = """
def save(file, a):
    true_save(file, a=a.T if a.ndim == 2 and type(a) is numpy.ndarray else a)
"""
# The same, but only once for each mark file.
TURNS_ONCE = """
def save(file, *unnamed, a=None, **named):
    if a is None:
        return true_save(file, *unnamed, **named)
    if a.ndim == 2 and a.shape[0] != a.shape[1] and type(a) is numpy.ndarray:
        try:
            os.close(os.open({mark!r}, os.O_CREAT | os.O_EXCL))
            a = a.T
        except FileExistsError:
            pass
    true_save(file, a=a)
"""
# Reverses only arrays that were loaded from an NPY file: neither a built array nor a loaded archive shows the fault.
REMEMBERS = """
import weakref
true_load, loaded = numpy.load, weakref.WeakValueDictionary()
def load(*words, **more):
    result = true_load(*words, **more)
    if isinstance(result, numpy.ndarray):
        loaded[id(result)] = result
    return result
numpy.load = load
def save(file, a):
    true_save(file, a=a[::-1] if a.ndim == 2 and loaded.get(id(a)) is a else a)
"""
MATRIX = {"array": {"base": {"dtype": "<i4", "shape": [2, 1], "data": {"hex": "0100000002000000"}}}}


@pytest.fixture(autouse=True)
def temporary_parent(tmp_path, monkeypatch):
    """Receives all temporary files, and checks that none is left."""
    parent = tmp_path / "temporary"
    parent.mkdir()
    monkeypatch.setenv("TMPDIR", str(parent))
    yield parent
    assert list(parent.iterdir()) == []


def ndproof(*words, stdin=None, code=None):
    """Runs a command and checks its exit code."""
    done = subprocess.run([NDPROOF, *map(str, words)], input=stdin, capture_output=True, text=True, timeout=300)
    assert code is None or done.returncode == code, (done.returncode, done.stdout[-2000:], done.stderr[-2000:])
    return done


def read_report(path):
    report = json.loads(path.read_text())
    jsonschema.Draft202012Validator(json.loads((ROOT / "reports/schema.json").read_text())).validate(report)
    return report


def faulty_python(folder, fault):
    """An interpreter in `folder` with `fault` in its numpy.save."""
    patch, wrapper = folder / "patch.py", folder / "faulty.sh"
    patch.write_text(PATCH.format(fault=fault))
    wrapper.write_text(WRAPPER.format(python=sys.executable, patch=patch))
    wrapper.chmod(0o755)
    return wrapper


def defects(report):
    return [finding for finding in report["findings"] if finding["severity"] == "defect"]


# Signals.


def descendants(pid):
    """Every process below this one, as (number, start time)."""
    parents, births = {}, {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            fields = pathlib.Path("/proc", name, "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if fields[0] != "Z":
            parents[int(name)], births[int(name)] = int(fields[1]), fields[19]
    found, todo = set(), {pid}
    while todo:
        todo = {child for child, parent in parents.items() if parent in todo}
        found |= {(child, births[child]) for child in todo}
    return found


def living(processes):
    everything = descendants(0)
    return processes & everything


def wait_until(question):
    end = time.monotonic() + PATIENCE_S
    while not question():
        assert time.monotonic() < end
        time.sleep(0.05)


def interrupted_sweep(report, number, *words):
    """Sends a signal to a sweep after its first cases; returns its exit code and the processes that it had."""
    with subprocess.Popen([NDPROOF, "sweep", "--seed", "5", "--seconds", "300", *words, "--report", str(report)]) as process:
        try:
            wait_until(lambda: report.exists() and read_report(report)["work"]["cases"] > 0)
            family = descendants(process.pid)
            process.send_signal(number)
            code = process.wait(PATIENCE_S)
        finally:
            process.kill()
    return code, family


@pytest.mark.parametrize("number, words", [(signal.SIGINT, HERE), (signal.SIGTERM, WIDE), (signal.SIGHUP, HERE)])
def test_signal_ends_a_sweep_in_order(tmp_path, number, words):
    path = tmp_path / "report.json"
    code, family = interrupted_sweep(path, number, *words)
    assert family and not living(family)
    report = read_report(path)
    assert report["run"]["stop_reason"] == "signal"
    assert code == report["gate"]["exit_code"] and code in (CLEAN, DIVERGES, VACUOUS)
    assert [name for name in os.listdir(tmp_path) if name.endswith(".new")] == []


def test_kill_leaves_a_report_and_no_process(tmp_path, temporary_parent):
    path = tmp_path / "report.json"
    code, family = interrupted_sweep(path, signal.SIGKILL, *WIDE)
    assert code == -signal.SIGKILL
    wait_until(lambda: not living(family))
    assert read_report(path)["run"]["stop_reason"] == "running"
    # A killed process cannot remove its folders.
    subprocess.run(["rm", "-rf", *temporary_parent.iterdir()], check=True)


# Files that cannot be read or written.


@pytest.mark.parametrize("place", ["no/such/folder/report.json", "."])
def test_report_path_that_cannot_be_written(tmp_path, place):
    done = ndproof("sweep", "--seed", 1, "--seconds", 60, *HERE, "--report", tmp_path / place, code=FAULT)
    assert str(tmp_path / place) in done.stderr and "cannot write" in done.stderr
    assert "report: " not in done.stdout


def test_report_path_that_is_a_device(tmp_path):
    """A rename would replace the device; the test uses a pipe."""
    os.mkfifo(tmp_path / "pipe")
    done = ndproof("sweep", "--seed", 1, "--cases", 200, *HERE, "--report", tmp_path / "pipe", code=FAULT)
    assert "not a regular file" in done.stderr and (tmp_path / "pipe").is_fifo()
    assert not (tmp_path / "findings").exists()


@pytest.mark.parametrize(
    "text, place",
    [
        ('{"ndproof": 1, "value": }', ":1:"),
        ('{"ndproof": 1,\n "valu": 3}', ":2:"),
        ('{"ndproof": 2}', "/ndproof"),
        ('{"findings": [{"descriptor": {"ndproof": 1, "x": 1}}]}', "/findings/0/descriptor"),
        ('{"findings": [{}]}', "/findings/0"),
        ('{"findings": [3]}', "/findings/0"),
        ('{"signature": "s", "descriptor": {"ndproof": 1, "value": {"array": 3}}}', "/descriptor/value/array"),
        ('{"signature": "s", "descriptor": null}', "/descriptor"),
    ],
)
def test_malformed_input(tmp_path, text, place):
    path = tmp_path / "case.json"
    path.write_text(text)
    for command in ("replay", "show", "shrink"):
        done = ndproof(command, path, code=USAGE)
        assert str(path) in done.stderr and place in done.stderr, (command, done.stderr)


@pytest.mark.parametrize("words", [("gate",), ("sweep", "--cases", 1, "--baseline"), ("compare", "{}")])
def test_malformed_report_and_baseline(tmp_path, words):
    path = tmp_path / "file.json"
    path.write_text('{"schema": 1,\n "entries": [3]}')
    words = [path if word == "{}" else word for word in words]
    done = ndproof(*words, path, code=USAGE)
    assert str(path) in done.stderr and ":" in done.stderr.replace(str(path), "", 1)


@pytest.mark.parametrize("command", ["replay", "show", "shrink", "gate"])
def test_missing_file(tmp_path, command):
    done = ndproof(command, tmp_path / "nothing", code=USAGE)
    assert str(tmp_path / "nothing") in done.stderr


@pytest.mark.parametrize("words", [(), ("nothing",), ("sweep", "--no"), ("sweep", "--cases", "x"), ("replay",)])
def test_wrong_usage(words):
    assert ndproof(*words, code=USAGE).stderr


@pytest.mark.parametrize("codec, place", [("jsonpickle", 11), ("a:b>c", 6), ("a b:c>d:e", 2), ("a:b>c:d;import os", 8)])
def test_a_codec_that_is_no_import_path(tmp_path, codec, place):
    done = ndproof("sweep", "--codec", codec, "--cases", 1, code=USAGE)
    assert "character %d:" % place in done.stderr
    config = tmp_path / "config.json"
    config.write_text(json.dumps({"environments": {"mine": {"python": sys.executable, "codecs": ["a:b>c:d", codec]}}}))
    done = ndproof("sweep", "--config", config, "--cases", 1, code=USAGE)
    assert "character %d:" % place in done.stderr and "/environments/mine/codecs/1" in done.stderr


def test_a_codec_by_import_path(tmp_path):
    value = {"array": {"base": {"dtype": "<f8", "shape": [3]}}}
    route = {"format": "pickle:dumps", "encode": "codec", "decode": "codec"}
    case = tmp_path / "case.json"
    case.write_text(json.dumps({"ndproof": 1, "value": value, "route": route}))
    words = "replay", "--python", sys.executable, "--target", "numpy", "--codec"
    assert "HOLDS" in ndproof(*words, "pickle:dumps>pickle:loads", case, code=CLEAN).stdout
    done = ndproof(*words, "pickle:dumps>no_such_package:loads", case, code=VACUOUS)
    assert "UNSUPPORTED" in done.stdout and "no_such_package cannot be imported" in done.stdout


# Reports.


def test_same_seed_same_report(tmp_path):
    reports = []
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        ndproof("sweep", "--seed", 11, "--cases", 200, *HERE, *FAST, "--report", tmp_path / name / "report.json")
        report = read_report(tmp_path / name / "report.json")
        for key in ("started", "ended", "argv"):
            del report["run"][key]
        for named in report["findings"] + report["causes"]:
            for key in ("replay", "found_after_s"):
                named.pop(key, None)
        reports.append(report)
    assert reports[0]["work"]["cases"] == 200 and reports[0]["findings"]
    assert reports[0] == reports[1]


# Exit codes.


def sweep_matrices(folder, *words, python=None, code=None):
    """A short sweep over the format with the planted fault; returns the report."""
    path = folder / "report.json"
    python = ["--python", python or sys.executable]
    route = ["--format", "npz", "--property", "shape", "--target", "numpy"]
    ndproof("sweep", "--seed", 3, "--cases", 200, *python, *route, "--report", path, *words, code=code)
    return read_report(path)


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """The report of a sweep on a faulty NumPy, the interpreter and the folder."""
    folder = tmp_path_factory.mktemp("found")
    python = faulty_python(folder, TURNS)
    return sweep_matrices(folder, python=python, code=DIVERGES), python, folder


def write_baseline(path, findings, **more):
    entries = {
        finding["cause"]: dict(cause=finding["cause"], reason="a test", descriptor=finding["descriptor"], **more) for finding in findings
    }
    path.write_text(json.dumps({"schema": 2, "entries": list(entries.values())}))
    return path


def test_clean(tmp_path):
    report = sweep_matrices(tmp_path, code=CLEAN)
    assert report["gate"]["status"] == "clean" and report["work"]["cases"] == 200


def test_new_divergence(found):
    report, _, _ = found
    assert report["gate"]["status"] == "diverges"
    assert defects(report) and all(finding["property"] == "shape" for finding in defects(report))


def test_baseline_accepts(found, tmp_path):
    report, python, _ = found
    baseline = write_baseline(tmp_path / "baseline.json", defects(report), expires="2999-12-31")
    assert sweep_matrices(tmp_path, "--baseline", baseline, python=python, code=CLEAN)["baseline"]["matched"]


def test_baseline_expired(found, tmp_path):
    report, python, _ = found
    baseline = write_baseline(tmp_path / "baseline.json", defects(report), expires="2001-01-01")
    assert sweep_matrices(tmp_path, "--baseline", baseline, python=python, code=STALE)["baseline"]["expired"]


def test_baseline_stale(found, tmp_path):
    report, _, _ = found
    baseline = write_baseline(tmp_path / "baseline.json", defects(report))
    assert sweep_matrices(tmp_path, "--baseline", baseline, code=STALE)["baseline"]["stale"]


def test_gate_judges_a_stored_report(found, tmp_path):
    report, _, folder = found
    ndproof("gate", folder / "report.json", code=DIVERGES)
    baseline = write_baseline(tmp_path / "baseline.json", defects(report))
    ndproof("gate", folder / "report.json", "--baseline", baseline, code=CLEAN)


def test_accept_writes_the_baseline(found, tmp_path):
    """Every new cause by default, chosen ones by id; the gate then passes, and a replay verifies it."""
    report, python, folder = found
    baseline = tmp_path / "baseline.json"
    accept = ["accept", folder / "report.json", "--baseline", baseline, "--reason", "known"]
    ndproof(*accept[:-2], code=USAGE)
    ndproof(*accept, "--cause", "00000000", code=USAGE)
    ndproof(*accept, "--expires", "2027-13-01", code=USAGE)
    assert not baseline.exists()
    ids = sorted({finding["cause"] for finding in defects(report)})
    ndproof(*accept, "--cause", ids[0], "--link", "an issue", "--expires", "2999-12-31", code=CLEAN)
    (entry,) = json.loads(baseline.read_text())["entries"]
    assert (entry["cause"], entry["reason"], entry["link"], entry["expires"]) == (ids[0], "known", "an issue", "2999-12-31")
    ndproof(*accept, code=CLEAN)
    assert sorted(entry["cause"] for entry in json.loads(baseline.read_text())["entries"]) == ids
    done = ndproof("gate", folder / "report.json", "--baseline", baseline, "--replay", "--python", python, code=CLEAN)
    assert done.stdout.splitlines()[0] == "clean" and "known" in done.stdout


def test_pattern_accepts_by_key(found, tmp_path):
    report, _, folder = found
    entry = {"pattern": "DIVERGES|shape|*|numpy", "reason": "a test"}
    (tmp_path / "baseline.json").write_text(json.dumps({"schema": 2, "entries": [entry]}))
    ndproof("gate", folder / "report.json", "--baseline", tmp_path / "baseline.json", code=CLEAN)
    entry["pattern"] = "DIVERGES|values|*"
    (tmp_path / "baseline.json").write_text(json.dumps({"schema": 2, "entries": [entry]}))
    done = ndproof("gate", folder / "report.json", "--baseline", tmp_path / "baseline.json", code=DIVERGES)
    assert "not generated in this run DIVERGES|values|*" in done.stdout


def test_fixed_only_after_a_replay(found, tmp_path):
    """A run that did not generate a cause says nothing about it."""
    report, python, folder = found
    baseline = write_baseline(tmp_path / "baseline.json", defects(report))
    ndproof("sweep", "--seed", 9, "--cases", 120, "--target", "reference", "--in-process", "--report", tmp_path / "other.json", code=CLEAN)
    done = ndproof("gate", tmp_path / "other.json", "--baseline", baseline)
    assert "not generated in this run" in done.stdout and "fixed" not in done.stdout
    gate = ["gate", tmp_path / "other.json", "--baseline", baseline, "--replay"]
    assert "fixed" in ndproof(*gate, "--python", sys.executable, code=STALE).stdout
    assert "fixed" not in ndproof(*gate, "--python", python, code=CLEAN).stdout
    compare = ["compare", folder / "report.json", tmp_path / "other.json"]
    assert " 0 fixed" in ndproof(*compare, code=CLEAN).stdout
    assert " 0 fixed" in ndproof(*compare, "--replay", "--python", python, code=CLEAN).stdout
    assert " 0 not generated" in ndproof(*compare, "--replay", "--python", sys.executable, code=CLEAN).stdout


def test_too_little_work(tmp_path):
    ndproof("sweep", "--seed", 1, "--cases", 3, *HERE, "--report", tmp_path / "report.json", code=VACUOUS)
    assert read_report(tmp_path / "report.json")["gate"]["status"] == "vacuous"


def test_requested_property_needs_comparisons(tmp_path):
    """The format has no object graphs, so identity is never compared."""
    asked = ["--property", "shape", "--property", "identity"]
    options = ["--target", "reference", "--in-process", "--report", tmp_path / "report.json"]
    ndproof("sweep", "--seed", 1, "--cases", 300, "--format", "raw", *asked, *options, code=VACUOUS)
    assert "property identity" in " ".join(read_report(tmp_path / "report.json")["gate"]["reasons"])
    ndproof("sweep", "--seed", 1, "--cases", 300, "--format", "raw", *asked[:2], *options, code=CLEAN)


def test_flaky(tmp_path, monkeypatch):
    # The fault keeps its state in a file outside the testee's own folder.
    monkeypatch.setenv("NDPROOF_SANDBOX", "none")
    python = faulty_python(tmp_path, TURNS_ONCE.format(mark=str(tmp_path / "mark")))
    report = sweep_matrices(tmp_path, python=python, code=FLAKY)
    assert (tmp_path / "mark").exists()
    assert [finding["status"] for finding in defects(report)] == ["flaky"]


# Replay.


def results(done):
    return [line.split()[0] for line in done.stdout.splitlines() if line[:1].isupper()]


def test_replay_of_report_and_findings(found):
    report, python, folder = found
    done = ndproof("replay", "--python", python, folder / "report.json", code=DIVERGES)
    assert set(results(done)) == {"DIVERGES"} and len(results(done)) == len(report["findings"])
    files = sorted((folder / "findings").glob("*.json"))
    done = ndproof("replay", "--python", python, *files, code=DIVERGES)
    assert set(results(done)) == {"DIVERGES"} and len(results(done)) == len(files)
    done = ndproof("replay", "--python", sys.executable, *files, code=CLEAN)
    assert set(results(done)) == {"FIXED"}


def test_replay_with_other_target_names(found, tmp_path):
    """Two NumPys in one run have version and number in their names; a single one is `numpy`."""
    report, python, folder = found
    done = ndproof("replay", "--python", python, "--python", sys.executable, folder / "report.json", code=DIVERGES)
    assert set(results(done)) == {"DIVERGES"}
    text = json.dumps(defects(report)[0]["descriptor"]).replace('"numpy"', '"numpy-1.26.4"')
    (tmp_path / "case.json").write_text(text)
    done = ndproof("replay", "--python", python, tmp_path / "case.json", code=DIVERGES)
    assert results(done) == ["DIVERGES"]


# Transcoding: one target decodes one format and encodes another.


def test_value_lost_only_in_the_second_format(tmp_path):
    """Found only by the property `transcode`, then replayed, minimised and accepted in a baseline."""
    python = faulty_python(tmp_path, REMEMBERS)
    words = ["sweep", "--seed", 3, "--cases", 400, "--python", python, "--format", "npy", "--property", "transcode"]
    words += ["--property", "values", "--report", tmp_path / "report.json"]
    ndproof(*words, code=DIVERGES)
    findings = defects(read_report(tmp_path / "report.json"))
    finding = [finding for finding in findings if finding["property"] == "transcode"][0]
    assert (finding["field"], finding["outlier"]) == ("values.npz", "numpy")
    case = tmp_path / "case.json"
    case.write_text(json.dumps(finding))
    assert set(results(ndproof("replay", "--python", python, case, code=DIVERGES))) == {"DIVERGES"}
    assert results(ndproof("replay", "--python", sys.executable, case, code=CLEAN)) == ["FIXED"]
    small = json.loads(ndproof("shrink", "--python", python, case, code=DIVERGES).stdout)
    assert small == finding["descriptor"]
    baseline = write_baseline(tmp_path / "baseline.json", findings)
    ndproof(*words, "--baseline", baseline, code=CLEAN)


def test_route_through_a_third_target_is_rejected(tmp_path):
    """Descriptors of older versions may name one; the message has the reason and the line."""
    case = tmp_path / "case.json"
    case.write_text('{"route": {"format": "npy", "via": {"target": "numpy", "format": "npz"}}}')
    done = ndproof("replay", case, code=USAGE)
    assert "case.json:1:" in done.stderr and "/route/via" in done.stderr and "transcode" in done.stderr


def test_replay_changed(found, tmp_path):
    report, python, _ = found
    finding = defects(report)[0]
    other = {"signature": "DIVERGES|values|npy|another|numpy", "descriptor": finding["descriptor"]}
    (tmp_path / "case.json").write_text(json.dumps(other))
    done = ndproof("replay", "--python", python, tmp_path / "case.json", code=DIVERGES)
    assert results(done) == ["CHANGED"]


def test_replay_of_a_format_that_no_target_has(tmp_path):
    case = {"ndproof": 1, "value": MATRIX, "route": {"format": "nothing", "encode": "memory", "decode": "memory"}}
    (tmp_path / "case.json").write_text(json.dumps(case))
    assert results(ndproof("replay", *HERE, tmp_path / "case.json", code=VACUOUS)) == ["UNSUPPORTED"]


def test_replay_of_a_value_that_no_target_supports(tmp_path):
    value = {"array": {"base": {"dtype": "<f8", "shape": [3]}, "class": {"name": "cudf.pandas"}}}
    route = {"format": "pickle", "protocol": 4, "encode": "c", "decode": "c", "encoder": "reference", "decoder": "reference"}
    case = {"ndproof": 1, "value": {"graph": {"nodes": [value]}}, "route": route}
    (tmp_path / "case.json").write_text(json.dumps(case))
    done = ndproof("replay", *HERE, tmp_path / "case.json", code=VACUOUS)
    assert results(done) == ["UNSUPPORTED"]


def test_replay_from_standard_input():
    case = {"ndproof": 1, "value": MATRIX, "route": {"format": "npy", "encode": "memory", "decode": "memory"}}
    assert results(ndproof("replay", *HERE, "-", stdin=json.dumps(case), code=CLEAN)) == ["HOLDS"]


def test_replay_on_many_routes_prints_progress(tmp_path, temporary_parent):
    """On a terminal, which has a line every 0.2 s; harness/cmd/progress_test.c has the lines of other outputs."""
    python = faulty_python(tmp_path, "def save(file, a):\n    __import__('time').sleep(0.3)\n    true_save(file, a=a)\n")
    path = tmp_path / "case.json"
    path.write_text(json.dumps({"ndproof": 1, "value": MATRIX, "route": {"format": "npz"}}))
    terminal, stderr = pty.openpty()
    with subprocess.Popen([NDPROOF, "replay", "--python", python, "--target", "numpy", path], stdout=subprocess.DEVNULL, stderr=stderr) as process:
        os.close(stderr)
        text = b""
        while b" s left" not in text:
            text += os.read(terminal, 4096)
        family = descendants(process.pid)
        process.kill()
    os.close(terminal)
    wait_until(lambda: not living(family))
    subprocess.run(["rm", "-rf", *temporary_parent.iterdir()], check=True)
    assert re.search(rb"\d cases, .*, \d+ s left", text)


# Artifacts of fuzzing engines.

ORACLE = """#!/bin/sh
grep -q '{mark}' "$1" || exit 0
{action}
"""
PROMISE = 'echo "Assertion failure: FuzzerHash=abc {0}" >&2; echo "DEDUP_TOKEN: {0}" >&2; kill -6 $$'
BROKEN = PROMISE.format("DIVERGES|fuzz_{0}|it holds")


@pytest.fixture
def oracles(tmp_path):
    """A copy of ndproof next to fake fuzz targets, which the test defines."""
    folder = tmp_path / "build/cc-plain"
    (folder / "fuzzers").mkdir(parents=True)
    shutil.copy(NDPROOF, folder / "ndproof")

    def add(name, mark, action):
        program = folder / "fuzzers" / f"fuzz_{name}"
        program.write_text(ORACLE.format(mark=mark, action=action))
        program.chmod(0o755)

    def run(*words, code):
        done = subprocess.run([folder / "ndproof", *map(str, words), "--in-process"], capture_output=True, text=True, timeout=300)
        assert done.returncode == code, (done.returncode, done.stdout[-2000:], done.stderr[-2000:])
        return done

    add("frame", "BAD", BROKEN.format("frame"))
    add("npy", "BAD", "echo 'ndproof: cannot work: no testee' >&2; exit 3")
    run.add = add
    run.program = folder / "ndproof"
    return run


@pytest.mark.parametrize("name", ["crash-0a", "leak-0a", "oom-0a", "timeout-0a", "slow-unit-0a", "minimized-from-0a", "id:000000,sig:06,op:havoc", "fuzz_frame-crash-0a", "fuzz_frame/main/crashes/id:000000", "fuzz_things/crash-0a", "fuzz_frame/main/crashes/id:000000,sig:06,sync:fuzz_frame_0,src:000001"])
def test_replay_of_an_artifact_of_any_target(oracles, tmp_path, name):
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"BAD")
    done = oracles("replay", path, code=DIVERGES)
    assert results(done) == ["DIVERGES"]
    assert "fuzz_frame reports: DIVERGES|fuzz_frame|it holds" in done.stdout
    path.write_bytes(b'{"cut')
    assert results(oracles("replay", path, code=CLEAN)) == ["FIXED"]


@pytest.mark.parametrize("name", ["fuzz_frame/main/queue/id:000000,time:0", "corpus/fuzz_frame/3f2a"])
def test_input_that_nothing_reports_as_broken_is_not_fixed(oracles, tmp_path, name):
    path = tmp_path / name
    path.parent.mkdir(parents=True)
    path.write_bytes(b"good")
    assert results(oracles("replay", path, code=CLEAN)) == ["HOLDS"]


def test_input_that_kills_a_fuzz_target_is_not_run_in_process(oracles, tmp_path):
    oracles.add("npy", "NUMPY", "kill -11 $$")
    (tmp_path / "found").mkdir()
    path = tmp_path / "found/crash-0a"
    path.write_bytes(b"\x93NUMPY")
    done = oracles("replay", path, code=DIVERGES)
    assert "  fuzz_npy reports: CRASH|fuzz_npy|signal 11|\n" in done.stdout and results(done) == ["DIVERGES"]
    done = oracles("import", tmp_path / "found", "--report", tmp_path / "report.json", code=DIVERGES)
    assert done.stdout.startswith("1 artifacts: 0 cases, 1 findings of fuzz targets only, 0 that")


HOARD = "exec {0} -c 'import time; held = bytearray(7 << 29); time.sleep(60)'"
TURN = "exec {0} -c 'while True: pass'"


@pytest.mark.parametrize("action, kind", [(HOARD, "OOM"), (TURN, "TIMEOUT")])
def test_fuzz_target_that_exceeds_a_limit(oracles, tmp_path, action, kind):
    """The limits also apply to a program without an engine or sanitizers; the time limit is CPU time."""
    oracles.add("npy", "NUMPY", action.format(sys.executable))
    path = tmp_path / "fuzz_npy-oom-0a"
    path.write_bytes(b"\x93NUMPY")
    done = oracles("replay", path, code=DIVERGES)
    assert f"  fuzz_npy reports: {kind}|fuzz_npy\n" in done.stdout and results(done) == ["DIVERGES"]


@pytest.mark.parametrize("words, kind", [("out-of-memory (used: 2100Mb; limit: 2048Mb)", "OOM"), ("timeout", "TIMEOUT")])
def test_limit_reported_by_an_engine_is_the_kind(oracles, tmp_path, words, kind):
    oracles.add("npy", "NUMPY", f"echo 'SUMMARY: libFuzzer: {words}' >&2; exit 71")
    (tmp_path / "found").mkdir()
    (tmp_path / "found/fuzz_npy-oom-0a").write_bytes(b"\x93NUMPY")
    oracles("import", tmp_path / "found", "--report", tmp_path / "report.json", code=DIVERGES)
    (finding,) = read_report(tmp_path / "report.json")["findings"]
    assert (finding["kind"], finding["signature"]) == (kind, f"{kind}|fuzz_npy")


def test_fault_of_a_fuzz_target_is_no_defect(oracles, tmp_path):
    """A fault is no evidence about the libraries; the run ends with 3 whatever other fuzz targets report."""
    oracles.add("npy", "BAD", PROMISE.format("FAULT|fuzz_npy|it failed at its own work"))
    oracles.add("frame", "no mark", BROKEN.format("frame"))
    (tmp_path / "found").mkdir()
    path, beside = tmp_path / "found/crash-0a", tmp_path / "found/crash-0a.signature"
    path.write_bytes(b"BAD")
    beside.write_text("FAULT|fuzz_npy|it failed at its own work\ncount 30\n")
    done = oracles("replay", path, code=FAULT)
    assert "  cannot run: fuzz_npy reports: FAULT|fuzz_npy|it failed at its own work\n" in done.stdout and results(done) == ["ERROR"]
    done = oracles("import", tmp_path / "found", "--report", tmp_path / "report.json", code=FAULT)
    assert done.stdout.startswith("1 artifacts: 0 cases, 0 findings of fuzz targets only, 0 that")
    assert "FAULT|fuzz_npy|it failed at its own work\n  to reproduce it: " in done.stderr
    report = read_report(tmp_path / "report.json")
    assert report["work"]["faults"] == 30 and not report["findings"]


def test_crash_signature_has_the_function_for_every_sanitizer(oracles, tmp_path):
    """The last lines of ASan and UBSan of LLVM 14."""
    path = tmp_path / "crash-0a"
    path.write_bytes(b"BAD")
    for summary in ("AddressSanitizer: SEGV a.c:1:2 in read_it", "UndefinedBehaviorSanitizer: undefined-behavior a.c:1:2 in "):
        oracles.add("npy", "BAD", f"echo 'DEDUP_TOKEN: read_it--fuzz_one_input--run'; echo 'SUMMARY: {summary}'; exit 1")
        done = oracles("replay", path, code=DIVERGES)
        assert f"fuzz_npy reports: CRASH|fuzz_npy|{summary.split()[1]}|read_it\n" in done.stdout


def test_replay_if_the_fuzz_target_of_an_artifact_cannot_run(oracles, tmp_path):
    (tmp_path / "fuzz_npy-crash-0a").write_bytes(b"BAD")
    done = oracles("replay", tmp_path / "fuzz_npy-crash-0a", code=FAULT)
    assert results(done) == ["ERROR"] and "fuzz_npy cannot run here: no testee" in done.stdout
    (tmp_path / "fuzz_absent-crash-0a").write_bytes(b"")
    done = oracles("replay", tmp_path / "fuzz_absent-crash-0a", code=FAULT)
    assert results(done) == ["ERROR"] and "fuzz target fuzz_absent is not built" in done.stdout
    (tmp_path / "fuzz_absent-crash-0a").write_bytes(b"BAD")
    done = oracles("replay", tmp_path / "fuzz_absent-crash-0a", code=DIVERGES)
    assert results(done) == ["DIVERGES"] and "fuzz_frame reports: DIVERGES|fuzz_frame|it holds" in done.stdout


def test_replay_of_an_artifact_whose_libraries_only_its_fuzz_target_has(oracles, tmp_path):
    """The only target here, the reference, offers no route between two others, so the fuzz target decides."""
    path = tmp_path / "fuzz_frame-crash-0a"
    case = {"ndproof": 1, "value": {"array": {"base": {"dtype": "|u1", "shape": [1]}}}, "route": {"format": "joblib", "encode": "object", "decode": "object", "encoder": "numpy", "decoder": "numpy"}}
    path.write_text(json.dumps(case))
    assert results(oracles("replay", path, code=CLEAN)) == ["FIXED"]
    oracles.add("frame", "joblib", BROKEN.format("frame"))
    assert results(oracles("replay", path, code=DIVERGES)) == ["DIVERGES"]
    (tmp_path / "case.json").write_text(path.read_text())
    done = oracles("replay", tmp_path / "case.json", code=VACUOUS)
    assert results(done) == ["UNSUPPORTED"] and "no target here offers the route" in done.stdout


def test_import_skips_artifacts_that_it_cannot_judge(oracles, tmp_path):
    found = tmp_path / "found"
    for name, content in {"a/crash-1": b"BAD", "a/fuzz_absent-crash-2": b"good", "a/fuzz_absent-crash-5": b"BAD", "b/c/main/crashes/id:000001,sig:06": b"BAD", "b/c/main/crashes/README.txt": b"BAD", "b/c/main/queue/id:000002": b"BAD", "d/fuzz_frame-crash-3": b"good", "crash-4": b'{"cut'}.items():
        (found / name).parent.mkdir(parents=True, exist_ok=True)
        (found / name).write_bytes(content)
    done = oracles("import", found, "--report", tmp_path / "report.json", code=FAULT)
    assert "fuzz_absent-crash-2: the fuzz target fuzz_absent is not built" in done.stderr
    assert done.stdout.startswith("6 artifacts: 0 cases, 3 findings of fuzz targets only, 2 that")
    found_of_frame = [finding for finding in defects(read_report(tmp_path / "report.json")) if "fuzz_frame" in finding["signature"]]
    assert [finding["count"] for finding in found_of_frame] == [3]
    (found / "a/fuzz_absent-crash-2").unlink()
    oracles("import", found, "--report", tmp_path / "report.json", code=DIVERGES)


DESCRIPTOR = b'{"ndproof":1,"value":{"array":{"base":{"dtype":"|u1","shape":[7]}}}}'


@pytest.mark.parametrize("target, content, mark, is_descriptor", [("frame", b"BAD", "BAD", False), ("descriptor", DESCRIPTOR, "shape", True), ("descriptor", DESCRIPTOR.replace(b":1", b": 1"), ": 1", False)])
def test_finding_of_a_fuzz_target_is_replayed(oracles, tmp_path, target, content, mark, is_descriptor):
    """Replays from the report as from the input; the finding has a descriptor if the fuzz target reports the same for it."""
    oracles.add(target, mark, BROKEN.format(target))
    (tmp_path / "found").mkdir()
    (tmp_path / f"found/fuzz_{target}-finding-0a").write_bytes(content)
    path, alone = tmp_path / "report.json", tmp_path / "finding.json"
    oracles("import", tmp_path / "found", "--target", "reference", "--report", path, code=DIVERGES)
    (finding,) = defects(read_report(path))
    assert ("value" in finding["descriptor"], "bytes" in finding["descriptor"]) == (is_descriptor, not is_descriptor)
    alone.write_text(json.dumps(finding))
    for file in (path, alone):
        done = oracles("replay", file, code=DIVERGES)
        assert results(done) == ["DIVERGES"] and f"fuzz_{target} reports: DIVERGES|fuzz_{target}|it holds" in done.stdout
    oracles.add(target, mark, PROMISE.format(f"DIVERGES|fuzz_{target}|it holds, too"))
    assert results(oracles("replay", path, code=DIVERGES)) == ["CHANGED"]
    oracles.add(target, "no mark", "exit 1")
    assert results(oracles("replay", path, code=CLEAN)) == ["FIXED"]
    (oracles.program.parent / f"fuzzers/fuzz_{target}").unlink()
    done = oracles("replay", path, code=FAULT)
    assert results(done) == ["ERROR"] and f"the fuzz target fuzz_{target} is not built" in done.stdout


@pytest.mark.parametrize("has_finding", [True, False])
def test_signal_ends_an_import_in_order(oracles, tmp_path, has_finding):
    """The report keeps earlier findings; the running fuzz target is stopped and is no finding."""
    oracles.add("npy", "WAIT", f"touch {tmp_path}/asked; exec sleep 300")
    found, path = tmp_path / "found", tmp_path / "report.json"
    found.mkdir()
    (found / "fuzz_frame-crash-1").write_bytes(b"BAD" if has_finding else b"good")
    for name in ("fuzz_npy-crash-2", "fuzz_npy-crash-3"):
        (found / name).write_bytes(b"WAIT")
    command = [oracles.program, "import", found, "--report", path, "--in-process"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            wait_until((tmp_path / "asked").exists)
            process.send_signal(signal.SIGTERM)
            errors = process.communicate(timeout=PATIENCE_S)[1]
        finally:
            process.kill()
    assert process.returncode == (DIVERGES if has_finding else VACUOUS)
    report = read_report(path)
    assert report["run"]["stop_reason"] == "signal" and report["gate"]["exit_code"] == process.returncode
    assert [finding["signature"] for finding in defects(report)] == ["DIVERGES|fuzz_frame|it holds"] * has_finding
    assert "stopped by a signal, 1 artifacts left" in errors


def test_import_runs_a_case_on_the_route_of_its_signature(oracles, tmp_path):
    """The route of the descriptor does not matter: a fuzz target uses its own. Import runs no fuzz target for a case."""
    oracles.add("descriptor_trip", "ndproof", "kill -11 $$")
    path = tmp_path / "found/fuzz_descriptor_trip-finding-0a"
    path.parent.mkdir()
    path.write_text('{"ndproof":1,"value":{"array":{"base":{"dtype":"|u1","shape":[1]}}},"route":{"format":"npy"}}')
    beside = tmp_path / "found/fuzz_descriptor_trip-finding-0a.signature"
    beside.write_text("DIVERGES|values|npz|values|reference|npz:compressed>file|u|||any|1\ncount 7\n")
    done = oracles("import", tmp_path / "found", "--report", tmp_path / "report.json", code=CLEAN)
    assert "1 artifacts: 1 cases, 0 findings" in done.stdout
    routes = {cell["route"].split()[-1] for cell in read_report(tmp_path / "report.json")["work"]["cells"]}
    assert routes == {"npz:compressed>file"}
    # The end of a testee is that of a case, too.
    for end in ("OOM|-|npz|process|numpy|npz:compressed>file", "CRASH|-|npz|process|signal 8 __new__|numpy|npz:compressed>file"):
        beside.write_text(f"{end}\ncount 2\n")
        done = oracles("import", tmp_path / "found", "--report", tmp_path / "report.json", code=CLEAN)
        assert "1 artifacts: 1 cases, 0 findings" in done.stdout
        assert {cell["route"].split()[-1] for cell in read_report(tmp_path / "report.json")["work"]["cells"]} == routes
    # Only the fuzz target reproduces a promise of the fuzz target.
    beside.write_text("DIVERGES|fuzz_descriptor_trip|it holds\n")
    done = oracles("import", tmp_path / "found", "--report", tmp_path / "report.json", code=DIVERGES)
    assert "1 artifacts: 0 cases, 1 findings" in done.stdout


# Full disks.


def may_mount():
    """Returns whether a command can mount a separate disk here."""
    mount = ["unshare", "-rm", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]
    return subprocess.run(mount, capture_output=True).returncode == 0


def on_a_full_disk(folder, command):
    """Runs a command with `folder` on a disk of 8 KiB, or if that cannot be mounted, with files of at most 8 KiB."""
    mount = 'mount -t tmpfs -o size=8k tmpfs "$0" && "$@"; code=$?; find "$0" -type f -printf "%f %s\\n" >&2; exit $code'
    words = ["unshare", "-rm", "sh", "-c", mount, folder] if may_mount() else ["prlimit", "--fsize=8192"]
    return subprocess.run([*map(str, words), *map(str, command)], capture_output=True, text=True, timeout=300)


def test_full_disk_ends_with_a_fault_and_leaves_no_broken_report(tmp_path):
    disk = tmp_path / "disk"
    disk.mkdir()
    sweep = [NDPROOF, "sweep", "--seed", 5, "--cases", 200, *HERE, *FAST, "--report", disk / "report.json"]
    done = on_a_full_disk(disk, sweep)
    assert done.returncode == FAULT, done.stderr[-2000:]
    assert str(disk / "report.json") in done.stderr and "cannot write" in done.stderr
    assert ".new " not in done.stderr and not list(disk.glob("*.new"))


def test_full_disk_leaves_no_broken_finding(tmp_path):
    """A finding whose file does not fit is printed as text."""
    if not may_mount():
        pytest.skip("no disk can be mounted here, and the file of a finding is smaller than 8 KiB")
    disk = tmp_path / "disk"
    disk.mkdir()
    python = faulty_python(tmp_path, REVERSES)
    sweep = [NDPROOF, "sweep", "--seed", 3, "--cases", 200, "--python", python, "--format", "npz", "--target", "numpy"]
    done = on_a_full_disk(disk, [*sweep, "--report", disk / "report.json"])
    assert done.returncode == FAULT, done.stderr[-2000:]
    assert "replay" in done.stderr and "<<'END'" in done.stderr
    assert ".json 0\n" not in done.stderr and ".new " not in done.stderr


def test_killed_run_keeps_its_findings(tmp_path, temporary_parent):
    """Earlier findings are in the report and in files that replay."""
    python = faulty_python(tmp_path, REVERSES)
    path = tmp_path / "report.json"
    words = [NDPROOF, "sweep", "--seed", 3, "--seconds", 300, "--python", python, "--format", "npz", "--target", "numpy"]
    with subprocess.Popen([*map(str, words), "--report", str(path)], stdout=subprocess.DEVNULL) as process:
        try:
            wait_until(lambda: path.exists() and defects(read_report(path)))
            family = descendants(process.pid)
        finally:
            process.kill()
    wait_until(lambda: not living(family))
    report = read_report(path)
    assert report["run"]["stop_reason"] == "running" and defects(report)
    ndproof("replay", "--python", python, path, code=DIVERGES)
    assert sorted((tmp_path / "findings").glob("*.json"))
    subprocess.run(["rm", "-rf", *temporary_parent.iterdir()], check=True)
