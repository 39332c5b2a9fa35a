#!/usr/bin/env python3
"""Tests nightly.py, night.py and verdict.py with invented reports, in a temporary tree. Its build/ndproof writes the reports
of a plan instead of running anything."""

import contextlib
import io
import json
import os
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.dont_write_bytecode = True
import fuzz  # noqa: E402
import history  # noqa: E402
import night  # noqa: E402
import nightly  # noqa: E402
import verdict  # noqa: E402

# Takes {COMMAND: [[code, report], ...]} from plan.json, one pair per call, and keeps the baseline that gate gets.
NDPROOF = """#!%s
import json, pathlib, shutil, sys
words, plan = sys.argv[1:], json.loads(pathlib.Path("plan.json").read_text())
if words[-1] == "--help":
    print("usage")
    sys.exit(0 if words[0] in plan else 2)
code, report = plan[words[0]].pop(0)
pathlib.Path("plan.json").write_text(json.dumps(plan))
if words[0] == "gate":
    shutil.copy(words[words.index("--baseline") + 1], "gated.json")
elif words[0] == "export":
    pathlib.Path(words[words.index("--html") + 1]).write_text("page")
elif report is not None:
    pathlib.Path(words[words.index("--report") + 1]).write_text(json.dumps(report))
print("last line of " + words[0])
sys.exit(code)
"""


def cause(ident, title="an array comes back as another class", **changes):
    whole = {
        "id": ident, "key": "DIVERGES|class|npy|%s|numpy" % ident, "title": title, "kind": "DIVERGES", "severity": "defect", "status": "new",
        "property": "class", "field": ident, "direction": "", "library": "numpy", "error": "", "evidence": "", "routes": ["numpy npy:file>file"],
        "findings": ["S" + ident], "count": 3, "first_case": 7, "descriptor": {"ndproof": 1, "value": {"array": {"base": {"shape": [20]}}}},
        "difference": [], "replay": "build/ndproof replay %s.json" % ident, "drawing": "", "script": "",
    }  # fmt: skip
    return dict(whole, **changes)


def report(*causes, reasons=(), baseline=None, **more):
    findings = [
        {"signature": name, "cause": one["id"], "status": one["status"], "severity": one["severity"], "count": one["count"]}
        for one in causes
        for name in one["findings"]
    ]
    lists = dict({"file": "reports/baseline.json", "matched": [], "stale": [], "expired": [], "untested": []}, **(baseline or {}))
    new = ["new: %s numpy, %s" % (one["id"], one["title"]) for one in causes if verdict.is_new_defect(one)]
    work = {"cases": 10, "comparisons": 100, "faults": 0, "cells": [], "floors": []}
    gate = {"status": "diverges", "exit_code": 1, "reasons": [*new, *reasons]}
    whole = {"schema": 2, "targets": [{"name": "reference"}], "work": work, "causes": list(causes), "findings": findings, "baseline": lists, "untested": [], "gate": gate}
    return dict(whole, **more)


def record(**days):
    """Writes the record of a night for each cause."""
    past = history.History("reports/history.json")
    for ident, day in days.items():
        past.note([cause(ident[1:])], day)
    past.save()


def finish(plan, released="2026-10-01", not_run=()):
    """Runs a night of the plan; returns its exit code and the lines on stdout."""
    os.environ["RELEASED"] = released
    for old in pathlib.Path("reports").glob("nightly*"):
        old.unlink()
    pathlib.Path("plan.json").write_text(json.dumps({"gate": [], **plan}))
    tonight, out = night.Night(), io.StringIO()
    tonight.day, tonight.not_run = "2026-11-28", list(not_run)
    with contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(out):
        for command in [name for name in ("import", "sweep") for _ in plan.get(name, [])]:
            path = "reports/nightly.json" if command == "sweep" else "reports/nightly-findings.json"
            tonight.judge(command, [], path, "build/nightly/%s.log" % command)
        code = tonight.finish([])
    lines = out.getvalue().splitlines()
    assert lines[0] == lines[-1] and lines[-2].startswith("page: "), lines
    assert pathlib.Path("reports/nightly.txt").read_text() == out.getvalue()
    return code, lines


def written():
    return json.loads(pathlib.Path("reports/nightly.json").read_text())


