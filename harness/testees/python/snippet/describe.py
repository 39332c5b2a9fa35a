"""Values as descriptors: an array, or a graph of objects in which every object is one node."""

import functools
import json
import struct
import types

import numpy
from numpy_testee import graph_classes
from numpy_testee.dtypes import print_text

from .arrays import CLASSES, array_spec, numbers, root_of, view_spec
from .reason import Inexpressible

MAX_NODES = 512

_ATOMS = {
    type(None): lambda thing: {"none": True},
    bool: lambda thing: {"bool": thing},
    int: lambda thing: {"int": str(thing)},
    float: lambda thing: {"float": struct.pack(">d", thing).hex()},
    str: lambda thing: {"text": json.loads(print_text(thing))},
    bytes: lambda thing: {"bytes": thing.hex()},
}
_CALLABLES = (types.FunctionType, types.MethodType, types.BuiltinFunctionType, functools.partial, numpy.ufunc, numpy.vectorize)


def _is_objects(thing):
    """Whether the thing is an array of objects or of NumPy's StringDType."""
    return type(thing) is numpy.ndarray and thing.dtype.kind in "OT"


def describe(value):
    """The value of a descriptor. Raises Inexpressible."""
    is_alone = isinstance(value, numpy.ndarray) and type(value) is not numpy.ma.MaskedArray
    if is_alone and not _is_objects(value) and not _attributes(value, "value"):
        _check_class(value, "value")
        return {"array": array_spec(value, "value")}
    return {"graph": _Graph(value).spec()}


def _check_class(array, path):
    kind = type(array)
    if kind not in (numpy.ndarray, numpy.memmap) and kind not in CLASSES:
        raise Inexpressible("%s: an array of class %s.%s" % (path, kind.__module__, kind.__qualname__))


def _attributes(array, path):
    """The user's attributes of an array."""
    _check_class(array, path)
    return graph_classes.attributes_of(array)


class _Graph:
    """Numbers the objects in the order in which they are found, and describes each once."""

    def __init__(self, root):
        self.ids = {}
        self.things = []  # keeps the objects alive, so that their ids stay unique
        self.paths = []
        self.items = {}  # id of an array of objects -> its items, which an array of strings makes anew
        self._add(root, "value")
        for index, thing in enumerate(self.things):  # grows while it is visited
            for child, path in self._children(thing, self.paths[index]):
                self._add(child, path)
        self._add_shared_roots()

    def _add(self, thing, path):
        if id(thing) in self.ids:
            return
        if len(self.things) == MAX_NODES:
            raise Inexpressible("%s: a graph of more than %d objects" % (path, MAX_NODES))
        self.ids[id(thing)] = len(self.things)
        self.things.append(thing)
        self.paths.append(path)

    def _children(self, thing, path):
        kind = type(thing)
        if kind in (list, tuple):
            return [(one, "%s[%d]" % (path, place)) for place, one in enumerate(thing)]
        if kind is dict:
            pairs = [((key, "a key of %s" % path), (one, "%s[%.40r]" % (path, key))) for key, one in thing.items()]
            return [one for pair in pairs for one in pair]
        if _is_objects(thing):
            self.items[id(thing)] = items = [thing.item(place) for place in range(thing.size)]
            missing = [(thing.dtype.na_object, path + ".dtype.na_object")] if hasattr(thing.dtype, "na_object") else []
            return [(one, "%s.item(%d)" % (path, place)) for place, one in enumerate(items)] + missing
        if isinstance(thing, numpy.ndarray):
            more = [(one, "%s.%s" % (path, name)) for name, one in _attributes(thing, path).items()]
            mask = _mask(thing)
            return more if mask is None else more + [(mask, path + ".mask")]
        if kind not in _ATOMS:
            raise Inexpressible(_reason(thing, path))
        return []

    def _add_shared_roots(self):
        """Adds an array that is only reachable as the base of several others as a node for their views."""
        users = {}
        for thing in self.things:
            if isinstance(thing, numpy.ndarray):
                users.setdefault(id(root_of(thing)), []).append(thing)
        self.shared = {root for root, things in users.items() if len(things) > 1}
        for root, things in users.items():
            if root in self.shared:
                self._add(root_of(things[0]), "the base of " + self.paths[self.ids[id(things[0])]])

    def spec(self):
        return {"root": 0, "nodes": [self._node(thing, path) for thing, path in zip(self.things, self.paths)]}

    def _edges(self, things):
        return [self.ids[id(thing)] for thing in things]

    def _node(self, thing, path):
        kind = type(thing)
        if kind in _ATOMS:
            return _ATOMS[kind](thing)
        if kind in (list, tuple):
            return {kind.__name__: self._edges(thing)}
        if kind is dict:
            return {"dict": [self._edges(pair) for pair in thing.items()]}
        if _is_objects(thing):
            return {"objects": self._objects(thing, path)}
        return self._array(thing, path)

    def _objects(self, array, path):
        if array.base is not None or id(array) in self.shared:
            raise Inexpressible("%s: an array of objects that is a view" % path)
        if not array.flags.writeable:
            raise Inexpressible("%s: a read-only array of objects" % path)
        order = "F" if array.flags.fnc else "C"
        spec = {"shape": numbers(array.shape), "items": self._edges(self.items[id(array)]), "order": order}
        if array.dtype.kind == "T":
            spec["dtype"] = {"string": {"coerce": array.dtype.coerce}}
            if hasattr(array.dtype, "na_object"):
                spec["dtype"]["string"]["na_object"] = self.ids[id(array.dtype.na_object)]
        return spec

    def _array(self, array, path):
        root = root_of(array)
        if id(root) in self.shared and root is not array:
            return {"view": dict(view_spec(root, array, path), of=self.ids[id(root)])}
        node = {"array": array_spec(array, path)}
        attributes = _attributes(array, path)
        if attributes:
            node["attributes"] = {name: self.ids[id(one)] for name, one in attributes.items()}
        if type(array) is numpy.ma.MaskedArray:
            self._add_mask(node, array)
        return node

    def _add_mask(self, node, array):
        mask = _mask(array)
        if mask is not None:
            node["mask"] = self.ids[id(mask)]
        fill = getattr(array, "_fill_value", None)
        if fill is not None:
            node["fill_value"] = numpy.asarray(fill, array.dtype.newbyteorder("<")).tobytes().hex()
        if array._hardmask:
            node["hard_mask"] = True


def _mask(array):
    mask = getattr(array, "_mask", numpy.ma.nomask)
    return None if mask is numpy.ma.nomask else mask


def _reason(thing, path):
    """Why an object has no node."""
    kind = type(thing)
    name = "%s.%s" % (kind.__module__, kind.__qualname__)
    if isinstance(thing, _CALLABLES):
        return "%s: a %s, whose code a descriptor cannot contain" % (path, name)
    if isinstance(thing, numpy.generic):
        return "%s: a scalar of %s; numpy.asarray makes an array of it" % (path, name)
    return "%s: an object of class %s" % (path, name)
