/* What is spoilt is no JSON to RFC 8259; json.loads of CPython 3.11 refuses each but the control characters that it
 * lets stand, lone surrogates and NUL, and its own words for what no number is. */
#include "oracle/json_spoilt.h"

#include <string.h>

#include "base/suite.h"
#include "runtime/hits_fixture.h"

enum { PICKS = 20000 };

static const char *const texts[] = {
    "{}",
    "{\"ndproof\":1}",
    "{\"value\":{\"array\":{\"base\":{\"dtype\":\"<f8\",\"shape\":[2,10],\"readonly\":true}}}}",
    "{\"value\":{\"array\":{\"base\":{\"dtype\":{\"fields\":[{\"name\":\"a\",\"offset\":0,\"dtype\":\"<i2\"}],"
    "\"itemsize\":4},\"shape\":[1],\"data\":{\"pattern\":\"random\",\"seed\":5},\"memmap\":{\"mode\":\"r\","
    "\"offset\":8}}}}}",
    "{\"value\":{\"array\":{\"base\":{\"dtype\":\"<f4\",\"shape\":[3]},\"views\":[{\"strided\":[1],\"strides\":[0],"
    "\"offset\":8}]}}}",
    "{\"value\":{\"array\":{\"base\":{\"dtype\":{\"type\":\"|u1\",\"metadata\":{\"seed\":1.5,\"b\":[null,-2e-7]}},"
    "\"shape\":[]}}}}",
};

static bool has(struct ndp_bytes text, const char *word) {
    const uint64_t size = strlen(word);
    for (uint64_t at = 0; at + size <= text.size_bytes; at++)
        if (memcmp(text.data + at, word, (size_t)size) == 0) return true;
    return false;
}

static void every_fault_comes_up(void **state) {
    (void)state;
    static const char *const words[] = {"[02,10]", "[2,10e]",    "[2,,10]", "10,]",         "\"<f8\\ud800\\ue000\"",
                                        "<f8\x1f", "\"shape\"=", "True}",   "truetrue",     "{{\"array",
                                        "}}}}}",   "/**/",       "[+2,",    "\"shape\\x41", "[2 2,"};
    for (size_t i = 0; i < NDP_ARRAY_LEN(words); i++) {
        bool is_found = false;
        for (uint64_t pick = 0; pick < PICKS && !is_found; pick++) {
            struct ndp_buffer out = {.max_bytes = 1 << 12};
            assert_int_equal(fuzz_json_spoil(ndp_bytes_view(texts[2]), pick, &out), NDP_OK);
            is_found = has(ndp_buffer_view(&out), words[i]);
            ndp_buffer_clear(&out);
        }
        if (!is_found) fail_msg("%s", words[i]);
    }
}

static void what_is_spoilt_is_refused(void **state) {
    (void)state;
    const uint64_t before = fuzz_hits();
    for (size_t i = 0; i < NDP_ARRAY_LEN(texts); i++)
        for (uint64_t pick = 3; pick < PICKS; pick += 4) fuzz_check_json_spoilt(ndp_bytes_view(texts[i]), pick);
    assert_int_equal(fuzz_hits(), before);
}

NDP_SUITE(json_spoilt_test, cmocka_unit_test(every_fault_comes_up), cmocka_unit_test(what_is_spoilt_is_refused));
