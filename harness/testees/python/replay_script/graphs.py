"""A graph of objects as Python: first nodes without dependencies, then nodes that need others, then the contents.

Classes and functions that a pickle names are in a module of their own, so that another process can import them."""

from .case import Refused
from .graph_module import CLASSES, FUNCTIONS, INSTANCES
from .script import literal
from .values import apply_views, class_of, plain, text_of, tuple_word

_SCOPE = '{"__name__": "dynamic", "__builtins__": builtins}'
_FUNC = """\
def func(name, source, scope, cells):
    exec(source, t := {}); code = t["make"](*[None] * len(cells)).__code__.replace(co_name=name)
    f = types.FunctionType(code, scope, name, None, tuple(cells) or None)
    f.__qualname__ = "make.<locals>." + name; return f"""
# The body of a function. {all} adds cells, defaults and keyword defaults; {cells} adds cells; {rest} adds all cells but
# the first.
_BODIES = {
    "const": "return 0{cells}",
    "add": "return x{all}",
    "counter": "nonlocal c0; c0 = c0 + 1; return c0",
    "recurse": "return x if x <= 0 else c0(x - 1) + 1{rest}",
    "mutual": "return x if x <= 0 else 2 * c0(x - 1) + 1",
    "late": "return x + late",
    "deep": "return (lambda: x + late)()",
    "call": "return c0(x)",
    "nested": "return (lambda: x{cells})()",
    "identity": "return x",
}
CALLABLE = ("function", "method", "partial", "vectorize", "frompyfunc")
TAKE_ARRAYS = ("vectorize", "frompyfunc")
_KINDS = ("none bool int float text bytes tuple list dict array view objects cell globals class").split() + list(CALLABLE)


class Edge:
    """One reference of a node: its role, its name or None, the node that it leads to."""

    def __init__(self, role, to, name=None, ordinal=0):
        self.role, self.to, self.name, self.ordinal = role, to, name, ordinal


class Node:
    """One node of the protocol, with its edges in the order in which an observation follows them."""

    def __init__(self, spec):
        self.kind = next(kind for kind in _KINDS if kind in spec)  # an array may have a class, too
        self.spec, self.members = spec[self.kind], spec
        self.edges = list(self._edges())

    def _edges(self):
        kind, spec = self.kind, self.spec
        if kind in ("list", "tuple"):
            yield from self._listed("items", spec)
        elif kind == "dict":
            yield from self._listed("keys", [key for key, _ in spec])
            yield from self._listed("values", [value for _, value in spec])
        elif kind == "cell":
            yield from self._listed("content", [] if spec is None else [spec])
        elif kind == "globals":
            yield from self._named("entries", spec)
        elif kind == "array":
            yield from self._named("attributes", self.members.get("attributes", {}))
            yield from self._single("mask", self.members.get("mask"))
        elif isinstance(spec, dict):
            for role in ("of", "items", "function", "self", "args", "keywords"):
                yield from self._of(role, spec.get(role))
            for role in ("cells", "defaults", "kwdefaults", "attributes", "globals"):
                yield from self._of(role, spec.get(role))
            if kind == "objects" and spec.get("dtype"):
                yield from self._single("na_object", spec["dtype"]["string"].get("na_object"))

    def _of(self, role, value):
        if isinstance(value, list):
            return self._listed(role, value)
        return self._named(role, value) if isinstance(value, dict) else self._single(role, value)

    @staticmethod
    def _listed(role, numbers):
        return [Edge(role, to, None, ordinal) for ordinal, to in enumerate(numbers)]

    @staticmethod
    def _named(role, numbers):
        return [Edge(role, to, name, ordinal) for ordinal, (name, to) in enumerate(numbers.items())]

    @staticmethod
    def _single(role, number):
        return [] if number is None else [Edge(role, number)]

    def of_role(self, role):
        return [edge for edge in self.edges if edge.role == role]

    @property
    def array_class(self):
        return class_of(self.spec)

    @property
    def is_importable(self):
        return self.kind == "function" and bool(self.spec.get("importable"))


