"""Import paths: "package.module:Name" or "module:Class.method". Nothing is imported before a case needs it."""

import importlib

from .refusal import Unsupported


def objects_at(path):
    """The objects on the way to what an import path names, behind its module; the last one is what it names."""
    module, _, names = path.partition(":")
    try:
        found = importlib.import_module(module)
    except Exception as error:  # a package may fail in any way when it is imported
        raise Unsupported("%s cannot be imported: %s (%s)" % (module, error or type(error).__name__, path)) from error
    objects = []
    for name in names.split("."):
        if not hasattr(found, name):
            raise Unsupported("%s has no %s (%s)" % (module, names, path))
        found = getattr(found, name)
        objects.append(found)
    return objects
