"""Converts dtypes between the JSON of the protocol and NumPy's objects."""

import json
import marshal
import math
import re

import numpy

from .import_paths import objects_at
from .refusal import Refused, Unsupported

_SAFE_INTEGER = 2**53 - 1
_CACHE_LIMIT = 4096
_MAX_DEPTH = 60
_KINDS = frozenset("biufcSUVMmO")
_UNSAYABLE_TEXT = re.compile("[\0\ud800-\udfff]")
_IS_REGISTERED = 2  # isbuiltin of a type that a package registers
_built = {}
_printed = {}  # id of a dtype in _built -> its JSON
_sayable = set()  # JSON of structures and sub-arrays that numpy.dtype reproduces


def read_text(spec):
    """A field name or title. Text that JSON cannot express is given as code points."""
    if isinstance(spec, str):
        return spec
    return "".join(map(chr, spec["codepoints"]))


def print_text(text):
    """The JSON of a field name or title."""
    if _UNSAYABLE_TEXT.search(text):
        return '{"codepoints":[%s]}' % ",".join(str(ord(character)) for character in text)
    return json.dumps(text)


def integer(spec):
    """An integer of the protocol: a JSON number, or a decimal string above 2^53 - 1."""
    return spec if type(spec) is int else int(spec)


def integers(specs):
    return tuple([one if type(one) is int else int(one) for one in specs])


def print_integers(numbers):
    """The JSON of a sequence of integers."""
    for number in numbers:
        if not -_SAFE_INTEGER <= number <= _SAFE_INTEGER:
            return "[%s]" % ",".join(
                str(one) if -_SAFE_INTEGER <= one <= _SAFE_INTEGER else '"%d"' % one for one in numbers
            )
    return str(list(numbers))


def _build_fields(spec, options):
    fields = spec["fields"]
    parts = {
        "names": [read_text(field["name"]) for field in fields],
        "formats": [build_dtype(field["dtype"]) for field in fields],
        "offsets": [integer(field["offset"]) for field in fields],
        "itemsize": integer(spec["itemsize"]),
    }
    if any(field.get("title") is not None for field in fields):
        titles = [field.get("title") for field in fields]
        parts["titles"] = [None if title is None else read_text(title) for title in titles]
    return numpy.dtype(parts, align=bool(spec.get("aligned", False)), **options)


def build_dtype(spec):
    """The dtype of a spec of the protocol. Specs are cached, because runs repeat a few of them."""
    # Version 2 of marshal writes equal specs as equal bytes; repr takes three times as long.
    key = spec if type(spec) is str else marshal.dumps(spec, 2)
    found = _built.get(key)
    if found is not None:
        return found
    if type(spec) is str:
        dtype = numpy.dtype(spec)
    else:
        options = {"metadata": spec["metadata"]} if spec.get("metadata") else {}
        if "fields" in spec:
            dtype = _build_fields(spec, options)
        elif "base" in spec:
            dtype = numpy.dtype((build_dtype(spec["base"]), integers(spec["shape"])), **options)
        elif "registered" in spec:
            dtype = _registered(spec)
        else:
            dtype = numpy.dtype(spec["type"], **options)
    if len(_built) >= _CACHE_LIMIT:
        _built.clear()
        _printed.clear()
    _built[key] = dtype
    _printed[id(dtype)] = None
    return dtype


def _registered(spec):
    """The dtype of a type that a package registers, from its import path "package.module:name"."""
    path = spec["registered"]
    try:
        dtype = numpy.dtype(objects_at(path)[-1])
    except TypeError as error:
        raise Unsupported("the type %s: %s: %s" % (path, type(error).__name__, error))
    if dtype.isbuiltin != _IS_REGISTERED or "|V%d" % dtype.itemsize != spec["type"]:
        raise Unsupported("the type %s, which is %r of %d bytes" % (path, dtype, dtype.itemsize))
    return dtype


def _print_registered(dtype):
    """The import path of a type that a package registers."""
    if not dtype.isnative:
        raise _unsayable(dtype)
    path = "%s:%s" % (dtype.type.__module__, dtype.type.__qualname__)
    return '{"type":"|V%d","registered":%s}' % (dtype.itemsize, json.dumps(path))


def _print_fields(dtype):
    parts = []
    for name in dtype.names:
        entry = dtype.fields[name]
        title = ',"title":' + print_text(str(entry[2])) if len(entry) > 2 and entry[2] is not None else ""
        parts.append(
            '{"name":%s%s,"offset":%d,"dtype":%s}' % (print_text(name), title, entry[1], _text_of(entry[0]))
        )
    # A structure without fields has nothing to align, although a pickle may set its flag.
    aligned = "true" if dtype.isalignedstruct and dtype.names else "false"
    return '"fields":[%s],"itemsize":%d,"aligned":%s' % (",".join(parts), dtype.itemsize, aligned)


