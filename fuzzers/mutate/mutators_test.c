/* mutators_test.c: every mutator gives the same bytes for the same seed, within the size limit, and an error without
 * memory; most changes keep the form of the file. The inputs are corpus files that other implementations wrote
 * (corpus/index.json). */
#include <dirent.h>

#include "base/suite.h"
#include "codec/joblib/joblib_read.h"
#include "codec/npz/npz_read.h"
#include "codec/pickle/pickle_graph.h"
#include "mutate/mutate.h"

enum { FILE_BYTES = 1 << 14, SEEDS = 40 };

typedef bool is_accepted(struct ndp_arena *arena, struct ndp_bytes bytes);

static bool is_dump(struct ndp_arena *arena, struct ndp_bytes bytes) {
    const struct ndp_joblib_options options = {.compress = {.output_bytes = 1 << 22, .memory_bytes = 1 << 24}};
    struct ndp_npy_array array = {0};
    const bool is_read = ndp_joblib_read_array_memory(arena, bytes, &options, &array, NULL) == NDP_OK;
    ndp_npy_array_clear(&array);
    return is_read;
}

static bool is_npy(struct ndp_arena *arena, struct ndp_bytes bytes) {
    struct ndp_npy_array array = {0};
    const bool is_read = ndp_npy_decode_memory(arena, bytes, NULL, &array, NULL) == NDP_OK;
    ndp_npy_array_clear(&array);
    return is_read;
}

static bool is_archive(struct ndp_arena *arena, struct ndp_bytes bytes) {
    static const struct ndp_npz_limits limits = {64, 1 << 16, 1 << 18, .free_bytes = 1 << 12, .ratio = 64};
    struct ndp_npz *npz = NULL;
    struct ndp_npy_array array = {0};
    const bool is_read = ndp_npz_open_memory(bytes, &limits, &npz, NULL) == NDP_OK && ndp_npz_count(npz) > 0 &&
                         ndp_npz_read_array(npz, arena, 0, NULL, &array, NULL) == NDP_OK;
    ndp_npy_array_clear(&array);
    ndp_npz_free(npz);
    return is_read;
}

static bool is_graph(struct ndp_arena *arena, struct ndp_bytes bytes) {
    struct ndp_graph graph;
    return ndp_pickle_graph_decode(arena, bytes, &graph, NULL) == NDP_OK;
}

/* Minimum share of accepted results; 0: no minimum. */
static const struct form {
    const char *folder;
    fuzz_mutate *mutate;
    fuzz_cross *cross;
    is_accepted *accepts;
    uint64_t percent;
} forms[] = {
    {"corpus/joblib/accept", fuzz_mutate_joblib, fuzz_cross_joblib, is_dump, 25},
    {"corpus/memmap", fuzz_mutate_memmap, fuzz_cross_memmap, NULL, 0},
    {"corpus/npy/accept", fuzz_mutate_npy, fuzz_cross_npy, is_npy, 50},
    {"corpus/npz/accept", fuzz_mutate_npz, fuzz_cross_npz, NULL, 0},
    {"corpus/pickle/accept", fuzz_mutate_pickle, fuzz_cross_pickle, NULL, 0},
    {"corpus/pickle/accept", fuzz_mutate_graph, fuzz_cross_pickle, is_graph, 25},
};

/* Runs the mutator once, or crosses the file with itself. */
static enum ndp_status run(const struct form *form, struct ndp_bytes file, uint64_t seed, uint64_t fail_at,
                           struct ndp_buffer *out) {
    struct ndp_choices choices;
    ndp_choices_init_seed(&choices, seed);
    NDP_ARENA_SCOPED(arena, UINT64_C(1) << 26);
    ndp_arena_fail_at(&arena, fail_at);
    const enum ndp_status status =
        seed % 4 == 0 ? form->cross(&arena, &choices, file, file, out) : form->mutate(&arena, &choices, file, out);
    return status;
}

