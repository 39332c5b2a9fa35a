"""The other libraries of this interpreter: what is there, and what is claimed of it. Nothing is imported for that."""

import ctypes
import importlib
import importlib.util
import os
import sys
from itertools import groupby

# What every entry takes that knows of objects at all.
VALUES = ("array", "graph")
NAMES = ("joblib", "cloudpickle", "dill", "multiprocess", "astropy", "cudf")


def _installed():
    """The versions of all that pip has installed, as the names of its folders say them (PEP 376, PEP 427). Reading the
    files below, as importlib.metadata does, takes a fifth of what starting the testee takes."""
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
        if other.startswith(name + "_cu"):  # one wheel for each release of CUDA, as cudf-cu12 (RAPIDS' guide to installing)
            return installed[other]
    from importlib import metadata

    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _has_gpu():
    """Whether CUDA's driver is there, without which no GPU can be had."""
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
    if "cudf" in found and not _has_gpu():
        found["cudf"] += " without a GPU"
    return found


_told = set()  # which dill leaves Python's pickler alone: to tell it takes as long as a small array's pickle


def load(name):
    """The library of that name, imported. dill, which multiprocess imports too, adds its own ways to Python's pickler
    when it is imported, unless it is told not to: a pickle that is none of dill's must not depend on who came before."""
    module = sys.modules.get(name) or importlib.import_module(name)
    dill = sys.modules.get("dill")
    if dill is not None and dill not in _told:
        dill.extend(False)
        _told.add(dill)
    return module


def _claim(form, library, **more):
    return dict({"format": form, "library": library, "values": list(VALUES)}, **more)


def entries(found):
    """The entries of HELLO for the libraries in `found`."""
    claimed = []
    if "joblib" in found:
        from . import joblib_formats

        for claim in joblib_formats.claims(importlib.util.find_spec("lz4") is not None):
            claimed.append(_claim("joblib", "joblib", **claim))
        ways = {"encode": ["here", "copied", "pickled", "fresh"], "decode": ["recall"]}
        claimed.append({"format": "joblib.hash", "library": "joblib", "local": True, **ways})
    for library in ("cloudpickle", "dill"):
        for protocol in (4, 5) if library in found else ():
            ways = {"encode": ["dumps"], "decode": ["here", "fresh"]}
            claimed.append(_claim(library, library, protocol=protocol, **ways))
    from . import transports

    for form, (library, names) in transports.ENTRIES.items():
        if library in found or library in ("python", "numpy"):
            more = {"settings": True} if form in transports.WITH_SETTINGS else {}
            for cost, group in groupby(names, lambda name: transports.cost_of(form, name)):
                how = dict(more, protocol=transports.PROTOCOLS[form], transport=list(group), cost=cost)
                claimed.append(_claim(form, library, **how))
    return claimed


def code_of(op, form, entry):
    """The encoder or decoder of an entry that NumPy itself does not have, or None."""
    if form == "joblib" and importlib.util.find_spec("joblib") is not None:
        from . import joblib_formats

        return (joblib_formats.ENCODERS if op == "encode" else joblib_formats.DECODERS).get(entry)
    if form == "joblib.hash" and importlib.util.find_spec("joblib") is not None:
        from . import joblib_hash

        return (joblib_hash.ENCODERS if op == "encode" else joblib_hash.DECODERS).get(entry)
    if form in ("cloudpickle", "dill"):
        from . import picklers

        names = picklers.ENCODERS if op == "encode" else picklers.DECODERS
        if entry in names:
            return picklers.encoder(form) if op == "encode" else picklers.decoder(form, entry)
    return None


def close():
    """Ends every process that was started."""
    transports = sys.modules.get(__package__ + ".transports")
    if transports is not None:
        transports.close()
    hashes = sys.modules.get(__package__ + ".joblib_hash")
    if hashes is not None:
        hashes.close()
    fresh = sys.modules.get(__package__ + ".fresh")
    if fresh is not None:
        fresh.close()
