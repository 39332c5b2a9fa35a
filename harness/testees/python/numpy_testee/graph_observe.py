"""Observations of graphs: every reachable object once, in depth-first pre-order."""

import functools
import json
import mmap
import struct
import types

import numpy

from . import graph_classes, graph_functions, instances
from .dtypes import print_integers, print_text
from .memory import address_of
from .observation import file_place, map_of, observe, root_of
from .refusal import Refused

MAX_NODES = 512
_SHARED_MODES = ("r+", "w+")
_ELEMENTS = '"elements":[0,'  # cannot occur inside a string, where quotes are escaped
_MAX_TEXT = 180


def _words(text):
    """JSON of a message: short and ASCII."""
    return json.dumps(text.encode("ascii", "backslashreplace").decode("ascii").replace("\0", " ")[:_MAX_TEXT])


def _edges(spots):
    return "[%s]" % ",".join(spots)


def _members(spots, names):
    return "{%s}" % ",".join("%s:%s" % (print_text(name), spot) for name, spot in zip(names, spots))


class _Node:
    """An object: its children in order, and a function that makes its text from their ids."""

    __slots__ = ("thing", "children", "print")

    def __init__(self, thing, children, printer):
        self.thing = thing
        self.children = children
        self.print = printer


class GraphObservation:
    """An observation independent of any frame. It may be sent to another process."""

    def __init__(self, texts, chunks):
        self._texts = texts
        self._chunks = chunks  # element bytes; None for nodes without elements

    def text(self, place):
        """The JSON of the observation, with its element bytes from `place` on."""
        parts = []
        for index, (text, chunk) in enumerate(zip(self._texts, self._chunks)):
            if chunk is not None:
                text = text.replace(_ELEMENTS, '"elements":[%d,' % place, 1)
                place += len(chunk)
            parts.append(text)
        return '{"graph":{"nodes":[%s]}}' % ",".join(parts)

    @property
    def chunks(self):
        return [chunk for chunk in self._chunks if chunk is not None]


