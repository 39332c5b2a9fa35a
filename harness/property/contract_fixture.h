/* contract_fixture.h: what must hold of every table of promises, whichever library it speaks of. */
#ifndef NDP_CONTRACT_FIXTURE_H
#define NDP_CONTRACT_FIXTURE_H

#include <stdio.h>
#include <string.h>

#include "property/contract.h"

static inline bool has(const char *word) {
    return word != NULL && word[0] != '\0';
}

/* Puts the pattern without its star and `end` into a route's word. */
static inline void fill(char *word, const char *pattern, const char *end) {
    size_t length = has(pattern) ? strcspn(pattern, "*") : 0;
    bool is_open = has(pattern) && pattern[length] == '*';
    snprintf(word, NDP_WORD_BYTES, "%.*s%s", (int)length, has(pattern) ? pattern : "", is_open || !length ? end : "");
}

/* Whether some route and features lead to the row. */
static inline bool is_reached(const struct ndp_contract_row *row) {
    static const char *const formats[] = {"npy", "y", "raw", "pickle", "other"};
    static const char *const entries[] = {"memory", "r", "c"};
    const bool is_joblib = has(row->decoder.name) && strcmp(row->decoder.name, "joblib") == 0;
    const char *const sender = row->encoder.name;
    const bool is_others = has(sender) && strcmp(sender, "numpy") != 0 && strcmp(sender, "reference") != 0;
    const char *const libraries[] = {"numpy", "reference", is_joblib ? "joblib" : is_others ? sender : "other"};
    const char *const first = is_joblib ? "1.0.1" : is_others ? "0.3.4" : "1.23.5";
    const char *const numbers[] = {first, "1.26.4", "2.0.2", "2.2.6", "2.4.6"};
    static const uint32_t extras[] = {0, NDP_FEATURE_C_CONTIGUOUS, NDP_FEATURE_PERMUTED};
    struct ndp_target_info info[2];
    struct ndp_route route = {.protocol = row->protocol_min != 0 ? row->protocol_min : row->protocol_max};
    memset(info, 0, sizeof info);
    info[0].is_little_endian = info[1].is_little_endian = true;
    fill(route.buffers, row->buffers, "");
    for (uint32_t choice = 0; choice < 5 * 3 * 3 * 15 * 15 * 3; choice++) {
        uint32_t left = choice;
        fill(route.format, row->format, formats[left % 5]);
        fill(route.encode, row->encode, entries[(left /= 5) % 3]);
        fill(route.decode, row->decode, entries[(left /= 3) % 3]);
        left /= 3;
        for (int i = 0; i < 2; i++, left /= 15) {
            snprintf(info[i].implementation, NDP_WORD_BYTES, "%s", libraries[left % 3]);
            snprintf(info[i].version, NDP_WORD_BYTES, "%s", numbers[left / 3 % 5]);
        }
        uint64_t features = row->with | extras[left % 3];
        if (ndp_contract_find(row->field, &route, &info[0], &info[1], features) == row) return true;
    }
    return false;
}

static inline void expect_sources(const struct ndp_contract_row *rows, uint32_t count) {
    assert_true(count > NDP_FIELD_COUNT);
    for (uint32_t i = 0; i < count; i++) {
        assert_non_null(rows[i].source);
        assert_true(strlen(rows[i].source) > 20);
        assert_true(rows[i].field < NDP_FIELD_COUNT);
        assert_true(rows[i].promise < NDP_PROMISE_COUNT);
    }
}

static inline void expect_reached(const struct ndp_contract_row *rows, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        if (!is_reached(&rows[i])) fail_msg("%s: %s", ndp_contract_field_word(rows[i].field), rows[i].source);
    }
}

#endif
