"""A report as a list of checks, for JUnit and CTRF.

- The verdict of the gate is one check, so that a file has a failure exactly if the gate fails.
- A cause is one check: failed if it gates, skipped with the reason if it is accepted, documented or a hazard.
- A route and a property are one check: passed if at least one case was judged and none broke the promise, apart from
  documented losses. If a cause already states the difference, the check is left out. Cases that were only refused or
  unsupported were not compared, so their check is skipped.
- Everything that was not tested is one skipped check.
"""

import dataclasses

from report import plural


@dataclasses.dataclass
class Check:
    suite: str
    place: str  # class name of JUnit
    name: str
    status: str  # passed, failed, skipped
    kind: str  # the finer word of ndproof: DIVERGES, documented-loss, unsupported, ...
    message: str = ""
    text: str = ""
    script: str = ""
    ident: str = ""
    tags: tuple = ()


def of_report(report):
    yield of_verdict(report)
    for cause in report.causes:
        yield of_cause(cause)
    for route, row in report.cells.items():
        for name, cell in row.items():
            check = of_cell(report, route, name, cell)
            if check:
                yield check
    for row in report.untested:
        wanted = "expected, but " if row["expected"] else ""
        yield Check("not tested", row["kind"], row["name"], "skipped", "untested", wanted + "not tested: " + row["reason"], ident="untested|%s|%s" % (row["kind"], row["name"]))


def of_verdict(report):
    status = "failed" if report.exit_code else "passed"
    return Check("verdict", "gate", "gate", status, report.status, report.verdict, "\n".join(report.reasons), ident="gate")


def of_cause(cause):
    if cause.is_gating:
        status, message = "failed", cause.headline
    elif cause.is_defect:
        status, message = "skipped", "accepted in the baseline: " + cause.headline
    else:
        status, message = "skipped", "%s: %s" % (cause.severity, cause.headline)
    place = "causes.%s" % (cause.library or "unknown")
    name = "%s %s" % (cause.id, cause.headline)
    kind = cause.status if cause.status == "flaky" else cause.kind if cause.is_defect else cause.severity
    tags = (cause.kind, cause.severity, cause.status, cause.library)
    return Check("causes", place, name, status, kind, message, describe(cause), cause.script, cause.id, tags)


def of_cell(report, route, name, cell):
    suite = "%s %s" % (route.ends, route.form)
    head = dict(suite=suite, place="%s.%s" % (route.form, route.ends), name="%s %s" % (name, route.text), ident="%s|%s" % (route.text, name))
    causes = report.causes_of(route, name) if cell.diverges else []
    ids = ", ".join(cause.id for cause in causes)
    if cell.diverges and not cell.is_defect:
        return Check(status="passed", kind="documented-loss", text="documented losses in %d of %d cases: %s" % (cell.diverges, cell.judged, ids), **head)
    if any(cause.is_gating for cause in causes):
        return None
    if cell.diverges:
        why = "accepted in the baseline: %s" % ids if causes else "the report lists no cause"
        return Check(status="skipped", kind="differs", message="%d of %d cases differ; %s" % (cell.diverges, cell.judged, why), **head)
    if cell.passed:
        return Check(status="passed", kind="pass", text="%s judged, %d refused as allowed, %d unsupported" % (plural(cell.judged, "case"), cell.rejects, cell.unsupported), **head)
    if cell.rejects:
        return Check(status="skipped", kind="refused", message="not compared: all %s were refused, as allowed" % plural(cell.rejects, "case"), **head)
    return Check(status="skipped", kind="unsupported", message="not compared: the target supports none of %s" % plural(cell.unsupported, "case"), **head)


def describe(cause):
    """Everything about a cause that a reader of a log needs, as lines of text."""
    lines = ["%s %s %s, %s, %s" % (cause.status, cause.severity, cause.kind, cause.library, cause.rule)]
    lines += ["seen in %s" % plural(cause.count, "case") + " on " + plural(len(cause.routes), "route") + ":"]
    lines += ["  " + route.text for route in cause.routes]
    for row in cause.difference:
        lines += ["%s: expected %s, got %s" % (row["path"], row["expected"] or "nothing", row["got"] or "nothing")]
    if cause.error:
        lines += ["error: " + cause.error]
    if cause.evidence:
        lines += ["evidence: " + cause.evidence]
    if cause.replay:
        lines += ["replay: " + cause.replay]
    return "\n".join(lines)
