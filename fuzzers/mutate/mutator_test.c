/* Tests the mutator with a testee that reached rare places: the results are children of those inputs, each once. */
#include "base/rng.h"
#include "base/suite.h"
#include "fuzz.h"
#include "runtime/rare_inputs.h"

enum { INPUTS = 1000, MAX_BYTES = 4096 };

const char fuzz_name[] = "descriptor_test";
const unsigned fuzz_hashes_per_byte = 0;

int fuzz_one_input(const uint8_t *data, size_t size) {
    (void)data, (void)size;
    return 0;
}

/* Defined in mutator.c for AFL++. */
unsigned int afl_custom_fuzz_count(void *state, const uint8_t *data, size_t size);

/* Counts the mutations of `text` that were generated before. */
static unsigned made_again(const char *text) {
    static uint64_t hashes[INPUTS];
    static uint8_t data[MAX_BYTES];
    unsigned count = 0;
    for (unsigned i = 0; i < INPUTS; i++) {
        memcpy(data, text, strlen(text));
        const size_t size = LLVMFuzzerCustomMutator(data, strlen(text), sizeof data, i);
        assert_in_range(size, 1, sizeof data);
        hashes[i] = ndp_hash_bytes(data, size, NDP_HASH_START);
        unsigned before = 0;
        while (hashes[before] != hashes[i]) before++;
        count += before < i;
    }
    return count;
}

static void test_children_of_rare_inputs_are_unique(void **state) {
    static const char text[] = "{\"ndproof\":1,\"value\":{\"array\":{\"base\":{\"dtype\":\"<f8\",\"shape\":[3]}}}}";
    static uint8_t counted[64] = {1};
    struct fuzz_reach reach;
    /* Without a testee, the engine's input is mutated, and results repeat. */
    assert_in_range(made_again(text), INPUTS / 4, INPUTS);
    assert_true(fuzz_rare_reach((struct ndp_bytes){counted, sizeof counted}, &reach));
    fuzz_rare_keep(&reach, ndp_bytes_view(text));
    /* The engine's input is still mutated sometimes. */
    assert_in_range(made_again(text), 0, INPUTS / 5);
}

/* A decode case has the format of its fault; on another route, nothing could run it. */
static void test_blind_generation_keeps_the_route(void **state) {
    static const char text[] = "{\"ndproof\":1,\"value\":{\"array\":{\"base\":{\"dtype\":\"<f8\",\"shape\":[3]}}},"
                               "\"route\":{\"format\":\"joblib\"}}";
    static uint8_t data[MAX_BYTES];
    unsigned decoded = 0;
    assert_int_equal(setenv("NDP_FUZZ_BLIND", "1", 1), 0);
    for (unsigned seed = 0; seed < INPUTS; seed++) {
        struct ndp_arena arena = {.limit_bytes = UINT64_C(1) << 26};
        struct ndp_descriptor made;
        memcpy(data, text, strlen(text));
        const struct ndp_bytes bytes = {data, LLVMFuzzerCustomMutator(data, strlen(text), sizeof data, seed)};
        assert_int_equal(ndp_descriptor_read(&arena, bytes, &ndp_describe_default_limits, &made, NULL), NDP_OK);
        if (made.kind == NDP_CASE_ROUND_TRIP) assert_string_equal(made.route.format, "joblib");
        decoded += made.kind == NDP_CASE_DECODE;
        ndp_arena_clear(&arena);
    }
    assert_int_equal(unsetenv("NDP_FUZZ_BLIND"), 0);
    assert_in_range(decoded, 0, INPUTS / 20);
}

/* New paths of an input do not extend its turn in AFL++: the other inputs wait. */
static void test_turns_have_the_same_length(void **state) {
    const uint8_t some[] = "{}", none[] = "";
    const unsigned turn = afl_custom_fuzz_count(NULL, some, sizeof some - 1);
    assert_in_range(turn, 1, 256);
    assert_int_equal(afl_custom_fuzz_count(NULL, none, 0), turn);
}

/* The first call comes before any rare input. */
NDP_SUITE(mutator_test, NDP_TEST(test_blind_generation_keeps_the_route),
          NDP_TEST(test_children_of_rare_inputs_are_unique), NDP_TEST(test_turns_have_the_same_length));
