"""`ndproof bisect` and `ndproof issue`, without a network: the index is a folder of wheels that this test writes.

The wheel `numpy` only adds the folder of the installed NumPy to the path, and the version of the wheel `faultlib` decides
whether NumPy has a planted fault."""

import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import time
import zipfile

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

ROOT = pathlib.Path(__file__).resolve().parents[2]
NDPROOF = ROOT / "build/ndproof"
CLEAN, USAGE, FAULT, VACUOUS = 0, 2, 3, 5
sys.path.append(str(pathlib.Path(__file__).with_name("upstream")))

import environments  # noqa: E402
import evidence  # noqa: E402
import finding  # noqa: E402
import releases  # noqa: E402
import search  # noqa: E402
import trial  # noqa: E402
from packaging.version import Version  # noqa: E402

# The search.

TRUTHS = st.lists(st.sampled_from([True, False, None]), min_size=1, max_size=60)


def explored(truths, samples):
    asked = []

    def ask(index):
        asked.append(index)
        return truths[index]

    known = search.explore(len(truths), ask, samples)
    assert len(asked) == len(set(asked)) and set(asked) == set(known)
    assert all(known[index] is truths[index] for index in known)
    return known


@given(TRUTHS, st.randoms(use_true_random=False))
def test_search_reports_true_boundaries(truths, source):
    samples = source.sample(range(len(truths)), source.randint(1, len(truths)))
    known = explored(truths, samples)
    for first, last, before, after in search.affected(known):
        assert truths[first] is True and truths[last] is True
        assert before is None or (truths[before] is False and set(truths[before + 1 : first]) <= {None})
        assert after is None or (truths[after] is False and set(truths[last + 1 : after]) <= {None})
    found = {truths[index] for index in samples}
    assert bool(search.affected(known)) == (True in found or (False in found and True in truths))


@given(st.integers(1, 200), st.integers(0, 200), st.integers(0, 200), st.randoms(use_true_random=False))
def test_search_finds_an_interval_with_few_questions(count, one, other, source):
    first, last = sorted((one % count, other % count))
    truths = [first <= index <= last for index in range(count)]
    samples = {0, count - 1, source.randint(first, last)}
    known = explored(truths, samples)
    before, after = first - 1 if first > 0 else None, last + 1 if last + 1 < count else None
    assert search.affected(known) == [(first, last, before, after)]
    assert len(known) <= len(samples) + 2 * count.bit_length()


def test_search_sees_a_defect_between_two_samples():
    truths = [False] * 20 + [True] + [False] * 20
    assert search.affected(explored(truths, [0, 40])) == [(20, 20, 19, 21)]
    assert search.affected(explored([None, None], [0, 1])) == []


def test_samples_are_the_last_releases_of_minor_series():
    versions = [Version(text) for text in "1.0 1.0.1 1.0.2 1.1 1.2.0 1.2.1 2.0".split()]
    assert releases.samples(versions) == [0, 2, 3, 5, 6]
    many = [Version("1.%d" % minor) for minor in range(200)]
    chosen = releases.samples(many)
    assert len(chosen) == releases.MAX_SAMPLES and chosen[0] == 0 and chosen[-1] == 199


# The verdict of a release.


class Made:
    """Environments in name only: the interpreter is the version and the set of pins."""

    package = "faultlib"

    def __init__(self, missing=()):
        self.missing = missing

    def pin_sets(self):
        return ["current", "seeds", "any"]

    def get(self, version, pin_set):
        if (str(version), pin_set) in self.missing:
            raise environments.NotInstallable("no wheel")
        return (str(version), pin_set), {"numpy": {"current": "2", "seeds": "1", "any": "0"}[pin_set]}


class Memory:
    def __init__(self):
        self.found = {}

    def get(self, version, pin_set):
        return self.found.get((version, pin_set))

    def put(self, version, pin_set, attempt):
        self.found[version, pin_set] = attempt


