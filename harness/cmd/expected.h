/* expected.h: the libraries that an environment's own list makes part of it. */
#ifndef NDP_EXPECTED_H
#define NDP_EXPECTED_H

#include "base/bytes.h"
#include "target/target.h"

struct ndp_expected {
    char names[NDP_MAX_LIBRARIES][NDP_WORD_BYTES];
    uint32_t count;
};

/* Fills *out with the packages of a list in pip's format (.ci/env/NAME.txt), up to the line that begins with "# ----":
 * the packages below it are only needed by those above. Borrows the text; ignores what exceeds the limits. */
void ndp_expected_read(struct ndp_bytes text, struct ndp_expected *out);

bool ndp_expected_has(const struct ndp_expected *expected, const char *name);

#endif
