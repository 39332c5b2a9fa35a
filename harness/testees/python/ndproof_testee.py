"""The NumPy testee of ndproof: numpy's encoders and decoders, and CPython's pickle for arrays.

It follows harness/testees/README.md and makes no judgements. ndproof starts it as `python3 ndproof_testee.py`, under
any interpreter from 3.8 on that has NumPy. Each `--codec NAME` adds a codec by import path (numpy_testee/codec_functions.py).
"""

import faulthandler
import os
import sys

# Needed when the interpreter does not put the script's folder on its path (python3 -I, -P).
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

# Nothing here multiplies matrices, and starting threads for it is a third of the start time.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy  # noqa: E402, F401  (with its own compiled files)


def _keep_compiled():
    """Caches compiled modules, because compiling takes as long as importing NumPy, and every crash starts a testee.
    With PYTHONDONTWRITEBYTECODE the cache is below build/ instead of beside the sources. ndproof fills it before it
    starts testees, which can only read it."""
    if not sys.dont_write_bytecode:
        return
    here = os.path.dirname(os.path.abspath(__file__))
    build = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(here))), "build")
    if os.access(build, os.W_OK):
        sys.dont_write_bytecode = False
    if os.path.isdir(build):
        sys.pycache_prefix = os.path.join(build, "pycache")


_before = sys.pycache_prefix, sys.dont_write_bytecode
_keep_compiled()

from numpy_testee import codec_functions, libraries, nursery  # noqa: E402
from numpy_testee.channel import send_hello  # noqa: E402
from numpy_testee.interpreter import hello, serve  # noqa: E402

if __name__ == "__main__":
    codec_functions.use(sys.argv[2::2])  # --codec NAME, repeated
    greeting = hello()
    # The libraries under test decide themselves about compiled files.
    sys.pycache_prefix, sys.dont_write_bytecode = _before
    is_forked = nursery.is_offered()
    if is_forked:
        send_hello(4, dict(greeting, forks=True))
        nursery.serve_forks(libraries.imports())
    # A crash then prints its location, which ndproof records.
    faulthandler.enable(all_threads=False)
    serve(3, 4, greeting, is_forked)
