"""Measures sweeps of everything that is installed, beside the figures of commit 62857f5d on two cores.

table   cases, processor time, and the time requested and taken: environment `current` with 15, 30 and 60 s, NumPy alone
        with 30 s and a seed that triggers many crashes, and the sweep of `make run`
jobs    cases per second of NPY with --jobs 2, compared with --jobs 1 in alternation

Processor time is that of ndproof and of all its descendants: this process adopts those that outlive it. Exits with 1 when a promise is missed: every
sweep ends within 2 s of the requested time, `current` runs 40 times as many cases in 30 s as before, and two jobs are
1.7 times as fast as one where nothing waits.
"""

import argparse
import contextlib
import ctypes
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", ".."))
PROGRAM = os.path.join(ROOT, "build", "ndproof")
PR_SET_CHILD_SUBREAPER = 36
ROUNDS = 3
LATE_S, LEAST_CASES, LEAST_OF_JOBS = 2.0, 22000, 1.7

# Words of the sweep, seconds; then of commit 62857f5d: cases, processor time, time taken. A sweep of `make run` tested
# NumPy alone then, and its processor time included the build.
TABLE = (
    ("current, 15 s", ["--env", "current", "--seed", "1"], 15, 420, 19, 19.5),
    ("current, 30 s", ["--env", "current", "--seed", "1"], 30, 552, 42, 34.6),
    ("current, 60 s", ["--env", "current", "--seed", "1"], 60, 3380, 74, 67.7),
    ("NumPy alone, many crashes", ["--python", sys.executable, "--seed", "1"], 30, 24616, 39, 30.3),
    ("sweep of make run", [], 110, 146996, 167, 144),
)


def start(folder, words):
    """Starts a sweep; returns its process and the path of its report."""
    report = os.path.join(folder, "report.json")
    if os.path.exists(report):
        os.unlink(report)
    command = [PROGRAM, "sweep", "--report", report, *words]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder), report


def read_cases(report):
    with open(report) as file:
        return json.load(file)["work"]["cases"]


def processor_time():
    """The processor time of all processes that this one waited for."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def wait_for_all():
    """Waits for the descendants that this process adopted."""
    with contextlib.suppress(ChildProcessError):
        while True:
            os.wait()


def measure(folder, words, seconds):
    """Returns the cases, the processor time and the time that a sweep took."""
    began, cpu = time.monotonic(), processor_time()
    process, report = start(folder, [*words, "--seconds", str(seconds)])
    process.wait()
    taken = time.monotonic() - began
    wait_for_all()
    if process.returncode not in (0, 1, 5, 6):
        raise SystemExit("sweep %s ended with %d" % (" ".join(words), process.returncode))
    return read_cases(report), processor_time() - cpu, taken


def print_table(folder, rows):
    """Prints the rows; returns whether all promises were kept."""
    is_kept = True
    print("%-26s %9s %8s %9s %8s   %s" % ("sweep", "cases", "CPU s", "wanted s", "taken s", "at 62857f5d: cases, CPU s, taken s; ratio of cases"))
    for name, words, seconds, cases_then, cpu_then, taken_then in rows:
        cases, cpu, taken = measure(folder, words, seconds)
        is_late = taken > seconds + LATE_S
        is_short = name == "current, 30 s" and cases < LEAST_CASES
        is_kept = is_kept and not is_late and not is_short
        remarks = (", LATE" if is_late else "") + (", expected at least %d" % LEAST_CASES if is_short else "")
        then = "%d, %d, %.1f; %.1f%s" % (cases_then, cpu_then, taken_then, cases / cases_then, remarks)
        print("%-26s %9d %8.0f %9d %8.1f   %s" % (name, cases, cpu, seconds, taken, then), flush=True)
    return is_kept


def steady_rate(folder, jobs, seconds):
    """Cases per second of NPY between the first and the last report that has cases, so that starts do not count."""
    words = ["--seed", "1", "--format", "npy", "--target", "numpy", "--property", "values", "--python", sys.executable]
    process, report = start(folder, [*words, "--jobs", str(jobs), "--seconds", str(seconds)])
    marks = []
    while process.poll() is None:
        time.sleep(0.1)
        try:
            mark = (os.stat(report).st_mtime, read_cases(report))
        except (OSError, ValueError):
            continue
        if mark[1] > 0 and (not marks or mark[0] > marks[-1][0]):
            marks.append(mark)
    # The last report is written at the end, after the last case.
    if len(marks) < 3:
        raise SystemExit("a sweep of %d s wrote too few reports to measure its speed" % seconds)
    return (marks[-2][1] - marks[0][1]) / (marks[-2][0] - marks[0][0])


def compare_jobs(folder, seconds):
    """Prints the ratio of two jobs to one; returns whether the promise was kept."""
    usage = subprocess.run([PROGRAM, "sweep", "--help"], capture_output=True, text=True).stdout
    if "--jobs" not in usage or len(os.sched_getaffinity(0)) < 2:
        print("jobs NOT MEASURED: %s" % ("there is one processor" if "--jobs" in usage else "this ndproof has no --jobs"))
        return True
    rates = {1: [], 2: []}
    for _ in range(ROUNDS):
        for jobs, list_ in rates.items():
            list_.append(steady_rate(folder, jobs, seconds))
    one, two = max(rates[1]), max(rates[2])
    is_kept = two >= LEAST_OF_JOBS * one
    print("NPY: --jobs 1 %.0f cases/s, --jobs 2 %.0f cases/s: %.2f times, promised %.1f: %s" % (one, two, two / one, LEAST_OF_JOBS, "kept" if is_kept else "MISSED"))
    return is_kept


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--rows", type=int, default=len(TABLE), help="how many rows of the table (default: all)")
    options.add_argument("--seconds", type=int, default=12, help="how long each sweep of the ratio takes (default: 12)")
    chosen = options.parse_args()
    if not os.access(PROGRAM, os.X_OK):
        print("sweeps NOT MEASURED: there is no %s" % PROGRAM)
        return 0
    rows = TABLE[: chosen.rows]
    if not os.path.exists(os.path.join(ROOT, "build/env/current/bin/python3")):
        print("current NOT MEASURED: build/env/current does not exist (run make env NAME=current)")
        rows = [row for row in rows if not row[0].startswith("current")]
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)
    folder = tempfile.mkdtemp(prefix="ndproof-bench-")
    try:
        is_kept = print_table(folder, rows)
        return 0 if compare_jobs(folder, chosen.seconds) and is_kept else 1
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    sys.exit(main())
