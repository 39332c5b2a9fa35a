"""Arrays as Python: first the base in memory, then its views by operations of NumPy.

A dtype is the JSON of the protocol: a type string, or a dict with `type`, `fields` or `base`."""

import math
import re

from .case import Refused
from .script import literal

_FILLER = 'b"\\xee"'  # before the data of a raw file and of a map
_LONG_DOUBLES = ("f16", "c32")  # 10 of 16 bytes are significant
_WIDE = 160  # characters; longer expressions get a name


def text_of(spec):
    """A name; JSON has code points for texts that it cannot represent."""
    return spec if isinstance(spec, str) else "".join(map(chr, spec["codepoints"]))


def tuple_word(numbers):
    return "(%s%s)" % (", ".join(str(int(one)) for one in numbers), "," if len(numbers) == 1 else "")


def _list_word(words):
    return "[%s]" % ", ".join(words)


def _fields_word(dtype):
    fields = dtype["fields"]
    parts = [
        ("names", [literal(text_of(field["name"])) for field in fields]),
        ("formats", [dtype_word(field["dtype"]) for field in fields]),
        ("offsets", [str(field["offset"]) for field in fields]),
    ]
    if any(field.get("title") is not None for field in fields):
        titles = [field.get("title") for field in fields]
        parts.append(("titles", ["None" if one is None else literal(text_of(one)) for one in titles]))
    text = "".join('"%s": %s, ' % (name, _list_word(words)) for name, words in parts)
    return '{%s"itemsize": %s}%s' % (text, dtype["itemsize"], ", align=True" if dtype.get("aligned") else "")


def dtype_word(dtype):
    if isinstance(dtype, str):
        return 'np.dtype("%s")' % dtype
    if "fields" in dtype:
        word = _fields_word(dtype)
    elif "registered" in dtype:
        module, _, name = dtype["registered"].partition(":")
        return 'np.dtype(__import__("%s", fromlist=["%s"]).%s)' % (module, name, name)
    elif "base" in dtype:
        word = "(%s, %s)" % (dtype_word(dtype["base"]), tuple_word(dtype["shape"]))
    else:
        word = '"%s"' % dtype["type"]
    metadata = dtype.get("metadata")
    return "np.dtype(%s%s)" % (word, ", metadata=%a" % metadata if metadata else "")


def _typestr(leaf):
    return leaf if isinstance(leaf, str) else leaf["type"]


def _is_structure(dtype):
    return not isinstance(dtype, str) and "fields" in dtype


def _is_subarray(dtype):
    return not isinstance(dtype, str) and "base" in dtype


def itemsize(dtype):
    if _is_structure(dtype):
        return int(dtype["itemsize"])
    if _is_subarray(dtype):
        return itemsize(dtype["base"]) * math.prod(map(int, dtype["shape"]))
    kind, size = re.match(r"[<>=|](\w)(\d*)", _typestr(dtype)).groups()
    return int(size or 8) * (4 if kind == "U" else 1)


def element_of(dtype):
    """The dtype below sub-arrays."""
    while _is_subarray(dtype):
        dtype = dtype["base"]
    return dtype


def leaves(dtype, path=""):
    """(path of the field, type string) of every leaf: `["a"]["b"]`."""
    dtype = element_of(dtype)
    if not _is_structure(dtype):
        return [(path, _typestr(dtype))]
    found = []
    for field in dtype["fields"]:
        found += leaves(field["dtype"], "%s[%s]" % (path, literal(text_of(field["name"]))))
    return found


def has_objects(dtype):
    return any(typestr == "|O" for _, typestr in leaves(dtype))


