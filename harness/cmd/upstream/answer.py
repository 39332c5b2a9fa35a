"""The result of a bisection as text: a table of the releases that were tried, and the two answers."""

import search
from trial import ABSENT


def table(trial):
    """A line per release that was tried: release, other libraries, verdict."""
    rows = [("release", "with", "verdict")]
    for index in sorted(trial.results):
        result = trial.results[index]
        others = ", ".join("%s %s" % one for one in sorted(others_of(trial, index).items()))
        rows.append((str(trial.versions[index]), others or "-", _verdict(result)))
    wide = [max(len(row[column]) for row in rows) for column in (0, 1)]
    return ["%-*s  %-*s  %s" % (wide[0], row[0], wide[1], row[1], row[2]) for row in rows]


def _verdict(result):
    broken = ", ".join(result["broken"])
    if result["verdict"] == ABSENT:
        return ABSENT + (" (another divergence: %s)" % broken if broken else "")
    more = result["reason"] or broken
    return result["verdict"] + (": " + more if more else "")


def others_of(trial, index):
    libraries = trial.results[index]["libraries"]
    return {name: version for name, version in libraries.items() if name != trial.made.package}


def _skipped(trial, low, high):
    """The tried releases between two, which had no verdict, as a list of at most one note."""
    names = [str(trial.versions[index]) for index in sorted(trial.results) if low < index < high]
    return ["no verdict for " + ", ".join(names)] if names else []


def _in_brackets(notes):
    return " (%s)" % "; ".join(notes) if notes else ""


def _notes(trial, low, high):
    """States which releases between two neighbours had no verdict, and which other libraries differ as well."""
    notes = _skipped(trial, low, high)
    before, after = others_of(trial, low), others_of(trial, high)
    for name in sorted(set(before) & set(after)):
        if before[name] != after[name]:
            ends = (name, before[name], trial.versions[low], after[name], trial.versions[high])
            notes.append("%s %s with %s, %s with %s" % ends)
    return _in_brackets(notes)


def lines(trial, known):
    """The answers, a line each. None if no release had a verdict."""
    if all(found is None for found in known.values()):
        return None
    runs = search.affected(known)
    if not runs:
        return ["first release that shows it: none of the tried releases does", "first release that no longer shows it: none"]
    names = trial.versions
    first, _, before, _ = runs[0]
    _, last, _, after = runs[-1]
    start = "the oldest release with a verdict already shows it, %s%s" % (names[first], _in_brackets(_skipped(trial, -1, first)))
    if before is not None:
        start = "%s%s" % (names[first], _notes(trial, before, first))
    newer = _in_brackets(_skipped(trial, last, len(names)))
    end = "none, the newest release with a verdict still shows it, %s%s" % (names[last], newer)
    if after is not None:
        end = "%s%s" % (names[after], _notes(trial, last, after))
    found = ["first release that shows it: " + start, "first release that no longer shows it: " + end]
    if len(runs) > 1:
        found.append("it came back: the releases that show it are " + _spans(trial, runs))
    return found


def _spans(trial, runs):
    names = [(str(trial.versions[first]), str(trial.versions[last])) for first, last, _, _ in runs]
    return ", ".join(first if first == last else "%s to %s" % (first, last) for first, last in names)


def for_store(trial, known):
    """The answer for `ndproof issue`: the runs of affected releases with their neighbours, by version."""
    runs = [[None if index is None else str(trial.versions[index]) for index in run] for run in search.affected(known)]
    tried = [str(trial.versions[index]) for index in sorted(known) if known[index] is not None]
    return {"affected": runs, "tried": tried}
