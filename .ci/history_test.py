#!/usr/bin/env python3
"""Tests history.py in a temporary tree: days and numbers of nights, damaged records, and the last release."""
# Needs: git

import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.dont_write_bytecode = True
import history  # noqa: E402


def cause(ident, status="new", severity="defect", title="an array comes back without its name"):
    return {"id": ident, "title": title, "library": "numpy", "status": status, "severity": severity}


def fails(function, *words):
    try:
        function(*words)
    except history.BadInput as error:
        return str(error)
    raise AssertionError("expected %s%s to fail" % (function.__name__, words))


def test_days_and_nights():
    record = history.History("reports/history.json")
    assert record.night_before("2026-11-01") == ""
    record.note([cause("0000000a")], "2026-11-01")
    record.save()
    for day, causes in (("2026-11-02", []), ("2026-11-04", ["0000000a", "0000000b"]), ("2026-11-04", ["0000000b", "0000000c"])):
        record = history.History("reports/history.json")
        record.note(list(map(cause, causes)), day)
        record.save()
    record = history.History("reports/history.json")
    assert record.nights == ["2026-11-01", "2026-11-02", "2026-11-04"]
    assert record.night_before("2026-11-04") == "2026-11-02"
    assert record.of("0000000a") == {"first_seen": "2026-11-01", "last_seen": "2026-11-04", "nights": 2}
    assert record.of("0000000b") == {"first_seen": "2026-11-04", "last_seen": "2026-11-04", "nights": 1}
    assert record.of("0000000c") == {"first_seen": "2026-11-04", "last_seen": "2026-11-04", "nights": 1}
    assert os.listdir("reports") == ["history.json"], "expected no temporary file to stay"


def test_only_a_confirmed_defect_is_known_before_a_release():
    record, release = history.History("none.json"), history.Release("0.2.0", "2026-11-10", "")
    record.note([cause("0000000a"), cause("0000000b", status="flaky"), cause("0000000c", severity="hazard")], "2026-11-09")
    record.note([cause("0000000d")], "2026-11-10")
    known = {name: record.is_known(name, release) for name in ("0000000a", "0000000b", "0000000c", "0000000d", "0000000e")}
    assert known == {"0000000a": True, "0000000b": False, "0000000c": False, "0000000d": False, "0000000e": False}, known
    record.note([cause("0000000b")], "2026-11-11")
    assert record.causes["0000000b"]["defect_since"] == "2026-11-11" and record.causes["0000000b"]["first_seen"] == "2026-11-09"
    assert not record.is_known("0000000a", history.Release("", "", "no tag")), "expected every cause to be new without a release"


def test_damaged_record_is_an_error_and_stays():
    good = {"title": "t", "library": "numpy", "first_seen": "2026-11-01", "last_seen": "2026-11-03", "nights": 2, "defect_since": "2026-11-02"}

    def whole(nights=("2026-11-01",), name="0000000a", **changes):
        return json.dumps({"schema": 1, "nights": list(nights), "causes": {name: dict(good, **changes)}})

    pathlib.Path("good.json").write_text(whole())
    assert history.History("good.json").of("0000000a")["nights"] == 2
    pathlib.Path("good.json").write_text(whole(defect_since=""))
    assert history.History("good.json").nights == ["2026-11-01"]
    damaged = ["", "{", "[]", "{}", whole()[:-1], whole().replace('"schema": 1', '"schema": 2'), "\0", "[" * 100000]
    damaged += [whole(nights=["2026-11-02", "2026-11-01"]), whole(nights=["2026-02-30"]), whole(nights=[1]), whole(name="a")]
    damaged += [whole(first_seen="2026-11-04"), whole(first_seen=""), whole(last_seen=None)]
    damaged += [whole(defect_since="2026-11-05"), whole(defect_since="soon"), json.dumps({"schema": 1, "nights": [], "causes": []})]
    damaged += [json.dumps({"schema": 1, "nights": [], "causes": {"0000000a": dict(good, nights=0)}})]
    damaged += [json.dumps({"schema": 1, "nights": [], "causes": {"0000000a": dict(good, nights="2")}})]
    for text in damaged:
        pathlib.Path("damaged.json").write_text(text)
        reason = fails(history.History, "damaged.json")
        assert "damaged.json" in reason and "It was kept" in reason, reason
        assert pathlib.Path("damaged.json").read_text() == text
    os.mkdir("folder.json")
    assert "folder.json" in fails(history.History, "folder.json")


def test_failed_write_keeps_the_old_record():
    history.replace_file("old.json", "old")
    os.mkdir("taken")
    try:
        history.replace_file("taken", "new")
    except OSError:
        pass
    else:
        raise AssertionError("expected a folder to stay")
    assert pathlib.Path("old.json").read_text() == "old" and not list(pathlib.Path().glob(".new-*"))


def test_last_release():
    os.mkdir("checkout")
    os.chdir("checkout")
    person = {"GIT_%s_%s" % (who, what): "a@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    os.environ.update(person, GIT_CONFIG_GLOBAL="/dev/null", GIT_CEILING_DIRECTORIES=os.path.dirname(os.getcwd()))

    def git(*words, day="2026-01-01T12:00:00 +0000"):
        subprocess.run(["git", *words], check=True, capture_output=True, env=dict(os.environ, GIT_COMMITTER_DATE=day, GIT_AUTHOR_DATE=day))

    assert history.last_release("2026-10-01") == history.Release("", "2026-10-01", "") and str(history.last_release("2026-10-01")) == "2026-10-01"
    for bad in ("yesterday", "2026-10", "2026-02-30", "20261001"):
        assert bad in fails(history.last_release, bad)
    assert "git cannot list the tags" in history.last_release("").lack
    git("init", "-q", "-b", "main")
    git("commit", "-q", "--allow-empty", "-m", "one", day="2026-01-01T12:00:00 +0000")
    assert history.last_release("") == history.Release("", "", "the checkout has no tag v*")
    git("tag", "other", day="2026-03-01T12:00:00 +0000")
    git("tag", "v0.9.0")
    assert str(history.last_release("")) == "0.9.0 (2026-01-01)"
    # The day of an annotated tag is its own, in UTC.
    git("tag", "-a", "-m", "ten", "v0.10.0", day="2026-02-01T23:30:00 -0300")
    assert history.last_release("") == history.Release("0.10.0", "2026-02-02", "")
    git("checkout", "-q", "-b", "side")
    git("commit", "-q", "--allow-empty", "-m", "two")
    git("tag", "-a", "-m", "later", "v0.11.0", day="2026-04-01T12:00:00 +0000")
    git("checkout", "-q", "main")
    assert history.last_release("").name == "0.10.0", "expected a tag of another branch not to count"


with tempfile.TemporaryDirectory() as tree:
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            os.chdir(tree)
            test()
    os.chdir("/")
