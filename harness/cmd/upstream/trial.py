"""The verdict of one release about a finding, from the environments in which the release was tried.

An attempt is one replay in one environment. It diverges with a list of broken properties, it does not, or it says nothing.
A release shows a finding with a signature if the replay finds the same signature. A descriptor alone has no signature: its
finding is the first property that the newest diverging release breaks, which is also the one that `replay --script` and
`issue` describe. A release that breaks only other properties does not show the finding if the value arrived, because then
the property was compared. If the value did not arrive, an old release may have failed for another reason, such as a library
that is too new for it. That attempt is repeated with older libraries, and is never counted as a verdict.
"""

import re
import subprocess

import environments
from releases import last_line

SHOWS, ABSENT, OTHER, NONE = "shows it", "does not", "shows another divergence", "no verdict"
VERDICTS = {SHOWS: True, ABSENT: False}
# Lines of a replay in which no value arrived to be compared.
LOST = re.compile(r"^  \w+ ended by |expected (?:success|an answer), got ", re.M)
# Limits the time of one replay, which is a few seconds.
REPLAY_S = 600


def replay(ndproof, python, options, case):
    """The attempt of one interpreter: a verdict, the broken properties, whether the value arrived, and why there is no
    verdict."""
    words = [str(ndproof), "replay", "--python", str(python), *options, str(case)]
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=REPLAY_S, check=False)
    except subprocess.TimeoutExpired:
        return {"verdict": NONE, "broken": [], "arrived": False, "reason": "the replay did not end within %d s" % REPLAY_S}
    results = re.findall(r"^([A-Z]+) ", done.stdout, re.M)
    broken = list(dict.fromkeys(re.findall(r"^  (\w+) (?:broken|ended) by ", done.stdout, re.M)))
    if done.returncode == 1:
        arrived = LOST.search(done.stdout) is None
        return {"verdict": OTHER if "CHANGED" in results else SHOWS, "broken": broken, "arrived": arrived, "reason": ""}
    if done.returncode == 0 and "UNSUPPORTED" not in results:
        return {"verdict": ABSENT, "broken": broken, "arrived": True, "reason": ""}
    inner = [line for line in done.stdout.splitlines() if line.startswith("  ")]
    reason = last_line("\n".join(inner)) or last_line(done.stderr) or "exit code %d" % done.returncode
    return {"verdict": NONE, "broken": broken, "arrived": False, "reason": reason}


class Trial:
    """Tries releases of one package with one finding. `versions` are all releases; results are by their index."""

    def __init__(self, versions, made, stored, run, say, signature="", is_documented=False):
        """`run(python)` replays the finding under an interpreter; `say(text)` prints progress. A replay without a defect
        prints what the libraries document; that shows a finding that `is_documented`."""
        self.is_documented = is_documented
        self.versions, self.made, self.stored, self.run, self.say = versions, made, stored, run, say
        words = signature.split("|")
        self.has_signature = signature != ""
        self.wanted = words[1] if words[0] == "DIVERGES" and len(words) > 1 else None
        self.attempts, self.results, self.preferred = {}, {}, {}

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
        """The verdict of an attempt about the property of the finding."""
        if attempt["verdict"] == ABSENT and self.is_documented and self.wanted in attempt["broken"]:
            return SHOWS
        if attempt["verdict"] not in (SHOWS, OTHER):
            return attempt["verdict"]
        if self.has_signature and attempt["verdict"] == SHOWS:
            return SHOWS
        if self.wanted is None and not self.has_signature and attempt["broken"]:
            self.wanted = attempt["broken"][0]
        if self.wanted in attempt["broken"]:
            return attempt["verdict"]
        return ABSENT if self.wanted is not None and attempt["arrived"] else OTHER

    def _attempt(self, version, pin_set):
        """The attempt of this run, or of an earlier one, unless that had no verdict: its reason may be gone."""
        if (version, pin_set) not in self.attempts:
            old = self.stored.get(version, pin_set)
            is_usable = old is not None and old["verdict"] != NONE
            self.attempts[version, pin_set] = old if is_usable else self._new_attempt(version, pin_set)
        return self.attempts[version, pin_set]

    def _new_attempt(self, version, pin_set):
        self.say("%s %s%s" % (self.made.package, version, "" if pin_set == "current" else ", other libraries: " + pin_set))
        try:
            python, libraries = self.made.get(version, pin_set)
            attempt = dict(self.run(python), libraries=libraries)
        except environments.NotInstallable as error:
            reason = "not installable: %s" % error
            attempt = {"verdict": NONE, "broken": [], "arrived": False, "reason": reason, "libraries": {}}
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
