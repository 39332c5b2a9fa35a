"""Variants: other ways to call NumPy's and pickle's entry points. Each is an entry of its own.

`path`, `bytes`, `offset`, `sequence`, `memory-sequence`, `stream`, `pipe`, `gzip`, `bz2`, `zip`, `memory` and `object` are kinds of files
(file_objects.py). A word after the entry that is called is a setting or the form of the arguments: `:numpy` passes
NumPy scalars by position, `:keyword` passes Python's own types by keyword.
"""

import functools
import io
import pickle

import numpy
from numpy.lib import format as npy

from . import file_objects
from .formats import Assumed, Encoded, is_f_only, load_members, members, refuse_objects
from .refusal import Unsupported
from .values import fill_start

_HEADER_LIMIT = 1 << 24  # more than the header of any value
_MODES = ("r", "r+", "c")


def saved(kind, save):
    """An encoder that saves to a kind of file object by `save(step, file, value)`."""
    write = file_objects.WRITERS[kind]
    return lambda value, path, step: Encoded(write(path, functools.partial(save, step), value))


def loaded(kind, load, save):
    """A decoder that loads from a kind by `load(step, case, file)`; `save` writes the other values of a sequence."""
    read = file_objects.READERS[kind]

    def decode(encoded, path, step, case):
        call = functools.partial(load, step, case)
        return read(path, encoded.read(), call, functools.partial(save, step)), path

    return decode


def _save_npy(step, file, value):
    numpy.save(file, value)


def _load_npy(step, case, file):
    return numpy.load(file, allow_pickle=case.has_objects)


def _read_npy(step, case, file):
    return npy.read_array(file, allow_pickle=case.has_objects)


def _load_stream(encoded, path, step, case):
    # An unpickler needs all bytes of a read; read_array asks again for the rest of the elements.
    kind = "stream" if case.has_objects else "raw-stream"
    return loaded(kind, _read_npy, _save_npy)(encoded, path, step, case)


def _save_refusing(array, path, step):
    numpy.save(path, array, allow_pickle=False)
    return Encoded(path=path)


def _load_refusing(encoded, path, step, case):
    path = encoded.file(path)
    return numpy.load(path, allow_pickle=False), path


def _load_long(encoded, path, step, case):
    path = encoded.file(path)
    if "max_header_size" not in numpy.load.__code__.co_varnames:
        raise Unsupported("this release has no max_header_size")
    return numpy.load(path, allow_pickle=case.has_objects, max_header_size=_HEADER_LIMIT), path


def _save_positional(array, path, step):
    numpy.save(path, array, numpy.bool_(True))
    return Encoded(path=path)


def _load_positional(encoded, path, step, case):
    path = encoded.file(path)
    return numpy.load(path, None, numpy.bool_(case.has_objects), numpy.bool_(True), numpy.str_("ASCII")), path


def _load_map_positional(encoded, path, step, case):
    path = encoded.file(path, is_shared=step.mode != "r+")
    return numpy.load(path, numpy.str_(step.mode), numpy.bool_(case.has_objects)), path


def _extents(shape):
    """The extents as NumPy scalars, small ones narrow."""
    return tuple((numpy.int32 if extent < 1 << 31 else numpy.int64)(extent) for extent in shape)


def _save_mapped_positional(array, path, step):
    mapped = npy.open_memmap(path, "w+", array.dtype, _extents(array.shape), numpy.bool_(is_f_only(array)))
    mapped[...] = array
    mapped.flush()
    return Encoded(path=path)


def _save_mapped_keyword(array, path, step):
    mapped = npy.open_memmap(
        filename=path, mode="w+", dtype=array.dtype, shape=array.shape, fortran_order=is_f_only(array)
    )
    mapped[...] = array
    mapped.flush()
    return Encoded(path=path)


def _save_npz(step, file, value):
    numpy.savez(file, **members(value))


def _load_npz(step, case, file):
    return load_members(file, case)


def _load_npz_mapped(encoded, path, step, case):
    path = encoded.file(path, is_shared=step.mode != "r+")
    return load_members(path, case, mmap_mode=step.mode), path


def _save_unnamed(value, path, step):
    if type(value) is not dict or list(value) != ["arr_%d" % number for number in range(len(value))]:
        raise Unsupported("arrays without names become the members arr_0, arr_1, ... in this order")
    numpy.savez(path, *value.values())
    return Encoded(path=path)


def _raw_mapped(array, path, step, mapped):
    mapped[...] = array
    mapped.flush()
    fill_start(path, step.offset)
    return Encoded(path=path)


def _raw_mapped_positional(array, path, step):
    refuse_objects(array.dtype)
    order = numpy.str_("F" if is_f_only(array) else "C")
    offset = numpy.int64(step.offset)
    return _raw_mapped(
        array, path, step, numpy.memmap(path, array.dtype, "w+", offset, _extents(array.shape), order)
    )


def _plain_shape(shape):
    """One extent as an integer, several as a list."""
    return int(shape[0]) if len(shape) == 1 else list(shape)


def _raw_mapped_keyword(array, path, step):
    refuse_objects(array.dtype)
    mapped = numpy.memmap(
        filename=path, dtype=array.dtype, mode="w+", offset=step.offset, shape=_plain_shape(array.shape),
        order="F" if is_f_only(array) else "C",
    )  # fmt: skip
    return _raw_mapped(array, path, step, mapped)


