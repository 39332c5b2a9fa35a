/* protected.h: memory that nobody may write to, asked without dying of it. */
#ifndef NDP_FUZZ_PROTECTED_H
#define NDP_FUZZ_PROTECTED_H

#include <stdbool.h>
#include <stdint.h>

/* Whether the system refuses to write to this byte. What is not protected has another content then, where the file of
 * fuzz_fd(), which must not be empty, begins with another byte. */
bool fuzz_is_protected(const uint8_t *byte);

#endif
