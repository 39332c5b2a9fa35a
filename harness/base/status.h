/* status.h: result of ndproof's own operations.
 *
 * `enum ndp_status` reports whether an operation of ndproof succeeded. `enum ndp_verdict` (target/program.h) reports
 * what was learned about a target. The two never mix.
 *
 * A function that can fail returns a status and is marked NDP_MUST_USE. It writes its out-parameters only on NDP_OK.
 * The optional last parameter `struct ndp_error *error` is borrowed from the caller, may be NULL, and receives the
 * reason and the position.
 */
#ifndef NDP_STATUS_H
#define NDP_STATUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NDP_MUST_USE                    __attribute__((warn_unused_result))
#define NDP_PRINTF(format_index, first) __attribute__((format(printf, format_index, first)))
#define NDP_ARRAY_LEN(array)            (sizeof(array) / sizeof((array)[0]))

/* The initialiser of a table of short rows. clang-format fills lines with rows inside parentheses only. */
#define NDP_ROWS(...)                                                                                                  \
    { __VA_ARGS__ }

/* name, text for messages */
#define NDP_STATUS_LIST(X)                                                                                             \
    X(OK, "ok")                                                                                                        \
    X(INVALID, "malformed input")                                                                                      \
    X(TRUNCATED, "input ends too early")                                                                               \
    X(LIMIT, "limit exceeded")                                                                                         \
    X(UNSUPPORTED, "valid but not supported")                                                                          \
    X(NOMEM, "out of memory")                                                                                          \
    X(IO, "operating system error")                                                                                    \
    X(GONE, "connection closed by peer")                                                                               \
    X(TIMEOUT, "deadline exceeded")                                                                                    \
    X(FAULT, "internal error in ndproof")

#define NDP_STATUS_ENUM(name, text) NDP_##name,
enum ndp_status { NDP_STATUS_LIST(NDP_STATUS_ENUM) NDP_STATUS_COUNT };

enum { NDP_ERROR_TEXT_BYTES = 240, NDP_ERROR_PATH_BYTES = 96 };

/* Position and reason of an error. `offset_bytes` counts from the start of the input, or is NDP_NO_OFFSET. `path` is a
 * JSON pointer into a descriptor, or "". */
#define NDP_NO_OFFSET UINT64_MAX
struct ndp_error {
    enum ndp_status status;
    uint64_t offset_bytes;
    char path[NDP_ERROR_PATH_BYTES];
    char text[NDP_ERROR_TEXT_BYTES];
};

/* Returns the text of a status, such as "malformed input". Never NULL. */
const char *ndp_status_text(enum ndp_status status);

/* Returns the name of a status, such as "INVALID". Never NULL. */
const char *ndp_status_name(enum ndp_status status);

/* Fills `error` (borrowed, may be NULL) and returns `status`, so that a caller can write `return ndp_error_set(error,
 * NDP_INVALID, at, "...", ...)`. Truncates a text that is too long. */
enum ndp_status ndp_error_set(struct ndp_error *error, enum ndp_status status, uint64_t offset_bytes,
                              const char *format, ...) NDP_PRINTF(4, 5);

/* Returns from the calling function when `expression` is not NDP_OK. */
#define NDP_TRY(expression)                                                                                            \
    do {                                                                                                               \
        enum ndp_status ndp_try_status = (expression);                                                                 \
        if (ndp_try_status != NDP_OK) return ndp_try_status;                                                           \
    } while (0)

#endif
