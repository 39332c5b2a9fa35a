#!/usr/bin/env python3
"""Runs every fuzz target under both engines, then a merge, the findings, a replay and a sweep, on all processors.

usage: nightly.py HOURS [--mutators FOLDER] NAME...     HOURS may be a fraction. After a signal, findings are kept.
environment: HISTORY: the record of earlier nights (reports/history.json); RELEASED: the day of the last release, such as
2026-10-01 (that of the newest tag v* of the checkout)

Fuzzing takes 70 % of the time. Each target uses two processors, one for libFuzzer and one for AFL++; further processors
run more targets, then secondaries of AFL++. The merged corpora are replayed through the real libraries in batches.
`ndproof import`, `sweep` and `gate` judge. A cause gates if neither the baseline nor a night before the last release has
it. The code is 5 if fuzzing was too slow or compared too little, 3 if something could not run; otherwise it is the worst
of the commands. The first line on stdout is the verdict; progress goes to stderr and to build/nightly/progress.log.
"""

import json
import os
import pathlib
import re
import shutil
import sys
import time
import traceback
from concurrent.futures import ThreadPoolExecutor

import fuzz
from history import BadInput
from night import Night, say
from verdict import flat

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


def replay_merged(night, targets, python):
    """Replays every merged input through the reference and the real libraries under the contract. The suffix of a file
    selects its form."""
    folder = pathlib.Path("build/nightly/replay")
    for form, suffix in SUFFIXES.items():
        inputs = {path.name: path for target in targets if target.form == form for path in pathlib.Path("build/merged", target.name).glob("*")}
        cases = comparisons = 0
        for batch in range(0, len(inputs), BATCH):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            for name in sorted(inputs)[batch : batch + BATCH]:
                os.link(inputs[name], folder / (name + suffix))
            path, log = "reports/nightly-replay-%s-%d.json" % (form, batch // BATCH), "build/nightly/replay-%s-%d.log" % (form, batch // BATCH)
            only = [] if form == "descriptor" else ["--format", form]
            code, report = night.judge("import", [str(folder), "--seed", "1", *only, *python], path, log)
            if report is not None:
                cases, comparisons = cases + report["work"]["cases"], comparisons + report["work"]["comparisons"]
            if code == 0:
                os.unlink(path)
            else:
                say("replay: exit code %d, %s" % (code, path))
        if inputs:
            what = "replay of %d merged inputs of %s through the libraries" % (len(inputs), form)
            say("%s: %d cases, %d comparisons" % (what, cases, comparisons))
            if comparisons == 0 and not fuzz.is_cut.is_set():
                night.verdict.add(5, what + ": nothing was compared")


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
    at = "%s under %s: " % (row["target"], row["engine"])
    if row["executions_per_cpu_second"] < floor:
        yield at + "%d executions per second of processor time, expected at least %d" % (row["executions_per_cpu_second"], floor)
    if target.library and row["executions_per_second"] < floor // 10:
        yield at + "%d executions in a second, at least %d are wanted" % (row["executions_per_second"], floor // 10)
    if row["covered_edges"] < MIN_EDGES:
        yield at + "%d edges, at least %d are wanted" % (row["covered_edges"], MIN_EDGES)
    if row["comparisons"] * COMPARED_ONE_IN <= row["executions"]:
        yield at + "%d comparisons in %d executions, one in %d is wanted" % (row["comparisons"], row["executions"], COMPARED_ONE_IN)


def print_figures(rows):
    """Prints the figures and writes them to files."""
    heads = "target engine executions exec/s per-cpu-s valid by-form coverage of-all stable comparisons findings corpus feedback".split()
    lines = ["%-28s %-9s" % tuple(heads[:2]) + "".join(" %11s" % head for head in heads[2:])]
    for row in rows:
        values = ["-" if value is None else value for value in row.values()]
        lines.append("%-28s %-9s" % tuple(values[:2]) + "".join(" %11s" % value for value in values[2:]))
    say("\n".join(lines))
    pathlib.Path("reports/nightly-fuzz.txt").write_text("\n".join(lines) + "\n")
    pathlib.Path("reports/nightly-fuzz.json").write_text(json.dumps(rows, indent=1))


def runnable(night, names):
    """Returns the fuzz targets that can run here."""
    targets = [fuzz.Target(name) for name in names]
    night.not_run = [(target.name, target.lack()) for target in targets if target.lack()]
    for name, lack in night.not_run:
        say("NOT RUN  %s: %s" % (name, lack))
    targets = [target for target in targets if not target.lack()]
    if not targets:
        night.verdict.add(5, "no fuzz target can run")
    return targets


def fuzz_all(night, targets, total, seed, mutators):
    """Runs every target under both engines and merges its inputs. Returns the seconds that each engine had."""
    started = time.monotonic()
    at_a_time = max(1, min(CORES // 2, len(targets)))
    helpers = max(0, (CORES - 2 * at_a_time) // at_a_time)
    rounds = max(1, -(-len(targets) // at_a_time))
    seconds = max(4, total * 7 // 10 // rounds // (1 if CORES > 1 else 2))
    say("fuzzing %d targets on %d processors, %d at a time, each %d s under both engines" % (len(targets), CORES, at_a_time, seconds))
    for begin in range(0, len(targets), at_a_time):
        some = targets[begin : begin + at_a_time]
        with ThreadPoolExecutor(len(some)) as pool:
            works = [pool.submit(fuzz_one, target, i * (2 + helpers), seconds, seed, helpers, mutators) for i, target in enumerate(some)]
        for fault in (fault for work in works for fault in work.result()):
            say("FAULT  " + fault)
            night.verdict.add(3, fault)
        say("  %s done after %d s" % (" ".join(target.name for target in some), time.monotonic() - started))
    with ThreadPoolExecutor(CORES) as pool:
        list(pool.map(lambda target: merge_one(target, total // 10), targets))
    return seconds


def judge_all(night, targets, ends, total, seed):
    """Judges the findings of fuzzing, the merged inputs and a sweep. A night that was interrupted keeps its findings."""
    # Findings are judged by the libraries in which they were found.
    python = ["--python", fuzz.library_python()] if fuzz.library_python() else []
    if os.listdir(fuzz.CRASHES):
        was_cut = fuzz.is_cut.is_set()
        fuzz.is_cut.clear()
        code, _ = night.judge("import", [fuzz.CRASHES, *python], "reports/nightly-findings.json", "build/nightly/import.log")
        say("findings of fuzzing: exit code %d, reports/nightly-findings.json" % code)
        if was_cut:
            fuzz.is_cut.set()
    if not fuzz.is_cut.is_set():
        replay_merged(night, targets, python)
    if not fuzz.is_cut.is_set():
        left = max(5, total // 10, int(ends - time.monotonic()))
        named = ["--python", os.environ["NDP_FUZZ_PYTHON"]] if os.environ.get("NDP_FUZZ_PYTHON") else []
        code, _ = night.judge("sweep", ["--seed", str(seed), "--seconds", str(left), *named], "reports/nightly.json", "build/nightly/sweep.log")
        say("sweep of %d s: exit code %d, build/nightly/sweep.log" % (left, code))


def main(hours, names, mutators):
    started, total = time.monotonic(), int(float(hours) * 3600) if re.fullmatch(r"\d*\.?\d+", hours) else 0
    if total < 10:
        raise BadInput("expected HOURS to be a positive number of at least 10 seconds, got %s" % hours)
    night = Night()
    shutil.rmtree("build/nightly", ignore_errors=True)
    for folder in (fuzz.CRASHES, "build/nightly"):
        os.makedirs(folder, exist_ok=True)
    for path in [*pathlib.Path("build").glob("fuzz-*.stats"), *pathlib.Path("reports").glob("nightly*.*")]:
        path.unlink()
    fuzz.heed_signals()
    targets, seed = runnable(night, names), int(night.day.replace("-", ""))
    seconds = fuzz_all(night, targets, total, seed, mutators)
    judge_all(night, targets, started + total, total, seed)
    rows = [(target, figures(target, engine, seconds)) for target in targets for engine in ("libfuzzer", "afl")]
    print_figures([row for _, row in rows])
    if fuzz.is_cut.is_set():
        night.verdict.add(5, "a signal ended the night after %d s; its findings were kept" % (time.monotonic() - started))
    for reason in (reason for target, row in rows for reason in vacuous(target, row)):
        if not fuzz.is_cut.is_set():
            night.verdict.add(5, reason)
    return night.finish([row for _, row in rows])


def run(words):
    """Runs the night; an error of this program is a verdict as well."""
    mutators = None
    try:
        if "--mutators" in words:
            mutators = words.pop(words.index("--mutators") + 1)
            words.remove("--mutators")
        with fuzz.scratch():
            return main(words[0], words[1:], mutators)
    except BadInput as error:
        print("RED: ndproof failed: %s" % error)
        return 2
    except Exception as error:
        traceback.print_exc()
        print("RED: ndproof failed: an error of %s: %s" % (os.path.relpath(__file__), flat("%s: %s" % (type(error).__name__, error))))
        return 3


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
