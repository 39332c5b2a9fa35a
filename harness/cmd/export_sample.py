"""A report of schema 2 for tests of `ndproof export`: every kind, severity and status, and text that attacks each format.

Values, routes and texts are those of a sweep of NumPy 2.4.6, shortened.
"""

import copy

PROPERTIES = "byte_order class cross dtype entry_points flags idempotence memmap shape strictness values".split()
SCRIPT = """import io
import numpy

array = numpy.arange(6, dtype=">f8").reshape(2, 3)
file = io.BytesIO()
numpy.save(file, array)
print("expected", array.tolist(), "got", numpy.load(io.BytesIO(file.getvalue())).tolist())
"""
DRAWING = """class    ndarray
dtype    >f8, 8 bytes per item
shape    (2, 3)
strides  (24, 8)
elements: index, offset in memory, bytes
  [0 0] @0      0000000000000000
  [0 1] @8      3ff0000000000000"""
DESCRIPTOR = {
    "ndproof": 1,
    "value": {"array": {"base": {"dtype": ">f8", "shape": [2, 3], "data": {"pattern": "index"}}}},
    "route": {"format": "npy", "encode": "memory", "decode": "memory", "encoder": "numpy", "decoder": "numpy"},
    "properties": ["values"],
}
# Each breaks a format that does not quote it: HTML, its scripts and attributes, Markdown and its tables, XML, workflow
# commands, links of SARIF, terminals, and readers of text (lines of JavaScript, reversed order, no character at all).
ATTACKS = (
    "</pre></script><script>window.attacked = 1</script>",
    "<img src=x onerror=\"window.attacked = 2\">",
    "' onmouseover='window.attacked = 3' \" autofocus onfocus=\"window.attacked = 4\"",
    "{{ 7 * 7 }} {% raw %} {# #}",
    "| cell | ``` `` ` code\n```\n<u>out of the block</u>\n````\n\n# heading\n- item\n1. item\n> quote",
    "**bold** _it_ ~~gone~~ [text](https://attack.invalid/) ![x](https://attack.invalid/x.png) <https://attack.invalid/>",
    "@everyone https://attack.invalid/ www.attack.invalid mail@attack.invalid :smile: &lt;b&gt; $x$ \\",
    "]]> <!-- --> <![CDATA[ &amp; &#60;",
    "\r\n::error title=attack::attack\n::stop-commands::x\n%0A::warning::x",
    "\x00\x01\x08\x0b\x0c\x1b[31m\x7f\x85\ufffe\uffff\ud800\u2028\u2029\u202e\u2066\U0001ffff",
)


def cause(ident, title, **more):
    fields = {
        "id": ident,
        "title": title,
        "kind": "DIVERGES",
        "severity": "defect",
        "status": "new",
        "property": "values",
        "field": "values",
        "direction": "",
        "library": "numpy",
        "error": "",
        "evidence": "",
        "routes": ["numpy>numpy npy:memory>memory"],
        "count": 3,
        "first_group": "numpy>numpy npy",
        "first_case": 17,
        "found_after_s": 2.5,
        "descriptor": DESCRIPTOR,
        "difference": [{"path": "[0]", "expected": "1.0", "got": "0.0"}],
        "replay": "build/ndproof replay --env current reports/findings/%s.json" % ident,
        "drawing": "",
        "script": "",
        **more,
    }
    fields.setdefault("key", "|".join(fields[key] or "-" for key in ("kind", "property", "field", "library")))
    fields.setdefault("findings", [fields["key"] + "|" + route.split(" ")[-1] for route in fields["routes"]])
    return fields


