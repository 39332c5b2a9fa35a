/* reference_joblib.h: the joblib codec as ways in and out of the reference plugin. */
#ifndef NDP_REFERENCE_JOBLIB_H
#define NDP_REFERENCE_JOBLIB_H

#include "codec/strided.h"
#include "target/reference_array.h"

/* The protocol that a format like "joblib:4" names, or -1 when it is not joblib's. */
int ndp_reference_joblib_protocol(const char *format);

/* Entries: "file" and "object" write what joblib 1.2 and later write; the names of compressors compress that at level
 * 3. Errors: as ndp_joblib_encode. */
enum ndp_status ndp_reference_joblib_encode(int protocol, const char *entry, const struct ndp_elements *elements,
                                            ndp_write_bytes *write, void *sink, struct ndp_error *error) NDP_MUST_USE;

/* Entries: "file" streams the file at `path`, "object" decodes it from memory, "mmap:r", "mmap:r+" and "mmap:c" map its
 * elements. Fills token->array. Errors: as ndp_joblib_decode_memory; IO. */
enum ndp_status ndp_reference_joblib_decode(struct ndp_reference_token *token, const char *entry, const char *path,
                                            struct ndp_error *error) NDP_MUST_USE;

#endif
