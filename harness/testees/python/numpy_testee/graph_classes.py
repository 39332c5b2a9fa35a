"""Array classes as users write them, with the names of the protocol.

They are real classes of a real module, so a pickle finds them in a fresh process, too. Each stores its attributes in
one of the usual ways, including insufficient ones, because their fate is under test.
"""

import importlib
import os

import numpy

from .refusal import Unsupported


CUDF = "cudf.pandas"
SCALAR = "scalar"  # an instance of numpy.generic


def _take_attributes(made, other):
    """The work of `__array_finalize__`: copies the attributes of an instance of the same class, or sets none."""
    if isinstance(other, type(made)):
        made.__dict__.update(other.__dict__)
    made.__dict__.setdefault("extra", None)


class plain(numpy.ndarray):
    """Defines nothing. NumPy documents that pickles lose its attributes."""


class finalize_none(numpy.ndarray):
    """Returns early without another array, which is the case while unpickling."""

    def __array_finalize__(self, other):
        if other is None:
            return
        _take_attributes(self, other)


class finalize_getattr(numpy.ndarray):
    """Always has the attribute, which may be None."""

    def __array_finalize__(self, other):
        _take_attributes(self, other)


class reduce_setstate(finalize_getattr):
    """Appends its attributes to the state tuple."""

    def __reduce__(self):
        function, arguments, state = super().__reduce__()
        return function, arguments, state + (self.__dict__,)

    def __setstate__(self, state):
        self.__dict__.update(state[-1])
        super().__setstate__(state[:-1])


class reduce_pair(finalize_getattr):
    """Uses a pair of the array's state and its attributes as state."""

    def __reduce__(self):
        function, arguments, state = super().__reduce__()
        return function, arguments, (state, self.__dict__)

    def __setstate__(self, state):
        array_state, attributes = state
        super().__setstate__(array_state)
        self.__dict__.update(attributes)


def rebuild(kind, array, attributes):
    """Reconstructs `reduce_only` and `reduce_ex`."""
    made = array.view(kind)
    made.__dict__.update(attributes)
    return made


class reduce_only(finalize_getattr):
    """Reduces to a function that makes it anew, without state."""

    def __reduce__(self):
        return rebuild, (type(self), numpy.asarray(self), self.__dict__)


class reduce_ex(finalize_getattr):
    """The same in __reduce_ex__, which has a protocol argument."""

    def __reduce_ex__(self, protocol):
        return rebuild, (type(self), numpy.asarray(self), self.__dict__)


class slots(numpy.ndarray):
    """Has no dict, so code that reads __dict__ does not find its attributes."""

    __slots__ = ("extra", "note", "unit")

    def __array_finalize__(self, other):
        for name in self.__slots__:
            if hasattr(other, name):
                setattr(self, name, getattr(other, name))


class holder:
    """An object that is no array: keeps what it is made from as attributes."""

    def __init__(self, **kept):
        self.__dict__.update(kept)


class tagged(numpy.ndarray):
    """Made from an array and a tag, as a user's constructor does; pickles both."""

    def __new__(cls, array, tag=None):
        made = numpy.asarray(array).view(cls)
        made.tag = tag
        return made

    def __array_finalize__(self, other):
        self.tag = getattr(other, "tag", None)

    def __reduce__(self):
        function, arguments, state = super().__reduce__()
        return function, arguments, (state, self.tag)

    def __setstate__(self, state):
        super().__setstate__(state[0])
        self.tag = state[1]


def rebuild_proxy(kind, wrapped):
    """Would reconstruct `_Wrapping`, if its __reduce__ were used."""
    return wrapped.view(kind)


class _Wrapping:
    """Reduces to the wrapped object, but follows ndarray in the MRO, so ndarray's reduction is used."""

    def __reduce__(self):
        return rebuild_proxy, (type(self), self.wrapped)


class proxy(numpy.ndarray, _Wrapping):
    """Wraps another array, like the proxies of cudf.pandas."""

    def __array_finalize__(self, other):
        if other is None:
            return
        self.wrapped = getattr(other, "wrapped", other)


_EXTRA = (finalize_none, finalize_getattr, reduce_setstate, reduce_pair, reduce_only, reduce_ex)
# Every pattern, and the attributes that its methods need.
PROMISED = {plain: (), slots: ("extra",), proxy: ("wrapped",)}
PROMISED.update(dict.fromkeys(_EXTRA, ("extra",)))
PATTERNS = {kind.__name__: kind for kind in PROMISED}

# Classes of libraries: their own attributes, and where they store a user's.
LIBRARY_CLASSES = {
    numpy.ndarray: ("ndarray", (), ()),
    numpy.matrix: ("matrix", ("A", "T"), ()),
    numpy.recarray: ("recarray", (), ()),
    numpy.memmap: ("memmap", ("filename", "offset", "mode"), ("filename", "offset", "mode")),
    numpy.ma.MaskedArray: ("MaskedArray", ("data", "mask", "hardmask"), ()),
}


