"""Sweeps with worker processes: equal reports for any number of them, and an end in order, whatever ends first."""

import signal
import subprocess
import time

import pytest

from test_ndproof import (
    CLEAN,
    DIVERGES,
    HERE,
    NDPROOF,
    PATIENCE_S,
    VACUOUS,
    descendants,
    living,
    ndproof,
    read_report,
    temporary_parent,  # noqa: F401
    wait_until,
)

REFERENCE = ["--target", "reference"]
FAST = ["--format", "npy", "--format", "npz", "--format", "pickle"]


def timeless(report):
    """A report without times, paths and arguments."""
    for key in ("started", "ended", "argv", "jobs"):
        report["run"].pop(key, None)
    for named in report["findings"] + report["causes"]:
        for key in ("replay", "found_after_s"):
            named.pop(key, None)
        # Measured memory differs by the length of a path.
        named["difference"] = [one for one in named["difference"] if one["path"] != "peak"]
    return report


def sweep_with(jobs, folder, *words):
    folder.mkdir()
    path = folder / "report.json"
    ndproof("sweep", "--seed", 5, "--jobs", jobs, *words, "--report", path)
    files = {one.name: one.read_text() for one in (folder / "findings").glob("*")}
    return timeless(read_report(path)), files


@pytest.mark.parametrize(
    "words",
    [["--cases", 3000, *REFERENCE, *HERE], ["--cases", 1200, *HERE, *FAST]],
    ids=["reference", "numpy"],
)
def test_the_number_of_jobs_has_no_effect(tmp_path, words):
    (one, files_of_one), (three, files_of_three) = (sweep_with(jobs, tmp_path / str(jobs), *words) for jobs in (1, 3))
    assert one["work"]["cases"] == words[1]
    for key in one:
        assert one[key] == three[key], key
    assert one.keys() == three.keys()
    assert files_of_one == files_of_three
    assert len(files_of_one) >= len(one["findings"])


def start_sweep(report, *words):
    command = [NDPROOF, "sweep", "--seed", "5", "--jobs", "3", *HERE, *words, "--report", str(report)]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_an_ended_coordinator_leaves_a_report_and_no_process(tmp_path, temporary_parent, number):  # noqa: F811
    path = tmp_path / "report.json"
    with start_sweep(path, "--seconds", "300") as process:
        try:
            wait_until(lambda: path.exists() and read_report(path)["work"]["cases"] > 0)
            family = descendants(process.pid)
            assert len(family) > 3
            process.send_signal(number)
            code = process.wait(PATIENCE_S)
        finally:
            process.kill()
    report = read_report(path)
    if number == signal.SIGKILL:
        assert code == -number and report["run"]["stop_reason"] == "running"
        wait_until(lambda: not living(family))
        # A killed process cannot remove its folders.
        subprocess.run(["rm", "-rf", *temporary_parent.iterdir()], check=True)
    else:
        assert code == report["gate"]["exit_code"] and code in (CLEAN, DIVERGES, VACUOUS)
        assert report["run"]["stop_reason"] == "signal"
        assert not living(family)


def test_a_killed_worker_is_replaced(tmp_path):
    """Its unit is run again; the report names the worker if it was busy."""
    path = tmp_path / "report.json"
    with start_sweep(path, "--cases", "6000", *REFERENCE) as process:
        try:
            workers = set()
            while not workers and process.poll() is None:
                workers = descendants(process.pid)
                time.sleep(0.01)
            if workers:
                subprocess.run(["kill", "-9", str(min(pid for pid, _ in workers))], check=False)
            code = process.wait(300)
        finally:
            process.kill()
    report = read_report(path)
    assert report["run"]["stop_reason"] == "cases" and code == report["gate"]["exit_code"]
    assert report["work"]["cases"] == 6000


def test_a_sweep_ends_when_its_time_is_over(tmp_path):
    path = tmp_path / "report.json"
    with start_sweep(path, "--seconds", "5", *REFERENCE) as process:
        try:
            code = process.wait(PATIENCE_S)
        finally:
            process.kill()
    report = read_report(path)
    assert report["run"]["stop_reason"] == "duration" and code == report["gate"]["exit_code"]
    assert report["work"]["cases"] > 0
