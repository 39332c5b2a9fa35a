#!/usr/bin/env python3
"""Runs fuzz targets. The form of a target, fuzz_<form>[_<qualifier>], selects its dictionary and seeds.

usage: fuzz.py libfuzzer|afl SECONDS PROGRAM... [--mutators FOLDER]   run each under an engine; findings go to reports/crashes/
       fuzz.py replay [--reference] PROGRAM...   run the corpus through targets that were built for replay; --reference
                                     leaves out those with a library
       fuzz.py bench PROGRAM...      executions per second of targets that were built for replay
       fuzz.py seeds NAME FOLDER     fill a folder with the committed inputs of a target
       fuzz.py lack NAME             print what a target needs and this machine lacks
       fuzz.py dictionary NAME       print its dictionary
Targets start from corpus/ and from the inputs of earlier runs (build/found/). --mutators: the folder of the AFL++ mutators.
"""

import contextlib
import os
import pathlib
import random
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
import zlib

os.chdir(pathlib.Path(__file__).resolve().parents[1])
LIBRARIES = ("numpy", "joblib", "cloudpickle", "dill", "numba")  # as in the Makefile
CRASHES = "reports/crashes"
LIBFUZZER_FOLDER = "build/clang-fuzz/fuzzers/"
# Short allocation stacks, a small quarantine, and no check of formats, which the compiler checks, are faster. New memory is
# filled up to 256 bytes. A replay shows complete reports.
SANITIZERS = (
    "allocator_may_return_null=1:detect_leaks=0:malloc_context_size=1:quarantine_size_mb=1:"
    "thread_local_quarantine_size_kb=64:max_malloc_fill_size=256:check_printf=0:dedup_token_length=3"
)
# bzip2 decodes a whole block before its first byte, which takes as long as 300 other inputs. The replay runs it.
NO_SEEDS = ("corpus/joblib/open/bomb.joblib",)
SHARE_SECONDS = 5
STATS = "executions valid comparisons mutated typed findings hits cpu_us typed_runs typed_valid feedback"  # runtime/stats.h


class Target:
    def __init__(self, name):
        words = name.split("_")
        self.name, self.form = name, words[1]
        self.library = words[-1] if len(words) > 2 and words[-1] in LIBRARIES else None

    def lack(self):
        """Returns what the target needs and this machine lacks; "" if it can run."""
        python = library_python()
        if self.library is None:
            return ""
        if python is None:
            return "build/venv does not exist (run make setup)"
        has_library = subprocess.run([python, "-c", "import " + self.library], capture_output=True).returncode == 0
        return "" if has_library else "%s has no %s (make env NAME=fuzz)" % (python, self.library)

    def dictionary(self):
        paths = ("fuzzers/%s.dict" % self.name, "fuzzers/fuzz_%s.dict" % self.form)
        return next((path for path in paths if os.path.exists(path)), None)

    def own_inputs(self, folder):
        """Copies the named inputs of this target and unpacks its distilled ones into `folder`."""
        named, archive = pathlib.Path("corpus/fuzz", self.name), pathlib.Path("corpus/fuzz", self.name + "_seed_corpus.zip")
        if named.exists():
            shutil.copytree(named, folder, dirs_exist_ok=True)
        if archive.exists():
            shutil.unpack_archive(archive, folder)

    def seeds(self, folder):
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        self.own_inputs(folder)
        for path in corpus_files():
            if path.parts[1] == ("value" if self.form == "descriptor" else self.form) and str(path) not in NO_SEEDS:
                shutil.copy(path, os.path.join(folder, "-".join(path.parts)))
        if not os.listdir(folder):
            pathlib.Path(folder, "empty").write_text("{}\n")

    def prefix(self, core=None):
        """Pins a target and its testee to one processor, because they alternate and waking another processor is slow."""
        if self.library is None or shutil.which("taskset") is None:
            return []
        return ["taskset", "-c", str(nth_core(random.randrange(1 << 16) if core is None else core))]

    def speed_goal(self):
        """Goal for executions per second of processor time with sanitizers; a nightly run requires a tenth of it."""
        return 3000 if self.library else 20000 if self.form == "descriptor" else 50000

    def stats(self, engine):
        try:
            numbers = struct.unpack("=11Q", pathlib.Path(stats_path(engine, self.name)).read_bytes()[:88])
        except (OSError, struct.error):
            numbers = (0,) * 11
        return dict(zip(STATS.split(), numbers))

    def afl_fact(self, name):
        try:
            lines = pathlib.Path("build/found/%s/afl/main/fuzzer_stats" % self.name).read_text().splitlines()
        except OSError:
            return ""
        return next((line.split(":")[1].strip(" %") for line in lines if line.split(":")[0].strip() == name), "")


