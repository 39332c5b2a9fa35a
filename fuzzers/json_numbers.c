#include "json_numbers.h"

#include <stdlib.h>
#include <string.h>

enum { BITS = 1 << 12, NUMBER_BYTES = 64 };

/* Which numbers a text has, by a few bits of a hash. */
struct numbers {
    uint64_t bits[BITS / 64];
};

/* Short whole numbers, which nearly all are, need no strtod(). */
static double value_of(const char *text) {
    uint32_t number = 0, digits = 0;
    for (; digits < 10 && text[digits] >= '0' && text[digits] <= '9'; digits++)
        number = number * 10 + (uint32_t)(text[digits] - '0');
    return digits > 0 && digits < 10 && text[digits] == '\0' ? number : strtod(text, NULL);
}

static uint64_t place_of(const char *text) {
    const double value = value_of(text);
    uint64_t bits = 0;
    if (value > 0 || value < 0) memcpy(&bits, &value, sizeof bits);
    return bits * UINT64_C(0x9e3779b97f4a7c15) >> 52;
}

static bool is_in_number(uint8_t c) {
    return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
}

/* Takes the next number, or what is behind its quotes, out of the text. */
static bool next_number(struct ndp_bytes *text, char *out) {
    while (text->size_bytes > 0) {
        const uint8_t first = text->data[0];
        const bool is_string = first == '"';
        const uint64_t from = is_string ? 1 : 0;
        uint64_t size = from;
        while (size < text->size_bytes && is_in_number(text->data[size])) size++;
        const uint64_t length = size - from;
        const bool is_whole = !is_string || (size < text->size_bytes && text->data[size] == '"');
        const bool is_number =
            is_whole && length > 0 && length < NUMBER_BYTES && text->data[from] != 'e' && text->data[from] != 'E';
        if (is_number) {
            memcpy(out, text->data + from, (size_t)length);
            out[length] = '\0';
        }
        /* A string goes on to its quotes. */
        const uint8_t *end = is_string ? memchr(text->data + size, '"', (size_t)(text->size_bytes - size)) : NULL;
        if (is_string) size = end ? (uint64_t)(end - text->data) : text->size_bytes;
        if (is_string || size == 0) size++;
        if (size > text->size_bytes) size = text->size_bytes;
        *text = (struct ndp_bytes){text->data + size, text->size_bytes - size};
        if (is_number) return true;
    }
    return false;
}

bool fuzz_has_numbers_of(struct ndp_bytes text, struct ndp_bytes canonical) {
    struct numbers has = {{0}};
    char number[NUMBER_BYTES];
    if (text.size_bytes == 0 || memchr(text.data, '\\', (size_t)text.size_bytes)) return true;
    while (next_number(&text, number)) {
        const uint64_t place = place_of(number);
        has.bits[place / 64] |= UINT64_C(1) << place % 64;
    }
    while (next_number(&canonical, number)) {
        const uint64_t place = place_of(number);
        if ((has.bits[place / 64] >> place % 64 & 1) == 0) return false;
    }
    return true;
}
