"""The verdict of a night, its text for people, and its reports as one report."""

import json
import re

# If several codes apply, the order of the gate decides.
ORDER = (3, 2, 1, 4, 5, 6)
STATUS = {0: "clean", 1: "diverges", 2: "usage", 3: "fault", 4: "stale", 5: "vacuous", 6: "flaky"}
# The limits of reports/schema.json.
MAX_FINDINGS, MAX_ROUTES, MAX_TARGETS, MAX_UNTESTED, MAX_REASONS, MAX_COUNT = 1000, 500, 48, 256, 33, 2**53 - 1
MAX_LINES = 40
OF_CAUSE = re.compile("(new|flaky): [0-9a-f]{8} ")
OF_BASELINE = re.compile("fixed, remove it from the baseline: |acceptance expired after ")


def plural(count, one, many=None):
    return "%d %s" % (count, one if count == 1 else many or one + "s")


def flat(text, most=200):
    text = " ".join(str(text).split())
    return text if len(text) <= most else text[: most - 3] + "..."


def is_new_defect(cause):
    return cause["severity"] == "defect" and cause["status"] == "new"


# ---- one report ----


def entry_name(entry):
    return entry.get("cause") or entry["pattern"]


def is_accepted(cause, entries):
    """Whether an entry of the baseline accepts the cause; '*' in a pattern stands for any text."""
    matches = lambda pattern: re.fullmatch(".*".join(map(re.escape, pattern.split("*"))), cause["key"], re.DOTALL)  # noqa: E731
    return any(entry["cause"] == cause["id"] if "cause" in entry else matches(entry["pattern"]) for entry in entries)


def known_before(report, history, release):
    """Returns the causes that gate in the report although a night before the release found them."""
    return [cause for cause in report["causes"] if is_new_defect(cause) and history.is_known(cause["id"], release)]


def baseline_with(entries, report, causes, release):
    """Returns a baseline that accepts `causes` as well. It has no entry that the report lacks, because the run has replayed
    those, and the gate alone cannot."""
    absent = {*report["baseline"]["stale"], *report["baseline"]["untested"]}
    more = [
        {"cause": one["id"], "title": one["title"], "reason": "known before the release of %s" % release, "descriptor": one["descriptor"]} for one in causes
    ]
    return {"schema": 2, "entries": [entry for entry in entries if entry_name(entry) not in absent] + more}


def other_reasons(report):
    """Returns the reasons of the gate that are about neither a cause nor the baseline."""
    return [reason for reason in report["gate"]["reasons"] if not OF_CAUSE.match(reason) and not OF_BASELINE.match(reason)]


# ---- the reports of a night as one ----


def add_counts(one, other, *keys):
    """Adds counts; a count that a double cannot represent is a string."""
    for key in keys:
        total = int(one[key]) + int(other[key])
        one[key] = total if total <= MAX_COUNT else str(total)


def add_cause(cause, other):
    """Adds the same cause of another report. Its smallest descriptor stays, with everything that belongs to it."""
    add_counts(cause, other, "count")
    for key, most in (("routes", MAX_ROUTES), ("findings", MAX_FINDINGS)):
        cause[key] = list(dict.fromkeys([*cause[key], *other[key]]))[:most]
    if len(json.dumps(other["descriptor"])) < len(json.dumps(cause["descriptor"])):
        for key in ("descriptor", "difference", "replay", "drawing", "script", "error", "evidence"):
            cause[key] = other[key]
    cause["severity"] = "defect" if "defect" in (cause["severity"], other["severity"]) else cause["severity"]
    cause["status"] = next(status for status in ("new", "known", "flaky") if status in (cause["status"], other["status"]))


def gather(lists, key, add):
    """Returns copies of the items of several lists, of which those with the same key are added up."""
    items = {}
    for item in (item for one in lists for item in one):
        name = key(item)
        if name in items:
            add(items[name], item)
        else:
            items[name] = dict(item)
    return list(items.values())


def causes_of(reports):
    return gather([report["causes"] for report in reports], lambda cause: cause["id"], add_cause)


def merge(reports):
    """Returns one report with the causes, findings and work of all; everything else is that of the first. Findings past the
    limit of a report, and causes without findings, are left out."""
    findings = gather(
        [report["findings"] for report in reports],
        lambda one: one["signature"],
        lambda one, other: add_counts(one, other, "count"),
    )[:MAX_FINDINGS]
    kept, causes = {(one["cause"], one["signature"]) for one in findings}, []
    for cause in causes_of(reports):
        cause["findings"] = [signature for signature in cause["findings"] if (cause["id"], signature) in kept]
        causes += [cause] if cause["findings"] else []
    work = dict(reports[0]["work"])
    for report in reports[1:]:
        add_counts(work, report["work"], "cases", "comparisons", "faults")
    work["cells"] = gather(
        [report["work"]["cells"] for report in reports],
        lambda cell: (cell["route"], cell["property"]),
        lambda one, other: add_counts(one, other, "pass", "diverges", "rejects", "unsupported"),
    )
    targets = gather([report["targets"] for report in reports], lambda target: target["name"], lambda one, other: None)[:MAX_TARGETS]
    return dict(reports[0], causes=causes, findings=findings, work=work, targets=targets)


# ---- the verdict ----


