"""A report in the Common Test Report Format (CTRF), with the same checks as JUnit."""

import datetime
import json
import uuid

import checks


def milliseconds(time):
    """Since 1970, of a time of the report; 0 for a run that has not ended."""
    if not time:
        return 0
    return int(datetime.datetime.strptime(time, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=datetime.timezone.utc).timestamp() * 1000)


def of_check(check):
    test = {"name": check.name, "status": check.status, "duration": 0, "rawStatus": check.kind, "suite": [check.suite], "testId": check.ident}
    texts = {"message": check.message, "trace": check.text if check.status == "failed" else "", "snippet": check.script}
    test.update({key: text for key, text in texts.items() if text})
    if check.tags:
        test["tags"] = list(dict.fromkeys(filter(None, check.tags)))
    return test


def render(report):
    tests = [of_check(check) for check in checks.of_report(report)]
    count = {status: sum(test["status"] == status for test in tests) for status in ("passed", "failed", "skipped")}
    start = milliseconds(report.run["started"])
    stop = milliseconds(report.run["ended"]) or start
    name = "ndproof %s %s %s" % (report.run["seed"], report.run["started"], report.tool["commit"])
    return json.dumps(
        {
            "reportFormat": "CTRF",
            "specVersion": "0.0.0",
            "reportId": str(uuid.uuid5(uuid.NAMESPACE_OID, name)),
            "timestamp": report.run["ended"] or report.run["started"],
            "generatedBy": "ndproof export",
            "results": {
                "tool": {"name": "ndproof", "version": report.tool["version"]},
                "summary": {"tests": len(tests), **count, "pending": 0, "other": 0, "suites": len({test["suite"][0] for test in tests}), "start": start, "stop": stop},
                "tests": tests,
                "environment": {"appName": "ndproof", "appVersion": report.tool["version"], "commit": report.tool["commit"], "extra": {"targets": report.targets, "seed": report.run["seed"], "verdict": report.verdict}},
            },
        },
        indent=1,
        ensure_ascii=False,
    )
