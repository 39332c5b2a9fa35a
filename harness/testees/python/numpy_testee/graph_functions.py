"""Functions from the templates of the protocol, with real cells, defaults and globals."""

import builtins
import contextlib
import functools
import gc
import sys
import types

import numpy

from .refusal import Refused, Unsupported

# Cannot be imported, so no pickler can send these functions by name.
MODULE = "ndproof_dynamic"
_MARK = "ndproof:"
_CACHE_LIMIT = 1024
_INSIDE = "make.<locals>."
_OWN = ("__doc__", "__annotations__", "__qualname__", "__module__")
_MAX_CELLS = 10  # free variables are sorted by name
_codes = {}

# The body of each template. {all} adds cells, defaults and keyword defaults.
_BODIES = {
    "const": "return {cells}",
    "add": "return x{all}",
    "counter": "c0 = c0 + 1; return c0",
    "recurse": "return x if x <= 0 else c0(x - 1) + 1{rest}",
    "mutual": "return x if x <= 0 else 2 * c0(x - 1) + 1",
    "late": "return x + late",
    "call": "return c0(x)",
    "nested": "return (lambda: x{after})()",
    "identity": "return x",
    "deep": "return (lambda: x + late)()",
}
_NEEDS_CELL = ("counter", "recurse", "mutual", "call")


def _sum(names):
    return "".join(" + " + name for name in names)


def _source(template, cells, defaults, keywords):
    free = ["c%d" % index for index in range(cells)]
    given = ["d%d" % index for index in range(defaults)]
    parameters = ["x"] + given + (["*"] + keywords if keywords else [])
    body = _BODIES[template].format(
        all=_sum(free + given + keywords), cells=" + ".join(free) or "0", after=_sum(free), rest=_sum(free[1:])
    )
    lines = ["def make(%s):" % ", ".join(free), " def made(%s):" % ", ".join(parameters)]
    if template == "counter":
        lines.append("  nonlocal c0")
    lines.append("  mark = %r" % (_MARK + template))
    # Makes cells that the template does not use free variables, too.
    lines.append("  if False: %s" % (", ".join(free) or "0"))
    return "\n".join(lines + ["  " + body, " return made"])


def _find_code(codes):
    return next(one for one in codes if isinstance(one, types.CodeType))


def code_of(template, cells, defaults, keywords):
    """The code object of a template with this number of cells and defaults and these keyword-only names."""
    if template not in _BODIES:
        raise Unsupported("no template %s" % template)
    if cells > _MAX_CELLS or not all(name.isidentifier() for name in keywords):
        raise Unsupported("a function with %d cells and keywords %s" % (cells, keywords))
    if template in _NEEDS_CELL and cells == 0:
        raise Refused("value", "template %s without a cell" % template)
    key = (template, cells, defaults, tuple(keywords))
    code = _codes.get(key)
    if code is None:
        made = compile(_source(template, cells, defaults, list(keywords)), "<ndproof>", "exec")
        code = _find_code(_find_code(made.co_consts).co_consts)
        if len(_codes) >= _CACHE_LIMIT:
            _codes.clear()
        _codes[key] = code
    return code


def template_of(function):
    """The name of the template that a function was made from, "unknown" for others."""
    for constant in function.__code__.co_consts:
        if isinstance(constant, str) and constant.startswith(_MARK):
            return constant[len(_MARK) :]
    return "unknown"


def new_globals():
    """Globals like those of a script, but of a module that cannot be imported."""
    return {"__name__": MODULE, "__builtins__": builtins}


def make_function(spec, cells, scope):
    """The function of a node. Defaults and attributes are set later, because they may refer to it."""
    keywords = list(spec.get("kwdefaults") or ())
    name = spec.get("name", "made")
    code = code_of(spec["code"], len(cells), len(spec.get("defaults") or ()), keywords).replace(co_name=name)
    function = types.FunctionType(code, scope, name, None, tuple(cells) or None)
    function.__qualname__ = _INSIDE + name
    return function


def own_attributes(function):
    """The descriptive attributes of a function outside of its dict, by name, unless they have their default."""
    found = {}
    if function.__module__ == __name__:
        return found
    if function.__doc__ is not None:
        found["__doc__"] = function.__doc__
    if function.__annotations__:
        found["__annotations__"] = function.__annotations__
    if function.__qualname__ != _INSIDE + function.__name__:
        found["__qualname__"] = function.__qualname__
    if function.__module__ not in (MODULE, None):
        found["__module__"] = function.__module__
    return found


def set_attribute(function, name, value):
    """Sets an attribute in the dict of a function, or a descriptive one."""
    try:
        setattr(function, name, value)
    except TypeError as error:
        raise Unsupported(str(error))
    if name in _OWN and own_attributes(function).get(name, function) is not value:
        raise Unsupported("a function whose %s says nothing" % name)


def is_importable(function):
    """Whether its module and qualified name lead to this very function."""
    found = sys.modules.get(function.__module__)
    for part in function.__qualname__.split("."):
        found = getattr(found, part, None)
    return found is function


def globals_of(function):
    """The globals of a function that reads some, else None."""
    return function.__globals__ if template_of(function) in ("late", "deep") else None


def const(x):
    mark = "ndproof:const"  # noqa: F841
    return 0


def add(x):
    mark = "ndproof:add"  # noqa: F841
    return x


def identity(x):
    mark = "ndproof:identity"  # noqa: F841
    return x


def _decorate(function):
    @functools.wraps(function)
    def made(x):
        mark = "ndproof:call"  # noqa: F841
        return function(x)

    return made


def decorated(x):
    mark = "ndproof:identity"  # noqa: F841
    return x


_hidden = decorated
decorated = _decorate(_hidden)

_IMPORTABLE = {
    ("const", "const"): const,
    ("add", "add"): add,
    ("identity", "identity"): identity,
    ("call", "decorated"): decorated,
    ("identity", "decorated"): _hidden,
}


def importable(template, name):
    """The function of this module with this template and name."""
    if (template, name) not in _IMPORTABLE:
        raise Unsupported("no importable function %s of template %s" % (name, template))
    return _IMPORTABLE[template, name]


def _cells(things):
    """The cells among objects, and those that ufuncs refer to. Only the garbage collector can see the function of a
    ufunc."""
    found = {}
    waiting = list(things)
    seen = set()
    while waiting:
        thing = waiting.pop()
        if id(thing) in seen:
            continue
        seen.add(id(thing))
        if type(thing) is types.CellType:
            found[id(thing)] = thing
            waiting.extend(_contents(thing))
        elif type(thing) is types.FunctionType:
            waiting.extend(thing.__closure__ or ())
        elif type(thing) is numpy.ufunc:
            waiting.extend(one for one in gc.get_referents(thing) if type(one) is types.FunctionType)
    return found.values()


def _contents(cell):
    try:
        return (cell.cell_contents,)
    except ValueError:
        return ()


@contextlib.contextmanager
def kept(things):
    """A context for calls that restores the contents of the cells among `things`."""
    cells = [(cell, _contents(cell)) for cell in _cells(things)]
    try:
        yield
    finally:
        for cell, contents in cells:
            if contents:
                cell.cell_contents = contents[0]
