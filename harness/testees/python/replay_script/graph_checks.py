"""The differences of a graph as questions to the object that arrived: each node by a path to it from the root."""

import re

from .case import Refused
from .graphs import argument, nodes_of
from .script import literal

_ANSWER = """\
def answer(get):
    try: x = get()
    except Exception as error: return f"{type(error).__name__}: {error}"
    return repr(x) if isinstance(x, (type(None), bool, int, float, str, bytes, tuple)) else type(x).__name__"""
# How many objects were asked for again: none, unless the source and the result contain the same one.
_REPEATS = """\
held = []
def repeats(x): held.append(x); return len(held) - len(set(map(id, held)))"""
# The text of a result; repr() shortens large arrays, and fails for times without a unit.
_SHOWN = (
    'def shown(x): d = getattr(x, "dtype", np.dtype("O")); return repr(x) if d.kind not in "biufcmMSU" or d.char in "gG" '
    'else (d.str[1:], x.shape, x.astype(d.newbyteorder("=")).tobytes())'
)
# The part of an expression that follows an edge; {i} is its number among those of its role, {name} its quoted name.
_STEPS = {
    "items": "[{i}]",
    "content": ".cell_contents",
    "self": ".__self__",
    "args": ".args[{i}]",
    "keywords": ".keywords[{name}]",
    "cells": ".__closure__[{i}]",
    "defaults": ".__defaults__[{i}]",
    "kwdefaults": ".__kwdefaults__[{name}]",
    "mask": "._mask",
    "globals": ".__globals__",
    "na_object": ".dtype.na_object",
    "entries": "[{name}]",
}
_FUNCTION_STEPS = {"vectorize": ".pyfunc", "partial": ".func", "method": ".__func__"}
# The attribute that a class promises.
_PROMISED = {
    "finalize_none": "extra",
    "finalize_getattr": "extra",
    "reduce_setstate": "extra",
    "reduce_pair": "extra",
    "reduce_only": "extra",
    "reduce_ex": "extra",
    "slots": "extra",
    "proxy": "wrapped",
}
# Properties of a node that are an attribute in Python.
_MEMBERS = {
    "hard_mask": "hardmask",
    "fill_value": "fill_value",
    "otypes": "otypes",
    "signature": "signature",
    "excluded": "excluded",
    "name": "__name__",
    "shape": "shape",
    "order": "flags.fnc",
    "dtype": "dtype.kind",
    "coerce": "dtype.coerce",
}
# Special methods that an instance keeps, as Python calls them.
_SPECIAL = {
    "__array__": "np.asarray({0})",
    "__bytes__": "bytes({0})",
    "__call__": "[{0}(probe) for probe in (2, 3)]",
    "__float__": "float({0})",
    "__int__": "int({0})",
    "__iter__": "list({0})",
    "__len__": "len({0})",
    "__repr__": "repr({0})",
    "__str__": "str({0})",
}
_WITHOUT_IDENTITY = ("none", "bool", "int", "float", "text", "bytes", "tuple")


def _follow(path, node, edge):
    """The path after an edge, None when Python offers none. The value of a dict is found by its position."""
    if node.kind == "class":
        return None  # what it keeps is not an edge of the value
    if edge.role == "values":
        return "list(%s.values())[%d]" % (path, edge.ordinal)
    if edge.role == "attributes":
        return "%s.%s" % (path, edge.name)
    if edge.role == "function":
        step = _FUNCTION_STEPS.get(node.kind)
    elif edge.role == "items" and node.kind == "objects":
        step = ".reshape(-1)[{i}]"
    else:
        step = _STEPS.get(edge.role)
    return None if step is None else path + step.format(i=edge.ordinal, name=literal(edge.name or ""))


