"""joblib's files: all entry points of joblib.dump and joblib.load. Imported on first use of joblib."""

import importlib.util
import io
import os
import pickle

# joblib uses files for compression and for arrays between processes. They must stay in the testee's own folder.
os.environ["JOBLIB_TEMP_FOLDER"] = os.getcwd()

import joblib  # noqa: E402

from .formats import Encoded  # noqa: E402
from .refusal import Unsupported  # noqa: E402
from .variants import loaded, saved  # noqa: E402

_LEVEL = 3
_LZ4 = b"\x04\x22\x4d\x18"
_HAS_LZ4 = importlib.util.find_spec("lz4") is not None
# joblib 1.2.0 added bytes before array data, which older releases read as a part of the pickle.
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
                break  # joblib itself will report the error
    return content


def _require(encoded):
    """Refuses files of other programs that this release of joblib does not support."""
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
    # Writes through r+ must not reach other decoders of the same encoding.
    path = encoded.file(path, is_shared=step.mode != "r+")
    return joblib.load(path, mmap_mode=step.mode), path


def _save(step, file, value):
    joblib.dump(value, file, protocol=step.protocol)


def _load(step, case, file):
    return joblib.load(file)


def _required(decode):
    def decode_required(encoded, path, step, case):
        _require(encoded)
        return decode(encoded, path, step, case)

    return decode_required


def _plain_only(decode):
    """A decoder of several values in one file. A compressed value ends where its file ends."""

    def decode_plain(encoded, path, step, case):
        content = encoded.read()
        if any(one.prefix and content.startswith(one.prefix) for one in joblib.numpy_pickle_utils._COMPRESSORS.values()):
            raise Unsupported("a compressed value is a file of its own")
        return decode(encoded, path, step, case)

    return decode_plain


def _file_variants():
    """The kinds of file objects, and of paths, by the names of their entries."""
    encoders = {"object:" + kind: saved(kind, _save) for kind in ("memory", "offset", "sequence", "memory-sequence", "stream", "pipe", "gzip")}
    decoders = {"object:" + kind: loaded(kind, _load, _save) for kind in ("memory", "stream", "pipe", "gzip", "zip")}
    decoders.update(("object:" + kind, _plain_only(loaded(kind, _load, _save))) for kind in ("offset", "sequence", "memory-sequence"))
    encoders["file:path"] = saved("path", _save)
    decoders.update(("file:" + kind, loaded(kind, _load, _save)) for kind in ("path", "bytes"))
    return encoders, {name: _required(decode) for name, decode in decoders.items()}


_COMPRESSORS = ("zlib", "gzip", "bz2", "lzma", "xz", "lz4")
ENCODERS = {"file": _dump_file, "object": _dump_object}
ENCODERS.update((name, _dump_compressed(name)) for name in _COMPRESSORS)
_PLAIN = {"file": _load_file, "object": _load_object, **dict.fromkeys(("mmap:r", "mmap:r+", "mmap:c"), _load_mapped)}
_VARIANTS = _file_variants()
ENCODERS.update(_VARIANTS[0])
DECODERS = {**_PLAIN, **_VARIANTS[1]}


def claims(has_lz4):
    """The claimed entries. Compressors and kinds of files do not depend on the protocol, so each has only one."""
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        yield {"protocol": protocol, "encode": ["file", "object"], "decode": list(_PLAIN)}
    compressors = [name for name in _COMPRESSORS if has_lz4 or name != "lz4"]
    yield {"protocol": pickle.DEFAULT_PROTOCOL, "encode": compressors, "settings": True}
    encoders, decoders = map(list, _VARIANTS)
    yield {"protocol": pickle.DEFAULT_PROTOCOL, "encode": encoders, "decode": decoders, "variant": True}
