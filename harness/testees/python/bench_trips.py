"""Measures how many round trips per second pass through numpy.save and numpy.load, in four ways.

bare        a Python loop over arrays that are already built
hypothesis  the same property written with Hypothesis: draw, save, load, compare
testee      this testee, driven through the protocol by a Python program
sweep       `ndproof sweep` with one testee; a bare loop repeats the round trips of its cases

Exits with 1 when the sweep is slower than the project promises: 0.5 of the bare loop, and 30 times Hypothesis. The best
of several periods counts, because the machine has other work, too. The line before it includes the time for findings
(confirming, minimising).
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import warnings

import numpy

from numpy_testee import channel, interpreter, values
from numpy_testee.refusal import Unsupported

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", ".."))
PROGRAM = os.path.join(ROOT, "build", "ndproof")
MEMORY = "/dev/shm"
RUNS = 3
LEAST_OF_BARE = 0.5
LEAST_OF_HYPOTHESIS = 30.0
DTYPES = ["|b1", "|u1", "<i2", ">i4", "<i8", "<f4", ">f8", "<c16", "|S5", "<U3", "<M8[s]"]
SHAPES = [[], [7], [3, 4], [1, 5], [0, 3], [2, 3, 4], [64]]


def best(measure):
    """The highest rate of a few runs."""
    return max(measure() for _ in range(RUNS))


class Trips:
    """The round trips of batches: arrays built as the testee builds them, with their encoders and decoders."""

    def __init__(self, batches, folder, started, left_out=()):
        self.trips = []
        for number, (text, binary) in enumerate(batches):
            batch = json.loads(text)
            programs = [[interpreter.Step(words) for words in steps] for steps in batch["programs"]]
            for index, spec in enumerate(batch["cases"]):
                name = "%d-%d" % (number, index)
                started(name)
                if name not in left_out:
                    self._add(spec, programs[spec["program"]], memoryview(binary), os.path.join(folder, "base-" + name))

    def _add(self, spec, steps, binary, path):
        encode = next((step for step in steps if step.op == "encode"), None)
        decode = next((step for step in steps if step.op == "decode"), None)
        if encode is None or decode is None or "value" not in spec:
            return
        store = values.Store()
        case = interpreter.Case(spec, binary, store)
        try:
            array = values.build_value(spec["value"], case.part(spec["data"]), store, path)
            case.has_objects = array.dtype.hasobject
            decode.code(encode.code(array, encode.path, encode), decode.path, decode, case)
        except (Exception, Unsupported):
            return
        self.trips.append((array, encode, decode, case))

    def rate(self):
        """Round trips per second, with only the library's calls between the clock readings."""
        start = time.perf_counter()
        for array, encode, decode, case in self.trips:
            decode.code(encode.code(array, encode.path, encode), decode.path, decode, case)
        return len(self.trips) / (time.perf_counter() - start)


def bare_rate(batches, folder):
    """The best rate of a bare loop, measured in a child. A round trip that kills the child is skipped in the next
    attempt."""
    left_out = set()
    while len(left_out) < 50:
        name, rate = _bare_child(batches, folder, left_out)
        if rate is not None:
            return rate
        left_out.add(name)
    raise SystemExit("the bare loop died of %d trips: %s" % (len(left_out), sorted(left_out)))