def library_python():
    """The interpreter that fuzzers/runtime/counters.c selects."""
    pythons = [os.environ.get("NDP_FUZZ_PYTHON")] + ["build/%s/bin/python3" % env for env in ("env/fuzz", "env/current", "venv")]
    return next((python for python in pythons if python and os.access(python, os.X_OK)), None)


def corpus_files():
    """Every committed input except those of single targets."""
    paths = sorted(path for path in pathlib.Path("corpus").glob("*/**/*") if path.is_file())
    return [path for path in paths if path.parts[1] != "fuzz"]


def nth_core(n):
    cores = sorted(os.sched_getaffinity(0))
    return cores[n % len(cores)]


def stats_path(engine, name):
    return "build/fuzz-%s-%s.stats" % (engine, name)


@contextlib.contextmanager
def scratch():
    """Makes a temporary folder, in memory if possible, because cases write many small files."""
    parent = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="ndproof-fuzz-", dir=parent) as folder:
        os.environ["TMPDIR"] = folder
        yield folder


# ---- processes ----

children, is_cut = set(), threading.Event()


def run(command, log, env=None):
    """Runs a command in its own process group; returns its exit code."""
    if is_cut.is_set():
        return -signal.SIGTERM
    if shutil.which(command[0]) is None:
        pathlib.Path(log).write_text("%s is not installed\n" % command[0])
        return 127
    with open(log, "ab") as sink:
        child = subprocess.Popen(command, stdout=sink, stderr=sink, env=dict(os.environ, **env or {}), start_new_session=True)
    children.add(child)
    code = child.wait()
    children.discard(child)
    return code


def cut_short(*_):
    is_cut.set()
    for child in list(children):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGTERM)


def heed_signals():
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, cut_short)


# ---- the engines ----


def new_of_afl(queues, seen):
    """Yields the inputs that instances of AFL++ found since the last call, without imported ones. An empty file is not
    written yet. Names identify files, because times may be equal."""
    for path in sorted(pathlib.Path(queues).glob("*/queue/id:*")):
        is_own = ",orig:" not in path.name and ",sync:" not in path.name
        with contextlib.suppress(OSError):
            if is_own and path not in seen and path.stat().st_size > 0:
                seen.add(path)
                yield path


def share_queues(queues, to, done, seconds=SHARE_SECONDS):
    """Copies new inputs of AFL++ into the folder that libFuzzer reloads, until `done` is set."""
    seen = set()
    list(new_of_afl(queues, seen))
    while not done.wait(seconds):
        for path in new_of_afl(queues, seen):
            with contextlib.suppress(OSError):
                content = path.read_bytes()
                pathlib.Path(to, "afl-%d-%d" % (zlib.crc32(content), len(content))).write_bytes(content)


def last_lines(log, count=15):
    return "\n".join(pathlib.Path(log).read_text(errors="replace").splitlines()[-count:])


