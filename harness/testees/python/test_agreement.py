"""Every file of the corpus through the reference and through the real libraries, each in its testee.

Who takes what is printed as a table (pytest -s). Files in `accept` are taken by all, with the same elements, those in
`refuse` by nobody, and in `open` the libraries do as the reference does; every exception is a row of
harness/property/contract_crafted.c, which says why. What differs without a row fails, and so does a row that the
library here does not bear out; who takes what the protocol has no word for bears out that it is taken. Pickles and dumps are asked for twice: for an array, and for objects of any kind. There
the reference leaves what it has no words for, and who takes what cannot be may die of looking at it."""

import fnmatch
import os
import pathlib
import re
import subprocess
import sys

import pytest

from testee_driver import HERE, Testee

pytest.importorskip("numpy", reason="there is no library to compare with")

ROOT = pathlib.Path(HERE).parents[2]
PROGRAM = ROOT / "build" / "ndproof"
TABLE = ROOT / "harness" / "property" / "contract_crafted.c"
ENVIRONMENT = ROOT / "build" / "env" / "current" / "bin" / "python3"
SUFFIXES = {"npy": ".npy", "npz": ".npz", "pickle": ".pkl", "joblib": ".joblib"}
ROW = re.compile(r'CRAFTED\( ?"([^"]+)", "([^"]+)", (TAKES|REFUSES|EITHER), "([^"]+)"')
TAKES, REFUSES, LEAVES, DIES = "takes", "refuses", "leaves", "dies"
ARRAY, GRAPH = "array", "graph"
NO_WORD = "the protocol cannot express"  # in the refusal of an accepted value


class Ways:
    """The ways in of one testee, which is started again when a file ends it."""

    def __init__(self, *command):
        self._command = command
        self._testee = Testee(*command)

    def close(self):
        self._testee.close()

    def _entries(self, form, kind):
        found = {}
        for entry in self._testee.hello["entries"]:
            takes_kind = kind in entry.get("values", [ARRAY])
            if entry["format"] == form and takes_kind and entry.get("buffers", "") != "out-of-band":
                for name in entry.get("decode", ()):
                    found.setdefault(name, (entry.get("buffers", ""), entry.get("protocol", 0)))
        return found

    def _ask(self, form, kind, name, more, content):
        steps = [["supply", "", "encoded"], ["decode", "encoded", "result", form, name, more[0], more[1], 0]]
        try:
            answer = self._testee.run(
                steps + [["observe", "result", "result"]], supplied=content, **{"graph": True} if kind == GRAPH else {}
            )
        except BrokenPipeError:  # what was asked before ended it, after its answer
            self._testee = Testee(*self._command)
            return self._ask(form, kind, name, more, content)
        except EOFError:
            self._testee = Testee(*self._command)
            return DIES, None
        result = answer.slots.get("result", {})
        if "observation" not in result:
            is_left = "unsupported" in result and (kind == GRAPH or NO_WORD in str(result["unsupported"]))
            return (LEAVES if is_left else REFUSES), None
        if kind == GRAPH:
            return TAKES, None
        return TAKES, (answer.observation("result")["shape"], bytes(answer.elements("result")))

    def ask(self, form, kind, content):
        """What each way makes of the bytes: a word, and of an array that it takes the shape and elements."""
        return {name: self._ask(form, kind, name, more, content) for name, more in self._entries(form, kind).items()}


@pytest.fixture(scope="module")
def testees():
    if not os.access(PROGRAM, os.X_OK):
        pytest.skip("there is no build/ndproof to be the reference")
    ways = Ways(str(PROGRAM), "testee"), Ways(str(ENVIRONMENT) if ENVIRONMENT.exists() else sys.executable)
    yield ways
    for one in ways:
        one.close()


def files(form):
    for folder in ("accept", "refuse", "open"):
        yield from sorted((ROOT / "corpus" / form / folder).glob("*" + SUFFIXES[form]))


def row_of(rows, name, kind, entry):
    """The row about one way in; what is said of objects of any kind goes before what is said of all."""
    ways = ["graph:" + entry, entry] if kind == GRAPH else [entry]
    fitting = [row for way in ways for row in rows if row[0] == name and fnmatch.fnmatchcase(way, row[1])]
    return fitting[0] if fitting else None


