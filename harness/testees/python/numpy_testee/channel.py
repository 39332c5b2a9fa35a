"""The channel: frames over two descriptors, independent of arrays."""

import functools
import json
import os
import struct

_HEADER = struct.Struct("<4sBBHIIQ")
_MAGIC = b"NDP1"
HELLO, BATCH, BEGIN, END = 1, 2, 3, 4


def leave(descriptors):
    """Keeps a forked worker from reading the testee's input and from keeping its channel open."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in descriptors:
        os.dup2(nothing, descriptor)
    os.close(nothing)


class Channel:
    """Reads frames from one descriptor and writes frames to another."""

    def __init__(self, read_descriptor, write_descriptor):
        for descriptor in (read_descriptor, write_descriptor):
            os.set_inheritable(descriptor, False)
        self._source = os.fdopen(read_descriptor, "rb", 1 << 18)
        self._sink = write_descriptor
        # Numbers instead of the channel object: registered objects are destroyed during the interpreter's shutdown, and
        # CPython 3.8 then crashes on closing a file.
        os.register_at_fork(after_in_child=functools.partial(leave, (read_descriptor, write_descriptor)))

    def read(self):
        """The next (sequence, JSON text, binary view), or None at the end."""
        header = self._source.read(_HEADER.size)
        if not header:
            return None
        if len(header) != _HEADER.size:
            raise ValueError("the header ends early")
        magic, kind, _, _, sequence, json_size, binary_size = _HEADER.unpack(header)
        if magic != _MAGIC or kind != BATCH:
            raise ValueError("not a BATCH frame: %r" % header)
        body = self._source.read(json_size + binary_size)
        if len(body) != json_size + binary_size:
            raise ValueError("the frame ends early")
        return sequence, body[:json_size].decode("utf-8"), memoryview(body)[json_size:]

    def write(self, parts):
        """Sends byte strings, as one write when the pipe accepts it."""
        data = b"".join(parts)
        done = os.write(self._sink, data)
        while done < len(data):
            done += os.write(self._sink, memoryview(data)[done:])


def frame(kind, index, sequence, text="", chunks=()):
    """One frame as a list of byte strings."""
    json_part = text.encode("utf-8")
    size = 0
    for chunk in chunks:
        size += len(chunk)
    return [_HEADER.pack(_MAGIC, kind, 0, index, sequence, len(json_part), size), json_part, *chunks]


def send_hello(descriptor, greeting):
    """Sends the frame HELLO with this JSON."""
    data = b"".join(frame(HELLO, 0, 0, json.dumps(greeting)))
    while data:
        data = data[os.write(descriptor, data) :]
