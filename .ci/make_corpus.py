#!/usr/bin/env python3
"""Makes files of the corpus and tables of names from the libraries at hand.

make_corpus.py functions   writes functions and their callers, as cloudpickle and dill write them, into
                           corpus/pickle/function/accept and adds them to the index. The committed files are of
                           cloudpickle 1.2 and 1.6 with dill 0.3.4 (CPython 3.8), of cloudpickle 2.2 with dill 0.3.6
                           (3.11), and of cloudpickle 3.1 with dill 0.4 (3.13).
make_corpus.py old_names   prints fuzzers/form/old_names.inc: the names that CPython's pickler and unpickler translate in
                           protocols below 3. The committed table is of CPython 3.11; 3.8 to 3.12 have the same, 3.13
                           lacks Tix."""

import json
import pathlib
import sys
import types

ROOT = pathlib.Path(__file__).resolve().parents[1]
FUNCTIONS = "pickle/function/accept"


# ---- functions ----


def functions():
    """Name, object and reason of everything that can be called."""
    import functools

    import numpy
    from numpy_testee import graph_functions

    def function(code, cells=(), scope=None, **more):
        scope = graph_functions.new_globals() if scope is None else scope
        made = graph_functions.make_function(dict(more, code=code), list(cells), scope)
        made.__defaults__ = tuple(more["defaults"]) if "defaults" in more else None
        made.__kwdefaults__ = more.get("kwdefaults")
        return made

    cell, loop, empty = types.CellType(numpy.arange(3)), types.CellType(), types.CellType()
    whole = function("add", [cell], defaults=[1, "two"], kwdefaults={"k": 2.5}, name="whole")
    whole.unit, whole.__doc__ = [1], "what it is"
    yield "whole", whole, "a function with a cell, defaults, keywords and attributes"
    yield "shared", [whole, function("add", [cell], name="other")], "two functions that share a cell"
    recurse = function("recurse", [loop, cell], name="recurse")
    loop.cell_contents = recurse
    yield "recurse", recurse, "a function in one of its own cells"
    yield "empty", function("const", [empty], name="empty"), "a function with an empty cell"
    scope = dict(graph_functions.new_globals(), late=numpy.int8([1, 2]))
    late = [function("late", [], scope, name="late"), function("late", [], scope)]
    yield "late", late, "two functions that share their globals"
    yield "method", types.MethodType(whole, {"self": numpy.arange(2)}), "a method"
    yield "partial", functools.partial(whole, 1, k=numpy.arange(2)), "a partial"
    options = {"otypes": "d", "excluded": {0, 2}, "signature": None}
    yield "vectorize", numpy.vectorize(recurse, **options), "a vectorize with its options"
    yield "signature", numpy.vectorize(function("identity"), signature="(n)->(n)"), "a vectorize with a signature"
    yield "named", [graph_functions.add, functools.partial(graph_functions.add, 2)], "functions of a module"


def write_functions():
    """The newest protocol of all functions; a low one and protocol 4 of two."""
    import cloudpickle
    import dill

    index = json.loads((ROOT / "corpus" / "index.json").read_text())
    files = {file["path"]: file for file in index["files"]}
    for library in (cloudpickle, dill):
        label = "%s_%s" % (library.__name__, "".join(library.__version__.split(".")[:3]))
        version = "(%s %s, CPython %d.%d)" % ((library.__name__, library.__version__) + sys.version_info[:2])
        for name, value, why in functions():
            for protocol in (2, 4, 5) if name in ("whole", "vectorize") else (5,):
                try:
                    content = library.dumps(value, protocol=protocol)
                except Exception as error:  # an old library may refuse it
                    print("%s, %s: %s" % (label, name, error), file=sys.stderr)
                    continue
                path = "%s/%s_%s_p%d.pkl" % (FUNCTIONS, label, name, protocol)
                (ROOT / "corpus" / path).write_bytes(content)
                entry = {"path": path, "expect": "accept", "values": "graph", "why": "%s %s" % (why, version)}
                files[path] = dict(entry, clause="8.5 row 60")
    index["files"] = list(files.values())
    (ROOT / "corpus" / "index.json").write_text(json.dumps(index, ensure_ascii=False))
    print("now run .ci/corpus.py format")


# ---- names of Python 2 ----


def translate(names, modules, one):
    """The name of a global, as module and name, after these tables."""
    return names.get(one, (modules.get(one[0], one[0]), one[1]))


def write_old_names():
    """Names of one module come before the module itself, in the order of the look-up."""
    import _compat_pickle as compat

    def is_stable(one):
        """Whether a name is written again as the same name after it was read. _socket.socket is not: the reference
        writes it unchanged, and it is read unchanged."""
        written = translate(compat.REVERSE_NAME_MAPPING, compat.REVERSE_IMPORT_MAPPING, one)
        read = translate(compat.NAME_MAPPING, compat.IMPORT_MAPPING, written)
        return written == translate(compat.REVERSE_NAME_MAPPING, compat.REVERSE_IMPORT_MAPPING, read)

    def row(source, target):
        both = (*source, *target) if isinstance(source, tuple) else (source, None, target, None)
        return "    {%s}," % ", ".join("NULL" if word is None else '"%s"' % word for word in both)

    def table(name, *maps):
        print("static const struct row %s[] = {" % name)
        for each in maps:
            print("\n".join(row(*pair) for pair in sorted(each.items())))
        print("};")

    print("/* Made by .ci/make_corpus.py old_names from Lib/_compat_pickle.py. */")
    print("/* clang-format off */")
    table("reads", compat.NAME_MAPPING, compat.IMPORT_MAPPING)
    written = {one: to for one, to in compat.REVERSE_NAME_MAPPING.items() if is_stable(one)}
    table("writes", written, compat.REVERSE_IMPORT_MAPPING)
    print("/* clang-format on */")


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT / "harness" / "testees" / "python"))
    commands = {"functions": write_functions, "old_names": write_old_names}
    if len(sys.argv) != 2 or sys.argv[1] not in commands:
        sys.exit(__doc__)
    commands[sys.argv[1]]()
