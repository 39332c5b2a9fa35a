"""cloudpickle and dill: dump here, load here or in a fresh process. Imported on first use."""

from . import file_objects
from .formats import Encoded
from .fresh import observe_fresh
from .libraries import load
from .observation import Observed

LIBRARIES = ("cloudpickle", "dill")
PROTOCOLS = (4, 5)
ENCODERS = ("dumps",)
DECODERS = ("here", "fresh")
# dump and load with a file between other content, and dill's settings (dill.dumps documentation).
_FILE_ENCODERS, _FILE_DECODERS = ("dump",), ("load",)
_SETTINGS = {"dumps:recurse": {"recurse": True}, "dumps:byref": {"byref": True}}


def encoders(library):
    """The names of the variants that encode."""
    return _FILE_ENCODERS + (tuple(_SETTINGS) if library == "dill" else ())


def claims(library):
    """The claimed entries."""
    for protocol in PROTOCOLS:
        yield {"protocol": protocol, "encode": list(ENCODERS), "decode": list(DECODERS)}
        variants = {"encode": list(encoders(library)), "decode": list(_FILE_DECODERS), "variant": True}
        yield dict(variants, protocol=protocol)


def _encode_file(library):
    write = file_objects.WRITERS["offset"]

    def dump(array, path, step):
        return Encoded(write(path, lambda file, value: load(library).dump(value, file, protocol=step.protocol), array))

    return dump


def encoder(library, entry):
    """The encoder of an entry, or None."""
    if entry in _FILE_ENCODERS:
        return _encode_file(library)
    options = _SETTINGS.get(entry) if library == "dill" else None
    if options is None and entry not in ENCODERS:
        return None

    def dump(array, path, step):
        return Encoded(load(library).dumps(array, protocol=step.protocol, **(options or {})))

    return dump


def decoder(library, entry):
    """The decoder of an entry, or None."""

    def load_here(encoded, path, step, case):
        return load(library).loads(encoded.read()), None

    def load_fresh(encoded, path, step, case):
        return Observed(observe_fresh(library, encoded.read(), case.is_graph)), None

    def load_file(encoded, path, step, case):
        return file_objects.READERS["offset"](path, encoded.read(), load(library).load, None), path

    return {"here": load_here, "fresh": load_fresh, "load": load_file}.get(entry)
