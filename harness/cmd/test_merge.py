"""Shards of a sweep, `ndproof merge`, and the options of parallel sweeps."""

import copy
import json
import pathlib
import subprocess
import zlib

import jsonschema
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
NDPROOF = ROOT / "build/ndproof"
CLEAN, DIVERGES, USAGE, FAULT, VACUOUS = 0, 1, 2, 3, 5
# Several units of every group, so that each shard has work in each.
SWEEP = ("sweep", "--target", "reference", "--format", "npy", "--seed", 3, "--cases", 1500)
COUNTS = ("pass", "diverges", "rejects", "unsupported")
BY_REPETITION = "leaks"  # compares when a process grows, which does not follow from the cases


def run(*words, code):
    """Runs a command, checks its exit code, and returns stdout and stderr."""
    done = subprocess.run([NDPROOF, *map(str, words)], capture_output=True, text=True, timeout=300)
    assert done.returncode == code, (done.returncode, done.stdout[-2000:], done.stderr[-2000:])
    return done.stdout, done.stderr


def read(path):
    report = json.loads(path.read_text())
    jsonschema.Draft202012Validator(json.loads((ROOT / "reports/schema.json").read_text())).validate(report)
    return report


def write(path, report):
    path.write_text(json.dumps(report))
    return path


@pytest.fixture(scope="module")
def shards(tmp_path_factory):
    """The reports of two shards."""
    folder = tmp_path_factory.mktemp("shards")
    paths = [folder / "1.json", folder / "2.json"]
    for number, path in enumerate(paths, 1):
        out, _ = run(*SWEEP, "--shard", "%d/2" % number, "--report", path, code=CLEAN)
        assert out.splitlines()[0].endswith("seed 3, shard %d/2" % number)
    return paths


@pytest.fixture
def changed(shards, tmp_path):
    """Copies both shards, changed by a function of the second."""

    def change(edit):
        report = read(shards[1])
        edit(report)
        return shards[0], write(tmp_path / "changed.json", report)

    return change


def cells(report):
    return {(cell["route"], cell["property"]): [cell[key] for key in COUNTS] for cell in report["work"]["cells"] if cell["property"] != BY_REPETITION}


def findings(report):
    """Everything that does not depend on time and place."""
    skipped = ("found_after_s", "replay", "observations", "stderr_tail")
    return {one["signature"]: {key: value for key, value in one.items() if key not in skipped} for one in report["findings"]}


def causes(report):
    skipped = ("found_after_s", "replay", "drawing", "script", "routes", "findings")
    facts = lambda one: {key: value for key, value in one.items() if key not in skipped}  # noqa: E731
    return {one["id"]: (facts(one), sorted(one["findings"]), sorted(one["routes"])) for one in report["causes"]}


def test_merged_shards_are_the_single_run(shards, tmp_path):
    run(*SWEEP, "--report", tmp_path / "whole.json", code=CLEAN)
    out, _ = run("merge", *shards, "--report", tmp_path / "merged.json", code=CLEAN)
    whole, merged, parts = read(tmp_path / "whole.json"), read(tmp_path / "merged.json"), [read(path) for path in shards]
    assert all(0 < part["work"]["cases"] < 1500 for part in parts)
    assert merged["work"]["cases"] == whole["work"]["cases"] == 1500
    assert cells(merged) == cells(whole)
    assert findings(merged) == findings(whole) and len(findings(whole)) > 0
    assert causes(merged) == causes(whole)
    assert merged["work"]["coverage"] == whole["work"]["coverage"]
    assert merged["untested"] == whole["untested"] and merged["gate"] == whole["gate"]
    assert merged["work"]["floors"][0] == whole["work"]["floors"][0]
    names = lambda report: [(one["name"], one["version"], one.get("libraries")) for one in report["targets"]]  # noqa: E731
    assert names(merged) == names(whole)
    assert "shard" not in merged["run"] and merged["run"]["seed"] == 3
    assert out.splitlines()[0].endswith("seed 3, 2 of 2 shards")
    assert "1500 cases on" in out and str(tmp_path / "merged.json") in out


def test_the_order_of_the_shards_does_not_matter(shards, tmp_path):
    run("merge", *shards, "--report", tmp_path / "a.json", code=CLEAN)
    run("merge", *reversed(shards), "--report", tmp_path / "b.json", code=CLEAN)
    a, b = read(tmp_path / "a.json"), read(tmp_path / "b.json")
    assert (cells(a), findings(a), causes(a)) == (cells(b), findings(b), causes(b))


