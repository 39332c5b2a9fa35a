"""Runs the snippet that is named on the command line and prints the descriptor of its last value.

Exits with 0, or prints one line with the reason: with 5 if a descriptor cannot express the value, with 2 if the snippet
fails or has no value. Output of the snippet itself goes to standard error.
"""

import json
import os
import sys
import traceback

if __package__ in (None, ""):
    sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# Before the snippet runs, whose folder may contain modules of any name.
from snippet.check import describe_exactly  # noqa: E402
from snippet.reason import Inexpressible  # noqa: E402
from snippet.run import NoValue, last_value  # noqa: E402

FAILED, INEXPRESSIBLE = 2, 5


def answer(path, out):
    """Writes the descriptor or the reason to `out`, and returns the exit code."""
    try:
        value = last_value(path)
    except NoValue as reason:
        out.write("%s\n" % reason)
        return FAILED
    except BaseException as error:  # the snippet may raise anything, also SystemExit
        frames = error.__traceback__
        while frames is not None and frames.tb_frame.f_code.co_filename != path:
            frames = frames.tb_next
        traceback.print_exception(type(error), error, frames)
        out.write("the snippet raised %s: %s\n" % (type(error).__name__, " ".join(str(error).split())))
        return FAILED
    try:
        out.write(json.dumps({"ndproof": 1, "value": describe_exactly(value)}) + "\n")
    except Inexpressible as reason:
        out.write("%s\n" % reason)
        return INEXPRESSIBLE
    return 0


def main():
    out = os.fdopen(os.dup(1), "w", encoding="ascii", errors="backslashreplace")
    os.dup2(2, 1)  # what the snippet prints is no descriptor
    code = answer(sys.argv[1], out)
    out.flush()
    os._exit(code)  # threads and exit handlers of the snippet do not delay the answer


if __name__ == "__main__":
    main()
