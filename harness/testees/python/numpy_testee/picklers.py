"""cloudpickle and dill: dump here, load here or in a fresh process. Imported on first use."""

from .formats import Encoded
from .fresh import observe_fresh
from .libraries import load
from .observation import Observed

LIBRARIES = ("cloudpickle", "dill")
PROTOCOLS = (4, 5)
ENCODERS = ("dumps",)
DECODERS = ("here", "fresh")


def encoder(library):
    def dump(array, path, step):
        return Encoded(load(library).dumps(array, protocol=step.protocol))

    return dump


def decoder(library, entry):
    def load_here(encoded, path, step, case):
        return load(library).loads(encoded.read()), None

    def load_fresh(encoded, path, step, case):
        return Observed(observe_fresh(library, encoded.read(), case.is_graph)), None

    return load_here if entry == "here" else load_fresh