# Not in the order of the page.
CAUSES = (
    cause(
        "a1000001", "The dtype's metadata is lost in npy files", severity="documented-loss", property="dtype", field="dtype.metadata", count=7,
        routes=["reference>numpy npy:memory>memory"], difference=[{"path": "dtype.metadata", "expected": '{"unit":"m"}', "got": ""}],
    ),
    cause(
        "a2000002", "Threads that write to one typed.Dict corrupt it", severity="hazard", property="concurrency", field="length", library="numba",
        routes=["numba>numba typed.Dict:threads"], difference=[{"path": "length", "expected": "8", "got": "7"}],
    ),
    cause(
        "a3000003", "MaskedArray comes back without its hard mask", property="class", field="hard_mask.MaskedArray", script=SCRIPT, drawing=DRAWING, count=123,
        routes=["numpy>numpy npy:memory>memory", "numpy>reference npy:file>memory", "numpy>numpy pickle5:c>c"],
        difference=[{"path": "nodes[0].hard_mask", "expected": "true", "got": "false"}], evidence="The same value fails through pickle without joblib.",
        history={"first_seen": "2026-11-01", "last_seen": "2026-11-28", "nights": 4},
    ),
    cause(
        "a4000004", "An array that is mapped from a file cannot be pickled", property="picklability", field="accepted.TypeError", direction="encoder refuses",
        error="TypeError: cannot pickle 'mmap.mmap' object", routes=["numpy>numpy pickle%d:c>c" % protocol for protocol in range(6)], difference=[],
    ),
    cause(
        "a5000005", "A sliced memory map arrives in a worker with the elements of another slice", library="joblib", script=SCRIPT, drawing=DRAWING, count=4,
        routes=["numpy>numpy joblib.Parallel5:loky"], difference=[{"path": "[0]", "expected": "43", "got": "55"}, {"path": "[1]", "expected": "55", "got": "238"}],
    ),
    cause(
        "a6000006", "numpy.save of an array with 33 dimensions ends the process", kind="CRASH", property="", field="process", error="signal 11 in write_array",
        routes=["numpy>reference npy:file>memory"], difference=[], count=1, script=SCRIPT,
    ),
    cause("a7000007", "A header with 4 GiB of padding is read without end", kind="TIMEOUT", property="", field="process", routes=["numpy npy>memory"], difference=[]),
    cause("a8000008", "A result differs once in three runs", status="flaky", routes=["numpy>numpy npz:memory>memory"]),
    cause(
        "a9000009", "joblib.Parallel changes the byte order of big-endian arrays", status="known", library="joblib", property="byte_order", field="dtype.order",
        routes=["numpy>numpy joblib.Parallel5:multiprocessing"], difference=[{"path": "dtype.order", "expected": ">f8", "got": "<f8"}],
    ),
)  # fmt: skip
UNTESTED = (
    {"kind": "target", "name": "numba@old", "reason": "numba has no release for this Python", "expected": False, "allowed": False},
    {"kind": "property", "name": "leaks", "reason": "no case was judged", "expected": True, "allowed": True},
    {"kind": "format", "name": "dill", "reason": "no case reached it in 20 s", "expected": True, "allowed": False},
)
FUZZED = {
    "target": "npy_numpy", "engine": "libfuzzer", "executions": 123456, "executions_per_second": 900, "executions_per_cpu_second": 950,
    "valid_percent": 41.5, "valid_by_form_percent": None, "covered_edges": 777, "covered_percent": 30.1, "stability_percent": None,
    "comparisons": 5000000, "findings": 1, "corpus_files": 60, "feedback_counters": None,
}  # fmt: skip


def cell(route, name, passed=0, diverges=0, rejects=0, unsupported=0):
    return {"route": route, "property": name, "pass": passed, "diverges": diverges, "rejects": rejects, "unsupported": unsupported}


def cells():
    """Every state of a cell, and enough columns that the matrix is wider than a telephone."""
    pairs = [(writer, reader) for writer in ("numpy", "reference") for reader in ("numpy", "reference")]
    for writer, reader in pairs:
        for form in ("npy", "npz"):
            for way in ("memory>memory", "file>memory", "file>mmap:r"):
                route = "%s>%s %s:%s" % (writer, reader, form, way)
                for place, name in enumerate(PROPERTIES):
                    if (route, name) not in SPECIAL:
                        yield cell(route, name, passed=10 + place)
    for (route, name), numbers in SPECIAL.items():
        yield cell(route, name, *numbers)