class _Observer:
    def __init__(self, files, rules=()):
        self.files = files
        self.rules = rules
        self.ids = {}
        self.nodes = []
        self.chunks = []
        self.arrays = []  # (id, array)

    def walk(self, root):
        """Numbers all objects in the order of the first visit."""
        stack = [iter((root,))]
        while stack:
            thing = next(stack[-1], stack)
            if thing is stack:
                stack.pop()
                continue
            if id(thing) in self.ids:
                continue
            if len(self.nodes) == MAX_NODES:
                raise Refused("limit", "a graph of more than %d nodes" % MAX_NODES)
            self.ids[id(thing)] = len(self.nodes)
            self.nodes.append(None)
            self.chunks.append(None)
            # The node keeps a reference, so the object's identity stays unique.
            node = self.nodes[-1] = self._node(thing)
            stack.append(iter(node.children))

    def texts(self):
        self._memory = _memory_of(self.arrays)
        return [node.print([str(self.ids[id(child)]) for child in node.children]) for node in self.nodes]

    def _node(self, thing):
        kind = type(thing)
        if self.rules and kind not in _ATOMS:
            names = instances.find(thing, self.rules, self._has_kind(thing))
            if names is not None:
                return self._instance(thing, names)
        if kind in _ATOMS:
            text = _ATOMS[kind](thing)
            return _Node(thing, (), lambda spots: text)
        if kind in _COMPOUNDS:
            children, printer = _COMPOUNDS[kind](thing)
            return _Node(thing, children, printer)
        if isinstance(thing, numpy.ndarray):
            return self._array(thing)
        if isinstance(thing, numpy.generic):
            return self._scalar(thing)
        if isinstance(thing, _Globals):
            names = [name for name in thing.scope if not name.startswith("_")]
            children = [thing.scope[name] for name in names]
            return _Node(thing, children, lambda spots: '{"globals":%s}' % _members(spots, names))
        if kind is types.FunctionType and graph_functions.template_of(thing) != "unknown":
            return self._function(thing)
        text = "%s.%s" % (kind.__module__, kind.__qualname__)
        text = '{"other":%s}' % _words(instances.describe(thing) if self.rules else text)
        return _Node(thing, (), lambda spots: text)

    @staticmethod
    def _has_kind(thing):
        kind = type(thing)
        return kind in _COMPOUNDS or isinstance(thing, (numpy.ndarray, _Globals, types.FunctionType, instances.Raised))

    def _instance(self, thing, names):
        head = '{"class":{"import":%s,"keep":' % _words(instances.path_of(type(thing)))
        children = [instances.plain(instances.read(thing, name)) for name in names]
        return _Node(thing, children, lambda spots: head + _members(spots, names) + "}}")

    def _array(self, array):
        kind = type(array)
        index = len(self.nodes) - 1
        self.arrays.append((index, array))
        whole = graph_classes.whole(array)
        attributes = graph_classes.attributes_of(array)
        names = list(attributes)
        children = list(attributes.values())
        tail = ""
        is_masked = isinstance(array, numpy.ma.MaskedArray)
        if is_masked:
            tail, mask = _masked_tail(array)
            children += [] if mask is None else [mask]
        if kind is numpy.ndarray and array.dtype.kind == "T":
            return _strings(array)
        if kind is numpy.ndarray and array.dtype == object:
            items = [array.item(place) for place in range(array.size)]
            head = '{"objects":{"shape":%s,"items":' % print_integers(array.shape)
            tail = ',"order":"F"}}' if array.flags.fnc else "}}"
            return _Node(array, items, lambda spots: head + _edges(spots) + tail)
        # Only the data: changes that a class makes to elements on access are not part of the storage.
        head, self.chunks[index] = observe(array, self.files, 0)
        told = "true" if whole is True else _words(whole)

        def printer(own):
            text = '"array":' + head + ',"class":%s,"attributes":%s' % (_words(graph_classes.name_of(kind)), _members(own, names))
            if is_masked:
                text += ',"mask":' + (own[len(names)] if len(own) > len(names) else "null")
            return '{%s%s,"whole":%s,"memory":[%d,%d]}' % (text, tail, told, *self._memory[index])

        return _Node(array, children, printer)

    def _scalar(self, scalar):
        """A scalar is observed as an array of no axes in memory of its own, which nobody can write to."""
        index = len(self.nodes) - 1
        array = numpy.asarray(scalar)
        array.flags.writeable = False
        head, self.chunks[index] = observe(array, self.files, 0)
        words = (head, _words(graph_classes.scalar_name(type(scalar))), index)
        text = '{"array":%s,"class":%s,"attributes":{},"whole":true,"memory":[%d,0]}' % words
        return _Node(scalar, (), lambda spots: text)

    def _function(self, function):
        head = '{"function":{"code":%s,"name":%s' % (
            _words(graph_functions.template_of(function)),
            _words(function.__name__),
        )
        if graph_functions.is_importable(function):
            # Globals of the module itself were not sent.
            return _Node(function, (), lambda spots: head + ',"importable":true}}')
        cells = list(function.__closure__ or ())
        defaults = list(function.__defaults__ or ())
        keywords = function.__kwdefaults__ or {}
        attributes = dict(graph_functions.own_attributes(function), **function.__dict__)
        scope = graph_functions.globals_of(function)
        groups = [cells, defaults, list(keywords.values()), list(attributes.values())]
        children = [one for group in groups for one in group]
        if scope is not None:
            children.append(self._globals(scope))
        names = list(keywords), list(attributes)

        def printer(spots):
            parts = []
            for group in groups:
                parts.append(spots[: len(group)])
                spots = spots[len(group) :]
            text = '%s,"cells":%s,"defaults":%s,"kwdefaults":%s,"attributes":%s' % (
                head,
                _edges(parts[0]),
                _edges(parts[1]),
                _members(parts[2], names[0]),
                _members(parts[3], names[1]),
            )
            return text + (',"globals":%s}}' % spots[0] if spots else "}}")

        return _Node(function, children, printer)

    def _globals(self, scope):
        """The unique stand-in of a dict of globals."""
        return self._scopes.setdefault(id(scope), _Globals(scope))

    @property
    def _scopes(self):
        return self.__dict__.setdefault("_scope_table", {})


