/* counters.c: one region of shared memory for the testee, libFuzzer and AFL++.
 *
 * libFuzzer reads an array in the section __libfuzzer_extra_counters: the region is mapped over it. AFL++ assigns a
 * place in its map to every word of the section __sancov_guards: the section gets one word per counter, and the
 * counters are copied to these places after each input. The testee inherits the region as descriptor 5. Source: LLVM
 * 14, compiler-rt/lib/fuzzer/FuzzerExtraCounters.cpp; AFL++ 4.04, instrumentation/afl-compiler-rt.o.c. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memfd_create */
#endif
#include "runtime/counters.h"

#include <limits.h>
#include <pthread.h>
#include <sys/mman.h>

#include "base/rng.h"
#include "fuzz.h"
#include "target/process/isolate.h"

#define SCRIPT "harness/testees/python/ndproof_testee.py"

/* No padding may be between the words of this section. */
#ifdef __clang__
#define ALONE no_sanitize("address")
#else
#define ALONE used
#endif

/* Page-aligned, so that a mapping can replace it. */
__attribute__((section("__libfuzzer_extra_counters"), aligned(4096), used, ALONE)) static uint8_t region[FUZZ_COUNTERS];

/* libFuzzer clears the counters itself; without an engine, this function does. */
void fuzz_before_input(void) {
    memset(region, 0, sizeof region);
}

#ifdef __AFL_COMPILER
/* __afl_area_ptr under the name that the linker defines (Makefile): the compiler defines another __afl_area_ptr in
 * each file. */
extern uint8_t *fuzz_afl_map;
__attribute__((section("__sancov_guards"), used, ALONE)) static uint32_t places[FUZZ_COUNTERS];

/* Nearly all counters are zero after an input, so eight are tested at once. */
void fuzz_after_input(void) {
    uint64_t word;
    for (uint32_t start = 0; start < FUZZ_COUNTERS; start += sizeof word) {
        memcpy(&word, region + start, sizeof word);
        for (uint32_t i = start; word != 0 && i < start + sizeof word; i++)
            if (region[i]) fuzz_afl_map[places[i]] = region[i];
    }
}

/* Checks that each guard word has its own place in the map and that counts arrive there. */
static bool engine_sees_region(void) {
    fuzz_after_input();
    for (uint32_t i = 0; i < FUZZ_COUNTERS; i++) {
        if (places[i] == 0 || (i > 0 && places[i] == places[i - 1])) return false;
        if (region[i] && fuzz_afl_map[places[i]] != region[i]) return false;
    }
    return true;
}

/* The guard process of a testee is a fork of this process; its coverage must not count for an input. */
static void restore_map(void) {
    static uint8_t own_map[1 << 23];
    fuzz_afl_map = own_map;
}
#else
/* The linker places the array in the section that libFuzzer reads. */
static bool engine_sees_region(void) {
    return true;
}

static void restore_map(void) {
}
#endif

static struct ndp_target *testee;
static uint64_t opened_us; /* processor time before the testee was opened */
static struct ndp_feedback feedback = {-1, FUZZ_COUNTERS - FUZZ_OBSERVED, false};

static void share_region(void) {
    feedback.fd = memfd_create("ndproof-counters", MFD_CLOEXEC);
    FUZZ_CHECK(feedback.fd >= 0 && ftruncate(feedback.fd, sizeof region) == 0);
    FUZZ_CHECK(mmap(region, sizeof region, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, feedback.fd, 0) == region);
}

