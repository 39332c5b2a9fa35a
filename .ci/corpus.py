#!/usr/bin/env python3
"""The corpus: its index, its archives of fuzzing inputs.

corpus.py check                  the index and the files agree, and the archives are as `pack` writes them
corpus.py format                 writes the index in its canonical form, one file per line in the order of paths; drops
                                 files that are gone
corpus.py table [PREFIX]         prints the files whose path begins with PREFIX as a table, and then the clauses
corpus.py pack TARGET FOLDER     writes corpus/fuzz/TARGET_seed_corpus.zip from the files of a folder
corpus.py unpack TARGET FOLDER   writes the files of that archive into a folder
corpus.py distil [TARGET...]     reduces the inputs of a night (build/merged/TARGET) and of the archive to a new archive
corpus.py selftest               tests `distil` with a stand-in for the engine

`distil` keeps the cheapest inputs of up to 1 KiB (descriptors: 4 KiB) that together reach the same edges, by the
processor time of a run under sanitizers. It drops inputs that take HEAVY times as long as the median; it prints how many
edges are lost with them. Named files in corpus/fuzz/TARGET/ show mended defects: they stay, and their edges count as
reached. If a step fails, or if the inputs exceed 2 MiB, a target keeps its archive and the exit code is 1."""

import argparse
import collections
import hashlib
import heapq
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
CORPUS = ROOT / "corpus"
HEAVY = 16
MAX_BYTES = 1 << 21
HASH = re.compile(r"[0-9a-f]{40}")
SUFFIX = "_seed_corpus.zip"
EXPECTATIONS = ("accept", "refuse", "open")
SANITIZER_OPTIONS = (
    "allocator_may_return_null=1:detect_leaks=0:malloc_context_size=2:quarantine_size_mb=1:"
    "thread_local_quarantine_size_kb=64:dedup_token_length=3"
)


# ---- the index ----


def read_index():
    return json.loads((CORPUS / "index.json").read_text())


def lines_of(index):
    """The canonical text, line by line."""
    show = lambda value: json.dumps(value, ensure_ascii=False)
    yield '{\n"clauses": {'
    clauses = ["%s: %s" % (show(key), show(text)) for key, text in index["clauses"].items()]
    yield ",\n".join(clauses) + '\n},\n"files": ['
    yield ",\n".join(map(show, sorted(index["files"], key=lambda file: file["path"]))) + "\n]\n}"


def text_of(index):
    return "\n".join(lines_of(index)) + "\n"


def write_index(index):
    there = set(files_on_disk())
    for file in index["files"]:
        if file["path"] not in there:
            print("corpus/index.json: dropped %s, which is gone" % file["path"])
    index["files"] = [file for file in index["files"] if file["path"] in there]
    (CORPUS / "index.json").write_text(text_of(index))


def files_on_disk():
    for path in CORPUS.rglob("*"):
        name = path.relative_to(CORPUS).as_posix()
        if path.is_file() and name not in ("README.md", "index.json") and not name.endswith(SUFFIX):
            yield name


def faults_of_file(file, clauses):
    """Messages about one entry: members, expectation, clause, libraries."""
    folder = file["path"].rpartition("/")[0].rpartition("/")[2]
    members = {"path", "expect", "values", "protocol", "buffers", "why", "clause", "libraries"}
    if set(file) - members:
        yield "unknown members: %s" % ", ".join(sorted(set(file) - members))
    expected = folder if folder in EXPECTATIONS else "accept" if folder == "value" else "survive"
    is_unsupported = file["expect"] == "unsupported" and file.get("values") == "graph"
    if file["expect"] != expected and not is_unsupported:
        yield "its folder requires the expectation %s, the index has %s" % (expected, file["expect"])
    if "clause" in file and file["clause"] not in clauses:
        yield "the clause %s is not listed" % file["clause"]
    for row in file.get("libraries", ()):
        if not {"decode", "expect", "why"} <= set(row) <= {"decode", "expect", "values", "why"}:
            yield "a library has the members decode, expect, values and why"
        elif row["expect"] not in EXPECTATIONS or ": " not in row["why"]:
            yield "a library has an expectation and a source, SOURCE: STATEMENT"
    texts = [file["path"], file["why"]] + [row["why"] for row in file.get("libraries", ())]
    if any(not text or re.search(r'["\\\n]', text) for text in texts):
        yield "a text is empty or contains a quote or a backslash, which .ci/corpus_index.awk does not read"


