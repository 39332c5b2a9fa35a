/* What may share a line in Python: simple statements of one block (its grammar, simple_stmts). */
#include "report/script_parts.h"

#include <string.h>

#include "base/suite.h"

#define LONG "a_name_of_sixty_characters_that_takes_a_good_part_of_the_line"

static void simple_statements_share_a_line(void **state) {
    (void)state;
    static const struct {
        const char *body, *packed;
    } rows[] = {
        {"", ""},
        {"a = 1\n", "a = 1\n"},
        {"a = 1\nb = 2\nc = 3\n", "a = 1; b = 2; c = 3\n"},
        {"    a = 1\n    b = 2\n", "    a = 1; b = 2\n"},
        {"a = 1\nwith a: b = 2\nc = 3\n", "a = 1\nwith a: b = 2\nc = 3\n"},
        {"try:\n    a\n    b\nexcept ValueError: c\nd\n", "try:\n    a; b\nexcept ValueError: c\nd\n"},
        {"if a:\n    b\nc\nd\n", "if a:\n    b\nc; d\n"},
        {"x = {1:\nd\n", "x = {1:\nd\n"},
        {"a\nelse: b\nelse:\n", "a\nelse: b\nelse:\n"},
        {LONG " = 1\n" LONG " = 2\n" LONG " = 3\n", LONG " = 1; " LONG " = 2\n" LONG " = 3\n"},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_buffer body, packed;
        ndp_buffer_init(&body, 4096);
        ndp_buffer_init(&packed, 4096);
        assert_int_equal(ndp_buffer_printf(&body, "%s", rows[i].body), NDP_OK);
        assert_int_equal(ndp_script_pack(&body, &packed), NDP_OK);
        assert_int_equal(ndp_buffer_printf(&packed, "%s", "|"), NDP_OK);
        assert_int_equal(packed.size_bytes, strlen(rows[i].packed) + 1);
        assert_memory_equal(packed.data, rows[i].packed, packed.size_bytes - 1);
        ndp_buffer_clear(&packed);
        ndp_buffer_clear(&body);
    }
}

static void what_does_not_fit_is_refused(void **state) {
    (void)state;
    struct ndp_buffer body, packed;
    ndp_buffer_init(&body, 64);
    assert_int_equal(ndp_buffer_printf(&body, "    a = 1\n    b = 2\n"), NDP_OK);
    for (uint64_t most = 1; most < 17; most++) {
        ndp_buffer_init(&packed, most);
        assert_int_equal(ndp_script_pack(&body, &packed), NDP_LIMIT);
        ndp_buffer_clear(&packed);
    }
    ndp_buffer_clear(&body);
}

NDP_SUITE(script_pack_test, cmocka_unit_test(simple_statements_share_a_line),
          cmocka_unit_test(what_does_not_fit_is_refused));
