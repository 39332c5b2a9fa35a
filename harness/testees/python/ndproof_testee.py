"""The NumPy testee of ndproof: numpy's own encoders and decoders, and CPython's pickle for arrays.

Speaks the protocol of harness/testees/README.md and judges nothing. Started by the harness as
`python3 ndproof_testee.py`, under any interpreter from 3.8 on that has NumPy.
"""

import faulthandler
import os
import sys

# Also where the interpreter does not put the script's folder on its path (python3 -I, -P).
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

# Nothing here multiplies matrices, and starting threads for it is a third of what starting the testee costs.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from numpy_testee.interpreter import serve  # noqa: E402

if __name__ == "__main__":
    # A crash then says where it was; the harness keeps what is printed.
    faulthandler.enable(all_threads=False)
    serve(3, 4)
