"""The reports of a night: runs the judging commands, and writes the record of nights, the report, the page and the text."""

import functools
import json
import os
import pathlib
import re
import subprocess
import sys
import time

import fuzz
from history import BadInput, History, last_release, replace_file
from verdict import (
    MAX_FINDINGS,
    MAX_UNTESTED,
    Verdict,
    baseline_with,
    causes_of,
    describe,
    entry_name,
    flat,
    is_accepted,
    is_new_defect,
    known_before,
    merge,
    other_reasons,
    plural,
)

BASELINE, REPORT = "reports/baseline.json", "reports/nightly.json"


def say(text):
    """Prints progress."""
    print(text, file=sys.stderr, flush=True)
    if os.path.isdir("build/nightly"):
        with open("build/nightly/progress.log", "a") as log:
            log.write(text + "\n")


class Night:
    """The reports of a night, and their verdict against the baseline, the last release and earlier nights."""

    def __init__(self):
        self.day = time.strftime("%Y-%m-%d", time.gmtime())
        self.history = History(os.environ.get("HISTORY") or "reports/history.json")
        self.release = last_release(os.environ.get("RELEASED", ""))
        self.entries = read_entries()
        self.verdict, self.reports, self.not_run = Verdict(self.release), [], []

    def judge(self, command, options, path, log):
        """Runs a judging command of ndproof and adds its report. Returns its exit code and its report, None without one."""
        code = fuzz.run(["build/ndproof", command, *options, *trust(command), "--report", path, *named_baseline()], log)
        report = read_report(path)
        if fuzz.is_cut.is_set() and code < 0:
            return code, report
        if report is None or code not in range(7) or code in (2, 3):
            reasons = other_reasons(report) if report and code == 3 else []
            why = reasons[0] if reasons else complaint(log)
            self.verdict.add(2 if code == 2 else 3, "%s ended with code %d: %s (%s)" % (command, code, why, log))
        if report is not None:
            self.add_report(command, report, path, code, log)
        return code, report

    def add_report(self, command, report, path, code, log):
        """Adds the causes of a report, and the reasons against it."""
        known = {cause["id"] for cause in known_before(report, self.history, self.release)}
        work = [reason for reason in other_reasons(report) if not reason.startswith("new: ")] if code in (1, 4, 5) else []
        # Only the sweep judges entries of the baseline: the libraries of fuzz targets may have other versions.
        if code == 1 and known or code == 4 and command != "sweep":
            code = self.judge_again(report, path, known, log)
        for one in (*report["causes"], *report["findings"]):
            if one["status"] == "new" and one.get("id", one.get("cause")) in known:
                one["status"] = "known"
        new = {cause["id"] for cause in report["causes"] if is_new_defect(cause)}
        self.verdict.new |= new
        if len(report["findings"]) >= MAX_FINDINGS:
            self.verdict.add(1, "%s is full: it has %d findings, and further ones were dropped" % (path, MAX_FINDINGS))
        elif code == 1 and not new:
            self.verdict.add(1, "%s ended with code 1 (%s)" % (command, log))
        for reason in work or (["see " + log] if code == 5 else []):
            self.verdict.add(5, "%s: %s" % (command, reason))
        if command == "sweep":
            self.add_entries(report["baseline"]["stale"], "fixed, remove it from the baseline")
            self.add_entries(report["baseline"]["expired"], "past the last day of its acceptance")
        self.reports.insert(0 if command == "sweep" else len(self.reports), report)

    def add_entries(self, names, text):
        titles = {entry_name(entry): entry.get("title", "") for entry in self.entries}
        for name in names:
            self.verdict.add(4, "%s: %s %s" % (text, name, titles.get(name, "")))

    def judge_again(self, report, path, known, log):
        """Returns the exit code that the report has if the causes `known` do not gate."""
        causes = [cause for cause in report["causes"] if cause["id"] in known]
        replace_file("build/nightly/known.json", json.dumps(baseline_with(self.entries, report, causes, self.release)))
        code = fuzz.run(["build/ndproof", "gate", path, "--baseline", "build/nightly/known.json"], log)
        if code not in (0, 1, 4, 5, 6):
            self.verdict.add(3, "gate ended with code %d: %s (%s)" % (code, complaint(log), log))
        return code

    def untested(self):
        """Returns what the night did not test: rows for its report, and texts, which also have what a run did not have to
        test."""
        report = self.reports[0] if self.reports else {"untested": [], "targets": [], "baseline": {"untested": []}}
        rows = [*report["untested"], *({"kind": "target", "name": name, "reason": lack, "expected": False, "allowed": False} for name, lack in self.not_run)]
        texts = ["%s %s: %s%s" % (row["kind"], row["name"], flat(row["reason"]), self.note_of(row)) for row in rows]
        names = {(row["kind"], row["name"]) for row in rows}
        missing = [("target", one["name"], one["unavailable"]) for one in report["targets"] if "unavailable" in one]
        missing += [("baseline", name, "not generated in this run, and not replayed") for name in report["baseline"]["untested"]]
        texts += ["%s %s: %s (not expected)" % (kind, name, flat(reason)) for kind, name, reason in missing if (kind, name) not in names]
        return rows[:MAX_UNTESTED], texts

    @staticmethod
    def note_of(row):
        return " (allowed)" if row["allowed"] else "" if row["expected"] else " (not expected)"

    def finish(self, rows):
        """Writes the record, the report and the page, and prints the verdict. Returns the exit code."""
        causes = causes_of(self.reports)
        self.history.note(causes, self.day)
        flaky = [cause for cause in causes if cause["severity"] == "defect" and cause["status"] == "flaky"]
        if flaky:
            self.verdict.add(6, "%s did not show again when repeated" % plural(len(flaky), "cause"))
        try:
            self.history.save()
        except OSError as error:
            self.verdict.add(3, "cannot write the record of earlier nights %s: %s" % (self.history.path, error.strerror))
        rows_untested, texts = self.untested()
        page = "not written: no command of this night wrote a report"
        if self.reports:
            self.write_report(rows, rows_untested)
            page = write_page()
        accepted = {cause["id"] for cause in causes if is_accepted(cause, self.entries)}
        known = [cause for cause in causes if cause["severity"] == "defect" and cause["status"] == "known"]
        line = self.verdict.line(len(known))
        lines = [line, *describe(self.verdict, causes, self.history, self.day, accepted, texts), "page: " + page, line]
        pathlib.Path("reports/nightly.txt").write_text("\n".join(lines) + "\n")
        print("\n".join(lines), flush=True)
        return self.verdict.code

    def write_report(self, rows, untested):
        """Writes all reports as one: that of the sweep, if there is one, with the causes of the others."""
        whole = dict(merge(self.reports), fuzzing=rows, untested=untested, gate=self.verdict.gate())
        for cause in whole["causes"]:
            cause["history"] = self.history.of(cause["id"])
        replace_file(REPORT, json.dumps(whole, indent=1))


