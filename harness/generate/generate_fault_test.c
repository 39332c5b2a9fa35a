/* generate_fault_test.c: the table of faults and the decode cases generated from it. The expected result of each fault
 * was compared with numpy.load of NumPy 1.23.5, 1.26.4 and 2.4.6 from memory, file and maps. */
#include "base/suite.h"
#include "generate/generate_parts.h"

enum { ARENA_BYTES = 1 << 26 };

static void generate_case(struct ndp_arena *arena, const char *format, uint64_t seed, struct ndp_descriptor *out) {
    struct ndp_choices choices;
    const struct ndp_generate_limits limits = {0};
    ndp_arena_init(arena, ARENA_BYTES);
    ndp_choices_init_seed(&choices, seed);
    assert_int_equal(ndp_generate_fault(arena, &choices, format, &limits, out), NDP_OK);
}

static void check_cases(const char *format, uint32_t cases, uint32_t *generated_rows) {
    uint32_t count = 0;
    const struct ndp_fault_row *rows = ndp_fault_rows(&count);
    for (uint32_t i = 0; i < cases; i++) {
        struct ndp_arena arena;
        struct ndp_descriptor descriptor;
        struct ndp_error error = {0};
        generate_case(&arena, format, i, &descriptor);
        if (ndp_descriptor_check(&arena, &descriptor, &error) != NDP_OK)
            fail_msg("%s %u: %s: %s", format, i, descriptor.fault.name, error.text);
        const struct ndp_fault_row *row = ndp_fault_find(descriptor.fault.name, format);
        assert_non_null(row);
        assert_int_equal(descriptor.kind, NDP_CASE_DECODE);
        assert_int_equal(descriptor.expect, row->expect);
        assert_string_equal(descriptor.route.format, format);
        generated_rows[row - rows]++;
        ndp_arena_clear(&arena);
    }
}

static void every_fault_occurs_and_fits(void **state) {
    uint32_t count = 0;
    uint32_t generated_rows[512] = {0};
    const struct ndp_fault_row *rows = ndp_fault_rows(&count);
    assert_true(count <= 512);
    check_cases("npy", 6000, generated_rows);
    check_cases("raw", 500, generated_rows);
    for (uint32_t i = 0; i < count; i++)
        if (generated_rows[i] == 0) fail_msg("fault %s of %s was never generated", rows[i].name, rows[i].format);
}

static void a_format_without_faults_is_refused(void **state) {
    struct ndp_choices choices;
    struct ndp_descriptor descriptor;
    const struct ndp_generate_limits limits = {0};
    NDP_ARENA_SCOPED(arena, ARENA_BYTES);
    ndp_choices_init_seed(&choices, 1);
    assert_int_equal(ndp_generate_fault(&arena, &choices, "smoke", &limits, &descriptor), NDP_UNSUPPORTED);
}

NDP_SUITE(generate_fault_test, NDP_TEST(every_fault_occurs_and_fits), NDP_TEST(a_format_without_faults_is_refused));
