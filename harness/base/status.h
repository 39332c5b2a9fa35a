/* status.h: did our own operation work?
 *
 * `enum ndp_status` answers that one question and nothing else. What was learned about a target is
 * `enum ndp_verdict` (target/program.h); the two never mix.
 *
 * A function that can fail returns a status and is marked NDP_MUST_USE. Out-parameters are written only
 * on NDP_OK. The optional last parameter `struct ndp_error *error` is borrowed from the caller, may be
 * NULL, and receives the detail: what is wrong and where.
 */
#ifndef NDP_STATUS_H
#define NDP_STATUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NDP_MUST_USE                    __attribute__((warn_unused_result))
#define NDP_PRINTF(format_index, first) __attribute__((format(printf, format_index, first)))
#define NDP_ARRAY_LEN(array)            (sizeof(array) / sizeof((array)[0]))

/* name, short text for people */
#define NDP_STATUS_LIST(X)                                                                                             \
    X(OK, "ok")                                                                                                        \
    X(INVALID, "malformed input")                                                                                      \
    X(TRUNCATED, "input ends too early")                                                                               \
    X(LIMIT, "over a stated limit")                                                                                    \
    X(UNSUPPORTED, "well formed, but not something this part does")                                                    \
    X(NOMEM, "out of memory")                                                                                          \
    X(IO, "the operating system refused")                                                                              \
    X(GONE, "the other side is gone")                                                                                  \
    X(TIMEOUT, "the deadline passed")                                                                                  \
    X(FAULT, "ndproof itself is wrong")

enum ndp_status {
#define NDP_STATUS_ENUM(name, text) NDP_##name,
    NDP_STATUS_LIST(NDP_STATUS_ENUM)
#undef NDP_STATUS_ENUM
        NDP_STATUS_COUNT
};

enum { NDP_ERROR_TEXT_BYTES = 240, NDP_ERROR_PATH_BYTES = 96 };

/* Where and why. `offset_bytes` counts from the start of the input that was being read, or is
 * NDP_NO_OFFSET; `path` is a JSON pointer into a descriptor, or "". */
#define NDP_NO_OFFSET UINT64_MAX
struct ndp_error {
    enum ndp_status status;
    uint64_t offset_bytes;
    char path[NDP_ERROR_PATH_BYTES];
    char text[NDP_ERROR_TEXT_BYTES];
};

/* "malformed input", never NULL. */
const char *ndp_status_text(enum ndp_status status);

/* "INVALID", never NULL. */
const char *ndp_status_name(enum ndp_status status);

/* Fills `error` (borrowed, may be NULL) and returns `status`, so that a caller can write
 * `return ndp_error_set(error, NDP_INVALID, at, "...", ...)`. Cuts a text that is too long. */
enum ndp_status ndp_error_set(struct ndp_error *error, enum ndp_status status, uint64_t offset_bytes,
                              const char *format, ...) NDP_PRINTF(4, 5);

/* Returns from the calling function when `expression` is not NDP_OK. */
#define NDP_TRY(expression)                                                                                            \
    do {                                                                                                               \
        enum ndp_status ndp_try_status = (expression);                                                                 \
        if (ndp_try_status != NDP_OK) return ndp_try_status;                                                           \
    } while (0)

#endif
