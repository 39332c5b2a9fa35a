"""joblib.Memory: the result of a cached function. Imported on first use.

Each entry has a store of its own, which is empty at the first transport of a case. Before the array, the store takes
similar arrays: a result of one of them would be the wrong array.
"""

import os
import shutil

from . import joblib_hash  # sets the folder of temporary files

import joblib  # noqa: E402

_FIRST = "result"  # the slot of the first transport of a case
_WITH_TEXT = "biufcS"  # kinds of which any bytes have a repr, which the store keeps
_cached = {}  # entry -> the cached function


def same(value):
    """The function whose results are cached."""
    return value


def _folder(entry):
    return os.path.join(os.getcwd(), "memory-" + entry.replace(":", "-"))


def _make(entry):
    word, _, rest = entry.partition(":")
    mode, _, place = rest.partition(":")
    in_memory = {"mmap_mode": mode} if word == "mmap" and place != "decorator" else {}
    if entry == "compress":
        in_memory["compress"] = True
    memory = joblib.Memory(_folder(entry), verbose=0, **in_memory)
    return memory.cache(same, mmap_mode=mode) if place == "decorator" else memory.cache(same)


def _function(entry, is_first):
    if is_first or entry not in _cached:
        shutil.rmtree(_folder(entry), ignore_errors=True)
        _cached[entry] = _make(entry)
    return _cached[entry]


def send(entry, value, target):
    """The result for `value`. A transport into the first slot of a case begins with an empty store."""
    function = _function(entry, target == _FIRST)
    if entry == "call":
        return function(value)
    if entry.endswith("shelve"):
        return function.call_and_shelve(value).get()
    if target == _FIRST and entry == "again" and value.dtype.kind in _WITH_TEXT:
        for other in joblib_hash.others(value):
            function(other)
    function(value)
    return function(value)