class _Globals:
    def __init__(self, scope):
        self.scope = scope


def _strings(array):
    """The node of an array of StringDType. Its dtype has no na_object or one that is an edge."""
    items = [array.item(place) for place in range(array.size)]
    missing = [array.dtype.na_object] if hasattr(array.dtype, "na_object") else []
    order = ',"order":"F"' if array.flags.fnc else ""
    coerce = "true" if array.dtype.coerce else "false"

    def printer(spots):
        words = [print_integers(array.shape), _edges(spots[: len(items)]), order]
        words.append('"na_object":%s,' % spots[-1] if missing else "")
        return '{"objects":{"shape":%s,"items":%s%s,"dtype":{"string":{%s"coerce":%s}}}}' % (*words, coerce)

    return _Node(array, items + missing, printer)


def _masked_tail(array):
    """The JSON of a masked array's other members, and its mask or None."""
    fill = getattr(array, "_fill_value", None)
    try:
        fill = "null" if fill is None else '"%s"' % numpy.asarray(fill, array.dtype.newbyteorder("<")).tobytes().hex()
    except (TypeError, ValueError):
        fill = "null"  # NumPy's default "?" for a type that has none, for types of several units
    mask = getattr(array, "_mask", numpy.ma.nomask)
    hard = "true" if getattr(array, "_hardmask", False) else "false"
    return ',"fill_value":%s,"hard_mask":%s' % (fill, hard), None if mask is numpy.ma.nomask else mask


def _memory_of(arrays):
    """[group, offset] of every array by id, derived from addresses and memory owners."""
    group_of_root = {}
    spans = []
    for index, array in arrays:
        space, place = _place_of(array)
        low, high = _bounds(array, place)
        group = group_of_root.setdefault(id(root_of(array)), len(group_of_root))
        spans.append((space, low, high, group, place))
    joined = _join_overlapping([span[:4] for span in spans], len(group_of_root))
    numbers, firsts, memory = {}, {}, {}
    for (index, array), (_, _, _, group, place) in zip(arrays, spans):
        group = joined[group]
        number = numbers.setdefault(group, len(numbers))
        memory[index] = (number, place - firsts.setdefault(group, place))
    return memory


def _place_of(array):
    """The position of element 0: (0, address), or (inode, offset) in a file that other maps may write to."""
    address = address_of(array)
    if type(array) is numpy.ndarray and array.base is None or array.nbytes == 0:
        return 0, address
    owner = map_of(array)
    if owner is None or owner.mode not in _SHARED_MODES or not isinstance(root_of(array), mmap.mmap):
        return 0, address
    return file_place(address) or (0, address)


def _join_overlapping(spans, count):
    """Merges groups whose address ranges overlap."""
    parent = list(range(count))

    def top(group):
        while parent[group] != group:
            group = parent[group]
        return group

    before, reach, owner = None, 0, None
    for space, low, high, group in sorted(spans):
        if low == high:
            continue
        if space != before:
            before, reach, owner = space, high, group
            continue
        if low < reach:
            parent[top(group)] = top(owner)
        if high > reach:
            reach, owner = high, group
    return [top(group) for group in range(count)]


def _bounds(array, place):
    """The range from the first byte to one past the last, for element 0 at `place`."""
    low = high = place
    if array.size == 0 or array.itemsize == 0:
        return low, low
    for extent, stride in zip(array.shape, array.strides):
        low += min(0, (extent - 1) * stride)
        high += max(0, (extent - 1) * stride)
    return low, high + array.itemsize


