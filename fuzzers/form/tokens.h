/* tokens.h: text as tokens (strings in quotes, numbers, words, single signs, runs of spaces), for mutation of a Python
 * literal or of JSON. */
#ifndef NDP_FUZZ_TOKENS_H
#define NDP_FUZZ_TOKENS_H

#include "generate/generate.h"

enum { FUZZ_MAX_TOKENS = 1024 };

struct fuzz_tokens {
    struct ndp_bytes list[FUZZ_MAX_TOKENS]; /* borrow the text, or are literals */
    uint32_t count;
};

/* Words that are valid in texts of this kind, in addition to those of the text. */
struct fuzz_words {
    const char *const *list;
    uint32_t count;
};

/* Splits `text` (borrowed) into tokens; drops the rest when the list is full. */
void fuzz_tokens_split(struct ndp_bytes text, struct fuzz_tokens *out);

/* Makes one change: a token is replaced, removed, repeated, inserted or swapped; numbers become near, round or huge
 * ones. Errors: NOMEM. */
enum ndp_status fuzz_tokens_change(struct ndp_arena *arena, struct ndp_choices *choices, const struct fuzz_words *words,
                                   struct fuzz_tokens *tokens) NDP_MUST_USE;

/* Appends all tokens. */
enum ndp_status fuzz_tokens_join(const struct fuzz_tokens *tokens, struct ndp_buffer *out) NDP_MUST_USE;

#endif