/* Finds `name` in the folder of this program or in a folder above it. */
static bool find_file(const char *name, char *out, size_t out_bytes) {
    char folder[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", folder, sizeof folder - 1);
    if (length <= 0) return false;
    folder[length] = '\0';
    for (char *slash = strrchr(folder, '/'); slash; slash = strrchr(folder, '/')) {
        *slash = '\0';
        const int written = snprintf(out, out_bytes, "%s/%s", folder, name);
        if (written > 0 && (size_t)written < out_bytes && access(out, R_OK) == 0) return true;
    }
    return false;
}

static void find_python(char *out, size_t out_bytes) {
    const char *named = getenv("NDP_FUZZ_PYTHON");
    snprintf(out, out_bytes, "%s", named ? named : "python3");
    if (named || find_file("build/env/fuzz/bin/python3", out, out_bytes)) return;
    if (find_file("build/env/current/bin/python3", out, out_bytes)) return;
    if (!find_file("build/venv/bin/python3", out, out_bytes)) snprintf(out, out_bytes, "python3");
}

static uint32_t counted(void) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < feedback.count; i++) count += region[i] != 0;
    return count;
}

/* Whether the same counters are nonzero as in `before`. */
static bool is_same_way(const uint8_t *before) {
    for (uint32_t i = 0; i < feedback.count; i++)
        if ((before[i] != 0) != (region[i] != 0)) return false;
    return true;
}

/* Sends an NPY file whose shape text ends in `text` to the testee; its counts stay in the region. */
static void read_header(const char *text) {
    char npy[192];
    snprintf(npy, sizeof npy, "\x93NUMPY\x01%cv%c{'descr': '<f8', 'fortran_order': False, 'shape': %-67s\n%-24s", 0, 0,
             text, "");
    memset(region, 0, sizeof region);
    struct ndp_program program = {.step_count = 3, .supplied = {(const uint8_t *)npy, 152}};
    program.steps[0] = (struct ndp_step){.op = NDP_STEP_SUPPLY, .to = NDP_SLOT_ENCODED};
    program.steps[1] = (struct ndp_step){
        .op = NDP_STEP_DECODE, .from = NDP_SLOT_ENCODED, .to = NDP_SLOT_RESULT, .format = "npy", .entry = "memory"};
    program.steps[2] = (struct ndp_step){.op = NDP_STEP_OBSERVE, .from = NDP_SLOT_RESULT, .to = NDP_SLOT_RESULT};
    struct ndp_arena arena = {.limit_bytes = 1 << 24};
    struct ndp_outcome outcome = {0};
    FUZZ_CHECK(testee->ops->submit(testee, &program, 1, NULL) == NDP_OK &&
               testee->ops->collect(testee, &arena, &outcome, 1, NULL) == NDP_OK);
    ndp_arena_clear(&arena);
}

/* Two cases that take different paths must change different counters, and exact counting must count a repeated case
 * again. Without this check, dead feedback would look like a target without anything left to find. */
static void check_feedback(void) {
    static const char right[] = "(3,), }", wrong[] = "(3,), 'and': 1}";
    static uint8_t before[FUZZ_COUNTERS];
    read_header(right);
    const uint32_t first = counted();
    memcpy(before, region, sizeof before);
    read_header(wrong);
    const uint32_t second = counted();
    fprintf(stderr, "ndproof: feedback of %s %s under %s: %u counters, then %u\n", testee->info.implementation,
            testee->info.version, testee->info.language, first, second);
    FUZZ_CHECK_OF("the testee claims feedback, but none of its counters changed", first > 0 && second > 0);
    FUZZ_CHECK_OF("the testee changed the same counters in two different cases", !is_same_way(before));
    FUZZ_CHECK_OF("the engine does not read the testee's counters", engine_sees_region());
    fuzz_has_feedback(first);
    if (!feedback.is_exact) return;
    read_header(wrong);
    FUZZ_CHECK_OF("the testee claims exact counting, but did not count a repeated case", counted() > 0);
}

