"""The verdict of a night over reports that build/ndproof writes: a sweep on a NumPy with a fault, without fuzzing."""

import json
import os
import pathlib
import subprocess
import sys

import pytest
from test_ndproof import NDPROOF, ROOT, TURNS, faulty_python, read_report

JUDGE = """
import sys
sys.path.insert(0, sys.argv[1])
sys.dont_write_bytecode = True
import fuzz, nightly, os
os.chdir(sys.argv[2])
night = nightly.Night()
night.day = sys.argv[3]
night.judge("sweep", sys.argv[4:], "reports/nightly.json", "build/nightly/sweep.log")
sys.exit(night.finish([]))
"""


@pytest.fixture
def sweep(tmp_path):
    """The options of a sweep that finds one cause. A test may change them."""
    python = faulty_python(tmp_path, TURNS)
    return ["--python", python, "--target", "numpy", "--format", "npz", "--property", "shape", "--seed", 2, "--cases", 300]


@pytest.fixture
def night(tmp_path, sweep):
    """Returns a function that runs the sweep of a night and returns its exit code, its text and its report."""
    for name in ("build/nightly", "reports"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "build/ndproof").symlink_to(NDPROOF.resolve())
    (tmp_path / "reports/baseline.json").write_text('{"schema": 2, "entries": []}')

    def run(day, released):
        command = [sys.executable, "-c", JUDGE, ROOT / ".ci", tmp_path, day, *sweep]
        env = {**os.environ, "RELEASED": released, "HISTORY": "kept/history.json"}
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True, env=env, timeout=300)
        assert done.stdout, done.stderr
        return done.returncode, done.stdout.splitlines(), read_report(tmp_path / "reports/nightly.json")

    return run


def test_cause_is_new_until_it_is_released_or_accepted(night, tmp_path):
    code, lines, report = night("2026-11-27", "2026-10-01")
    assert (code, lines[0]) == (1, "RED: 1 new cause since 2026-10-01"), lines
    (cause,) = (one for one in report["causes"] if one["severity"] == "defect")
    code, lines, report = night("2026-11-28", "2026-10-01")
    assert (code, lines[0]) == (1, "RED: 1 new cause since 2026-10-01"), lines
    assert lines[1] == "new since yesterday: 0 causes (the last night was that of 2026-11-27)"
    assert report["gate"]["exit_code"] == 1
    # The same cause, after a release.
    code, lines, report = night("2026-11-29", "2026-11-28")
    assert (code, lines[0]) == (0, "GREEN: no new cause since 2026-11-28; 1 cause is known"), lines
    (known,) = (one for one in report["causes"] if one["severity"] == "defect")
    assert known["id"] == cause["id"] and known["status"] == "known" and report["gate"]["status"] == "clean"
    assert known["history"] == {"first_seen": "2026-11-27", "last_seen": "2026-11-29", "nights": 3}
    assert json.loads((tmp_path / "kept/history.json").read_text())["nights"] == ["2026-11-27", "2026-11-28", "2026-11-29"]
    # Accepted, before a release.
    words = [NDPROOF, "accept", "reports/nightly.json", "--baseline", "reports/baseline.json", "--cause", cause["id"], "--reason", "a fault of this test"]
    subprocess.run(words, cwd=tmp_path, check=True, capture_output=True)
    code, lines, report = night("2026-11-30", "2026-10-01")
    assert (code, lines[0]) == (0, "GREEN: no new cause since 2026-10-01; 1 cause is known"), lines
    assert "known, accepted in the baseline: 1 cause" in lines


def test_known_cause_does_not_hide_too_little_work(night, sweep):
    assert night("2026-11-27", "2026-10-01")[0] == 1
    sweep[sweep.index("--cases") + 1] = 99
    code, lines, report = night("2026-11-28", "2026-11-28")
    assert "known" in [cause["status"] for cause in report["causes"]], "expected 99 cases to show the cause"
    assert code == 5 and lines[0].startswith("RED: too little work: sweep: cases: 99 done, expected at least "), lines


def test_entry_that_no_longer_shows_is_stale(night, tmp_path):
    _, _, report = night("2026-11-27", "2026-10-01")
    (cause,) = (one for one in report["causes"] if one["severity"] == "defect")
    # The fault turns only matrices, so a vector does not show the cause.
    descriptor = json.loads(json.dumps(cause["descriptor"]))
    descriptor["value"] = {"array": {"base": {"dtype": "<i4", "shape": [3]}}}
    entry = {"cause": "0000000a", "title": "an accepted cause", "reason": "fixed since", "descriptor": descriptor}
    pathlib.Path(tmp_path, "reports/baseline.json").write_text(json.dumps({"schema": 2, "entries": [entry]}))
    code, lines, _ = night("2026-11-28", "2026-11-28")
    assert (code, lines[0]) == (4, "YELLOW: stale baseline: fixed, remove it from the baseline: 0000000a an accepted cause"), lines