def test_new_cause_is_red():
    refused = cause("0000000c", direction="encoder refuses", title="encoding fails: E: no ?", error="E: no\n'x'")
    plan = {"sweep": [[1, report(refused, cause("0000000a"), cause("0000000b", kind="CRASH", title="encoding crashes", error="signal 11"))]]}
    code, lines = finish(plan)
    assert (code, lines[0]) == (1, "RED: 3 new causes since 2026-10-01")
    assert lines[1] == "new since yesterday: 3 causes (this is the first night of the record)"
    assert lines[2].startswith("  0000000b numpy: encoding crashes; 1 route, 3 times; first seen 2026-11-28, 1 night; build/ndproof replay")
    assert lines[3].startswith("  0000000a ")
    assert lines[4].startswith("  0000000c numpy: encoding fails: E: no 'x'; 1 route"), lines
    assert lines[5] == "new since the release: 3 causes (the release of 2026-10-01; 3 listed above)"
    assert written()["gate"]["exit_code"] == 1 and written()["fuzzing"] == []
    assert [one["history"] for one in written()["causes"]] == [{"first_seen": "2026-11-28", "last_seen": "2026-11-28", "nights": 1}] * 3


def test_new_cause_stays_red_every_night_until_the_release():
    record(c0000000a="2026-11-02")
    plan = {"sweep": [[1, report(cause("0000000a"))]]}
    code, lines = finish(plan)
    assert (code, lines[0]) == (1, "RED: 1 new cause since 2026-10-01")
    assert lines[1] == "new since yesterday: 0 causes (the last night was that of 2026-11-02)"
    assert written()["gate"] == {"status": "diverges", "exit_code": 1, "reasons": ["1 new cause"]}
    assert lines[3].startswith("  0000000a ") and "first seen 2026-11-02, 2 nights" in lines[3]
    code, lines = finish(dict(plan, gate=[[0, None]]), released="2026-11-20")
    assert (code, lines[0]) == (0, "GREEN: no new cause since 2026-11-20; 1 cause is known")


def test_cause_before_the_release_is_known():
    entries = [{"cause": "000000ee", "reason": "r", "descriptor": {}}, {"pattern": "HAZARD|*", "reason": "r"}]
    pathlib.Path("reports/baseline.json").write_text(json.dumps({"schema": 2, "entries": entries}))
    record(c0000000a="2026-09-01")
    one = report(cause("0000000a"), baseline={"untested": ["000000ee"]})
    code, lines = finish({"sweep": [[1, one]], "gate": [[0, None]]})
    assert (code, lines[0]) == (0, "GREEN: no new cause since 2026-10-01; 1 cause is known")
    assert "known before the release, not in the baseline: 1 cause" in lines
    assert written()["causes"][0]["status"] == written()["findings"][0]["status"] == "known"
    assert written()["gate"] == {"status": "clean", "exit_code": 0, "reasons": []}
    gated = json.loads(pathlib.Path("gated.json").read_text())
    assert [verdict.entry_name(entry) for entry in gated["entries"]] == ["HAZARD|*", "0000000a"]
    # Without a release, every cause is new.
    os.environ["GIT_CEILING_DIRECTORIES"] = os.path.dirname(os.getcwd())
    code, lines = finish({"sweep": [[1, one]]}, released="")
    assert code == 1 and lines[0].startswith("RED: 1 new cause (no last release: git cannot list the tags: "), lines[0]


def test_known_cause_does_not_hide_another_reason():
    record(c0000000a="2026-09-01")
    code, lines = finish({"sweep": [[1, report(cause("0000000a"), cause("0000000b"))]], "gate": [[1, None]]})
    assert (code, lines[0]) == (1, "RED: 1 new cause since 2026-10-01")
    few = report(cause("0000000a"), reasons=["property shape: 0 comparisons, expected at least 1"])
    code, lines = finish({"sweep": [[1, few]], "gate": [[5, None]]})
    assert (code, lines[0]) == (5, "RED: too little work: sweep: property shape: 0 comparisons, expected at least 1")
    many = cause("0000000a", findings=["S%d" % i for i in range(1000)])
    code, lines = finish({"sweep": [[1, report(many)]], "gate": [[0, None]]})
    assert code == 1 and lines[0] == "RED: reports/nightly.json is full: it has 1000 findings, and further ones were dropped"


