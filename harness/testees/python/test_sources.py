"""The library builds exactly the array that the model computes.

Every case begins with this comparison, and a failure is a fault of the harness: later results mean nothing. Here views
of views meet in graphs, where each begins as a plain view of its base.
"""

import itertools
import json
import os
import pathlib
import subprocess
import sys

import pytest

from testee_driver import HERE

pytest.importorskip("numpy", reason="there is no library to compare with")

PROGRAM = pathlib.Path(HERE).parents[2] / "build" / "ndproof"
ROUTE = {"transport": "copy", "backend": "deepcopy", "encoder": "numpy", "decoder": "numpy"}

PADDED = {
    "fields": [{"name": "a", "offset": 0, "dtype": "|u1"}, {"name": "b", "offset": 4, "dtype": ">i4"}],
    "itemsize": 12,
}
EMPTY = {"fields": [], "itemsize": 0}
DTYPES = ("<i4", ">f8", ">c16", ">U0", "|S0", "|V0", PADDED, EMPTY)
FIRST = (
    (),
    ({"reshape": [2, 1, 1, 4]},),
    ({"reshape": [2, 1, 1, 4], "order": "F"},),
    ({"transpose": [1, 0]}, {"reshape": [2, 1, 1, 4]}),
)
THEN = (
    (),
    ({"real": True},),
    ({"imag": True},),
    ({"newaxis": 0},),
    ({"reshape": [8], "order": "F"},),
    ({"reshape": [8, 1], "order": "C"}, {"transpose": [1, 0]}),
)
HOLDERS = ({}, {"writeable": False}, {"class": {"name": "recarray"}}, {"memmap": {"mode": "r+"}})


def array(dtype, order, views, holder):
    base = {"dtype": dtype, "shape": [4, 2], "order": order, "data": {"pattern": "zeros"}}
    base.update((key, holder[key]) for key in holder if key == "memmap")
    node = {"base": base}
    node.update((key, holder[key]) for key in holder if key != "memmap")
    return {"array": dict(node, views=list(views)) if views else node}


def view(of, views):
    return {"view": {"of": of, "views": list(views)} if views else {"of": of}}


def graphs(dtype):
    """An array, views of it, and views of one of these, which must agree about shared memory, too."""
    for order, first, then, holder in itertools.product("CF", FIRST, THEN, HOLDERS):
        nodes = [{"list": [1, 2, 3, 4]}, array(dtype, order, first, holder), view(1, then), view(2, ()), view(1, ())]
        yield {"ndproof": 1, "value": {"graph": {"root": 0, "nodes": nodes}}, "route": ROUTE}


def parts(dtype):
    """A field and views of it, of an array and of a map, whose attributes views of zero bytes lose."""
    of_two = {"fields": [{"name": "a", "offset": 0, "dtype": {"base": dtype, "shape": [2, 2]}}]}
    fields = ({"field": "a"},), ({"newaxis": 0}, {"field": "a"}), ({"field": "a"}, {"real": True})
    then = (), ({"newaxis": 0},), ({"reshape": [2, 2]},), ({"reshape": [4], "order": "F"},)
    for shape, order, holder, first, last in itertools.product(([], [1]), "CF", HOLDERS, fields, then):
        axes = len(shape) + ({"newaxis": 0} in first)
        if "class" in holder or (axes and {"reshape": [2, 2]} in last):
            continue
        base = {"dtype": of_two, "shape": shape, "order": order, "data": {"pattern": "zeros"}}
        base.update((key, holder[key]) for key in holder if key == "memmap")
        yield {"ndproof": 1, "value": {"array": {"base": base, "views": list(first + last)}}, "route": ROUTE}


def replay(descriptors, folder):
    """The results of all descriptors, from one run."""
    if not os.access(PROGRAM, os.X_OK):
        pytest.skip("there is no build/ndproof to ask")
    paths = []
    for number, descriptor in enumerate(descriptors):
        paths.append(folder / ("%d.json" % number))
        paths[-1].write_text(json.dumps(descriptor))
    command = [PROGRAM, "replay", "--python", sys.executable, *paths]
    told = subprocess.run(command, capture_output=True, text=True, check=False)
    words = [line.split(" ")[0] for line in told.stdout.splitlines() if line.endswith(".json")]
    assert len(words) == len(paths), told.stdout + told.stderr
    assert set(words) == {"HOLDS"}, told.stdout + told.stderr


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_views_of_views(dtype, tmp_path):
    replay(graphs(dtype), tmp_path)


@pytest.mark.parametrize("dtype", ("<i4", ">c16", "|S3", PADDED, EMPTY), ids=str)
def test_parts(dtype, tmp_path):
    replay(parts(dtype), tmp_path)
