/* withheld.h: bytes that someone else made are withheld from libraries that may run code in them. */
#ifndef NDP_WITHHELD_H
#define NDP_WITHHELD_H

#include "target/target.h"

enum { NDP_MAX_WITHHELD = 32 };

/* The formats of libraries that were not run, each once. All zero: none. */
struct ndp_withheld {
    struct {
        char library[NDP_WORD_BYTES];
        char format[NDP_WORD_BYTES];
    } list[NDP_MAX_WITHHELD];
    uint32_t count;
};

/* Whether a reader of this format may run code that the bytes contain. Unknown formats may. */
bool ndp_withheld_format(const char *format);

/* Whether the decoder of the route may run code that the bytes contain: its format may, and its entry point does not
 * claim to be inert. */
bool ndp_withheld_runs_code(const struct ndp_target_info *decoder, const struct ndp_route *route);

/* Notes that a format of a library was not run. */
void ndp_withheld_add(struct ndp_withheld *withheld, const char *library, const char *format);

#endif
