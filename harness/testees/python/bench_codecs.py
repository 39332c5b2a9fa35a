"""Speed and memory of the reference's codecs, compared with NumPy, pickle and joblib in the same run.

    bench_codecs.py [MIB]   the size of the large arrays, 256 by default

`codec_bench` (harness/codec/codec_bench.c) measures the reference. Each figure is the median of several repetitions,
alternating between the reference and the library so that noise of the machine affects both. A ratio is the speed of the
reference as a multiple of the library's. Without joblib its figures are missing.

Exits with 1 if a figure misses its bound, with 2 for an invalid size, and with 3 if the reference fails or its arrays
are not those of the library. The variable NDPROOF_BENCHES names the folder of the built benches.
"""

import io
import os
import pickle
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import zlib

import numpy as np

from bench_joblib import ROOT, use_current_environment

REPEATS = 7
MOST_MIB = 4096
ROWS = 4096
TRIPS_PER_MIB = 80
LIBRARY_TRIPS_PER_MIB = 8
NOISE = 0.1  # variation between runs of the same program when the operating system does nearly all the work


def benches():
    return os.environ.get("NDPROOF_BENCHES", os.path.join(ROOT, "build", "cc-plain", "harness"))


class Failure(Exception):
    """The reference died, or its arrays are not those of the library."""


class Reference:
    """A process of codec_bench."""

    def __init__(self):
        program = os.path.join(benches(), "codec", "codec_bench")
        self._process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.kill()
        self._process.communicate()

    def run(self, task, shape, dtype="<f8", order="C", repetitions=1, path="-"):
        """Runs a task, "FORMAT OPERATION". Returns its seconds, the growth of the peak in KiB and the checksum."""
        line = f"{task} {shape[0]}x{shape[1]} {dtype} {order} {repetitions} {path}"
        try:
            print(line, file=self._process.stdin, flush=True)
        except BrokenPipeError:
            pass
        words = self._process.stdout.readline().split()
        if len(words) != 3:
            raise Failure(f"codec_bench did not answer the task {line}")
        return float(words[0]), int(words[1]), int(words[2])


def npy_trip(array):
    file = io.BytesIO()
    np.save(file, array)
    file.seek(0)
    return np.load(file)


def pickle_dump(path, array):
    with open(path, "wb") as file:
        pickle.dump(array, file, 5)


def pickle_load(path):
    with open(path, "rb") as file:
        return pickle.load(file)


def joblib_functions():
    """The three functions of joblib, or None for each without joblib."""
    try:
        import joblib
    except ImportError:
        return None, None, None

    def trip(array):
        file = io.BytesIO()
        joblib.dump(array, file)
        file.seek(0)
        return joblib.load(file)

    return lambda path, array: joblib.dump(array, path), joblib.load, trip


# Per format: the library, and its functions dump(path, array), load(path) and trip(array).
LIBRARIES = {
    "npy": ("numpy", (np.save, np.load, npy_trip)),
    "pickle": ("numpy", (pickle_dump, pickle_load, lambda array: pickle.loads(pickle.dumps(array, 5)))),
    "joblib": ("joblib", joblib_functions()),
}


def seconds_of(function, *arguments, repetitions=1):
    """The seconds of a call, up to the release of the last result."""
    start = time.perf_counter()
    for _ in range(repetitions):
        kept = function(*arguments)  # noqa: F841
    return (time.perf_counter() - start) / repetitions


def measure_both(ours, theirs):
    """The seconds of the reference and of the library, if there is one. They take turns to be first."""
    seconds = [], []
    for number in range(REPEATS):
        for side in (0, 1) if number % 2 == 0 else (1, 0):
            function = (ours, theirs)[side]
            if function:
                seconds[side].append(function())
    return seconds


def remove(path):
    if os.path.exists(path):
        os.unlink(path)


def show_rate(name, unit, work, library, ours, theirs, bound, noise=0.0):
    """Prints a row from the seconds of both. Returns whether the rate is at least `bound` times the library's, less
    `noise`."""
    ours = statistics.median(ours)
    text = f"{name:<25} {work / ours:10.0f} {unit}"
    if not theirs:
        print(text)
        return True
    theirs = statistics.median(theirs)
    ratio = theirs / ours
    is_kept = ratio >= bound - noise
    text += f"   {library} {work / theirs:10.0f}   ratio {ratio:6.2f} (at least {bound:.2f})"
    print(text + ("" if is_kept else "  BELOW"))
    return is_kept


def show_memory(name, grown_kib, bound_kib):
    is_kept = 0 <= grown_kib <= bound_kib
    print(f"{name:<25} {grown_kib:10d} KiB   (at most {bound_kib})" + ("" if is_kept else "  OVER"))
    return is_kept


