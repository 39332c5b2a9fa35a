"""The table of sweeps keeps and misses its promises by the figures of the sweeps."""

import bench_sweep_table as bench
import pytest


@pytest.mark.parametrize(
    "cases, late, is_kept, remark",
    [(22000, 0, True, ""), (22000, 1.9, True, ""), (22000, 2.1, False, ", LATE"), (21999, 0, False, ", expected at least 22000")],
)
def test_promises_of_the_table(monkeypatch, capsys, cases, late, is_kept, remark):
    row = next(row for row in bench.TABLE if row[0] == "current, 30 s")
    monkeypatch.setattr(bench, "measure", lambda folder, words, seconds: (cases, 55.0, seconds + late))
    assert bench.print_table("", [row]) is is_kept
    line = capsys.readouterr().out.splitlines()[-1]
    assert line.endswith("552, 42, 34.6; %.1f%s" % (cases / 552, remark))


@pytest.mark.parametrize("two, is_kept", [(170, True), (169, False)])
def test_promise_of_jobs(monkeypatch, capsys, two, is_kept):
    monkeypatch.setattr(bench, "steady_rate", lambda folder, jobs, seconds: {1: 100, 2: two}[jobs])
    monkeypatch.setattr(bench.os, "sched_getaffinity", lambda process: {0, 1})
    assert bench.compare_jobs("", 1) is is_kept
    assert ("kept" if is_kept else "MISSED") in capsys.readouterr().out


def test_an_older_program_has_no_jobs(monkeypatch, capsys):
    monkeypatch.setattr(bench, "PROGRAM", "/bin/echo")
    assert bench.compare_jobs("", 1)
    assert "this ndproof has no --jobs" in capsys.readouterr().out
