"""Builds the described value again and compares it with the original, so that no descriptor differs from its value."""

import json
import os
import shutil
import tempfile

import numpy
from numpy_testee.graph_build import build_graph
from numpy_testee.graph_observe import observe_graph
from numpy_testee.refusal import Refused, Unsupported
from numpy_testee.values import Store, build_value

from .describe import describe
from .reason import Inexpressible

# The place of the built value is not a part of it.
_PLACES = ("claims", "mapped", "position", "elements")


def _data_of(spec):
    return bytes.fromhex(spec["base"].get("data", {}).get("hex", ""))


def build(value, folder):
    """The described value, as the testee builds it."""
    path = os.path.join(folder, "map")
    if "array" in value:
        return build_value(value, _data_of(value["array"]), Store(), path)
    nodes = [dict(node, data=_data_of(node["array"])) if "array" in node else node for node in value["graph"]["nodes"]]
    return build_graph(dict(value["graph"], nodes=nodes), bytes, Store(), path)[0]


def _without_places(item):
    """The part of an observation that belongs to the value."""
    if isinstance(item, list):
        return [_without_places(one) for one in item]
    if not isinstance(item, dict):
        return item
    kept = {key: _without_places(one) for key, one in item.items() if key not in _PLACES}
    if "strides" in kept and "flags" in kept:
        extents = [int(one) for one in kept["shape"]]
        is_empty = 0 in extents
        kept["strides"] = [0 if is_empty or one < 2 else stride for one, stride in zip(extents, kept["strides"])]
        kept["flags"] = kept["flags"].replace("O", "")
    return kept


def _observed(value):
    graph = observe_graph(value)
    return _without_places(json.loads(graph.text(0)))["graph"]["nodes"], [bytes(one) for one in graph.chunks]


def _difference(expected, got, path):
    """The path of the first difference, or None."""
    if isinstance(expected, dict) and isinstance(got, dict):
        for key in sorted(set(expected) | set(got)):
            found = _difference(expected.get(key), got.get(key), "%s.%s" % (path, key))
            if found:
                return found
        return None
    if isinstance(expected, list) and isinstance(got, list) and len(expected) == len(got):
        for place, pair in enumerate(zip(expected, got)):
            found = _difference(*pair, "%s[%d]" % (path, place))
            if found:
                return found
        return None
    return None if expected == got else "%s is %s, but would be built as %s" % (path, expected, got)


def _compare(value, built):
    (nodes, chunks), (made, made_chunks) = _observed(value), _observed(built)
    found = _difference(nodes, made, "nodes")
    if found is None and chunks != made_chunks:
        found = "the bytes of the elements differ"
    if found:
        raise Inexpressible("value: it would be built differently: %s" % found)


def describe_exactly(value):
    """The value of a descriptor. Raises Inexpressible if it would build anything else."""
    spec = describe(value)
    folder = tempfile.mkdtemp(prefix="ndproof-")
    try:
        with numpy.errstate(all="ignore"):
            _compare(value, build(spec, folder))
    except (Refused, Unsupported) as reason:
        raise Inexpressible("value: it cannot be built or observed: %s" % reason)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return spec