class _Questions:
    """The questions of `look`, by the path of the difference."""

    def __init__(self, script):
        graph = script.case.graph
        self.script = script
        self.nodes = nodes_of(graph)
        self.asked = {}
        self.first, self.second = {}, {}  # node -> the shortest path to it, and another
        self._find_paths(graph.get("root", 0))

    def _find_paths(self, root):
        queue = [root]
        self.first[root] = "x"
        for number in queue:
            node = self.nodes[number]
            for edge in node.edges:
                path = _follow(self.first[number], node, edge)
                if path is None:
                    continue
                if edge.to not in self.first:
                    self.first[edge.to] = path
                    queue.append(edge.to)
                else:
                    self.second.setdefault(edge.to, path)

    def path_to(self, number):
        if number not in self.first:
            raise Refused("no path leads to the object that differs")
        return self.first[number]

    def path_to_kept(self, place):
        """The path to an attribute that the class of an instance must keep; they follow the nodes of the recipe."""
        nodes = enumerate(self.script.case.graph["nodes"])
        instances = [(number, node["class"]) for number, node in nodes if "class" in node and "array" not in node]
        kept = [(number, word) for number, one in instances for word in one.get("keep", ())]
        if place >= len(kept):
            raise Refused("no path leads to the object that differs")
        number, word = kept[place]
        return _SPECIAL.get(word, "{0}." + word).format(self.path_to(number))

    def ask(self, name, expression):
        self.asked.setdefault(name, expression)

    def ask_safely(self, name, expression):
        """Asks for a value, or for the exception that it raises."""
        self.script.define(_ANSWER)
        self.ask(name, "answer(lambda: %s)" % expression)

    def ask_whole(self, name, number):
        """Asks whether the object, a part of it and a copy of the part have the attribute that the class promises."""
        path, kind = self.path_to(number), self.nodes[number].array_class
        part = "%s[(slice(0, 1),) * %s.ndim + (...,)]" % (path, path)
        own = {"MaskedArray": "hardmask", "Quantity": "unit"}.get(kind)
        if own:
            self.ask_safely(name, "%s.%s and %s.copy().size" % (path, own, part))
        elif kind in _PROMISED:
            words = (_PROMISED[kind], path, part, part)
            self.ask_safely(name, "len([o.%s for o in (%s, %s, %s.copy())])" % words)
        else:
            self.ask_safely(name, part + ".copy().size")

    def ask_split(self, name, number):
        """Asks whether another path still leads to the same object."""
        if number not in self.second:
            raise Refused("only one path leads to the object")
        self.ask(name, "%s is %s" % (self.path_to(number), self.second[number]))

    def ask_merged(self, name):
        """Asks for the number of objects."""
        paths = [
            self.first[number]
            for number, node in enumerate(self.nodes)
            if number in self.first and node.kind not in _WITHOUT_IDENTITY
        ]
        self.ask(name, "len(set(map(id, (%s))))" % "".join(path + ", " for path in paths))

    def ask_aliasing(self, name, first, second):
        a, b = self.path_to(first), self.path_to(second)
        place = '%s.__array_interface__["data"][0]'
        # A tuple, because a distance of 0 would equal False.
        self.ask(name, "np.shares_memory(%s, %s) and (%s - %s,)" % (a, b, place % b, place % a))

    def ask_results(self, name, number):
        self.script.define(_SHOWN)
        self.ask_safely(name, "shown(%s(%s))" % (self.path_to(number), argument(self.nodes[number])))

    def ask_array(self, number):
        """Asks for an array among other objects, in little-endian order."""
        little = '{p}.dtype.newbyteorder("<")'
        words = "(type({p}).__name__, {p}.shape, %s.str, {p}.dtype.names, {p}.astype(%s).tobytes())" % (little, little)
        self.ask("nodes[%d]" % number, words.format(p=self.path_to(number)))

    def find_edge(self, number, word):
        """The edge that the end of a path names, `items[2]` or `attributes.note`; None when there is none."""
        for edge in self.nodes[number].edges:
            is_named = edge.name is not None
            if word == (edge.role + "." + edge.name if is_named else "%s[%d]" % (edge.role, edge.ordinal)):
                return edge
        return None

    def ask_own(self, name, number, word):
        """Asks for a property of a node."""
        path = self.path_to(number)
        if word.startswith("attributes."):
            self.ask_safely(name, "%s.%s" % (path, word[11:]))
        elif word.startswith("keep."):
            self.ask_safely(name, _SPECIAL.get(word[5:], "{0}." + word[5:]).format(path))
        elif word == "class" and self.nodes[number].kind == "class":
            self.ask_safely(name, "type(%s).__qualname__" % path)
        elif word in _MEMBERS:
            self.ask_safely(name, "repr(%s.%s)" % (path, _MEMBERS[word]))
        elif word == "code":
            self.ask_results(name, number)
        else:
            self.ask_safely(name, path)

    def ask_difference(self, difference):
        name = difference.path
        found = re.match(r"nodes\[(\d+)\](.*)", name)
        is_sent = difference.got == "the object that was sent"
        if not found or (int(found[1]) >= len(self.nodes) and not is_sent):
            raise Refused("no script can ask for the difference at %s" % name)
        number, rest = int(found[1]), found[2]
        other = re.match(r" and nodes\[(\d+)", rest)
        if other:
            self.ask_aliasing(name, number, int(other[1]))
        elif rest.startswith(": "):
            self.ask_array(number)
        elif difference.got == "one object":
            self.ask_merged(name)
        elif difference.got == "two objects":
            self.ask_split(name, number)
        elif is_sent:
            self.script.define(_REPEATS)
            behind = number - len(self.nodes)
            self.ask(name, "repeats(%s)" % (self.path_to(number) if behind < 0 else self.path_to_kept(behind)))
        elif not rest:
            self.ask_safely(name, self.path_to(number))
        elif rest == ".whole":
            self.ask_whole(name, number)
        elif rest.startswith(".results["):
            self.ask_results(name, number)
        else:
            edge = self.find_edge(number, rest[1:])
            if edge is None:
                self.ask_own(name, number, rest[1:])
            else:
                self.ask_safely(name, _follow(self.path_to(number), self.nodes[number], edge) or self.path_to(number))


def define_look(script):
    """Defines `look` for the differences of the case; returns the path from `x` to the object of the first one, or
    "x"."""
    questions = _Questions(script)
    differences = [one._replace(path=re.sub("^touched: ", "", one.path)) for one in script.case.differences]
    for difference in differences:
        questions.ask_difference(difference)
    asked = ", ".join("%s: %s" % (literal(name), expression) for name, expression in questions.asked.items())
    script.define("def look(x): return {%s}" % asked)
    found = re.match(r"nodes\[(\d+)\]", differences[0].path)
    return questions.first.get(int(found[1]), "x") if found else "x"
