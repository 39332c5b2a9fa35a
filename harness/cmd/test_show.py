"""`ndproof show` and `ndproof shrink` for native files. The standard library and NumPy read the same files: pickletools
lists the opcodes, zipfile the members, numpy.lib.format the headers."""

import ast
import io
import json
import os
import pathlib
import pickle
import pickletools
import re
import shutil
import signal
import struct
import subprocess
import sys
import time
import tokenize
import zipfile

import numpy
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
NDPROOF = ROOT / "build/ndproof"
CORPUS = ROOT / "corpus"
CLEAN, DIVERGES, USAGE, FAULT = range(4)
PATIENCE_S = 120
SHOWN_OPCODES, SHOWN_BYTES = 200, 48


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """A configuration without environments: only the reference runs."""
    path = tmp_path_factory.mktemp("config") / "config.json"
    path.write_text(json.dumps({"environments": {}}))
    return path


def ndproof(*words, code=CLEAN):
    done = subprocess.run([NDPROOF, *map(str, words)], capture_output=True, timeout=PATIENCE_S, check=False)
    done.stdout, done.stderr = done.stdout.decode(), done.stderr.decode()
    assert done.returncode == code, (words, done.stdout[-2000:], done.stderr)
    return done


def show_all(paths, alone):
    """The output for each of several files; one start of the targets is enough."""
    text = ndproof("show", "--config", alone, *paths).stdout
    parts = re.split(r"^== (.*)$\n", text, flags=re.MULTILINE)
    assert parts[1::2] == [str(path) for path in paths]
    return list(zip(paths, parts[2::2]))


def show(path, alone):
    return ndproof("show", "--config", alone, path).stdout


def corpus_files(folder, suffix):
    found = sorted((CORPUS / folder).glob(f"*/*{suffix}"))
    assert len(found) > 15
    return found


def as_text(raw, limit=SHOWN_BYTES):
    shown = "".join(chr(byte) if 0x20 <= byte < 0x7F else f"\\x{byte:02x}" for byte in raw[:limit])
    return shown + (f"... ({len(raw)} bytes)" if len(raw) > limit else "")


# Pickles.

OPCODE = re.compile(r"^ +(\d+)  ([A-Z][A-Z0-9_]+)(?: +(.*))?$", re.MULTILINE)
MEMO = ("PUT", "BINPUT", "LONG_BINPUT", "MEMOIZE", "GET", "BINGET", "LONG_BINGET")


def expected_argument(name, argument, raw, memo):
    """The argument as `show` prints it, from what pickletools reads and the bytes of the opcode."""
    # An index beyond 32 bits is none, and int() of Python also takes blanks.
    if name in ("PUT", "GET") and not (raw[1:-1].isdigit() and int(raw[1:-1]) < 2**32):
        return as_text(raw[1:-1])
    if name in ("MEMOIZE", "PUT", "BINPUT", "LONG_BINPUT"):
        index = len(memo) if name == "MEMOIZE" else argument
        memo.add(index)
        return f"memo {index}"
    if name in MEMO:
        return f"memo {argument}"
    if name in ("GLOBAL", "INST"):
        return argument
    if name == "FRAME":
        return f"{argument}, to byte"
    if name in ("INT", "LONG", "FLOAT", "STRING", "UNICODE", "PERSID"):
        return as_text(raw[1:-1])
    if name == "BINFLOAT":
        return f"{struct.unpack('>d', raw[1:])[0]:.17g}"
    if isinstance(argument, (bytes, bytearray, str)):
        if isinstance(argument, str):
            argument = argument.encode(*(("latin1",) if "STRING" in name else ("utf-8", "surrogatepass")))
        size = len(argument)
        return "'" + as_text(raw[len(raw) - size :]) + "'"
    if name in ("LONG1", "LONG4"):
        payload = raw[2 if name == "LONG1" else 5 :]
        return str(argument) if len(payload) <= 8 else f"{len(payload)} bytes, little-endian: " + as_text(payload)
    return "" if argument is None else str(argument)


def expected_opcodes(raw):
    """Offset, name and argument of each opcode that pickletools reads, up to the first that it refuses."""
    memo, rows, read = set(), [], []
    try:
        for row in pickletools.genops(raw):
            read.append(row)
    except (ValueError, struct.error):
        pass
    for k, (opcode, argument, at) in enumerate(read):
        end = read[k + 1][2] if k + 1 < len(read) else None
        rows.append((at, opcode.name, expected_argument(opcode.name, argument, raw[at:end], memo) if end else None))
    return rows


