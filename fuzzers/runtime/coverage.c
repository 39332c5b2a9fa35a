#include "runtime/coverage.h"

#include "fuzz.h"

#ifdef __AFL_COMPILER
extern uint8_t *fuzz_afl_map; /* __afl_area_ptr, see counters.c */
extern uint32_t __afl_map_size;

static uint8_t *counters(size_t *size) {
    *size = __afl_map_size;
    return fuzz_afl_map;
}
#else
/* The linker defines these names for libFuzzer's counters; they are NULL if there are none. */
extern uint8_t __start___sancov_cntrs[] __attribute__((weak, visibility("hidden")));
extern uint8_t __stop___sancov_cntrs[] __attribute__((weak, visibility("hidden")));

static uint8_t *counters(size_t *size) {
    uint8_t *const from = __start___sancov_cntrs;
    *size = from ? (size_t)(__stop___sancov_cntrs - from) : 0;
    return from;
}
#endif

/* A copy of the counters. */
struct copy {
    uint8_t *bytes; /* owned, never freed */
    size_t size;
};

static struct copy held, kept;
static bool is_holding;

static void save_counters(struct copy *copy) {
    size_t size;
    const uint8_t *from = counters(&size);
    if (size == 0) return;
    if (copy->size < size) {
        copy->bytes = realloc(copy->bytes, size);
        FUZZ_CHECK(copy->bytes);
        copy->size = size;
    }
    memcpy(copy->bytes, from, size);
}

static void restore_counters(const struct copy *copy) {
    size_t size;
    uint8_t *to = counters(&size);
    if (size > 0) memcpy(to, copy->bytes, size);
}

void fuzz_coverage_begin(void) {
    is_holding = false;
}

void fuzz_coverage_hold(void) {
    save_counters(&held);
    is_holding = true;
}

void fuzz_coverage_keep(void) {
    save_counters(&kept);
}

void fuzz_coverage_put_back(void) {
    restore_counters(&kept);
}

void fuzz_forget_coverage(void) {
    size_t size;
    uint8_t *to = counters(&size);
    if (is_holding)
        restore_counters(&held);
    else if (size > 0)
        memset(to, 0, size);
#ifdef __AFL_COMPILER
    to[0] = 1; /* as the engine leaves it at the start of an input */
#endif
}