def _bare_child(batches, folder, left_out):
    """Returns (the last round trip that was begun, the rate or None when the child died)."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        try:
            trips = Trips(batches, folder, lambda name: os.write(writer, (name + "\n").encode()), left_out)
            os.write(writer, ("rate %r\n" % best(trips.rate)).encode())
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as source:
        told = source.read().splitlines()
    os.waitpid(child, 0)
    if told and told[-1] == "rate 0.0":
        raise SystemExit("the bare loop has no trip that it can do")
    if told and told[-1].startswith("rate "):
        return told[-1], float(told[-1][5:])
    return told[-1] if told else "", None


def made_batch(count, encode, decode, form="npy"):
    """A batch of plain arrays, and one round trip."""
    how = ["", 0, 0]
    steps = [["build", "", "source"], ["observe", "source", "source"], ["encode", "source", "encoded", form, encode]]
    steps += [["decode", "encoded", "result", form, decode], ["observe", "result", "result"]]
    binary = bytearray()
    cases = []
    for index in range(count):
        dtype, shape = DTYPES[index % len(DTYPES)], SHAPES[index % len(SHAPES)]
        size = numpy.dtype(dtype).itemsize * int(numpy.prod(shape, dtype=int))
        value = {"array": {"base": {"dtype": dtype, "shape": shape}}}
        cases.append({"id": str(index), "program": 0, "value": value, "data": [len(binary), size]})
        binary += bytes(byte % 2 for byte in range(size))
    programs = [[step + how if len(step) == 5 else step for step in steps]]
    return json.dumps({"programs": programs, "cases": cases}).encode(), bytes(binary)


def testee_rate(batch, batches):
    """Cases per second of a testee that always has its next batch waiting."""
    from testee_driver import Testee

    count = len(json.loads(batch[0])["cases"])
    with Testee() as testee:
        testee.send_frame(0, *batch)
        testee.collect(0, count)
        start = time.perf_counter()
        feeder = threading.Thread(target=lambda: [testee.send_frame(k, *batch) for k in range(batches)])
        feeder.start()
        for _ in range(2 * count * batches):
            testee.frame()
        feeder.join()
        return count * batches / (time.perf_counter() - start)


def hypothesis_rate(count, folder):
    """Examples per second of the property that the sweep checks, as a Python project would write it."""
    from hypothesis import HealthCheck, given, settings
    from hypothesis import strategies as st
    from hypothesis.extra import numpy as hnp

    path = os.path.join(folder, "hypothesis.npy")
    ran = [0]
    arrays = st.one_of(hnp.scalar_dtypes(), hnp.array_dtypes()).flatmap(
        lambda dtype: hnp.arrays(dtype, hnp.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=6))
    )

    @settings(max_examples=count, database=None, deadline=None, suppress_health_check=list(HealthCheck))
    @given(arrays)
    def survives(array):
        ran[0] += 1
        numpy.save(path, array)
        result = numpy.load(path)
        assert result.dtype == array.dtype and result.shape == array.shape
        assert result.flags.c_contiguous == array.flags.c_contiguous
        assert result.flags.f_contiguous == array.flags.f_contiguous
        assert result.tobytes() == array.tobytes()

    warnings.simplefilter("ignore")
    start = time.perf_counter()
    survives()
    return ran[0] / (time.perf_counter() - start)


def sweep_command(python, report, *more):
    command = [PROGRAM, "sweep", "--seed", "1", "--format", "npy", "--target", "numpy", "--property", "values"]
    return command + ["--python", python, "--report", report] + list(more)


def record_sweep(folder, count):
    """The batches of a sweep whose testee records its input. Only full batches count; the others confirm findings."""
    record, wrapper = os.path.join(folder, "record"), os.path.join(folder, "python")
    with open(wrapper, "w") as file:
        script = os.path.abspath(__file__)
        file.write('#!/bin/sh\nexec "%s" "%s" --record "%s" "$@"\n' % (sys.executable, script, record))
    os.chmod(wrapper, 0o755)
    command = sweep_command(wrapper, os.path.join(folder, "report.json"), "--cases", str(count))
    # A protected testee could neither see the wrapper nor write the record.
    free = dict(os.environ, NDPROOF_SANDBOX="none")
    run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=folder, env=free)
    if not os.path.exists(record):
        raise SystemExit("the sweep ended with %d: %s" % (run.returncode, run.stdout.decode("utf-8", "replace")[-300:]))
    with open(record, "rb") as file:
        batches = list(recorded(file.read()))
    most = max(len(json.loads(text)["cases"]) for text, _ in batches)
    return [(text, binary) for text, binary in batches if len(json.loads(text)["cases"]) == most]


def compared(report):
    """The (time, compared round trips) in a report."""
    with open(report) as file:
        cells = json.load(file)["work"]["cells"]
    return os.stat(report).st_mtime, sum(cell["pass"] + cell["diverges"] + cell["rejects"] for cell in cells)


def sweep_rates(folder, seconds):
    """Compared round trips per second: in the best period between two updates of the report, and in total."""
    report = os.path.join(folder, "report.json")
    marks = [(time.time(), 0)]
    run = subprocess.Popen(
        sweep_command(sys.executable, report, "--seconds", str(seconds)),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=folder,
    )
    while run.poll() is None:
        time.sleep(0.25)
        try:
            mark = compared(report)
        except (OSError, ValueError):
            continue
        if mark[0] > marks[-1][0] + 1.0:
            marks.append(mark)
    marks.append(compared(report))
    stretches = [(b[1] - a[1]) / (b[0] - a[0]) for a, b in zip(marks, marks[1:]) if b[0] > a[0] + 1.0]
    return max(stretches), marks[-1][1] / (marks[-1][0] - marks[0][0])


def recorded(content):
    """The (JSON, binary) of each BATCH frame in a record."""
    place = 0
    header = channel._HEADER
    while place + header.size <= len(content):
        fields = header.unpack_from(content, place)
        start = place + header.size
        place = start + fields[5] + fields[6]
        yield content[start : start + fields[5]], content[start + fields[5] : place]


def serve_and_record(path):
    """Runs the testee and appends every batch that it reads to a file."""
    read = channel.Channel.read

    def recording(self):
        message = read(self)
        if message is not None:
            sequence, text, binary = message
            with open(path, "ab") as file:
                file.write(b"".join(channel.frame(channel.BATCH, 0, sequence, text, [binary])))
        return message

    channel.Channel.read = recording
    interpreter.serve(3, 4)


def line(name, rate, *beside):
    told = "  ".join("%.2f of %s" % (rate / other, what) for what, other in beside)
    print("%-34s %9.0f trips/s  %s" % (name, rate, told), flush=True)


def bench(folder, count, seconds):
    os.chdir(folder)
    drawn = hypothesis_rate(max(count // 20, 50), folder)
    line("hypothesis", drawn)
    for encode, decode in (("memory", "memory"), ("file", "file"), ("file", "mmap:r")):
        batch = made_batch(256, encode, decode)
        bare = bare_rate([batch], folder)
        line("bare, plain arrays, %s > %s" % (encode, decode), bare)
        rate = best(lambda batch=batch: testee_rate(batch, max(count // 256, 2)))
        line("testee, the same", rate, ("bare", bare), ("hypothesis", drawn))
    if not os.access(PROGRAM, os.X_OK):
        print("sweep NOT MEASURED: there is no %s" % PROGRAM)
        return 0
    bare = bare_rate(record_sweep(folder, count), folder)
    line("bare, trips of the sweep", bare)
    steady, whole = sweep_rates(folder, seconds)
    line("sweep, with confirming and shrinking", whole, ("bare", bare), ("hypothesis", drawn))
    line("sweep", steady, ("bare", bare), ("hypothesis", drawn))
    is_kept = steady >= LEAST_OF_BARE * bare and steady >= LEAST_OF_HYPOTHESIS * drawn
    told = (LEAST_OF_BARE, LEAST_OF_HYPOTHESIS, "kept" if is_kept else "MISSED")
    print("promised: sweep at least %.1f of bare and %.0f of hypothesis: %s" % told)
    return 0 if is_kept else 1


def main():
    if sys.argv[1:2] == ["--record"]:
        return serve_and_record(sys.argv[2])
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--cases", type=int, default=6000, help="how many to draw (default: 6000)")
    options.add_argument("--seconds", type=int, default=20, help="how long to sweep (default: 20)")
    told = options.parse_args()
    # Use memory when possible, so that the speed of the disk has no influence.
    place = MEMORY if os.access(MEMORY, os.W_OK) else None
    folder = tempfile.mkdtemp(prefix="ndproof-bench-", dir=place)
    os.environ["TMPDIR"] = tempfile.tempdir = folder
    try:
        return bench(folder, told.cases, told.seconds)
    finally:
        os.chdir("/")
        shutil.rmtree(folder)


if __name__ == "__main__":
    sys.exit(main())
