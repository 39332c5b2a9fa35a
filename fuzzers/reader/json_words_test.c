/* Which words may be left out is said by harness/describe: what a reader takes where nothing is said. */
#include "reader/json_words.h"

#include "base/suite.h"

static void words_of_the_text_are_canonical(void **state) {
    (void)state;
    static const struct {
        const char *text, *canonical;
        bool is_so;
    } rows[] = {
        {"{\"a\":\"b\"}", "{\"a\":\"b\",\"c\":\"d\"}", true},
        {"{\"a\":\"b\"}", "{\"a\":\"c\"}", false},
        {"{\"a\":[\"b\",\"c\"]}", "{\"a\":[\"b\"]}", false},
        {"{\"a\" : 1}", "{}", true}, /* a key is no word */
        {"{\"a\" \n:[\"b\"]}", "{\"a\":[\"b\"]}", true},
        {"{\"a\":\"b\"}", "{\"b\":\"a\"}", false},
        {"{\"a\":\"0AfF\"}", "{\"a\":\"0aff\"}", true},
        {"{\"a\":\"0AfF\"}", "{\"a\":\"0afe\"}", false},
        {"{\"a\":\"00ff\"}", "{}", false},
        {"{\"a\":\"-0\",\"b\":\"<f8\",\"c\":\"C\"}", "{}", true},
        {"{\"a\":\"b1\"}", "{\"a\":\"|b1\"}", true},
        {"{\"a\":\"b1\"}", "{\"a\":\"|b2\"}", false},
        {"{\"a\":\"-12\",\"b\":\"0100\"}", "{\"a\":-12,\"b\":\"0100\"}", true},
        {"{\"a\":\"-12\"}", "{\"a\":12}", false},
        {"{\"a\":\"0100\"}", "{}", false},
        {"{\"a\":\"C \"}", "{}", false},
        {"{\"a\":\"\\u0062\"}", "{}", true}, /* an escape hides it */
        {"{\"a\":\"", "{}", true},
        {"", "", true},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        if (fuzz_has_words_of(ndp_bytes_view(rows[i].text), ndp_bytes_view(rows[i].canonical)) != rows[i].is_so)
            fail_msg("row %zu", i);
    }
}

NDP_SUITE(json_words_test, cmocka_unit_test(words_of_the_text_are_canonical));
