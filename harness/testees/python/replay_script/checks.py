"""The differences of an array as questions to the array: the function `look` of a script, and its expected answer."""

import re

from .case import Refused
from .script import literal
from .values import dtype_word, has_objects, has_overlap, item_mask, leaves, tuple_word

_MAX_SHOWN = 1024  # bytes of elements; a script takes more bytes from the source
_MAX_OLD_NDIM = 32  # tobytes of some versions fails for more dimensions
_WORDS = {"true": "True", "false": "False", "none": "None"}
_PARTS = (
    "def parts(t, of): return [of(t), t.subdtype and parts(t.subdtype[0], of)] + [parts(t[n], of) for n in t.names or ()]"
)
_PLACE = """\
def place(x):
    at = x.__array_interface__["data"][0]
    for line in map(str.split, open("/proc/self/maps")):
        start, end = (int(n, 16) for n in line[0].split("-"))
        if start <= at < end and x.nbytes: return at - start + int(line[2], 16) if line[4] != "0" else None"""
_CLAIMS = """\
def claims(x):
    n = str(getattr(x, "filename", None) or "none")
    return "the case's file" if os.path.dirname(n) == os.path.realpath(home.name) else "another file" if n != "none" else n"""


def split_path(path):
    """The entry point or route that a path begins with, "" when there is none, and the rest: `mmap:r: shape[0]`."""
    found = re.match(r"([a-z0-9+.:>/-]+): (.*)", path)
    return found.groups() if found else ("", path)


def _has_long_double(dtype):
    return any(0 in item_mask(typestr) for _, typestr in leaves(dtype))


class _Look:
    """Collects questions. `promised` is None if only the texts of the differences are known; `source` is the variable of
    the sent array, or None. `is_promise` if the script states the expected answers."""

    def __init__(self, script, promised, source, is_promise):
        self.script, self.promised, self.source, self.is_promise = script, promised, source, is_promise
        self.asked = {}  # name of a question -> expression, expected answer

    def ask(self, name, expression, expected):
        if self.is_promise and not expected:
            raise Refused("the promised array is unknown")
        self.asked.setdefault(name, (expression, expected))

    def _from_source(self, name):
        if self.source is None:
            raise Refused("the array has too many elements for a script")
        return 'look(%s)["%s"]' % (self.source, name)

    def ask_values(self):
        got, promised = self.script.case.result, self.promised
        right = promised or got
        if right is None:
            raise Refused("the dtype of the elements is unknown")
        dtype = right["dtype"]
        if has_objects(dtype):
            members = ["x%s.%s()" % (path, "tolist" if leaf == "|O" else "tobytes") for path, leaf in leaves(dtype)]
            self.ask("values", "repr([%s])" % ", ".join(members), self._from_source("values") if promised else "")
        elif promised is None and not _has_long_double(dtype):
            # Entry points may return different byte orders.
            little = 'x{p}.astype(x{p}.dtype.newbyteorder("<")).tobytes()'
            self.ask("values", "[%s]" % ", ".join(little.format(p=path) for path, _ in leaves(dtype)), "")
        elif got is not None and got["dtype"] != dtype and has_overlap(dtype) and promised is not None:
            members = ["x%s.astype(%s).tobytes()" % (path, literal(leaf)) for path, leaf in leaves(dtype)]
            self.ask("values", "[%s]" % ", ".join(members), self._from_source("values"))
        else:
            self._ask_bytes(right, got)

    def _ask_bytes(self, right, got):
        dtype, elements = right["dtype"], right["elements"]
        array = "x"
        if got is not None and got["dtype"] != dtype:
            array = "x.astype(%s)" % dtype_word(dtype)
        if len(right["shape"]) > _MAX_OLD_NDIM:
            array += '.copy("C")'
        expression, mask = array + ".tobytes()", item_mask(dtype)
        if 0 in mask:
            elements = bytes(byte & mask[index % len(mask)] for index, byte in enumerate(elements))
            expression = "bytes(map(int.__and__, %s, itertools.cycle(%s)))" % (expression, literal(mask))
        expected = ""
        if self.promised is not None:
            is_short = len(elements) <= _MAX_SHOWN or self.source is None
            expected = literal(elements) if is_short else self._from_source("values")
        self.ask("values", expression, expected)

    def ask_dtype(self, part):
        right = dtype_word(self.promised["dtype"]) if self.promised else ""
        if not part.startswith(("aligned", "metadata")):
            self.ask("dtype", "x.dtype", right)
            return
        self.script.define(_PARTS)
        name = "aligned" if part.startswith("aligned") else "metadata"
        of = "lambda t: t.isalignedstruct" if name == "aligned" else "lambda t: dict(t.metadata or {})"
        self.ask(name, "parts(x.dtype, %s)" % of, "parts(%s, %s)" % (right, of))

    def ask_backing(self, part, text):
        word = _WORDS.get(text, text)
        if part in ("mapped", "position"):
            self.script.define(_PLACE)
        if part == "claims":
            self.script.define(_CLAIMS)
        questions = {
            "class": ("is a memmap", "isinstance(x, np.memmap)", word),
            "claims": ("filename", "claims(x)", literal(text)),
            "mapped": ("lies in a file", "place(x) is not None", word),
            "mode": ("mode", 'getattr(x, "mode", None)', "None" if text == "none" else literal(text)),
            "offset": ("offset", 'getattr(x, "offset", None)', word),
            "position": ("position", "place(x)", word),
        }
        if part in questions:
            self.ask(*questions[part])

    def ask_difference(self, path, text):
        word = _WORDS.get(text, text)
        if path.startswith("dtype."):
            self.ask_dtype(path[6:])
        elif path.startswith("[") or path in ("elements", "dtype"):
            self.ask_values()
        elif path == "ndim" or path.startswith("shape["):
            self.ask("shape", "x.shape", tuple_word(self.promised["shape"]) if self.promised else "")
        elif path == "itemsize" or path.startswith(("strides[", "flags.")):
            self.ask(path, "x." + path, word)
        elif path == "class":
            self.ask(path, "type(x).__name__", literal(text))
        elif path.startswith("backing."):
            self.ask_backing(path[8:], text)


def _dict_word(pairs):
    return "{%s}" % ", ".join('"%s": %s' % pair for pair in pairs)


def define_look(script, where, promised, source):
    """Defines `look` for the differences of an entry point (`where`); returns the dict that it must return, as Python.
    `promised` and `source` as in _Look."""
    look = _Look(script, promised, source, not where)
    for difference in script.case.differences:
        prefix, path = split_path(difference.path)
        if prefix == where:
            look.ask_difference(path, difference.expected)
    script.define("def look(x): return " + _dict_word((name, one[0]) for name, one in look.asked.items()))
    return _dict_word((name, one[1]) for name, one in look.asked.items())
