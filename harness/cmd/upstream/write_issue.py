"""Writes the text of a report to a library's maintainers: ndproof issue FINDING [--env NAME | --python PATH | --config FILE].

Called by ndproof with the path of its program. Standard output is Markdown. The finding is replayed, its script runs under the
same interpreter, and the stored result of `ndproof bisect` gives the affected releases. Exit codes: 0 written, 2 wrong usage,
3 failure, 5 the finding does not show, so that there is nothing to report.
"""

import argparse
import ast
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import evidence
import finding as findings
from environments import store_of
from stored import answers

WRITTEN, USAGE, FAILURE, NOTHING = 0, 2, 3, 5
# A defect that depends on threads does not show in every run.
RUNS = 5
RUN_S = 120
# Longer descriptions are left out; without a script, the description is the only way to repeat the case.
MAX_DESCRIPTOR, MAX_DESCRIPTOR_ALONE = 600, 4000
# Libraries that have releases on PyPI.
PACKAGES = ("numpy", "joblib", "cloudpickle", "dill", "multiprocess", "numba", "astropy", "lz4")
VERSIONS = """
import importlib, json, platform, sys
found = {}
for name in sys.argv[1:]:
    try: found[name] = getattr(importlib.import_module(name), "__version__", "")
    except ImportError: pass
system = "%s %s" % (platform.system(), platform.machine())
print(json.dumps([found, "%s %s" % (platform.python_implementation(), platform.python_version()), system]))
"""


def fail(code, text):
    print("ndproof issue: " + text, file=sys.stderr)
    raise SystemExit(code)


def parse(argv):
    parser = argparse.ArgumentParser(prog="ndproof issue", allow_abbrev=False)
    parser.add_argument("ndproof", type=pathlib.Path)
    parser.add_argument("finding")
    for name in ("env", "python", "config", "cause"):
        parser.add_argument("--" + name, action="append", default=[])
    parser.add_argument("--trust", action="store_true")
    return parser.parse_args(argv)


def interpreter(options, tree):
    """The interpreter that a replay with these options tests first."""
    if options.python:
        return _absolute(pathlib.Path(options.python[0]))
    table = {}
    if options.config:
        path = pathlib.Path(options.config[-1])
        try:
            table = json.loads(path.read_text())["environments"]
        except (OSError, ValueError, KeyError, TypeError):
            fail(USAGE, "%s: not a configuration with environments" % path)
    name = options.env[0] if options.env else next(iter(table), "current")
    entry = table.get(name)
    word = entry.get("python") if isinstance(entry, dict) else entry
    if entry is not None and word is None:
        fail(FAILURE, "the environment %s is a command; a script needs an interpreter: --python PATH" % name)
    if word is not None:
        near = pathlib.Path(options.config[-1]).parent / word
        return _absolute(near) if near.exists() else word
    folders = ("build/env/" + name, "build/venv") if name == "current" else ("build/env/" + name,)
    paths = [tree / folder / "bin/python3" for folder in folders]
    return str(next((path for path in paths if path.exists()), "python3"))


def _absolute(path):
    """The path for a script that runs in another folder. The name of a program, and links of environments, stay."""
    return str(path) if len(path.parts) == 1 else os.path.abspath(path)


def replay(options, finding, script):
    """The output of a replay that writes the script. Ends this program if the finding does not show."""
    words = [str(options.ndproof), "replay", "--script", str(script)]
    for name in ("env", "python", "config"):
        words += [word for value in getattr(options, name) for word in ("--" + name, value)]
    words += ["--trust"] * options.trust
    done = subprocess.run(words + [str(finding.path)], capture_output=True, text=True, check=False)
    divergences = evidence.parse(done.stdout)
    if re.search(r"^CHANGED ", done.stdout, re.M):
        fail(NOTHING, "%s now diverges in another way; 'ndproof replay' shows how" % options.finding)
    if done.returncode == 0 and divergences:
        fail(NOTHING, "%s: every difference is a documented loss or hazard, so there is nothing to report" % options.finding)
    if done.returncode == 0:
        fail(NOTHING, "%s does not show with these libraries; choose others with --env or --python" % options.finding)
    if not divergences:
        sys.stderr.write(done.stderr)
        code = NOTHING if done.returncode == NOTHING else FAILURE
        reason = done.stdout.strip().partition("\n")[0] or "exit code %d" % done.returncode
        fail(code, "%s: the replay gave no verdict: %s" % (options.finding, reason))
    reason = re.search(r"no script: (.*)", done.stderr)
    return divergences, reason.group(1) if reason else "no reason was given"


def signature_of(finding, script):
    """The signature of the finding, else the one that ndproof writes into the first line of the script."""
    if finding.signature or not script.exists():
        return finding.signature
    return script.read_text().splitlines()[0].lstrip("# ")


def without_header(text):
    """The script without the comments at its start, which are for readers of ndproof's reports."""
    lines = text.splitlines()
    while lines and lines[0].startswith("#"):
        del lines[0]
    return "\n".join(lines) + "\n"


