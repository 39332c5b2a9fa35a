"""Runs `build/ndproof replay` on inputs of every kind: verdicts, exit codes, and the table against the real NumPy."""

import io
import json
import pathlib
import re
import subprocess
import sys
import warnings
import zipfile

import numpy
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
NDPROOF = ROOT / "build/ndproof"
CLEAN, DIVERGES, USAGE, FAULT, UNSUPPORTED = 0, 1, 2, 3, 5
HERE = ["--python", sys.executable]
QUICK = ["--target", "reference", "--in-process"]
ENTRIES = {"memory": None, "file": None, "mmap:r": "r", "mmap:r+": "r+", "mmap:c": "c"}


def replay(*words, code, stdin=None):
    done = subprocess.run([NDPROOF, "replay", *map(str, words)], input=stdin, capture_output=True, text=True, timeout=300)
    assert done.returncode == code, (done.returncode, done.stdout[-3000:], done.stderr[-2000:])
    return done


def verdicts(done):
    words = [line.split()[0] for line in done.stdout.splitlines() if line[:1].isupper()]
    return [word for word in words if word != "NOT"]


def rows(done):
    """The rows of the tables, as lists of cells."""
    found = []
    for line in done.stdout.splitlines():
        cells = re.split(r"  +", line.strip())
        if len(cells) == 5 and cells[0] != "library":
            found.append(cells)
    return found


def npy(array):
    out = io.BytesIO()
    numpy.save(out, array)
    return out.getvalue()


ARRAY = numpy.arange(12, dtype=">f8").reshape(3, 4)
GOOD = npy(ARRAY)
VALUE = {"array": {"base": {"dtype": "<i4", "shape": [2, 3], "data": {"pattern": "index"}}}}
MEMORY = {"format": "npy", "encode": "memory", "decode": "memory"}
HOLDING = {"ndproof": 1, "value": VALUE, "route": MEMORY}
# The reference refuses bytes of this format, which must be accepted.
DIVERGING = {"ndproof": 1, "bytes": GOOD[:-5].hex(), "route": {"format": "npy", "decode": "memory"}, "expect": "accept"}
NOWHERE = dict(HOLDING, route={"format": "nothing"})
SIGNATURE = "DIVERGES|values|npy|values|reference|npy:memory>memory|i|<|C|2"


def write(path, content):
    path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    return path


# Files in no known format, damaged files, good files.


@pytest.mark.parametrize(
    "name, content",
    [("notes.txt", b"Some words.\n"), ("empty", b""), ("archive.zip", b"PK broken"), ("a.dat", b"\xff" * 9), ("x", b"x marks it\n"), ("README.md", b"# Title\n")],
)
def test_a_file_in_no_known_format_is_a_usage_error(tmp_path, name, content):
    path = write(tmp_path / name, content)
    done = replay(*QUICK, path, code=USAGE)
    assert done.stdout == "" and str(path) in done.stderr and "unknown format" in done.stderr


def archive():
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        file.writestr("a.npy", GOOD)
    return out.getvalue()


@pytest.mark.parametrize(
    "name, content, is_accepted",
    [
        ("good.npy", GOOD, True),
        ("good", GOOD, True),
        ("good.npz", archive(), True),
        ("cut.npy", GOOD[:-5], False),
        ("cut.npy", b"\x93NUM", False),
        ("empty.npy", b"", False),
        ("cut.npz", archive()[:-30], False),
        ("text.npz", b"Some words.", False),
    ],
)
def test_a_native_file_holds_whether_good_or_damaged(tmp_path, name, content, is_accepted):
    """Nothing reports it as broken, and the reference accepts or refuses it as it must."""
    done = replay(*QUICK, write(tmp_path / name, content), code=CLEAN)
    assert verdicts(done) == ["HOLDS"]
    assert rows(done) and {row[2] for row in rows(done)} == {"accepted" if is_accepted else "refused"}
    assert {row[4] for row in rows(done)} == {"as specified"}