SPECIAL = {
    ("numpy>numpy npy:memory>memory", "class"): (20, 4, 0, 0),
    ("numpy>reference npy:file>memory", "class"): (7, 2, 0, 0),
    ("reference>numpy npy:memory>memory", "dtype"): (30, 7, 0, 0),
    ("reference>numpy npy:file>memory", "dtype"): (30, 1, 0, 0),  # a loss that only another route lists
    ("numpy>numpy npz:memory>memory", "values"): (5, 1, 2, 0),
    ("numpy>numpy npz:file>memory", "flags"): (5, 1, 0, 0),  # a difference without a cause
    ("numpy>numpy joblib.Parallel5:loky", "values"): (12, 4, 0, 0),
    ("numpy>numpy joblib.Parallel5:multiprocessing", "byte_order"): (12, 3, 0, 0),
    ("numpy>numpy pickle5:c>c", "class"): (3, 1, 0, 0),
    ("numpy>numpy pickle4:c>c", "class"): (0, 0, 9, 0),
    ("numpy>numpy pickle3:c>c", "class"): (0, 0, 0, 6),
    ("numpy npy>memory", "strictness"): (44, 0, 3, 1),
}


def report():
    """A new report; the caller may change it."""
    targets = [
        {"name": "reference", "implementation": "reference", "version": "0.1.0", "language": "C", "environment": "", "libraries": {"reference": "0.1.0"}},
        {
            "name": "numpy", "implementation": "numpy", "version": "2.4.6", "language": "CPython 3.11.7", "environment": "current",
            "libraries": {"numpy": "2.4.6", "joblib": "1.6.0", "cloudpickle": "3.1.2", "python": "3.11.7"}, "stand_ins": {"cudf.pandas": "proxy"},
        },
        {"name": "numba@old", "implementation": "", "version": "", "language": "", "environment": "old", "unavailable": "numba has no release for this Python"},
    ]  # fmt: skip
    for target in targets:
        target.update({"restarts": 0, "crashes": 0, "timeouts": 0})
    return copy.deepcopy(
        {
            "schema": 2,
            "tool": {"name": "ndproof", "version": "0.2.0", "commit": "04c9a4360dc4"},
            "run": {
                "seed": 1,
                "argv": ["build/ndproof", "sweep", "--seed", "1", "--report", "reports/latest.json"],
                "started": "2026-11-28T20:19:08Z",
                "ended": "2026-11-28T20:19:31Z",
                "stop_reason": "duration",
            },
            "targets": targets,
            "fuzzing": [FUZZED],
            "work": {"cases": 420, "comparisons": 199847, "faults": 0, "dropped": 0, "cells": list(cells()), "floors": []},
            "findings": [],
            "causes": list(CAUSES),
            "untested": list(UNTESTED),
            "baseline": {"file": "reports/baseline.json", "matched": ["a9000009"], "stale": [], "expired": [], "untested": []},
            "gate": {"status": "diverges", "exit_code": 1, "reasons": ["new: a6000006 numpy.save of an array with 33 dimensions ends the process"]},
        }
    )


def hostile():
    """A report in which every text that a library or a file can influence attacks the formats."""
    made = report()
    made["causes"] = [
        cause(
            "b%07d" % place, "title " + attack, error=attack, evidence=attack, drawing=attack, script=attack, replay=attack, library=attack[:31], field=attack[:31],
            routes=["numpy>" + attack, attack], difference=[{"path": attack, "expected": attack, "got": attack}], findings=[attack],
            descriptor={"ndproof": 1, "file": attack}, history={"first_seen": attack, "last_seen": attack, "nights": 1},
        )
        for place, attack in enumerate(ATTACKS)
    ]  # fmt: skip
    made["untested"] = [{"kind": "target", "name": attack, "reason": attack, "expected": True} for attack in ATTACKS]
    made["targets"] += [
        {"name": attack, "version": attack, "language": attack, "environment": attack, "unavailable": attack, "libraries": {attack: attack}} for attack in ATTACKS
    ]
    made["work"]["cells"] += [cell(attack, attack, passed=1) for attack in ATTACKS]
    made["gate"]["reasons"] = list(ATTACKS)
    made["fuzzing"] = [{"target": attack, "engine": attack} for attack in ATTACKS]
    made["run"]["argv"] += list(ATTACKS)
    made["tool"].update({"version": ATTACKS[1], "commit": ATTACKS[0]})
    return made


def clean():
    """A report of a run that compared everything and found nothing."""
    made = report()
    made.update({"causes": [], "untested": [], "gate": {"status": "clean", "exit_code": 0, "reasons": []}})
    made["work"]["cells"] = [one for one in made["work"]["cells"] if one["diverges"] == 0]
    return made
