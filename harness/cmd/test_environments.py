"""Several environments side by side, through build/ndproof: interpreters, commands, a configuration file."""

import json
import pathlib
import shlex
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
NDPROOF = ROOT / "build/ndproof"
CLEAN, DIVERGES, USAGE, VACUOUS = 0, 1, 2, 5


def ndproof(*words, cwd=ROOT, codes=(CLEAN,)):
    done = subprocess.run([NDPROOF, *map(str, words)], cwd=cwd, capture_output=True, text=True, timeout=300)
    assert done.returncode in codes, (done.returncode, done.stdout[-2000:], done.stderr[-2000:])
    return done


def names_of(text):
    return [line.split()[1] for line in text.splitlines() if line.startswith("target ") and "NOT AVAILABLE" not in line]


@pytest.fixture
def config(tmp_path):
    """A configuration with this interpreter under two names, one of them a script next to the file, and the reference."""
    script = tmp_path / "python-here"
    script.write_text("#!/bin/sh\nexec %s \"$@\"\n" % shlex.quote(sys.executable))
    script.chmod(0o755)
    table = {
        "one": sys.executable,
        "two": {"python": "python-here"},
        "board": {"command": [str(NDPROOF), "testee"]},
    }
    path = tmp_path / "environments.json"
    path.write_text(json.dumps({"environments": table}))
    return path


def test_environments_of_a_configuration_and_selection(config, tmp_path):
    found = names_of(ndproof("list", "--config", config).stdout)
    assert found == ["reference", "numpy@one", "numpy@two", "reference@board"]
    # Relative paths in the file are relative to the file.
    found = names_of(ndproof("list", "--config", config.name, "--env", "two", cwd=tmp_path).stdout)
    assert found == ["reference", "numpy"]


def test_run_has_all_environments(config, tmp_path):
    report = tmp_path / "report.json"
    words = ["--config", config, "--seed", 1, "--cases", 200, "--format", "npy", "--report", report]
    # Divergences of this NumPy do not matter here.
    ndproof("sweep", *words, codes=(CLEAN, DIVERGES, VACUOUS))
    content = json.loads(report.read_text())
    targets = {one["name"]: one for one in content["targets"] if "unavailable" not in one}
    assert sorted(targets) == ["numpy@one", "numpy@two", "reference", "reference@board"]
    assert targets["numpy@two"]["environment"] == "two"
    assert targets["numpy@two"]["libraries"]["numpy"] == targets["numpy@two"]["version"]
    # A missing library has a reason.
    lacking = [one for one in content["targets"] if "unavailable" in one]
    assert all(one["name"].startswith("numba@") and one["unavailable"] for one in lacking)
    assert content["work"]["cases"] == 200


def test_library_name_selects_all_its_targets(config, tmp_path):
    report = tmp_path / "report.json"
    words = ["--config", config, "--seed", 1, "--cases", 200, "--format", "npy", "--property", "shape", "--report", report]
    for named, expected in (
        (["numpy"], {"numpy@one", "numpy@two"}),
        (["numpy", "reference"], {"numpy@one", "numpy@two", "reference"}),
        (["numpy@two"], {"numpy@two"}),
    ):
        targets = [word for name in named for word in ("--target", name)]
        ndproof("sweep", *words, *targets, codes=(CLEAN, DIVERGES, VACUOUS))
        content = json.loads(report.read_text())
        assert content["work"]["cases"] == 200
        assert {end for cell in content["work"]["cells"] for end in cell["route"].split()[0].split(">")} == expected


def test_unknown_target_is_an_error(config):
    done = ndproof("sweep", "--config", config, "--target", "nonesuch", "--cases", 1, codes=(USAGE,))
    assert "unknown target 'nonesuch'" in done.stderr
    # A known target that is not installed is listed as missing.
    ndproof("list", "--config", config, "--target", "numba", codes=(CLEAN,))


def test_interpreter_path_together_with_an_environment(config):
    found = names_of(ndproof("list", "--python", sys.executable, "--config", config, "--env", "board").stdout)
    assert found == ["reference", "numpy", "reference@board"]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('{"environments": {"a": {"command": []}}}', "1:36: expected a list of strings for the command (at /environments/a/command)"),
        ('{"environments": {"a": 1}', "1:26: "),
    ],
)
def test_invalid_configuration_has_line_and_column(tmp_path, text, place):
    path = tmp_path / "wrong.json"
    path.write_text(text)
    assert "%s:%s" % (path, place) in ndproof("sweep", "--config", path, "--cases", 1, codes=(USAGE,)).stderr
    ndproof("list", "--config", tmp_path / "missing.json", codes=(USAGE,))


def test_requested_environment_that_does_not_start_is_not_tested(tmp_path):
    path = tmp_path / "broken.json"
    path.write_text('{"environments": {"a": {"command": ["/bin/false"]}, "b": "/nonexistent/python3"}}')
    for name, what in (("a", "/bin/false"), ("b", "/nonexistent/python3"), ("nosuch", "nosuch")):
        done = ndproof("sweep", "--config", path, "--env", name, "--cases", 1, codes=(VACUOUS,))
        last = done.stderr.splitlines()[-1]
        assert last.startswith("NOT TESTED: ") and what in last
