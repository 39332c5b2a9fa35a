"""Feedback: counts executed lines in memory that ndproof shares, which fuzzers use as coverage.

`NDPROOF_COUNTERS` specifies the memory: "<descriptor> <bytes> <cheap|exact>". Needs sys.monitoring (Python 3.12).

cheap: a line that has run in many cases of this process, or in some and in half of all, is no longer counted and then
costs nothing. Rare lines are counted in every case. An input that the engine runs several times in a row, to test its
stability, is one case, and each run counts the same.

exact: a line is counted whenever it runs, so the counts of a case do not depend on earlier cases.

Neither mode counts code that runs while a module is imported: it runs once per process and says nothing about the case.
Neither mode counts code without a file: a case created it, and each of its names would be new.
"""

import collections
import mmap
import os
import sys
import zlib

_OWN = os.path.dirname(os.path.abspath(__file__)) + os.sep
# Code that runs for every message carries no information.
_SILENT = (_OWN, os.sep + "json" + os.sep)
_MODULE = "<module>"
DESCRIPTOR = 5
_STEP = 2654435761
_OFTEN = 128
# A line that has run in this share of the cases is common. Counting common lines takes longer than the case. A smaller
# share may still lead to rare lines.
_FEW = 16
_COMMON_ONE_IN = 2
# An input is a few messages, which are repeated when it runs again.
_recent = collections.deque(maxlen=16)
_inputs = [0]
# The depth of nested module imports.
_imports = [0]


def start():
    """Starts counting when ndproof asks for it and the interpreter supports it. Returns whether it does."""
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
    """Registers a message. A message that was seen a few messages ago belongs to an input that runs again."""
    key = zlib.crc32(binary, zlib.crc32(text.encode()))
    if key not in _recent:
        _recent.append(key)
        _inputs[0] += 1


def _place(code):
    """The base number of a function's lines, equal in every process and independent of the installation path."""
    path = code.co_filename.replace(os.sep, "/").split("site-packages/")[-1].split("/lib/python")[-1]
    return zlib.crc32(("%s %s" % (path, code.co_qualname)).encode())


def _is_silent(code):
    return code.co_name == _MODULE or any(part in code.co_filename for part in _SILENT)


class _Places:
    """Caches the base number of functions. Hashing a code object is slow, so the key is its address; a reference keeps
    the address from being reused. Functions without a file are not cached, because cases create them without end."""

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
    """Counts a line once per case until it is common. Lines do not share a counter while there are free ones, because a
    rare line would be lost beside a common one."""
    place_of = _Places().of
    imports, inputs, nothing = _imports, _inputs, {}
    before = inputs[0] + 1
    lines = {}
    # The same by address and line, looked up whenever a line runs.
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
        """Whether a line that has run in so many earlier cases is common."""
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
                known[1] = _OFTEN  # also for other code with the same number
                return disable
            known[1] += 1
            known[2] = inputs[0]
        counters[at] = 1
        return None

    return on_line


def imports(disable):
    """Callbacks for the start of code, and for its end by a return or an exception. They stay active for modules only,
    except for exceptions, which cannot be disabled."""

    def on_start(code, _at):
        if code.co_name != _MODULE:
            return disable
        _imports[0] += 1
        return None

    def on_return(code, _at, _value):
        if code.co_name != _MODULE:
            return disable
        # The testee's script itself began before monitoring did.
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
