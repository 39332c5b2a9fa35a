"""Builds graphs of objects from the nodes of the protocol, including cycles."""

import functools
import struct
import types

import numpy

from . import graph_classes, graph_functions, instances
from .dtypes import integers, read_text
from .refusal import Refused, Unsupported
from .values import apply_views, build_plain

_ATOMS = {
    "none": lambda spec: None,
    "bool": bool,
    "int": int,
    "float": lambda spec: struct.unpack(">d", bytes.fromhex(spec))[0],
    "text": read_text,
    "bytes": bytes.fromhex,
}


class _Builder:
    """Makes every node once: first nodes without requirements, then nodes that need others, then the contents."""

    def __init__(self, spec, part, store, path):
        self.nodes = spec["nodes"]
        self.part = part
        self.store = store
        self.path = path
        self.paths = []
        self.made = {}
        self.filled = set()
        self.kinds = [self._kind(node) for node in self.nodes]

    @staticmethod
    def _kind(node):
        for kind in _KINDS:
            if kind in node:
                return kind
        raise Unsupported("unknown kind of node: %s" % sorted(node))

    def build(self, root):
        for start in range(len(self.nodes)):
            self._make_with_needs(start)
        self._fill(range(len(self.nodes)))
        self._call()
        return self.made[root]

    def _fill(self, indices):
        """Gives nodes their contents and attributes, once."""
        indices = [index for index in indices if index not in self.filled]
        self.filled.update(indices)
        for index in indices:
            kind = self.kinds[index]
            fill = _FILLS.get(kind)
            if fill is not None:
                fill(self, self.made[index], self.nodes[index][kind])
        for index in indices:
            self._set_attributes(self.made[index], self.nodes[index])

    def _reached(self, index):
        """The nodes that the arguments of an instance lead to."""
        reached, stack = {}, list(_edges_of("class", self.nodes[index]))
        while stack:
            one = stack.pop()
            if one not in reached:
                reached[one] = True
                stack.extend(_edges_of(self.kinds[one], self.nodes[one]))
        return list(reached)

    def _call(self):
        """Makes the calls that precede the case, and restores cells that they changed."""
        called = [(index, self._calls(index, kind)) for index, kind in enumerate(self.kinds)]
        called = [(index, count) for index, count in called if count]
        if not called:
            return
        with graph_functions.kept(self.made.values()):
            for index, count in called:
                for _ in range(count):
                    _call_quietly(self.made[index])

    def _make_with_needs(self, start):
        """Makes a node after the nodes that its construction needs."""
        stack = [start]
        open_nodes = set()
        while stack:
            index = stack[-1]
            if index in self.made:
                stack.pop()
                continue
            kind = self.kinds[index]
            node = self.nodes[index]
            if kind == "class":
                needs = self._reached(index)
            else:
                needs = _array_needs(node) if kind == "array" else _NEEDS.get(kind, _nothing)(node[kind])
            missing = [one for one in needs if one not in self.made]
            if missing and index in open_nodes:
                raise Refused("value", "node %d needs itself for its construction" % index)
            if missing:
                open_nodes.add(index)
                stack.extend(missing)
                continue
            if kind == "class":
                self._fill(needs)
            self.made[index] = _MAKERS[kind](self, self.nodes[index], self.nodes[index][kind])
            stack.pop()

    def _calls(self, index, kind):
        return self.nodes[index][kind].get("calls", 0) if kind in ("vectorize", "frompyfunc") else 0

    def _set_attributes(self, made, node):
        spec = node["function"] if "function" in node else node
        for name, edge in (spec.get("attributes") or {}).items():
            if graph_classes.is_quantity(type(made)):
                continue  # the unit is set during construction
            if "function" in node:
                graph_functions.set_attribute(made, name, self.made[edge])
                continue
            try:
                setattr(made, name, self.made[edge])
            except AttributeError:
                raise Unsupported("a %s takes no attribute %s" % (type(made).__name__, name))

    def many(self, edges):
        return [self.made[edge] for edge in edges]

    def array(self, node, spec):
        data = self.part(node.get("data", (0, 0)))
        path = "%s.%d" % (self.path, len(self.paths))
        if spec["base"].get("memmap") is not None:
            self.paths.append(path)
        array = build_plain(spec, data, self.store, path)
        array = self._as_class(array, node, spec.get("class", {"name": "ndarray"})["name"])
        if not spec.get("writeable", True) and isinstance(array, numpy.ndarray):
            array.flags.writeable = False
        return array

    def _as_class(self, array, node, name):
        if name in ("ndarray", "memmap"):
            return array
        if name in _VIEWED_AS:
            return array.view(_VIEWED_AS[name])
        if name == graph_classes.SCALAR:
            return array[()]
        if name == "MaskedArray":
            return self._masked(array, node)
        if name == "Quantity":
            return graph_classes.quantity(array, self.made[node["attributes"]["unit"]])
        if name == graph_classes.CUDF:
            return graph_classes.cudf_proxy(array)
        if "." in name:
            return array.view(graph_classes.imported(name))
        raise Unsupported("an array of class %s" % name)

    def _masked(self, array, spec):
        mask = spec.get("mask")
        fill = spec.get("fill_value")
        if fill is not None:
            fill = numpy.frombuffer(bytes.fromhex(fill), array.dtype.newbyteorder("<"))[0]
        mask = numpy.ma.nomask if mask is None else self.made[mask]
        # A structured array has a mask from its construction, which must not be combined with this one.
        masked = numpy.ma.MaskedArray(array, mask, copy=False, fill_value=fill, keep_mask=False)
        # When field dtypes are equal but not identical, NumPy uses a view of the mask, another one for each array.
        if mask is not numpy.ma.nomask:
            masked._mask = mask
        if spec.get("hard_mask"):
            masked.harden_mask()
        return masked

    def function(self, node, spec):
        if spec.get("importable"):
            return graph_functions.importable(spec["code"], spec["name"])
        scope = spec.get("globals")
        scope = graph_functions.new_globals() if scope is None else self.made[scope]
        return graph_functions.make_function(spec, self.many(spec.get("cells") or ()), scope)

    def vectorize(self, node, spec):
        options = {name: spec[name] for name in ("otypes", "signature") if spec.get(name) is not None}
        if spec.get("excluded") is not None:
            options["excluded"] = set(spec["excluded"])
        return numpy.vectorize(self.made[spec["function"]], **options)

    def partial(self, node, spec):
        keywords = {name: self.made[edge] for name, edge in (spec.get("keywords") or {}).items()}
        return functools.partial(self.made[spec["function"]], *self.many(spec.get("args", ())), **keywords)

    def instance(self, node, spec):
        keywords = {name: self.made[edge] for name, edge in (spec.get("keywords") or {}).items()}
        return instances.make(spec, self.many(spec.get("args", ())), keywords)

    def objects(self, node, spec):
        dtype = object if spec.get("dtype") is None else self._string_dtype(spec["dtype"]["string"])
        return numpy.empty(integers(spec["shape"]), dtype, spec.get("order", "C"))

    def _string_dtype(self, spec):
        kind = getattr(getattr(numpy, "dtypes", None), "StringDType", None)
        if kind is None:
            raise Unsupported("an array of StringDType, which NumPy %s lacks" % numpy.__version__)
        options = {} if spec.get("na_object") is None else {"na_object": self.made[spec["na_object"]]}
        return kind(coerce=spec.get("coerce", True), **options)

    def fill_list(self, made, spec):
        made.extend(self.many(spec))

    def fill_dict(self, made, spec):
        try:
            made.update((self.made[key], self.made[value]) for key, value in spec)
        except TypeError as error:
            raise Refused("type", str(error))

    def fill_objects(self, made, spec):
        # The transposed view has its elements in memory order, and assigning to it keeps every object.
        flat = (made.T if made.flags.fnc else made).reshape(-1)
        places = numpy.arange(made.size).reshape(made.shape, order="F" if made.flags.fnc else "C").reshape(-1)
        for place, edge in zip(places, spec["items"]):
            flat[place] = self.made[edge]

    def fill_cell(self, made, spec):
        if spec is not None:
            made.cell_contents = self.made[spec]

    def fill_globals(self, made, spec):
        made.update((name, self.made[edge]) for name, edge in spec.items())

    def fill_function(self, made, spec):
        if spec.get("importable"):
            return
        if spec.get("defaults"):
            made.__defaults__ = tuple(self.many(spec["defaults"]))
        if spec.get("kwdefaults"):
            made.__kwdefaults__ = {name: self.made[edge] for name, edge in spec["kwdefaults"].items()}