def tried(table, missing=(), versions=("1", "2", "3"), signature=""):
    """A trial whose replays are looked up: the broken properties, or None without a verdict. "lost" in the list of
    properties means that no value arrived, "changed" that the signature is not that of the finding."""

    def run(python):
        words = table[python]
        verdict = trial.NONE if words is None else trial.OTHER if "changed" in words else trial.SHOWS if words else trial.ABSENT
        broken = [word for word in words or () if word not in ("lost", "changed")]
        return {"verdict": verdict, "broken": broken, "arrived": "lost" not in (words or ()), "reason": ""}

    return trial.Trial([Version(text) for text in versions], Made(missing), Memory(), run, lambda text: None, signature)


@pytest.mark.parametrize("signature", ["", "DIVERGES|shape|npz|shape|numpy"])
def test_release_that_fails_otherwise_is_tried_with_older_libraries(signature):
    table = {("3", "current"): ["shape"], ("2", "current"): ["values", "lost", "changed"], ("2", "seeds"): ["shape", "flags"]}
    one = tried(table, signature=signature)
    assert [one.ask(2), one.ask(1)] == [True, True]
    assert one.results[1]["pins"] == "seeds"


@pytest.mark.parametrize("signature", ["", "DIVERGES|shape|npz|shape|numpy"])
def test_release_that_only_fails_otherwise_has_no_verdict(signature):
    lost = ["values", "lost", "changed"]
    one = tried({("3", "current"): ["shape"], ("2", "current"): lost, ("2", "seeds"): lost}, signature=signature)
    assert [one.ask(2), one.ask(1)] == [True, None]
    assert one.results[1]["verdict"] == trial.OTHER


@pytest.mark.parametrize("signature", ["", "DIVERGES|shape|npz|shape|numpy"])
def test_release_whose_value_arrives_with_another_defect_does_not_show_the_finding(signature):
    words = ["flags"] + ["changed"] * bool(signature)
    one = tried({("3", "current"): ["shape", "flags"], ("2", "current"): words}, signature=signature)
    assert [one.ask(2), one.ask(1)] == [True, False]


def test_same_property_with_another_signature_is_no_verdict():
    words = ["shape", "changed"]
    one = tried({("2", "current"): words, ("2", "seeds"): words}, signature="DIVERGES|shape|npz|shape|numpy")
    assert one.ask(1) is None
    # A death has no property that could be compared.
    one = tried({("2", "current"): words, ("2", "seeds"): words}, signature="CRASH|process|npz|signal|numpy")
    assert one.ask(1) is None


@pytest.mark.parametrize(("is_documented", "shows"), [(True, True), (False, False)])
def test_documented_loss_shows_only_a_finding_that_is_documented(is_documented, shows):
    one = tried({}, signature="DIVERGES|class|npy|attributes|numpy")
    one.is_documented = is_documented
    one.run = lambda python: {"verdict": trial.ABSENT, "broken": ["class"], "arrived": True, "reason": ""}
    assert one.ask(0) is shows


def test_any_libraries_are_the_last_resort():
    everywhere = [("2", "current"), ("2", "seeds")]
    assert tried({("2", "any"): []}, missing=everywhere).ask(1) is False
    one = tried({}, missing=everywhere + [("2", "any")])
    assert one.ask(1) is None and one.results[1]["reason"] == "not installable: no wheel"


def test_neighbour_of_affected_releases_is_repeated_with_their_libraries():
    table = {("2", "current"): None, ("2", "seeds"): ["shape"], ("1", "current"): [], ("1", "seeds"): ["shape"]}
    one = tried(table, versions=("1", "2"))
    assert [one.ask(1), one.ask(0)] == [True, False]
    assert one.equalise([(1, 1, 0, None)])
    assert one.ask(0) is True
    assert not one.equalise([(0, 1, None, None)])


def test_stored_attempts_are_reused_unless_they_had_no_verdict():
    one = tried({("1", "current"): [], ("2", "current"): None, ("2", "seeds"): None})
    assert [one.ask(0), one.ask(1)] == [False, None]
    again = tried({("2", "current"): ["shape"]})
    again.stored.found = one.stored.found
    assert [again.ask(0), again.ask(1)] == [False, True]