def checksum(array):
    return zlib.adler32(array.ravel(order="K").view("u1"))


class Bench:
    """The measurements of one run, with files in `folder`. `is_kept` becomes False when a figure misses its bound."""

    def __init__(self, mib, folder, reference):
        self.mib, self.reference = mib, reference
        self.path, self.twin = os.path.join(folder, "array"), os.path.join(folder, "library")
        self.is_kept = True

    def keep(self, is_kept):
        self.is_kept &= is_kept

    def large(self, form, name, array, order, bound, noise=0.0):
        """Encodes and decodes a large array in a file."""
        library, (dump, load, _) = LIBRARIES[form]
        shape = array.shape if array.ndim == 2 else (1, array.size)
        where = {"shape": shape, "dtype": array.dtype.str, "order": order, "path": self.path}
        expected = checksum(array)

        def encode():
            remove(self.path)
            return self.reference.run(form + " encode", **where)[0]

        def decode():
            seconds, _, got = self.reference.run(form + " decode", **where)
            if got != expected:
                raise Failure(f"{name}: the decoded array is not the encoded one")
            return seconds

        def library_dump():
            remove(self.twin)
            return seconds_of(dump, self.twin, array)

        encode()
        decode()
        rates = {
            "encode": measure_both(encode, dump and library_dump),
            "decode": measure_both(decode, load and (lambda: seconds_of(load, self.path))),
        }
        remove(self.twin)
        if load and not np.array_equal(load(self.path).view("u8"), array.view("u8")):
            raise Failure(f"{name}: {library} does not read the encoded array")
        for action, seconds in rates.items():
            row = f"{action} {name}" if form == "npy" else f"{form} {action} {self.mib} MiB"
            self.keep(show_rate(row, "MiB/s", array.nbytes >> 20, library, *seconds, bound, noise))

    def memory(self, task, name, bound_kib):
        """The peak of a process that only decodes the last file."""
        with Reference() as fresh:
            self.keep(show_memory(name, fresh.run(task, (1, 1), path=self.path)[1], bound_kib))

    def trips(self, form, name, array, bound):
        """Round trips of a small array through memory."""
        library, (_, _, trip) = LIBRARIES[form]
        repetitions = self.mib * LIBRARY_TRIPS_PER_MIB
        seconds = measure_both(
            lambda: self.reference.run(form + " trip", (1, array.size), repetitions=self.mib * TRIPS_PER_MIB)[0],
            trip and (lambda: seconds_of(trip, array, repetitions=repetitions)),
        )
        self.keep(show_rate(name, "trips/s", 1, library, *seconds, bound))

    def run(self):
        whole_kib = self.mib * 1024 + 1024
        line = np.arange(self.mib << 17, dtype="<f8")
        table = line.reshape(ROWS, -1)
        self.large("npy", "contiguous", table, "C", 0.9)
        self.memory("npy decode", "memory of a decode", whole_kib)
        self.memory("npy stream", "memory of a stream", whole_kib)
        self.memory("npy map", "memory of a map", 1024)
        self.large("npy", "byte-swapped", table.view(">f8"), "C", 1.0, NOISE)
        self.large("npy", "fortran", line.reshape((ROWS, -1), order="F"), "F", 1.0, NOISE)
        self.large("npy", "strided", table[:, ::2], "S", 1.0, NOISE)
        self.trips("npy", "trips of 8 bytes", line[:1], 20)
        self.trips("npy", "trips of 1 KiB", line[:128], 20)
        for form in ("pickle", "joblib"):
            self.large(form, form, line, "C", 0.9)
            self.memory(form + " decode", form + " memory of a decode", whole_kib)
            self.trips(form, form + " trips of 1 KiB", line[:128], 10)
        return 0 if self.is_kept else 1


def main(arguments):
    words = arguments or ["256"]
    if len(words) != 1 or not words[0].isascii() or not words[0].isdigit() or not 1 <= int(words[0]) <= MOST_MIB:
        print(f"usage: bench_codecs.py [MIB]   (1 to {MOST_MIB})", file=sys.stderr)
        return 2
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(3))
    place = None if "TMPDIR" in os.environ or not os.access("/dev/shm", os.W_OK) else "/dev/shm"
    with tempfile.TemporaryDirectory(prefix="ndproof-bench-", dir=place) as folder, Reference() as reference:
        try:
            return Bench(int(words[0]), folder, reference).run()
        except (Failure, KeyboardInterrupt) as failure:
            print(f"bench_codecs: {failure or 'interrupted'}", file=sys.stderr)
            return 3


if __name__ == "__main__":
    use_current_environment()
    sys.exit(main(sys.argv[1:]))