def run_libfuzzer(target, program, seconds, log, seed, core=None):
    """Fuzzes into build/found/NAME/libfuzzer; restarts after a crash. Returns the reason if the engine could not run."""
    found = "build/found/%s/libfuzzer" % target.name
    queue = "build/found/%s/afl/main/queue" % target.name
    os.makedirs(found, exist_ok=True)
    os.makedirs(queue, exist_ok=True)
    pathlib.Path(log).write_bytes(b"")
    done = threading.Event()
    sharing = threading.Thread(target=share_queues, args=("build/found/%s/afl" % target.name, found, done))
    sharing.start()
    env = {
        "ASAN_OPTIONS": SANITIZERS,
        "UBSAN_OPTIONS": "print_stacktrace=1",
        "NDP_FUZZ_STATS": stats_path("libfuzzer", target.name),
    }
    dictionary = target.dictionary()
    ends, has_begun = time.monotonic() + seconds, False
    while time.monotonic() < ends and not is_cut.is_set():
        options = (
            "-max_total_time=%d -max_len=16384 -len_control=0 -timeout=20 -rss_limit_mb=3072 -seed=%d -reload=5 -entropic=0 "
            "-detect_leaks=0 -print_final_stats=1 -artifact_prefix=%s/%s-"
            % (max(1, ends - time.monotonic()), seed, CRASHES, target.name)
        ).split() + (["-dict=" + dictionary] if dictionary else [])
        code = run(target.prefix(core) + [program] + options + [found, "build/seeds/" + target.name, queue], log, env)
        has_begun = has_begun or b"INITED" in pathlib.Path(log).read_bytes()
        if code == 0:
            break
        if not has_begun:
            # AFL++ moves its queue when it starts, so the folder may be missing for a moment.
            if "No such file or directory" not in last_lines(log, 1):
                break
            time.sleep(1)
        seed += 1
    done.set()
    sharing.join()
    text = pathlib.Path(log).read_text(errors="replace")
    if not has_begun and not is_cut.is_set():
        return last_lines(log)
    return last_lines(log, 3) if "findings could not be written" in text else ""


def keep_crashes(instance):
    """Moves the crashes and hangs of an AFL++ instance to reports/crashes/, also those of an earlier run that was killed."""
    name = pathlib.Path(instance).parts[-3]
    for path in [*pathlib.Path(instance).glob("crashes/id:*"), *pathlib.Path(instance).glob("hangs/id:*")]:
        shutil.move(path, "%s/%s-afl-%d" % (CRASHES, name, zlib.crc32(path.read_bytes())))


def run_afl(target, program, seconds, log, seed, mutators, core=None, instance="main"):
    """Fuzzes into build/found/NAME/afl; the main instance imports the inputs of libFuzzer. Returns the reason if it could not run."""
    found, here = "build/found/%s/afl" % target.name, os.getcwd()
    os.makedirs(found, exist_ok=True)
    os.makedirs("build/found/%s/libfuzzer" % target.name, exist_ok=True)
    keep_crashes("%s/%s" % (found, instance))
    names = "SKIP_CPUFREQ I_DONT_CARE_ABOUT_MISSING_CRASHES NO_UI AUTORESUME NO_AFFINITY DISABLE_TRIM IGNORE_SEED_PROBLEMS FAST_CAL"
    env = {"AFL_" + name: "1" for name in names.split() + ["CMPLOG_ONLY_NEW"]}
    env.update(
        AFL_FORKSRV_INIT_TMOUT="60000",
        ASAN_OPTIONS=SANITIZERS + ":abort_on_error=1:symbolize=0",
        UBSAN_OPTIONS="abort_on_error=1:symbolize=0",
        LSAN_OPTIONS="exitcode=23:symbolize=0:print_suppressions=0",  # AFL++'s defaults trace every allocation
        NDP_FUZZ_STATS=os.path.join(here, stats_path("afl", target.name)),
        NDP_FUZZ_ARTIFACTS="%s/%s/%s-" % (here, CRASHES, target.name),
        # The mutator and the testee run in different processes.
        NDP_FUZZ_FRONTIER="%s/%s-%s.frontier" % (os.environ.get("TMPDIR", "/tmp"), target.name, instance),
    )
    mutator = os.path.join(here, mutators or "", target.name + ".so")
    if mutators and os.path.exists(mutator):
        env["AFL_CUSTOM_MUTATOR_LIBRARY"] = mutator
        # AFL++'s byte mutations would take most of the time; secondaries and libFuzzer make them.
        if instance == "main" or target.form == "descriptor":
            env["AFL_CUSTOM_MUTATOR_ONLY"] = "1"
    role = ["-M", "main", "-F", "%s/build/found/%s/libfuzzer" % (here, target.name)] if instance == "main" else ["-S", instance]
    dictionary = target.dictionary()
    command = target.prefix(core) + ["afl-fuzz", "-V", str(int(seconds)), "-m", "none", "-t", "5000", "-G", "16384", "-s", str(seed)]
    command += role + (["-x", dictionary] if dictionary else []) + ["-i", "build/seeds/" + target.name, "-o", found, "--", program]
    pathlib.Path(log).write_bytes(b"")
    code = run(command, log, env)
    keep_crashes("%s/%s" % (found, instance))
    has_run = any(word in last_lines(log, 1000) for word in ("fuzzing test case", "time limit was reached", "We're done here"))
    return "" if code == 0 or has_run or is_cut.is_set() else last_lines(log)


