"""Transports: an array is sent to a worker, which observes it. Imported on first use.

Pools are kept for later cases. A pool that broke, or whose settings change, is replaced.
"""

import copy
import functools
import pickle
import signal
import threading
import time

from . import fresh
from .fresh import give, take
from .libraries import VALUES, load
from .observation import Observed
from .patience import PATIENCE
from .refusal import WORKER_CLASSES, Unsupported, WorkerDied

_WAIT_SECONDS = 10 * PATIENCE  # must be below the deadline of a case
_GLANCE_SECONDS = 0.05
_MAX_POOLS = 6
_pools = {}  # settings -> pool, least recently used first


def _identity(array):
    return array


def _end_of(codes):
    """How a worker ended, by its exit code; the library gives no more."""
    code = next((code for code in codes if code), None)
    if code is not None and code < 0:
        return "a worker of the pool was killed by %s during its task" % signal.Signals(-code).name
    return "a worker of the pool ended with an error during its task" if code else "a worker of the pool died during its task"


class _Watch(threading.Thread):
    """Fails the tasks of a multiprocessing pool when a worker dies. The pool itself replaces the worker and lets
    callers wait for the task forever."""

    def __init__(self, pool):
        super().__init__(daemon=True)
        self._pool = pool
        self._is_over = threading.Event()
        self._workers = self._ids()
        self.start()

    def _ids(self):
        return {worker.pid: worker for worker in list(self._pool._pool)}

    def run(self):
        while not self._is_over.wait(_GLANCE_SECONDS):
            now, before = self._ids(), self._workers
            if now.keys() == before.keys():
                continue
            self._workers = now
            codes = [worker.exitcode for pid, worker in before.items() if pid not in now]
            for task in list(self._pool._cache.values()):
                task._set(0, (False, WorkerDied(_end_of(codes))))

    def close(self):
        self._is_over.set()
        self.join()


class _JoblibPool:
    """joblib.Parallel with settings, entered once for many calls."""

    def __init__(self, backend, max_nbytes, map_mode):
        from . import joblib_formats  # noqa: F401  sets the folder of temporary files
        import joblib

        options = {}
        if max_nbytes:
            options["max_nbytes"] = None if max_nbytes < 0 else max_nbytes
        if map_mode:
            options["mmap_mode"] = None if map_mode == "none" else map_mode
        self._delayed = joblib.delayed
        # With one job joblib would call the function in this process.
        parallel = joblib.Parallel(n_jobs=2, backend=backend, timeout=_WAIT_SECONDS, **options)
        self._parallel = parallel.__enter__()
        # Most calls have one task, so a second worker would only cost start time. Loky starts workers at the first
        # task.
        executor = getattr(self._parallel._backend, "_workers", None)
        if backend == "loky" and hasattr(executor, "_max_workers"):
            executor._max_workers = 1
        self.call(_identity, None)
        self._watch = _Watch(self._parallel._backend._pool) if backend == "multiprocessing" else None

    def call(self, function, *arguments):
        return self.call_all(function, [arguments])[0]

    def call_all(self, function, tasks):
        """The results of several tasks of one call. A pool of threads works on two of them at once."""
        return self._parallel([self._delayed(function)(*arguments) for arguments in tasks])

    def close(self):
        # Closing the pool ends its workers, too.
        if self._watch is not None:
            self._watch.close()
        self._parallel.__exit__(None, None, None)


class _Pool:
    """A pool of one process, of multiprocessing or a compatible library."""

    def __init__(self, library, method):
        context = load(library).get_context(method)
        self._pool = context.Pool(1)

    def call(self, function, *arguments):
        worker = self._pool._pool[0]
        result = self._pool.apply_async(function, arguments)
        end = time.monotonic() + _WAIT_SECONDS
        # A worker that cannot read its task dies, and the pool would wait forever.
        while not result.ready() and worker.exitcode is None and time.monotonic() < end:
            result.wait(_GLANCE_SECONDS)
        result.wait(_GLANCE_SECONDS)
        if not result.ready():
            raise WorkerDied("the pool's worker exited with %s" % worker.exitcode)
        return result.get()

    def close(self):
        self._pool.terminate()
        self._pool.join()


