#include "reader/json_words.h"

#include <string.h>

#include "base/rng.h"

enum { BITS = 1 << 12 };

/* Takes the next string that no colon follows out of the text. */
static bool next_word(struct ndp_bytes *text, struct ndp_bytes *out) {
    while (text->size_bytes > 0) {
        const uint8_t *end = text->data + text->size_bytes;
        const uint8_t *from = memchr(text->data, '"', (size_t)text->size_bytes);
        const uint8_t *to = from ? memchr(from + 1, '"', (size_t)(end - from - 1)) : NULL;
        if (!to) return false;
        const uint8_t *next = to + 1;
        while (next < end && (*next == ' ' || *next == '\n' || *next == '\r' || *next == '\t')) next++;
        *text = (struct ndp_bytes){to + 1, (uint64_t)(end - to - 1)};
        *out = (struct ndp_bytes){from + 1, (uint64_t)(to - from - 1)};
        if (next == end || *next != ':') return true;
    }
    return false;
}

static uint64_t place_of(struct ndp_bytes word) {
    uint64_t hash = NDP_HASH_START;
    for (uint64_t i = 0; i < word.size_bytes; i++) {
        const uint8_t c = word.data[i], lower = c >= 'A' && c <= 'F' ? (uint8_t)(c | 0x20) : c;
        hash = ndp_hash_bytes(&lower, 1, hash);
    }
    return hash % BITS;
}

static bool is_in(const uint64_t bits[BITS / 64], struct ndp_bytes word) {
    const uint64_t place = place_of(word);
    return (bits[place / 64] >> place % 64 & 1) != 0;
}

static void put(uint64_t bits[BITS / 64], struct ndp_bytes word) {
    const uint64_t place = place_of(word);
    bits[place / 64] |= UINT64_C(1) << place % 64;
}

static bool is_digit(uint8_t c) {
    return (c >= '0' && c <= '9') || c == '-';
}

/* A number is a word of its digits, in quotes or not. */
static void put_numbers(uint64_t bits[BITS / 64], struct ndp_bytes text) {
    for (uint64_t at = 0, from = 0; at < text.size_bytes; from = ++at) {
        while (at < text.size_bytes && is_digit(text.data[at])) at++;
        if (at > from) put(bits, (struct ndp_bytes){text.data + from, at - from});
    }
}

/* A type may be said without the sign of its byte order. */
static bool has_sign(struct ndp_bytes word) {
    return word.size_bytes > 0 && memchr("<>|=", word.data[0], 4) != NULL;
}

/* What is the same when nothing is said, or is said in other words: zeros, types. */
static bool is_left_out(struct ndp_bytes word) {
    static const char *const unsaid[] = {"", "C", "F", "zeros", "ndarray", "open"};
    uint64_t zeros = 0;
    for (size_t i = 0; i < NDP_ARRAY_LEN(unsaid); i++)
        if (ndp_bytes_is_word(word, unsaid[i])) return true;
    while (zeros < word.size_bytes && (word.data[zeros] == '0' || word.data[zeros] == '-')) zeros++;
    return zeros == word.size_bytes || has_sign(word);
}

bool fuzz_has_words_of(struct ndp_bytes text, struct ndp_bytes canonical) {
    uint64_t bits[BITS / 64] = {0};
    struct ndp_bytes word;
    if (text.size_bytes == 0 || memchr(text.data, '\\', (size_t)text.size_bytes)) return true;
    put_numbers(bits, canonical);
    while (next_word(&canonical, &word)) {
        put(bits, word);
        if (has_sign(word)) put(bits, (struct ndp_bytes){word.data + 1, word.size_bytes - 1});
    }
    while (next_word(&text, &word))
        if (!is_in(bits, word) && !is_left_out(word)) return false;
    return true;
}
