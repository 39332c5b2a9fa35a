"""Runs build/ndproof as a user does: its signals, and the files it cannot write."""

import json
import os
import pathlib
import signal
import subprocess
import time

import jsonschema
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
NDPROOF = ROOT / "build/ndproof"
CLEAN, DIVERGES, FAULT, VACUOUS = 0, 1, 3, 5
PATIENCE_S = 60


@pytest.fixture(autouse=True)
def temporary_parent(tmp_path, monkeypatch):
    """Everything temporary goes here, and must be gone in the end."""
    parent = tmp_path / "temporary"
    parent.mkdir()
    monkeypatch.setenv("TMPDIR", str(parent))
    yield parent
    assert list(parent.iterdir()) == []


def ndproof(*words, stdin=None, code=None):
    """Runs one command to its end."""
    done = subprocess.run([NDPROOF, *map(str, words)], input=stdin, capture_output=True, text=True, timeout=300)
    assert code is None or done.returncode == code, (done.returncode, done.stdout[-2000:], done.stderr[-2000:])
    return done


def read_report(path):
    report = json.loads(path.read_text())
    jsonschema.Draft202012Validator(json.loads((ROOT / "reports/schema.json").read_text())).validate(report)
    return report


# Signals.


def descendants(pid):
    """Every process below this one, by number and time of birth."""
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


def interrupted_sweep(report, number):
    """A sweep that gets a signal after it has compared something; its exit code and the processes it had."""
    with subprocess.Popen([NDPROOF, "sweep", "--seed", "5", "--seconds", "300", "--report", str(report)]) as process:
        try:
            wait_until(lambda: report.exists() and read_report(report)["work"]["cases"] > 0)
            family = descendants(process.pid)
            process.send_signal(number)
            code = process.wait(PATIENCE_S)
        finally:
            process.kill()
    return code, family


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signal_ends_a_sweep_in_order(tmp_path, number):
    path = tmp_path / "report.json"
    code, family = interrupted_sweep(path, number)
    assert family and not living(family)
    report = read_report(path)
    assert report["run"]["stop_reason"] == "signal"
    assert code == report["gate"]["exit_code"] and code in (CLEAN, DIVERGES, VACUOUS)
    assert [name for name in os.listdir(tmp_path) if name.endswith(".new")] == []


def test_kill_leaves_a_report_and_no_process(tmp_path, temporary_parent):
    path = tmp_path / "report.json"
    code, family = interrupted_sweep(path, signal.SIGKILL)
    assert code == -signal.SIGKILL
    wait_until(lambda: not living(family))
    assert read_report(path)["run"]["stop_reason"] == "running"
    # Nobody is left who could remove the folders of the killed.
    subprocess.run(["rm", "-rf", *temporary_parent.iterdir()], check=True)


# Files that cannot be read or written.


@pytest.mark.parametrize("place", ["no/such/folder/report.json", "."])
def test_report_path_that_cannot_be_written(tmp_path, place):
    done = ndproof("sweep", "--seed", 1, "--seconds", 60, "--report", tmp_path / place, code=FAULT)
    assert str(tmp_path / place) in done.stderr and "cannot write" in done.stderr
    assert "report: " not in done.stdout


def test_report_path_that_is_a_device(tmp_path):
    """A rename would replace it: a pipe stands in for the devices of the machine."""
    os.mkfifo(tmp_path / "pipe")
    done = ndproof("sweep", "--seed", 1, "--cases", 200, "--report", tmp_path / "pipe", code=FAULT)
    assert "no regular file" in done.stderr and (tmp_path / "pipe").is_fifo()
    assert not (tmp_path / "findings").exists()
