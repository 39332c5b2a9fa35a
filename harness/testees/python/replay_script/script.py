"""The text of a script: definitions, statements and imports. A long one has several statements on a line."""

import contextlib
import re

from .case import Refused

_FEW_LINES = 30
_MAX_COLUMNS = 160  # of a line that holds several statements
_MAX_LITERAL = 1 << 24  # characters
# In import order; a script imports the modules whose name is before a dot in it.
_MODULES = (
    "builtins bz2 contextlib copy functools gc gzip io itertools multiprocessing os pathlib pickle shared_memory signal struct subprocess "
    "sys tempfile threading tracemalloc types zipfile zlib astropy cloudpickle dill joblib multiprocess numba np scipy"
).split()
_IMPORTS = {"astropy": "astropy.units", "numba": "numba.typed", "shared_memory": "multiprocessing.shared_memory as shared_memory", "np": "numpy as np", "scipy": "scipy.sparse"}
_COMPOUND = re.compile(r"(if |else:|for |while |with |try:|except|finally|def |class |@|#)")


def literal(content):
    """A text or a byte string as a Python literal of ASCII characters."""
    is_uniform = type(content) is bytes and len(content) > 8 and content.count(content[:1]) == len(content)
    text = "%a * %d" % (content[:1], len(content)) if is_uniform else ascii(content)
    if len(text) > _MAX_LITERAL:
        raise Refused("the value is too large for a script")
    return text


def _uses(text, module):
    """Whether the module's name is in the text, before a dot. Expressions are too slow for a text of many megabytes."""
    word = module if module == "builtins" else module + "."
    at = text.find(word)
    while at >= 0 and (text[at - 1 : at].isalnum() or text[at - 1 : at] in ("_", ".")):
        at = text.find(word, at + 1)
    return at >= 0


def _packed(lines):
    """Joins simple statements of a block into lines of at most _MAX_COLUMNS."""
    out, last = [], None  # the indent of the last line, None if nothing can follow on it
    for line in lines:
        text = line.lstrip(" ")
        indent = len(line) - len(text)
        is_simple = not _COMPOUND.match(text) and not text.endswith(":")
        if is_simple and indent == last and len(out[-1]) + len(text) < _MAX_COLUMNS:
            out[-1] += "; " + text
        else:
            out.append(line)
        last = indent if is_simple else None
    return out


class Script:
    """A script in the making. Statements and expressions are Python text."""

    def __init__(self, case):
        self.case = case
        self._helpers = []
        self.body = []
        self._indent = ""

    def define(self, text):
        """Adds definitions at the top, once."""
        lines = text.split("\n")
        if lines[0] not in self._helpers:
            self._helpers += lines

    def do(self, text):
        """Adds statements."""
        self.body += [self._indent + line for line in text.split("\n")]

    @contextlib.contextmanager
    def block(self, head):
        """Adds a compound statement; statements added inside form its body."""
        self.do(head)
        outer, self._indent = self._indent, self._indent + "    "
        yield
        self._indent = outer

    def _text(self, body, has_main):
        if has_main:
            body = ['if __name__ == "__main__":'] + ["    " + line for line in body]
        code = "\n".join(self._helpers + body)
        imports = ", ".join(_IMPORTS.get(module, module) for module in _MODULES if _uses(code, module))
        return "# %s\n# %s\nimport %s\n%s\n" % (self.case.signature, self.case.statement, imports, code)

    def text(self, has_main):
        """The text of the script. With `has_main`, other processes can import it without running the statements."""
        whole = self._text(self.body, has_main)
        return whole if whole.count("\n") <= _FEW_LINES else self._text(_packed(self.body), has_main)
