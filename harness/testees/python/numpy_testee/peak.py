"""Peak memory of a step, measured with tracemalloc, which sees Python's and NumPy's allocators."""

import tracemalloc


def measured(run):
    """Wraps a step, and sets `case.peak` to the peak of its memory relative to the start."""

    def run_measured(step, case):
        tracemalloc.start()
        try:
            run(step, case)
            case.peak = tracemalloc.get_traced_memory()[1]
        except MemoryError:
            # NumPy reports memory before it is allocated; a failed request took nothing.
            case.peak = 0
            raise
        except Exception:
            case.peak = tracemalloc.get_traced_memory()[1]
            raise
        finally:
            tracemalloc.stop()

    return run_measured


def compile_steps(steps):
    """Wraps every step that a `size` step follows."""
    for step, after in zip(steps, steps[1:]):
        if after.op == "size":
            step.run = measured(step.run)
    return steps


def file_peak(step, case):
    # An integer that a double cannot represent is sent as text.
    form = '"peak":%d' if case.peak < 2**53 else '"peak":"%d"'
    case.record(step.target, form % case.peak)
