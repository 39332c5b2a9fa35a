"""The reason why a step failed, in the words of the protocol."""

import re


class Unsupported(Exception):
    """The testee does not claim this. No conclusion about the library follows."""


class Refused(Exception):
    """The step cannot work on its input."""

    def __init__(self, reason, message):
        super().__init__(message)
        self.reason = reason


class WorkerDied(Exception):
    """The process that received an array ended, or does not respond."""


class Carried(Exception):
    """A refusal in another process, with its slot record."""

    def __init__(self, record):
        super().__init__("refused in another process")
        self.record = record


# Exceptions of libraries for a worker that died or could not read its task.
WORKER_CLASSES = ("WorkerDied", "BrokenProcessPool", "TerminatedWorkerError", "TimeoutError", "MaybeEncodingError")
# Messages of libraries for input that ends too early, or is too large.
_TRUNCATED_TEXTS = (
    "EOF: reading",
    "Failed to read all data",
    "mmap length is greater than file size",
    "mmap offset is greater than file size",
    "pickle data was truncated",
    "pickle exhausted before end of frame",
    "buffer is smaller than requested size",
)
_LIMIT_TEXTS = ("is too big", "maximum supported dimension", "Maximum allowed")

_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{6,16}\b")

# By name, because importing zipfile would slow down every start.
_VALUE_NAMES = ("UnpicklingError", "PicklingError", "BadZipFile")

# The first matching class decides, so special ones precede general ones.
_REASONS = (
    (MemoryError, "memory"),
    (OverflowError, "limit"),
    (RecursionError, "limit"),
    (NotImplementedError, "unsupported"),
    (EOFError, "truncated"),
    (OSError, "io"),
    (TypeError, "type"),
    (ValueError, "value"),
    (SyntaxError, "value"),
)


def reason_of(error):
    """The protocol's word for an exception."""
    if isinstance(error, Refused):
        return error.reason
    if type(error).__name__ in WORKER_CLASSES:
        return "worker"
    text = str(error)
    if isinstance(error, (ValueError, EOFError)) or type(error).__name__ == "UnpicklingError":
        if any(part in text for part in _TRUNCATED_TEXTS):
            return "truncated"
    if isinstance(error, ValueError) and any(part in text for part in _LIMIT_TEXTS):
        return "limit"
    for kind, reason in _REASONS:
        if isinstance(error, kind):
            return reason
    return "value" if type(error).__name__ in _VALUE_NAMES else "other"


def _root_of(error):
    """Class and text of the error that led to `error`. A worker sends its traceback as text, whose last line is the error."""
    root = error
    while root.__cause__ is not None and root.__cause__ is not error:
        root = root.__cause__
    text = str(root)
    if type(root).__name__ not in ("_RemoteTraceback", "RemoteTraceback"):  # of concurrent.futures, of pools
        return type(root).__name__, text
    last = (text.strip().strip("\"'").rstrip().splitlines() or [""])[-1]
    name, _, message = last.partition(": ")
    return (name.rpartition(".")[2], message) if message else (type(error).__name__, last)


def record_of(error, is_transport=False):
    """The slot record of an exception, as a JSON-ready dict. A transport wraps the error that a person must know."""
    if isinstance(error, Carried):
        return error.record
    key = "unsupported" if isinstance(error, Unsupported) else "refused"
    reason = "unsupported" if isinstance(error, Unsupported) else reason_of(error)
    name, text = _root_of(error) if is_transport else (type(error).__name__, str(error))
    if is_transport and error.__cause__ is not None and text != str(error):
        text += " (%s: %s)" % (type(error).__name__, error)
    # Reports of the same run are equal.
    text = _ADDRESS.sub("0x...", text)
    message = text[:180].encode("ascii", "backslashreplace").decode("ascii")
    return {key: {"reason": reason, "type": name[:60], "message": message.replace("\0", " ")}}