def expected(row, folder, kind, ours):
    """The words that a library may answer with."""
    if row is not None:
        taken = {TAKES, LEAVES, DIES} if kind == GRAPH else {TAKES, LEAVES}
        return {"TAKES": taken, "REFUSES": {REFUSES}, "EITHER": {TAKES, LEAVES, REFUSES, DIES}}[row[2]]
    if ours == {LEAVES}:
        return {TAKES, REFUSES}
    return {TAKES} if folder == "accept" else {REFUSES} if folder == "refuse" else ours


def shown(words):
    """One word where all ways agree."""
    return next(iter(words.values())) if len(set(words.values())) == 1 else words


LOADER = """
import sys, joblib
for path in sys.argv[1:]:
    try:
        joblib.load(path)
        print(path, "takes")
    except Exception as error:
        print(path, "refuses")
"""


def test_joblib_does_with_companions_as_the_folders_say_but_for_the_table():
    """Legacy dumps are files among others: joblib is given their names. C tests ask the reference."""
    python = str(ENVIRONMENT) if ENVIRONMENT.exists() else sys.executable
    paths = sorted((ROOT / "corpus" / "companion").glob("*/*.joblib"))
    told = subprocess.run([python, "-c", LOADER, *map(str, paths)], capture_output=True, text=True, timeout=120)
    if "No module named" in told.stderr:
        pytest.skip("there is no joblib")
    answers = dict(line.rsplit(" ", 1) for line in told.stdout.splitlines())
    rows = ROW.findall(re.sub(r"\s+", " ", TABLE.read_text()))
    wrong, meant = [], [row[0] for row in rows if row[0].startswith("companion/")]
    for path in paths:
        name = "companion/%s/%s" % (path.parent.name, path.stem)
        row = row_of(rows, name, ARRAY, "file")
        if row is not None:
            meant.remove(name)
        if answers[str(path)] not in expected(row, path.parent.name, ARRAY, set()):
            wrong.append("%s: joblib %s" % (name, answers[str(path)]))
    assert len(paths) > 20 and not wrong and not meant, (wrong, meant)


@pytest.mark.parametrize("form, kind", [(form, ARRAY) for form in SUFFIXES] + [(form, GRAPH) for form in SUFFIXES])
def test_libraries_do_as_the_reference_does_but_for_the_table(testees, form, kind):
    rows = ROW.findall(re.sub(r"\s+", " ", TABLE.read_text()))
    wrong, count, used = [], 0, set()
    for path in files(form):
        name = "%s/%s/%s" % (form, path.parent.name, path.stem)
        content = path.read_bytes()
        ours, theirs = testees[0].ask(form, kind, content), testees[1].ask(form, kind, content)
        if not theirs:
            pytest.skip("there is no library that reads %s" % form)
        our_words = {entry: answer[0] for entry, answer in ours.items()}
        their_words = {entry: answer[0] for entry, answer in theirs.items()}
        why = next((row[3] for row in rows if row[0] == name), "")
        print("%-34s reference %-8s library %s  %s" % (name, shown(our_words), shown(their_words), why))
        # Who is given bytes leaves what needs files beside it; who is given a name finds that they are not there.
        said = set(our_words.values())
        if len(said) != 1 and (form != "joblib" or said != {LEAVES, REFUSES}):
            wrong.append("%s: the reference answers %s" % (name, our_words))
        arrays = [array for _, array in ours.values() if array is not None]
        for entry, (word, array) in theirs.items():
            row = row_of(rows, name, kind, entry)
            used.add(row)
            if word not in expected(row, path.parent.name, kind, set(our_words.values())):
                wrong.append("%s by %s: the library %s, the reference %s" % (name, entry, word, our_words))
            elif array is not None and path.parent.name == "accept" and arrays and array[0] != arrays[0][0]:
                wrong.append("%s by %s: two shapes, %s and %s" % (name, entry, array[0], arrays[0][0]))
        count += 1
    meant = [row for row in rows if row[0].startswith(form + "/") and row[1].startswith("graph:") == (kind == GRAPH)]
    wrong += ["%s: no file or no way is meant" % (row,) for row in meant if row not in used]
    assert count > 20 and not wrong, "\n".join(wrong)
