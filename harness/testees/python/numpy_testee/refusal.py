"""Why a step did not do its work, in the words of the protocol."""


class Unsupported(Exception):
    """The testee does not claim this; nothing is learned about the library."""


class Refused(Exception):
    """The step cannot be done on what it was given."""

    def __init__(self, reason, message):
        super().__init__(message)
        self.reason = reason


class WorkerDied(Exception):
    """The process that an array was sent to ended, or does not answer."""


class Carried(Exception):
    """A refusal in another process, as its slot record."""

    def __init__(self, record):
        super().__init__("refused in another process")
        self.record = record


# What libraries call it when a worker is lost, or could not read its task.
WORKER_CLASSES = ("WorkerDied", "BrokenProcessPool", "TerminatedWorkerError", "TimeoutError", "MaybeEncodingError")
# What a library's own text says when the bytes end too early, or are more than it can hold.
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

# By name, because importing zipfile would cost every start.
_VALUE_NAMES = ("UnpicklingError", "PicklingError", "BadZipFile")

# The first class that fits decides, so that special ones stand before general ones.
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


def record_of(error):
    """The slot record of an exception, as a JSON-ready dict."""
    if isinstance(error, Carried):
        return error.record
    key = "unsupported" if isinstance(error, Unsupported) else "refused"
    reason = "unsupported" if isinstance(error, Unsupported) else reason_of(error)
    message = str(error)[:180].encode("ascii", "backslashreplace").decode("ascii")
    return {key: {"reason": reason, "type": type(error).__name__[:60], "message": message.replace("\0", " ")}}
