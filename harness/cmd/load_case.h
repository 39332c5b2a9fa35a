/* load_case.h: reads a file of the command line as cases: a descriptor, a finding, a report, or raw bytes. */
#ifndef NDP_LOAD_CASE_H
#define NDP_LOAD_CASE_H

#include "cmd/settings.h"
#include "engine/batch.h"

/* One case of a file. */
struct ndp_loaded_case {
    struct ndp_descriptor descriptor;
    char signature[NDP_SIGNATURE_BYTES]; /* the signature of its finding, or "" */
    bool is_documented;                  /* the finding is a documented loss or hazard */
};

struct ndp_loaded {
    struct ndp_loaded_case *cases; /* in the arena */
    uint32_t count;
};

/* Fills *out from the file at `path`. A JSON object with "findings" is a report, one with "descriptor" a finding, any
 * other one a descriptor. Any other file is a decode case of its bytes; its format follows from the corpus index,
 * ndp_file_format_find or the fuzz target that its path names. Errors: IO, INVALID (with the offset in JSON; or the
 * file is in no known format), LIMIT, NOMEM. */
enum ndp_status ndp_load_case(struct ndp_arena *arena, const char *path, struct ndp_loaded *out,
                              struct ndp_error *error) NDP_MUST_USE;

/* Fills *out from the text of such a JSON object. Errors: INVALID with the offset, LIMIT, NOMEM. */
enum ndp_status ndp_load_case_text(struct ndp_arena *arena, struct ndp_bytes text, struct ndp_loaded *out,
                                   struct ndp_error *error) NDP_MUST_USE;

/* As ndp_load_case; prints an error on standard error, and returns whether *out is filled. */
bool ndp_load_case_or_print(struct ndp_arena *arena, const char *path, struct ndp_loaded *out);

/* Returns whether every file can be read as cases, and prints the first error. Skips standard input. Callers check the
 * files before they start targets, which takes seconds. */
bool ndp_load_case_all_readable(const struct ndp_words *files);

/* Gives the content of a regular file, or of standard input for "-" (arena). Errors: IO, LIMIT, NOMEM. */
enum ndp_status ndp_load_case_file(struct ndp_arena *arena, const char *path, uint64_t max_bytes, struct ndp_bytes *out,
                                   struct ndp_error *error) NDP_MUST_USE;

/* Prints "file:line:column: message (at /path)" for an error in `text`. */
void ndp_load_case_print_error(const char *path, struct ndp_bytes text, const struct ndp_error *error);

#endif
