"""The kinds of files that a call accepts besides a path: encoders and decoders of a format through each of them.

`save(file, value)` and `load(file)` are the calls under test. The encoding is always the plain bytes of the format, so
that any encoder's bytes suit any decoder. Files are made at `path`, which the next case overwrites. Modules that few
cases need are imported on first use, because a testee starts often.
"""

import contextlib
import importlib
import io
import os
import threading

import numpy

from .refusal import Refused, Unsupported

_BEFORE, _AFTER = b"\x80before" * 5, b"\xeeafter" * 9  # no multiple of an item
_FIRST, _LAST = numpy.array([3, 1], "i4"), numpy.array([2.5, 0.25, 8.0])  # the other values of a sequence
_MEMBER = "member"
# The fastest level of compression, which has no effect on the content, and the largest content: bz2 takes seconds for
# arrays of 16 MiB.
_LEVELS = {"gzip": (0, 1 << 62), "bz2": (1, 1 << 20)}


class _Sink(io.RawIOBase):
    """A stream that can only be written."""

    def __init__(self):
        self.parts = []

    def writable(self):
        return True

    def write(self, data):
        self.parts.append(bytes(data))
        return len(self.parts[-1])


class _Source(io.RawIOBase):
    """A stream that can only be read, at most a few bytes at a time, as from a socket."""

    _MOST = 1000

    def __init__(self, content):
        self._left = memoryview(content)

    def readable(self):
        return True

    def readinto(self, target):
        count = min(len(target), self._MOST, len(self._left))
        target[:count] = self._left[:count]
        self._left = self._left[count:]
        return count


def _write_offset(path, save, value):
    with open(path, "wb") as file:
        file.write(_BEFORE)
        save(file, value)
        end = file.tell()
        file.write(_AFTER)
    with open(path, "rb") as file:
        return file.read()[len(_BEFORE) : end]


def _write_three(file, save, value):
    """Saves the value between two others, and returns its bytes."""
    save(file, _FIRST)
    start = file.tell()
    save(file, value)
    end = file.tell()
    save(file, _LAST)
    file.seek(start)
    return file.read(end - start)


def _write_sequence(path, save, value):
    with open(path, "w+b") as file:
        return _write_three(file, save, value)


def _write_memory_sequence(path, save, value):
    return _write_three(io.BytesIO(), save, value)


def _write_stream(path, save, value):
    sink = _Sink()
    save(sink, value)
    return b"".join(sink.parts)


@contextlib.contextmanager
def _pipe(work):
    """The two ends of a pipe as descriptors, while `work(source, sink)` runs in a thread."""
    ends = os.pipe()
    thread = threading.Thread(target=work, args=ends)
    thread.start()
    try:
        yield ends
    finally:
        thread.join()


def _write_pipe(path, save, value):
    content = []

    def drain(source, sink):
        with os.fdopen(source, "rb") as file:
            content.append(file.read())

    with _pipe(drain) as (_, sink), os.fdopen(sink, "wb") as file:
        save(file, value)
    return content[0]


def _write_memory(path, save, value):
    file = io.BytesIO()
    save(file, value)
    return file.getvalue()


def _require_size(size, most):
    if size > most:
        raise Unsupported("more than %d bytes, which take seconds to compress" % most)


def _write_compressed(library):
    level, most = _LEVELS[library]

    def write(path, save, value):
        _require_size(getattr(value, "nbytes", 0), most)
        module = importlib.import_module(library)
        with module.open(path, "wb", level) as file:
            save(file, value)
        with module.open(path, "rb") as file:
            return file.read()

    return write


def _write_zip(path, save, value):
    import zipfile

    with zipfile.ZipFile(path, "w") as archive, archive.open(_MEMBER, "w", force_zip64=True) as file:
        save(file, value)
    with zipfile.ZipFile(path) as archive:
        return archive.read(_MEMBER)


def _write_path(path, save, value):
    import pathlib

    save(pathlib.Path(path), value)
    with open(path, "rb") as file:
        return file.read()


def _write_file(path, content):
    with open(path, "wb") as file:
        file.write(content)


def _read_offset(path, content, load, save):
    _write_file(path, _BEFORE + content + _AFTER)
    with open(path, "rb") as file:
        file.seek(len(_BEFORE))
        value = load(file)
        if file.tell() > len(_BEFORE) + len(content):
            raise Refused("truncated", "the call read on behind the value")
    return value


def _expect(got, expected):
    if type(got) is not numpy.ndarray or got.dtype != expected.dtype or not numpy.array_equal(got, expected):
        raise Refused("value", "another value of the file is read as %.60r" % (got,))


def _put_three(file, content, save):
    save(file, _FIRST)
    file.write(content)
    save(file, _LAST)


def _read_three(file, load):
    """The second of three values."""
    _expect(load(file), _FIRST)
    value = load(file)
    _expect(load(file), _LAST)
    return value


def _read_sequence(path, content, load, save):
    with open(path, "wb") as file:
        _put_three(file, content, save)
    with open(path, "rb") as file:
        return _read_three(file, load)


def _read_memory_sequence(path, content, load, save):
    file = io.BytesIO()
    _put_three(file, content, save)
    file.seek(0)
    return _read_three(file, load)


def _read_stream(path, content, load, save):
    return load(io.BufferedReader(_Source(content)))


def _read_raw_stream(path, content, load, save):
    return load(_Source(content))


def _read_pipe(path, content, load, save):
    def fill(source, sink):
        with contextlib.suppress(BrokenPipeError), os.fdopen(sink, "wb") as file:
            file.write(content)

    with _pipe(fill) as (source, _), os.fdopen(source, "rb") as file:
        return load(file)


def _read_memory(path, content, load, save):
    return load(io.BytesIO(content))


def _read_object(path, content, load, save):
    _write_file(path, content)
    with open(path, "rb") as file:
        return load(file)


def _read_compressed(library):
    level, most = _LEVELS[library]

    def read(path, content, load, save):
        _require_size(len(content), most)
        module = importlib.import_module(library)
        with module.open(path, "wb", level) as file:
            file.write(content)
        with module.open(path, "rb") as file:
            return load(file)

    return read


def _read_zip(path, content, load, save):
    import zipfile

    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(_MEMBER, content)
    with zipfile.ZipFile(path) as archive, archive.open(_MEMBER) as file:
        return load(file)


def _read_path(path, content, load, save):
    import pathlib

    _write_file(path, content)
    return load(pathlib.Path(path))


def _read_bytes(path, content, load, save):
    _write_file(path, content)
    return load(os.fsencode(path))


# The kinds: (path, save, value) -> the bytes that the call wrote.
WRITERS = {
    "path": _write_path,
    "memory": _write_memory,
    "offset": _write_offset,
    "sequence": _write_sequence,
    "memory-sequence": _write_memory_sequence,
    "stream": _write_stream,
    "pipe": _write_pipe,
    "gzip": _write_compressed("gzip"),
    "bz2": _write_compressed("bz2"),
    "zip": _write_zip,
}
# (path, the bytes of the format, load, save) -> the value that the call returned.
READERS = {
    "path": _read_path,
    "bytes": _read_bytes,
    "memory": _read_memory,
    "object": _read_object,
    "offset": _read_offset,
    "sequence": _read_sequence,
    "memory-sequence": _read_memory_sequence,
    "stream": _read_stream,
    "raw-stream": _read_raw_stream,
    "pipe": _read_pipe,
    "gzip": _read_compressed("gzip"),
    "bz2": _read_compressed("bz2"),
    "zip": _read_zip,
}