def _call_quietly(function):
    try:
        function(numpy.array([2, 3]))
    except Exception:
        pass  # the result is reported when ndproof asks for it; here the call only has to happen


def _plain(array):
    """The array as an instance of a class, as another object. A map stays a map."""
    return array.view() if type(array) is numpy.memmap else array.view(numpy.ndarray)


_VIEWED_AS = dict(graph_classes.PATTERNS, matrix=numpy.matrix, recarray=numpy.recarray)
_MAKERS = {
    "list": lambda builder, node, spec: [],
    "tuple": lambda builder, node, spec: tuple(builder.many(spec)),
    "dict": lambda builder, node, spec: {},
    "array": _Builder.array,
    "view": lambda builder, node, spec: apply_views(_plain(builder.made[spec["of"]]), spec.get("views", ())),
    "objects": _Builder.objects,
    "function": _Builder.function,
    "cell": lambda builder, node, spec: types.CellType(),
    "globals": lambda builder, node, spec: graph_functions.new_globals(),
    "method": lambda builder, node, spec: types.MethodType(builder.made[spec["function"]], builder.made[spec["self"]]),
    "partial": _Builder.partial,
    "vectorize": _Builder.vectorize,
    "frompyfunc": lambda builder, node, spec: numpy.frompyfunc(builder.made[spec["function"]], 1, 1),
    "class": _Builder.instance,
}
_MAKERS.update((kind, lambda builder, node, spec, make=make: make(spec)) for kind, make in _ATOMS.items())
_KINDS = tuple(_MAKERS)


