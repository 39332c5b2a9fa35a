#include "oracle/protected.h"

#include <errno.h>

#include "fuzz.h"

/* A call that is to write to a page that is for reading fails, where an instruction would be a signal. Source:
 * POSIX.1-2008, read(); Linux, read(2), EFAULT. */
bool fuzz_is_protected(const uint8_t *byte) {
    return pread(fuzz_fd(), (void *)(uintptr_t)byte, 1, 0) < 0 && errno == EFAULT;
}
