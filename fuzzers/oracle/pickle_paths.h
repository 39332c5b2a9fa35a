/* pickle_paths.h: pickles through the reference's machine: a pickle that is read is written in one protocol, and every
 * other path to the same objects must write the same bytes. */
#ifndef NDP_FUZZ_PICKLE_PATHS_H
#define NDP_FUZZ_PICKLE_PATHS_H

#include "codec/source.h"
#include "codec/strided.h"

/* Reads a pickle (borrowed) and runs the paths that are due for it: a stream in chunks, what was written read and
 * written again, another numbering of the memo, a stream and a sink that fail, limits that are just met, and an
 * allocation that fails. Files each that writes other bytes or returns another status. */
void fuzz_check_pickle_paths(struct ndp_bytes pickle);

/* Reads a pickle and hands what `protocol` makes of it to `write`. Clears the source. */
enum ndp_status fuzz_rewrite_pickle(struct ndp_source source, uint32_t protocol, ndp_write_bytes *write,
                                    void *sink) NDP_MUST_USE;

#endif
