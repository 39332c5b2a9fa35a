#!/usr/bin/env python3
"""Tests the verdict of seeds.py with invented reports: found, tested but not found, not tested, failed."""

import contextlib
import io
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.dont_write_bytecode = True
import seeds  # noqa: E402

PLACES = {name: place for name, _, place, _ in seeds.FAMILIES}


def report(numba=None, but=()):
    """A report that judged a case of every family except those in `but`."""
    targets = [{"name": "numpy"}, {"name": "numba", **({"unavailable": numba} if numba else {})}]
    cells = [
        {"route": "%s>%s %s5" % (target, target, text or "pickle"), "property": name, "pass": 0 if family in but else 1, "diverges": 0, "unsupported": 9}
        for family, (target, text, name) in PLACES.items()
        if not (numba and target == "numba")
    ]
    return {"targets": targets, "work": {"cells": cells}}


def verdict(found, whole, code=1):
    """Returns the exit code and the last word about each family."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        result = seeds.verdict({name: (1.0, "{}") for name in found}, whole, code, "log")
    lines = {line.split()[0]: line for line in out.getvalue().splitlines() if not line.startswith(" ")}
    assert list(lines) == list(PLACES), lines
    return result, lines


everything = set(PLACES)
code, lines = verdict(everything, report())
assert code == 0 and all("found after" in line for line in lines.values())

code, lines = verdict(everything - {"S4"}, report())
assert code == 1 and lines["S4"].endswith("NOT FOUND"), lines

code, lines = verdict(everything - {"S4"}, report(numba="ModuleNotFoundError: numba"))
assert code == 5 and lines["S4"].endswith("NOT TESTED: numba is not available: ModuleNotFoundError: numba"), lines

code, lines = verdict(everything - {"S4", "S0"}, report(numba="ModuleNotFoundError: numba"))
assert code == 1 and lines["S0"].endswith("NOT FOUND") and "NOT TESTED" in lines["S4"], lines

# An unsupported case is not a test, and neither is a case of another route.
code, lines = verdict(everything - {"S0"}, report(but=["S0"]))
assert code == 5 and lines["S0"].endswith("NOT TESTED: no case of byte_order on joblib.Parallel was judged"), lines

code, lines = verdict(set(), None, code=5)
assert code == 5 and all("NOT TESTED: the sweep wrote no report" in line for line in lines.values()), lines
assert verdict(set(), report(), code=3)[0] == 3 and verdict(set(), None, code=-11)[0] == 3
assert verdict(everything, report(), code=-2)[0] == 0, "expected a sweep that the script ended to be no failure"
