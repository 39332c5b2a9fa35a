"""The testee for dicts that threads share: numba's typed.Dict.

Speaks the protocol of harness/testees/README.md and judges nothing. Each case runs in a forked child, because what is
tried here may end the process that tries it.
"""

import os
import sys

_HERE = os.path.dirname(os.path.abspath(__file__))
_BUILD = os.path.join(_HERE, "..", "..", "..", "build")
sys.path.insert(0, _HERE)
# What is compiled once is kept, so that a new process starts in a second.
if os.path.isdir(_BUILD):
    os.environ.setdefault("NUMBA_CACHE_DIR", os.path.join(os.path.realpath(_BUILD), "numba-cache"))

from numba_testee.server import serve  # noqa: E402

if __name__ == "__main__":
    serve(3, 4)
