"""Instances of classes by import path: their construction, and what they keep.

A rule is what the protocol sends of an instance to a testee that has to recognise it: a class and the names of what
must survive. Nothing is imported before a case needs it.
"""

import re

import numpy

from .import_paths import objects_at
from .refusal import Unsupported

_ADDRESS = re.compile(r"0x[0-9a-fA-F]{4,}")
_MAX_REPR = 120
_CALL = "()"

PROBES = (2, 3)  # arguments of calls

# Special methods as Python calls them.
_SPECIAL = {
    "__array__": numpy.asarray,
    "__bytes__": bytes,
    "__call__": lambda thing: [thing(probe) for probe in PROBES],
    "__float__": float,
    "__int__": int,
    "__iter__": list,
    "__len__": len,
    "__repr__": repr,
    "__str__": str,
}


class Raised:
    """A kept thing that could not be read."""

    def __init__(self, error):
        self.text = "raises " + type(error).__name__


class Rule:
    """The class of an import path and the names of what its instances keep. A factory has no class: everything that has
    no other kind may be its result."""

    def __init__(self, path, names):
        self.path = path
        self.names = tuple(names)
        self._found = None

    def __reduce__(self):
        return Rule, (self.path, self.names)

    @property
    def kind(self):
        if self._found is None:
            self._found = _resolve(self.path)
        return self._found[1]

    def fits(self, thing, has_kind):
        kind = self.kind
        return not has_kind if kind is None else isinstance(thing, kind)


def _resolve(path):
    """What the path names, and the last class on the way to it, or None."""
    objects = objects_at(path)
    return objects[-1], next((one for one in reversed(objects) if isinstance(one, type)), None)


def rules_of(nodes):
    """The rules for a value's instances, from its nodes or from what the protocol sends in their place."""
    return tuple(Rule(spec["import"], spec.get("keep", ())) for spec in nodes)


def make(spec, arguments, keywords):
    """The result of the call that a node describes."""
    rule = Rule(spec["import"], spec.get("keep", ()))
    function, kind = _resolve(rule.path)
    made = function(*arguments, **keywords)
    for name in rule.names:
        if isinstance(read(made, name), Raised):
            raise Unsupported("%s: cannot read %s of a %s" % (rule.path, name, type(made).__name__))
    if kind is not None and not isinstance(made, kind):
        raise Unsupported("%s, which returns a %s" % (rule.path, type(made).__name__))
    return made


def read(thing, name):
    """What the name stands for, or a Raised."""
    try:
        if name in _SPECIAL:
            return _SPECIAL[name](thing)
        for part in name.split("."):
            thing = getattr(thing, part[: -len(_CALL)])() if part.endswith(_CALL) else getattr(thing, part)
        return thing
    except Exception as error:
        return Raised(error)


def find(thing, rules, has_kind):
    """The names of what a thing keeps, or None for a thing that is no instance of a rule's class."""
    for rule in rules:
        if rule.fits(thing, has_kind):
            return rule.names
    return None


def path_of(kind):
    return "%s:%s" % (kind.__module__, kind.__qualname__)


def plain(thing):
    """A kept thing that has a kind: a NumPy scalar as an array."""
    return numpy.asarray(thing) if isinstance(thing, numpy.generic) else thing


def describe(thing):
    """The text of a kept thing that no kind describes: its type, and its contents if they have a short text."""
    if isinstance(thing, Raised):
        return thing.text
    text = "%s.%s" % (type(thing).__module__, type(thing).__qualname__)
    try:
        shown = repr(thing)
    except Exception as error:
        shown = "raises " + type(error).__name__
    return text if len(shown) > _MAX_REPR or _ADDRESS.search(shown) else "%s %s" % (text, shown)

