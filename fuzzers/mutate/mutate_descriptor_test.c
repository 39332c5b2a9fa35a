/* mutate_descriptor_test.c: for a target with a testee whose formats have no named faults, every mutation of a
 * descriptor can be built, is no decode case, and is a graph as often as the target requests. */

#include "base/suite.h"
#include "mutate/mutate.h"
#include "runtime/cases.h"

enum { MADE = 2000, GENERATIONS = 4, GRAPHS_ONE_IN = 2, NEW_ONE_IN = 4, TEXT_BYTES = 1 << 16 };

static const char *const formats[] = {"cloudpickle", NULL};
const struct fuzz_cases fuzz_cases = {.formats = formats, .with_testee = true, .graphs_one_in = GRAPHS_ONE_IN};

#define VALUE(dtype) "{\"ndproof\":1,\"value\":{\"array\":{\"base\":{\"dtype\":\"" dtype "\",\"shape\":[3]}}}"
static const char *const texts[] = {
    VALUE("<f8") "}",
    VALUE("|O") "}",
    VALUE("<i4") ",\"fault\":{\"name\":\"cut\",\"argument\":1},\"route\":{\"format\":\"npy\"}}",
    "it is no descriptor",
};

/* Mutates `text` (TEXT_BYTES) in place, sometimes by crossing it with the first of the texts. */
static void make(uint64_t seed, char *text) {
    struct ndp_arena arena = {.limit_bytes = UINT64_C(1) << 26};
    struct ndp_buffer out = {.max_bytes = TEXT_BYTES - 1};
    struct ndp_choices choices;
    const struct ndp_bytes from = {(const uint8_t *)text, strlen(text)}, other = ndp_bytes_view(texts[0]);
    ndp_choices_init_seed(&choices, seed);
    const enum ndp_status status = seed % 4 == 0 ? fuzz_cross_descriptor(&arena, &choices, from, other, &out)
                                                 : fuzz_mutate_descriptor(&arena, &choices, from, &out);
    if (status != NDP_LIMIT) assert_int_equal(status, NDP_OK);
    if (status == NDP_OK) snprintf(text, TEXT_BYTES, "%.*s", (int)out.size_bytes, (const char *)out.data);
    ndp_buffer_clear(&out);
    ndp_arena_clear(&arena);
}

/* Whether the text describes a graph. */
static bool check(const char *text) {
    struct ndp_arena arena = {.limit_bytes = UINT64_C(1) << 26};
    struct ndp_descriptor descriptor;
    struct ndp_error error = {0};
    if (ndp_descriptor_read(&arena, ndp_bytes_view(text), &ndp_describe_default_limits, &descriptor, &error) !=
            NDP_OK ||
        ndp_descriptor_check(&arena, &descriptor, &error) != NDP_OK)
        fail_msg("%s: %s", text, error.text);
    if (descriptor.kind != NDP_CASE_ROUND_TRIP) fail_msg("%s", text);
    const bool is_graph = descriptor.value.kind == NDP_VALUE_GRAPH;
    ndp_arena_clear(&arena);
    return is_graph;
}

static void test_mutations_can_be_run(void **state) {
    static char text[TEXT_BYTES];
    for (size_t i = 0; i < NDP_ARRAY_LEN(texts); i++) {
        for (uint64_t seed = 0; seed < MADE / GENERATIONS; seed++) {
            snprintf(text, sizeof text, "%s", texts[i]);
            for (uint64_t k = 0; k < GENERATIONS; k++) {
                make(seed * GENERATIONS + k, text);
                (void)check(text);
            }
        }
    }
}

/* One step in four crosses and generates nothing; of the other three, one in NEW_ONE_IN generates, half as many as
 * mutate a graph. */
static void test_arrays_become_graphs(void **state) {
    static char text[TEXT_BYTES];
    uint64_t graphs = 0;
    for (uint64_t seed = 0; seed < MADE; seed++) {
        snprintf(text, sizeof text, "%s", texts[0]);
        make(seed, text);
        graphs += check(text);
    }
    assert_in_range(graphs, MADE * 3 / 4 / NEW_ONE_IN * 3 / 4, MADE * 3 / 4 / NEW_ONE_IN * 5 / 4);
}

/* Texts for the parser may be anything, but the same seed gives the same text. */
static void test_corruption_follows_the_seed(void **state) {
    uint64_t changed = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        struct ndp_buffer out[2] = {{.max_bytes = TEXT_BYTES}, {.max_bytes = TEXT_BYTES}};
        for (int i = 0; i < 2; i++) {
            struct ndp_arena arena = {.limit_bytes = UINT64_C(1) << 22};
            struct ndp_choices choices;
            ndp_choices_init_seed(&choices, seed);
            assert_int_equal(fuzz_corrupt_descriptor(&arena, &choices, ndp_bytes_view(texts[2]), &out[i]), NDP_OK);
            ndp_arena_clear(&arena);
        }
        assert_true(ndp_bytes_is_equal(ndp_buffer_view(&out[0]), ndp_buffer_view(&out[1])));
        changed += !ndp_bytes_is_equal(ndp_buffer_view(&out[0]), ndp_bytes_view(texts[2]));
        for (int i = 0; i < 2; i++) ndp_buffer_clear(&out[i]);
    }
    assert_in_range(changed, 150, 200);
}

NDP_SUITE(mutate_descriptor_test, NDP_TEST(test_mutations_can_be_run), NDP_TEST(test_arrays_become_graphs),
          NDP_TEST(test_corruption_follows_the_seed));
