"""The lines that feedback counts: in the cheap mode rare ones, in every case, each with a counter of its own."""

import os
import subprocess
import sys

import pytest

from numpy_testee import feedback

HERE = os.path.dirname(os.path.abspath(__file__))

STOP = object()


def code_of(name, path="/somewhere/%s.py"):
    """The code of a function in a file of that name."""
    whole = compile("def function(): pass", path.replace("%s", name), "exec")
    return next(part for part in whole.co_consts if hasattr(part, "co_code"))


def run_case(counters, on_line, lines):
    counters[:] = bytes(len(counters))
    answers = [on_line(code, line) for code, line in lines]
    return answers, [count for count in counters if count]


@pytest.mark.parametrize("mode, counted", [(feedback.exact, [2]), (feedback.cheap, [1])])
def test_a_line_counts_in_every_case(mode, counted):
    counters = bytearray(64)
    on_line = mode(counters, len(counters), STOP)
    line = (code_of("a"), 7)
    for _ in range(20):
        assert run_case(counters, on_line, [line, line]) == ([None, None], counted)


def cases_counted(ran_one_in, cases):
    """The number of cases in which a line is counted that runs in one of every `ran_one_in`, beginning with the first.
    """
    counters = bytearray(64)
    on_line = feedback.cheap(counters, len(counters), STOP)
    line = (code_of("a"), 7)
    counted = []
    for number in range(cases):
        feedback.heed("input", b"%d" % number)
        if number % ran_one_in == 0:
            answers, counts = run_case(counters, on_line, [line, line])
            assert answers == ([None, None] if counts else [STOP, STOP])
            counted.append(counts == [1])
    # A line that is no longer counted stays uncounted.
    assert counted == sorted(counted, reverse=True)
    return sum(counted)


@pytest.mark.parametrize("ran_one_in", [1, feedback._COMMON_ONE_IN])
def test_the_cheap_mode_ends_with_what_many_cases_do(ran_one_in):
    assert cases_counted(ran_one_in, 64 * ran_one_in) == feedback._FEW


def test_the_cheap_mode_goes_on_with_what_is_rare():
    rare = feedback._COMMON_ONE_IN + 1
    assert cases_counted(rare, feedback._OFTEN * rare) == feedback._OFTEN
    assert cases_counted(rare, 2 * feedback._OFTEN * rare) == feedback._OFTEN


def test_an_input_that_is_run_again_counts_the_same():
    """An engine would call such an input unstable. It may be several messages, with the line in any of them."""
    counters = bytearray(64)
    on_line = feedback.cheap(counters, len(counters), STOP)
    line = (code_of("a"), 7)
    for number in range(feedback._OFTEN + 2):
        runs = []
        for _ in range(8):
            feedback.heed("first of input", b"%d" % number)
            feedback.heed("second of input", b"%d" % number)
            runs.append(run_case(counters, on_line, [line, line])[1])
        assert runs == [[1] if number < feedback._OFTEN else []] * 8


def test_the_exact_mode_never_ends():
    counters = bytearray(64)
    on_line = feedback.exact(counters, len(counters), STOP)
    line = (code_of("a"), 7)
    assert all(run_case(counters, on_line, [line])[0] == [None] for _ in range(2 * feedback._OFTEN))


def test_lines_share_no_counter_while_there_are_free_ones():
    counters = bytearray(64)
    on_line = feedback.cheap(counters, len(counters), STOP)
    lines = [(code_of("abcd"[number % 4]), number) for number in range(64)]
    for count in (1, 32, 64):
        assert run_case(counters, on_line, lines[:count])[1] == [1] * count
    # With one line more than counters, one counter is shared.
    assert run_case(counters, on_line, [(code_of("e"), 1)])[1] == [1]


def test_what_every_message_needs_is_silent():
    counters = bytearray(64)
    own = code_of("own", feedback.__file__)
    for mode in (feedback.exact, feedback.cheap):
        assert run_case(counters, mode(counters, len(counters), STOP), [(own, 1)]) == ([STOP], [])


@pytest.mark.parametrize("mode", [feedback.exact, feedback.cheap])
def test_code_of_no_file_is_silent_and_not_held(mode):
    """The functions of a graph have names from the descriptor: each name would be a new line."""
    counters = bytearray(64)
    on_line = mode(counters, len(counters), STOP)
    for path in ("<ndproof>", "<string>", "<frozen os>", "", "relative.py"):
        code = code_of("function", path)
        before = sys.getrefcount(code)
        assert run_case(counters, on_line, [(code, 1), (code, 2)]) == ([STOP, STOP], [])
        assert sys.getrefcount(code) == before
    assert run_case(counters, on_line, [(code_of("a"), 1)]) == ([None], [1])


@pytest.mark.parametrize("mode", [feedback.exact, feedback.cheap])
def test_what_an_import_runs_is_not_counted(mode):
    """It runs once per process: one input would reach thousands of lines, and none of them the next time."""
    counters = bytearray(64)
    on_line = mode(counters, len(counters), STOP)
    on_start, on_return, on_unwind = feedback.imports(STOP)
    module, line = compile("pass", "/somewhere/module.py", "exec"), (code_of("a"), 7)
    assert run_case(counters, on_line, [(module, 1)]) == ([STOP], [])
    assert on_start(line[0], 0) is STOP and on_return(line[0], 0, None) is STOP
    assert on_start(module, 0) is None and on_start(module, 0) is None
    on_unwind(line[0], 0, None)
    assert run_case(counters, on_line, [line]) == ([None], [])
    on_unwind(module, 0, ImportError())
    assert run_case(counters, on_line, [line]) == ([None], [])
    assert on_return(module, 0, None) is None
    assert run_case(counters, on_line, [line]) == ([None], [1])


# Code that imports a module counts the same when the module is already imported, and when it is broken.
CASES = """
import mmap, os, sys
sys.path[:0] = [%r, %r]
region = os.memfd_create("counters")
os.ftruncate(region, 4096)
os.environ["NDPROOF_COUNTERS"] = "%%d 4096 %%s" %% (region, sys.argv[1])
counters = mmap.mmap(region, 4096)
import case
from numpy_testee import feedback
assert feedback.start()
counted = []
for number in range(3):
    counters[:] = bytes(4096)
    feedback.heed("case", bytes([number]))
    case.run()
    counted.append(counters[:])
assert any(counted[0]) and counted == counted[:1] * 3
"""


@pytest.mark.skipif(not hasattr(sys, "monitoring"), reason="no sys.monitoring before Python 3.12")
@pytest.mark.parametrize("mode", ["exact", "cheap"])
def test_an_input_counts_the_same_whatever_was_imported_before(mode, tmp_path):
    functions = "def work(number):\n    return number + 1\n\n\nclass Made:\n    value = work(1)\n"
    for name, text in [
        ("whole", functions),
        ("broken", functions + "raise ImportError\n"),
        ("case", "def run():\n    import whole\n    try:\n        import broken\n    except ImportError:\n        return\n"),
    ]:
        (tmp_path / (name + ".py")).write_text(text)
    subprocess.run([sys.executable, "-B", "-c", CASES % (HERE, str(tmp_path)), mode], check=True)
