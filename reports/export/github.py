"""The summary and the annotations of a job on GitHub, written if the environment variables of a job are there.

Formats: the documentation of GitHub, "Workflow commands for GitHub Actions". A step shows ten annotations of a kind.
"""

import os

from report import plural

SHOWN = 10
SUMMARY_BYTES = 1 << 20


def data(text):
    """The text of a workflow command."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def value(text):
    """The value of a property of a workflow command."""
    return data(text).replace(":", "%3A").replace(",", "%2C")


def annotations(report):
    """Yields workflow commands: new causes, or the verdict if the gate fails without one; then what was not tested."""
    new = [("error", cause.headline, annotation_text(cause)) for cause in report.causes if cause.is_gating]
    if report.exit_code and not new:
        new = [("error", report.verdict, "\n".join(report.reasons) or report.status)]
    untested = [("warning", "not tested: %s %s" % (row["kind"], row["name"]), row["reason"] or "no reason was given") for row in report.untested]
    for kind, title, rows in (("error", "more causes", new), ("warning", "more that was not tested", untested)):
        if len(rows) > SHOWN:
            left = len(rows) - SHOWN + 1
            rows = rows[: SHOWN - 1] + [(kind, title, "%s not shown here; the summary of the job lists all" % plural(left, "entry is", "entries are"))]
        for word, head, text in rows:
            yield "::%s title=%s::%s" % (word, value(" ".join(head.split())), data(text))


def annotation_text(cause):
    lines = ["%s, %s, on %s, in %s" % (cause.library, cause.rule, plural(len(cause.routes), "route"), plural(cause.count, "case"))]
    lines += ["%s: expected %s, got %s" % (row["path"], row["expected"] or "nothing", row["got"] or "nothing") for row in cause.difference[:1]]
    lines += [text for text in (cause.error, cause.replay) if text]
    return "\n".join(lines)


def append_summary(path, text):
    """Appends to the summary of the step, which may have other content; all of it must be less than 1 MiB."""
    there = os.path.getsize(path) if os.path.exists(path) else 0
    if there + len(text.encode()) + 2 > SUMMARY_BYTES:
        return False
    with open(path, "a", encoding="utf-8") as file:
        file.write("\n" + text + "\n")
    return True