def quantity_class():
    """astropy's Quantity, or None without astropy."""
    try:
        from astropy.units import Quantity
    except ImportError:
        return None
    return Quantity


def quantity(array, text):
    """The array as a Quantity whose unit has exactly this text."""
    kind = quantity_class()
    if kind is None:
        raise Unsupported("an array of class Quantity: astropy is not installed")
    made = kind(array, text, copy=False, subok=True)
    if str(made.unit) != text:
        raise Unsupported("the unit %r, which astropy calls %r" % (text, str(made.unit)))
    return made


def _accelerated_pandas():
    """pandas as accelerated by cudf.pandas. Without a GPU the class is the same and pandas does the work:
    RAPIDS_NO_INITIALIZE permits the import (utils/gpu_utils.py of cudf), and install() sets up the proxies before it
    fails for lack of a driver. Child processes of a case need the variable, too."""
    os.environ.setdefault("RAPIDS_NO_INITIALIZE", "1")
    import cudf.pandas

    try:
        cudf.pandas.install()
    except RuntimeError:
        if not cudf.pandas.LOADED:
            raise
    import pandas

    return pandas


def cudf_proxy(array):
    """The array as cudf.pandas returns the values of a column: a proxy that is an ndarray. From pandas 3 on only a copy
    is writeable (see its guide to copy-on-write)."""
    try:
        made = _accelerated_pandas().Series(array).to_numpy(copy=True)
    except Exception as error:  # without a GPU it may fail in many ways
        raise Unsupported("an array of class %s: %s: %s" % (CUDF, type(error).__name__, error))
    if not _is_cudf(type(made)):
        raise Unsupported("cudf.pandas returned a %s" % type(made).__name__)
    return made


def _is_cudf(kind):
    return issubclass(kind, numpy.ndarray) and kind.__module__.startswith("cudf.")


def imported(path):
    """The array class with this import path, "package.module.Class"."""
    module, _, name = path.rpartition(".")
    try:
        kind = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise Unsupported("an array of class %s: %s: %s" % (path, type(error).__name__, error))
    if not isinstance(kind, type) or not issubclass(kind, numpy.ndarray):
        raise Unsupported("%s, which is no subclass of ndarray" % path)
    if name_of(kind) != path:
        raise Unsupported("%s, whose class is called %s" % (path, name_of(kind)))
    return kind


def is_quantity(kind):
    return kind.__name__ == "Quantity" and kind.__module__.startswith("astropy.units")


def name_of(kind):
    """The protocol's name of an array class. A copy of a pattern's class is not the pattern."""
    if kind in PROMISED:
        return kind.__name__
    if kind in LIBRARY_CLASSES:
        return LIBRARY_CLASSES[kind][0]
    if _is_cudf(kind):
        return CUDF
    return "Quantity" if is_quantity(kind) else "%s.%s" % (kind.__module__, kind.__qualname__)


def scalar_name(kind):
    """The protocol's name of a scalar type: that of NumPy's own types is `scalar`."""
    return SCALAR if numpy.dtype(kind).type is kind else "%s.%s" % (kind.__module__, kind.__qualname__)


def attributes_of(array):
    """A user's attributes of an array, by name: from its slots, then from its dict."""
    kind = type(array)
    found = {}
    for base in kind.__mro__:
        names = base.__dict__.get("__slots__", ())
        for name in (names,) if isinstance(names, str) else names:
            if name not in ("__dict__", "__weakref__") and hasattr(array, name):
                found[name] = getattr(array, name)
    own = getattr(array, "__dict__", {})
    if kind in PROMISED:
        found.update(own)
    elif is_quantity(kind):
        found["unit"] = str(array.unit)
    else:
        hidden = LIBRARY_CLASSES[kind][2] if kind in LIBRARY_CLASSES else ()
        found.update((name, own[name]) for name in own if not name.startswith("_") and name not in hidden)
    return found


def _use_records(array):
    """Checks the features of numpy.recarray: fields as attributes, of the whole and of an item, which is a
    numpy.record."""
    if array.dtype.names is None or not issubclass(array.dtype.type, numpy.void):
        return
    if array.dtype.type is not numpy.record:
        raise TypeError("the items are of %s" % array.dtype.type.__name__)
    for name in array.dtype.names[:1]:
        if hasattr(numpy.recarray, name) or not name.isidentifier():
            return
        getattr(array, name)
        if array.size:
            getattr(array.reshape(-1)[0], name)


def whole(array):
    """True when all features of the class work, else the exception as text."""
    kind = type(array)
    names = PROMISED[kind] if kind in PROMISED else LIBRARY_CLASSES.get(kind, ("", (), ()))[1]
    if is_quantity(kind):
        names = ("unit", "value")
    try:
        for name in names:
            getattr(array, name)
        if isinstance(array, numpy.recarray):
            _use_records(array)
        part = array[(slice(0, 1),) * array.ndim + (Ellipsis,)]
        for one in (part, part.copy()):
            for name in PROMISED.get(kind, ()):
                getattr(one, name)
    except Exception as error:
        return "%s: %s" % (type(error).__name__, error)
    return True