@pytest.mark.parametrize(
    ("code", "text", "verdict"),
    [
        (0, "FIXED case.json", trial.ABSENT),
        (0, "  class broken by numpy on npz:memory>memory, numpy\n  documented: each\nHOLDS case.json", trial.ABSENT),
        (1, "  shape broken by numpy on npz:memory>memory, numpy\nDIVERGES case.json", trial.SHOWS),
        (1, "  shape broken by numpy on npz:memory>memory, numpy\nCHANGED case.json", trial.OTHER),
        (3, "  no target here offers the route npz\nERROR case.json", trial.NONE),
        (1, "  process ended by numpy on npz:memory>memory, numpy\nDIVERGES case.json", trial.SHOWS),
        (5, "UNSUPPORTED case.json", trial.NONE),
        (0, "UNSUPPORTED case.json", trial.NONE),
    ],
)
def test_verdict_of_a_replay(tmp_path, code, text, verdict):
    program = tmp_path / "ndproof"
    program.write_text("#!/bin/sh\ncat <<'END'\n%s\nEND\nexit %d\n" % (text, code))
    program.chmod(0o755)
    attempt = trial.replay(program, "python3", [], "case.json")
    assert attempt["verdict"] == verdict
    assert attempt["arrived"] == (code != 3 and code != 5 and "UNSUPPORTED" not in text and "process" not in text)


# The file.

VALUE = {"array": {"base": {"dtype": "<i4", "shape": [2, 1], "data": {"hex": "0100000002000000"}}}}
CASE = {"ndproof": 1, "value": VALUE, "route": {"format": "npz", "encode": "memory", "decode": "memory"}}


def loaded(folder, content, *causes):
    path = folder / "file.json"
    path.write_text(json.dumps(content))
    return finding.load(path, causes)


def test_finding_of_a_file(tmp_path):
    other = dict(CASE, route={"format": "npy"})
    two = [{"signature": "one", "descriptor": CASE}, {"signature": "two", "descriptor": other}]
    causes = [{"id": "aa", "title": "A", "descriptor": CASE, "findings": ["one"]}]
    causes.append({"id": "bb", "title": "B", "descriptor": other, "findings": ["two"]})
    assert loaded(tmp_path, CASE).signature == ""
    assert loaded(tmp_path, two[1]).signature == "two" and not loaded(tmp_path, two[1]).is_documented
    assert loaded(tmp_path, dict(two[0], severity="hazard")).is_documented
    assert loaded(tmp_path, {"findings": two[:1]}).signature == "one"
    found = loaded(tmp_path, {"findings": two, "causes": causes}, "bb")
    assert (found.signature, found.title, found.descriptor) == ("two", "B", other)
    whole = {"findings": two, "causes": causes}
    for content, wanted in ((whole, ()), ({"findings": two}, ()), (whole, ("cc",))):
        with pytest.raises(finding.Unusable):
            loaded(tmp_path, content, *wanted)


def test_finding_of_another_environment_runs_in_each(tmp_path):
    ends = {"encoder": "numpy@seeds", "decoder": "numpy@seeds"}
    assert loaded(tmp_path, dict(CASE, route=dict(CASE["route"], **ends))).descriptor["route"]["encoder"] == "numpy"
    ends["decoder"] = "numpy@current"
    assert loaded(tmp_path, dict(CASE, route=dict(CASE["route"], **ends))).descriptor["route"]["encoder"] == "numpy@seeds"


def test_libraries_of_a_finding(tmp_path):
    known = {"numpy", "joblib", "numba", "lz4", "astropy", "dill"}
    assert loaded(tmp_path, CASE).libraries(known) == ["numpy"]
    parallel = dict(CASE, route={"transport": "joblib.Parallel", "backend": "loky"})
    assert loaded(tmp_path, parallel).libraries(known) == ["joblib", "numpy"]
    assert loaded(tmp_path, {"ndproof": 1, "value": {"dict": {}}}).libraries(known) == ["numba", "numpy"]
    dump = tmp_path / "a.joblib"
    dump.write_bytes(b"\x04\x22\x4d\x18")
    assert finding.load(dump).libraries(known) == ["joblib", "numpy"]