def test_a_file_of_no_readable_value_is_unsupported(tmp_path):
    """The reference does not read object arrays, and no other target takes part: nothing is compared."""
    done = replay(*QUICK, write(tmp_path / "object.npy", npy(numpy.array([None], object))), code=UNSUPPORTED)
    assert verdicts(done) == ["UNSUPPORTED"] and {row[2] for row in rows(done)} == {"unsupported"}
    assert {row[4] for row in rows(done)} == {"not comparable"} and "nothing was compared" in done.stdout


# Records.


def test_only_a_recorded_defect_is_fixed(tmp_path):
    finding = {"signature": SIGNATURE, "descriptor": HOLDING}
    report = {"findings": [dict(finding, severity="defect"), dict(finding, severity="documented-loss")]}
    cases = {"case.json": HOLDING, "finding.json": finding, "report.json": report}
    for name, content in cases.items():
        write(tmp_path / name, content)
    assert verdicts(replay(*QUICK, tmp_path / "case.json", code=CLEAN)) == ["HOLDS"]
    assert verdicts(replay(*QUICK, tmp_path / "finding.json", code=CLEAN)) == ["FIXED"]
    assert verdicts(replay(*QUICK, tmp_path / "report.json", code=CLEAN)) == ["FIXED", "HOLDS"]


def test_a_corpus_descriptor_that_is_accepted_holds(tmp_path):
    case = {"ndproof": 1, "bytes": GOOD.hex(), "route": {"format": "npy"}, "expect": "accept"}
    assert verdicts(replay(*QUICK, write(tmp_path / "case.json", case), code=CLEAN)) == ["HOLDS"]
    assert verdicts(replay(*QUICK, ROOT / "corpus/npy/accept/f8_c.npy", ROOT / "corpus/value/fortran_big.json", code=CLEAN)) == ["HOLDS"] * 2


def test_a_finding_is_not_fixed_without_the_comparison_that_shows_it(tmp_path):
    """The case compares values only, and the finding is one of the property class."""
    signature = SIGNATURE.replace("|values|", "|class|", 1)
    finding = {"signature": signature, "descriptor": dict(HOLDING, properties=["values"])}
    done = replay(*QUICK, write(tmp_path / "finding.json", finding), code=UNSUPPORTED)
    assert verdicts(done) == ["UNSUPPORTED"] and "nothing was compared that can show the finding" in done.stdout


def documented(path, words):
    """The evidence of a documented loss, and its verdict."""
    done = replay(*words, path, code=CLEAN)
    evidence = done.stdout[done.stdout.index("  strictness broken") :].splitlines()
    return [line for line in evidence if line[:1] == " "], verdicts(done)


def test_a_documented_loss_is_the_same_in_a_file_and_in_a_report(tmp_path):
    """numpy.load(mmap_mode="r+") extends a file that is too short, as numpy.memmap documents."""
    words = [*HERE, "--target", "numpy"]
    case = {"ndproof": 1, "bytes": GOOD[:-5].hex(), "route": {"format": "npy", "decode": "mmap:r+", "decoder": "numpy"}, "properties": ["strictness"]}
    signature = "DIVERGES|strictness|npy|accepted|numpy"
    finding = {"signature": signature, "severity": "documented-loss", "descriptor": case}
    write(tmp_path / "case.json", case)
    write(tmp_path / "report.json", {"findings": [finding]})
    write(tmp_path / "finding.json", {"signature": signature, "descriptor": case})
    found = [documented(tmp_path / name, words) for name in ("case.json", "report.json", "finding.json")]
    assert found[0][1] == ["HOLDS"] and found[1] == found[0] and found[2] == found[0]
    assert "promise: truncation is lost, as documented" in "\n".join(found[0][0])
    assert any(line.startswith("  documented: ") for line in found[0][0])


# Several files.


