"""Writes a report of ndproof as a page, Markdown, JUnit XML, SARIF or CTRF; `ndproof export` runs this program.

usage: export REPORT [--html FILE] [--markdown FILE] [--junit FILE] [--sarif FILE] [--ctrf FILE] [--statement NAME=TEXT]...

The JSON report is the only input; a statement is the sentence of a property, for the help of SARIF rules. A file is
replaced as a whole or not at all. On GitHub, the summary of the step and the annotations are written as well.
Exit codes: 0; 2 for a report that cannot be used, or no output; 3 if a file or package is missing.
"""

import argparse
import os
import sys
import tempfile

import ctrf
import github
import junit
import report as arranged
import sarif

FORMATS = ("html", "markdown", "junit", "sarif", "ctrf")
USAGE, FAULT = 2, 3
NO_JINJA = "ndproof: export: the page and Markdown need the Python package Jinja2, which %s does not have; 'make setup' installs it"


def read_options(words):
    parser = argparse.ArgumentParser(prog="export", allow_abbrev=False)
    parser.add_argument("report")
    for name in FORMATS:
        parser.add_argument("--" + name, metavar="FILE")
    parser.add_argument("--statement", action="append", default=[], metavar="NAME=TEXT")
    return parser.parse_args(words)


def write(path, text):
    """Replaces the file as a whole. Its permissions are those of a new file."""
    folder = os.path.dirname(os.path.abspath(path))
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", newline="\n", dir=folder, prefix=".export-", delete=False) as file:
        try:
            file.write(text)
            file.flush()
            mask = os.umask(0)
            os.umask(mask)
            os.chmod(file.name, 0o666 & ~mask)
            os.replace(file.name, path)
        except BaseException:
            os.unlink(file.name)
            raise


def render(name, report, statements):
    if name in ("html", "markdown"):
        import page

        return page.html(report) if name == "html" else page.markdown(report)
    return {"junit": junit.render, "ctrf": ctrf.render}[name](report) if name != "sarif" else sarif.render(report, statements)


def write_for_github(report):
    """Writes what the environment variables of a job request."""
    if os.environ.get("GITHUB_ACTIONS") == "true":
        for line in github.annotations(report):
            print(line)
    summary = os.environ.get("GITHUB_STEP_SUMMARY")
    if summary and not github.append_summary(summary, render("markdown", report, {})):
        print("ndproof: export: the summary of the step is full, so nothing was added to it", file=sys.stderr)


def main(words):
    if sys.version_info < (3, 10):
        print("ndproof: export: it needs Python 3.10, and %s is older; 'make setup' uses $PYTHON" % sys.executable, file=sys.stderr)
        return FAULT
    options = read_options(words)
    wanted = [(name, getattr(options, name)) for name in FORMATS if getattr(options, name) is not None]
    if not wanted:
        print("ndproof: export: no output was named; name at least one of " + ", ".join("--" + name for name in FORMATS), file=sys.stderr)
        return USAGE
    try:
        report = arranged.read(options.report)
    except arranged.BadReport as reason:
        print("ndproof: %s: %s" % (options.report, reason), file=sys.stderr)
        return USAGE
    statements = dict(statement.partition("=")[::2] for statement in options.statement)
    path = options.report
    try:
        # All are rendered before the first is written.
        texts = [(path, render(name, report, statements)) for name, path in wanted]
        for path, text in texts:
            write(path, text)
        path = "the summary of the step"
        write_for_github(report)
    except ModuleNotFoundError as error:
        if error.name not in ("jinja2", "markupsafe"):
            raise
        print(NO_JINJA % sys.executable, file=sys.stderr)
        return FAULT
    except OSError as error:
        print("ndproof: cannot write %s (%s)" % (path, error.strerror), file=sys.stderr)
        return FAULT
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