def test_a_missing_shard_must_be_named(shards, tmp_path):
    _, error = run("merge", shards[0], code=USAGE)
    assert "the report of shard 2/2 is missing; --allow-missing 'shard 2/2' accepts that" in error
    run("merge", shards[0], "--allow-missing", "shard 1/2", code=USAGE)
    out, _ = run("merge", shards[0], "--allow-missing", "shard 2/2", "--report", tmp_path / "part.json", code=CLEAN)
    assert out.splitlines()[-1] == "not tested, as permitted: shard 2/2 (its report is missing)"
    row = {"kind": "shard", "name": "2/2", "reason": "its report is missing", "expected": True, "allowed": True}
    assert row in read(tmp_path / "part.json")["untested"]
    out, _ = run("gate", tmp_path / "part.json", code=CLEAN)
    assert out.splitlines()[-1].startswith("not tested, as permitted: shard 2/2")


def test_one_shard_of_one_is_a_whole_sweep(shards, tmp_path):
    report = read(shards[0])
    report["run"]["shard"] = "1/1"
    run("merge", write(tmp_path / "one.json", report), code=CLEAN)


@pytest.mark.parametrize(
    "edit, expected",
    [
        (lambda report: report["run"].update(shard="1/2"), "shard 1/2 again, after "),
        (lambda report: report["run"].update(shard="2/3"), "the number of shards differs: '2' and '3'"),
        (lambda report: report["run"].pop("shard"), "the number of shards differs: '2' and '0'"),
        (lambda report: report["run"].update(seed=4), "the seed differs: '3' and '4'"),
        (lambda report: report["tool"].update(version="0.0.1"), "the version of ndproof differs: "),
        (lambda report: report["tool"].update(commit="abc"), "the commit of ndproof differs: "),
        (lambda report: report["targets"].pop(), "the number of targets differs: "),
        (lambda report: report["targets"][0].update(version="0.0.1"), "target reference differs: "),
        (lambda report: report["targets"][0].update(libraries={"zlib": "1.0"}), "target reference differs: "),
        (lambda report: report["targets"][0].update(unavailable="gone"), "target reference differs: "),
        (lambda report: report["work"]["floors"].pop(), "a format or property that was asked for differs: "),
    ],
)
def test_other_sweeps_are_refused(changed, edit, expected):
    first, second = changed(edit)
    out, error = run("merge", first, second, code=USAGE)
    assert expected in error and str(second) in error and out == ""


def test_a_whole_report_is_refused(shards, tmp_path):
    report = read(shards[0])
    del report["run"]["shard"]
    _, error = run("merge", write(tmp_path / "whole.json", report), code=USAGE)
    assert "not a shard of a sweep" in error


def test_a_damaged_report_is_refused(shards, tmp_path):
    (tmp_path / "half.json").write_bytes(shards[1].read_bytes()[:1000])
    _, error = run("merge", shards[0], tmp_path / "half.json", code=USAGE)
    assert "half.json" in error
    run("merge", shards[0], tmp_path / "none.json", code=USAGE)


def found(report, descriptor, signature, first_case, after_s):
    """Makes a defect of the first loss of a report: what a sweep writes for one."""
    one, cause = copy.deepcopy(report["findings"][0]), copy.deepcopy(report["causes"][0])
    one.update(severity="defect", status="new", signature=signature, first_case=first_case, found_after_s=after_s)
    cause.update(severity="defect", status="new", id="0badcafe", key="DIVERGES|x", title="a defect", findings=[signature], first_case=first_case)
    one["cause"] = cause["id"]
    if descriptor:
        one["descriptor"] = cause["descriptor"] = descriptor
    report["findings"].append(one)
    report["causes"].append(cause)
    return report