def test_opcodes_are_those_of_pickletools(alone):
    compared = 0
    for path, text in show_all(corpus_files("pickle", ".pkl"), alone):
        raw = path.read_bytes()
        got = [(int(at), name, argument or "") for at, name, argument in OPCODE.findall(text)]
        expected = expected_opcodes(raw)[:SHOWN_OPCODES]
        # A text that pickletools refuses, such as invalid UTF-8 or an escape, ends its list; show goes on.
        assert len(got) >= len(expected), (path.name, got[-1:], expected[-1:])
        for (at, name, argument), row in zip(got, expected):
            assert (at, name) == row[:2], path.name
            if row[2] is not None:
                assert argument.startswith(row[2].rstrip()), (path.name, at, name, argument, row[2])
                compared += 1
    assert compared > 3000


def test_globals_are_named(tmp_path, alone):
    """Names on the stack and in the memo; protocol 4 has them as texts."""
    for protocol in range(6):
        path = tmp_path / f"p{protocol}.pkl"
        path.write_bytes(pickle.dumps([numpy.arange(3), os.system, os.system], protocol))
        text = show(path, alone)
        listed = text[text.index("globals that") :]
        assert "posix system\n" in listed and "numpy dtype\n" in listed
        assert listed.count("posix system\n") == 1
        assert "dtype <i8, 8 bytes per item" in listed and "shape (3,)" in listed


def test_nothing_is_executed(tmp_path, alone):
    class Evil:
        def __reduce__(self):
            return os.system, (f"touch {tmp_path}/ran",)

    path = tmp_path / "evil.pkl"
    path.write_bytes(pickle.dumps(Evil()))
    assert "posix system" in show(path, alone)
    assert not (tmp_path / "ran").exists()


def test_long_lists_are_cut(tmp_path, alone):
    path = tmp_path / "long.pkl"
    path.write_bytes(pickle.dumps(list(range(1000)), 2))
    text = show(path, alone)
    count = sum(1 for _ in pickletools.genops(path.read_bytes()))
    assert len(OPCODE.findall(text)) == SHOWN_OPCODES
    assert f"and {count - SHOWN_OPCODES} more opcodes" in text and f"{count} opcodes" in text


# NPZ archives.

MEMBER = re.compile(
    r"^ +member (\d+) '(.*)': \S+ \((\d+)\), (\d+) bytes in (\d+), CRC ([0-9a-f]{8}), header at byte (\d+)", re.MULTILINE
)


def test_members_are_those_of_zipfile(alone):
    compared = 0
    for path, text in show_all(corpus_files("npz", ".npz"), alone):
        try:
            with zipfile.ZipFile(path) as archive:
                members = archive.infolist()
        except (zipfile.BadZipFile, NotImplementedError, ValueError):
            assert path.parent.name != "accept", path.name
            continue
        got = MEMBER.findall(text)
        if len(got) != len(members):  # zipfile corrects the offsets of archives with bytes before them
            assert path.parent.name != "accept", path.name
            continue
        for row, member in zip(got, members):
            name = member.orig_filename.encode("utf-8" if member.flag_bits & 0x800 else "cp437", "surrogateescape")
            numbers = (member.compress_type, member.file_size, member.compress_size)
            assert row[1] == as_text(name, 200), path.name
            assert tuple(map(int, row[2:5])) == numbers and int(row[5], 16) == member.CRC, path.name
            assert int(row[6]) == member.header_offset or path.parent.name != "accept", path.name
            compared += 1
    assert compared > 20


def test_duplicates_and_cut_archives(tmp_path, alone):
    path = tmp_path / "twice.npz"
    with zipfile.ZipFile(path, "w") as archive:
        for value in (1, 2):
            stream = io.BytesIO()
            numpy.save(stream, numpy.full(3, value))
            if value == 1:
                archive.writestr("a.npy", stream.getvalue())
            else:
                with pytest.warns(UserWarning):
                    archive.writestr("a.npy", stream.getvalue())
    text = show(path, alone)
    assert "member 1 'a.npy'" in text and "duplicate number 1 of this name" in text
    cut = tmp_path / "cut.npz"
    cut.write_bytes(path.read_bytes()[:400])
    text = show(cut, alone)
    assert "no directory: 2 local headers" in text and "24 bytes expected, 24 bytes present" in text
    assert "must refuse the bytes" in text


