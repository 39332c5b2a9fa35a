"""Reads a report of schema 2 and arranges it for people: causes in order, routes by properties, and what was not tested.

Every string of the report is made harmless for any output format here: characters that are invalid in XML, that move the
cursor or that reorder text become visible escapes. Renderers only have to quote for their own syntax.
"""

import functools
import json
import re

from routes import Cell, Route

SCHEMA = 2
DEATHS = ("CRASH", "TIMEOUT", "OOM")
# Properties of the elements themselves; a defect of any other property is a lost attribute.
VALUE_PROPERTIES = {
    "byte_order", "concurrency", "cross", "dtype", "entry_points", "idempotence", "shape", "strictness", "transcode", "values",
}  # fmt: skip
ATTRIBUTE_FIELDS = {"dtype.metadata", "dtype.aligned"}
# Groups of causes, in the order in which people need them.
GROUPS = (
    ("crash", "Crashes", "The process died, did not end in time, or ran out of memory."),
    ("value", "Wrong values", "Elements, shape or type differ from the promise."),
    ("attribute", "Lost attributes", "Flags, order, class, identity or other attributes differ from the promise."),
    ("refusal", "Refusals", "Something was refused that must be accepted, or accepted that must be refused."),
    ("documented", "Documented losses and hazards", "The library documents these. They do not fail the gate."),
)
# Columns of the fuzz targets of a nightly report: field and title.
FUZZING = (
    ("target", "Target"), ("engine", "Engine"), ("executions", "Executions"), ("valid_percent", "Valid, %"),
    ("covered_edges", "Edges"), ("comparisons", "Comparisons"), ("findings", "New findings"),
)  # fmt: skip
STATUS_ORDER = {"new": 0, "flaky": 1, "known": 2}
TIME = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z")
INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufdd0-\ufdef\ufeff]"
    "|[\ufffe\uffff]|[" + "".join(chr(plane << 16 | last) for plane in range(1, 17) for last in (0xFFFE, 0xFFFF)) + "]"
)


class BadReport(Exception):
    """The file is no report that can be exported; the text is the reason."""


# ---- reading ----


def visible(text):
    """`text` with an escape of Python for each character that is invisible, reorders text or is invalid in XML."""
    return INVISIBLE.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), text.replace("\r\n", "\n"))


def clean(value):
    """A copy of a JSON value: all strings visible, and texts that are listed as code points (schema.json) as strings."""
    if isinstance(value, str):
        return visible(value)
    if isinstance(value, list):
        return [clean(item) for item in value]
    if isinstance(value, dict):
        if list(value) == ["codepoints"] and isinstance(value["codepoints"], list):
            return visible("".join(chr(point) for point in value["codepoints"]))
        return {visible(key): clean(item) for key, item in value.items()}
    return value


def need(holder, key, kind, where):
    """holder[key], which must be of the given kind."""
    value = holder.get(key)
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        words = {dict: "an object", list: "an array", str: "a string", int: "an integer"}
        raise BadReport("expected %s at %s%s" % (words[kind], where, key))
    return value


def number(value):
    """A count; the report writes counts that a double cannot hold as digits."""
    if isinstance(value, str) and re.fullmatch("[0-9]+", value):
        return int(value)
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise BadReport("expected a count, found %s" % json.dumps(value)[:40])
    return value


def read(path):
    """The report in a file. Errors: BadReport with the reason."""
    try:
        with open(path, encoding="utf-8") as file:
            whole = json.load(file)
    except OSError as error:
        raise BadReport("cannot read it: " + (error.strerror or str(error))) from error
    except RecursionError as error:
        raise BadReport("it is nested too deeply for a report") from error
    except ValueError as error:
        raise BadReport("it is not JSON: %s" % visible(str(error))) from error
    if not isinstance(whole, dict) or "schema" not in whole or "gate" not in whole:
        raise BadReport("it is not a report of ndproof (no schema, or no gate)")
    if whole["schema"] == 1:
        raise BadReport("it is a report of schema 1, which has no causes; run the sweep again to get a report of schema %d" % SCHEMA)
    if whole["schema"] != SCHEMA:
        raise BadReport("expected schema %d, found %s" % (SCHEMA, json.dumps(whole["schema"])[:40]))
    try:
        return Report(path, clean(whole))
    except (AttributeError, IndexError, KeyError, TypeError, ValueError, OverflowError, RecursionError) as error:
        raise BadReport("a field is missing or has a wrong type (%s: %s)" % (type(error).__name__, visible(str(error)))) from error