def nodes_of(graph):
    return [Node(spec) for spec in graph["nodes"]]


def is_called_before(graph):
    return any(node.kind in TAKE_ARRAYS and node.spec.get("calls") for node in nodes_of(graph))


def argument(node):
    """The argument for a call of a node."""
    return "np.array([2, 3])" if node.kind in TAKE_ARRAYS else "2"


def _var(number):
    return "n%d" % number


def _vars(node, role):
    return "".join(_var(edge.to) + ", " for edge in node.of_role(role))


def _named_vars(node, role):
    return "".join("%s: %s, " % (literal(edge.name), _var(edge.to)) for edge in node.of_role(role))


def _only(node, role):
    edges = node.of_role(role)
    return _var(edges[0].to) if edges else "None"


def _function_row(node):
    row = FUNCTIONS.get((node.spec["code"], node.spec["name"]))
    if row is None:
        raise Refused("no script has the importable function %s" % node.spec["name"])
    return row


def _pieces(nodes):
    for node in nodes:
        if node.kind == "array":
            yield from CLASSES.get(node.array_class, ())
        elif node.is_importable:
            yield _function_row(node)[0]
        elif node.kind == "class" and node.spec["import"] in INSTANCES:
            yield INSTANCES[node.spec["import"]]


def _write_module(script, nodes):
    pieces = "".join(dict.fromkeys(_pieces(nodes)))
    if not pieces:
        return
    script.define("KIT = '''import functools, numpy as np\n%s'''" % pieces)
    script.do('with open("kit.py", "w") as f: f.write(KIT)')
    script.do('sys.path.insert(0, home.name); os.environ["PYTHONPATH"] = home.name; import kit')
    if script.case.encoder["language"] == "C":
        # The reference names the modules of the testee's own classes and functions.
        names = '("", ".graph_classes", ".graph_functions")'
        script.do('for n in %s: sys.modules["numpy_testee" + n] = kit' % names)


def _sum(names):
    return "".join(" + " + name for name in names)


def _function(node):
    if node.is_importable:
        return "kit." + _function_row(node)[1]
    cells = ["c%d" % edge.ordinal for edge in node.of_role("cells")]
    defaults = ["d%d" % edge.ordinal for edge in node.of_role("defaults")]
    keywords = [edge.name for edge in node.of_role("kwdefaults")]
    words = {"all": _sum(cells + defaults + keywords), "cells": _sum(cells), "rest": _sum(cells[1:])}
    source = "def make(%s):\\n def made(%s):\\n  %s\\n  if 0: %s\\n return made" % (
        ", ".join(cells),
        ", ".join(["x"] + defaults + (["*"] + keywords if keywords else [])),
        _BODIES[node.spec["code"]].format_map(words),
        ", ".join(cells) or "0",
    )
    scope = _only(node, "globals") if node.of_role("globals") else _SCOPE
    return 'func(%s, "%s", %s, [%s])' % (literal(text_of(node.spec["name"])), source, scope, _vars(node, "cells"))


def _vectorize(node):
    words = [_only(node, "function")]
    for option in ("otypes", "signature"):
        if node.spec.get(option) is not None:
            words.append("%s=%s" % (option, literal(text_of(node.spec[option]))))
    if node.spec.get("excluded"):
        words.append("excluded={%s}" % ", ".join(map(str, node.spec["excluded"])))
    return "np.vectorize(%s)" % ", ".join(words)


def _masked(script, node, array):
    script.do("t = " + array)
    mask = _only(node, "mask") if node.of_role("mask") else "np.ma.nomask"
    fill = ""
    if node.members.get("fill_value"):
        item = literal(bytes.fromhex(node.members["fill_value"]))
        fill = ', fill_value=np.frombuffer(%s, t.dtype.newbyteorder("<"))[0]' % item
    return "np.ma.MaskedArray(t, %s, copy=False, keep_mask=False%s)" % (mask, fill)