# NPY files.


def test_headers_are_those_of_numpy(alone):
    compared = 0
    readers = {(1, 0): numpy.lib.format.read_array_header_1_0, (2, 0): numpy.lib.format.read_array_header_2_0}
    for path, text in show_all(corpus_files("npy", ".npy"), alone):
        raw = path.read_bytes()
        stream = io.BytesIO(raw)
        try:
            version = numpy.lib.format.read_magic(stream)
            shape, is_fortran, dtype = readers[version](stream)
        except (KeyError, TypeError, ValueError, SyntaxError, tokenize.TokenError):
            continue
        assert f"version        {version[0]}.{version[1]}" in text, path.name
        data = re.search(r"byte (\d+) +data +(?:(\d+) bytes expected, )?(\d+) bytes present", text)
        assert data, path.name
        assert (int(data[1]), int(data[3])) == (stream.tell(), len(raw) - stream.tell()), path.name
        if data[2] and dtype.subdtype is None:
            count = 1
            for extent in shape:
                count *= extent
            assert int(data[2]) == count * dtype.itemsize, path.name
            assert f"{dtype.itemsize} bytes per item" in text, path.name
            compared += 1
        for key, value in (("fortran_order", is_fortran), ("shape", shape)):
            place = re.search(rf"byte (\d+) +{key} +(.*)", text)
            if place and path.parent.name == "accept" and "\\x" not in place[2] and "#" not in place[2]:
                assert raw[int(place[1]) :].startswith(place[2][:1].encode()), path.name
                assert ast.literal_eval(place[2]) == value, path.name
    assert compared > 30


def test_fields_have_offsets_titles_and_padding(tmp_path, alone):
    dtype = numpy.dtype([(("a title", "a"), "<i1"), ("b", ">f8", (2, 3)), ("c", [("x", "<U2")])], align=True)
    path = tmp_path / "fields.npy"
    numpy.save(path, numpy.zeros(2, dtype))
    text = show(path, alone)
    for name in dtype.names:
        field, offset = dtype.fields[name][:2]
        assert re.search(rf"^ +{offset} +{field.itemsize} +\S.* name '{name}'", text, re.MULTILINE), name
    assert ">f8 (2, 3) name 'b'" in text and "name 'a' title 'a title'" in text
    assert re.search(r"^ +1 +7 +padding$", text, re.MULTILINE)
    assert re.search(r"^ +0 +8 +<U2 name 'x'", text, re.MULTILINE)


@pytest.mark.parametrize("size, line", [
    (3, "error at byte 3 (input ends too early)"),
    (60, "error at byte 60 (input ends too early)"),
    (200, "24 bytes are missing"),
])  # fmt: skip
def test_broken_headers_are_read_as_far_as_possible(tmp_path, alone, size, line):
    path = tmp_path / "cut.npy"
    path.write_bytes((CORPUS / "npy/accept/f8_c.npy").read_bytes()[:size])
    text = show(path, alone)
    assert line in text and "must refuse the bytes" in text
    if size > 30:
        assert "{'descr': '<f8'" in text


# Joblib dumps.


def test_wrappers_have_padding_and_bytes(tmp_path, alone):
    """Dumps of the environment under test, which has joblib."""
    python = ROOT / "build/env/current/bin/python"
    if not python.exists():
        pytest.skip("the environment is not set up")
    script = f"""
import joblib, numpy
array = numpy.arange(100, dtype=">i4")
joblib.dump({{"a": array, "o": numpy.array([None, 1], dtype=object)}}, {str(tmp_path / "array.joblib")!r})
joblib.dump(array, {str(tmp_path / "packed.joblib")!r}, compress=("zlib", 3))
"""
    subprocess.run([python, "-c", script], check=True)
    array, packed = tmp_path / "array.joblib", tmp_path / "packed.joblib"
    text, raw = show(array, alone), array.read_bytes()
    place = re.search(r"(\d+) bytes of padding with their length, 400 bytes of elements at byte (\d+)", text)
    assert place and raw[int(place[2]) :][:400] == numpy.arange(100, dtype=">i4").tobytes()
    assert int(place[2]) % 16 == 0 and "a nested pickle of its objects" in text
    text = show(packed, alone)
    assert f"compressed by zlib: {packed.stat().st_size} bytes, decompressed" in text
    assert "400 bytes of elements" in text


