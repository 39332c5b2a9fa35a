"""Codecs by import path: functions that the command line, the configuration or the table below names.

A codec is "MODULE:FUNCTION>MODULE:FUNCTION": one function encodes, the other decodes. A third path names a function that
prepares both, and is called once. The name of the format is the encoder's module. Nothing is imported before a case.
"""

import importlib.util
import sys

from .codec_names import KNOWN, form_of, forms_of, package_of
from .formats import Encoded
from .import_paths import objects_at
from .refusal import Unsupported

ENTRY = "codec"


class Codec:
    """A codec by import path."""

    def __init__(self, text, values=("array", "graph", "instance")):
        self.values = values
        self._paths = text.split(">")
        self.path = self._paths[0]
        self.package = package_of(text)
        self._functions = None
        self._is_text = None  # whether the encoder returns text; None: not known yet

    def is_installed(self):
        return importlib.util.find_spec(self.package) is not None

    def _load(self):
        if self._functions is None:
            functions = [objects_at(path)[-1] for path in self._paths]
            for prepare in functions[2:]:
                prepare()
            self._functions = functions
        return self._functions

    def encode(self, value, path, step):
        content = self._load()[0](value)
        self._is_text = type(content) is str
        if self._is_text:
            content = content.encode("utf-8", "surrogatepass")
        if not isinstance(content, (bytes, bytearray, memoryview)):
            raise Unsupported("%s returns %s, which is neither text nor bytes" % (self.path, type(content).__name__))
        return Encoded(bytes(content))

    def decode(self, encoded, path, step, case):
        encode, decode = self._load()[:2]
        content = encoded.read()
        if self._is_text is None:  # the bytes of another process
            self._is_text = type(encode(0)) is str
        return decode(content.decode("utf-8", "surrogatepass") if self._is_text else content), None


_codecs = {}  # format -> its codec


def use(texts):
    """Sets the codecs: those of `texts`, and the known ones that are installed."""
    _codecs.clear()
    _codecs.update((form, Codec(text)) for form, text in forms_of(texts).items())
    for codec in (Codec(*known) for known in KNOWN):
        if codec.is_installed():
            _codecs.setdefault(form_of(codec.path), codec)


def codec_of(form):
    """The codec of a format, or None."""
    return _codecs.get(form)


def is_standard(codec):
    return codec.package in getattr(sys, "stdlib_module_names", ()) or not codec.is_installed()


def claims():
    """The claimed entries."""
    for form, codec in _codecs.items():
        library = "python" if is_standard(codec) else codec.package
        claim = {"format": form, "library": library, "values": list(codec.values), "functions": False}
        yield dict(claim, encode=[ENTRY], decode=[ENTRY])


def packages():
    """The packages of the codecs that are installed and not a part of Python."""
    return [codec.package for codec in _codecs.values() if not is_standard(codec)]
