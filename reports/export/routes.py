"""Routes of a report, taken apart, and the verdicts of a property on a route."""

import dataclasses
import functools
import re


@dataclasses.dataclass(frozen=True)
class Route:
    """A route text of a finding, taken apart: "numpy>reference npy:file>memory", "numpy npy>file" (crafted bytes)."""

    text: str

    @functools.cached_property
    def _parts(self):
        ends, _, way = self.text.partition(" ")
        form = re.match("[^:>]*", way)[0]
        return ends, form, way[len(form) :].lstrip(":")

    @property
    def ends(self):
        return self._parts[0]

    @property
    def writer(self):
        return self.ends.partition(">")[0] if ">" in self.ends else ""

    @property
    def reader(self):
        return self.ends.rpartition(">")[2]

    @property
    def form(self):
        """Format or transport with its protocol: "npy", "pickle5", "joblib.Parallel5"."""
        return self._parts[1] or "other"

    @property
    def way(self):
        """Entry points or backend: "file>memory", "loky"."""
        return self._parts[2]


@dataclasses.dataclass
class Cell:
    """The verdicts of one property on one route, or a sum of them."""

    passed: int = 0
    diverges: int = 0
    rejects: int = 0
    unsupported: int = 0
    is_defect: bool = False  # some divergence is not a documented loss or hazard

    def add(self, other):
        self.passed += other.passed
        self.diverges += other.diverges
        self.rejects += other.rejects
        self.unsupported += other.unsupported
        self.is_defect |= other.is_defect

    @property
    def judged(self):
        return self.passed + self.diverges + self.rejects

    @property
    def state(self):
        if self.diverges:
            return "differs" if self.is_defect else "loss"
        if self.passed:
            return "pass"
        if self.rejects:
            return "refused"
        return "unsupported" if self.unsupported else "none"

    @property
    def beside(self):
        """What else happened in the cases of a cell that was compared: "3 refused, 1 unsupported"."""
        if self.state in ("none", "refused", "unsupported"):
            return "%d unsupported" % self.unsupported if self.state == "refused" and self.unsupported else ""
        rest = ((self.rejects, "refused"), (self.unsupported, "unsupported"))
        return ", ".join("%d %s" % part for part in rest if part[0])

    @property
    def count(self):
        """The number for the state: "237", "3/237", "" if nothing was judged."""
        if self.diverges:
            return "%d/%d" % (self.diverges, self.judged)
        return str(self.passed or self.rejects or self.unsupported or "")


STATE_WORDS = {
    "pass": "pass", "differs": "differs", "loss": "loss", "refused": "refused", "unsupported": "unsupported", "none": "not run",
}  # fmt: skip
STATE_HELP = (
    ("pass", "the promise was kept in this number of cases"),
    ("differs", "differences / cases judged; at least one is not documented"),
    ("loss", "differences / cases judged; the library documents all of them"),
    ("refused", "a side refused the value, which the promise allows; nothing else was compared"),
    ("unsupported", "the target does not support these cases; nothing was compared"),
    ("none", "no case was judged: the property does not apply to the route, or no case reached it"),
)
