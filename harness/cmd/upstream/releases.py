"""The releases of a package that pip can install for an interpreter. pip's own configuration names the index."""

import re
import subprocess

from packaging.version import InvalidVersion, Version

# More samples than this are thinned out evenly.
MAX_SAMPLES = 24


class Unlisted(Exception):
    """pip listed no release; the text is pip's reason."""


def installable(pip, package):
    """The final releases with a wheel for the interpreter of `pip`, oldest first, as versions. `pip` is a command."""
    known = _listed(pip, package)
    wheels = _wheels(pip, package)
    found = {_version(text) for text in (known if wheels is None else known & wheels)} - {None}
    return sorted(one for one in found if not one.is_prerelease)


def _version(text):
    try:
        return Version(text)
    except InvalidVersion:
        return None


def _run(words):
    return subprocess.run(words, capture_output=True, text=True, check=False)


def _listed(pip, package):
    """All releases, without those that were yanked."""
    done = _run(pip + ["index", "versions", package])
    match = re.search(r"^Available versions: (.*)$", done.stdout, re.M)
    if match is None:
        raise Unlisted(last_line(done.stderr) or "pip index versions printed no versions")
    return {text.strip() for text in match.group(1).split(",")}


def _wheels(pip, package):
    """The releases with a wheel: pip names them when the requested one does not exist. None if it does not."""
    words = ["install", "--dry-run", "--no-deps", "--only-binary", ":all:", package + "==999999999"]
    match = re.search(r"\(from versions: (.*)\)", _run(pip + words).stderr)
    if match is None:
        return None
    return set() if match.group(1) == "none" else {text.strip() for text in match.group(1).split(",")}


def last_line(text):
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else ""


def between(versions, first, last):
    """The versions from `first` to `last`, inclusive; None is no bound."""
    return [one for one in versions if (first is None or one >= first) and (last is None or one <= last)]


def samples(versions):
    """The indices of the first release, of the last release of each minor series, and of the last release."""
    indices = {0}
    for index, version in enumerate(versions):
        if index + 1 == len(versions) or versions[index + 1].release[:2] != version.release[:2]:
            indices.add(index)
    chosen = sorted(indices)
    if len(chosen) > MAX_SAMPLES:
        chosen = [chosen[place * (len(chosen) - 1) // (MAX_SAMPLES - 1)] for place in range(MAX_SAMPLES)]
    return chosen