def test_findings_and_their_causes_are_united(shards, tmp_path):
    small = {"ndproof": 1, "value": {"array": {"base": {"dtype": "|b1", "shape": []}}}}
    first = write(tmp_path / "a.json", found(read(shards[0]), None, "s", 9, 1.5))
    second = write(tmp_path / "b.json", found(found(read(shards[1]), small, "s", 4, 7.5), None, "t", 12, 0.5))
    report = json.loads(second.read_text())
    del report["causes"][-1]
    second = write(second, report)
    out, _ = run("merge", first, second, "--report", tmp_path / "merged.json", code=DIVERGES)
    merged = read(tmp_path / "merged.json")
    cause = next(one for one in merged["causes"] if one["id"] == "0badcafe")
    finding = next(one for one in merged["findings"] if one["signature"] == "s")
    assert sorted(cause["findings"]) == ["s", "t"]
    assert (finding["first_case"], finding["found_after_s"], finding["descriptor"]) == (4, 1.5, small)
    assert (cause["first_case"], cause["found_after_s"], cause["descriptor"]) == (4, 0.5, small)
    assert finding["count"] == sum(next(one["count"] for one in read(path)["findings"] if one["signature"] == "s") for path in (first, second))
    assert "a defect" in out
    baseline = {"schema": 2, "entries": [{"pattern": "DIVERGES|x", "reason": "for this test"}]}
    out, _ = run("merge", first, second, "--baseline", write(tmp_path / "baseline.json", baseline), "--report", tmp_path / "m.json", code=CLEAN)
    assert read(tmp_path / "m.json")["baseline"]["matched"] == ["DIVERGES|x"]


def test_work_that_was_lost_is_not_clean(changed):
    lost = {"worker": "worker 1", "unit": "reference>reference npy 0..63", "ending": "signal 9", "repeated": False}
    first, second = changed(lambda report: report["work"].update(lost_workers=[lost]))
    out, _ = run("merge", first, second, code=FAULT)
    assert "worker 1 died (signal 9), and its work was not done: reference>reference npy 0..63" in out
    first, second = changed(lambda report: report["work"].update(lost_workers=[dict(lost, repeated=True)]))
    run("merge", first, second, code=CLEAN)


def group(pairs, bits):
    """A group with 8 pairs and 8 triples; `bits` is the zlib data of two bytes."""
    return {"group": "g", "pairs": pairs, "possible_pairs": 8, "triples": 0, "possible_triples": 8, "bits": {"bytes": 2, "pair_bits": 8, "zlib": bits}}


def test_coverage_is_united_and_judged(shards, tmp_path):
    reports = [read(path) for path in shards]
    for report, byte in zip(reports, (0x0F, 0x3C)):
        report["work"]["coverage"] = [group(4, zlib.compress(bytes([byte, 0])).hex())]
    paths = [write(tmp_path / ("%d.json" % number), report) for number, report in enumerate(reports)]
    merged = tmp_path / "merged.json"
    out, _ = run("merge", *paths, "--min-pairs", 75, "--report", merged, code=CLEAN)
    assert read(merged)["work"]["coverage"] == [{"group": "g", "pairs": 6, "possible_pairs": 8, "triples": 0, "possible_triples": 8}]
    out, _ = run("merge", *paths, "--min-pairs", 76, code=VACUOUS)
    assert "pairs: 75 % in g, expected at least 76 % in every group" in out
    out, _ = run("gate", merged, "--min-pairs", 75, "--min-triples", 1, code=VACUOUS)
    assert "triples: 0 % in g, expected at least 1 % in every group" in out
    run("gate", merged, code=CLEAN)
    for words in (("gate", merged), ("merge", *paths), ("sweep",)):
        _, error = run(*words, "--min-pairs", 101, code=USAGE)
        assert error == "ndproof: --min-pairs takes a percentage up to 100, not '101'\n"
    reports[1]["work"]["coverage"][0]["bits"]["pair_bits"] = 7
    write(paths[1], reports[1])
    _, error = run("merge", *paths, code=USAGE)
    assert "its coverage is not of the same groups of routes" in error


@pytest.mark.parametrize("shard", ["0/4", "5/4", "4", "1/0", "a/b", "", "1/4/4", "-1/4"])
def test_a_shard_outside_its_range_is_refused(shard):
    out, error = run("sweep", "--shard", shard, code=USAGE)
    assert "--shard takes I/N with I from 1 to N" in error and "not '%s'" % shard in error and out == ""


def test_jobs_that_cannot_run_are_refused():
    out, error = run("sweep", "--jobs", 0, code=USAGE)
    assert error == "ndproof: --jobs 0 would run nothing; the least is 1\n" and out == ""
    _, error = run("sweep", "--jobs", 100000, code=USAGE)
    assert "--jobs 100000 needs up to 200000.0 GiB of memory" in error and "GiB are available; the most is " in error
    run("sweep", "--jobs", -1, code=USAGE)


def test_the_report_states_jobs_and_times(tmp_path):
    run(*SWEEP[:-1], 300, "--jobs", 1, "--report", tmp_path / "r.json", code=CLEAN)
    assert read(tmp_path / "r.json")["run"]["jobs"] == 1
