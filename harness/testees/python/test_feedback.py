"""Which lines feedback counts: in the cheap mode what is rare, in every case, each line for itself."""

import pytest

from numpy_testee import feedback

STOP = object()


def code_of(name):
    return compile("pass", "/somewhere/%s.py" % name, "exec")


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


def test_the_cheap_mode_ends_with_what_is_no_news():
    counters = bytearray(64)
    on_line = feedback.cheap(counters, len(counters), STOP)
    line = (code_of("a"), 7)
    ended = []
    for number in range(feedback._OFTEN + 1):
        feedback.heed("input", b"%d" % number)
        ended.append(STOP in run_case(counters, on_line, [line, line])[0])
    assert ended == [False] * feedback._OFTEN + [True]


def test_an_input_that_is_run_again_counts_the_same():
    """An engine would call it unstable. It may be a few messages, and the line come in any of them."""
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
    # One more than there is room for shares one.
    assert run_case(counters, on_line, [(code_of("e"), 1)])[1] == [1]


def test_what_every_message_needs_is_silent():
    counters = bytearray(64)
    own = compile("pass", feedback.__file__, "exec")
    for mode in (feedback.exact, feedback.cheap):
        assert run_case(counters, mode(counters, len(counters), STOP), [(own, 1)]) == ([STOP], [])
