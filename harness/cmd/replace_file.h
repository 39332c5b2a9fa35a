/* replace_file.h: files that are complete at any moment. */
#ifndef NDP_REPLACE_FILE_H
#define NDP_REPLACE_FILE_H

#include "base/bytes.h"

/* Replaces a regular file as a whole or not at all; writes to anything else, such as a terminal. Errors: IO, and LIMIT
 * for a path that is too long. */
enum ndp_status ndp_replace_file(const char *path, struct ndp_bytes text, struct ndp_error *error) NDP_MUST_USE;

#endif