def _array(script, node, name):
    array, kind = plain(script, node.spec, script.case.part(node.members.get("data", (0, 0))), name), node.array_class
    if kind in ("ndarray", "memmap"):
        return array
    if kind == "scalar":
        return array + "[()]"
    if kind == "MaskedArray":
        return _masked(script, node, array)
    if kind == "Quantity":
        return "astropy.units.Quantity(%s, %s, copy=False, subok=True)" % (array, _only(node, "attributes"))
    if kind in ("matrix", "recarray"):
        return "%s.view(np.%s)" % (array, kind)
    if "." in kind and kind != "cudf.pandas":
        script.do("import " + kind.rpartition(".")[0])
        return "%s.view(%s)" % (array, kind)
    if kind not in CLASSES:
        raise Refused("no script can build arrays of the class %s" % kind)
    return "%s.view(kit.%s)" % (array, kind)


def _instance(script, node):
    module, _, name = node.spec["import"].partition(":")
    if node.spec["import"] in INSTANCES:
        module = "kit"
    else:
        script.do("import " + module)
    keywords = "".join(", %s=%s" % (edge.name, _var(edge.to)) for edge in node.of_role("keywords"))
    arguments = "".join(", " + _var(edge.to) for edge in node.of_role("args"))
    return "%s.%s(%s)" % (module, name, (arguments + keywords)[2:])


def _view(script, nodes, node, name):
    of = nodes[node.spec["of"]]
    is_plain = of.kind == "view" or of.array_class in ("ndarray", "memmap")
    array = _only(node, "of") + (".view()" if is_plain else ".view(np.ndarray)")
    return apply_views(script, array, node.spec.get("views", ()), name)


def _string_dtype(node):
    spec = node.spec["dtype"]["string"]
    missing = [] if spec.get("na_object") is None else ["na_object=" + _var(spec["na_object"])]
    return "np.dtypes.StringDType(%s)" % ", ".join(missing + ([] if spec.get("coerce", True) else ["coerce=False"]))


def _objects(node):
    order = ', order="F"' if node.spec.get("order") == "F" else ""
    dtype = _string_dtype(node) if node.spec.get("dtype") else "object"
    return "np.empty(%s, %s%s)" % (tuple_word(node.spec["shape"]), dtype, order)


# The expression of each kind of node except arrays and views, which also need statements.
_WORDS = {
    "none": lambda node: "None",
    "bool": lambda node: str(bool(node.spec)),
    "int": lambda node: str(node.spec),
    "float": lambda node: 'struct.unpack(">d", %s)[0]' % literal(bytes.fromhex(node.spec)),
    "text": lambda node: literal(text_of(node.spec)),
    "bytes": lambda node: literal(bytes.fromhex(node.spec)),
    "tuple": lambda node: "(%s)" % _vars(node, "items"),
    "list": lambda node: "[]",
    "dict": lambda node: "{}",
    "objects": _objects,
    "function": _function,
    "cell": lambda node: "types.CellType()",
    "globals": lambda node: _SCOPE,
    "method": lambda node: "types.MethodType(%s, %s)" % (_only(node, "function"), _only(node, "self")),
    "partial": lambda node: "functools.partial(%s, %s**{%s})"
    % (_only(node, "function"), _vars(node, "args"), _named_vars(node, "keywords")),
    "vectorize": _vectorize,
    "frompyfunc": lambda node: "np.frompyfunc(%s, 1, 1)" % _only(node, "function"),
}
_NEEDED_FIRST = ("na_object", "of", "function", "self", "args", "keywords", "cells", "mask", "globals")


def _is_needed_first(node, edge):
    """Returns whether a node can be built only after the target of the edge."""
    if edge.role in _NEEDED_FIRST:
        return True
    is_unit = node.kind == "array" and node.array_class == "Quantity" and edge.role == "attributes"
    return is_unit or (node.kind == "tuple" and edge.role == "items")


def _make(script, nodes, number):
    node, name = nodes[number], _var(number)
    if node.kind == "array":
        word = _array(script, node, name)
    elif node.kind == "class":
        word = _instance(script, node)
    elif node.kind == "view":
        word = _view(script, nodes, node, name)
    else:
        word = _WORDS[node.kind](node)
    if word != name:
        script.do("%s = %s" % (name, word))