void fuzz_open_testee(struct ndp_bench *bench) {
    char python[PATH_MAX], script[PATH_MAX];
    const char *mode = getenv("NDP_FUZZ_COUNTERS"), *named = getenv("NDP_FUZZ_TESTEE");
    const bool has_feedback = !mode || strcmp(mode, "none") != 0;
    FUZZ_CHECK(bench->count < NDP_MAX_TARGETS);
    (void)pthread_atfork(NULL, NULL, restore_map);
    share_region();
    find_python(python, sizeof python);
    if (named)
        snprintf(script, sizeof script, "%s", named);
    else if (!find_file(SCRIPT, script, sizeof script))
        fuzz_cannot_work("the Python testee is not in a folder above this program");
    feedback.is_exact = mode && strcmp(mode, "exact") == 0;
    struct ndp_target_limits limits = ndp_target_default_limits;
    if (has_feedback) limits.feedback = &feedback;
    char *const argv[] = {python, script, NULL};
    struct ndp_error error = {0};
    if (ndp_target_open_process("numpy", "", argv, &limits, &testee, &error) != NDP_OK) fuzz_cannot_work(error.text);
    bench->targets[bench->count++] = testee;
    if (testee->info.has_feedback)
        check_feedback();
    else
        fprintf(stderr, "ndproof: %s %s under %s reports no coverage\n", testee->info.implementation,
                testee->info.version, testee->info.language);
    opened_us = ndp_isolate_tree_cpu_us((int)getpid());
}

uint64_t fuzz_testee_us(void) {
    const uint64_t now_us = testee ? ndp_isolate_tree_cpu_us((int)getpid()) : 0;
    return now_us > opened_us ? now_us - opened_us : 0;
}

void fuzz_close_testee(struct ndp_bench *bench) {
    if (!testee) return;
    for (uint32_t i = 0; i < bench->count; i++)
        if (bench->targets[i] == testee) bench->targets[i] = bench->targets[--bench->count];
    ndp_target_close(testee);
    testee = NULL;
}

struct ndp_bytes fuzz_counted(void) {
    return (struct ndp_bytes){region, testee ? feedback.count : 0};
}

bool fuzz_is_testee(const struct ndp_target *target) {
    return target == testee;
}

/* ---- what was observed ---- */

static void count(const char *what, uint64_t value) {
    const uint64_t hash = ndp_hash_bytes(what, strlen(what), NDP_HASH_START ^ value * UINT64_C(0x9E3779B97F4A7C15));
    uint8_t *counter = &region[FUZZ_COUNTERS - FUZZ_OBSERVED + hash % FUZZ_OBSERVED];
    if (*counter < UINT8_MAX) (*counter)++;
}

static void count_dtype(const struct ndp_dtype *dtype, uint64_t order_of_array) {
    const uint64_t kind = (uint64_t)dtype->kind, order = (uint64_t)dtype->order;
    count("kind and order", kind << 16 | order << 8 | order_of_array);
    count("fields", dtype->kind == NDP_KIND_STRUCT ? dtype->field_count : 0);
    for (uint32_t i = 0; i < dtype->field_count && i < 4; i++)
        count("field", (uint64_t)dtype->fields[i].dtype->kind << 8 | (uint64_t)dtype->fields[i].dtype->order);
}

void fuzz_forget_input(void) {
    memset(region, 0, sizeof region);
    fuzz_forget_coverage();
}

void fuzz_observe(const struct ndp_result *result) {
    count("verdict", (uint64_t)result->verdict);
    if (result->refusal) {
        count("refusal", (uint64_t)result->refusal->reason);
        count(result->refusal->type, 0);
    }
    for (uint32_t i = 0; i < result->divergence_count; i++) count(result->divergences[i].judgement.field, i);
    const struct ndp_observation *seen[] = {result->has_source ? &result->source : NULL,
                                            result->has_result ? &result->result : NULL};
    for (uint32_t i = 0; i < NDP_ARRAY_LEN(seen); i++) {
        if (!seen[i] || !seen[i]->dtype) continue;
        const uint64_t ndim = seen[i]->ndim < 4 ? seen[i]->ndim : 4;
        count_dtype(seen[i]->dtype, (uint64_t)(seen[i]->flags & 3) << 1 | i);
        count("ndim and flags", ndim << 16 | (uint64_t)seen[i]->flags << 1 | i);
    }
}
