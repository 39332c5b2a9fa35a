"""An environment per release, under build/bisect/NAME-VERSION, with the other libraries that a finding needs.

The other libraries have the versions of .ci/env/current.txt. An old release may not work with these; then further
environments, NAME-VERSION-seeds and NAME-VERSION-any, have the versions of .ci/env/seeds.txt, or any. The file
`made.json` in an environment is written last: an environment without it is half-made, and is made again.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

from releases import last_line

PIN_SETS = ("current", "seeds")
ANY = "any"
MADE = "made.json"
PROBE = """
import importlib, importlib.util, json, sys
from importlib import metadata
for name in sys.argv[1:]:
    if importlib.util.find_spec(name) is not None: importlib.import_module(name)
print(json.dumps({one.metadata["Name"].lower(): one.version for one in reversed(list(metadata.distributions()))}))
"""


class NotInstallable(Exception):
    """The release cannot be tried; the text is the reason."""


def normal(name):
    """The name as pip compares it (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def pins_of(path):
    """The lines of a requirements file, by name."""
    lines = [line.partition("#")[0].strip() for line in path.read_text().splitlines()]
    found = {}
    for line in filter(None, lines):
        found.setdefault(normal(re.split(r"[=<>!~; \[]", line)[0]), []).append(line)
    return found


def base_interpreter():
    """$PYTHON, or the interpreter from which the environment of this program was made."""
    return os.environ.get("PYTHON") or getattr(sys, "_base_executable", None) or sys.executable


def pip_for(python):
    """The command that runs pip for an interpreter, which does not need a pip of its own."""
    return [sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input", "--python", str(python)]


def store_of(tree):
    """The folder of environments and stored verdicts."""
    return pathlib.Path(os.environ.get("NDPROOF_BISECT") or tree / "build/bisect")


class Environments:
    """The environments of a package. `lock` is a descriptor that pip inherits, so that it stays locked until pip ends."""

    def __init__(self, tree, package, companions, lock):
        self.folder = store_of(tree)
        self.package, self.lock = normal(package), lock
        self.companions = {normal(name) for name in companions} - {self.package}
        self.pins = {name: pins_of(tree / ".ci/env" / (name + ".txt")) for name in PIN_SETS}
        self.pins[ANY] = {}
        self.base = base_interpreter()
        self.identity = self._checked([self.base, "-c", "import sys; print(sys.version.split()[0], sys.base_prefix)"]).strip()

    def pin_sets(self):
        """The sets of versions to try, without those that are the same for the libraries that the finding needs."""
        chosen = {}
        for name, pins in self.pins.items():
            chosen.setdefault(tuple((one, tuple(pins.get(one, ()))) for one in sorted(self.companions)), name)
        return list(chosen.values())

    def path_of(self, version, pin_set):
        ending = "" if pin_set == PIN_SETS[0] else "-" + pin_set
        return self.folder / ("%s-%s%s" % (self.package, version, ending))

    def empty(self):
        """An interpreter without packages, for questions to pip."""
        folder = self.folder / ("%s-list" % self.package)
        self._make(folder)
        return folder / "bin/python"

    def get(self, version, pin_set):
        """The interpreter with this release, and the versions of all libraries there. Raises NotInstallable."""
        folder = self.path_of(version, pin_set)
        made = self._read(folder)
        if made is not None and self.companions <= set(made["companions"]):
            return folder / "bin/python", made["libraries"]
        # Findings that need other libraries share the environment.
        wanted = sorted(self.companions | set(made["companions"] if made else ()))
        try:
            libraries = self._fill(folder, str(version), wanted, self.pins[pin_set])
        except NotInstallable:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        fresh = folder / (MADE + ".part")
        fresh.write_text(json.dumps({"base": self.identity, "companions": wanted, "libraries": libraries}, indent=1) + "\n")
        fresh.replace(folder / MADE)
        return folder / "bin/python", libraries

    def _read(self, folder):
        try:
            made = json.loads((folder / MADE).read_text())
        except (OSError, ValueError):
            return None
        return made if made.get("base") == self.identity else None

    def _fill(self, folder, version, wanted, pins):
        self._make(folder)
        self._install(folder, version, wanted, pins)
        return json.loads(self._checked([str(folder / "bin/python"), "-c", PROBE, self.package, *wanted]))

    def _install(self, folder, version, wanted, pins):
        constraints = folder / "constraints.txt"
        constraints.write_text("".join(line + "\n" for name in pins if name != self.package for line in pins[name]))
        words = pip_for(folder / "bin/python") + ["install", "--no-compile", "--retries", "1", "--timeout", "20"]
        words += ["--only-binary", ":all:", "-c", str(constraints), "%s==%s" % (self.package, version), *wanted]
        done = self._run(words)
        if done.returncode != 0:
            raise NotInstallable(_reason(done.stderr))
        if "yanked version: '%s'" % self.package in done.stderr:
            raise NotInstallable("the release was yanked")

    def _make(self, folder):
        shutil.rmtree(folder, ignore_errors=True)
        self._checked([self.base, "-m", "venv", "--without-pip", str(folder)])

    def _checked(self, words):
        done = self._run(words)
        if done.returncode != 0:
            raise NotInstallable(last_line(done.stderr) or "%s failed with %d" % (words[0], done.returncode))
        return done.stdout

    def _run(self, words):
        try:
            return subprocess.run(words, capture_output=True, text=True, check=False, pass_fds=[self.lock])
        except OSError as error:
            raise NotInstallable("cannot run %s: %s" % (words[0], error.strerror)) from None


def _reason(text):
    """The first error of pip, without its prefix."""
    errors = [line[len("ERROR:") :].strip() for line in text.splitlines() if line.startswith("ERROR:")]
    return errors[0].partition(" (from versions")[0] if errors else last_line(text) or "pip failed"


def tree_of(program):
    """The source tree above a program of harness/cmd/upstream."""
    return pathlib.Path(program).resolve().parents[3]