# ---- causes ----


class Cause:
    """A cause with what the renderers derive from it. Fields of the report are attributes of the same name."""

    def __init__(self, item, place):
        where = "causes[%d]." % place
        for key in ("id", "key", "title", "kind", "severity", "status", "property", "field", "library"):
            setattr(self, key, need(item, key, str, where))
        for key in ("direction", "error", "evidence", "replay", "drawing", "script"):
            setattr(self, key, need(item, key, str, where) if key in item else "")
        self.routes = [Route(str(text)) for text in need(item, "routes", list, where)]
        self.findings = [str(text) for text in item.get("findings", [])]
        self.count = number(item.get("count"))
        self.first_case = number(item.get("first_case", 0))
        self.first_group = str(item.get("first_group", ""))
        self.found_after = "%.1f s" % float(item["found_after_s"]) if "found_after_s" in item else ""
        self.descriptor = item.get("descriptor")
        self.difference = [{key: str(row.get(key, "")) for key in ("path", "expected", "got")} for row in item.get("difference", [])]
        history = item.get("history") or {}
        self.history = history and {key: str(history.get(key, "")) for key in ("first_seen", "last_seen")} | {"nights": number(history.get("nights"))}
        self.versions = ""

    @property
    def is_defect(self):
        return self.severity == "defect"

    @property
    def is_gating(self):
        return self.is_defect and self.status != "known"

    @property
    def group(self):
        if not self.is_defect:
            return "documented"
        if self.kind in DEATHS:
            return "crash"
        if self.direction:
            return "refusal"
        is_value = self.property in VALUE_PROPERTIES and self.field not in ATTRIBUTE_FIELDS
        return "value" if is_value else "attribute"

    @property
    def line(self):
        """The title on one line."""
        return " ".join(self.title.split()) or self.key

    @property
    def headline(self):
        """The title with the library, for lists that show nothing else."""
        return " ".join(("%s: %s" % (self.library, self.line) if self.library else self.line).split())

    @property
    def rule(self):
        """The property that is broken, or the kind of a death."""
        return self.property or self.kind.lower()

    @property
    def descriptor_text(self):
        return "" if self.descriptor is None else json.dumps(self.descriptor, ensure_ascii=False)

    @property
    def sort_key(self):
        place = [word for word, *_ in GROUPS].index(self.group)
        return (place, STATUS_ORDER.get(self.status, 3), DEATHS.index(self.kind) if self.kind in DEATHS else 0, -self.count, self.line, self.id)


# ---- the report ----


def target_of(item):
    """A target with all its fields."""
    texts = {key: str(item.get(key, "")) for key in ("name", "version", "language", "environment", "unavailable")}
    return texts | {key: {str(name): str(text) for name, text in (item.get(key) or {}).items()} for key in ("libraries", "stand_ins")}


