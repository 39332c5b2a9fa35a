#!/usr/bin/env python3
"""Runs every fuzz target under both engines, then a merge, the findings, a replay and a sweep, on all processors.

usage: nightly.py HOURS [--mutators FOLDER] NAME...     HOURS may be a fraction. After a signal, findings are kept.

Fuzzing takes 70 % of the time. Each target uses two processors, one for libFuzzer and one for AFL++; further processors
run more targets, then secondaries of AFL++. The merged corpora are replayed through the real libraries in batches.
`ndproof import` and `ndproof sweep` judge; the exit code is the worst of theirs, 5 if fuzzing was too slow or compared
too little, 3 if something could not run.
"""

import json
import os
import pathlib
import re
import shutil
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import fuzz

COMPARED_ONE_IN, MIN_EDGES, BATCH = 100, 100, 400
SUFFIXES = {"npy": ".npy", "npz": ".npz", "pickle": ".pkl", "joblib": ".joblib", "descriptor": ".json"}
CORES = len(os.sched_getaffinity(0))


def fuzz_one(target, first_core, seconds, seed, helpers, mutators):
    """Runs a target under both engines, on processors from `first_core` on; returns the errors of the engines."""
    name = target.name
    forget_merged(name)
    target.seeds("build/seeds/" + name)
    for path in pathlib.Path("build/merged", name).glob("*"):
        shutil.copy(path, "build/seeds/" + name)
    log = "build/fuzz-%s-%s.log"
    with ThreadPoolExecutor(2 + helpers if CORES > 1 else 1) as pool:
        works = [pool.submit(fuzz.run_libfuzzer, target, "build/clang-fuzz/fuzzers/" + name, seconds, log % ("libfuzzer", name), seed, first_core)]
        for number in range(helpers + 1):
            instance = "helper%d" % number if number else "main"
            afl_log = log % ("afl", name) if number == 0 else log % ("afl", name + "-" + instance)
            works.append(
                pool.submit(fuzz.run_afl, target, "build/afl/fuzzers/" + name, seconds, afl_log, seed + number, mutators, first_core + 1 + number, instance)
            )
    return ["%s: %s" % (name, fault) for fault in (work.result() for work in works) if fault]


def forget_merged(name):
    """Removes the inputs of a target if none is newer than the last successful merge, whose start `.merged` marks."""
    found, mark = pathlib.Path("build/found", name), pathlib.Path("build/found", name, ".merged")
    if not mark.exists() or not os.path.isdir("build/merged/" + name):
        return
    since = mark.stat().st_mtime
    if not any(path.is_file() and path.stat().st_mtime > since for path in found.rglob("*")):
        shutil.rmtree(found)


def merge_one(target, seconds):
    """Reduces the inputs to a small set that reaches the same edges, committed inputs first. The next night starts from it,
    and `.ci/corpus.py distil` packs it into the tree. A merge that fails changes nothing."""
    name, fresh = target.name, "build/nightly/merged-" + target.name
    os.makedirs(fresh)
    os.makedirs("build/found/%s/libfuzzer" % name, exist_ok=True)
    mark = pathlib.Path(fresh + ".begun")
    mark.touch()
    sources = ["build/seeds/" + name, "build/found/%s/libfuzzer" % name, *map(str, pathlib.Path("build/found", name).glob("afl/*/queue"))]
    options = ("-merge=1 -max_len=16384 -timeout=20 -rss_limit_mb=3072 -detect_leaks=0 -artifact_prefix=%s/%s-" % (fuzz.CRASHES, name)).split()
    env = {"ASAN_OPTIONS": fuzz.SANITIZERS, "NDP_FUZZ_COUNTERS": "exact"}
    command = ["timeout", str(60 + seconds), "build/clang-fuzz/fuzzers/" + name, *options, fresh, *sources]
    if fuzz.run(command, "build/nightly/%s.merge" % name, env) == 0 and os.listdir(fresh):
        shutil.rmtree("build/merged/" + name, ignore_errors=True)
        os.makedirs("build/merged", exist_ok=True)
        shutil.move(fresh, "build/merged/" + name)
        shutil.move(mark, "build/found/%s/.merged" % name)


def judge(command, options, log):
    """Runs a judging command of ndproof; returns its exit code, 3 if ndproof does not define it."""
    baseline = ["--baseline", "reports/baseline.json"] if os.path.exists("reports/baseline.json") else []
    code = fuzz.run(["build/ndproof", command, *options, *baseline], log)
    return code if 0 <= code <= 6 else 3


def show(log):
    lines = pathlib.Path(log).read_text(errors="replace").splitlines()
    begin = next((i for i, line in enumerate(lines) if line.startswith("defects")), len(lines))
    print("".join("  %s\n" % line for line in lines[:1] + lines[begin:]), end="", flush=True)


