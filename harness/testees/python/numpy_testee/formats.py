"""Formats: all encoders and decoders of NumPy that the testee claims.

An encoder takes (array, path, step) and returns an `Encoded`. A decoder takes (encoded, path, step, case) and returns
an array and the path of the file that it works on, or None.
"""

import io
import os
import pickle

import numpy
from numpy.lib.format import open_memmap

from .dtypes import build_dtype, integers
from .refusal import Refused, Unsupported
from .values import FILLER, fill_start


def _content(path):
    """The bytes of a file, with fewer system calls than a file object makes."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        size = os.fstat(descriptor).st_size
        content = os.read(descriptor, size)
        while len(content) < size:
            more = os.read(descriptor, size - len(content))
            if not more:
                break
            content += more
    finally:
        os.close(descriptor)
    return content


class Encoded:
    """Bytes, or the file that holds them, and out-of-band buffers."""

    __slots__ = ("content", "path", "buffers")

    def __init__(self, content=None, path=None, buffers=()):
        self.content = content
        self.path = path
        self.buffers = buffers

    def read(self):
        if self.content is None:
            self.content = _content(self.path)
        return self.content

    def file(self, path, is_shared=True):
        """A file with these bytes: the encoder's own when it may be shared, else a new one at `path`."""
        if self.path is not None and is_shared:
            return self.path
        with open(path, "wb") as file:
            file.write(self.read())
        return path


def _save_memory(array, path, step):
    buffer = io.BytesIO()
    numpy.save(buffer, array)
    return Encoded(buffer.getvalue())


def _save_file(array, path, step):
    numpy.save(path, array)
    return Encoded(path=path)


def is_f_only(array):
    return array.flags.f_contiguous and not array.flags.c_contiguous


def _save_mapped(array, path, step):
    mapped = open_memmap(path, "w+", array.dtype, array.shape, is_f_only(array))
    mapped[...] = array
    mapped.flush()
    return Encoded(path=path)


def _load_memory(encoded, path, step, case):
    return numpy.load(io.BytesIO(encoded.read()), allow_pickle=case.has_objects), None


def _load_file(encoded, path, step, case):
    path = encoded.file(path)
    return numpy.load(path, allow_pickle=case.has_objects), path


def _load_mapped(encoded, path, step, case):
    # Writes through r+ must not reach other decoders of the same encoding.
    path = encoded.file(path, is_shared=step.mode != "r+")
    return numpy.load(path, mmap_mode=step.mode, allow_pickle=case.has_objects), path


def members(value):
    """The members of an archive: those of a dict, or the array as `a`."""
    return value if type(value) is dict else {"a": value}


def _savez_memory(value, path, step):
    buffer = io.BytesIO()
    numpy.savez(buffer, **members(value))
    return Encoded(buffer.getvalue())


def _savez_compressed(value, path, step):
    buffer = io.BytesIO()
    numpy.savez_compressed(buffer, **members(value))
    return Encoded(buffer.getvalue())


def _savez_file(value, path, step):
    numpy.savez(path, **members(value))
    return Encoded(path=path)


def load_members(source, case, **options):
    archive = numpy.load(source, allow_pickle=case.has_objects, **options)
    if not isinstance(archive, numpy.lib.npyio.NpzFile):
        raise Refused("value", "not an archive")
    with archive:
        if not case.is_graph:
            return archive["a"]
        found = {name: archive[name] for name in archive.files}
    return found["a"] if list(found) == ["a"] and _is_objects(found["a"]) else found


def _loadz_memory(encoded, path, step, case):
    return load_members(io.BytesIO(encoded.read()), case), None


def _loadz_file(encoded, path, step, case):
    path = encoded.file(path)
    return load_members(path, case), path


def refuse_objects(dtype):
    if dtype.hasobject:
        raise Unsupported("an object array contains addresses, which raw bytes cannot express")


def _raw_memory(array, path, step):
    refuse_objects(array.dtype)
    return Encoded(FILLER * step.offset + array.tobytes("F" if is_f_only(array) else "C"))


def _raw_file(array, path, step):
    refuse_objects(array.dtype)
    with open(path, "wb") as file:
        file.write(FILLER * step.offset)
        file.flush()
        (array.T if is_f_only(array) else array).tofile(file)
    return Encoded(path=path)


def _raw_mapped(array, path, step):
    refuse_objects(array.dtype)
    order = "F" if is_f_only(array) else "C"
    mapped = numpy.memmap(path, array.dtype, "w+", step.offset, array.shape, order)
    mapped[...] = array
    mapped.flush()
    fill_start(path, step.offset)
    return Encoded(path=path)


