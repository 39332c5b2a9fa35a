#!/usr/bin/env python3
"""Counts comment sentences that open with a free clause ("What is heavy is ..."), per C file.

A file may have as many as .ci/openings.txt lists for it; a file that is not listed may have none. A limit above the
actual count fails as well, so a limit can only decrease. `--write` lowers the limits to the current counts.
"""
import pathlib
import re
import subprocess
import sys

LIMITS = pathlib.Path(__file__).with_name("openings.txt")
COMMENT = re.compile(r"/\*(.*?)\*/", re.S)
SENTENCE_END = re.compile(r"(?<=[.!?;:])\s+")
OPENING = re.compile(r"(What|Whatever|Who|Whoever|Of|One of|One that|Where)\b")
MIN_WORDS = 4


def sentences(text):
    for comment in COMMENT.findall(text):
        for sentence in SENTENCE_END.split(re.sub(r"\s*\n\s*\*?\s*", " ", comment).strip()):
            if len(sentence.split()) >= MIN_WORDS:
                yield sentence


def main():
    root = LIMITS.parent.parent
    names = subprocess.run(["git", "ls-files", "*.c", "*.h"], cwd=root, capture_output=True, text=True, check=True)
    total, found = 0, {}
    for name in filter(lambda name: (root / name).exists(), names.stdout.split()):
        for sentence in sentences((root / name).read_text()):
            total += 1
            if OPENING.match(sentence):
                found.setdefault(name, []).append(sentence)
    limits = dict(line.rsplit(" ", 1) for line in LIMITS.read_text().splitlines() if line) if LIMITS.exists() else {}
    if total == 0:
        sys.exit("openings: no comment sentence found, so nothing was checked")
    counts = {name: len(hits) for name, hits in found.items()}
    if "--write" in sys.argv[1:]:
        kept = {name: min(count, int(limits.get(name, count))) for name, count in counts.items()}
        LIMITS.write_text("".join(f"{name} {count}\n" for name, count in sorted(kept.items())))
        return
    failures = []
    for name in sorted(counts.keys() | limits.keys()):
        count, limit = counts.get(name, 0), int(limits.get(name, 0))
        if count > limit:
            failures.append(f"{name}: {count} sentences open with a free clause, {limit} are allowed; put the subject first:")
            failures += [f"    {sentence[:100]}" for sentence in found[name]]
        elif count < limit:
            failures.append(f"{name}: the limit is {limit}, the count is {count}; lower it with .ci/openings.py --write")
    print(f"{sum(counts.values())} of {total} comment sentences open with a free clause")
    print("\n".join(failures), end="\n" if failures else "")
    sys.exit(bool(failures))


main()
