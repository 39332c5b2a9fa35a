/* generate_stable_test.c: a seed gives the same descriptors on every machine and in every build.
 *
 * The numbers are hashes of canonical texts. A deliberate change of generation changes them. Seeds recorded earlier
 * then give other cases, which the commit must mention.
 */
#include "base/suite.h"
#include "generate/generate_parts.h"

#define VALUES_HASH UINT64_C(0x3cd4c9772838bd70)
#define FAULTS_HASH UINT64_C(0x85ff95bdea112742)
#define BYTES_HASH  UINT64_C(0xabb0a679cf6dacdc)

enum { ARENA_BYTES = 1 << 26 };

static uint64_t add_text(uint64_t hash, const struct ndp_descriptor *descriptor) {
    NDP_BUFFER_SCOPED(text, 1 << 20);
    assert_int_equal(ndp_descriptor_print(&text, descriptor), NDP_OK);
    return ndp_hash_bytes(text.data, text.size_bytes, hash);
}

static void values_are_the_same_everywhere(void **state) {
    uint64_t hash = NDP_HASH_START;
    for (uint64_t seed = 0; seed < 1000; seed++) {
        struct ndp_choices choices;
        struct ndp_descriptor descriptor = {0};
        const struct ndp_generate_limits limits = {0};
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        ndp_choices_init_seed(&choices, seed);
        assert_int_equal(ndp_generate_value(&arena, &choices, &limits, &descriptor.value), NDP_OK);
        hash = add_text(hash, &descriptor);
    }
    if (hash != VALUES_HASH) fail_msg("values hash to 0x%016lx", (unsigned long)hash);
}

static void faults_and_mutants_are_the_same_everywhere(void **state) {
    uint64_t hash = NDP_HASH_START;
    for (uint64_t seed = 0; seed < 300; seed++) {
        struct ndp_choices choices;
        struct ndp_descriptor descriptor, mutant;
        const struct ndp_generate_limits limits = {0};
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        ndp_choices_init_seed(&choices, seed);
        assert_int_equal(ndp_generate_fault(&arena, &choices, seed % 8 ? "npy" : "raw", &limits, &descriptor), NDP_OK);
        hash = add_text(hash, &descriptor);
        assert_int_equal(ndp_generate_mutant(&arena, &choices, &descriptor, &mutant), NDP_OK);
        hash = add_text(hash, &mutant);
    }
    if (hash != FAULTS_HASH) fail_msg("faults and mutants hash to 0x%016lx", (unsigned long)hash);
}

/* Choices from bytes, so that an input of a fuzzer keeps its meaning. */
static void bytes_are_the_same_everywhere(void **state) {
    uint64_t hash = NDP_HASH_START;
    for (uint32_t round = 0; round < 300; round++) {
        struct ndp_choices choices;
        struct ndp_descriptor descriptor = {0};
        const struct ndp_generate_limits limits = {0};
        uint8_t input[96];
        for (uint32_t i = 0; i < sizeof input; i++) input[i] = (uint8_t)((i * 37U + round * 101U) ^ (i * round >> 3));
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        ndp_choices_init_bytes(&choices, (struct ndp_bytes){input, sizeof input});
        assert_int_equal(ndp_generate_value(&arena, &choices, &limits, &descriptor.value), NDP_OK);
        hash = add_text(hash, &descriptor);
    }
    if (hash != BYTES_HASH) fail_msg("bytes hash to 0x%016lx", (unsigned long)hash);
}

NDP_SUITE(generate_stable_test, NDP_TEST(values_are_the_same_everywhere),
          NDP_TEST(faults_and_mutants_are_the_same_everywhere), NDP_TEST(bytes_are_the_same_everywhere));
