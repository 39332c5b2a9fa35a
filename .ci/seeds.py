#!/usr/bin/env python3
"""Runs an ordinary sweep on the environment `seeds`, whose versions have defects that were fixed later, and prints which of
the five families were found, each with the smallest descriptor of a finding. Ends when all are found.
usage: seeds.py SEED SECONDS

The sweep does not know the families: this script recognises them by the property and the value of a finding. A family was
tested if its target ran and one of its cases was judged. Exit codes: 1 if a family was tested but not found; 3 if the sweep
failed; 5 if a family was not tested.
"""

import json
import os
import signal
import subprocess
import sys
import time

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
SWEEP = ["build/ndproof", "sweep", "--env", "seeds", "--target", "numpy", "--target", "numba"]
OF_NUMPY = ("ndarray", "matrix", "recarray", "MaskedArray", "memmap")


def array_of(finding):
    return finding["descriptor"].get("value", {}).get("array", {})


def nodes_of(finding):
    return finding["descriptor"].get("value", {}).get("graph", {}).get("nodes", [])


def is_sent(finding):
    """An array that joblib.Parallel sends through a file, or maps from an existing one."""
    return finding["descriptor"].get("route", {}).get("transport") == "joblib.Parallel" and array_of(finding) != {}


def is_map_reordered(finding, order):
    is_map = array_of(finding).get("base", {}).get("memmap") is not None if is_sent(finding) else False
    return is_map and finding["property"] == "memory_order" and finding["field"] == "flags.%s_contiguous" % order


def has_view(finding, name):
    return any(name in view for view in array_of(finding).get("views", []))


def is_proxy(node):
    """A user-defined subclass with attributes."""
    return "attributes" in node and node.get("array", {}).get("class", {}).get("name", "ndarray") not in OF_NUMPY


# Name, meaning, target, text in its routes, property, and the question whether a finding shows it.
FAMILIES = (
    (
        "S0",
        "byte order of big-endian arrays through Parallel",
        ("numpy", "joblib.Parallel", "byte_order"),
        lambda f: is_sent(f) and '">' in json.dumps(array_of(f)["base"]["dtype"]) and "max_nbytes" in f["descriptor"]["route"],
    ),
    (
        "S1",
        "memory order of reshaped maps through Parallel",
        ("numpy", "joblib.Parallel", "memory_order"),
        lambda f: is_map_reordered(f, "c") and has_view(f, "reshape"),
    ),
    (
        "S1'",
        "memory order of transposed maps through Parallel",
        ("numpy", "joblib.Parallel", "memory_order"),
        lambda f: is_map_reordered(f, "f"),
    ),
    (
        "S2",
        "subclasses that come back half-initialised",
        ("numpy", "", "class"),
        lambda f: f["property"] == "class" and any(is_proxy(node) for node in nodes_of(f)),
    ),
    (
        "S3",
        "functions that can be sent until they are called",
        ("numpy", "", "picklability"),
        lambda f: f["property"] == "picklability" and any("vectorize" in node for node in nodes_of(f)),
    ),
    (
        "S4",
        "typed.Dict shared by threads",
        ("numba", "typed.Dict", "concurrency"),
        lambda f: "typed.Dict" in f["signature"] and f["severity"] == "hazard",
    ),
)


def lack_of(place, report):
    """Returns why a family was not tested; "" if it was."""
    target, text, name = place
    if report is None:
        return "the sweep wrote no report"
    of_target = [one for one in report["targets"] if one["name"].split("@")[0] == target]
    if not any("unavailable" not in one for one in of_target):
        return "%s is not available: %s" % (target, " ".join(of_target[0]["unavailable"].split()) if of_target else "no environment has it")
    cells = [cell for cell in report["work"]["cells"] if cell["property"] == name and text in cell["route"] and target in cell["route"]]
    judged = sum(int(cell["pass"]) + int(cell["diverges"]) for cell in cells)
    return "" if judged else "no case of %s%s was judged" % (name, " on " + text if text else "")


def read(path):
    """Returns a report; None if there is none."""
    try:
        with open(path) as file:
            return json.load(file)
    except (OSError, ValueError):
        return None


def confirmed(report):
    """Returns the findings that a family may be seen in."""
    for one in report["findings"] if report else ():
        if isinstance(one["descriptor"], str):
            one["descriptor"] = json.loads(one["descriptor"])
        one["property"], one["field"] = one.get("property") or "", one.get("field") or ""
        if one["status"] != "flaky" and one["severity"] != "documented-loss":
            yield one


def look(path, found, seconds):
    for name, _, _, fits in FAMILIES:
        fitting = [one["descriptor"] for one in confirmed(read(path)) if fits(one)]
        if fitting and name not in found:
            found[name] = (seconds, min(map(json.dumps, fitting), key=len))


def verdict(found, report, code, log):
    """Prints the families, and returns the exit code. `code` is that of the sweep."""
    missing, untested = [], []
    for name, what, place, _ in FAMILIES:
        lack = "" if name in found else lack_of(place, report)
        (untested if lack else missing if name not in found else []).append(name)
        seen = "found after %3.0f s" % found[name][0] if name in found else "NOT TESTED: " + lack if lack else "NOT FOUND"
        print("%-3s  %-50s  %s" % (name, what, seen))
        if name in found:
            print("     %s" % found[name][1])
    for names, word in ((untested, "not tested"), (missing, "not found")):
        if names:
            print("%s: %s; the log is %s" % (word, " ".join(names), log), file=sys.stderr)
    if (missing or untested) and code not in (0, 1, 4, 5, 6):
        print("the sweep failed with exit code %d; the log is %s" % (code, log), file=sys.stderr)
        return 3
    return 1 if missing else 5 if untested else 0


def main(seed, seconds):
    report, log = "build/seeds-%s.json" % seed, "build/seeds-%s.log" % seed
    if os.path.exists(report):
        os.remove(report)
    found, start = {}, time.time()
    with open(log, "w") as sink:
        run = subprocess.Popen(SWEEP + ["--seed", seed, "--seconds", seconds, "--report", report], stdout=sink, stderr=sink)
        while run.poll() is None and len(found) < len(FAMILIES):
            time.sleep(0.5)
            look(report, found, time.time() - start)
        if run.poll() is None:
            run.send_signal(signal.SIGINT)
        code = run.wait()
    look(report, found, time.time() - start)
    print("seed %s, %.0f seconds: %s" % (seed, time.time() - start, " ".join(SWEEP)))
    return verdict(found, read(report), code, log)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