def faults_of_archive(path):
    with zipfile.ZipFile(path) as archive:
        for info in archive.infolist():
            if not HASH.fullmatch(info.filename):
                yield "%s is not named by its SHA-1; files with names belong into %s/" % (info.filename, target_of(path))
            elif hashlib.sha1(archive.read(info)).hexdigest() != info.filename:
                yield "%s has another SHA-1" % info.filename
        names = archive.namelist()
        if names != sorted(names) or any(info.date_time != EPOCH for info in archive.infolist()):
            yield "it was not written by corpus.py pack: names are sorted, time stamps are fixed"


def check():
    index = read_index()
    faults = []
    listed = [file["path"] for file in index["files"]]
    there = set(files_on_disk())
    faults += ["%s: the index has no entry" % name for name in sorted(there - set(listed))]
    faults += ["%s: there is no such file" % name for name in sorted(set(listed) - there)]
    faults += ["%s: listed twice" % name for name, count in collections.Counter(listed).items() if count > 1]
    for file in index["files"]:
        faults += ["%s: %s" % (file["path"], text) for text in faults_of_file(file, index["clauses"])]
    if text_of(index) != (CORPUS / "index.json").read_text():
        faults.append("index.json: not in its canonical form: run .ci/corpus.py format")
    for path in sorted((CORPUS / "fuzz").glob("*" + SUFFIX)):
        faults += ["%s: %s" % (path.name, text) for text in faults_of_archive(path)]
    print("\n".join("corpus/" + fault for fault in faults) or "%d files of the corpus are listed" % len(listed))
    return 1 if faults or not listed else 0


def table(prefix):
    index = read_index()
    print("| file | expectation | reason | clause |\n|---|---|---|---|")
    for file in index["files"]:
        if not file["path"].startswith(prefix):
            continue
        print("| `%s` | %s | %s | %s |" % (file["path"], file["expect"], file["why"], file.get("clause", "")))
        for row in file.get("libraries", ()):
            entries = row["decode"] + (" (graphs)" if row.get("values") == "graph" else "")
            print("| | libraries, entry points %s: %s | %s | |" % (entries, row["expect"], row["why"]))
    print("\n| clause | dimension |\n|---|---|")
    for clause, text in index["clauses"].items():
        print("| %s | %s |" % (clause, text))


# ---- archives of fuzzing inputs ----

EPOCH = (1980, 1, 1, 0, 0, 0)


def archive_of(target):
    return CORPUS / "fuzz" / (target + SUFFIX)


def target_of(path):
    return path.name[: -len(SUFFIX)]


def pack(target, paths):
    """The same files give the same archive. Names are the SHA-1 of the content."""
    inputs = {hashlib.sha1(path.read_bytes()).hexdigest(): path.read_bytes() for path in paths}
    temporary = archive_of(target).with_suffix(".tmp")
    with zipfile.ZipFile(temporary, "w") as archive:
        for name in sorted(inputs):
            info = zipfile.ZipInfo(name, EPOCH)
            info.compress_type, info.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            archive.writestr(info, inputs[name], compresslevel=9)
    temporary.replace(archive_of(target))


def unpack(target, folder):
    folder.mkdir(parents=True, exist_ok=True)
    if archive_of(target).exists():
        with zipfile.ZipFile(archive_of(target)) as archive:
            archive.extractall(folder)


# ---- the smallest set of inputs ----


def gather(target, all_inputs, max_bytes):
    """Fills a folder with the inputs of the archive, of the night and with a name; gives the names."""
    unpack(target, all_inputs)
    named = CORPUS / "fuzz" / target
    for folder in (named, ROOT / "build" / "merged" / target):
        for path in folder.iterdir() if folder.is_dir() else ():
            shutil.copy(path, all_inputs)
    for path in list(all_inputs.iterdir()):  # an engine would cut longer ones
        if path.stat().st_size > max_bytes:
            path.unlink()
    return {path.name for path in named.iterdir()} if named.is_dir() else set()


def edges_of(target, all_inputs, work, max_bytes):
    """The edges of each input, from the notes of a merge. The engine numbers the depth of the stack beyond the
    counters."""
    notes, merged = work / "edges", work / "merged"
    merged.mkdir()
    program = ROOT / "build" / "clang-fuzz" / "fuzzers" / target
    options = "-set_cover_merge=1 -use_counters=0 -max_len=%d -timeout=20 -detect_leaks=0" % max_bytes
    prefix = ["-artifact_prefix=%s/" % work, "-merge_control_file=%s" % notes]
    done = subprocess.run([program, *options.split(), *prefix, merged, all_inputs], capture_output=True, check=False)
    log = (done.stdout + done.stderr).decode(errors="replace")
    (ROOT / "build" / ("corpus-%s.log" % target)).write_text(log)
    counters = set(re.findall(r"\d+ (?:inline 8-bit|Extra) [Cc]ounters", log))
    bound = 8 * sum(int(text.split()[0]) for text in counters)
    lines = notes.read_text().splitlines()
    count = int(lines[0])
    paths = lines[2 : 2 + count]
    rows = [line.split() for line in lines[2 + count :]]
    rows = [row for row in rows if row[:1] == ["FT"]]
    return {paths[int(row[1])]: {edge for edge in map(int, row[2:]) if edge < bound} for row in rows}