class Assumed:
    """The dtype, shape and order that a case states for bytes without a header."""

    def __init__(self, case):
        spec = case.spec.get("as")
        if spec is None:
            raise Refused("value", "raw bytes need a dtype and a shape")
        self.dtype = build_dtype(spec["dtype"])
        refuse_objects(self.dtype)
        self.shape = integers(spec["shape"])
        self.order = spec.get("order", "C")
        self.count = 1
        for extent in self.shape:
            self.count *= extent


def _unraw_memory(encoded, path, step, case):
    told = Assumed(case)
    flat = numpy.frombuffer(encoded.read(), told.dtype, told.count, step.offset)
    return flat.reshape(told.shape, order=told.order), None


def _unraw_file(encoded, path, step, case):
    told = Assumed(case)
    path = encoded.file(path)
    flat = numpy.fromfile(path, told.dtype, told.count, offset=step.offset)
    return flat.reshape(told.shape, order=told.order), path


def _unraw_mapped(encoded, path, step, case):
    told = Assumed(case)
    path = encoded.file(path, is_shared=step.mode != "r+")
    return numpy.memmap(path, told.dtype, step.mode, step.offset, told.shape, told.order), path


# The limit of the protocol for one encoding. Objects in sub-arrays create a buffer each.
_MAX_BUFFERS = 16


def _few(buffers):
    if len(buffers) > _MAX_BUFFERS:
        raise Unsupported("%d out-of-band buffers" % len(buffers))
    return buffers


def _keep_to(step):
    """The list of out-of-band buffers, and the pickler's option that fills it."""
    buffers = []
    return buffers, {"buffer_callback": buffers.append} if step.buffers == "out-of-band" else {}


def _pickle_c(array, path, step):
    buffers, options = _keep_to(step)
    content = pickle.dumps(array, step.protocol, **options)
    return Encoded(content, buffers=_few(buffers))


def _pickle_python(array, path, step):
    buffers, options = _keep_to(step)
    sink = io.BytesIO()
    pickle._Pickler(sink, step.protocol, **options).dump(array)
    return Encoded(sink.getvalue(), buffers=_few(buffers))


def _buffers_of(encoded, step):
    return {"buffers": encoded.buffers} if step.buffers == "out-of-band" else {}


def _unpickle_c(encoded, path, step, case):
    return pickle.loads(encoded.read(), **_buffers_of(encoded, step)), None


def _unpickle_python(encoded, path, step, case):
    source = io.BytesIO(encoded.read())
    return pickle._Unpickler(source, **_buffers_of(encoded, step)).load(), None


ENCODERS = {
    "npy": {"memory": _save_memory, "file": _save_file, "mapped": _save_mapped},
    "npz": {"memory": _savez_memory, "file": _savez_file, "compressed": _savez_compressed},
    "raw": {"memory": _raw_memory, "file": _raw_file, "mapped": _raw_mapped},
    "pickle": {"c": _pickle_c, "python": _pickle_python},
}
_MAPS = ("mmap:r", "mmap:r+", "mmap:c")
DECODERS = {
    "npy": dict({"memory": _load_memory, "file": _load_file}, **dict.fromkeys(_MAPS, _load_mapped)),
    "npz": {"memory": _loadz_memory, "file": _loadz_file},
    "raw": dict({"memory": _unraw_memory, "file": _unraw_file}, **dict.fromkeys(_MAPS, _unraw_mapped)),
    "pickle": {"c": _unpickle_c, "python": _unpickle_python},
}
# The entry points that also take graphs: an array of objects, or for numpy.savez a dict of arrays. They would convert any
# other value to an array.
WITH_OBJECTS = {"npy": ("memory", "file"), "npz": ("memory", "file", "compressed")}


def _is_objects(value):
    return type(value) is numpy.ndarray and value.dtype.kind in "OT"


def _is_member(name, value):
    return type(name) is str and type(value) in (numpy.ndarray, numpy.memmap)


def check_graph(form, root):
    """Raises Unsupported if a format cannot take the graph with this root."""
    if form not in WITH_OBJECTS or _is_objects(root):
        return
    if form != "npz" or type(root) is not dict or not all(_is_member(*item) for item in root.items()):
        raise Unsupported("only an array of objects, and in an archive a dict of arrays, is a graph in this format")


def kinds_of(form):
    """The kinds of values of a format, with their entry points."""
    both = WITH_OBJECTS.get(form, ())
    rest = [way for way in dict.fromkeys((*ENCODERS[form], *DECODERS[form])) if way not in both]
    return [(values, ways) for values, ways in ((["array", "graph", "instance"], both), (["array"], rest)) if ways]


# Some libraries append their own suffix to a file name without it.
ENDINGS = {"npy": ".npy", "npz": ".npz", "raw": ".bin", "pickle": ".pkl"}
PICKLE_PROTOCOLS = tuple((protocol, "") for protocol in range(5)) + ((5, "in-band"), (5, "out-of-band"))
