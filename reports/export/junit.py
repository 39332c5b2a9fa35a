"""JUnit XML, in the form of the schema of Jenkins, which GitLab, GitHub actions and test viewers read as well.

The schema knows no attributes of <skipped>, so the reason is its text.
"""

import xml.etree.ElementTree as ElementTree

import checks


def render(report):
    suites = {}
    for check in checks.of_report(report):
        suites.setdefault(check.suite, []).append(check)
    root = ElementTree.Element("testsuites", name="ndproof")
    total = {"tests": 0, "failures": 0}
    for name, members in suites.items():
        counts = {
            "tests": len(members),
            "failures": sum(check.status == "failed" for check in members),
            "skipped": sum(check.status == "skipped" for check in members),
        }
        words = {key: str(count) for key, count in counts.items()}
        suite = ElementTree.SubElement(root, "testsuite", name=name, errors="0", timestamp=report.run["started"].rstrip("Z"), **words)
        for check in members:
            add_case(suite, check)
        for key in total:
            total[key] += counts[key]
    root.attrib.update({key: str(count) for key, count in total.items()}, errors="0")
    ElementTree.indent(root, " ")
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=False).join(['<?xml version="1.0" encoding="UTF-8"?>\n', "\n"])


def add_case(suite, check):
    case = ElementTree.SubElement(suite, "testcase", classname=check.place, name=check.name)
    if check.status == "skipped":
        ElementTree.SubElement(case, "skipped").text = "\n".join(filter(None, (check.message, check.text)))
    elif check.status == "failed":
        ElementTree.SubElement(case, "failure", type=check.kind, message=check.message).text = check.text
        if check.script:
            ElementTree.SubElement(case, "system-out").text = check.script
    elif check.text:
        ElementTree.SubElement(case, "system-out").text = check.text
