"""SciPy's archives of one sparse array or matrix. Imported on first use."""

import io

from .formats import Encoded
from .refusal import Unsupported

import scipy.sparse

FORM = "scipy.sparse.npz"


def _check(value):
    # scipy.sparse.save_npz documents its formats.
    if not scipy.sparse.issparse(value) or value.format not in ("csc", "csr", "bsr", "dia", "coo"):
        raise Unsupported("only sparse arrays and matrices of five formats are values of %s" % FORM)


def _save_memory(value, path, step, compressed=False):
    _check(value)
    buffer = io.BytesIO()
    scipy.sparse.save_npz(buffer, value, compressed=compressed)
    return Encoded(buffer.getvalue())


def _save_compressed(value, path, step):
    return _save_memory(value, path, step, True)


def _save_file(value, path, step):
    _check(value)
    path += ".npz"
    scipy.sparse.save_npz(path, value, compressed=False)
    return Encoded(path=path)


def _load_memory(encoded, path, step, case):
    return scipy.sparse.load_npz(io.BytesIO(encoded.read())), None


def _load_file(encoded, path, step, case):
    path = encoded.file(path)
    return scipy.sparse.load_npz(path), None


ENCODERS = {"memory": _save_memory, "file": _save_file, "compressed": _save_compressed}
DECODERS = {"memory": _load_memory, "file": _load_file}
