"""How many round trips through numpy.save and numpy.load a second gives, on three roads.

bare        a Python loop over arrays that are built already
hypothesis  the same property written with Hypothesis: draw, save, load, compare
testee      this testee, driven through the protocol by a Python program
sweep       `ndproof sweep` with one testee, on exactly the cases that the bare loop then repeats

Usage: bench_trips.py [--cases N]. Ends with 1 when a road misses what the project promises: the sweep at
least 0.5 of the bare loop, and 8 times Hypothesis. The best of three runs counts, because the machine has
other work, too.
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
RUNS = 3
LEAST_OF_BARE = 0.5
LEAST_OF_HYPOTHESIS = 8.0
DTYPES = ["|b1", "|u1", "<i2", ">i4", "<i8", "<f4", ">f8", "<c16", "|S5", "<U3", "<M8[s]"]
SHAPES = [[], [7], [3, 4], [1, 5], [0, 3], [2, 3, 4], [64]]


def best(measure):
    """The highest rate of a few runs."""
    return max(measure() for _ in range(RUNS))


class Captured:
    """The cases of batches, with arrays built as the testee builds them, and their trips in and out."""

    def __init__(self, batches, folder):
        self.trips = []
        self.left_out = 0
        for number, (text, binary) in enumerate(batches):
            batch = json.loads(text)
            programs = [[interpreter.Step(words) for words in steps] for steps in batch["programs"]]
            for index, spec in enumerate(batch["cases"]):
                path = os.path.join(folder, "base-%d-%d" % (number, index))
                self._add(spec, programs[spec["program"]], memoryview(binary), path)

    def _add(self, spec, steps, binary, path):
        encode = next((step for step in steps if step.run is interpreter._encode), None)
        decode = next((step for step in steps if step.run is interpreter._decode), None)
        if encode is None or decode is None or "value" not in spec:
            self.left_out += 1
            return
        store = values.Store()
        case = interpreter.Case(spec, binary, store)
        try:
            array = values.build_value(spec["value"], case.part(spec["data"]), store, path)
            case.has_objects = array.dtype.hasobject
            decode.code(encode.code(array, encode.path, encode), decode.path, decode, case)
        except (Exception, Unsupported):
            self.left_out += 1
            return
        self.trips.append((array, encode, decode, case))

    def rate(self):
        """Trips a second, nothing but the library's own calls between the clocks."""
        start = time.perf_counter()
        for array, encode, decode, case in self.trips:
            decode.code(encode.code(array, encode.path, encode), decode.path, decode, case)
        return len(self.trips) / (time.perf_counter() - start)


def made_batch(count, encode, decode):
    """A batch of plain arrays, and one trip."""
    how = ["", 0, 0]
    steps = [["build", "", "source"], ["observe", "source", "source"], ["encode", "source", "encoded", "npy", encode]]
    steps += [["decode", "encoded", "result", "npy", decode], ["observe", "result", "result"]]
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
    """Cases a second of a testee that always has its next batch waiting."""
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
    """Examples a second of the property that the sweep judges, the way a Python project writes it."""
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


def sweep(count, folder):
    """Runs the sweep, its testee writing down what it was asked; gives (rate, batches) or the reason why not."""
    if not os.access(PROGRAM, os.X_OK):
        return "there is no %s" % PROGRAM
    record, report = os.path.join(folder, "record"), os.path.join(folder, "report.json")
    wrapper = os.path.join(folder, "python")
    with open(wrapper, "w") as file:
        script = os.path.abspath(__file__)
        file.write('#!/bin/sh\nexec "%s" "%s" --record "%s" "$@"\n' % (sys.executable, script, record))
    os.chmod(wrapper, 0o755)
    rates = []
    for python in [wrapper] + [sys.executable] * RUNS:
        command = [PROGRAM, "sweep", "--seed", "1", "--cases", str(count), "--format", "npy", "--python", python]
        command += ["--target", "numpy", "--property", "values", "--report", report]
        run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=folder)
        if run.returncode not in (0, 1, 4, 5, 6) or not os.path.exists(report):
            return "the sweep ended with %d: %s" % (run.returncode, run.stdout.decode("utf-8", "replace")[-300:])
        with open(report) as file:
            rates.append(rate_of(json.load(file)))
    with open(record, "rb") as file:
        return max(rates[1:]), list(recorded(file.read()))


def rate_of(report):
    """Compared cases a second of a report."""
    from datetime import datetime

    started, ended = (datetime.fromisoformat(report["run"][key].replace("Z", "+00:00")) for key in ("started", "ended"))
    return report["work"]["cases"] / max((ended - started).total_seconds(), 1e-3)


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
    """The testee, every batch that it reads appended to a file."""
    read = channel.Channel.read

    def recording(self):
        message = read(self)
        if message is not None:
            sequence, text, binary = message
            with open(path, "ab") as file:
                file.write(b"".join(channel.frame(channel.BATCH, 0, sequence, text.decode(), [binary])))
        return message

    channel.Channel.read = recording
    interpreter.serve(3, 4)


def line(name, rate, *beside):
    told = "  ".join("%.2f of %s" % (rate / other, what) for what, other in beside)
    print("%-34s %9.0f trips/s  %s" % (name, rate, told), flush=True)


def bench(count, folder):
    os.chdir(folder)
    drawn = hypothesis_rate(max(count // 20, 50), folder)
    line("hypothesis, file", drawn)
    for encode, decode in (("memory", "memory"), ("file", "file"), ("file", "mmap:r")):
        batch = made_batch(256, encode, decode)
        bare = best(Captured([batch], folder).rate)
        line("bare, %s > %s" % (encode, decode), bare)
        rate = best(lambda batch=batch: testee_rate(batch, max(count // 256, 2)))
        line("testee, %s > %s" % (encode, decode), rate, ("bare", bare), ("hypothesis", drawn))
    swept = sweep(count, folder)
    if isinstance(swept, str):
        print("sweep NOT MEASURED: %s" % swept)
        return 0
    rate, batches = swept
    captured = Captured(batches, folder)
    bare = best(captured.rate)
    line("bare, the sweep's cases", bare)
    line("sweep", rate, ("bare", bare), ("hypothesis", drawn))
    print("(%d cases of the sweep are refused or have no trip; the bare loop leaves them out)" % captured.left_out)
    is_met = rate >= LEAST_OF_BARE * bare and rate >= LEAST_OF_HYPOTHESIS * drawn
    print(
        "promised: sweep >= %.1f of bare and >= %.0f of hypothesis: %s"
        % (LEAST_OF_BARE, LEAST_OF_HYPOTHESIS, "kept" if is_met else "MISSED")
    )
    return 0 if is_met else 1


def main():
    if sys.argv[1:2] == ["--record"]:
        return serve_and_record(sys.argv[2])
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--cases", type=int, default=10000)
    count = options.parse_args().cases
    folder = tempfile.mkdtemp(prefix="ndproof-bench-")
    try:
        return bench(count, folder)
    finally:
        os.chdir("/")
        shutil.rmtree(folder)


if __name__ == "__main__":
    sys.exit(main())