def _sequence(name):
    return lambda thing: (list(thing), lambda spots: '{"%s":%s}' % (name, _edges(spots)))


def _dict(thing):
    children = [one for pair in thing.items() for one in pair]
    return children, lambda spots: '{"dict":[%s]}' % ",".join(map("[%s,%s]".__mod__, zip(spots[::2], spots[1::2])))


def _cell(cell):
    try:
        children = [cell.cell_contents]
    except ValueError:
        children = []
    return children, lambda spots: '{"cell":%s}' % (spots[0] if spots else "null")


def _method(method):
    children = [method.__func__, method.__self__]
    return children, lambda spots: '{"method":{"function":%s,"self":%s}}' % tuple(spots)


def _partial(partial):
    names = list(partial.keywords)
    count = len(partial.args) + 1
    children = [partial.func, *partial.args, *partial.keywords.values()]
    return children, lambda spots: '{"partial":{"function":%s,"args":%s,"keywords":%s}}' % (
        spots[0],
        _edges(spots[1:count]),
        _members(spots[count:], names),
    )


def _vectorize(thing):
    otypes = getattr(thing, "otypes", None)
    excluded = sorted(getattr(thing, "excluded", None) or (), key=str)
    told = ',"otypes":%s,"excluded":%s,"signature":%s' % (
        "null" if otypes is None else _words(str(otypes)),
        json.dumps(excluded) if excluded else "null",
        "null" if thing.signature is None else _words(str(thing.signature)),
    )
    return [thing.pyfunc], lambda spots: '{"vectorize":{"function":%s%s}}' % (spots[0], told)


def _ufunc(thing):
    name = thing.__name__
    if getattr(numpy, name, None) is thing:
        return [], lambda spots: '{"other":%s}' % _words("numpy." + name)
    suffix = " (vectorized)"
    name = name[: -len(suffix)] if name.endswith(suffix) else name
    return [], lambda spots: '{"frompyfunc":{"name":%s}}' % _words(name)


_ATOMS = {
    type(None): lambda thing: '{"none":true}',
    bool: lambda thing: '{"bool":%s}' % ("true" if thing else "false"),
    int: lambda thing: '{"int":"%d"}' % thing,
    float: lambda thing: '{"float":"%s"}' % struct.pack(">d", thing).hex(),
    str: lambda thing: '{"text":%s}' % print_text(thing),
    bytes: lambda thing: '{"bytes":"%s"}' % thing.hex(),
}
_COMPOUNDS = {
    list: _sequence("list"),
    tuple: _sequence("tuple"),
    dict: _dict,
    types.CellType: _cell,
    types.MethodType: _method,
    functools.partial: _partial,
    numpy.vectorize: _vectorize,
    numpy.ufunc: _ufunc,
}
_ARRAY_PROBES = ([2, 3], [3, 4])
_ARRAY_CALLED = (numpy.vectorize, numpy.ufunc)
_CALLED = (types.FunctionType, types.MethodType, functools.partial) + _ARRAY_CALLED


def _unused(thing):
    """The callable to use instead of an object, so that the object stays uncalled."""
    if type(thing) is not numpy.vectorize:
        return thing
    twin = numpy.vectorize.__new__(numpy.vectorize)
    twin.__dict__.update((name, dict(one) if type(one) is dict else one) for name, one in vars(thing).items())
    return twin


def _probe(thing, things):
    """The results of the probe calls. Cells are restored, so that other functions are not affected."""
    is_array_called = type(thing) in _ARRAY_CALLED
    probes = [numpy.array(probe, "i8") for probe in _ARRAY_PROBES] if is_array_called else instances.PROBES
    with graph_functions.kept(things):
        return [_result(thing, probe) for probe in probes]


