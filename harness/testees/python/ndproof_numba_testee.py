"""The testee for dicts that threads share: numba's typed.Dict.

It follows harness/testees/README.md and makes no judgements. Each case runs in a forked child, because a case may end
its process.
"""

import hashlib
import importlib.util
import os
import platform
import shutil
import sys

_HERE = os.path.dirname(os.path.abspath(__file__))
_BUILD = os.path.join(_HERE, "..", "..", "..", "build")
sys.path.insert(0, _HERE)

from numpy_testee import libraries, nursery  # noqa: E402
from numpy_testee.channel import send_hello  # noqa: E402

_COST = 16


def _installation():
    """A word for the files of the installed numba. numba's cache depends only on its version, but the code of its dicts
    is compiled into the code that uses them, so two installations that differ in a file must not share a cache."""
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


def _cache():
    """The folder for compiled code. numba only reads from a folder in which it can also write. ndproof fills the folder
    below build/ before it starts testees, which can only read it, and therefore use a copy."""
    folder = os.path.join(os.path.realpath(_BUILD), "numba-cache", _installation())
    if os.access(folder if os.path.isdir(folder) else os.path.realpath(_BUILD), os.W_OK):
        return folder
    own = os.path.join(os.environ.get("TMPDIR", "/tmp"), "numba-cache")
    if os.path.isdir(folder):
        shutil.copytree(folder, own)
    return own


def _prepare():
    """Imports and compiles everything. Compiled code is cached, so that this takes a second or two."""
    if os.path.isdir(_BUILD):
        os.environ.setdefault("NUMBA_CACHE_DIR", _cache())
    from numba_testee import server

    return server.serve, server.compile_pairs()


def _hello():
    """The JSON of HELLO."""
    version = libraries.version("numba")
    return {
        "protocol": 1,
        "implementation": "numba",
        "version": version,
        "language": "%s %s" % (platform.python_implementation(), platform.python_version()),
        "endian": sys.byteorder,
        "kinds": "",
        "max_ndim": 0,
        "max_value_bytes": 0,
        "libraries": {"numba": version},
        "entries": [
            {"format": "typed.Dict", "library": "numba", "transport": ["threads"], "values": ["dict"], "cost": _COST}
        ],
    }


if __name__ == "__main__":
    greeting = _hello()
    if nursery.is_offered():
        # Importing numba takes longer than everything else. ndproof waits for the first process, not for HELLO.
        send_hello(4, dict(greeting, forks=True))
        serve, pairs = _prepare()
        nursery.serve_forks()
    else:
        serve, pairs = _prepare()
        send_hello(4, greeting)
    serve(3, 4, pairs)