def test_failure_of_ndproof_is_red():
    code, lines = finish({"sweep": [[3, report(reasons=["2 cases failed inside ndproof or a testee"])]]})
    assert code == 3 and lines[0].startswith("RED: ndproof failed: sweep ended with code 3: 2 cases failed inside ndproof or a testee"), lines[0]
    code, lines = finish({"sweep": [[2, None]]})
    assert code == 2 and lines[0].startswith("RED: ndproof failed: sweep ended with code 2: last line of sweep (build/nightly/sweep.log)"), lines[0]
    code, lines = finish({"import": [[139, None]], "sweep": [[1, report(cause("0000000a"))]]})
    assert code == 3 and lines[0].startswith("RED: ndproof failed: import ended with code 139: last line of import"), lines[0]
    assert lines[0].endswith("; 1 new cause since 2026-10-01"), lines[0]
    pathlib.Path("log").write_text("ndproof 0.1.0, seed 1\nndproof import: a: cannot be read\nclean\n\n")
    assert night.complaint("log") == "ndproof import: a: cannot be read"
    pathlib.Path("log").write_text("")
    assert night.complaint("log") == "it printed nothing"
    # No report at all.
    code, lines = finish({"sweep": [[0, None]]})
    assert code == 3 and lines[-2] == "page: not written: no command of this night wrote a report", lines


def test_other_codes():
    code, lines = finish({"sweep": [[5, report(reasons=["nothing was compared"])]]})
    assert (code, lines[0]) == (5, "RED: too little work: sweep: nothing was compared")
    stale = report(cause("0000000a", status="flaky"), baseline={"stale": ["000000aa"], "expired": ["000000bb"]})
    code, lines = finish({"sweep": [[4, stale]]})
    assert code == 4 and lines[0].startswith("YELLOW: stale baseline: fixed, remove it from the baseline: 000000aa; and 1 more; flaky findings: 1 cause")
    code, lines = finish({"sweep": [[6, report(cause("0000000a", status="flaky"))]]})
    assert (code, lines[0]) == (6, "YELLOW: only flaky findings: 1 cause did not show again when repeated")
    few = report(reasons=["nothing was compared"], baseline={"stale": ["000000aa"]})
    code, lines = finish({"sweep": [[4, few]]})
    assert code == 4 and lines[0].startswith("RED: stale baseline: ") and lines[0].endswith("; too little work: sweep: nothing was compared")
    # The libraries of fuzz targets do not make an entry of the baseline stale.
    code, lines = finish({"import": [[4, report(baseline={"stale": ["000000aa"]})]], "sweep": [[0, report()]], "gate": [[0, None]]})
    assert (code, lines[0]) == (0, "GREEN: no new cause since 2026-10-01; 0 causes are known")


def test_all_reports_of_a_night_are_one():
    small = {"ndproof": 1, "value": {}}
    cell = {"route": "r", "property": "p", "pass": 2, "diverges": 0, "rejects": 0, "unsupported": 1}
    first = report(cause("0000000a"), cause("0000000d", severity="documented-loss"))
    first["work"]["cells"] = [cell]
    other = cause("0000000a", count=str(2**53), routes=["numpy npy:c>c"], findings=["S0000000a", "other"], descriptor=small, replay="smaller")
    second = report(other, cause("0000000c"), targets=[{"name": "reference"}, {"name": "plugin"}])
    second["work"]["cells"] = [cell, dict(cell, route="s")]
    code, lines = finish({"import": [[1, second]], "sweep": [[1, first]], "export": [[0, None]]})
    assert (code, lines[0], lines[-2]) == (1, "RED: 2 new causes since 2026-10-01", "page: reports/nightly.html")
    assert "not defects: 1 documented loss or hazard" in lines
    whole = written()
    merged = {one["id"]: one for one in whole["causes"]}
    assert list(merged) == ["0000000a", "0000000d", "0000000c"] and merged["0000000a"]["count"] == str(2**53 + 3)
    assert merged["0000000a"]["descriptor"] == small and merged["0000000a"]["replay"] == "smaller"
    assert merged["0000000a"]["routes"] == ["numpy npy:file>file", "numpy npy:c>c"] and merged["0000000a"]["first_case"] == 7
    assert sorted((one["signature"], one["cause"]) for one in whole["findings"]) == [
        ("S0000000a", "0000000a"), ("S0000000c", "0000000c"), ("S0000000d", "0000000d"), ("other", "0000000a"),
    ]  # fmt: skip
    assert [(one["route"], one["pass"], one["unsupported"]) for one in whole["work"]["cells"]] == [("r", 4, 2), ("s", 2, 1)]
    assert (whole["work"]["cases"], whole["work"]["comparisons"]) == (20, 200)
    assert [one["name"] for one in whole["targets"]] == ["reference", "plugin"]
    assert sorted(history.History("reports/history.json").causes) == ["0000000a", "0000000c", "0000000d"]


