/* What numbers are is said by RFC 8259, 6: equal values in any spelling are one number. */
#include "reader/json_numbers.h"

#include "base/suite.h"

static void canonical_numbers_come_from_the_text(void **state) {
    (void)state;
    static const struct {
        const char *text, *canonical;
        bool is_so;
    } rows[] = {
        {"{\"a\":[1, 2.50,-3e2]}", "{\"a\":[1,2.5,-300]}", true},
        {"{\"a\":[1,2]}", "{\"a\":[2]}", true},
        {"{\"a\":[1,2]}", "{\"a\":[1,3]}", false},
        {"{\"a\":[1,2]}", "{\"a\":[1,-2]}", false},
        {"{\"a\":-0}", "{\"a\":0}", true},
        {"{\"a\":\"9223372036854775808\"}", "{\"a\":\"-9223372036854775808\"}", false},
        {"{\"a\":\"9223372036854775807\"}", "{\"a\":\"9223372036854775807\"}", true},
        {"{\"a\":\"9223372036854775807\"}", "{\"a\":\"9223372036854775806\"}", false},
        {"{\"a\":9007199254740993}", "{\"a\":\"9007199254740992\"}", false},
        {"{\"a\":9007199254740992}", "{\"a\":\"9007199254740992\"}", false},
        {"{\"a\":\"9007199254740991\"}", "{\"a\":9007199254740991}", true},
        {"{\"a\":9007199254740992}", "{\"a\":9007199254740992}", true},
        {"{\"a\":17}", "{\"a\":9}", false},
        {"{\"a\":1e400}", "{\"a\":null}", false},
        {"{\"a\":[null,1]}", "{\"a\":[null,1]}", true},
        {"{\"a\":\"null\"}", "{\"a\":null}", false},
        {"{\"a\":\"b 7\"}", "{\"a\":7}", false},
        {"{\"a\":\"\\\"7\",\"b\":1}", "{\"a\":7}", true},
        {"{\"a\":\"\\u0037\"}", "{\"a\":\"7\"}", true}, /* an escape hides it */
        /* what is left out is printed, behind its own key alone */
        {"{}", "{\"v\":1}", true},
        {"{\"a\":[2]}", "{\"v\" : 1,\"a\":[2]}", true},
        {"{\"a\":[2]}", "{\"v\":1,\"a\":[3]}", false},
        {"{\"v\":2}", "{\"v\":1}", false},
        {"{\"v\":2}", "{\"v\":0}", false},
        {"[{\"o\":4},{}]", "[{\"o\":4},{\"o\":8}]", true},
        {"[{\"o\":4},{}]", "[{\"o\":4},{\"o\":\"8\"}]", true},
        {"[{\"o\":4}]", "[{\"o\":8}]", false},
        {"[{\"o\":0},{\"o\":4},{}]", "[{},{\"o\":4},{\"o\":8}]", true}, /* no 0 is printed of the first */
        {"[{\"o\":4},{}]", "[{\"o\":4},{\"o\":0}]", true},
        {"[{\"o\":4},{\"o\":5}]", "[{\"o\":4},{\"o\":0}]", false},
        {"{\"o\":4}", "{\"o\":4,\"p\":[7]}", false},
        {"{\"a\":\"", "{}", true},
        {"", "", true},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        if (fuzz_has_numbers_of(ndp_bytes_view(rows[i].text), ndp_bytes_view(rows[i].canonical)) != rows[i].is_so)
            fail_msg("row %zu", i);
    }
}

NDP_SUITE(json_numbers_test, cmocka_unit_test(canonical_numbers_come_from_the_text));