def item_mask(dtype):
    """A mask of an item: 0xff for bytes of leaves, 0 for padding, also that of long doubles."""
    if _is_subarray(dtype):
        return item_mask(dtype["base"]) * math.prod(map(int, dtype["shape"]))
    if not _is_structure(dtype):
        typestr = _typestr(dtype)
        if typestr[1:] not in _LONG_DOUBLES:
            return b"\xff" * itemsize(dtype)
        unit = b"\xff" * 10 + bytes(6)
        return (unit[::-1] if typestr[0] == ">" else unit) * (itemsize(dtype) // 16)
    mask = bytearray(itemsize(dtype))
    for field in dtype["fields"]:
        start = int(field["offset"])
        for index, byte in enumerate(item_mask(field["dtype"]), start):
            mask[index] |= byte
    return bytes(mask)


def has_overlap(dtype):
    """Whether fields share bytes, so that no conversion of the whole item keeps all of them."""
    dtype = element_of(dtype)
    if not _is_structure(dtype):
        return False
    taken = set()
    for field in dtype["fields"]:
        places = set(range(int(field["offset"]), int(field["offset"]) + itemsize(field["dtype"])))
        if taken & places or has_overlap(field["dtype"]):
            return True
        taken |= places
    return False


def _integers_for_objects(dtype):
    """The same layout with an eight-byte integer in place of every object: the data of a base are such integers."""
    if _is_subarray(dtype):
        return dict(dtype, base=_integers_for_objects(dtype["base"]))
    if not _is_structure(dtype):
        return "<i8" if _typestr(dtype) == "|O" else dtype
    fields = [dict(field, dtype=_integers_for_objects(field["dtype"])) for field in dtype["fields"]]
    return dict(dtype, fields=fields, metadata=None)


class _Base:
    """A base with the parts of its expression."""

    def __init__(self, spec, data):
        self.spec, self.dtype = spec, spec["dtype"]
        self.size = len(data)
        self.is_zero = not any(data)
        self.data = "bytes(%d)" % len(data) if self.is_zero else literal(bytes(data))
        self.shape = tuple_word(spec["shape"])
        self.type = dtype_word(self.dtype)
        self.order = '"%s"' % spec.get("order", "C")
        self.misalign = int(spec.get("misalign", 0))
        self.is_readonly = spec.get("readonly", False)


def _map(script, base, name):
    mode, offset = base.spec["memmap"].get("mode", "r"), base.spec["memmap"].get("offset", 0)
    words = (name, base.type, mode, offset, base.shape, base.order)
    mapped = 'np.memmap("%s.map", %s, "%s", %s, %s, %s)' % words
    fill = 'with open("%s.map", "%s") as f: f.write(%s * %s + %s)'
    if mode != "w+":
        script.do(fill % (name, "wb", _FILLER, offset, base.data))
        return mapped
    script.do("%s = %s" % (name, mapped))
    script.do(fill % (name, "r+b", _FILLER, offset, base.data))
    return name


def _shifted(script, base):
    """Memory that starts some bytes past a boundary of 64."""
    script.do('m = np.zeros(%d, "u1"); s = -m.ctypes.data %% 64 + %d' % (base.size + 128, base.misalign))
    words = (base.size, base.data, not base.is_readonly)
    script.do('m[s:s + %d] = np.frombuffer(%s, "u1"); m.flags.writeable = %s' % words)
    return "np.ndarray(%s, %s, m, s, None, %s)" % (base.shape, base.type, base.order)


def _objects(script, base, name):
    """Every leaf is assigned separately: a cast of whole structures changes some of the other leaves."""
    if base.misalign:
        raise Refused("objects in unaligned memory")
    twin = dtype_word(_integers_for_objects(base.dtype))
    script.do("t = np.ndarray(%s, %s, %s, 0, None, %s)" % (base.shape, twin, base.data, base.order))
    assignments = "".join("; %s%s[...] = t%s" % (name, path, path) for path, _ in leaves(base.dtype))
    script.do("%s = np.zeros(%s, %s, %s)%s" % (name, base.shape, base.type, base.order, assignments))
    if base.is_readonly:
        script.do("%s.flags.writeable = False" % name)
    return name


def _base(script, spec, data, name):
    base = _Base(spec, data)
    if spec.get("memmap") is not None:
        return _map(script, base, name)
    if has_objects(base.dtype):
        return _objects(script, base, name)
    if base.misalign:
        return _shifted(script, base)
    # zeros() turns items of zero bytes into items of one byte, and drops the metadata of times without a unit.
    has_metadata = type(base.dtype) is dict and base.dtype.get("metadata")
    is_kept = itemsize(base.dtype) > 0 and not _is_subarray(base.dtype) and not has_metadata
    if base.is_zero and not base.is_readonly and is_kept:
        return "np.zeros(%s, %s, %s)" % (base.shape, base.type, base.order)
    is_owning = script.case.is_codec and itemsize(base.dtype) > 0  # codecs look at the base of an array
    memory = base.data if base.is_readonly or is_owning else "bytearray(%s)" % base.data
    array = "np.ndarray(%s, %s, %s, 0, None, %s)" % (base.shape, base.type, memory, base.order)
    if not is_owning:
        return array
    script.do("%s = %s.copy(%s); %s.flags.writeable = %s" % (name, array, base.order, name, not base.is_readonly))
    return name


def _slice(one):
    start, step, count = map(int, one)
    stop = start if count == 0 else start + step * count
    return "%d:%s%s" % (start, "" if stop < 0 else stop, "" if step == 1 else ":%d" % step)


_WINDOW = """\
def window(x, *a):
    y = x if x.dtype.names is None or x.dtype.hasobject or not x.itemsize else x.view("V%d" % x.itemsize)
    return np.lib.stride_tricks.as_strided(y, *a, subok=True).view(x.dtype)"""


def _strided(script, array, view, name):
    """A window on memory. as_strided cannot move element 0, so an offset becomes an address. It names the padding of a
    structure f0, f1 and so on, and fails if these names are in use, so it gets bytes in place of a structure."""
    tail = "%s, %s)" % (tuple_word(view["strided"]), tuple_word(view["strides"]))
    script.define(_WINDOW)
    offset = int(view.get("offset", 0))
    if offset == 0:
        return "window(%s, %s" % (array, tail)
    script.do('{n} = {array}; w = type("W", (), {{"base": {n}}})()'.format(n=name, array=array))
    script.do(
        'w.__array_interface__ = {{"version": 3, "shape": {n}.shape, "strides": {n}.strides, '
        '"typestr": "|V%d" % {n}.itemsize, "data": ({n}.__array_interface__["data"][0] + {offset}, '
        "not {n}.flags.writeable)}}".format(n=name, offset=offset)
    )
    script.do("t = np.asarray(w).view({n}.dtype).view(type({n})); t.__array_finalize__({n})".format(n=name))
    return "window(t, %s" % tail


def _view(script, array, view, name):
    if "strided" in view:
        return _strided(script, array, view, name)
    if "reshape" in view:
        return '%s.reshape(%s, order="%s")' % (array, tuple_word(view["reshape"]), view.get("order", "C"))
    if "transpose" in view:
        return "%s.transpose(%s)" % (array, list(view["transpose"]))
    if "slice" in view:
        return "%s[%s...]" % (array, "".join(_slice(one) + ", " for one in view["slice"]))
    if "newaxis" in view:
        return "%s[(slice(None),) * %d + (None, ...)]" % (array, view["newaxis"])
    if "broadcast" in view:
        return "np.broadcast_to(%s, %s, subok=True)" % (array, tuple_word(view["broadcast"]))
    if "field" in view:
        return "%s[%s]" % (array, literal(text_of(view["field"])))
    if "as_dtype" in view:
        return "%s.view(%s)" % (array, dtype_word(view["as_dtype"]))
    return "%s.%s" % (array, "real" if "real" in view else "imag")


def apply_views(script, array, views, name):
    """An expression of the array after its views; `name` may be used on the way."""
    for view in views:
        if len(array) > _WIDE:
            script.do("%s = %s" % (name, array))
            array = name
        array = _view(script, array, view, name)
    return array


def plain(script, spec, data, name):
    """An expression of an array before it becomes another class or read-only."""
    return apply_views(script, _base(script, spec["base"], data, name), spec.get("views", ()), name)


def class_of(spec):
    return spec.get("class", {}).get("name", "ndarray")


def build(script, spec, data, name):
    """Makes an array under a name. Its memory map, if any, is a file of that name."""
    array = plain(script, spec, data, name)
    if class_of(spec) not in ("ndarray", "memmap"):
        array += ".view(np.%s)" % class_of(spec)
    if array != name:
        script.do("%s = %s" % (name, array))
    if not spec.get("writeable", True):
        script.do("%s.flags.writeable = False" % name)
