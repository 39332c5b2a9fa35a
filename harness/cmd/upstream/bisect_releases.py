"""Finds the releases of a package that show a finding: ndproof bisect FINDING --package NAME [--from V] [--to V].

Called by ndproof with the path of its program. Standard output is the table and the answer; progress goes to standard
error. Exit codes: 0 answered, 2 wrong usage, 3 failure, 5 no release had a verdict.
"""

import argparse
import contextlib
import fcntl
import os
import pathlib
import re
import sys

try:
    import environments
    import releases
    from packaging.version import InvalidVersion, Version
except ImportError as error:
    sys.exit("ndproof bisect: %s; 'make setup' installs what this command needs" % error)
import answer
import finding as findings
import search
from stored import Stored, identity_of
from trial import Trial, replay

ANSWERED, USAGE, FAILURE, NOTHING = 0, 2, 3, 5


def say(text):
    print("bisect: " + text, file=sys.stderr, flush=True)


def fail(code, text):
    print("ndproof bisect: " + text, file=sys.stderr)
    raise SystemExit(code)


def version_of(text):
    try:
        return Version(text) if text is not None else None
    except InvalidVersion:
        fail(USAGE, "'%s' is not a version" % text)


def parse(argv):
    parser = argparse.ArgumentParser(prog="ndproof bisect", allow_abbrev=False)
    parser.add_argument("ndproof", type=pathlib.Path)
    parser.add_argument("finding")
    parser.add_argument("--package")
    parser.add_argument("--from", dest="first")
    parser.add_argument("--to", dest="last")
    parser.add_argument("--cause", action="append", default=[])
    parser.add_argument("--trust", action="store_true")
    options = parser.parse_args(argv)
    if not options.package or not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", options.package):
        fail(USAGE, "--package takes the name of a package on PyPI")
    options.first, options.last = version_of(options.first), version_of(options.last)
    return options


def load(options):
    try:
        return findings.load(options.finding, options.cause)
    except findings.Unusable as error:
        fail(USAGE, str(error))
    except OSError as error:
        fail(USAGE, "%s: %s" % (options.finding, error.strerror))


@contextlib.contextmanager
def locked(folder, package):
    """Holds the environments of a package. Gives the descriptor of the lock."""
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / (environments.normal(package) + ".lock"), "w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("another bisection of %s is running; waiting for its end" % package)
            fcntl.flock(file, fcntl.LOCK_EX)
        yield file.fileno()


def releases_to_try(options, made):
    versions = releases.installable(environments.pip_for(made.empty()), options.package)
    chosen = releases.between(versions, options.first, options.last)
    if not chosen:
        listed = "%s to %s" % (versions[0], versions[-1]) if versions else "none"
        fail(USAGE, "no final release of %s with a wheel for this Python is in that range; pip lists %s" % (options.package, listed))
    return chosen


def run_in(options, finding):
    """Returns a function that replays the finding under an interpreter."""
    parent = os.getppid()

    def run(python):
        if os.getppid() != parent:
            fail(FAILURE, "ndproof was stopped; run the command again to go on")
        return replay(options.ndproof, python, ["--trust"] if options.trust else [], finding.path)

    return run


def explore(trial):
    """Searches again as long as a neighbour of the affected releases had other libraries than these."""
    chosen = releases.samples(trial.versions)
    while True:
        trial.results.clear()
        known = search.explore(len(trial.versions), trial.ask, chosen)
        if not trial.equalise(search.affected(known)):
            return known


def search_releases(options, finding, tree, lock):
    pins = environments.pins_of(tree / ".ci/env/current.txt")
    made = environments.Environments(tree, options.package, finding.libraries(pins), lock)
    versions = releases_to_try(options, made)
    finding.write(made.folder)
    stored = Stored(made.folder, finding, made.package, identity_of(tree, options.ndproof, options.trust, made.identity))
    run = run_in(options, finding)
    trial = Trial(versions, made, stored, run, say, finding.signature, finding.is_documented)
    say("%d releases from %s to %s" % (len(versions), versions[0], versions[-1]))
    try:
        known = explore(trial)
    except KeyboardInterrupt:
        print("\n".join(answer.table(trial)), flush=True)
        fail(FAILURE, "interrupted; run the command again to go on")
    print("\n".join(answer.table(trial)))
    lines = answer.lines(trial, known)
    if lines is None:
        fail(NOTHING, "no release had a verdict, so nothing could be compared")
    stored.put_answer(answer.for_store(trial, known))
    print("\n".join(lines))
    return ANSWERED


def main(argv):
    options = parse(argv)
    finding = load(options)
    tree = environments.tree_of(__file__)
    try:
        with locked(environments.store_of(tree), options.package) as lock:
            return search_releases(options, finding, tree, lock)
    except releases.Unlisted as error:
        fail(FAILURE, "cannot list the releases of %s: %s" % (options.package, error))
    except environments.NotInstallable as error:
        fail(FAILURE, "cannot make an environment: %s" % error)
    except OSError as error:
        fail(FAILURE, str(error))


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        fail(FAILURE, "interrupted; run the command again to go on")
