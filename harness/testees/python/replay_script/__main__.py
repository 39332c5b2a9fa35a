"""Renders the case on standard input: prints the script and exits with 0, or prints the reason for its absence and
exits with 3. Started by `ndproof replay --script` as `python3 harness/testees/python/replay_script`."""

import os
import sys

if __package__ in (None, ""):
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from replay_script.case import Case, Refused  # noqa: E402
from replay_script.questions import render  # noqa: E402

REFUSED = 3


def main():
    try:
        text = render(Case(sys.stdin.buffer))
    except Refused as reason:
        print(reason)
        return REFUSED
    sys.stdout.buffer.write(text.encode("ascii", "backslashreplace"))
    return 0


sys.exit(main())