def replay_merged(targets, python):
    """Replays every merged input through the reference and the real libraries under the contract. The suffix of a file
    selects its form. Returns the exit codes."""
    folder, codes = pathlib.Path("build/nightly/replay"), []
    for form, suffix in SUFFIXES.items():
        inputs = {path.name: path for target in targets if target.form == form for path in pathlib.Path("build/merged", target.name).glob("*")}
        cases = comparisons = 0
        for batch in range(0, len(inputs), BATCH):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            for name in sorted(inputs)[batch : batch + BATCH]:
                os.link(inputs[name], folder / (name + suffix))
            report, log = "reports/nightly-replay-%s-%d.json" % (form, batch // BATCH), "build/nightly/replay-%s-%d.log" % (form, batch // BATCH)
            only = [] if form == "descriptor" else ["--format", form]
            codes.append(judge("import", [str(folder), "--trust", "--seed", "1", "--report", report, *only, *python], log))
            with open(report) as file:
                work = json.load(file)["work"]
            cases, comparisons = cases + work["cases"], comparisons + work["comparisons"]
            if codes[-1] == 0:
                os.unlink(report)
            else:
                print("replay: exit code %d, %s" % (codes[-1], report))
                show(log)
        if inputs:
            print("replay of %d merged inputs of %s through the libraries: %d cases, %d comparisons" % (len(inputs), form, cases, comparisons), flush=True)
            codes += [] if comparisons > 0 or fuzz.is_cut.is_set() else [5]
    return codes


def figures(target, engine, seconds):
    """The row of a target and an engine in the nightly report."""
    s, name = target.stats(engine), target.name
    share = lambda part, whole: round(100 * part / whole, 1) if whole else None  # noqa: E731
    number = lambda text: float(text) if text else None  # noqa: E731
    if engine == "libfuzzer":
        log = pathlib.Path("build/fuzz-libfuzzer-%s.log" % name)
        text = log.read_text(errors="replace") if log.exists() else ""
        edges = int((re.findall(r"cov: (\d+)", text) or [0])[-1])
        covered, stability = share(edges, int((re.findall(r"Loaded \d+ modules +\((\d+) inline", text) or [0])[0])), None
    else:
        edges = int(target.afl_fact("edges_found") or 0)
        covered, stability = number(target.afl_fact("bitmap_cvg")), number(target.afl_fact("stability"))
    if s["executions"] == 0:  # the files are of an earlier night
        edges, covered, stability = 0, None, None
    merged = pathlib.Path("build/merged", name)
    return {
        "target": name,
        "engine": engine,
        "executions": s["executions"],
        "executions_per_second": s["executions"] // seconds,
        "executions_per_cpu_second": s["executions"] * 1000000 // s["cpu_us"] if s["cpu_us"] else 0,
        "valid_percent": share(s["valid"], s["executions"]) or 0.0,
        "valid_by_form_percent": share(s["typed_valid"], s["typed_runs"]),
        "covered_edges": edges,
        "covered_percent": covered,
        "stability_percent": stability,
        "comparisons": s["comparisons"],
        "findings": s["findings"],
        "corpus_files": len(list(merged.glob("*"))),
        "feedback_counters": s["feedback"] if target.library else None,
    }


def vacuous(target, row):
    """Yields the reasons why a target was not fuzzed enough. Speed refers to processor time, with the testee's cases and
    without its start, so that load does not matter. A target that only waits must also reach a minimum per second."""
    floor = target.speed_goal() // 10
    at = "VACUOUS  %s under %s: " % (row["target"], row["engine"])
    if row["executions_per_cpu_second"] < floor:
        yield at + "%d executions per second of processor time, expected at least %d" % (row["executions_per_cpu_second"], floor)
    if target.library and row["executions_per_second"] < floor // 10:
        yield at + "%d executions in a second, at least %d are wanted" % (row["executions_per_second"], floor // 10)
    if row["covered_edges"] < MIN_EDGES:
        yield at + "%d edges, at least %d are wanted" % (row["covered_edges"], MIN_EDGES)
    if row["comparisons"] * COMPARED_ONE_IN <= row["executions"]:
        yield at + "%d comparisons in %d executions, one in %d is wanted" % (row["comparisons"], row["executions"], COMPARED_ONE_IN)


def write_report(rows):
    """Prints the figures, writes them to a file, and adds them to the report of the sweep if there is one."""
    heads = "target engine executions exec/s per-cpu-s valid by-form coverage of-all stable comparisons findings corpus feedback".split()
    lines = ["%-28s %-9s" % tuple(heads[:2]) + "".join(" %11s" % head for head in heads[2:])]
    for row in rows:
        values = ["-" if value is None else value for value in row.values()]
        lines.append("%-28s %-9s" % tuple(values[:2]) + "".join(" %11s" % value for value in values[2:]))
    print("\n".join(lines))
    pathlib.Path("reports/nightly-fuzz.txt").write_text("\n".join(lines) + "\n")
    pathlib.Path("reports/nightly-fuzz.json").write_text(json.dumps(rows, indent=1))
    report = pathlib.Path("reports/nightly.json")
    if report.exists():
        whole = dict(json.loads(report.read_text()), fuzzing=rows)
        pathlib.Path("reports/nightly.json.new").write_text(json.dumps(whole, indent=1))
        os.replace("reports/nightly.json.new", report)


def main(hours, names, mutators):
    started, total = time.monotonic(), int(float(hours) * 3600)
    if total < 10:
        sys.exit("expected HOURS to be a positive number, got %s" % hours)
    shutil.rmtree("build/nightly", ignore_errors=True)
    for folder in (fuzz.CRASHES, "build/nightly"):
        os.makedirs(folder, exist_ok=True)
    for path in [*pathlib.Path("build").glob("fuzz-*.stats"), *pathlib.Path("reports").glob("nightly*.*")]:
        path.unlink()
    targets = [fuzz.Target(name) for name in names]
    for target in targets:
        if target.lack():
            print("NOT RUN  %s: %s" % (target.name, target.lack()))
    targets = [target for target in targets if not target.lack()]
    if not targets:
        sys.exit("no fuzz target can run")
    fuzz.heed_signals()
    seed, codes = int(time.strftime("%Y%m%d")), []

    at_a_time = max(1, min(CORES // 2, len(targets)))
    helpers = max(0, (CORES - 2 * at_a_time) // at_a_time)
    rounds = -(-len(targets) // at_a_time)
    seconds = max(4, total * 7 // 10 // rounds // (1 if CORES > 1 else 2))
    print("fuzzing %d targets on %d processors, %d at a time, each %d s under both engines" % (len(targets), CORES, at_a_time, seconds), flush=True)
    for begin in range(0, len(targets), at_a_time):
        some = targets[begin : begin + at_a_time]
        with ThreadPoolExecutor(len(some)) as pool:
            works = [pool.submit(fuzz_one, target, i * (2 + helpers), seconds, seed, helpers, mutators) for i, target in enumerate(some)]
        for fault in (fault for work in works for fault in work.result()):
            print("FAULT  " + fault)
            codes.append(3)
        print("  %s done after %d s" % (" ".join(target.name for target in some), time.monotonic() - started), flush=True)
    with ThreadPoolExecutor(CORES) as pool:
        list(pool.map(lambda target: merge_one(target, total // 10), targets))

    # Findings are judged by the libraries in which they were found.
    python = ["--python", fuzz.library_python()] if fuzz.library_python() else []
    if os.listdir(fuzz.CRASHES):
        was_cut = fuzz.is_cut.is_set()
        fuzz.is_cut.clear()  # a run that was interrupted keeps its findings
        codes.append(judge("import", [fuzz.CRASHES, "--trust", "--report", "reports/nightly-findings.json", *python], "build/nightly/import.log"))
        print("findings of fuzzing: exit code %d, reports/nightly-findings.json" % codes[-1])
        show("build/nightly/import.log")
        if was_cut:
            fuzz.is_cut.set()
    if not fuzz.is_cut.is_set():
        codes += replay_merged(targets, python)
    if not fuzz.is_cut.is_set():
        left = max(5, total // 10, total - int(time.monotonic() - started))
        named = ["--python", os.environ["NDP_FUZZ_PYTHON"]] if os.environ.get("NDP_FUZZ_PYTHON") else []
        codes.append(judge("sweep", ["--seed", str(seed), "--seconds", str(left), "--report", "reports/nightly.json", *named], "build/nightly/sweep.log"))
        print("sweep of %d s: exit code %d, reports/nightly.json" % (left, codes[-1]))
        show("build/nightly/sweep.log")

    rows = [(target, figures(target, engine, seconds)) for target in targets for engine in ("libfuzzer", "afl")]
    write_report([row for _, row in rows])
    for reason in (reason for target, row in rows for reason in vacuous(target, row)):
        if not fuzz.is_cut.is_set():
            print(reason)
            codes.append(5)
    if fuzz.is_cut.is_set():
        print("interrupted by a signal; findings were kept")
    # If several codes apply, the order of the gate decides.
    worst = next((code for code in (3, 2, 1, 4, 5, 6) if code in codes), 0)
    print("gate: exit code %d" % worst if worst else "gate: clean")
    return worst


if __name__ == "__main__":
    words = sys.argv[1:]
    folder = None
    if "--mutators" in words:
        folder = words.pop(words.index("--mutators") + 1)
        words.remove("--mutators")
    with fuzz.scratch():
        sys.exit(main(words[0], words[1:], folder))
