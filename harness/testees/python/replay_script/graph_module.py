"""The classes and importable functions of graphs, as short as a script needs them: the pieces of its module `kit`.

numpy_testee/graph_classes.py and graph_functions.py describe them."""

_GETATTR = """\
class finalize_getattr(np.ndarray):
    def __array_finalize__(self, other):
        if isinstance(other, type(self)): self.__dict__.update(other.__dict__)
        self.__dict__.setdefault("extra", None)
"""
_REBUILD = "def rebuild(kind, array, own): made = array.view(kind); made.__dict__.update(own); return made\n"
# The pieces of the module that a class is made of.
CLASSES = {
    "plain": ("class plain(np.ndarray): pass\n",),
    "finalize_none": (
        """\
class finalize_none(np.ndarray):
    def __array_finalize__(self, other):
        if other is None: return
        if isinstance(other, type(self)): self.__dict__.update(other.__dict__)
        self.__dict__.setdefault("extra", None)
""",
    ),
    "finalize_getattr": (_GETATTR,),
    "reduce_setstate": (
        _GETATTR,
        """\
class reduce_setstate(finalize_getattr):
    def __reduce__(self): f, a, s = super().__reduce__(); return f, a, s + (self.__dict__,)
    def __setstate__(self, s): self.__dict__.update(s[-1]); super().__setstate__(s[:-1])
""",
    ),
    "reduce_pair": (
        _GETATTR,
        """\
class reduce_pair(finalize_getattr):
    def __reduce__(self): f, a, s = super().__reduce__(); return f, a, (s, self.__dict__)
    def __setstate__(self, s): super().__setstate__(s[0]); self.__dict__.update(s[1])
""",
    ),
    "reduce_only": (
        _GETATTR,
        _REBUILD,
        """\
class reduce_only(finalize_getattr):
    def __reduce__(self): return rebuild, (type(self), np.asarray(self), self.__dict__)
""",
    ),
    "reduce_ex": (
        _GETATTR,
        _REBUILD,
        """\
class reduce_ex(finalize_getattr):
    def __reduce_ex__(self, protocol): return rebuild, (type(self), np.asarray(self), self.__dict__)
""",
    ),
    "slots": (
        """\
class slots(np.ndarray):
    __slots__ = ("extra", "note", "unit")
    def __array_finalize__(self, other):
        for n in self.__slots__:
            if hasattr(other, n): setattr(self, n, getattr(other, n))
""",
    ),
    "proxy": (
        """\
def rebuild_proxy(kind, wrapped): return wrapped.view(kind)
class Wrapping:
    def __reduce__(self): return rebuild_proxy, (type(self), self.wrapped)
class proxy(np.ndarray, Wrapping):
    def __array_finalize__(self, other):
        if other is not None: self.wrapped = getattr(other, "wrapped", other)
""",
    ),
}
# The same of classes that are named by an import path.
INSTANCES = {
    "numpy_testee.graph_classes:holder": """\
class holder:
    def __init__(self, **kept): self.__dict__.update(kept)
""",
    "numpy_testee.graph_classes:tagged": """\
class tagged(np.ndarray):
    def __new__(cls, array, tag=None): made = np.asarray(array).view(cls); made.tag = tag; return made
    def __array_finalize__(self, other): self.tag = getattr(other, "tag", None)
    def __reduce__(self): f, a, s = super().__reduce__(); return f, a, (s, self.tag)
    def __setstate__(self, s): super().__setstate__(s[0]); self.tag = s[1]
""",
}
_DECORATED = """\
def hidden(x): return x
hidden.__name__ = hidden.__qualname__ = "decorated"
@functools.wraps(hidden)
def decorated(x): return hidden(x)
"""
# Importable functions by code and name: the piece of the module, and the name of the function there.
FUNCTIONS = {
    ("const", "const"): ("def const(x): return 0\n", "const"),
    ("add", "add"): ("def add(x): return x\n", "add"),
    ("identity", "identity"): ("def identity(x): return x\n", "identity"),
    ("call", "decorated"): (_DECORATED, "decorated"),
    ("identity", "decorated"): (_DECORATED, "hidden"),
}
