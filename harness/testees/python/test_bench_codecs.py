"""The benches measure the same work of both sides, check bounds and report failures. No figure is judged."""

import collections
import os
import re
import signal
import subprocess
import sys

import numpy as np
import pytest

import bench_codecs

ROWS, RATES = 21, 16
JOBLIB_RATES = 3
SCRIPT = os.path.abspath(bench_codecs.__file__)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The parent of temporary folders, which is empty after the test."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    yield tmp_path
    assert os.listdir(tmp_path) == []


def run_with(monkeypatch, capsys, change, mib="1"):
    """Runs the bench with `change` applied to each answer of codec_bench."""
    run = bench_codecs.Reference.run
    monkeypatch.setattr(bench_codecs, "REPEATS", 2)
    monkeypatch.setattr(bench_codecs.Reference, "run", lambda self, task, *a, **k: change(task, *run(self, task, *a, **k)))
    code = bench_codecs.main([mib])
    return code, capsys.readouterr()


@pytest.mark.parametrize("factor, below", [(1e-6, 0), (1e6, RATES)])
def test_rates_are_checked_against_the_library(factor, below, folder, monkeypatch, capsys):
    code, text = run_with(monkeypatch, capsys, lambda task, seconds, *rest: (seconds * factor, *rest))
    rates = RATES if bench_codecs.LIBRARIES["joblib"][1][0] else RATES - JOBLIB_RATES
    assert len(text.out.splitlines()) == ROWS
    assert text.out.count("ratio") == rates
    assert text.out.count("BELOW") == min(below, rates)
    assert code == (1 if "BELOW" in text.out or "OVER" in text.out else 0)


def test_both_sides_do_the_same_work(folder, monkeypatch, capsys):
    tasks, calls = collections.Counter(), collections.Counter()
    for form, (library, functions) in list(bench_codecs.LIBRARIES.items()):
        counted = [f and (lambda *a, f=f, n=f"{form} {n}": calls.update([n]) or f(*a)) for f, n in zip(functions, "dlt")]
        monkeypatch.setitem(bench_codecs.LIBRARIES, form, (library, counted))
    run_with(monkeypatch, capsys, lambda task, *answer: tasks.update([task]) or answer)
    # A large array is encoded and decoded once more before the measurements, and read once by the library after them.
    for form, large, small in (("npy", 4, 2), ("pickle", 1, 1), ("joblib", 1, 1)):
        assert tasks[form + " trip"] == 2 * small
        assert tasks[form + " encode"] == 3 * large
        assert tasks[form + " decode"] == 3 * large + 1
        if bench_codecs.LIBRARIES[form][1][0]:
            assert (calls[form + " d"], calls[form + " l"], calls[form + " t"]) == (2 * large, 3 * large, 16 * small)
    assert (tasks["npy stream"], tasks["npy map"]) == (1, 1)


def test_rows_without_a_library_have_no_ratio(folder, monkeypatch, capsys):
    monkeypatch.setitem(bench_codecs.LIBRARIES, "joblib", ("joblib", (None, None, None)))
    code, text = run_with(monkeypatch, capsys, lambda task, seconds, *rest: (seconds * 1e-6, *rest))
    assert len(text.out.splitlines()) == ROWS
    assert text.out.count("ratio") == RATES - JOBLIB_RATES


def test_memory_over_its_bound_is_reported(folder, monkeypatch, capsys):
    code, text = run_with(monkeypatch, capsys, lambda task, seconds, grown, *rest: (seconds * 1e-6, grown + 4096, *rest))
    assert (code, text.out.count("OVER")) == (1, 5)


@pytest.mark.parametrize("task", ["npy decode", "pickle decode", "joblib decode"])
def test_another_array_is_a_failure(task, folder, monkeypatch, capsys):
    code, text = run_with(monkeypatch, capsys, lambda t, s, grown, check: (s, grown, check ^ (t == task)))
    assert code == 3
    assert "the decoded array is not the encoded one" in text.err


def test_a_library_that_reads_another_array_is_a_failure(folder, monkeypatch, capsys):
    load = lambda path: np.load(path) + 1  # noqa: E731
    monkeypatch.setitem(bench_codecs.LIBRARIES, "npy", ("numpy", (np.save, load, bench_codecs.npy_trip)))
    code, text = run_with(monkeypatch, capsys, lambda task, *answer: answer)
    assert code == 3
    assert "numpy does not read the encoded array" in text.err


