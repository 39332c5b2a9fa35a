"""The testee for dicts that threads share: numba's typed.Dict.

Speaks the protocol of harness/testees/README.md and judges nothing. Each case runs in a forked child, because what is
tried here may end the process that tries it.
"""

import hashlib
import importlib.util
import os
import sys

_HERE = os.path.dirname(os.path.abspath(__file__))
_BUILD = os.path.join(_HERE, "..", "..", "..", "build")
sys.path.insert(0, _HERE)


def _installation():
    """A word for the files of the numba that is here. numba tells what it compiled before by its version alone, and the
    code of its dicts is compiled into what uses them: two that differ in a file must not share that."""
    spec = importlib.util.find_spec("numba")
    told = hashlib.sha256()
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        for place, folders, names in os.walk(folder):
            folders.sort()
            for name in sorted(names):
                if not name.endswith(".pyc"):
                    status = os.stat(os.path.join(place, name))
                    told.update(("%s/%s %d %d\n" % (place, name, status.st_size, status.st_mtime_ns)).encode())
    return told.hexdigest()[:16]


# What is compiled once is kept, so that a new process starts in a second.
if os.path.isdir(_BUILD):
    os.environ.setdefault("NUMBA_CACHE_DIR", os.path.join(os.path.realpath(_BUILD), "numba-cache", _installation()))

from numba_testee.server import serve  # noqa: E402

if __name__ == "__main__":
    serve(3, 4)
