"""The names of codecs by import path (codec_functions.py). Scripts are written with them, so nothing is imported here."""

# Codecs that ordinary runs test if the package is installed: the codec, and the kinds of values that it keeps.
KNOWN = (
    ("jsonpickle:encode>jsonpickle:decode>jsonpickle.ext.numpy:register_handlers", ("array", "graph", "instance")),
    ("msgpack_numpy:packb>msgpack_numpy:unpackb", ("array",)),
)
_OWN = ("npy", "npz", "raw", "pickle", "joblib", "cloudpickle", "dill", "copy", "multiprocessing", "multiprocess")


def module_of(text):
    """The module of the encoder."""
    return text.partition(":")[0]


def package_of(text):
    return module_of(text).partition(".")[0]


def form_of(text):
    """The name of the format: the module; with the function if the module has a format of its own."""
    module = module_of(text)
    return text.partition(">")[0] if module in _OWN else module


def forms_of(texts):
    """The codecs by the names of their formats. A second one of a module is named with its function."""
    found = {}
    for text in texts:
        form = form_of(text)
        found[text.partition(">")[0] if form in found else form] = text
    return found


def text_of(form, texts):
    """The codec of a format among `texts` and the known ones, or None."""
    known = {form_of(text): text for text, _ in KNOWN}
    return dict(known, **forms_of(texts)).get(form)