def costs_of(target, all_inputs):
    """The processor time of each input in nanoseconds."""
    program = ROOT / "build" / "cc-speed" / "fuzzers" / target
    paths = sorted(map(str, all_inputs.iterdir()))
    done = subprocess.run([program, "-costs", *paths], capture_output=True, text=True, check=False)
    return {path: float(cost) for cost, path in (line.split(" ", 1) for line in done.stdout.splitlines())}


def choose(edges, costs, named):
    """The inputs of a small and cheap set that reaches the edges, greedily; and the edges that are lost."""
    reached = lambda paths: set().union(*(edges[path] for path in paths))
    bound = HEAVY * statistics.median(costs[path] for path in edges)
    pool = [path for path in edges if path not in named and costs[path] <= bound]
    left, chosen = reached(pool) - reached(named), []
    lost = reached(edges) - left - reached(named)
    # The gain of an input only decreases: an input that is still first with its current gain is the best.
    queue = [(-len(edges[path]) / costs[path], os.path.getsize(path), path) for path in pool]
    heapq.heapify(queue)
    while left:
        _, size, path = heapq.heappop(queue)
        gain = -len(edges[path] & left) / costs[path]
        if queue and gain > queue[0][0]:
            heapq.heappush(queue, (gain, size, path))
        else:
            left -= edges[path]
            chosen.append(path)
    # Later inputs may reach everything that an earlier one reaches.
    times = collections.Counter(edge for path in named + chosen for edge in edges[path])
    for path in sorted(chosen, key=costs.get, reverse=True):
        if all(times[edge] > 1 for edge in edges[path]):
            times.subtract(edges[path])
            chosen.remove(path)
    return chosen, lost


def distil_one(target, work):
    for flavour in ("clang-fuzz", "cc-speed"):
        subprocess.run(["make", "-s", "build/%s/fuzzers/%s" % (flavour, target)], cwd=ROOT, check=True)
    all_inputs = work / "all"
    all_inputs.mkdir()
    max_bytes = 4096 if target.startswith("fuzz_descriptor") else 1024
    names = gather(target, all_inputs, max_bytes)
    edges = edges_of(target, all_inputs, work, max_bytes)
    costs = costs_of(target, all_inputs)
    named = [path for path in edges if os.path.basename(path) in names]
    chosen, lost = choose(edges, costs, named)
    size = sum(map(os.path.getsize, chosen))
    mean = statistics.mean(costs[path] for path in chosen + named) / 1000
    every = set().union(*edges.values())
    lost_text = ", %d LOST" % len(lost) if lost else ""
    print(
        "%-26s %5d inputs of %5d %8d bytes %8.1f us each  %d edges%s"
        % (target, len(chosen) + len(names), len(edges), size, mean, len(every - lost), lost_text)
    )
    if size >= MAX_BYTES:
        raise ValueError("the inputs exceed 2 MiB")
    pack(target, map(pathlib.Path, chosen))


def distil(targets):
    os.environ.update(ASAN_OPTIONS=SANITIZER_OPTIONS, NDP_FUZZ_COUNTERS="exact")
    status = 0
    for target in targets or sorted(os.listdir(ROOT / "build" / "merged")):
        with tempfile.TemporaryDirectory(prefix="ndproof-corpus-") as work:
            try:
                distil_one(target, pathlib.Path(work))
            except (OSError, ValueError, IndexError, KeyError, subprocess.CalledProcessError) as error:
                print("%s: the archive stays as it is: %s (see build/corpus-%s.log)" % (target, error, target))
                status = 1
    return status


# ---- the test of distil: an input is the text `COST EDGE...` ----

ENGINE = """#!/bin/bash
for word; do case $word in -merge_control_file=*) notes=${word#*=} ;; esac; done
echo 'INFO: Loaded 1 modules   (99999 inline 8-bit counters): 8 [0x1, 0x9),'
[ ! -e dead ] || exit 77
files=("${@: -1}"/*)
printf '%s\\n' ${#files[@]} 0 "${files[@]}" >"$notes"
for at in "${!files[@]}"; do
    read -r _ edges <"${files[at]}"
    printf 'STARTED %d 1\\nFT %d %s\\nCOV %d\\n' "$at" "$at" "$edges" "$at" >>"$notes"
done
"""
TARGET = """#!/bin/bash
shift
for file; do read -r cost _ <"$file" && echo "$cost $file"; done
"""