def _tell(sink, array, files, is_graph):
    sink.send(give(array, files, is_graph))
    sink.close()


class _Process:
    """A new process for every call."""

    def __init__(self, library, method):
        self._context = load(library).get_context(method)

    def call(self, function, array, files, is_graph):
        source, sink = self._context.Pipe(False)
        process = self._context.Process(target=_tell, args=(sink, array, files, is_graph))
        try:
            process.start()
            sink.close()
            if not source.poll(_WAIT_SECONDS):
                raise WorkerDied("the process does not respond")
            return source.recv()
        except EOFError:
            process.join(1)
            raise WorkerDied("the process exited with %s" % process.exitcode) from None
        finally:
            source.close()
            if process.pid is not None:
                process.kill()
                process.join()

    def close(self):
        pass


def _make_pool(step):
    backend = step.entry.split(":")[0]
    if step.form == "joblib.Parallel":
        return _JoblibPool(backend, step.max_nbytes, step.map_mode)
    if step.form == "multiprocess":
        return _Pool("multiprocess", "fork")
    if step.form.startswith("shared_memory"):
        return _Pool("multiprocessing", "spawn")
    return (_Process if step.entry.endswith(":process") else _Pool)("multiprocessing", backend)


def _drop(key):
    pool = _pools.pop(key, None)
    if pool is not None:
        try:
            pool.close()
        except Exception:
            pass  # it is broken already


def _use(step, work):
    """The result of `work(pool)` for the pool of the step."""
    is_joblib = step.form == "joblib.Parallel"
    key = (step.form, step.entry.split(":")[0] if is_joblib else step.entry, step.max_nbytes, step.map_mode)
    # joblib's pools disturb each other when arrays are sent as files, and all pools of one backend are the same.
    for other in [other for other in _pools if is_joblib and other[0] == step.form and other != key]:
        if other[1] == key[1] or other[2] >= 0 or key[2] >= 0:
            _drop(other)
    pool = _pools.pop(key, None) or _make_pool(step)
    _pools[key] = pool
    if len(_pools) > _MAX_POOLS:
        _drop(next(iter(_pools)))
    try:
        return work(pool)
    except Exception as error:
        # A value that cannot be pickled does not affect the workers of a pool. After any other error joblib kills its
        # workers, and loky's new ones lack max_nbytes and mmap_mode (_parallel_backends.py, abort_everything, 1.3 to
        # 1.6).
        if is_joblib or type(error).__name__ in WORKER_CLASSES:
            _drop(key)
        raise
    finally:
        if step.entry.endswith(":once"):
            _drop(key)


def _call(step, function, *arguments):
    return _use(step, lambda pool: pool.call(function, *arguments))