# ---- commands ----


def percent(part, whole):
    return "%.2f" % (100 * part / whole if whole else 0)


def print_stats(target, engine, log):
    s = target.stats(engine)
    print(
        "  %d executed in all runs, %d valid (%s %%), %d comparisons, %d findings seen %d times, %d executions per second of processor time"
        % (
            *(s["executions"], s["valid"], percent(s["valid"], s["executions"]), s["comparisons"], s["findings"], s["hits"]),
            s["executions"] * 1000000 // s["cpu_us"] if s["cpu_us"] else 0,
        )
    )
    print(
        "  mutated by structure: %d valid of %d (%s %%); corrupted on purpose: %d"
        % (s["typed_valid"], s["typed_runs"], percent(s["typed_valid"], s["typed_runs"]), s["mutated"] - s["typed"])
    )
    if s["feedback"]:
        print("  feedback of the testee: %d of its counters changed in the first check" % s["feedback"])
    if engine == "libfuzzer":
        lines = [line for line in pathlib.Path(log).read_text(errors="replace").splitlines() if "cov: " in line]
        print("\n".join("  " + line for line in lines[-1:]))
    else:
        for fact in "execs_done execs_per_sec corpus_count saved_crashes saved_hangs bitmap_cvg stability".split():
            print("  %s: %s" % (fact, target.afl_fact(fact)))


def fuzz(engine, seconds, programs, mutators):
    status, untested = 0 if programs else 1, []
    os.makedirs(CRASHES, exist_ok=True)
    heed_signals()
    for program in programs:
        target = Target(os.path.basename(program))
        lack = target.lack()
        if lack or is_cut.is_set():
            print("== %s: NOT RUN: %s" % (target.name, lack or "cut short"))
            untested.append(target.name)
            continue
        log = "build/fuzz-%s-%s.log" % (engine, target.name)
        target.seeds("build/seeds/" + target.name)
        print("== %s under %s for %d s (log: %s)" % (target.name, engine, seconds, log), flush=True)
        known = set(os.listdir(CRASHES))
        extra = (mutators,) if engine == "afl" else ()
        fault = {"libfuzzer": run_libfuzzer, "afl": run_afl}[engine](target, program, seconds, log, 1, *extra)
        print_stats(target, engine, log)
        if fault:
            print(fault)
            status = 1
        elif not is_cut.is_set() and target.stats(engine)["comparisons"] == 0:
            print("NOT TESTED: %s compared nothing" % target.name)
            status = status or 5
        for name in sorted(set(os.listdir(CRASHES)) - known):
            if name.endswith(".signature") or target.name + "-" not in name:
                continue
            status = 1
            print("  FOUND    build/ndproof replay %s/%s" % (CRASHES, name))
            beside = pathlib.Path(CRASHES, name + ".signature")
            if beside.exists():
                print("           " + beside.read_text().splitlines()[0])
    # Libraries that are not installed are named above; without any target that runs, nothing was tested.
    if programs and len(untested) == len(programs):
        print("NOT TESTED: " + ", ".join(untested))
        status = status or 5
    return status


def replay(programs):
    """A divergence of a library is a finding about the library, so a target with a library only must not crash. xargs
    returns 123 if a program returned 1 to 125, and 125 if a signal ended it."""
    status = 0
    for program in programs:
        target = Target(os.path.basename(program))
        with tempfile.TemporaryDirectory() as folder:
            target.own_inputs(folder)
            paths = corpus_files() + sorted(path for path in pathlib.Path(folder).rglob("*") if path.is_file())
            code = subprocess.run(["xargs", "-0", program], input=b"\0".join(map(os.fsencode, paths))).returncode
        if code != 0 and not (code == 123 and target.library):
            print("%s: exit code %d" % (target.name, code))
            status = 1
    return status


