#include "reader/spelled.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/byteorder.h"
#include "base/checked.h"

enum { BATCH = 1000, TINY = 0xff, PROTO = 0x80, TUPLE2 = 0x86, FRAME = 0x95 };

/* In which protocols the pickler writes an opcode: TUPLE2 in all of them, where a function is to set a state. */
struct span {
    uint8_t least, end;
};

static const struct {
    const char *ops;
    struct span span;
} spans[] = {
    {"FVldgp", {0, 1}},
    {"IL", {0, 2}},
    {"c", {0, 4}},
    {"NRabst.(012oiSTU\x86", {0, 6}},
    {"KMJGX])}ehujqr", {1, 6}},
    {"\x80\x81\x85\x87\x88\x89\x8a\x8b", {2, 6}},
    {"BC", {3, 6}},
    {"\x8c\x8d\x8e\x8f\x90\x91\x92\x93\x94\x95", {4, 6}},
    {"\x96\x97\x98", {5, 6}},
};

/* Every opcode of every input is asked for. */
static bool is_of_protocol(uint8_t opcode, uint32_t protocol) {
    static struct span all[256];
    static bool is_filled;
    for (size_t i = 0; !is_filled && i < NDP_ARRAY_LEN(spans); i++)
        for (const char *op = spans[i].ops; *op; op++) all[(uint8_t)*op] = spans[i].span;
    is_filled = true;
    return all[opcode].least <= protocol && protocol < all[opcode].end;
}

static uint64_t number_of(struct ndp_bytes op, uint64_t field) {
    uint64_t number = 0;
    for (uint64_t i = field; i > 0; i--) number = number << 8 | op.data[i];
    return number;
}

/* Two's complement without a byte that only repeats the sign, and none of 32 bits. */
static bool is_long(struct ndp_bytes digits) {
    const uint64_t size = digits.size_bytes;
    if (size < 5) return false;
    const uint8_t last = digits.data[size - 1], before = digits.data[size - 2];
    return !(last == 0 && before < 0x80) && !(last == 0xff && before >= 0x80);
}

static bool is_line(struct ndp_bytes op, uint32_t protocol) {
    const bool is_truth = op.size_bytes == 4 && op.data[1] == '0';
    const long long number = strtoll((const char *)op.data + 1, NULL, 10);
    const bool is_small = number >= INT32_MIN && number <= INT32_MAX;
    return op.data[0] == 'I' ? is_truth || (protocol == 0 && is_small) : op.size_bytes > 11 || !is_small;
}

/* Whether no decimal of one digit less is the same double: repr() of Python 3 gives the shortest. */
static bool is_real(struct ndp_bytes op) {
    const double real = strtod((const char *)op.data + 1, NULL);
    char shorter[40];
    int digits = 0, zeros = 0;
    for (uint64_t i = 1; i < op.size_bytes && op.data[i] != 'e'; i++) {
        if (op.data[i] < '0' || op.data[i] > '9' || (digits == 0 && op.data[i] == '0')) continue;
        zeros = op.data[i] == '0' ? zeros + 1 : 0;
        digits++;
    }
    if (!isfinite(real) || digits - zeros < 2) return true;
    (void)snprintf(shorter, sizeof shorter, "%.*e", digits - zeros - 2, real);
    return strtod(shorter, NULL) != real;
}

/* Whether no shorter opcode says the same. */
static bool is_shortest(struct ndp_bytes op, uint32_t protocol) {
    switch (op.data[0]) {
    case 'I':
    case 'L':
        return is_line(op, protocol);
    case 'F':
        return is_real(op);
    case 'M':
        return number_of(op, 2) > TINY;
    case 'J':
        return number_of(op, 4) > UINT16_MAX;
    case 0x8a:
        return is_long((struct ndp_bytes){op.data + 2, op.size_bytes - 2});
    case 0x8b:
        return op.size_bytes > 5 + TINY && is_long((struct ndp_bytes){op.data + 5, op.size_bytes - 5});
    case 'X':
        return protocol < 4 || number_of(op, 4) > TINY;
    case 'B':
    case 'j':
    case 'r':
        return number_of(op, 4) > TINY;
    case 0x8d:
    case 0x8e:
        return number_of(op, 8) > UINT32_MAX;
    default:
        return true;
    }
}

/* The index of what puts something into the memo is how much is there. */
static bool is_next_index(struct fuzz_spelling *spelling, struct ndp_bytes op) {
    switch (op.data[0]) {
    case 0x94:
        spelling->put_count++;
        return true;
    case 'p':
        return strtoull((const char *)op.data + 1, NULL, 10) == spelling->put_count++;
    case 'q':
        return op.data[1] == spelling->put_count++;
    case 'r':
        return ndp_load_u32le(op.data + 1) == spelling->put_count++;
    case 'g':
        return strtoull((const char *)op.data + 1, NULL, 10) < spelling->put_count;
    case 'h':
        return op.data[1] < spelling->put_count;
    case 'j':
        return ndp_load_u32le(op.data + 1) < spelling->put_count;
    default:
        return true;
    }
}

/* A list of one is appended to, and so is a dict; what holds more is filled in batches. Behind one that is full of a
 * dict or a set another begins, which may be empty. */
static bool is_batch(struct fuzz_spelling *spelling, uint8_t opcode, uint32_t above, bool is_next) {
    const uint32_t count = opcode == 'u' ? above / 2 : above;
    const uint32_t least = is_next ? opcode == 'e' : opcode == 0x90 ? 1 : 2;
    spelling->full = count == BATCH ? opcode : 0;
    return count <= BATCH && count >= least;
}

/* What has an identity, as an empty tuple has not, is put into the memo as soon as it is there. But for what its own
 * parts have put there already, and for what a function made to set a state, which are dropped; and for the arguments
 * of such a function. */
static bool is_remembered(struct fuzz_spelling *spelling, uint8_t opcode, uint32_t above) {
    const uint8_t made = spelling->made;
    if (opcode == FRAME) return true;
    spelling->made = strchr("VX]}ldctR\x81\x85\x86\x87\x8c\x8d\x8f\x92\x93", opcode) ? opcode : 0;
    if (opcode == 't' && above == 0) spelling->made = 0;
    if (made == 0 || strchr("pqr\x94", opcode)) return true;
    if (made == TUPLE2 && opcode == 'R') return true;
    return opcode == '0' && strchr("tR\x81\x85\x86\x87\x92", made);
}

bool fuzz_is_spelled(struct fuzz_spelling *spelling, struct ndp_bytes op, uint32_t above, uint32_t marks) {
    const uint8_t opcode = op.data[0], full = spelling->full;
    const bool is_first = !spelling->is_begun;
    spelling->is_begun = true;
    spelling->full = 0;
    if (is_first && spelling->protocol >= 2) return opcode == PROTO && op.data[1] == spelling->protocol;
    if (!is_remembered(spelling, opcode, above)) return false;
    if (opcode == PROTO || !is_of_protocol(opcode, spelling->protocol)) return false;
    if ((full == 'u' || full == 0x90) && opcode != '(') return false;
    if (opcode == '(' && marks < FUZZ_SPELLED_MARKS) spelling->is_next[marks] = full != 0;
    if (opcode == 't' && spelling->protocol >= 2 && above < 4) return false;
    if ((opcode == 'e' || opcode == 'u' || opcode == 0x90) && marks > 0 && marks <= FUZZ_SPELLED_MARKS &&
        !is_batch(spelling, opcode, above, spelling->is_next[marks - 1]))
        return false;
    return is_shortest(op, spelling->protocol) && is_next_index(spelling, op);
}