# The command, with a folder of wheels.

FAULT_CODE = """
import numpy
true_save = numpy.savez
def save(file, a): true_save(file, a=a[::-1] if a.ndim == 2 else a)
numpy.savez = save
"""
GOOD, BAD = "", FAULT_CODE
RELEASES = {"1.0": GOOD, "1.0.1": GOOD, "1.1": BAD, "1.1.1": BAD, "1.2": BAD, "1.3": GOOD, "1.4": GOOD, "2.0rc1": BAD}
LACKING = "1.2.1"  # needs a package that does not exist


def write_wheel(folder, name, version, files, needs=()):
    info = "%s-%s.dist-info/" % (name, version)
    meta = "Metadata-Version: 2.1\nName: %s\nVersion: %s\n" % (name, version)
    files = dict(files)
    files[info + "METADATA"] = meta + "".join("Requires-Dist: %s\n" % need for need in needs)
    files[info + "WHEEL"] = "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    files[info + "RECORD"] = "".join("%s,,\n" % path for path in [*files, info + "RECORD"])
    with zipfile.ZipFile(folder / ("%s-%s-py3-none-any.whl" % (name, version)), "w") as wheel:
        for path, text in files.items():
            wheel.writestr(path, text)


@pytest.fixture(scope="module")
def wheels(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheels")
    pins = environments.pins_of(ROOT / ".ci/env/current.txt")
    installed, alone = pathlib.Path(numpy.__file__).parents[1], tmp_path_factory.mktemp("numpy")
    for part in installed.glob("numpy*"):
        if not part.name.endswith(".dist-info"):
            (alone / part.name).symlink_to(part)
    write_wheel(folder, "numpy", pins["numpy"][0].partition("==")[2], {"installed_numpy.pth": "%s\n" % alone})
    for version, code in RELEASES.items():
        write_wheel(folder, "faultlib", version, {"faultlib.py": "", "sitecustomize.py": code})
    write_wheel(folder, "faultlib", LACKING, {"faultlib.py": ""}, needs=["nonesuch-of-faultlib"])
    return folder


@pytest.fixture
def offline(wheels, tmp_path, monkeypatch):
    """Points pip to the wheels, and bisections to an empty folder, which is returned."""
    for name in ("PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PYTHON"):
        monkeypatch.delenv(name, raising=False)
    store = tmp_path / "store"
    # The wheel of NumPy points to the installed one, which a testee does not see.
    visible = (pathlib.Path(numpy.__file__).parents[1], wheels.parent)
    monkeypatch.setenv("NDPROOF_VISIBLE", os.pathsep.join(map(str, visible)))
    for name, value in {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": wheels, "PIP_CONFIG_FILE": os.devnull, "NDPROOF_BISECT": store}.items():
        monkeypatch.setenv(name, str(value))
    return store


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A folder of environments that several tests use."""
    return tmp_path_factory.mktemp("made")


@pytest.fixture
def shared(offline, made, monkeypatch):
    monkeypatch.setenv("NDPROOF_BISECT", str(made))
    return made


@pytest.fixture
def case(tmp_path):
    path = tmp_path / "case.json"
    path.write_text(json.dumps(dict(CASE, route=dict(CASE["route"], encoder="numpy", decoder="numpy"), properties=["values"])))
    return path


def ndproof(*words, code=CLEAN):
    done = subprocess.run([NDPROOF, *map(str, words)], capture_output=True, text=True, timeout=300)
    assert done.returncode == code, (done.returncode, done.stdout[-2000:], done.stderr[-2000:])
    return done


def rows(text):
    """The verdicts of the table, by release."""
    lines = text.split("\nfirst release")[0].splitlines()[1:]
    return {line.split()[0]: line for line in lines}


def test_bisect_finds_both_ends_and_resumes(shared, case):
    done = ndproof("bisect", case, "--package", "faultlib")
    assert "\nfirst release that shows it: 1.1\n" in done.stdout
    assert "\nfirst release that no longer shows it: 1.3 (no verdict for 1.2.1)\n" in done.stdout
    table = rows(done.stdout)
    assert "2.0rc1" not in table and "1.2.1" in table and "not installable: " in table["1.2.1"]
    assert "shows it: " in table["1.2"] and "values" in table["1.2"] and table["1.0.1"].endswith("does not")
    assert table["1.2"].split()[1:3] == ["numpy", environments.pins_of(ROOT / ".ci/env/current.txt")["numpy"][0].partition("==")[2]]
    assert table.keys() >= {"1.0.1", "1.1", "1.2", "1.3"}
    # A second run replays nothing that has a verdict.
    made = {path: path.stat().st_mtime_ns for path in shared.glob("*/made.json")}
    again = ndproof("bisect", "--package=faultlib", "--", case)
    assert again.stdout == done.stdout
    assert {line.split()[2] for line in again.stderr.splitlines() if "faultlib" in line} <= {"1.2.1", "1.2.1,"}
    assert made and made == {path: path.stat().st_mtime_ns for path in shared.glob("*/made.json")}


@pytest.mark.parametrize(
    ("first", "last", "lines"),
    [
        ("1.1.1", "1.2", ("the oldest release with a verdict already shows it, 1.1.1", "the newest release with a verdict still shows it, 1.2")),
        ("1.3", "1.4", ("shows it: none of the tried releases does", "shows it: none")),
    ],
)
def test_bisect_within_bounds(shared, case, first, last, lines):
    done = ndproof("bisect", case, "--package", "faultlib", "--from", first, "--to", last)
    for line in lines:
        assert line + "\n" in done.stdout
    assert rows(done.stdout).keys() == {first, last}


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_bisect_goes_on_after_an_interruption(offline, case, how):
    words = ["bisect", case, "--package", "faultlib", "--from", "1.1"]
    child = subprocess.Popen([NDPROOF, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
    deadline = time.monotonic() + 120
    while not list(offline.glob("faultlib-of-*.json")) and time.monotonic() < deadline:
        time.sleep(0.02)
    os.killpg(child.pid, how)
    out, err = child.communicate(timeout=60)
    stored = list(offline.glob("faultlib-of-*.json"))
    assert stored and "answer" not in json.loads(stored[0].read_text())
    if how == signal.SIGINT:
        assert child.returncode == FAULT and out.startswith("release") and "interrupted; run the command again to go on" in err
    half = random.Random(1).choice(sorted(offline.glob("faultlib-1.*/made.json"))).parent
    (half / "made.json").unlink()
    (half / "rest").touch()
    content = json.loads(stored[0].read_text())
    content["releases"].pop(half.name.partition("-")[2], None)
    stored[0].write_text(json.dumps(content))
    done = ndproof(*words)
    assert "already shows it, 1.1\n" in done.stdout and "no longer shows it: 1.3 " in done.stdout
    assert (half / "made.json").exists() and not (half / "rest").exists()


def test_bisect_refuses_wrong_words(shared, case, tmp_path):
    assert "--package" in ndproof("bisect", case, code=USAGE).stderr
    assert "'x' is not a version" in ndproof("bisect", case, "--package", "faultlib", "--from", "x", code=USAGE).stderr
    done = ndproof("bisect", case, "--package", "faultlib", "--from", "3", code=USAGE)
    assert "no final release of faultlib" in done.stderr and "1.0 to 1.4" in done.stderr
    assert "No such file" in ndproof("bisect", tmp_path / "none", "--package", "faultlib", code=USAGE).stderr
    assert "cannot list the releases" in ndproof("bisect", case, "--package", "nonesuch-lib", code=FAULT).stderr


def test_bisect_without_any_verdict_concludes_nothing(offline, tmp_path):
    case = tmp_path / "case.json"
    case.write_text(json.dumps(dict(CASE, route={"format": "joblib", "encode": "file", "decode": "file"})))
    done = ndproof("bisect", case, "--package", "faultlib", "--from", "1.4", code=VACUOUS)
    assert "no release had a verdict" in done.stderr and "not installable: " in done.stdout


# The report to maintainers.

OURS = ("ndproof", "route", "leaf", "contract", "gate", "testee", "finding", "verdict", "divergence", "signature", "outlier")


def broken_python(folder, code=BAD):
    (folder / "sitecustomize.py").write_text(code)
    path = folder / "python"
    path.write_text('#!/bin/sh\nPYTHONPATH="%s" exec "%s" "$@"\n' % (folder, sys.executable))
    path.chmod(0o755)
    return path


def test_issue_is_written_for_readers_who_do_not_know_ndproof(offline, made, case, tmp_path, monkeypatch):
    python = broken_python(tmp_path)
    before = ndproof("issue", case, "--python", python)
    command = "`build/ndproof bisect %s --package numpy`" % case
    assert "Not determined yet; %s finds it." % command in before.stdout
    monkeypatch.setenv("NDPROOF_BISECT", str(made))
    ndproof("bisect", case, "--package", "faultlib", "--from", "1.0.1", "--to", "1.3")
    done = ndproof("issue", case, "--python", python)
    text, _, last = done.stdout.rstrip("\n").rpartition("\n")
    assert text.splitlines()[0] == "# Values change through numpy.savez and numpy.load: expected 1, got 2"
    assert "\n| `[0,0]` | `1` | `2` |\n" in text and "\nExpected behaviour: the values are as in the original object.\n" in text
    for heading in ("What happens", "Script", "Output", "Versions", "Affected releases"):
        assert "\n## %s\n" % heading in text
    assert "faultlib 1.1 is the first affected release (1.0.1 is not affected); 1.2 is the last one (1.3 is not affected)." in text
    assert "- numpy %s\n" % numpy.__version__ in text and "ended with exit code 1" in text and "got:" in text
    assert last.startswith("Found with ndproof ")
    prose = text.lower().replace(str(tmp_path), "")
    assert [word for word in OURS if word in prose] == []
    assert str(tmp_path) not in text


def test_issue_of_a_configured_interpreter(offline, case, tmp_path):
    python = broken_python(tmp_path)
    config = tmp_path / "environments.json"
    config.write_text(json.dumps({"environments": {"good": sys.executable, "bad": {"python": python.name}}}))
    assert "## Output" in ndproof("issue", case, "--config", config, "--env", "bad").stdout
    done = ndproof("issue", case, "--config", config, "--env", "good", code=VACUOUS)
    assert done.stdout == "" and "does not show with these libraries" in done.stderr


def test_issue_of_a_finding_that_changed(offline, case, tmp_path):
    file = tmp_path / "finding.json"
    signature = "DIVERGES|shape|npz|shape|numpy|npz:memory|i|<|any|2"
    file.write_text(json.dumps({"signature": signature, "descriptor": json.loads(case.read_text())}))
    done = ndproof("issue", file, "--python", broken_python(tmp_path), code=VACUOUS)
    assert "now diverges in another way" in done.stderr


def test_evidence_of_a_death_and_of_a_refusal():
    text = """  process ended by numpy on npy:file>memory, numpy
    expected an answer, got a process killed by signal 11 (Segmentation fault) in write_array
  values broken by joblib on joblib.Parallel5:loky, numpy
    property: Every element keeps its value.
    promise: encoding and decoding succeed
    source: default rule: any buildable value must round-trip (no contract row allows a refusal)
    transport: expected success, got WorkerDied: a worker of the pool died
CRASH case.json
"""
    death, refusal = evidence.parse(text)
    assert death.title().startswith("The process dies through numpy.save and numpy.load: expected an answer, got a process killed")
    assert refusal.title() == "joblib.Parallel fails: WorkerDied: a worker of the pool died"
    assert refusal.promise == "writing and reading succeed" and "contract" not in refusal.source
    assert refusal.expectation() == (refusal.promise, refusal.source)
    refusal.changes = [("mmap:r: decode", "an error", "success")]
    assert refusal.expectation() == ("the input is refused with an error, because it is invalid", "")
    assert evidence.about([death, refusal], "DIVERGES|values|x") is refusal and evidence.about([], "") is None