_BACKENDS = ("loky", "multiprocessing", "threading")
_COPIES = {"copy": copy.copy, "deepcopy": copy.deepcopy}
ENTRIES = {
    "joblib.Parallel": (
        "joblib",
        _BACKENDS
        + ("loky:return", "multiprocessing:return", "threading:return", "loky:once", "multiprocessing:once"),
    ),
    "multiprocessing": ("python", ("fork:pool", "spawn:pool", "forkserver:pool", "fork:process", "spawn:process")),
    "multiprocess": ("multiprocess", ("pool",)),
    "copy": ("numpy", tuple(_COPIES)),
    "shared_memory": ("python", ("here", "unlinked", "heap", "named", "here:closed", "here:dropped")),
    "shared_memory.ShareableList": ("python", ("here", "assigned", "pickled", "named")),
    "buffer": ("numpy", ("memoryview", "interface", "dlpack", "frombuffer")),
    "joblib.Memory": (
        "joblib",
        ("call", "again", "shelve", "compress")
        + tuple("mmap:" + mode + place for place in ("", ":decorator", ":shelve") for mode in ("r", "r+", "c")),
    ),
}
# The transports that take one kind of values.
_ONLY = {"buffer": "array", "joblib.Memory": "array", "shared_memory": "array", "shared_memory.ShareableList": "scalars"}
# The transports that use max_nbytes and mmap_mode.
WITH_SETTINGS = ("joblib.Parallel",)
# The transports that take several values in one call.
TAKE_SEVERAL = ("joblib.Parallel",)
# The pickle protocol of each transport; None when arrays are copied without pickling.
PROTOCOLS = {"joblib.Parallel": 5, "multiprocessing": pickle.DEFAULT_PROTOCOL, "copy": 0}
PROTOCOLS["multiprocess"] = pickle.DEFAULT_PROTOCOL
PROTOCOLS.update({"shared_memory": 0, "shared_memory.ShareableList": 0, "buffer": 0})
PROTOCOLS["joblib.Memory"] = pickle.DEFAULT_PROTOCOL


def cost_of(form, name):
    """The cost of a case relative to other routes, where a case takes 2 to 3 ms including all checks: joblib polls for
    results every 10 ms, and starting a process takes longer."""
    if form in ("copy", "buffer"):
        return 1
    if form.startswith("shared_memory"):
        return 4 if name == "named" else 12 if ":" in name else 1  # a process that ends is started anew
    if form == "joblib.Memory":
        return 4
    if name.endswith(":once"):
        return 40
    return 4 if form == "joblib.Parallel" else 40 if name == "spawn:process" else 12 if name.endswith(":process") else 2


def histories_of(form, name):
    """The call histories of a transport. A pool is one object for two calls; threads share it only by its own rules.
    A transport that starts a process for each call would take twice as long."""
    if form == "copy":
        return ["reused", "failed", "freed", "threads"]
    if cost_of(form, name) > 4 or form in _OTHERS:
        return []
    return ["reused", "freed"] + ["threads"] * (form in TAKE_SEVERAL)


def values_of(form):
    """The kinds of values that a transport takes."""
    return [_ONLY[form]] if form in _ONLY else list(VALUES)


def _shared(step, array, files, is_graph):
    from . import shared_blocks

    send = shared_blocks.send if step.form == "shared_memory" else shared_blocks.send_list
    result = send(step.entry, array, files, is_graph, functools.partial(_call, step))
    return Observed(take(result)) if step.entry == "named" else result


def _viewed(step, array, files, is_graph):
    from . import buffers

    return buffers.send(step.entry, array)


def _remembered(step, value, files, is_graph):
    from . import memory_cache

    return memory_cache.send(step.entry, value, step.target)


# The transports that are not pools.
_OTHERS = {"shared_memory": _shared, "shared_memory.ShareableList": _shared, "buffer": _viewed, "joblib.Memory": _remembered}


def transport(step, array, files, is_graph):
    """The array on the other side: itself, or its observation there."""
    if step.entry not in ENTRIES.get(step.form, ("", ()))[1]:
        raise Unsupported("a transport that this testee does not claim")
    if step.form == "copy":
        return _COPIES[step.entry](array)
    if step.form in _OTHERS:
        return _OTHERS[step.form](step, array, files, is_graph)
    if step.entry.endswith(":return"):
        return _call(step, _identity, array)
    return Observed(take(_call(step, give, array, files, is_graph)))


def transport_all(step, values, files, is_graph):
    """The values on the other side, sent as the tasks of one call."""
    if step.entry.endswith(":return"):
        return _use(step, lambda pool: pool.call_all(_identity, [(value,) for value in values]))
    tasks = [(value, files, is_graph) for value in values]
    return [Observed(take(result)) for result in _use(step, lambda pool: pool.call_all(give, tasks))]


def close():
    """Ends every process that was started here."""
    for key in list(_pools):
        _drop(key)
    fresh.close()
