"""joblib's files: every way in and out of joblib.dump and joblib.load. Imported only when joblib is asked for."""

import importlib.util
import io
import os
import pickle

# Compression, and arrays that travel between processes, work in files: they stay in the testee's own folder.
os.environ["JOBLIB_TEMP_FOLDER"] = os.getcwd()

import joblib  # noqa: E402

from .formats import Encoded  # noqa: E402
from .refusal import Unsupported  # noqa: E402

_LEVEL = 3
_LZ4 = b"\x04\x22\x4d\x18"
_HAS_LZ4 = importlib.util.find_spec("lz4") is not None
# joblib 1.2.0 put bytes before the data of an array, which older releases take for a part of the pickle.
_ALIGNMENT = b"numpy_array_alignment_bytes"
_KNOWS_ALIGNMENT = hasattr(joblib.numpy_pickle, "NUMPY_ARRAY_ALIGNMENT_BYTES")


def _dump_file(array, path, step):
    joblib.dump(array, path, protocol=step.protocol)
    return Encoded(path=path)


def _dump_object(array, path, step):
    with open(path, "wb") as file:
        joblib.dump(array, file, protocol=step.protocol)
    return Encoded(path=path)


def _dump_compressed(name):
    def dump(array, path, step):
        joblib.dump(array, path, compress=(name, step.level or _LEVEL), protocol=step.protocol)
        return Encoded(path=path)

    return dump


def _unpacked(content):
    for compressor in joblib.numpy_pickle_utils._COMPRESSORS.values():
        if compressor.prefix and content.startswith(compressor.prefix):
            try:
                return compressor.decompressor_file(io.BytesIO(content)).read()
            except Exception:
                break  # it is for joblib to say what is wrong with it
    return content


def _require(encoded):
    """What another program wrote may be what this joblib was never made for."""
    if encoded.path is not None:
        return
    if not _HAS_LZ4 and encoded.read().startswith(_LZ4):
        raise Unsupported("lz4 is not installed")
    if not _KNOWS_ALIGNMENT and _ALIGNMENT in _unpacked(encoded.read()):
        raise Unsupported("a file of joblib 1.2.0 or later")


def _load_file(encoded, path, step, case):
    _require(encoded)
    path = encoded.file(path)
    return joblib.load(path), path


def _load_object(encoded, path, step, case):
    _require(encoded)
    path = encoded.file(path)
    with open(path, "rb") as file:
        return joblib.load(file), path


def _load_mapped(encoded, path, step, case):
    _require(encoded)
    # Writes through r+ must not reach other readers of the same encoding.
    path = encoded.file(path, is_shared=step.mode != "r+")
    return joblib.load(path, mmap_mode=step.mode), path


_COMPRESSORS = ("zlib", "gzip", "bz2", "lzma", "xz", "lz4")
ENCODERS = {"file": _dump_file, "object": _dump_object}
ENCODERS.update((name, _dump_compressed(name)) for name in _COMPRESSORS)
DECODERS = dict({"file": _load_file, "object": _load_object}, **dict.fromkeys(("mmap:r", "mmap:r+", "mmap:c"), _load_mapped))


def claims(has_lz4):
    """The entries to claim. Compressors do not see the protocol: one is enough for them."""
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        yield {"protocol": protocol, "encode": ["file", "object"], "decode": list(DECODERS)}
    compressors = [name for name in _COMPRESSORS if has_lz4 or name != "lz4"]
    yield {"protocol": pickle.DEFAULT_PROTOCOL, "encode": compressors, "settings": True}