def test_merged_report_respects_the_limit():
    many, one = cause("0000000a", findings=["S%d" % i for i in range(999)]), cause("0000000b", findings=["T", "U"])
    whole = verdict.merge([report(many), report(one, cause("0000000c"))])
    assert len(whole["findings"]) == 1000 and [len(one["findings"]) for one in whole["causes"]] == [999, 1]


def test_untested_is_listed():
    targets = [{"name": "reference"}, {"name": "numba", "unavailable": "no module named numba"}]
    listed = [{"kind": "format", "name": "npz", "reason": "never judged", "expected": True, "allowed": False}]
    listed += [{"kind": "target", "name": "dill", "reason": "not installed", "expected": True, "allowed": True}]
    plan = {"sweep": [[0, report(targets=targets, untested=listed, baseline={"untested": ["DIVERGES|*"]})]]}
    code, lines = finish(plan, not_run=[("fuzz_npy_numpy", "no numpy")])
    begin = lines.index("not tested: 5 items")
    assert lines[begin + 1 : begin + 6] == [
        "  format npz: never judged",
        "  target dill: not installed (allowed)",
        "  target fuzz_npy_numpy: no numpy (not expected)",
        "  target numba: no module named numba (not expected)",
        "  baseline DIVERGES|*: not generated in this run, and not replayed (not expected)",
    ], lines
    assert [row["name"] for row in written()["untested"]] == ["npz", "dill", "fuzz_npy_numpy"]


def test_patterns_of_the_baseline():
    one = cause("0000000a")
    accepts = lambda **entry: verdict.is_accepted(one, [entry])  # noqa: E731
    assert accepts(cause="0000000a") and accepts(pattern="DIVERGES|class|*|numpy") and accepts(pattern=one["key"])
    assert not accepts(cause="0000000b") and not accepts(pattern="DIVERGES|class|*|joblib") and not accepts(pattern="DIVERGES.class*")


def test_damaged_record_and_wrong_settings_stop_the_night():
    def run(*words):
        out = io.StringIO()
        with contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(out):
            code = nightly.run(list(words))
        assert out.getvalue().count("\n") == 1
        return code, out.getvalue()

    os.environ["RELEASED"] = "2026-10-01"
    pathlib.Path("reports/history.json").write_text("{")
    pathlib.Path("reports/nightly.json").write_text("of the night before")
    code, line = run("1", "fuzz_npy")
    assert code == 2 and line.startswith("RED: ndproof failed: the record of earlier nights reports/history.json is damaged: "), line
    assert pathlib.Path("reports/history.json").read_text() == "{" and pathlib.Path("reports/nightly.json").exists()
    os.environ["HISTORY"] = "other/history.json"
    os.environ["RELEASED"] = "soon"
    assert run("1", "fuzz_npy") == (2, "RED: ndproof failed: expected RELEASED to be a day such as 2026-10-01, got soon\n")
    os.environ["RELEASED"] = ""
    pathlib.Path("reports/baseline.json").write_text('{"schema": 1, "entries": []}')
    assert run("1", "fuzz_npy") == (2, "RED: ndproof failed: cannot read the baseline reports/baseline.json: expected schema 2, got 1\n")
    for hours in ("0", "-1", "nan", "x", "0.001"):
        code, line = run(hours, "fuzz_npy")
        assert code == 2 and line.endswith("got %s\n" % hours), line
    code, line = run("--mutators")
    assert code == 3 and line.startswith("RED: ndproof failed: an error of "), line
    del os.environ["HISTORY"]


def test_interrupted_night_is_not_green():
    pathlib.Path("plan.json").write_text(json.dumps({"sweep": []}))
    fuzz.is_cut.set()
    out = io.StringIO()
    # A night without fuzz targets that a signal ended before its sweep.
    heed, fuzz.heed_signals = fuzz.heed_signals, lambda: None
    with contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(out):
        code = nightly.run(["0.01"])
    fuzz.heed_signals = heed
    fuzz.is_cut.clear()
    assert code == 5 and out.getvalue().startswith("RED: too little work: "), out.getvalue()
    assert "a signal ended the night" in out.getvalue()


with tempfile.TemporaryDirectory() as tree:
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            folder = pathlib.Path(tree, name)
            for part in ("build/nightly", "reports"):
                (folder / part).mkdir(parents=True)
            (folder / "build/ndproof").write_text(NDPROOF % sys.executable)
            (folder / "build/ndproof").chmod(0o755)
            os.chdir(folder)
            night.help_of.cache_clear()
            test()
    os.chdir("/")