def run_script(python, text, folder):
    """The output of the script, and how it ended. Repeats a run that does not show the defect."""
    path = folder / "script.py"
    path.write_text(text)
    for _ in range(RUNS):
        try:
            done = subprocess.run([python, path.name], cwd=folder, capture_output=True, text=True, timeout=RUN_S, check=False)
        except subprocess.TimeoutExpired:
            return "", "did not end within %d s" % RUN_S
        except OSError as error:
            fail(FAILURE, "cannot run %s: %s" % (python, error.strerror))
        output = (done.stdout + done.stderr).replace(str(folder) + "/", "")
        if done.returncode < 0:
            return output, "was killed by signal %d" % -done.returncode
        if done.returncode > 0:
            return output, "ended with exit code %d" % done.returncode
    fail(FAILURE, "the script ran %d times under %s; expected that it shows the defect, got exit code 0" % (RUNS, python))


def imported(text):
    """The top-level modules that a script imports, outside of the standard library."""
    names = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module.partition(".")[0])
    return names - set(sys.stdlib_module_names)


def version_lines(python, names):
    done = subprocess.run([python, "-c", VERSIONS, *sorted(names)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        fail(FAILURE, "%s cannot print the versions of its libraries: %s" % (python, done.stderr.strip()[-200:]))
    libraries, language, system = json.loads(done.stdout)
    return ["- %s %s" % one for one in libraries.items() if one[1]] + ["- %s" % language, "- %s" % system]


def release_lines(tree, options, finding, library):
    """The affected releases, as far as a bisection found them."""
    found = [line for package, answer in answers(store_of(tree), finding) for line in _affected(package, answer)]
    if found:
        return found
    if library not in PACKAGES:
        return ["Not determined: %s is not a package whose releases could be compared." % library]
    cause = "".join(" --cause " + word for word in options.cause)
    return ["Not determined yet; `build/ndproof bisect %s%s --package %s` finds it." % (options.finding, cause, library)]


def _affected(package, answer):
    if not answer["affected"]:
        return ["None of the releases of %s that were tried shows it: %s." % (package, ", ".join(answer["tried"]))]
    lines = []
    for first, last, before, after in answer["affected"]:
        start = "%s, the oldest release that was tried, is affected" % first
        if before is not None:
            start = "%s is the first affected release (%s is not affected)" % (first, before)
        end = "so is %s, the newest one that was tried" % last
        if after is not None:
            end = "%s is the last one (%s is not affected)" % (last, after)
        lines.append("%s %s; %s." % (package, start, end))
    return lines


def happens_lines(one):
    lines = ["", "| | expected | actual |", "|---|---|---|"]
    for path, expected, got in one.changes:
        lines.append("| %s | %s | %s |" % tuple(_cell(text) for text in (path or "result", expected, got)))
    if not one.changes:
        lines = []
    promise, source = one.expectation()
    if promise:
        lines += ["", "Expected behaviour: %s." % promise.rstrip(".")]
    if source:
        lines += ["", "Why it is expected: %s." % source.rstrip(".")]
    return lines


def _cell(text):
    text = evidence.short(text, 200).replace("|", "\\|").replace("\n", " ")
    return text if "`" in text or not text else "`%s`" % text


def fenced(text, language=""):
    mark = "```" if "```" not in text else "~~~~"
    return [mark + language, *text.rstrip("\n").splitlines(), mark]


def closing_line(options, finding, has_script):
    version = subprocess.run([str(options.ndproof), "--version"], capture_output=True, text=True, check=False).stdout.strip()
    line = "Found with %s, a test harness for array serialization" % (version or "ndproof")
    text = json.dumps(finding.descriptor)
    if finding.descriptor is None or len(text) > (MAX_DESCRIPTOR if has_script else MAX_DESCRIPTOR_ALONE) or "`" in text:
        return line + "."
    return line + "; its description of this case: `%s`" % text


def compose(options, tree, finding, folder):
    """The lines of the report."""
    script = folder / "replayed.py"
    divergences, reason = replay(options, finding, script)
    one = evidence.about(divergences, signature_of(finding, script))
    python = interpreter(options, tree)
    lines = ["# " + (finding.title or one.title()), "", "## What happens", ""]
    library = "CPython" if one.library == "python" else one.library
    lines += ["%s, through %s, gives a result that differs from the expected one:" % (library, one.calls)]
    lines += happens_lines(one) + ["", "## Script", ""]
    names = {one.library, "numpy"} - {"reference", "python"}
    if script.exists():
        text = without_header(script.read_text())
        names |= imported(text)
        output, end = run_script(python, text, folder)
        lines += fenced(text, "python") + ["", "## Output", "", "The script %s:" % end, ""]
        lines += fenced(output or "(no output)")
    else:
        lines += ["No short script shows it: %s." % reason.rstrip(".")]
    lines += ["", "## Versions", ""] + version_lines(python, names)
    lines += ["", "## Affected releases", ""] + release_lines(tree, options, finding, one.library)
    return lines + ["", "---", closing_line(options, finding, script.exists())]


def main(argv):
    options = parse(argv)
    tree = pathlib.Path(__file__).resolve().parents[3]
    try:
        finding = findings.load(options.finding, options.cause)
    except findings.Unusable as error:
        fail(USAGE, str(error))
    except OSError as error:
        fail(USAGE, "%s: %s" % (options.finding, error.strerror))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(os.path.realpath(name))
        finding.write(folder)
        print("\n".join(compose(options, tree, finding, folder)))
    return WRITTEN


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        fail(FAILURE, "interrupted")
