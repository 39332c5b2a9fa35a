/* load_case.h: a file from the command line as cases: a descriptor, a finding, a report, or bytes that crashed
 * something. */
#ifndef NDP_LOAD_CASE_H
#define NDP_LOAD_CASE_H

#include "cmd/settings.h"
#include "engine/batch.h"

/* One case of a file. */
struct ndp_loaded_case {
    struct ndp_descriptor descriptor;
    char signature[NDP_SIGNATURE_BYTES]; /* of the finding it comes from, or "" */
};

struct ndp_loaded {
    struct ndp_loaded_case *cases; /* in the arena */
    uint32_t count;
};

/* Fills *out from the file at `path`. A JSON object with "findings" gives each finding's descriptor, one with
 * "descriptor" that one, any other is a descriptor itself; a file that is not JSON is a decode case of its bytes,
 * the format told by the first of them. Errors: IO, INVALID with the place, LIMIT, NOMEM. */
enum ndp_status ndp_case_load(struct ndp_arena *arena, const char *path, struct ndp_loaded *out,
                              struct ndp_error *error) NDP_MUST_USE;

/* The same; what is wrong is told on standard error. Whether *out is filled. */
bool ndp_case_load_or_tell(struct ndp_arena *arena, const char *path, struct ndp_loaded *out);

/* Whether every file can be read as cases; what is wrong with the first that cannot is told. Standard input is not
 * touched. Asked before targets are started, which takes seconds. */
bool ndp_cases_are_readable(const struct ndp_words *files);

/* Gives the whole of a regular file, or of standard input for "-" (arena). Errors: IO, LIMIT, NOMEM. */
enum ndp_status ndp_file_read(struct ndp_arena *arena, const char *path, uint64_t max_bytes, struct ndp_bytes *out,
                              struct ndp_error *error) NDP_MUST_USE;

/* Prints "file:line:column: text (at /path)" for an error of reading. */
void ndp_error_print(const char *path, struct ndp_bytes text, const struct ndp_error *error);

#endif
