"""Feedback: counts which lines run, in memory that the harness shares and fuzzers take for coverage.

`NDPROOF_COUNTERS` says where: "<descriptor> <bytes> <cheap|exact>". Needs sys.monitoring (Python 3.12). In the cheap
mode a line that has run in many cases of this process, or in some and in half of all, is counted no more, which costs
nothing from then on: what remains is what is rare, and that is counted in every case, so that a case that reaches it
can be told from one that does not. One input that an engine runs several times in a row, to see whether it is stable,
is one case, of which each run counts the same. In the exact mode a line is counted whenever it runs, so that a case
counts the same wherever it comes in a run. What runs because a module is imported is counted in neither: it runs once
in a process, for whoever comes first, and thousands of lines of it would tell nothing of the case. Nor is code that
comes from no file: it was made for one case, which names it as it likes, so that every name would be news.
"""

import collections
import mmap
import os
import sys
import zlib

_OWN = os.path.dirname(os.path.abspath(__file__)) + os.sep
# What every message needs tells nothing of the case.
_SILENT = (_OWN, os.sep + "json" + os.sep)
_MODULE = "<module>"
_STEP = 2654435761
_OFTEN = 128
# What has run in one of so many cases since the first is no news as soon as it has run in a few: to listen to what every
# case does takes longer than the case. Fewer than half of them may be the way to what is rare.
_FEW = 16
_COMMON_ONE_IN = 2
# One input is a few messages, which come again when it does.
_recent = collections.deque(maxlen=16)
_inputs = [0]
# How many modules are being imported, one inside of the other.
_imports = [0]


def start():
    """Starts counting where the harness asks for it and the interpreter can; whether it does."""
    asked = os.environ.pop("NDPROOF_COUNTERS", "").split()
    if len(asked) != 3:
        return False
    descriptor, size = int(asked[0]), int(asked[1])
    os.set_inheritable(descriptor, False)
    if not hasattr(sys, "monitoring"):
        return False
    counters = mmap.mmap(descriptor, size)
    _listen(counters, size, asked[2] == "exact")
    return True


def heed(text, binary):
    """Takes note of a message: one that came a few messages ago is of an input that is run again."""
    key = zlib.crc32(binary, zlib.crc32(text.encode()))
    if key not in _recent:
        _recent.append(key)
        _inputs[0] += 1


def _place(code):
    """Where the lines of a function begin; the same in every process and wherever the library is installed."""
    path = code.co_filename.replace(os.sep, "/").split("site-packages/")[-1].split("/lib/python")[-1]
    return zlib.crc32(("%s %s" % (path, code.co_qualname)).encode())


def _is_silent(code):
    return code.co_name == _MODULE or any(part in code.co_filename for part in _SILENT)


class _Places:
    """Where the lines of functions begin, each computed once. What a function is takes as long to hash as it is long, so
    that it is known by its address; it is held, lest another comes to lie there. What comes from no file is not held:
    cases make functions without end."""

    def __init__(self):
        self._places = {}

    def of(self, code):
        known = self._places.get(id(code))
        if known is None:
            if not code.co_filename.startswith(os.sep):
                return -1
            known = self._places[id(code)] = (code, -1 if _is_silent(code) else _place(code))
        return known[1]


def exact(counters, size, disable):
    """Counts a line whenever it runs."""
    place_of = _Places().of
    imports, nothing, functions = _imports, {}, {}

    def on_line(code, line):
        at = functions.get(id(code), nothing).get(line)
        if at is None:
            place = place_of(code)
            if place < 0:
                return disable
            at = functions.setdefault(id(code), {})[line] = (place + line * _STEP) % size
        if imports[0]:
            return None
        count = counters[at]
        if count < 255:
            counters[at] = count + 1
        return None

    return on_line


def cheap(counters, size, disable):
    """Counts a line once in a case, until it has run in so many that it is no news. No two lines share a counter while
    there are free ones: what is rare would be as common as what it shares one with."""
    place_of = _Places().of
    imports, inputs, nothing = _imports, _inputs, {}
    before = inputs[0] + 1
    lines = {}
    # The same by the address of the function and the number in it, which is asked whenever a line runs.
    functions = {}
    taken = bytearray(size)

    def free(at):
        found = taken.find(0, at)
        return found if found >= 0 else max(taken.find(0), 0)

    def learn(code, line, place):
        number = place + line * _STEP
        known = lines.get(number)
        if known is None:
            known = lines[number] = [free(number % size), 0, -1]
            taken[known[0]] = 1
        functions.setdefault(id(code), {})[line] = known
        return known

    def is_common(count):
        """Whether a line is that has run in so many cases before this one."""
        return count >= _OFTEN or (count >= _FEW and count * _COMMON_ONE_IN >= inputs[0] - before)

    def on_line(code, line):
        known = functions.get(id(code), nothing).get(line)
        if known is None:
            place = place_of(code)
            if place < 0:
                return disable
            if imports[0]:
                return None
            known = learn(code, line, place)
        at = known[0]
        if counters[at] or imports[0]:
            return None
        if known[2] != inputs[0]:
            if is_common(known[1]):
                known[1] = _OFTEN  # in other code of the same place, too
                return disable
            known[1] += 1
            known[2] = inputs[0]
        counters[at] = 1
        return None

    return on_line


def imports(disable):
    """What is called where code begins, and where it ends by a return or by an exception: only of modules it is asked
    again, but for exceptions, of which nobody can be spared."""

    def on_start(code, _at):
        if code.co_name != _MODULE:
            return disable
        _imports[0] += 1
        return None

    def on_return(code, _at, _value):
        if code.co_name != _MODULE:
            return disable
        # The script of the testee itself began before anybody listened.
        _imports[0] = max(_imports[0] - 1, 0)
        return None

    def on_unwind(code, at, error):
        if code.co_name == _MODULE:
            on_return(code, at, error)

    return on_start, on_return, on_unwind


def _listen(counters, size, is_exact):
    monitoring = sys.monitoring
    tool, events = monitoring.COVERAGE_ID, monitoring.events
    on_line = (exact if is_exact else cheap)(counters, size, monitoring.DISABLE)
    monitoring.use_tool_id(tool, "ndproof")
    heard = (events.LINE, events.PY_START, events.PY_RETURN, events.PY_UNWIND)
    for event, callback in zip(heard, (on_line,) + imports(monitoring.DISABLE)):
        monitoring.register_callback(tool, event, callback)
    monitoring.set_events(tool, sum(heard))
