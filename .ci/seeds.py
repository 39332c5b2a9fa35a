#!/usr/bin/env python3
"""Runs an ordinary sweep on the environment `seeds`, whose versions have defects that were fixed later, and prints which of
the five families were found, each with the smallest descriptor of a finding. Ends when all are found.
usage: seeds.py SEED SECONDS

The sweep does not know the families: this script recognises them by the property and the value of a finding. The exit
code is 1 if a family was not found.
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


FAMILIES = (
    (
        "S0",
        "byte order of big-endian arrays through Parallel",
        lambda f: is_sent(f) and '">' in json.dumps(array_of(f)["base"]["dtype"]) and "max_nbytes" in f["descriptor"]["route"],
    ),
    ("S1", "memory order of reshaped maps through Parallel", lambda f: is_map_reordered(f, "c") and has_view(f, "reshape")),
    ("S1'", "memory order of transposed maps through Parallel", lambda f: is_map_reordered(f, "f")),
    (
        "S2",
        "subclasses that come back half-initialised",
        lambda f: f["property"] == "class" and any(is_proxy(node) for node in nodes_of(f)),
    ),
    (
        "S3",
        "functions that can be sent until they are called",
        lambda f: f["property"] == "picklability" and any("vectorize" in node for node in nodes_of(f)),
    ),
    ("S4", "typed.Dict shared by threads", lambda f: "typed.Dict" in f["signature"] and f["severity"] == "hazard"),
)


def read(path):
    try:
        with open(path) as file:
            findings = json.load(file)["findings"]
    except (OSError, ValueError):
        return []
    for one in findings:
        if isinstance(one["descriptor"], str):
            one["descriptor"] = json.loads(one["descriptor"])
        one["property"], one["field"] = one.get("property") or "", one.get("field") or ""
    return [one for one in findings if one["status"] != "flaky" and one["severity"] != "documented-loss"]


def look(path, found, seconds):
    for name, _, fits in FAMILIES:
        fitting = [one["descriptor"] for one in read(path) if fits(one)]
        if fitting and name not in found:
            found[name] = (seconds, min(map(json.dumps, fitting), key=len))


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
        run.wait()
    look(report, found, time.time() - start)
    print("seed %s, %.0f seconds: %s" % (seed, time.time() - start, " ".join(SWEEP)))
    for name, what, _ in FAMILIES:
        told = "found after %3.0f s" % found[name][0] if name in found else "NOT FOUND"
        print("%-3s  %-50s  %s" % (name, what, told))
        if name in found:
            print("     %s" % found[name][1])
    missing = [name for name, _, _ in FAMILIES if name not in found]
    if missing:
        print("not found: %s; the log is %s" % (" ".join(missing), log), file=sys.stderr)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
