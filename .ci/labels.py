#!/usr/bin/env python3
"""Adds the findings of reports to harness/report/labelled_findings.json, which measures how findings are grouped by cause.

usage: labels.py NAME=REPORT...     NAME is the run, such as current-3

A finding that is new there gets the label "": a person reads its evidence and names the defect. Findings of one defect have one
label, unless their kind, property, field, direction or class of error differs: then they are two causes by definition
(harness/engine/cause.h), and the label says which. `labels.py list` prints the findings by label, `labels.py label LABEL SIGNATURE...` sets a label.
"""

import json
import pathlib
import sys

FILE = pathlib.Path(__file__).parent.parent / "harness/report/labelled_findings.json"


def row_of(finding):
    """What identifies a cause, without the observations."""
    row = {key: finding[key] for key in ("signature", "kind", "severity", "property", "field", "outlier", "failure", "error", "blame")}
    row["route"] = finding["route"].split()[-1]
    row["difference"] = finding["difference"][:1]
    row["elements"] = elements_of(finding)
    return row


def elements_of(finding):
    """The item size, and the elements before and after, for the symptom of wrong values."""
    seen = finding["observations"]
    if finding["field"] != "values" or "source" not in seen or "result" not in seen:
        return None
    extents = [int(extent) for extent in seen["source"]["shape"]]
    count = 1
    for extent in extents:
        count *= extent
    size = int(seen["source"]["elements_bytes"]) // count if count else 0
    return {"itemsize": size, "expected": seen["source"]["elements"], "got": seen["result"]["elements"]}


def add(rows, name, report):
    with open(report) as file:
        report = json.load(file)
    for finding in report["findings"]:
        row = rows.setdefault(finding["signature"], dict(label="", runs=[], **row_of(finding)))
        if name not in row["runs"]:
            row["runs"].append(name)


def write(rows):
    text = ",\n ".join(json.dumps(row, sort_keys=True) for row in sorted(rows.values(), key=lambda row: (row["label"], row["signature"])))
    FILE.write_text("[%s]\n" % text)


def main(words):
    rows = {row["signature"]: row for row in json.loads(FILE.read_text())} if FILE.exists() else {}
    if words[0] == "list":
        for row in sorted(rows.values(), key=lambda row: (row["label"], row["signature"])):
            print("%-28s %s" % (row["label"] or "?", row["signature"]))
            for one in row["difference"]:
                print("%28s %s: %s -> %s" % ("", one["path"], one["expected"], one["got"]))
        return
    if words[0] == "label":
        for signature in words[2:]:
            rows[signature]["label"] = words[1]
    else:
        for word in words:
            name, _, path = word.partition("=")
            add(rows, name, path)
    write(rows)


if __name__ == "__main__":
    main(sys.argv[1:])
