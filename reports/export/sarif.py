"""SARIF 2.1.0 for code scanning: a rule is a property, a result is a cause.

A result is located at the file of its smallest descriptor, because viewers require a file. It carries the id of the
cause as its fingerprint, so that a viewer recognises it in the next run. An accepted cause is suppressed.
"""

import json
import os
import pathlib
import urllib.parse

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
LEVELS = {"defect": "error", "hazard": "warning", "documented-loss": "note"}
DEATH_HELP = {
    "crash": "No input ends the process of a library.",
    "timeout": "A library ends each case within its time limit.",
    "oom": "A library uses memory in proportion to its input.",
    "hazard": "A danger that the library documents.",
}
HOW_TO_ACT = (
    "Replay the case with the command of the result. If the library is wrong, report it upstream and accept the cause with the link. "
    "If the library documents the behaviour, the contract lacks a row. reports/README.md describes both."
)


def uri(path):
    """A file as a URI, relative to the current folder if it is below it, as code scanning requires."""
    absolute = pathlib.Path(os.path.abspath(path))
    try:
        return urllib.parse.quote(absolute.relative_to(pathlib.Path.cwd()).as_posix())
    except ValueError:
        return absolute.as_uri()


def file_of(cause, report):
    """The file that the replay command names, else the report."""
    last = cause.replay.split()[-1:]
    return uri(last[0] if last and last[0].endswith(".json") else report.path)


def plain(text):
    """Text without the links "[text](target)" that SARIF defines in messages."""
    return text.replace("](", "]\\(")


def rule(name, statements):
    statement = statements.get(name) or DEATH_HELP.get(name) or "The property %s of ndproof." % name
    return {
        "id": name,
        "shortDescription": {"text": plain(statement)},
        "fullDescription": {"text": plain(statement)},
        "help": {"text": plain(statement + "\n\n" + HOW_TO_ACT), "markdown": plain(statement + "\n\n" + HOW_TO_ACT)},
        "defaultConfiguration": {"level": "error"},
        "properties": {"tags": ["serialization"]},
    }


def message(cause):
    lines = [cause.headline + "."]
    lines += ["%s: expected %s, got %s." % (row["path"], row["expected"] or "nothing", row["got"] or "nothing") for row in cause.difference[:3]]
    lines += ["Error: " + cause.error] if cause.error else []
    lines += [cause.evidence] if cause.evidence else []
    lines += ["Routes: " + ", ".join(route.text for route in cause.routes[:8]) + (", and %d more." % (len(cause.routes) - 8) if len(cause.routes) > 8 else ".")]
    lines += ["Replay: " + cause.replay] if cause.replay else []
    return plain("\n".join(lines))


def result(cause, report, index):
    is_accepted = cause.status == "known"
    level = LEVELS.get(cause.severity, "warning")
    return {
        "ruleId": cause.rule,
        "ruleIndex": index,
        "kind": "fail",
        "level": "warning" if level == "error" and cause.status == "flaky" else level,
        "message": {"text": message(cause)},
        "locations": [
            {
                "physicalLocation": {"artifactLocation": {"uri": file_of(cause, report)}, "region": {"startLine": 1}},
                "logicalLocations": [{"name": cause.library or "unknown", "kind": "module"}],
            }
        ],
        "partialFingerprints": {"ndproofCause/v1": cause.id},
        "baselineState": "unchanged" if is_accepted else "new",
        # SARIF requires this array of every result if one result has it.
        "suppressions": [{"kind": "external", "status": "accepted", "justification": "accepted in %s" % (report.baseline_file or "the baseline")}] if is_accepted else [],
        "occurrenceCount": max(1, min(cause.count, 2**31 - 1)),
        "properties": {key: getattr(cause, key) for key in ("key", "severity", "status", "field", "direction", "first_case")} | {"routes": [route.text for route in cause.routes]},
    }


def render(report, statements):
    names = sorted({cause.rule for cause in report.causes} | set(report.properties))
    index = {name: place for place, name in enumerate(names)}
    notes = ["%s %s was not tested%s: %s" % (row["kind"], row["name"], ", although it was expected" if row["expected"] else "", row["reason"]) for row in report.untested]
    invocation = {
        "executionSuccessful": report.exit_code not in (2, 3),
        "exitCode": report.exit_code,
        "exitCodeDescription": report.verdict,
        "arguments": report.run["argv"],
        "startTimeUtc": report.run["started"],
        "toolExecutionNotifications": [{"level": "warning", "message": {"text": plain(text)}} for text in notes],
    }
    if report.run["ended"]:
        invocation["endTimeUtc"] = report.run["ended"]
    driver = {"name": "ndproof", "version": report.tool["version"], "rules": [rule(name, statements) for name in names]}
    run = {
        "tool": {"driver": driver},
        "invocations": [invocation],
        "columnKind": "unicodeCodePoints",
        "results": [result(cause, report, index[cause.rule]) for cause in report.causes],
        "properties": {"verdict": report.verdict, "cases": report.cases, "comparisons": report.comparisons},
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1, ensure_ascii=False)