@pytest.mark.parametrize(
    "cases, expected, code",
    [
        ([HOLDING, NOWHERE], ["HOLDS", "UNSUPPORTED"], UNSUPPORTED),
        ([NOWHERE, DIVERGING, HOLDING], ["UNSUPPORTED", "DIVERGES", "HOLDS"], DIVERGES),
        ([DIVERGING], ["DIVERGES"], DIVERGES),
        ([HOLDING, HOLDING], ["HOLDS", "HOLDS"], CLEAN),
    ],
)
def test_the_worst_of_several_files_counts(tmp_path, cases, expected, code):
    paths = [write(tmp_path / ("%d.json" % number), case) for number, case in enumerate(cases)]
    assert verdicts(replay(*QUICK, *paths, code=code)) == expected


def test_an_error_counts_most(tmp_path):
    lost = write(tmp_path / "fuzz_absent-crash-0a", b"")
    case = write(tmp_path / "case.json", DIVERGING)
    assert verdicts(replay(*QUICK, lost, case, code=FAULT)) == ["ERROR", "DIVERGES"]


def test_a_bad_file_stops_before_anything_runs(tmp_path):
    good, bad = write(tmp_path / "good.npy", GOOD), write(tmp_path / "bad.txt", b"words")
    assert replay(*QUICK, good, bad, code=USAGE).stdout == ""


def test_a_case_that_the_testee_does_not_support(tmp_path):
    value = {"graph": {"nodes": [{"array": {"base": {"dtype": "<f8", "shape": [3]}, "class": {"name": "cudf.pandas"}}}]}}
    case = {"ndproof": 1, "value": value, "route": {"format": "pickle", "protocol": 4, "encode": "c", "decode": "c"}}
    done = replay(*HERE, "--target", "numpy", write(tmp_path / "case.json", case), code=UNSUPPORTED)
    assert verdicts(done) == ["UNSUPPORTED"] and "numpy has no cudf" in done.stdout


# The table against NumPy.