def _array_needs(node):
    """A mask, and the unit of a quantity."""
    needs = [] if node.get("mask") is None else [node["mask"]]
    if node["array"].get("class", {}).get("name") == "Quantity":
        needs.append(node["attributes"]["unit"])
    return needs


def _function_needs(spec):
    return list(spec.get("cells") or ()) + ([spec["globals"]] if spec.get("globals") is not None else [])


def _objects_needs(spec):
    """The object of missing items of an array of strings."""
    missing = ((spec.get("dtype") or {}).get("string") or {}).get("na_object")
    return () if missing is None else (missing,)


def _nothing(spec):
    return ()


def _edges_of(kind, node):
    """All edges of a node."""
    spec = node[kind]
    found = list((node.get("attributes") or {}).values()) + ([node["mask"]] if node.get("mask") is not None else [])
    if kind in ("list", "tuple"):
        return found + list(spec)
    if kind == "dict":
        return found + [edge for pair in spec for edge in pair]
    if kind == "cell":
        return found + ([] if spec is None else [spec])
    if kind == "globals":
        return found + list(spec.values())
    if not isinstance(spec, dict):
        return found
    for name in ("of", "function", "self", "globals"):
        found += [spec[name]] if isinstance(spec.get(name), int) else []
    for name in ("items", "args", "cells", "defaults"):
        found += spec.get(name) or []
    for name in ("keywords", "kwdefaults", "attributes"):
        found += (spec.get(name) or {}).values()
    return found


# The nodes that must exist before a node of a kind can be made.
_NEEDS = {
    "tuple": lambda spec: spec,
    "view": lambda spec: (spec["of"],),
    "objects": _objects_needs,
    "function": _function_needs,
    "method": lambda spec: (spec["function"], spec["self"]),
    "partial": lambda spec: [spec["function"], *spec.get("args", ()), *(spec.get("keywords") or {}).values()],
    "vectorize": lambda spec: (spec["function"],),
    "frompyfunc": lambda spec: (spec["function"],),
}
# How a node gets its contents once all nodes exist.
_FILLS = {
    "list": _Builder.fill_list,
    "dict": _Builder.fill_dict,
    "objects": _Builder.fill_objects,
    "cell": _Builder.fill_cell,
    "globals": _Builder.fill_globals,
    "function": _Builder.fill_function,
}


def build_graph(spec, part, store, path):
    """The root object of a graph and the files behind its maps. `part` returns bytes of the frame."""
    builder = _Builder(spec, part, store, path)
    return builder.build(spec.get("root", 0)), builder.paths
