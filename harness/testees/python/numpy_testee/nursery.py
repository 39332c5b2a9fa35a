"""The fork server: imports once, then forks every process that serves.

ndproof asks for processes on a socket (harness/testees/README.md, Forks). The first process knows NumPy and the testee.
A second one, its successor, imports the other libraries in the background and then takes over, so that nobody waits for
them; a library that ends its process, or never finishes, ends only the successor. Every serving process begins in an
empty folder, without threads, and knows nothing of the others.
"""

import gc
import os
import socket
import struct
import sys
import threading
import warnings

_VARIABLE = "NDPROOF_FORKS"
_CHANNELS = struct.Struct("3i")  # to the process, from it, its output
_PLACES = (3, 4, 1)
_FOLDERS = ("TMPDIR", "TMP", "TEMP", "HOME", "PWD", "JOBLIB_TEMP_FOLDER")


def is_offered():
    """Whether ndproof can ask for processes."""
    return _VARIABLE in os.environ


def serve_forks(successor_imports=()):
    """Forks a process for every request, and returns in each of them. HELLO has been sent. The functions in
    `successor_imports` are called by the successor; an exception is ignored, since a case will meet it again."""
    control = socket.socket(fileno=int(os.environ.pop(_VARIABLE)))
    control.set_inheritable(False)
    # A received descriptor must not get the number of a channel.
    nothing = os.open(os.devnull, os.O_RDWR)
    for place in _PLACES[:2]:
        os.dup2(nothing, place, inheritable=False)
    os.close(nothing)
    warnings.simplefilter("ignore")
    control.send(b"ready")
    _Server(control, successor_imports).run()


def _has_company():
    """Whether this process has other threads or child processes, which a forked process would lack."""
    tasks = os.listdir("/proc/self/task")
    if len(tasks) > 1 or threading.active_count() > 1:
        return True
    try:
        with open("/proc/self/task/%s/children" % tasks[0]) as file:
            return bool(file.read().strip())
    except OSError:
        return False


def _settle():
    """Nothing of the server is garbage later, and collections in a forked process do not touch its memory."""
    gc.collect()
    if hasattr(gc, "freeze"):
        gc.freeze()


class _Server:
    def __init__(self, control, successor_imports):
        self._control = control
        self._imports = successor_imports
        self._successor = 0
        self._link = None  # to the successor, or from the predecessor

    def run(self):
        """Returns in every forked process."""
        _settle()
        while True:
            message, channels = self._request()
            number = int(message.split()[1])
            child = os.fork()
            if child == 0:
                self._enter(number, channels)
                return
            for descriptor in channels:
                os.close(descriptor)
            # After the fork, so that the process does not wait.
            if self._imports and not self._successor and self._is_successor():
                continue
            _, status = os.waitpid(child, 0)
            self._control.send(b"ended %d %d" % (number, status))
            self._hand_over()

    def _request(self):
        message, ancillary, _, _ = self._control.recvmsg(64, socket.CMSG_SPACE(_CHANNELS.size))
        if not message:
            os._exit(0)
        return message, _CHANNELS.unpack(ancillary[0][2])

    def _enter(self, number, channels):
        """Becomes a process that serves."""
        self._control.send(b"forked %d" % number)
        for descriptor, place in zip(channels, _PLACES):
            os.dup2(descriptor, place)
            os.close(descriptor)
        os.dup2(1, 2)
        self._control.close()
        if self._link is not None:
            self._link.close()
        folder = os.path.join(os.getcwd(), str(number))
        os.mkdir(folder)
        os.chdir(folder)
        for name in _FOLDERS:
            if name in os.environ:
                os.environ[name] = folder
        if "tempfile" in sys.modules:
            sys.modules["tempfile"].tempdir = None
        if "numpy.random" in sys.modules:
            sys.modules["numpy.random"].seed()

    def _is_successor(self):
        """Forks the successor. Returns true in the successor, once it is to take over."""
        link, other = socket.socketpair()
        self._successor = os.fork()
        if self._successor:
            other.close()
            self._link = link
            self._link.setblocking(False)
            return False
        link.close()
        self._link = other
        self._control.send(b"ready")
        for load in self._imports:
            try:
                load()
            except Exception:
                pass
        self._imports = ()
        self._successor = 0
        _settle()
        if _has_company():
            os._exit(0)
        try:
            other.send(b"r")
            is_wanted = bool(other.recv(1))
        except OSError:
            is_wanted = False
        if not is_wanted:
            os._exit(0)  # the testee is gone
        return True

    def _hand_over(self):
        """Lets the successor answer all further requests, if it is ready."""
        if not self._successor:
            return
        try:
            is_ready = bool(self._link.recv(1))
        except BlockingIOError:
            return
        except OSError:
            is_ready = False
        if is_ready:
            self._link.send(b"g")
        os.waitpid(self._successor, 0)
        if is_ready:
            os._exit(1)
        self._imports, self._successor = (), 0