def complaint(log):
    """Returns the last message of ndproof on stderr, or else the last line."""
    lines = fuzz.last_lines(log, 1000).splitlines()
    return flat(next((line for line in reversed(lines) if re.match(r"ndproof( \w+)?: ", line)), lines[-1] if lines else "it printed nothing"))


def read_report(path):
    """Returns a report; None if there is none."""
    try:
        return json.loads(pathlib.Path(path).read_text())
    except (OSError, ValueError):
        return None


def read_entries():
    """Returns the entries of the baseline, which ndproof checks further."""
    if not os.path.exists(BASELINE):
        return []
    try:
        whole = json.loads(pathlib.Path(BASELINE).read_text())
        if whole["schema"] != 2:
            raise ValueError("expected schema 2, got %s" % whole["schema"])
        return [entry for entry in whole["entries"] if entry_name(entry)]
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadInput("cannot read the baseline %s: %s" % (BASELINE, error))


def named_baseline():
    return ["--baseline", BASELINE] if os.path.exists(BASELINE) else []


@functools.cache
def help_of(command):
    """Returns the help of a command of ndproof; "" if it does not exist."""
    shown = subprocess.run(["build/ndproof", command, "--help"], capture_output=True, text=True)
    return shown.stdout if shown.returncode == 0 else ""


def trust(command):
    """Inputs of the fuzz targets are our own, so libraries that run code when they read may read them."""
    return ["--trust"] if command == "import" and "--trust" in help_of(command) else []


def write_page():
    """Writes the page of the report; returns its path, or why there is none. On GitHub, export also writes the summary of
    the step, and prints annotations."""
    page, text = "reports/nightly.html", "reports/nightly.md"
    if not help_of("export"):
        return "not written: this ndproof has no command export; the report is " + REPORT
    done = subprocess.run(["build/ndproof", "export", REPORT, "--html", page, "--markdown", text], capture_output=True, text=True)
    say(done.stderr.rstrip() or "export: exit code %d" % done.returncode)
    print("".join(line + "\n" for line in done.stdout.splitlines() if line.startswith("::")), end="", file=sys.stderr, flush=True)
    return page if done.returncode == 0 else "not written: %s; the report is %s" % (flat(done.stderr) or "export failed", REPORT)
