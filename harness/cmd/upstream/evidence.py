"""The divergences that `ndproof replay` prints, in words for the maintainers of a library."""

import re

# The library's functions for a format or transport.
CALLS = {
    "npy": "numpy.save and numpy.load",
    "npz": "numpy.savez and numpy.load",
    "raw": "a raw file of numpy",
    "joblib": "joblib.dump and joblib.load",
    "cloudpickle": "cloudpickle.dumps and cloudpickle.loads",
    "dill": "dill.dumps and dill.loads",
    "copy": "the copy module",
}
# The beginning of the title, by the property that is broken.
SUBJECTS = {
    "byte_order": "Byte order changes",
    "class": "Class or attributes change",
    "closure": "A function changes",
    "companion_arrays": "An array inside another object changes",
    "concurrency": "Threads get wrong results",
    "cross": "Another reader gets another array",
    "dtype": "dtype changes",
    "entry_points": "Functions for the same format disagree",
    "flags": "Array flags are wrong",
    "idempotence": "A second round trip changes the array",
    "identity": "Shared objects or memory change",
    "leaks": "Resources are not released",
    "memmap": "The memory map is wrong",
    "memory_order": "Memory order changes",
    "picklability": "A call changes whether the object can be sent",
    "process": "The process dies",
    "shape": "Shape changes",
    "strictness": "Input is not checked",
    "transcode": "A second format changes the array",
    "values": "Values change",
}
# The subject of a promise, with its verb, by the field that is promised.
FIELDS = {
    "aliasing": "memory that objects share is",
    "aligned_struct": "the aligned flag of the structured dtype is",
    "alignment": "the aligned flag is",
    "apart": "the memory of the result is",
    "attributes": "the attributes of the object are",
    "backing": "the memory of the result is",
    "byte_order": "the byte order is",
    "cells": "variables that functions share are",
    "class": "the class is",
    "description": "name, module, documentation and annotations of the function are",
    "distinct": "objects that share nothing are",
    "dtype": "the dtype is",
    "encoding": "the written data is",
    "globals": "the globals of the function are",
    "history": "the possibility to send the object after a call is",
    "identity": "references to the same object are",
    "memory_order": "the memory order is",
    "metadata": "the metadata of the dtype is",
    "results": "the results of calls are",
    "scope": "globals that functions share are",
    "shape": "the shape is",
    "strides": "the strides are",
    "structure": "references between the objects are",
    "values": "the values are",
    "whole": "the state of the object is",
    "writeable": "the writeable flag is",
}
# Properties whose first difference is clear without its path.
CLEAR = ("byte_order", "process", "shape", "values")
PLAIN = (
    ("a round trip", "writing and reading"),
    ("as in the source", "as in the original object"),
    ("of the source", "of the original object"),
    ("the source's", "the original object's"),
    ("for an F-contiguous source", "for an F-contiguous original"),
    ("the decoding host", "the machine that reads it"),
    ("the mode of the route", "the requested mode"),
    ("the encoded file", "the file that was written"),
    (" (reported, does not gate)", ""),
    ("default rule: any buildable value must round-trip (no contract row allows a refusal)", "nothing documents that this is refused"),
    ("encoding and decoding succeed", "writing and reading succeed"),
)
HEAD = re.compile(r"^  (\w+) (?:broken|ended) by (\S+) on (\S+)")
CHANGE = re.compile(r"^    (?:(.+?): )?expected (.*), got (.*)$")


def plain(text):
    for ours, common in PLAIN:
        text = text.replace(ours, common)
    return text


def promise_of(text):
    """A promise as ndproof prints it, as a sentence without a period."""
    field, _, rest = text.partition(" is ")
    return plain("%s %s" % (FIELDS[field], rest) if field in FIELDS else text)


def short(text, limit=60):
    return text if len(text) <= limit else text[: limit - 3] + "..."


class Divergence:
    """One block of the output of a replay."""

    def __init__(self, name, library, route):
        self.name, self.library = name, library
        self.form = re.match(r"[A-Za-z_.]*[A-Za-z_]", route).group() if route[0].isalpha() else route
        self.promise = self.source = ""
        self.changes = []

    def expectation(self):
        """The promise and its source, or what follows from a refusal that is expected: the promise of a refused value
        is about other values."""
        if any(expected == "an error" for _, expected, _ in self.changes):
            others = "as the other functions for this format refuse it" if self.name == "entry_points" else "because it is invalid"
            return "the input is refused with an error, " + others, ""
        return self.promise, self.source

    @property
    def calls(self):
        return CALLS.get(self.form, self.form)

    def title(self):
        subject = SUBJECTS.get(self.name, self.name.replace("_", " ") + " is wrong")
        if not self.changes:
            return "%s through %s" % (subject, self.calls)
        path, expected, got = self.changes[0]
        if expected == "success":
            return "%s fails: %s" % (_upper(self.calls), short(got))
        name = "" if self.name in CLEAR else path.rpartition(".")[2] + " "
        return "%s through %s: %sexpected %s, got %s" % (subject, self.calls, name.lstrip(), short(expected), short(got))


def _upper(text):
    return text[0].upper() + text[1:] if "." not in text.split()[0] else text


def parse(text):
    """The divergences in the output of a replay."""
    found = []
    for line in text.splitlines():
        head, change = HEAD.match(line), CHANGE.match(line)
        if head:
            found.append(Divergence(*head.groups()))
        elif found and line.startswith("    promise: "):
            found[-1].promise = promise_of(line.split(": ", 1)[1])
        elif found and line.startswith("    source: "):
            found[-1].source = plain(line.split(": ", 1)[1])
        elif found and change:
            found[-1].changes.append(tuple(word or "" for word in change.groups()))
    return found


def about(divergences, signature):
    """The divergence of a signature, else the first one; None if there is none."""
    words = signature.split("|")
    same = [one for one in divergences if len(words) > 1 and one.name == words[1]]
    return (same or divergences or [None])[0]
