"""The verdict of one release about a finding, from the environments in which the release was tried.

An attempt is one replay in one environment. It diverges with a list of broken properties, it does not, or it says nothing.
A finding with a signature shows if the replay finds the same signature. A descriptor alone has no signature: there, the
newest release that diverges determines the broken properties, and another release shows the finding if it breaks one of them.
An old release may fail for another reason, such as a library that is too new for it. An attempt that shows something
else is therefore repeated with older libraries, and is never counted as a verdict.
"""

import re
import subprocess

import environments
from releases import last_line

SHOWS, ABSENT, OTHER, NONE = "shows it", "does not", "shows another divergence", "no verdict"
VERDICTS = {SHOWS: True, ABSENT: False}
# Limits the time of one replay, which is a few seconds.
REPLAY_S = 600


def replay(ndproof, python, options, case):
    """The attempt of one interpreter: a verdict, the broken properties, and why there is no verdict."""
    words = [str(ndproof), "replay", "--python", str(python), *options, str(case)]
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=REPLAY_S, check=False)
    except subprocess.TimeoutExpired:
        return {"verdict": NONE, "broken": [], "reason": "the replay did not end within %d s" % REPLAY_S}
    results = re.findall(r"^([A-Z]+) ", done.stdout, re.M)
    broken = list(dict.fromkeys(re.findall(r"^  (\w+) (?:broken|ended) by ", done.stdout, re.M)))
    if done.returncode == 1:
        return {"verdict": OTHER if "CHANGED" in results else SHOWS, "broken": broken, "reason": ""}
    if done.returncode == 0 and "UNSUPPORTED" not in results:
        return {"verdict": ABSENT, "broken": [], "reason": ""}
    inner = [line for line in done.stdout.splitlines() if line.startswith("  ")]
    reason = last_line("\n".join(inner)) or last_line(done.stderr) or "exit code %d" % done.returncode
    return {"verdict": NONE, "broken": broken, "reason": reason}


class Trial:
    """Tries releases of one package with one finding. `versions` are all releases; results are by their index."""

    def __init__(self, versions, made, stored, run, say):
        """`run(python)` replays the finding under an interpreter; `say(text)` prints progress."""
        self.versions, self.made, self.stored, self.run, self.say = versions, made, stored, run, say
        self.results = {}
        self.preferred = {}
        self.reference = None

    def ask(self, index):
        """True, False or None, for search.explore."""
        pin_sets = sorted(self.made.pin_sets(), key=lambda name: name != self.preferred.get(index))
        best = None
        for name in pin_sets:
            if name == environments.ANY and len(pin_sets) > 1 and best is not None and best["libraries"]:
                break
            found = dict(self._attempt(self.versions[index], name), pins=name)
            found["verdict"] = self._verdict(found)
            if best is None or found["verdict"] in VERDICTS or not best["libraries"]:
                best = found
            if found["verdict"] in VERDICTS:
                break
        self.results[index] = best
        return VERDICTS.get(best["verdict"])

    def _verdict(self, attempt):
        """The verdict of an attempt, given the properties that the first one broke."""
        if attempt["verdict"] != SHOWS:
            return attempt["verdict"]
        if self.reference is None:
            self.reference = set(attempt["broken"])
        return SHOWS if not self.reference or self.reference & set(attempt["broken"]) else OTHER

    def _attempt(self, version, pin_set):
        old = self.stored.get(version, pin_set)
        if old is not None and old["verdict"] != NONE:
            return old
        self.say("%s %s%s" % (self.made.package, version, "" if pin_set == "current" else ", other libraries: " + pin_set))
        try:
            python, libraries = self.made.get(version, pin_set)
            attempt = dict(self.run(python), libraries=libraries)
        except environments.NotInstallable as error:
            attempt = {"verdict": NONE, "broken": [], "reason": "not installable: %s" % error, "libraries": {}}
        self.stored.put(version, pin_set, attempt)
        return attempt

    def equalise(self, runs):
        """Repeats the releases beside a run of affected ones with the libraries of that run. Returns whether any was."""
        repeated = False
        for first, last, before, after in runs:
            for inside, outside in ((first, before), (last, after)):
                if outside is None or outside in self.preferred:
                    continue
                pins = self.results[inside]["pins"]
                if self.results[outside]["pins"] != pins:
                    self.preferred[outside] = pins
                    repeated = True
        return repeated
