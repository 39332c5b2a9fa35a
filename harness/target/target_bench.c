/* Cases per second of the C reference, in this process and as a testee. The difference is the cost of the protocol.
 * Started as `target_bench serve` this program is that testee; started with the command of another testee
 * (`target_bench python3 /path/to/ndproof_testee.py`) it measures that one, too. */
#include "base/clock.h"
#include "target/process/child.h"
#include "target/protocol/serve.h"
#include "target/registry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { BATCH_CASES = 128, BATCHES = 200, SMALL_ELEMS = 16, LARGE_ELEMS = 1 << 13 };

/* Encodes, decodes and observes both sides, like a case of a sweep. */
static const struct ndp_step steps[] = {
    {.op = NDP_STEP_BUILD, .to = NDP_SLOT_SOURCE},
    {.op = NDP_STEP_OBSERVE, .from = NDP_SLOT_SOURCE, .to = NDP_SLOT_SOURCE},
    {.op = NDP_STEP_ENCODE, .from = NDP_SLOT_SOURCE, .to = NDP_SLOT_ENCODED, .format = "npy", .entry = "memory"},
    {.op = NDP_STEP_FETCH, .from = NDP_SLOT_ENCODED, .to = NDP_SLOT_ENCODED},
    {.op = NDP_STEP_DECODE, .from = NDP_SLOT_ENCODED, .to = NDP_SLOT_RESULT, .format = "npy", .entry = "memory"},
    {.op = NDP_STEP_OBSERVE, .from = NDP_SLOT_RESULT, .to = NDP_SLOT_RESULT},
};

static _Noreturn void give_up(const struct ndp_error *error) {
    fprintf(stderr, "target_bench: %s\n", error->text);
    exit(1);
}

/* CPU time of this process without testees and guards. */
static double own_cpu_us(void) {
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) != 0) return 0;
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e6 +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static void check(const struct ndp_outcome *outcomes, struct ndp_bytes elements) {
    for (uint32_t i = 0; i < BATCH_CASES; i++) {
        const struct ndp_slot_record *result = &outcomes[i].slots[NDP_SLOT_RESULT];
        if (outcomes[i].ended == NDP_VERDICT_PASS && result->has_observation &&
            ndp_bytes_is_equal(result->observation.elements, elements))
            continue;
        fprintf(stderr, "target_bench: a case was not completed: %s %s\n", outcomes[i].fault, result->refusal.message);
        exit(1);
    }
}

static void measure(const char *name, struct ndp_target *target, uint32_t elems) {
    static struct ndp_program programs[2][BATCH_CASES];
    static struct ndp_outcome outcomes[BATCH_CASES];
    static uint8_t data[LARGE_ELEMS * sizeof(double)];
    const struct ndp_dtype dtype = {
        .kind = NDP_KIND_FLOAT, .order = NDP_ORDER_LITTLE, .itemsize_bytes = sizeof(double)};
    const int64_t shape[] = {4, elems / 4};
    const struct ndp_array_value value = {.base = {.dtype = &dtype, .ndim = 2, .shape = shape},
                                          .class_name = ndp_bytes_view("ndarray")};
    const struct ndp_bytes elements = {data, elems * sizeof(double)};
    const uint32_t batches = elems == SMALL_ELEMS ? BATCHES : BATCHES / 20;
    struct ndp_error error = {.status = NDP_OK};
    struct ndp_arena arena;
    for (uint32_t i = 0; i < 2 * BATCH_CASES; i++) {
        struct ndp_program *program = &programs[i / BATCH_CASES][i % BATCH_CASES];
        *program = (struct ndp_program){
            .case_id = i, .step_count = NDP_ARRAY_LEN(steps), .value = &value, .base_bytes = elements};
        memcpy(program->steps, steps, sizeof steps);
    }
    ndp_arena_init(&arena, UINT64_C(1) << 30);
    const uint64_t start_ns = ndp_clock_ns();
    const double start_cpu_us = own_cpu_us();
    if (target->ops->submit(target, programs[0], BATCH_CASES, &error) != NDP_OK) give_up(&error);
    for (uint32_t i = 1; i <= batches; i++) {
        if (i < batches && target->ops->submit(target, programs[i % 2], BATCH_CASES, &error) != NDP_OK) give_up(&error);
        if (target->ops->collect(target, &arena, outcomes, BATCH_CASES, &error) != NDP_OK) give_up(&error);
        check(outcomes, elements);
        ndp_arena_clear(&arena);
    }
    const double seconds = (double)(ndp_clock_ns() - start_ns) / 1e9;
    const double cases = (double)batches * (double)BATCH_CASES;
    printf("%-22s %7u bytes %9.0f cases/s %7.1f us/case, of which %.1f us CPU time of this process\n", name,
           (unsigned)elements.size_bytes, cases / seconds, seconds / cases * 1e6,
           (own_cpu_us() - start_cpu_us) / cases);
}

static void measure_both(const char *name, struct ndp_target *target) {
    measure(name, target, SMALL_ELEMS);
    measure(name, target, LARGE_ELEMS);
    ndp_target_close(target);
}

int main(int argc, char **argv) {
    struct ndp_error error = {.status = NDP_OK};
    struct ndp_target *target;
    const struct ndp_plugin *reference = ndp_registry_find("reference");
    if (!reference) return 1;
    if (argc == 2 && strcmp(argv[1], "serve") == 0)
        return ndp_serve(reference, NDP_TESTEE_READ_FD, NDP_TESTEE_WRITE_FD, &error) == NDP_OK ? 0 : 1;
    if (ndp_target_open_plugin(reference, &target, &error) != NDP_OK) give_up(&error);
    measure_both("reference in process", target);
    char program[] = "/proc/self/exe", serve[] = "serve";
    char *own[] = {program, serve, NULL};
    if (ndp_target_open_process("reference", "", own, NULL, &target, &error) != NDP_OK) give_up(&error);
    measure_both("reference as testee", target);
    if (argc < 2) return 0;
    if (ndp_target_open_process("other", "", argv + 1, NULL, &target, &error) != NDP_OK) give_up(&error);
    measure_both("the given testee", target);
    return 0;
}
