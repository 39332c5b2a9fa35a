"""Measures whether another build of ndproof runs the same cases faster or slower.

    bench_same_cases.py BEFORE   the path of the other build's program, such as ../before/build/ndproof

Both builds replay the same descriptors of plain arrays, judged by the same properties, in alternation. The figure is the
processor time of ndproof and all its descendants without that of a start; the median of the ratios of neighbouring runs
counts. Exits with 1 if this build needs more than 1.05 times the processor time of the other.
"""

import ctypes
import itertools
import json
import os
import statistics
import subprocess
import sys
import tempfile

from bench_sweep_table import PR_SET_CHILD_SUBREAPER, PROGRAM, processor_time, wait_for_all

ROUNDS, REPEATS = 7, 2
MOST = 1.05
TYPES = ("<f8", ">i4", "|b1", "<U3", ">c16", "<M8[s]")
SHAPES = ((), (0,), (7,), (3, 5), (2, 3, 4), (64, 64))
PROPERTIES = "byte_order dtype entry_points flags idempotence memmap memory_order shape staleness values".split()  # of both builds
ROUTES = (
    {"format": "npy", "encode": "memory", "decode": "memory"},
    {"format": "npy", "encode": "file", "decode": "mmap:r"},
    {"format": "npz", "encode": "memory", "decode": "file"},
    {"format": "pickle", "protocol": 5, "encode": "c", "decode": "c", "buffers": "in-band"},
    {"format": "pickle", "protocol": 2, "encode": "python", "decode": "c"},
)


def write_cases(folder):
    """Writes the descriptors; returns their paths."""
    paths = []
    for route, type_, shape, order in itertools.product(ROUTES, TYPES, SHAPES, "CF"):
        base = {"dtype": type_, "shape": shape, **({"order": "F"} if order == "F" else {})}
        paths.append(os.path.join(folder, "%d.json" % len(paths)))
        with open(paths[-1], "w") as file:
            json.dump({"ndproof": 1, "value": {"array": {"base": base}}, "route": route, "properties": PROPERTIES}, file)
    return paths


def measure(program, paths):
    """The processor time of a replay in which every case must hold."""
    began = processor_time()
    command = [program, "replay", "--python", sys.executable, *paths]
    output = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    wait_for_all()
    held = sum(line.startswith("HOLDS ") for line in output.splitlines())
    if held != len(paths):
        raise SystemExit("%s: expected %d cases to hold, %d did" % (program, len(paths), held))
    return processor_time() - began


def main():
    if len(sys.argv) != 2:
        print("same cases NOT MEASURED: run %s BEFORE, the program of the build to compare with" % os.path.basename(sys.argv[0]))
        return 0
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)
    before = os.path.abspath(sys.argv[1])
    ratios = []
    with tempfile.TemporaryDirectory(prefix="ndproof-bench-") as folder:
        paths = write_cases(folder)
        for _ in range(ROUNDS):
            then, now = (measure(program, paths * REPEATS) - measure(program, paths[:1]) for program in (before, PROGRAM))
            ratios.append(now / then)
            print("%d cases: before %.2f s, now %.2f s, ratio %.2f" % (len(paths) * REPEATS, then, now, ratios[-1]), flush=True)
    ratio = statistics.median(ratios)
    print("%.2f times the processor time of %s, expected at most %.2f: %s" % (ratio, before, MOST, "kept" if ratio <= MOST else "MISSED"))
    return 0 if ratio <= MOST else 1


if __name__ == "__main__":
    sys.exit(main())