def _is_sayable(dtype):
    """Whether the protocol can express a dtype. Decoders create others, of -1 bytes or of 0 seconds."""
    if dtype.kind in "mM":
        return numpy.datetime_data(dtype)[1] > 0
    return dtype.kind in _KINDS and dtype.itemsize >= 0


def _typestr(dtype):
    """The type string, with '|' for types without a byte order even when a pickle has set one."""
    return "|" + dtype.str[1:] if dtype.kind in "SV" or dtype.str[1:] in ("b1", "i1", "u1") else dtype.str


def _is_shallow(dtype):
    """Whether structures and sub-arrays are nested no deeper than the protocol allows."""
    level, depth = [dtype], 0
    while level and depth <= _MAX_DEPTH:
        bases = [one.subdtype[0] for one in level if one.subdtype is not None]
        fields = [one.fields[name][0] for one in level if one.names is not None for name in one.names]
        level, depth = bases + fields, depth + 1
    return depth <= _MAX_DEPTH


def print_dtype(dtype):
    """The complete JSON of a dtype."""
    text = _text_of(dtype)
    if text[0] == "{" and text not in _sayable:
        if id(dtype) not in _printed and not (_is_shallow(dtype) and _says_what_it_means(text)):
            raise _unsayable(dtype)
        if len(_sayable) >= _CACHE_LIMIT:
            _sayable.clear()
        _sayable.add(text)
    return text


def _text_of(dtype):
    text = _printed.get(id(dtype))
    if text is None:
        text = _print_dtype(dtype)
        if id(dtype) in _printed:
            _printed[id(dtype)] = text
    return text


def _says_what_it_means(text):
    """Whether numpy.dtype reproduces the dtype from its JSON. A pickle's state is used without checks: two fields of
    one name, fields outside of the item or misaligned, negative extents."""
    try:
        return _text_of(build_dtype(json.loads(text))) == text
    except (ValueError, TypeError, OverflowError, Refused, Unsupported):
        return False


def _unsayable(dtype):
    """UNSUPPORTED instead of a refusal, because the library accepted the dtype."""
    return Unsupported("the protocol cannot express dtype %r" % dtype)


def metadata_of(dtype):
    """The metadata, or None. For time types, pickles of NumPy 2.4 contain None and those of 1.19 to 2.2 an empty dict.
    The former load in the older releases, but reading the attribute raises."""
    try:
        return dtype.metadata or None  # an empty dict is equivalent to None
    except TypeError:
        return None


def _print_dtype(dtype):
    if dtype.isbuiltin == _IS_REGISTERED:
        return _print_registered(dtype)
    metadata = metadata_of(dtype)
    if not _is_sayable(dtype):
        raise Refused("type", "the protocol cannot express dtype %r" % dtype)
    # A pickle's state may set no byte order for items of several bytes, which no type string has.
    if dtype.kind in "iufcmMU" and dtype.itemsize > 1 and dtype.str[0] == "|":
        raise _unsayable(dtype)
    if dtype.names is None and dtype.subdtype is None:
        if metadata is None:
            return '"%s"' % _typestr(dtype)
        body = '"type":"%s"' % _typestr(dtype)
    elif dtype.names is not None:
        body = _print_fields(dtype)
    else:
        base, shape = dtype.subdtype
        shape = [int(extent) for extent in shape]  # a pickle may contain bools, which are not numbers in JSON
        if dtype.itemsize != base.itemsize * math.prod(shape):
            raise _unsayable(dtype)
        body = '"base":%s,"shape":%s' % (_text_of(base), print_integers(shape))
    if metadata is not None:
        body += ',"metadata":' + _print_metadata(dtype, metadata)
    return "{%s}" % body


def _print_metadata(dtype, metadata):
    """`default` converts metadata in pickles of other programs, which JSON cannot express."""
    try:
        text = json.dumps(dict(metadata), separators=(",", ":"), default=repr, allow_nan=False, ensure_ascii=False)
    except (ValueError, TypeError):
        raise _unsayable(dtype)
    if "\\u0000" in text or _UNSAYABLE_TEXT.search(text):
        raise _unsayable(dtype)
    return text


def integer_twin(dtype):
    """The same layout with an eight-byte integer for every object."""
    if not dtype.hasobject:
        return dtype
    if dtype.subdtype is not None:
        return numpy.dtype((integer_twin(dtype.subdtype[0]), dtype.subdtype[1]))
    if dtype.names is None:
        return numpy.dtype("<i8")
    entries = [dtype.fields[name] for name in dtype.names]
    return numpy.dtype(
        {
            "names": list(dtype.names),
            "formats": [integer_twin(entry[0]) for entry in entries],
            "offsets": [entry[1] for entry in entries],
            "itemsize": dtype.itemsize,
        }
    )