static bool check_one(const struct form *form, struct ndp_bytes file, uint64_t seed) {
    struct ndp_buffer first = {.max_bytes = FILE_BYTES}, again = {.max_bytes = FILE_BYTES};
    struct ndp_arena arena = {.limit_bytes = UINT64_C(1) << 26};
    const enum ndp_status status = run(form, file, seed, 0, &first);
    assert_int_equal(run(form, file, seed, 0, &again), status);
    assert_true(ndp_bytes_is_equal(ndp_buffer_view(&first), ndp_buffer_view(&again)));
    assert_true(status == NDP_OK || status == NDP_LIMIT || status == NDP_INVALID);
    again.size_bytes = 0;
    const enum ndp_status without = run(form, file, seed, 1 + seed % 64, &again);
    assert_true(without == NDP_NOMEM || without == status || without == NDP_OK || without == NDP_LIMIT);
    const bool is_good = status == NDP_OK && form->accepts && form->accepts(&arena, ndp_buffer_view(&first));
    ndp_arena_clear(&arena);
    ndp_buffer_clear(&first);
    ndp_buffer_clear(&again);
    return is_good;
}

static bool load(const char *folder, const char *name, uint8_t *bytes, uint64_t *size_bytes) {
    char path[512];
    const char *ending = strrchr(name, '.');
    if (!ending || ending == name || strcmp(ending, ".json") == 0 || strcmp(ending, ".md") == 0) return false;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    if (!file) return false;
    *size_bytes = fread(bytes, 1, FILE_BYTES, file);
    (void)fclose(file);
    return true;
}

static void check_form(const struct form *form) {
    static uint8_t bytes[FILE_BYTES];
    uint64_t size, count = 0, good = 0;
    DIR *folder = opendir(form->folder);
    if (!folder) skip();
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        if (!load(form->folder, entry->d_name, bytes, &size)) continue;
        for (uint64_t seed = 0; seed < SEEDS; seed++, count++)
            if (check_one(form, (struct ndp_bytes){bytes, size}, seed)) good++;
    }
    (void)closedir(folder);
    if (count == 0 || good * 100 < count * form->percent)
        fail_msg("%s: %llu of %llu accepted", form->folder, (unsigned long long)good, (unsigned long long)count);
}

static void test_changes_follow_the_seed_and_keep_the_form(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(forms); i++) check_form(&forms[i]);
}

/* Most seeds of a decoder are invalid; their mutations would be, too. */
static void test_a_file_without_the_form_is_replaced(void **state) {
    static const struct form anew[] = {
        {"npy", fuzz_mutate_npy, fuzz_cross_npy, is_npy, 30},
        {"npz", fuzz_mutate_npz, fuzz_cross_npz, is_archive, 30},
    };
    const struct ndp_bytes broken = ndp_bytes_view("no file of any form");
    for (size_t i = 0; i < NDP_ARRAY_LEN(anew); i++) {
        uint64_t good = 0;
        for (uint64_t seed = 0; seed < 400; seed++)
            if (seed % 4 != 0 && check_one(&anew[i], broken, seed)) good++;
        if (good * 100 < 300 * anew[i].percent) fail_msg("%s: %llu of 300", anew[i].folder, (unsigned long long)good);
    }
}

/* Input without any form is refused or changed, and is not read past its end. */
static void test_any_bytes_are_accepted(void **state) {
    uint8_t bytes[256];
    for (size_t i = 0; i < NDP_ARRAY_LEN(forms); i++) {
        for (uint64_t seed = 1; seed < 400; seed++) {
            struct ndp_buffer out = {.max_bytes = FILE_BYTES};
            struct ndp_rng rng;
            ndp_rng_init(&rng, seed);
            for (size_t k = 0; k < sizeof bytes; k++) bytes[k] = (uint8_t)ndp_rng_next(&rng);
            const enum ndp_status status =
                run(&forms[i], (struct ndp_bytes){bytes, seed % sizeof bytes}, seed, 0, &out);
            assert_true(status == NDP_OK || status == NDP_INVALID || status == NDP_LIMIT);
            ndp_buffer_clear(&out);
        }
    }
}

NDP_SUITE(mutators_test, NDP_TEST(test_changes_follow_the_seed_and_keep_the_form),
          NDP_TEST(test_a_file_without_the_form_is_replaced), NDP_TEST(test_any_bytes_are_accepted));
