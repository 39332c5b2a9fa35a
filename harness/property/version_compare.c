/* version_compare.c: the order of versions. Source: PEP 440, without epochs. */
#include "property/version_compare.h"

#include <string.h>

#include "base/bytes.h"

/* The suffix of a version, in the order of releases. */
enum stage { STAGE_DEV, STAGE_ALPHA, STAGE_BETA, STAGE_CANDIDATE, STAGE_RELEASE, STAGE_POST };

enum { VERSION_NUMBERS = 6 };

struct version {
    uint64_t numbers[VERSION_NUMBERS];
    enum stage stage;
    uint64_t stage_number;
};

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* Reads digits at *at and moves past them. Saturates, so that digits of any length cannot overflow. */
static uint64_t read_number(const char **at) {
    uint64_t number = 0;
    for (; is_digit(**at); (*at)++)
        if (number < UINT64_MAX / 16) number = number * 10 + (uint64_t)(**at - '0');
    return number;
}

static enum stage read_stage(const char **at) {
    static const struct {
        const char *word;
        enum stage stage;
    } words[] = {{"dev", STAGE_DEV},   {"alpha", STAGE_ALPHA}, {"beta", STAGE_BETA}, {"rc", STAGE_CANDIDATE},
                 {"post", STAGE_POST}, {"a", STAGE_ALPHA},     {"b", STAGE_BETA},    {"c", STAGE_CANDIDATE}};
    for (size_t i = 0; i < NDP_ARRAY_LEN(words); i++) {
        size_t length = strlen(words[i].word);
        if (strncmp(*at, words[i].word, length) != 0) continue;
        *at += length;
        return words[i].stage;
    }
    return STAGE_RELEASE;
}

static struct version read_version(const char *text) {
    struct version version = {.stage = STAGE_RELEASE};
    const char *at = text;
    for (uint32_t i = 0; is_digit(*at); i++) {
        uint64_t number = read_number(&at);
        if (i < VERSION_NUMBERS) version.numbers[i] = number;
        if (*at == '.' && is_digit(at[1])) at++;
    }
    while (*at == '.' || *at == '-' || *at == '_') at++;
    version.stage = read_stage(&at);
    if (*at == '.') at++;
    version.stage_number = read_number(&at);
    return version;
}

static int compare_u64(uint64_t a, uint64_t b) {
    return (a > b) - (a < b);
}

int ndp_version_compare(const char *a, const char *b) {
    struct version left = read_version(a);
    struct version right = read_version(b);
    for (uint32_t i = 0; i < VERSION_NUMBERS; i++) {
        int order = compare_u64(left.numbers[i], right.numbers[i]);
        if (order != 0) return order;
    }
    if (left.stage != right.stage) return left.stage < right.stage ? -1 : 1;
    return compare_u64(left.stage_number, right.stage_number);
}