def _unraw_positional(encoded, path, step, case):
    told = Assumed(case)
    path = encoded.file(path)
    flat = numpy.fromfile(path, told.dtype, numpy.int64(told.count), "", numpy.int64(step.offset))
    return flat.reshape(_extents(told.shape), order=numpy.str_(told.order)), path


def _unraw_object(encoded, path, step, case):
    told = Assumed(case)
    path = encoded.file(path)
    with open(path, "rb") as file:
        file.seek(step.offset)
        flat = numpy.fromfile(file=file, dtype=told.dtype, count=told.count)
    return flat.reshape(told.shape, order=told.order), path


def _unraw_mapped_positional(encoded, path, step, case):
    told = Assumed(case)
    path = encoded.file(path, is_shared=step.mode != "r+")
    order = numpy.str_(told.order)
    return numpy.memmap(path, told.dtype, step.mode, numpy.int64(step.offset), _extents(told.shape), order), path


def _unraw_mapped_keyword(encoded, path, step, case):
    told = Assumed(case)
    path = encoded.file(path, is_shared=step.mode != "r+")
    mapped = numpy.memmap(
        filename=path, dtype=told.dtype, mode=step.mode, offset=step.offset, shape=_plain_shape(told.shape),
        order=told.order,
    )  # fmt: skip
    return mapped, path


def _dump(step, file, value):
    pickle.dump(value, file, step.protocol)


def _undump(step, case, file):
    return pickle.load(file)


def _pickle_without_fix(array, path, step):
    return Encoded(pickle.dumps(array, step.protocol, fix_imports=False))


def _unpickle_without_fix(encoded, path, step, case):
    return pickle.load(io.BytesIO(encoded.read()), fix_imports=False), None


def _through(kinds, save):
    return {kind: saved(kind, save) for kind in kinds}


def _from(kinds, load, save):
    return {kind: loaded(kind, load, save) for kind in kinds}


def _maps(ending, code):
    return {"mmap:%s%s" % (mode, ending): code for mode in _MODES}


_NPY_OBJECTS = ("path", "offset", "sequence", "memory-sequence", "stream", "pipe", "gzip", "bz2", "zip")
ENCODERS = {
    "npy": {
        **_through(_NPY_OBJECTS, _save_npy),
        "file:no-pickle": _save_refusing,
        "file:numpy": _save_positional,
        "mapped:numpy": _save_mapped_positional,
        "mapped:keyword": _save_mapped_keyword,
    },
    "npz": {**_through(("path", "stream", "pipe"), _save_npz), "positional": _save_unnamed},
    "raw": {"mapped:numpy": _raw_mapped_positional, "mapped:keyword": _raw_mapped_keyword},
    "pickle": {**_through(("offset", "sequence", "memory-sequence", "stream", "pipe", "gzip"), _dump), "c:no-fix-imports": _pickle_without_fix},
}
DECODERS = {
    "npy": {
        **_from(("path", "bytes", "offset", "sequence", "memory-sequence", "gzip", "bz2", "zip"), _load_npy, _save_npy),
        "stream": _load_stream,
        "file:no-pickle": _load_refusing,
        "file:max-header": _load_long,
        "file:numpy": _load_positional,
        "mmap:c:numpy": _load_map_positional,
    },
    "npz": {**_from(("path", "bytes", "object", "gzip"), _load_npz, _save_npz), **_maps("", _load_npz_mapped)},
    "raw": {
        "object": _unraw_object,
        "file:numpy": _unraw_positional,
        **_maps(":numpy", _unraw_mapped_positional),
        "mmap:c:keyword": _unraw_mapped_keyword,
    },
    "pickle": {
        **_from(("offset", "sequence", "memory-sequence", "stream", "pipe", "gzip"), _undump, _dump),
        "c:no-fix-imports": _unpickle_without_fix,
    },
}
_OBJECT_WAYS = {
    "npy": (*_NPY_OBJECTS, "bytes", "file:numpy", "file:max-header"),
    "npz": ("path", "bytes", "object", "stream", "pipe", "gzip"),
}
_GRAPHS_ONLY = ("positional",)
# Pickles in files: the default protocols of Python 3.8 to 3.14.
_FILE_PROTOCOLS = ((4, ""), (5, "in-band"))
_OLD_PROTOCOLS = ((1, ""), (2, ""))  # whose names of modules are those of Python 2


def _ways(form, kinds):
    return {
        "encode": [way for way in ENCODERS[form] if way in kinds],
        "decode": [way for way in DECODERS[form] if way in kinds],
    }


def _values_of(form, way):
    if way in _GRAPHS_ONLY:
        return ("graph",)
    return ("array", "graph") if way in _OBJECT_WAYS.get(form, ()) else ("array",)


def claims():
    """The claimed entries."""
    for form in ("npy", "npz", "raw"):
        every = dict.fromkeys((*ENCODERS[form], *DECODERS[form]))
        for values in (("array", "graph"), ("graph",), ("array",)):
            kinds = [way for way in every if _values_of(form, way) == values]
            if kinds:
                claim = {"format": form, "library": "numpy", "values": list(values), "variant": True}
                yield dict(claim, **_ways(form, kinds))
    for protocols, kinds in (
        (_FILE_PROTOCOLS, [way for way in ENCODERS["pickle"] if ":" not in way]),
        (_OLD_PROTOCOLS, ["c:no-fix-imports"]),
    ):
        for protocol, buffers in protocols:
            claim = {"format": "pickle", "library": "numpy", "values": ["array", "graph"], "variant": True}
            yield dict(claim, protocol=protocol, buffers=buffers, **_ways("pickle", kinds))
