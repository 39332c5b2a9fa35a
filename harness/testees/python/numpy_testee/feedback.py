"""Feedback: counts which lines run, in memory that the harness shares and fuzzers take for coverage.

`NDPROOF_COUNTERS` says where: "<descriptor> <bytes> <cheap|exact>". Needs sys.monitoring (Python 3.12). In the cheap
mode a line is counted when it runs for the first time in this process; in the exact mode whenever it runs, so that a
case counts the same wherever it comes in a run.
"""

import mmap
import os
import sys
import zlib

_OWN = os.path.dirname(os.path.abspath(__file__)) + os.sep
# What every message needs tells nothing of the case.
_SILENT = (_OWN, os.sep + "json" + os.sep, "<frozen ")
_STEP = 2654435761


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


def _place(code):
    """Where the lines of a function begin; the same in every process and wherever the library is installed."""
    path = code.co_filename.replace(os.sep, "/").split("site-packages/")[-1].split("/lib/python")[-1]
    return zlib.crc32(("%s %s" % (path, code.co_qualname)).encode())


def _listen(counters, size, is_exact):
    monitoring = sys.monitoring
    tool = monitoring.COVERAGE_ID
    places = {}
    disable = monitoring.DISABLE
    after = None if is_exact else disable

    def on_line(code, line):
        place = places.get(code)
        if place is None:
            is_silent = any(part in code.co_filename for part in _SILENT)
            place = places[code] = -1 if is_silent else _place(code)
        if place < 0:
            return disable
        at = (place + line * _STEP) % size
        count = counters[at]
        if count < 255:
            counters[at] = count + 1
        return after

    monitoring.use_tool_id(tool, "ndproof")
    monitoring.register_callback(tool, monitoring.events.LINE, on_line)
    monitoring.set_events(tool, monitoring.events.LINE)