def outcome_of_numpy(path, mode):
    """The cells of a row: result, and value or error."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            array = numpy.load(path, mmap_mode=mode)
    except Exception as error:
        return "refused", "%s: %s" % (type(error).__name__, error)
    order = "C" if array.flags.c_contiguous else "F"
    dtype = array.dtype.str
    if array.dtype.names:
        dtype = "{%s}" % ", ".join("%s: %s" % (name, array.dtype[name].str) for name in array.dtype.names)
    kind = "" if type(array) is numpy.ndarray else ", " + type(array).__name__
    return "accepted", "%s %s %s%s" % (array.shape, dtype, order, kind)


@pytest.mark.parametrize(
    "content",
    [
        GOOD,
        npy(numpy.asfortranarray(ARRAY)),
        npy(numpy.zeros(3, [("a", ">i2"), ("b", "<f8")])),
        npy(numpy.array(5, "<M8[ms]")),
        npy(numpy.zeros((0, 2), "<c8")),
        GOOD[:-5],
        GOOD[:40],
        GOOD.replace(b">f8", b">q9"),
        b"\x93NUMPY\x09\x00" + GOOD[8:],
    ],
    ids=("C", "F", "structure", "scalar", "empty", "cut data", "cut header", "descr", "version"),
)
def test_every_row_is_what_numpy_does(tmp_path, content):
    path = write(tmp_path / "file.npy", content)
    done = subprocess.run([NDPROOF, "replay", *HERE, "--target", "numpy", path], capture_output=True, text=True, timeout=300)
    found = {row[1]: row for row in rows(done)}
    assert list(found) == ["npy>" + entry for entry in ENTRIES], done.stdout
    for entry, mode in ENTRIES.items():
        path.write_bytes(content)  # mode r+ may extend it
        library, _, result, value, _ = found["npy>" + entry]
        expected = outcome_of_numpy(path, mode)
        assert library == "numpy " + numpy.__version__ and result == expected[0], (entry, found, expected)
        if entry == "memory" and result == "refused":
            continue  # NumPy's message for a file differs from that for a stream
        text = " ".join(expected[1].split()).replace(str(path), "")
        assert value[:40].rstrip(".") == text[: len(value[:40].rstrip("."))], (entry, value, expected)


def test_a_wrong_result_is_in_the_table(tmp_path):
    case = dict(DIVERGING, expect="accept")
    done = replay(*QUICK, write(tmp_path / "case.json", case), code=DIVERGES)
    assert rows(done)[0][4] == "refused, must be accepted" and "at byte" in rows(done)[0][3]
    case = {"ndproof": 1, "bytes": GOOD.hex(), "route": {"format": "npy"}, "expect": "refuse"}
    done = replay(*QUICK, write(tmp_path / "case.json", case), code=DIVERGES)
    assert {row[4] for row in rows(done)} == {"accepted, must be refused"} and len(rows(done)) == len(ENTRIES)
    assert done.stdout.count("property: ") == 1 and done.stdout.count("    also on npy>") == len(ENTRIES) - 1


def test_a_round_trip_over_several_routes_has_a_table(tmp_path):
    case = {"ndproof": 1, "value": VALUE, "route": {"format": "npy", "encode": "memory"}}
    done = replay(*HERE, write(tmp_path / "case.json", case), code=CLEAN)
    ends = {row[0] for row in rows(done)}
    mine = "numpy " + numpy.__version__
    assert mine in ends and any(one.startswith("reference ") and one.endswith(" to " + mine) for one in ends)
    assert {row[2] for row in rows(done)} == {"accepted"} and {row[4] for row in rows(done)} == {"as specified"}


# Snippets.

SNIPPETS = {
    "structure": "import numpy\nnumpy.array([(1, 2.5)], {'names': ['a', 'b'], 'formats': ['>i2', '<f8'], 'offsets': [1, 8], 'itemsize': 20})\n",
    "F view": "import numpy as np\na = np.arange(12, dtype='>f4').reshape(3, 4)\nb = a.T\n",
    "masked": "import numpy as np\nnp.ma.array([1, 2, 3], mask=[0, 1, 0])\n",
    "shared": "import numpy as np\na = np.arange(4)\n[a, {'k': a}, a[1:]]\n",
    "map": "import numpy as np, tempfile\na = np.memmap(tempfile.NamedTemporaryFile(), '<i2', 'w+', 16, (4, 3))\na[:] = 3\na[1:, ::2]\n",
}


@pytest.mark.parametrize("name", SNIPPETS)
def test_the_last_value_of_a_snippet_takes_every_route(tmp_path, name):
    path = write(tmp_path / "snippet.py", SNIPPETS[name].encode())
    done = replay(*HERE, "--target", "numpy", "--format", "pickle", path, code=CLEAN)
    assert verdicts(done) == ["HOLDS"] and len(rows(done)) > 0
    assert "as specified" in {row[4] for row in rows(done)}


@pytest.mark.parametrize(
    "text, code, word, reason",
    [
        ("def f(x):\n    return x\n", UNSUPPORTED, "UNSUPPORTED", "value: a builtins.function"),
        ("import numpy\n[1, {'a': numpy.float64(3)}]\n", UNSUPPORTED, "UNSUPPORTED", "value[1]['a']: a scalar of numpy.float64"),
        ("{1, 2}\n", UNSUPPORTED, "UNSUPPORTED", "value: an object of class builtins.set"),
        ("1 / 0\n", USAGE, None, "the snippet raised ZeroDivisionError"),
        ("import os\n", USAGE, None, "no expression"),
        ("a = = 3\n", USAGE, None, "invalid syntax"),
        ("import os\nos._exit(9)\n", FAULT, "ERROR", "exit code 9"),
    ],
)
def test_a_snippet_without_an_expressible_value(tmp_path, text, code, word, reason):
    path = write(tmp_path / "snippet.py", text.encode())
    done = replay(*HERE, path, code=code)
    assert verdicts(done) == ([word] if word else []) and reason in done.stdout + done.stderr


def test_a_snippet_that_prints(tmp_path):
    path = write(tmp_path / "snippet.py", b"import numpy\nprint('printed')\na = numpy.zeros(2)\nprint('again')\n")
    done = replay(*HERE, "--target", "numpy", "--format", "npy", path, code=CLEAN)
    assert verdicts(done) == ["HOLDS"] and "printed" in done.stderr and "printed" not in done.stdout