def _reached(nodes, number):
    """The nodes to which the edges of a node lead, directly and indirectly."""
    found, stack = set(), [number]
    while stack:
        new = {edge.to for edge in nodes[stack.pop()].edges} - found
        found |= new
        stack += new
    return found


def _fill_all(script, nodes, numbers, filled):
    for number in sorted(set(numbers) - filled):
        _fill(script, nodes[number], _var(number))
        filled.add(number)


def _make_all(script, nodes):
    """Builds each node after its dependencies, in as many rounds as the longest chain has nodes. A class gets complete
    arguments. Returns the nodes that have their contents."""
    left, made, filled = list(range(len(nodes))), set(), set()
    while left:
        before = len(left)
        for number in list(left):
            node = nodes[number]
            needs = [edge.to for edge in node.edges if _is_needed_first(node, edge)]
            if node.kind == "class":
                needs = _reached(nodes, number)
            if made.issuperset(needs):
                if node.kind == "class":
                    _fill_all(script, nodes, needs, filled)
                _make(script, nodes, number)
                left.remove(number)
                made.add(number)
        if len(left) == before:
            raise Refused("no script can build the cycle of this graph")
    return filled


def _fill_items(node, name):
    """The statement that fills a container, None if it has no contents."""
    items = _vars(node, "items")
    if node.kind == "list" and items:
        return "%s.extend([%s])" % (name, items)
    if node.kind == "objects" and items:
        if node.spec.get("order") == "F":
            return "for i, v in zip(np.ndindex(%s.shape), [%s]): %s[i] = v" % (name, items, name)
        return "for i, v in enumerate([%s]): %s.reshape(-1)[i] = v" % (items, name)
    if node.kind == "dict" and node.edges:
        return "%s.update([%s])" % (name, "".join("(n%d, n%d), " % tuple(pair) for pair in node.spec))
    if node.kind == "cell" and node.edges:
        return "%s.cell_contents = %s" % (name, _only(node, "content"))
    if node.kind == "globals" and node.edges:
        return "%s.update({%s})" % (name, _named_vars(node, "entries"))
    return None


def _fill(script, node, name):
    """Fills a node after all nodes exist."""
    if node.is_importable:
        return
    statement = _fill_items(node, name)
    if statement:
        script.do(statement)
    if node.kind == "array" and node.members.get("hard_mask"):
        script.do(name + ".harden_mask()")
    if node.kind == "array" and node.array_class != "scalar" and not node.spec.get("writeable", True):
        script.do(name + ".flags.writeable = False")
    if node.of_role("defaults"):
        script.do("%s.__defaults__ = (%s)" % (name, _vars(node, "defaults")))
    if node.of_role("kwdefaults"):
        script.do("%s.__kwdefaults__ = {%s}" % (name, _named_vars(node, "kwdefaults")))
    if node.kind == "array" and node.array_class == "Quantity":
        return
    for edge in node.of_role("attributes"):
        script.do("setattr(%s, %s, %s)" % (name, literal(edge.name), _var(edge.to)))


def _call(script, number, node):
    script.do("with contextlib.suppress(Exception): %s(%s)" % (_var(number), argument(node)))


def build(script):
    """Builds the graph of the case; its root is in `a`."""
    graph = script.case.graph
    nodes = nodes_of(graph)
    if any(node.kind == "function" and not node.is_importable for node in nodes):
        script.define(_FUNC)
    _write_module(script, nodes)
    filled = _make_all(script, nodes)
    _fill_all(script, nodes, range(len(nodes)), filled)
    for number, node in enumerate(nodes):
        if node.kind in TAKE_ARRAYS and node.spec.get("calls"):
            _call(script, number, node)
    script.do("a = " + _var(graph.get("root", 0)))


def call_all(script):
    """Calls every callable in the graph once."""
    for number, node in enumerate(nodes_of(script.case.graph)):
        if node.kind in CALLABLE:
            _call(script, number, node)
