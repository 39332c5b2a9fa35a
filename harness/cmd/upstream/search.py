"""The search for the releases at which a finding appears and disappears.

Problem. A release has a verdict: True if it shows the finding, False if not, None if it cannot be tried. A verdict costs
an installation, and a defect may come and go, so one binary search is not enough.

Method. `explore` first asks for samples, such as the last release of each minor series. Between two neighbours with
different verdicts it bisects until no untried release is left. If no sample shows the finding but some have a verdict,
it asks for all others, because a defect of few releases lies between two samples.

Cost. One verdict per sample, and for each change of the verdict the logarithm of the releases between its two samples.

Limits. A defect that appears and disappears between two samples with equal verdicts is missed if another sample shows
the finding. Releases without a verdict are passed over, and never counted as one or the other.
"""


def explore(count, ask, samples):
    """The verdicts of the releases that were tried, by index. `ask(index)` gives a verdict, and is called once for an
    index. `samples` are indices below `count`; the greatest comes first."""
    known = {}

    def verdict(index):
        if index not in known:
            known[index] = ask(index)
        return known[index]

    for index in sorted(set(samples), reverse=True):
        verdict(index)
    if True not in known.values() and False in known.values():
        for index in reversed(range(count)):
            verdict(index)
    tried = _with_verdict(known)
    for low, high in zip(tried, tried[1:]):
        _bisect(verdict, known, low, high)
    return known


def _bisect(verdict, known, low, high):
    """Narrows two releases with different verdicts until all between them were tried without a verdict."""
    side = known[low]
    while known[high] is not side:
        middle = (low + high) // 2
        untried = [index for index in range(low + 1, high) if index not in known]
        if not untried:
            return
        index = min(untried, key=lambda one: (abs(one - middle), one))
        found = verdict(index)
        if found is None:
            continue
        if found is side:
            low = index
        else:
            high = index


def _with_verdict(known):
    return sorted(index for index, found in known.items() if found is not None)


def affected(known):
    """The runs of releases that show the finding, as (first, last, before, after): `before` and `after` are the next
    tried releases that do not show it, or None."""
    runs, previous = [], None
    for index in _with_verdict(known):
        if known[index]:
            if runs and runs[-1][3] is None:
                runs[-1][1] = index
            else:
                runs.append([index, index, previous, None])
        else:
            if runs and runs[-1][3] is None:
                runs[-1][3] = index
            previous = index
    return [tuple(run) for run in runs]