@pytest.mark.parametrize("name", ["npy/refuse", "pickle/refuse"])
def test_refused_files_must_be_refused(alone, name):
    for path, text in show_all(sorted((CORPUS / name).iterdir()), alone):
        assert "must refuse the bytes" in text and "must return" not in text, path.name


def test_values_of_every_kind_are_drawn(tmp_path, alone):
    """Each has its drawing; a decode case shows the bytes that its fault leaves."""
    array = {"array": {"base": {"dtype": "<f8", "shape": [3]}}}
    rows = {
        "array": ({"value": array}, "memory   24 bytes"),
        "graph": ({"value": {"graph": {"nodes": [{"list": [0]}]}}}, "*  0 list  items -> 0"),
        "fault": ({"value": array, "fault": {"name": "cut", "argument": 3}, "route": {"format": "npy"}}, "4 bytes are missing"),
        "file": ({"file": "npy/accept/f8_c.npy", "route": {"format": "npy"}}, "96 bytes expected, 96 bytes present"),
    }
    for name, (descriptor, _) in rows.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(descriptor))
    for path, text in show_all([tmp_path / f"{name}.json" for name in rows], alone):
        assert rows[path.stem][1] in text, text


# Shrinking of crash inputs.

DEADLY = """
import os, signal, sys
sys.path.insert(0, {folder!r})
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
from numpy_testee import formats, interpreter

def deadly(code):
    def decode(encoded, *rest):
        if b"\\x93NUMPY" == encoded.read()[:6] and b"!?" in encoded.read():
            os.kill(os.getpid(), signal.SIGILL)
        return code(encoded, *rest)
    return decode

npy = formats.DECODERS["npy"]
npy["memory"] = deadly(npy["memory"])
interpreter.serve(3, 4)
"""


@pytest.fixture
def deadly(tmp_path, monkeypatch):
    """A configuration with a testee that dies of NPY bytes with a pattern."""
    monkeypatch.setenv("NDPROOF_VISIBLE", str(ROOT / "harness/testees/python"))
    testee, config = tmp_path / "deadly.py", tmp_path / "config.json"
    testee.write_text(DEADLY.format(folder=str(ROOT / "harness/testees/python")))
    config.write_text(json.dumps({"environments": {"deadly": {"command": [sys.executable, str(testee)]}}}))
    return config


def test_shrink_of_bytes_that_kill_a_testee(tmp_path, deadly):
    """Only magic and pattern remain; the other bytes are not needed for the crash."""
    raw = bytearray((CORPUS / "npy/accept/f8_c.npy").read_bytes())
    raw[160:162] = b"!?"
    path = tmp_path / "crash.npy"
    path.write_bytes(raw)
    done = ndproof("shrink", "--config", deadly, path, code=DIVERGES)
    small = json.loads(done.stdout)
    assert small["bytes"] == b"\x93NUMPY!?".hex() and small["route"]["format"] == "npy"
    assert f"{len(raw)} bytes before, 8 bytes after" in done.stderr and "CRASH|-|npy|process" in done.stderr
    assert (tmp_path / "minimized-from-crash.npy").read_bytes() == b"\x93NUMPY!?"
    again = tmp_path / "again.json"
    again.write_text(done.stdout)
    assert json.loads(ndproof("shrink", "--config", deadly, again, code=DIVERGES).stdout) == small
    ndproof("replay", "--config", deadly, again, code=DIVERGES)


def test_shrink_of_a_harmless_file(tmp_path, deadly):
    path = tmp_path / "good.npy"
    path.write_bytes((CORPUS / "npy/accept/f8_c.npy").read_bytes())
    done = ndproof("shrink", "--config", deadly, path)
    assert done.stdout == "" and "nothing to minimise" in done.stderr
    assert sorted(tmp_path.glob("minimized-from-*")) == []


FUZZ_TARGET = """#!/bin/sh
grep -q {mark} "$1" || exit 0
{action}
"""
BROKEN = 'echo "Assertion failure: {0}" >&2; echo "DEDUP_TOKEN: {0}" >&2; kill -6 $$'


