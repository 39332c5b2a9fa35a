"""Renders cases to scripts. Without an argument: the case on standard input; prints the script and exits with 0, or
prints the reason for its absence and exits with 3. With the argument `serve`, as `ndproof` starts it: one case after the
other, each as its size (8 bytes, little-endian) and its bytes; the answer is a code (0 or 3), the size of the text, both
of 8 bytes, and the text."""

import io
import os
import struct
import sys

if __package__ in (None, ""):
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from replay_script.case import Case, Refused  # noqa: E402
from replay_script.questions import render  # noqa: E402

REFUSED = 3
_SIZE = struct.Struct("<Q")
_ANSWER = struct.Struct("<QQ")


def _answer(stream):
    """The code and the text for a case."""
    try:
        return 0, render(Case(stream)).encode("ascii", "backslashreplace")
    except Refused as reason:
        return REFUSED, str(reason).encode("ascii", "backslashreplace")


def _serve(source, sink):
    while True:
        header = source.read(_SIZE.size)
        if len(header) < _SIZE.size:
            return 0
        code, text = _answer(io.BytesIO(source.read(_SIZE.unpack(header)[0])))
        sink.write(_ANSWER.pack(code, len(text)) + text)
        sink.flush()


def main():
    if sys.argv[1:] == ["serve"]:
        return _serve(sys.stdin.buffer, sys.stdout.buffer)
    code, text = _answer(sys.stdin.buffer)
    sys.stdout.buffer.write(text + b"\n" if code else text)
    return code


sys.exit(main())
