"""The other libraries of this interpreter and the entries that they add. Nothing is imported to find them."""

import ctypes
import functools
import importlib
import importlib.util
import os
import sys
from itertools import groupby

from . import codec_functions

# The kinds of values of every entry that supports objects.
VALUES = ("array", "graph", "instance")
# The call histories of encoders and decoders (history.py).
HISTORIES = ("reused", "failed", "freed", "threads", "forked")
NAMES = ("joblib", "cloudpickle", "dill", "multiprocess", "astropy", "cudf", "scipy", "numba", "ml_dtypes")


def _installed():
    """The versions of all packages that pip has installed, from the names of their folders (PEP 376, PEP 427). Reading
    the files below them, as importlib.metadata does, takes a fifth of the testee's start time."""
    found = {}
    for folder in reversed(sys.path):
        try:
            names = os.listdir(folder or ".")
        except OSError:
            continue
        for name in names:
            if name.endswith(".dist-info"):
                library, _, version = name[: -len(".dist-info")].partition("-")
                found[library.lower()] = version
    return found


def _version(name, installed):
    if name in installed:
        return installed[name]
    for other in installed:
        if other.startswith(name + "_cu"):  # a wheel per release of CUDA: cudf-cu12 (RAPIDS' installation guide)
            return installed[other]
    from importlib import metadata

    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def version(name):
    """The version of an installed library. Raises an error without it."""
    found = _version(name, _installed()) if importlib.util.find_spec(name) is not None else None
    if found is None:
        raise ImportError("%s is not installed" % name)
    return found


def _has_gpu():
    """Whether CUDA's driver is installed, which every GPU needs."""
    try:
        ctypes.CDLL("libcuda.so.1")
    except OSError:
        return False
    return True


def versions():
    """The version of every library that can be imported."""
    installed = _installed()
    present = [name for name in NAMES if importlib.util.find_spec(name) is not None]
    found = {name: version for name, version in ((name, _version(name, installed)) for name in present) if version}
    for name in codec_functions.packages():
        found.setdefault(name, _version(name, installed) or "unknown")
    if "cudf" in found and not _has_gpu():
        found["cudf"] += " without a GPU"
    return found


def imports():
    """Functions that import what cases may use, from the most often used."""
    modules = ["zipfile", "gzip", "numpy.random", "multiprocessing.pool", "bz2"]
    found = {name: importlib.util.find_spec(name) is not None for name in NAMES}
    modules += ["multiprocess.pool"] * found["multiprocess"] + ["astropy.units"] * found["astropy"]
    parts = ["joblib_formats", "joblib_hash"] * found["joblib"] + ["picklers", "transports", "history"]
    loads = [functools.partial(load, name) for name in ("cloudpickle", "dill", *modules) if found.get(name, True)]
    return [functools.partial(importlib.import_module, "." + part, __package__) for part in parts] + loads


_protected = set()  # imported without dill's extensions of Python's pickler; checking takes as long as a small pickle


def load(name):
    """The imported library. dill, which multiprocess imports, too, extends Python's pickler unless that is disabled.
    Other pickles must not depend on whether dill was imported before."""
    module = sys.modules.get(name) or importlib.import_module(name)
    dill = sys.modules.get("dill")
    if dill is not None and dill not in _protected:
        dill.extend(False)
        _protected.add(dill)
    return module


def _claim(form, library, **more):
    return dict({"format": form, "library": library, "values": list(VALUES)}, **more)


def entries(found):
    """The entries of HELLO for the libraries in `found`."""
    claimed = []
    if "joblib" in found:
        from . import joblib_formats

        for claim in joblib_formats.claims(importlib.util.find_spec("lz4") is not None):
            claimed.append(_claim("joblib", "joblib", histories=list(HISTORIES), **claim))
        ways = {"encode": ["here", "copied", "pickled", "fresh"], "decode": ["recall"]}
        claimed.append({"format": "joblib.hash", "library": "joblib", "local": True, "histories": ["reused"], **ways})
    for library in ("cloudpickle", "dill"):
        if library in found:
            from . import picklers

            claimed += [_claim(library, library, histories=list(HISTORIES), **claim) for claim in picklers.claims(library)]
    claimed += codec_functions.claims()
    if "scipy" in found:
        ways = {"encode": ["memory", "file", "compressed"], "decode": ["memory", "file"]}
        only = {"values": ["graph", "instance"], "instances": "scipy.sparse", "functions": False, "inert": True}
        claimed.append({"format": "scipy.sparse.npz", "library": "scipy", **only, **ways})
    from . import transports

    for form, (library, names) in transports.ENTRIES.items():
        if library in found or library in ("python", "numpy"):
            more = {"settings": True} if form in transports.WITH_SETTINGS else {}
            for cost, group in groupby(names, lambda name: transports.cost_of(form, name)):
                group = list(group)
                histories = transports.histories_of(form, group[0])
                how = dict(more, histories=histories, protocol=transports.PROTOCOLS[form], transport=group, cost=cost)
                claimed.append(_claim(form, library, **dict(how, values=transports.values_of(form))))
    return claimed


def code_of(op, form, entry):
    """The encoder or decoder of an entry outside of NumPy, or None."""
    if form == "joblib" and importlib.util.find_spec("joblib") is not None:
        from . import joblib_formats

        return (joblib_formats.ENCODERS if op == "encode" else joblib_formats.DECODERS).get(entry)
    if form == "joblib.hash" and importlib.util.find_spec("joblib") is not None:
        from . import joblib_hash

        return (joblib_hash.ENCODERS if op == "encode" else joblib_hash.DECODERS).get(entry)
    codec = codec_functions.codec_of(form)
    if codec is not None and entry == codec_functions.ENTRY:
        return codec.encode if op == "encode" else codec.decode
    if form == "scipy.sparse.npz" and importlib.util.find_spec("scipy") is not None:
        from . import scipy_formats

        return (scipy_formats.ENCODERS if op == "encode" else scipy_formats.DECODERS).get(entry)
    if form in ("cloudpickle", "dill"):
        from . import picklers

        return (picklers.encoder if op == "encode" else picklers.decoder)(form, entry)
    return None


def prepare(channels):
    """Starts what must not know anything of a case. `channels` are descriptors that it must not keep."""
    if any(importlib.util.find_spec(name) for name in ("cloudpickle", "dill")):
        from . import fresh

        fresh.prepare(channels)


def close():
    """Ends every started process."""
    transports = sys.modules.get(__package__ + ".transports")
    if transports is not None:
        transports.close()
    hashes = sys.modules.get(__package__ + ".joblib_hash")
    if hashes is not None:
        hashes.close()
    fresh = sys.modules.get(__package__ + ".fresh")
    if fresh is not None:
        fresh.close()