@pytest.fixture
def beside_fuzz_targets(tmp_path):
    """A copy of ndproof beside fuzz targets that the test defines."""
    folder = tmp_path / "build/cc-plain"
    (folder / "fuzzers").mkdir(parents=True)
    shutil.copy(NDPROOF, folder / "ndproof")

    def run(*words, code):
        done = subprocess.run(
            [folder / "ndproof", *map(str, words), "--in-process"], capture_output=True, text=True, timeout=PATIENCE_S, check=False
        )
        assert done.returncode == code, (done.stdout, done.stderr)
        return done

    def add(name, mark, action):
        program = folder / "fuzzers" / f"fuzz_{name}"
        program.write_text(FUZZ_TARGET.format(mark=mark, action=action))
        program.chmod(0o755)

    run.add, run.program = add, folder / "ndproof"
    return run


@pytest.mark.parametrize(
    "action, signature",
    [
        (BROKEN.format("DIVERGES|fuzz_frame|it holds"), "DIVERGES|fuzz_frame|it holds"),
        ("kill -11 $$", "CRASH|fuzz_frame|signal 11|"),
    ],
)
def test_shrink_of_an_artifact_that_only_a_fuzz_target_reproduces(beside_fuzz_targets, tmp_path, action, signature):
    beside_fuzz_targets.add("frame", "BAD", action)
    path = tmp_path / "fuzz_frame-crash-0a"
    path.write_bytes(bytes(range(1, 40)) * 20 + b"BAD" + bytes(range(7, 50)) * 9)
    done = beside_fuzz_targets("shrink", path, code=DIVERGES)
    small = json.loads(done.stdout)
    assert (small["bytes"], small["route"]["format"]) == (b"BAD".hex(), "frame")
    assert f"; {signature}\n1170 bytes before, 3 bytes after" in done.stderr
    result = tmp_path / "minimized-from-fuzz_frame-crash-0a"
    assert result.read_bytes() == b"BAD"
    # The result is an artifact of the same fuzz target.
    assert f"fuzz_frame reports: {signature}" in beside_fuzz_targets("replay", result, code=DIVERGES).stdout


def test_shrink_keeps_the_same_failure(beside_fuzz_targets, tmp_path):
    """Smaller bytes with another failure are not taken."""
    other = BROKEN.format("DIVERGES|fuzz_frame|another")
    beside_fuzz_targets.add("frame", "A", f"grep -q AB \"$1\" || {{ {other}; }}\n{BROKEN.format('DIVERGES|fuzz_frame|one')}")
    path = tmp_path / "fuzz_frame-crash-0a"
    path.write_bytes(b"A..A..AB..A")
    done = beside_fuzz_targets("shrink", path, code=DIVERGES)
    assert json.loads(done.stdout)["bytes"] == b"AB".hex()


def test_shrink_of_an_artifact_that_passes(beside_fuzz_targets, tmp_path):
    beside_fuzz_targets.add("frame", "BAD", "kill -11 $$")
    path = tmp_path / "fuzz_frame-crash-0a"
    path.write_bytes(b"good")
    assert "nothing to minimise" in beside_fuzz_targets("shrink", path, code=CLEAN).stderr
    path = tmp_path / "fuzz_absent-crash-0a"
    path.write_bytes(b"\0")
    shutil.rmtree(tmp_path / "build/cc-plain/fuzzers")
    assert "make all" in beside_fuzz_targets("shrink", path, code=FAULT).stderr


def test_a_signal_ends_shrinking_with_the_smallest_bytes_so_far(beside_fuzz_targets, tmp_path):
    log = tmp_path / "log"
    beside_fuzz_targets.add("frame", "BAD", f"echo run >> {log}; sleep 0.1; kill -11 $$")
    path = tmp_path / "fuzz_frame-crash-0a"
    path.write_bytes(b"BAD" * 1000)
    words = [beside_fuzz_targets.program, "shrink", path, "--in-process"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        end = time.monotonic() + PATIENCE_S
        while not (log.exists() and log.read_text().count("run") > 5):
            assert time.monotonic() < end
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == DIVERGES, err
    small = bytes.fromhex(json.loads(out)["bytes"])
    assert 3 <= len(small) < 3000 and b"BAD" in small
    assert (tmp_path / "minimized-from-fuzz_frame-crash-0a").read_bytes() == small
