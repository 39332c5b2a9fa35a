#include "runtime/answers.h"

#include "fuzz.h"

enum { ANSWER_BITS = 4 };
#define ANSWER_MASK  UINT64_C(0xf)
#define ANSWERS_MASK UINT64_C(0xffff)
#define ROW_MASK     UINT64_C(0x1ffff)

static enum { TELL_KNOWN, TELL_ALL, TELL_NOTHING } tells; /* of which inputs it is asked what was read */
static bool is_asked;
static uint64_t run_row, input_row; /* what was answered in this run, and in all of this input's */

/* What is known of the input; of one of which nothing is known a row that any other agrees with. */
static uint64_t known_row(uint64_t hash) {
    size_t from = 0, to = &fuzz_known ? fuzz_known.count : 0;
    while (from < to) {
        const size_t middle = from + (to - from) / 2;
        const uint64_t row = fuzz_known.rows[middle];
        if ((row ^ hash) <= ROW_MASK) return row;
        if (row < hash)
            from = middle + 1;
        else
            to = middle;
    }
    return ANSWERS_MASK;
}

void fuzz_answers_begin(uint64_t hash) {
    run_row = (hash & ~ROW_MASK) | ANSWERS_MASK;
    is_asked = tells == TELL_ALL || (tells == TELL_KNOWN && known_row(hash) != ANSWERS_MASK);
}

void fuzz_answers(unsigned question, unsigned answer) {
    const unsigned shift = question * ANSWER_BITS;
    FUZZ_CHECK(question < FUZZ_QUESTIONS && answer < FUZZ_ANSWERS_DIFFER);
    run_row = fuzz_both_rows(run_row, (run_row | ANSWERS_MASK) ^ (uint64_t)(FUZZ_NO_ANSWER ^ answer) << shift);
}

bool fuzz_is_asked(void) {
    return is_asked;
}

void fuzz_tell_all(void) {
    tells = TELL_ALL;
}

void fuzz_tell_nothing(void) {
    tells = TELL_NOTHING;
}

void fuzz_says(uint64_t hash) {
    for (unsigned i = 0; i < FUZZ_DIGITS; i++, hash /= FUZZ_ANSWERS_DIFFER)
        fuzz_answers(FUZZ_QUESTIONS - FUZZ_DIGITS + i, (unsigned)(hash % FUZZ_ANSWERS_DIFFER));
}

uint64_t fuzz_row(void) {
    return input_row;
}

uint64_t fuzz_both_rows(uint64_t one, uint64_t other) {
    uint64_t row = (one & ~ROW_MASK) | (one & other & FUZZ_ROW_ACCEPTED);
    for (unsigned shift = 0; shift < FUZZ_QUESTIONS * ANSWER_BITS; shift += ANSWER_BITS) {
        const uint64_t a = one >> shift & ANSWER_MASK, b = other >> shift & ANSWER_MASK;
        row |= (a == b || b == FUZZ_NO_ANSWER ? a : a == FUZZ_NO_ANSWER ? b : FUZZ_ANSWERS_DIFFER) << shift;
    }
    return row;
}

static bool is_answered_so(uint64_t known, uint64_t row) {
    for (unsigned shift = 0; shift < FUZZ_QUESTIONS * ANSWER_BITS; shift += ANSWER_BITS) {
        const uint64_t is = row >> shift & ANSWER_MASK, was = known >> shift & ANSWER_MASK;
        if (is != was && is != FUZZ_NO_ANSWER && was < FUZZ_ANSWERS_DIFFER) return false;
    }
    return true;
}

/* What draws inputs asks the model that is under test: a model that refuses what it took draws less, and is never
 * caught by what it draws. Of what is broken little else asks whether it is refused, and for which reason. */
void fuzz_answers_check(bool is_accepted, bool is_next_way) {
    if (is_accepted) run_row |= FUZZ_ROW_ACCEPTED;
    input_row = is_next_way ? fuzz_both_rows(input_row, run_row) : run_row;
    const uint64_t known = known_row(run_row);
    FUZZ_HOLDS_OF("what was accepted when it was committed is accepted", is_accepted || !(known & FUZZ_ROW_ACCEPTED));
    FUZZ_HOLDS_OF("what was answered when it was committed is answered", is_answered_so(known, run_row));
}
