"""The record of earlier nights: since when, until when and on how many nights each cause was seen; and the last release.

    {"schema": 1, "nights": ["2026-11-27", "2026-11-28"],
     "causes": {"3f9a12bc": {"title": "...", "library": "numpy", "first_seen": "2026-11-27", "last_seen": "2026-11-28",
                             "nights": 2, "defect_since": "2026-11-28"}}}

`defect_since` is the first night that confirmed the cause as a defect; it is "" while the cause was flaky, a documented
loss or a hazard. All days are UTC. A night that runs twice on a day counts once.
"""

import dataclasses
import datetime
import json
import os
import re
import subprocess
import tempfile

SCHEMA = 1
FIELDS = {"title": str, "library": str, "first_seen": str, "last_seen": str, "nights": int, "defect_since": str}


class BadInput(Exception):
    """A record or a date that cannot be used; the text states the place, the reason and the remedy."""


def is_day(text):
    try:
        return re.fullmatch(r"\d{4}-\d\d-\d\d", text) is not None and bool(datetime.date.fromisoformat(text))
    except ValueError:
        return False


def lack_of(whole):
    """Returns what is wrong with the content of a record; "" if nothing is."""
    if not isinstance(whole, dict) or whole.get("schema") != SCHEMA:
        return 'expected an object with "schema": %d' % SCHEMA
    nights, causes = whole.get("nights"), whole.get("causes")
    if not isinstance(nights, list) or not all(isinstance(day, str) and is_day(day) for day in nights) or nights != sorted(set(nights)):
        return 'expected "nights" to be a list of days in their order'
    if not isinstance(causes, dict):
        return 'expected "causes" to be an object'
    return next(filter(None, (lack_of_cause(name, one) for name, one in causes.items())), "")


def lack_of_cause(name, one):
    if not re.fullmatch("[0-9a-f]{8}", name):
        return 'expected the id of a cause, such as "3f9a12bc", got "%s"' % name
    if not isinstance(one, dict) or {key: type(one.get(key)) for key in FIELDS} != FIELDS:
        return "cause %s: expected the fields %s" % (name, ", ".join(FIELDS))
    days = [one["first_seen"], one["defect_since"] or one["last_seen"], one["last_seen"]]
    if not all(map(is_day, days)) or days != sorted(days) or one["nights"] < 1:
        return "cause %s: expected first_seen, defect_since and last_seen to be days in this order, and at least one night" % name
    return ""


class History:
    """The record in the file `path`; a missing file is an empty record. A file that cannot be used is never replaced."""

    def __init__(self, path):
        self.path, self.nights, self.causes = path, [], {}
        try:
            with open(path, encoding="utf-8") as file:
                whole = json.load(file)
            lack = lack_of(whole)
        except FileNotFoundError:
            return
        except (OSError, ValueError, RecursionError) as error:
            lack = str(error)
        if lack:
            raise BadInput("the record of earlier nights %s is damaged: %s. It was kept; repair it, or move it away to begin a new record" % (path, lack))
        self.nights, self.causes = whole["nights"], whole["causes"]

    def night_before(self, day):
        """Returns the last night before the day; "" if there was none."""
        return max((night for night in self.nights if night < day), default="")

    def note(self, causes, day):
        """Adds a night that showed the causes of a report."""
        self.nights = sorted({*self.nights, day})
        for cause in causes:
            one = self.causes.setdefault(cause["id"], {"first_seen": day, "last_seen": "", "nights": 0, "defect_since": ""})
            one["title"], one["library"] = cause["title"], cause["library"]
            one["nights"] += one["last_seen"] != day
            one["first_seen"], one["last_seen"] = min(one["first_seen"], day), max(one["last_seen"], day)
            if cause["severity"] == "defect" and cause["status"] != "flaky":
                one["defect_since"] = min(one["defect_since"] or day, day)

    def of(self, cause):
        """Returns the history of a cause as a report has it."""
        return {key: self.causes[cause][key] for key in ("first_seen", "last_seen", "nights")}

    def is_known(self, cause, release):
        """Whether a night before the day of the release confirmed the cause as a defect. On that day itself, the night may
        have run after the release."""
        since = self.causes.get(cause, {}).get("defect_since", "")
        return bool(since and release.day) and since < release.day

    def save(self):
        whole = {"schema": SCHEMA, "nights": self.nights, "causes": dict(sorted(self.causes.items()))}
        replace_file(self.path, json.dumps(whole, indent=1) + "\n")


def replace_file(path, text):
    """Replaces the file as a whole, or not at all."""
    folder = os.path.dirname(os.path.abspath(path))
    os.makedirs(folder, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=folder, prefix=".new-", delete=False) as file:
        try:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
            os.chmod(file.name, 0o644)
            os.replace(file.name, path)
        except BaseException:
            os.unlink(file.name)
            raise


@dataclasses.dataclass(frozen=True)
class Release:
    """The last release; `day` is "" if there is none, and `lack` is the reason. A day without a tag has no name."""

    name: str
    day: str
    lack: str

    def __str__(self):
        return "%s (%s)" % (self.name, self.day) if self.name else self.day


def last_release(given):
    """Returns the release of the day `given`, or else that of the newest tag v* of the checkout."""
    if given:
        if not is_day(given):
            raise BadInput("expected RELEASED to be a day such as 2026-10-01, got %s" % given)
        return Release("", given, "")
    command = ["git", "for-each-ref", "--merged", "HEAD", "--sort=-creatordate", "--count=1"]
    command += ["--format=%(refname:strip=2) %(creatordate:format-local:%Y-%m-%d)", "refs/tags/v*"]
    try:
        listed = subprocess.run(command, capture_output=True, text=True, env=dict(os.environ, TZ="UTC"))
    except OSError as error:
        return Release("", "", "git cannot list the tags: %s" % error.strerror)
    if listed.returncode != 0:
        return Release("", "", "git cannot list the tags: %s" % " ".join(listed.stderr.split()))
    words = listed.stdout.split()
    return Release(words[0][1:], words[1], "") if words else Release("", "", "the checkout has no tag v*")