def replay_rates(command, env=None):
    """Executions of a replay per second and per second of processor time."""
    run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=dict(os.environ, **env or {}))
    return [float(word) for word in (run.stdout.split() + ["0", "0"])[:2]]


def libfuzzer_limit(program, folder, empty):
    """Executions of libFuzzer per second of processor time with an empty body: alone ("engine") or with our mutator."""
    before = os.times()
    options = "-max_total_time=1 -max_len=1024 -len_control=0 -entropic=0 -detect_leaks=0".split()
    env = dict(os.environ, NDP_FUZZ_EMPTY=empty)
    run = subprocess.run([program] + options + [folder], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, env=env)
    after = os.times()
    runs = [line.split()[1] for line in run.stderr.splitlines() if line.startswith("Done ")]
    seconds = after.children_user + after.children_system - before.children_user - before.children_system
    return float(runs[0]) / seconds if runs and seconds > 0 else 0


def bench(programs):
    """Measures on one core with committed inputs of up to 1 KiB. The goal refers to processor time, including the testee's,
    which does not depend on the load. Each route has the same share as in a fuzzing run. The limit is an empty body in the
    same run: of libFuzzer, alone and with our mutator, if the target is built for it (make fuzz), otherwise of the replay loop."""
    status, is_compared = 0, False
    os.environ["ASAN_OPTIONS"] = SANITIZERS
    print("%-28s %9s %9s %9s %8s %9s %7s %9s" % ("target", "exec/s", "per-cpu-s", "goal", "inputs", "empty", "share", "mutated"))
    for program in programs:
        target = Target(os.path.basename(program))
        if target.lack():
            print("%s: NOT RUN: %s" % (target.name, target.lack()))
            continue
        folder = "build/seeds/" + target.name
        target.seeds(folder)
        files = sorted(str(path) for path in pathlib.Path(folder).iterdir() if path.stat().st_size <= 1024)
        # A testee counts every line at first, which is slow, and only a few after a hundred cases.
        rate, own = replay_rates(target.prefix() + [program, "-seconds=%s" % (8 if target.library else 1.5)] + files)
        engine = LIBFUZZER_FOLDER + target.name
        has_engine = os.access(engine, os.X_OK)
        is_compared = is_compared or has_engine
        if has_engine:
            limit, mutated = (libfuzzer_limit(engine, folder, empty) for empty in ("engine", "body"))
        else:
            limit, mutated = replay_rates([program, "-seconds=0.3"] + files, {"NDP_FUZZ_EMPTY": "body"})[1], 0
        goal = target.speed_goal()
        row = (target.name, rate, own, goal, len(files), limit, 100 * own / limit if limit else 0, mutated)
        print("%-28s %9.0f %9.0f %9d %8d %9.0f %6.2f%% %9.0f" % row, "ok" if own >= goal else "MISSED", flush=True)
        if own < goal / 10:
            print("%s: expected at least a tenth of the goal" % target.name)
            status = 1
    if is_compared:
        print("empty: libFuzzer's own limit with an empty body, per second of processor time; mutated: the same with our mutator")
    else:
        print("empty: the replay loop with an empty body; NOT COMPARED with libFuzzer: no target in %s (make fuzz)" % LIBFUZZER_FOLDER)
    return status


def main(words):
    mutators = None
    if "--mutators" in words:
        at = words.index("--mutators")
        mutators = words[at + 1]
        del words[at : at + 2]
    command, *words = words
    if command == "lack":
        print(Target(words[0]).lack())
    elif command == "dictionary":
        print(Target(words[0]).dictionary() or "")
    elif command == "seeds":
        Target(words[0]).seeds(words[1])
    elif command == "replay":
        return replay([word for word in words[1:] if not Target(os.path.basename(word)).library] if words[0] == "--reference" else words)
    elif command == "bench":
        with scratch():
            return bench(words)
    else:
        with scratch():
            return fuzz(command, int(words[0]), words[1:], mutators)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