def _callables(things, texts):
    """The indexes of what can be called. An object without a form is not called."""
    return [i for i, thing in enumerate(things) if type(thing) in _CALLED and not texts[i].startswith('{"other"')]


def observe_graph(root, files=(), rules=(), sent=(), reached=None):
    """The observation of an object and everything reachable, including results of calls. The object stays unchanged.
    `rules` describe what instances keep. Objects whose id is in `sent` are marked. The dict `reached` receives all
    objects by id."""
    observer = _Observer(files, rules)
    observer.walk(root)
    texts = observer.texts()
    things = [node.thing for node in observer.nodes]
    for index in _callables(things, texts):
        texts[index] = texts[index][:-1] + ',"results":%s}' % json.dumps(_probe(_unused(things[index]), things))
    for index, thing in enumerate(things):
        if id(thing) in sent and type(thing) not in _ATOMS:
            texts[index] = texts[index][:-1] + ',"sent":true}'
    if reached is not None:
        reached.update((id(thing), thing) for thing in things)
    return GraphObservation(texts, observer.chunks)


def call_graph(root, rules=()):
    """Calls every callable once. Cells are restored."""
    observer = _Observer((), rules)
    observer.walk(root)
    things = [node.thing for node in observer.nodes]
    for index in _callables(things, observer.texts()):
        _probe(things[index], things)


def writeable_array(root, rules=()):
    """The elements of the first writeable array that has any, as a plain array, or None."""
    observer = _Observer((), rules)
    observer.walk(root)
    for _, array in observer.arrays:
        if array.nbytes and array.flags.writeable and not array.dtype.hasobject:
            return array.view(numpy.ndarray)
    return None


def invert_number(root):
    """Inverts the first integer of the first list, dict or cell that has one."""
    observer = _Observer((), ())
    observer.walk(root)
    for thing in [node.thing for node in observer.nodes]:
        if type(thing) is types.CellType and type(next(iter(_cell(thing)[0]), None)) is int:
            thing.cell_contents = ~thing.cell_contents
            return True
        pairs = {list: enumerate, dict: dict.items}.get(type(thing), lambda thing: ())(thing)
        key = next((key for key, value in pairs if type(value) is int), None)
        if key is not None:
            thing[key] = ~thing[key]
            return True
    return False


def _result(function, argument):
    try:
        return _plain(function(argument)).encode("ascii", "backslashreplace").decode("ascii")[:_MAX_TEXT]
    except Exception as error:
        return type(error).__name__


def _without_padding(array):
    """A copy in which the bytes between fields and those behind the ten of a long double, which no copy keeps, are
    zero."""
    if array.dtype.names is None:
        unit = array.dtype.itemsize // (2 if array.dtype.kind == "c" else 1)
        if array.dtype.kind not in "fc" or numpy.finfo(array.dtype).nmant != 63:
            return array
        cleared = array.copy("C")
        cleared.reshape(-1).view("u1").reshape(-1, unit)[:, 10:] = 0
        return cleared
    cleared = numpy.zeros(array.shape, array.dtype)
    for name in array.dtype.names:
        cleared[name] = _without_padding(array[name])
    return cleared


def _plain(given):
    """A result as text. Arrays are converted to native byte order, because routes may change it."""
    if isinstance(given, (numpy.ndarray, numpy.generic)):
        array = numpy.asarray(given)
        if array.dtype == object:
            items = [_plain(array.item(place)) for place in range(array.size)]
            return "O%s[%s]" % (list(array.shape), " ".join(items))
        if array.dtype.hasobject:
            return "{%s}" % " ".join("%s: %s" % (name, _plain(array[name])) for name in array.dtype.names)
        native = numpy.ascontiguousarray(array, array.dtype.newbyteorder("="))
        return "%s%s %s" % (native.dtype.str[1:], list(array.shape), _without_padding(native).tobytes().hex())
    if type(given) in (bool, int, float, str, bytes, type(None)):
        return repr(given)
    return type(given).__name__
