"""Every file of the corpus through the reference and through the real libraries, each in its testee.

The result is printed as a table (pytest -s). All decoders accept the files in `accept` with the same elements, none accepts
those in `refuse`, and for `open` the libraries do the same as the reference. A new process decides about an answer that
disagrees, because an earlier file may have damaged the memory of the old one. Every exception is a row of a library in
corpus/index.json. A difference without a row fails, and so does a row that the installed library does not confirm.
Pickles and dumps are decoded twice: as an array, and as objects of any kind. A testee may answer UNSUPPORTED for a value
that the protocol cannot express, which confirms that the library accepts it. A library that accepts an impossible value may
die when the testee looks at the value."""

import collections
import fnmatch
import json
import os
import pathlib
import sys

import pytest

from testee_driver import HERE, Testee

pytest.importorskip("numpy", reason="there is no library to compare with")

ROOT = pathlib.Path(HERE).parents[2]
PROGRAM = ROOT / "build" / "ndproof"
INDEX = ROOT / "corpus" / "index.json"
ENVIRONMENT = ROOT / "build" / "env" / "current" / "bin" / "python3"
FORMATS = ("npy", "npz", "pickle", "joblib")
TAKES, REFUSES, LEAVES, DIES = "takes", "refuses", "leaves", "dies"
ARRAY, GRAPH = "array", "graph"
NO_WORD = "the protocol cannot express"  # in the refusal of an accepted value
Row = collections.namedtuple("Row", "path kind decode expect why")


class Ways:
    """The ways in of one testee, which is started again when a file ends it."""

    def __init__(self, *command):
        self._command = command
        self._testee = Testee(*command)

    def close(self):
        self._testee.close()

    def restart(self):
        """Starts the testee anew."""
        self._testee.close()
        self._testee = Testee(*self._command)

    def _entries(self, form, kind):
        found = {}
        for entry in self._testee.hello["entries"]:
            takes_kind = kind in entry.get("values", [ARRAY])
            is_plain = entry.get("buffers", "") != "out-of-band" and not entry.get("variant")
            if entry["format"] == form and takes_kind and is_plain:
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


def read_index(form):
    """The files of a format by path, each with its rows of libraries."""
    found = {}
    for file in json.loads(INDEX.read_text())["files"]:
        folders = file["path"].split("/")
        if folders[0] != form or folders[1] not in ("accept", "refuse", "open"):
            continue
        found[file["path"]] = [
            Row(file["path"], row.get("values", ""), row["decode"], row["expect"], row["why"])
            for row in file.get("libraries", ())
        ]
    return found


def row_of(rows, kind, entry):
    """The row for an entry point; for objects of any kind, rows for graphs come before rows for everything."""
    for wanted in [GRAPH, ""] if kind == GRAPH else [""]:
        for row in rows:
            if row.kind == wanted and fnmatch.fnmatchcase(entry, row.decode):
                return row
    return None


def expected(row, folder, kind, ours):
    """The words that a library may answer with."""
    if row is not None:
        taken = {TAKES, LEAVES, DIES} if kind == GRAPH else {TAKES, LEAVES}
        return {"accept": taken, "refuse": {REFUSES}, "open": {TAKES, LEAVES, REFUSES, DIES}}[row.expect]
    if ours == {LEAVES}:
        return {TAKES, REFUSES}
    return {TAKES} if folder == "accept" else {REFUSES} if folder == "refuse" else ours


def shown(words):
    """One word where all ways agree."""
    return next(iter(words.values())) if len(set(words.values())) == 1 else words


@pytest.mark.parametrize("form, kind", [(form, kind) for kind in (ARRAY, GRAPH) for form in FORMATS])
def test_libraries_do_as_the_reference_does_but_for_the_index(testees, form, kind):
    wrong, used, index = [], set(), read_index(form)
    for name, rows in index.items():
        folder, content = name.split("/")[1], (ROOT / "corpus" / name).read_bytes()
        ours, theirs = testees[0].ask(form, kind, content), testees[1].ask(form, kind, content)
        if not theirs:
            pytest.skip("there is no library that reads %s" % form)
        our_words = {entry: answer[0] for entry, answer in ours.items()}
        their_words = {entry: answer[0] for entry, answer in theirs.items()}
        why = "; ".join(row.why for row in rows)
        print("%-34s reference %-8s library %s  %s" % (name, shown(our_words), shown(their_words), why))
        words = set(our_words.values())
        if len(words) != 1:
            wrong.append("%s: the reference answers %s" % (name, our_words))
        arrays = [array for _, array in ours.values() if array is not None]
        for entry, (word, array) in theirs.items():
            row = row_of(rows, kind, entry)
            used.add(row)
            if word not in expected(row, folder, kind, words):
                testees[1].restart()
                word = testees[1].ask(form, kind, content)[entry][0]
            if word not in expected(row, folder, kind, words):
                wrong.append("%s by %s: the library %s, the reference %s" % (name, entry, word, our_words))
            elif array is not None and folder == "accept" and arrays and array[0] != arrays[0][0]:
                wrong.append("%s by %s: two shapes, %s and %s" % (name, entry, array[0], arrays[0][0]))
    meant = [row for rows in index.values() for row in rows if (row.kind == GRAPH) == (kind == GRAPH)]
    wrong += ["%s: no entry point uses this row" % (row,) for row in meant if row not in used]
    assert len(index) > 20 and not wrong, "\n".join(wrong)
