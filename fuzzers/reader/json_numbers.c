#include "reader/json_numbers.h"

#include <stdlib.h>
#include <string.h>

#include "base/rng.h"

enum { BITS = 1 << 12, NUMBER_BYTES = 64, KEYS = 1024 };

/* Which numbers a text has, by a few bits of a hash, and how often it has a key with anything but a 0 behind it. */
struct numbers {
    uint64_t bits[BITS / 64];
    uint32_t keys[KEYS];
};

struct number {
    char text[NUMBER_BYTES];
    bool is_quoted;
    uint32_t key; /* a hash of it, 0 of none */
};

/* Short whole numbers, which nearly all are, need no strtod(). */
static double value_of(const char *text) {
    uint32_t number = 0, digits = 0;
    for (; digits < 10 && text[digits] >= '0' && text[digits] <= '9'; digits++)
        number = number * 10 + (uint32_t)(text[digits] - '0');
    return digits > 0 && digits < 10 && text[digits] == '\0' ? number : strtod(text, NULL);
}

/* Digits in quotes that a double does not hold are a number of their own. */
static bool is_beyond_double(const struct number *number) {
    const char *digits = number->text + (number->text[0] == '-');
    return number->is_quoted && strspn(digits, "0123456789") == strlen(digits) && strlen(digits) > 15 &&
           strtoull(digits, NULL, 10) >= UINT64_C(1) << 53;
}

/* That of 0 is 0, and of nothing else. */
static uint64_t place_of(const struct number *number) {
    const double value = value_of(number->text);
    uint64_t bits = 0;
    if (number->text[0] == 'n' || is_beyond_double(number))
        bits = ndp_hash_bytes((const uint8_t *)number->text, strlen(number->text), NDP_HASH_START);
    else if (value > 0 || value < 0)
        memcpy(&bits, &value, sizeof bits);
    return bits == 0 ? 0 : 1 + (bits * UINT64_C(0x9e3779b97f4a7c15) >> 32) % (BITS - 1);
}

static bool is_in_number(uint8_t c) {
    return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
}

static uint32_t key_of(const uint8_t *text, uint64_t size) {
    uint32_t hash = 0;
    for (uint64_t i = 0; i < size; i++) hash = hash * 31 + text[i];
    return 1 + hash % (KEYS - 1);
}

static bool is_null(struct ndp_bytes text) {
    return text.size_bytes >= 4 && memcmp(text.data, "null", 4) == 0;
}

/* Takes the next number, a null, or what is behind its quotes, out of the text, and counts the keys before it. */
static bool next_number(struct ndp_bytes *text, uint32_t keys[KEYS], struct number *out) {
    out->key = 0;
    while (text->size_bytes > 0) {
        const uint8_t first = text->data[0];
        const bool is_string = first == '"';
        out->is_quoted = is_string;
        if (is_null(*text)) {
            memcpy(out->text, "null", sizeof "null");
            *text = (struct ndp_bytes){text->data + 4, text->size_bytes - 4};
            return true;
        }
        const uint64_t from = is_string ? 1 : 0;
        uint64_t size = from;
        while (size < text->size_bytes && is_in_number(text->data[size])) size++;
        const uint64_t length = size - from;
        const bool is_whole = !is_string || (size < text->size_bytes && text->data[size] == '"');
        const bool is_number =
            is_whole && length > 0 && length < NUMBER_BYTES && text->data[from] != 'e' && text->data[from] != 'E';
        if (is_number) {
            memcpy(out->text, text->data + from, (size_t)length);
            out->text[length] = '\0';
        }
        /* A string goes on to its quotes. */
        const uint8_t *end = is_string ? memchr(text->data + size, '"', (size_t)(text->size_bytes - size)) : NULL;
        if (is_string) size = end ? (uint64_t)(end - text->data) : text->size_bytes;
        if (first == ':') keys[out->key]++;
        if (!is_number && first > ' ' && first != ':') out->key = is_string ? key_of(text->data + 1, size - 1) : 0;
        if (is_string || size == 0) size++;
        if (size > text->size_bytes) size = text->size_bytes;
        *text = (struct ndp_bytes){text->data + size, text->size_bytes - size};
        if (is_number) return true;
    }
    return false;
}

static bool has(const struct numbers *numbers, uint64_t place) {
    return (numbers->bits[place / 64] >> place % 64 & 1) != 0;
}

static void count(struct ndp_bytes text, struct numbers *out) {
    struct number number;
    while (next_number(&text, out->keys, &number)) {
        const uint64_t place = place_of(&number);
        out->bits[place / 64] |= UINT64_C(1) << place % 64;
        out->keys[number.key] -= place == 0;
    }
}

/* Whether a number that the text does not have stands for one that it leaves out: none that it says, which only a 0
 * may do unprinted, has become another. */
static bool is_left_out(const struct number *number, const struct numbers *text, const struct numbers *canonical) {
    const uint32_t said = text->keys[number->key], printed = canonical->keys[number->key];
    return number->key != 0 && (place_of(number) == 0 ? printed >= said : printed > said);
}

bool fuzz_has_numbers_of(struct ndp_bytes text, struct ndp_bytes canonical) {
    struct numbers said = {{0}, {0}}, printed = {{0}, {0}};
    uint32_t ignored[KEYS] = {0};
    struct number number;
    if (text.size_bytes == 0 || memchr(text.data, '\\', (size_t)text.size_bytes)) return true;
    count(text, &said);
    count(canonical, &printed);
    bool is_same = true;
    for (uint32_t i = 0; i < BITS / 64; i++) is_same = is_same && (printed.bits[i] & ~said.bits[i]) == 0;
    while (!is_same && next_number(&canonical, ignored, &number)) {
        if (!has(&said, place_of(&number)) && !is_left_out(&number, &said, &printed)) return false;
    }
    return true;
}
