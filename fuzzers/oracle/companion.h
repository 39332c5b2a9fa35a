/* companion.h: dumps of joblib up to 0.9 whose array lies in a file beside them, as one input: the pickle, and behind
 * its STOP what the file holds. */
#ifndef NDP_FUZZ_COMPANION_H
#define NDP_FUZZ_COMPANION_H

#include "codec/joblib/joblib_read.h"

/* The one name that there is. */
#define FUZZ_COMPANION "a"

/* How many bytes the pickle has that an input begins with, by its opcodes: all, where none is a STOP, or where it is
 * packed. */
uint64_t fuzz_dump_bytes(struct ndp_bytes input);

/* Gives a folder (borrowed) of this process alone, with the file FUZZ_COMPANION, which holds what is given. */
int fuzz_companion_folder(struct ndp_bytes companion);

/* Gives the path of a dump in that folder, which holds what is given. */
const char *fuzz_companion_dump(struct ndp_bytes dump);

/* Files what does not hold of an array out of a dump: it is what the dump and the companion say, read by other code
 * than that of joblib's old forms: the one file that there is; what an NPY file says and holds; what zlib makes of a
 * z-file, as many bytes as its head says; the state's shape and order, and no class but those of plain arrays. Where
 * `has_limits`, it may have as many bytes, and no fewer, and a folder; and of a dump that has it twice both, and no
 * file fewer. Arrays of other forms are not looked at. */
void fuzz_check_companion(struct ndp_arena *arena, struct ndp_bytes dump, struct ndp_bytes companion,
                          const struct ndp_joblib_options *options, bool has_limits, const struct ndp_npy_array *array);

/* Whether a reader of z-files has no reason to refuse these bytes: a size, and a stream of that many. */
bool fuzz_is_zfile(struct ndp_bytes companion);

#endif