@pytest.mark.parametrize("program", ["exit 0", "kill -9 $$", "read line; echo 1 2", "exec sleep 0"])
def test_a_codec_bench_that_does_not_answer_is_a_failure(program, folder, tmp_path_factory, monkeypatch, capsys):
    place = tmp_path_factory.mktemp("benches") / "codec"
    place.mkdir()
    (place / "codec_bench").write_text("#!/bin/sh\n" + program + "\n")
    (place / "codec_bench").chmod(0o700)
    monkeypatch.setenv("NDPROOF_BENCHES", str(place.parent))
    assert bench_codecs.main(["1"]) == 3
    assert "did not answer the task npy encode" in capsys.readouterr().err


@pytest.mark.parametrize("words", [["0"], ["-1"], ["4097"], ["1x"], [""], [" "], ["1", "1"]])
def test_an_invalid_size_is_refused(words, capsys):
    assert bench_codecs.main(words) == 2
    assert "usage: bench_codecs.py [MIB]" in capsys.readouterr().err


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_leaves_no_files(number, folder):
    bench = subprocess.Popen([sys.executable, "-u", SCRIPT, "4"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert bench.stdout.readline()
    bench.send_signal(number)
    bench.communicate()
    assert bench.returncode == 3


@pytest.mark.parametrize("line", ["npy decode", "npy fly 1x1 <f8 C 1 -", "npy trip 1x1 <f8 C 0 -", "npy trip -1x1 <f8 C 1 -"])
def test_codec_bench_refuses_an_invalid_line(line):
    program = os.path.join(bench_codecs.benches(), "codec", "codec_bench")
    run = subprocess.run([program], input=line + "\n", capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout) == (2, "")
    assert line in run.stderr


def test_a_codec_that_fails_is_reported(tmp_path):
    program = os.path.join(bench_codecs.benches(), "codec", "codec_bench")
    lines = [f"{form} decode 1x1 <f8 C 1 {tmp_path}/missing\n" for form in ("npy", "pickle", "joblib")]
    for line in lines:
        assert subprocess.run([program], input=line, capture_output=True, text=True, check=False).returncode == 3


@pytest.mark.parametrize("show, expected", [
    (((0.5,), (0.5,), 1.0, 0.0), (True, "ratio   1.00 (at least 1.00)\n")),
    (((0.5,), (0.45,), 1.0, 0.0), (False, "ratio   0.90 (at least 1.00)  BELOW\n")),
    (((0.5,), (0.4625,), 1.0, 0.1), (True, "ratio   0.93 (at least 1.00)\n")),
    (((0.5,), (0.43,), 1.0, 0.1), (False, "BELOW\n")),
    (((9.0, 0.5, 0.1), (0.5, 0.1, 9.0), 1.0, 0.0), (True, "ratio   1.00 (at least 1.00)\n")),
    (((0.5,), (), 20.0, 0.0), (True, " 16 MiB/s\n")),
])  # fmt: skip
def test_a_rate_is_checked_against_bound_and_noise(show, expected, capsys):
    ours, theirs, bound, noise = show
    assert bench_codecs.show_rate("r", "MiB/s", 8, "numpy", ours, theirs, bound, noise) == expected[0]
    assert "16 MiB/s" in (text := capsys.readouterr().out)
    assert text.endswith(expected[1])


@pytest.mark.parametrize("grown, bound, is_kept", [(0, 0, True), (7, 7, True), (8, 7, False), (-1, 7, False)])
def test_memory_is_checked_against_its_bound(grown, bound, is_kept, capsys):
    assert bench_codecs.show_memory("m", grown, bound) == is_kept
    assert ("OVER" in capsys.readouterr().out) != is_kept


def run_target_bench(*arguments):
    program = os.path.join(bench_codecs.benches(), "target", "target_bench")
    return subprocess.run([program, *arguments], capture_output=True, text=True, check=False)


def test_target_bench_measures_both_ways_in_two_sizes():
    run = run_target_bench()
    row = re.compile(r"(.*?) +(\d+) bytes +(\d+) cases/s +([\d.]+) us/case, of which ([\d.]+) us CPU time of this process")
    rows = [row.fullmatch(line).groups() for line in run.stdout.splitlines()]
    names = ["reference in process", "reference as testee"]
    assert [(name, size) for name, size, *_ in rows] == [(name, size) for name in names for size in ("128", "65536")]
    for *_, rate, each_us, _ in rows:
        assert 0.5e6 < float(rate) * float(each_us) < 2e6  # both express the same time
    assert run.returncode == 0


def test_target_bench_reports_a_missing_testee():
    run = run_target_bench("/nonexistent/testee")
    assert run.returncode == 1
    assert "target_bench: " in run.stderr
    assert "the given testee" not in run.stdout