class Verdict:
    """The reasons against a night, and the ids of its new causes."""

    def __init__(self, release):
        self.release, self.reasons, self.new = release, [], set()

    def add(self, code, reason):
        if (code, flat(reason)) not in self.reasons:
            self.reasons.append((code, flat(reason)))

    @property
    def code(self):
        found = {code for code, _ in self.reasons} | ({1} if self.new else set())
        return next((code for code in ORDER if code in found), 0)

    def text_of(self, code):
        reasons = [reason for other, reason in self.reasons if other == code]
        more = "; and %d more" % (len(reasons) - 1) if len(reasons) > 1 else ""
        if code == 1:
            since = " since %s" % self.release if self.release.day else " (no last release: %s)" % self.release.lack
            count = plural(len(self.new), "new cause") + since if self.new else ""
            return ", ".join(filter(None, [count, reasons[0] + more if reasons else ""]))
        head = {3: "ndproof failed: ", 2: "ndproof failed: ", 4: "stale baseline: ", 5: "too little work: ", 6: "only flaky findings: "}[code]
        if code == 6 and self.code != 6:
            head = "flaky findings: "
        return head + reasons[0] + more

    def line(self, known):
        """Returns the first line of a night. Red is for a new cause, a failure of ndproof, or too little work."""
        if self.code == 0:
            since = " since %s" % self.release if self.release.day else ""
            return "GREEN: no new cause%s; %s known" % (since, plural(known, "cause is", "causes are"))
        found = {code for code, _ in self.reasons} | ({1} if self.new else set())
        colour = "RED" if found & {1, 2, 3, 5} else "YELLOW"
        return "%s: %s" % (colour, "; ".join(self.text_of(code) for code in ORDER if code in found))

    def gate(self):
        """Returns the member `gate` of the report of a night."""
        reasons = [plural(len(self.new), "new cause")] if self.new else []
        reasons += [reason for code in ORDER for other, reason in self.reasons if other == code]
        return {"status": STATUS[self.code], "exit_code": self.code, "reasons": reasons[:MAX_REASONS]}


# ---- the text ----


def cause_line(cause, history):
    """The title ends with the error without values; its original text replaces it."""
    seen, title = history.of(cause["id"]), cause["title"]
    if cause["error"] and cause["kind"] == "DIVERGES":
        title = "%s: %s" % (title.partition(": ")[0], cause["error"])
    words = [
        "  %s %s: %s" % (cause["id"], cause["library"], flat(title)),
        "%s, %s" % (plural(len(cause["routes"]), "route"), plural(int(cause["count"]), "time")),
        "first seen %s, %s" % (seen["first_seen"], plural(seen["nights"], "night")),
        flat(cause["replay"] if isinstance(cause["replay"], str) else "", 1000),
    ]
    return "; ".join(word for word in words if word)


def in_order(causes):
    """Crashes first, then wrong results, then refusals."""
    return sorted(causes, key=lambda cause: (cause["kind"] == "DIVERGES", cause["direction"] != "", cause["library"], cause["title"], cause["id"]))


def section(head, lines):
    yield head
    yield from lines[:MAX_LINES]
    if len(lines) > MAX_LINES:
        yield "  and %d more; the page and reports/nightly.json list all" % (len(lines) - MAX_LINES)


def describe(verdict, causes, history, day, accepted, untested):
    """Yields the lines between the verdict and the path of the page. `accepted`: ids of causes in the baseline; `untested`: texts."""
    lines = lambda some: [cause_line(cause, history) for cause in in_order(some)]  # noqa: E731
    defects = [cause for cause in causes if cause["severity"] == "defect"]
    firm = [cause for cause in defects if cause["status"] != "flaky"]
    tonight = [cause for cause in firm if history.of(cause["id"])["first_seen"] == day]
    before = history.night_before(day)
    last = "the last night was that of %s" % before if before else "this is the first night of the record"
    yield from section("new since yesterday: %s (%s)" % (plural(len(tonight), "cause"), last), lines(tonight))
    new = [cause for cause in firm if cause["id"] in verdict.new]
    rest = [cause for cause in new if cause not in tonight]
    above = "; %d listed above" % (len(new) - len(rest)) if len(new) > len(rest) else ""
    release = "the release of %s" % verdict.release if verdict.release.day else "no release: %s" % verdict.release.lack
    yield from section("new since the release: %s (%s%s)" % (plural(len(new), "cause"), release, above), lines(rest))
    known = [cause for cause in firm if cause["id"] not in verdict.new]
    old = [cause for cause in known if cause["id"] not in accepted]
    yield from section("known before the release, not in the baseline: %s" % plural(len(old), "cause"), lines(old))
    rest = [cause for cause in known if cause["id"] in accepted]
    yield from section("known, accepted in the baseline: %s" % plural(len(rest), "cause"), lines(rest))
    flaky = [cause for cause in defects if cause["status"] == "flaky"]
    yield from section("flaky, not seen again when repeated: %s" % plural(len(flaky), "cause"), lines(flaky)) if flaky else ()
    yield "not defects: %s" % plural(len(causes) - len(defects), "documented loss or hazard", "documented losses and hazards")
    seen = {cause["id"] for cause in causes}
    yield "not generated in this night: %s of earlier nights" % plural(len(history.causes.keys() - seen), "cause")
    for code, word in ((3, "failed"), (2, "failed"), (1, "new"), (4, "stale baseline"), (5, "too little work")):
        yield from ("%s: %s" % (word, reason) for other, reason in verdict.reasons if other == code)
    yield from section("not tested: %s" % plural(len(untested), "item"), ["  " + text for text in untested])
