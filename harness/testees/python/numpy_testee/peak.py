"""Peak memory of one step, as Python's and NumPy's own allocators tell it (tracemalloc sees both)."""

import tracemalloc


def measured(run):
    """The same step, which leaves in `case.peak` how many bytes it held at most beyond what was there before."""

    def run_measured(step, case):
        tracemalloc.start()
        try:
            run(step, case)
            case.peak = tracemalloc.get_traced_memory()[1]
        except MemoryError:
            # NumPy tells of memory before it has it: what was asked for and not given took nothing.
            case.peak = 0
            raise
        except Exception:
            case.peak = tracemalloc.get_traced_memory()[1]
            raise
        finally:
            tracemalloc.stop()

    return run_measured


def compile_steps(steps):
    """Has every step measured that a `size` step follows."""
    for step, after in zip(steps, steps[1:]):
        if after.op == "size":
            step.run = measured(step.run)
    return steps


def file_peak(step, case):
    # A number beyond what a double holds travels as text.
    form = '"peak":%d' if case.peak < 2**53 else '"peak":"%d"'
    case.record(step.target, form % case.peak)