class Selftest:
    """A tree with programs that stand in for the engine and the target."""

    def __init__(self, tree):
        self.tree, self.failed = tree, False
        (tree / ".ci").mkdir()
        shutil.copy(__file__, tree / ".ci")
        (tree / "Makefile").write_text("build/%:\n\t@true\n")
        (tree / "corpus" / "fuzz").mkdir(parents=True)
        for flavour, script in (("clang-fuzz", ENGINE), ("cc-speed", TARGET)):
            for target in ("fuzz_npy", "fuzz_descriptor_trip"):
                program = tree / "build" / flavour / "fuzzers" / target
                program.parent.mkdir(parents=True, exist_ok=True)
                program.write_text(script)
                program.chmod(0o755)

    def put(self, folder, text, padding=0, name=None):
        """An input; without a name it is named by its SHA-1. Returns the name."""
        content = ("%s\n%s" % (text, " " * padding)).encode()
        path = self.tree / folder / (name or hashlib.sha1(content).hexdigest())
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        return path.name

    def expect(self, title, target, code, names, says=""):
        command = [sys.executable, ".ci/corpus.py", "distil", target]
        done = subprocess.run(command, cwd=self.tree, capture_output=True, text=True, check=False)
        archive = self.tree / "corpus" / "fuzz" / (target + SUFFIX)
        there = zipfile.ZipFile(archive).namelist() if archive.exists() else []
        if (done.returncode, there) != (code, sorted(names)) or not re.search(says, done.stdout, re.M):
            print("%s: exit code %d with %s, expected %d with %s" % (title, done.returncode, there, code, sorted(names)))
            print(done.stdout + done.stderr)
            self.failed = True


def selftest():
    with tempfile.TemporaryDirectory(prefix="ndproof-corpus-") as folder:
        test = Selftest(pathlib.Path(folder))
        new, named = "build/merged/fuzz_npy", "corpus/fuzz/fuzz_npy"
        test.put(named, "900 1", name="shows_a_defect")
        test.put(named, "10 50", 2000, name="shows_a_long_one")
        test.put(new, "10 1 2 3")
        test.put(new, "10 2")
        test.put(new, "5 7")
        best = [test.put(new, "5 2 3 4"), test.put(new, "6 7 8 900000")]
        test.expect("the cheapest that reach everything", "fuzz_npy", 0, best, r"^fuzz_npy  *4 inputs of  *6 .* 6 edges$")
        shutil.rmtree(test.tree / new)
        (test.tree / new).mkdir()
        first = (test.tree / "corpus" / "fuzz" / ("fuzz_npy" + SUFFIX)).read_bytes()
        test.expect("the archive alone", "fuzz_npy", 0, best)
        if (test.tree / "corpus" / "fuzz" / ("fuzz_npy" + SUFFIX)).read_bytes() != first:
            print("the same inputs gave another archive")
            test.failed = True
        test.put(new, "9000 9")
        test.expect("an input that is too heavy", "fuzz_npy", 0, best, "6 edges, 1 LOST$")
        test.put(new, "5 11", 2000)
        test.expect("an input that is too long", "fuzz_npy", 0, best)
        long = test.put("build/merged/fuzz_descriptor_trip", "5 11", 2000)
        test.expect("an input that is not too long for a descriptor", "fuzz_descriptor_trip", 0, [long])
        (test.tree / "dead").touch()
        test.expect("an engine that does not work", "fuzz_npy", 1, best, "the archive stays as it is")
        (test.tree / "dead").unlink()
        for number in range(2200):
            test.put(new, "1 %d" % (number % 8 + 100 * number), 1000)
        test.expect("inputs of more than 2 MiB", "fuzz_npy", 1, best, "exceed 2 MiB")
        return 1 if test.failed else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("check", "format", "selftest"):
        commands.add_parser(name)
    commands.add_parser("table").add_argument("prefix", nargs="?", default="")
    commands.add_parser("distil").add_argument("targets", nargs="*")
    for name in ("pack", "unpack"):
        command = commands.add_parser(name)
        command.add_argument("target")
        command.add_argument("folder", type=pathlib.Path)
    options = parser.parse_args()
    if options.command == "check":
        return check()
    if options.command == "format":
        write_index(read_index())
    if options.command == "table":
        table(options.prefix)
    if options.command == "pack":
        pack(options.target, sorted(options.folder.iterdir()))
    if options.command == "unpack":
        unpack(options.target, options.folder)
    if options.command == "distil":
        return distil(options.targets)
    return selftest() if options.command == "selftest" else 0


if __name__ == "__main__":
    sys.exit(main())
