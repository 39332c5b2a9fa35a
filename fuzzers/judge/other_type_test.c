#include "judge/other_type.h"

#include "base/suite.h"
#include "describe/dtype_json.h"
#include "runtime/hits_fixture.h"

enum { PICKS = 512 };

/* Of a comparison that is right nothing is found, whatever is changed. */
static void every_change_makes_another_type(void **state) {
    (void)state;
    static const char *const texts[] = {
        "\"<f8\"",
        "\"|u1\"",
        "\"<M8\"",
        "\"<m8[25us]\"",
        "{\"base\":\">i2\",\"shape\":[2,3]}",
        "{\"base\":\">i2\",\"shape\":[]}", /* stays what it is, in other memory */
        "{\"type\":\"<f8\",\"metadata\":{\"a\":1}}",
        "{\"fields\":[],\"itemsize\":3}",
        "{\"fields\":[{\"name\":\"a\",\"dtype\":\"<f8\"},{\"name\":\"b\",\"title\":\"t\",\"dtype\":\"|S3\"}]}",
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(texts); i++) {
        struct ndp_arena arena = {.limit_bytes = 1 << 22};
        const struct ndp_dtype *dtype = NULL;
        assert_int_equal(ndp_dtype_parse(&arena, ndp_bytes_view(texts[i]), &ndp_describe_default_limits, &dtype, NULL),
                         NDP_OK);
        const uint64_t before = fuzz_hits();
        for (uint64_t pick = 0; pick < PICKS; pick++) fuzz_check_type(&arena, dtype, pick << 16 | pick * 4);
        if (fuzz_hits() != before) fail_msg("type %zu", i);
        ndp_arena_clear(&arena);
    }
}

NDP_SUITE(other_type_test, cmocka_unit_test(every_change_makes_another_type));