class Report:
    """A report, arranged. `whole` is the cleaned JSON."""

    def __init__(self, path, whole):
        self.path = path
        tool, run = need(whole, "tool", dict, ""), need(whole, "run", dict, "")
        self.tool = {key: str(tool.get(key, "")) for key in ("version", "commit")}
        self.run = {key: str(run.get(key, "")) for key in ("ended", "stop_reason")} | {"started": need(run, "started", str, "run.")}
        for key in ("started", "ended"):
            if not TIME.fullmatch(self.run[key]) and (key, self.run[key]) != ("ended", ""):
                raise BadReport("expected a time at run.%s, found %s" % (key, self.run[key][:40]))
        self.run |= {"seed": number(run.get("seed")), "argv": [str(word) for word in run.get("argv", [])]}
        self.gate = need(whole, "gate", dict, "")
        self.status = need(self.gate, "status", str, "gate.")
        self.exit_code = need(self.gate, "exit_code", int, "gate.")
        self.reasons = [str(reason) for reason in self.gate.get("reasons", [])]
        self.targets = [target_of(item) for item in need(whole, "targets", list, "")]
        work = need(whole, "work", dict, "")
        self.cases, self.comparisons = number(work.get("cases")), number(work.get("comparisons"))
        self.baseline_file = str(need(whole, "baseline", dict, "").get("file", ""))
        self.causes = sorted((Cause(item, i) for i, item in enumerate(need(whole, "causes", list, ""))), key=lambda cause: cause.sort_key)
        for cause in self.causes:
            cause.versions = ", ".join(self.versions_of(cause.library))
        self.untested = sorted(
            (
                {key: str(row.get(key, "")) for key in ("kind", "name", "reason")} | {"expected": bool(row.get("expected")) and not row.get("allowed"), "allowed": bool(row.get("allowed"))}
                for row in need(whole, "untested", list, "")
            ),
            key=lambda row: not row["expected"],
        )
        self.fuzzing = [[str(row.get(key, "")) for key, _ in FUZZING] for row in whole.get("fuzzing", [])]
        self._read_cells(need(work, "cells", list, "work."))

    def versions_of(self, library):
        """"numpy 2.4.6 (numpy)" for every version of a library under test; the name in brackets is the target's."""
        seen = []
        for target in self.targets:
            version = target["libraries"].get(library)
            if version and not target["unavailable"]:
                seen.append("%s %s (%s)" % (library, version, target["name"]))
        return sorted(set(seen))

    def _read_cells(self, items):
        self.cells = {}
        for place, item in enumerate(items):
            where = "work.cells[%d]." % place
            route, name = Route(need(item, "route", str, where)), need(item, "property", str, where)
            cell = Cell(*(number(item[key]) for key in ("pass", "diverges", "rejects", "unsupported")))
            self.cells.setdefault(route, {})[name] = cell
        self.properties = sorted({name for row in self.cells.values() for name in row})
        for route, row in self.cells.items():
            for name, cell in row.items():
                cell.is_defect = cell.diverges > 0 and not self.is_loss(route, name)

    @functools.cached_property
    def _causes_by_place(self):
        exact, near = {}, {}
        for cause in self.causes:
            for route in cause.routes:
                exact.setdefault((route, cause.property), []).append(cause)
                found = near.setdefault((route.form, cause.property), [])
                if cause not in found:
                    found.append(cause)
        return exact, near

    def causes_of(self, route, name):
        """The causes of a property that list the route. If none does, those of its format: a cause lists only routes on
        which a finding was kept, and a documented loss is kept once for all routes."""
        exact, near = self._causes_by_place
        return exact.get((route, name)) or near.get((route.form, name), [])

    def is_loss(self, route, name):
        """Whether the divergences of a cell are documented. A cell that no cause explains is not."""
        causes = self.causes_of(route, name)
        return bool(causes) and not any(cause.is_defect for cause in causes)

    @functools.cached_property
    def groups(self):
        """(word, title, meaning, causes) for every group that has causes, in order."""
        found = [(word, title, meaning, [cause for cause in self.causes if cause.group == word]) for word, title, meaning in GROUPS]
        return [group for group in found if group[3]]

    @functools.cached_property
    def counts(self):
        """Numbers for the head of a page."""
        defects = [cause for cause in self.causes if cause.is_defect]
        return {status: sum(cause.status == status for cause in defects) for status in STATUS_ORDER} | {
            "documented": len(self.causes) - len(defects),
            "untested": len(self.untested),
            "expected": sum(row["expected"] for row in self.untested),
        }

    @functools.cached_property
    def matrix(self):
        """(format, sums by property, {route: cells by property}) for every format, in order."""
        forms = {}
        for route, row in sorted(self.cells.items(), key=lambda item: item[0].text):
            sums, routes = forms.setdefault(route.form, ({}, {}))
            routes[route] = row
            for name, cell in row.items():
                sums.setdefault(name, Cell()).add(cell)
        return [(form, *forms[form]) for form in sorted(forms)]

    @property
    def verdict(self):
        """One sentence: what the gate decided and why."""
        new, flaky, expected = self.counts["new"], self.counts["flaky"], self.counts["expected"]
        deaths = sum(cause.status == "new" and cause.group == "crash" for cause in self.causes)
        including = ", including %s" % plural(deaths, "crash or hang", "crashes or hangs") if deaths else ""
        texts = {
            0: "Clean: nothing new was found, and everything expected was compared.",
            1: "%s%s." % (plural(new, "new cause"), including) if new else "A new divergence or crash, which the reasons name.",
            2: "Usage error: the run did not start.",
            3: "ndproof or a testee could not do its work.",
            4: "The baseline lists causes that no longer show, or that are past their day.",
            5: "Inconclusive: %s." % ("%s not compared" % plural(expected, "expected item was", "expected items were") if expected else "too little was compared"),
            6: "Only findings that did not show again: %s." % plural(flaky, "flaky cause"),
        }
        return texts.get(self.exit_code, "Exit code %d." % self.exit_code)


def plural(count, one, many=None):
    """"1 cause", "2 causes"."""
    return "%d %s" % (count, one if count == 1 else many or one + "s")
