/* file_format.h: the format of a file that is no JSON: .npy, .npz, pickle or joblib. */
#ifndef NDP_FILE_FORMAT_H
#define NDP_FILE_FORMAT_H

#include "base/bytes.h"

/* Gives "npy", "npz", "pickle" or "joblib", or NULL for a file in no known format. The first bytes decide: the magic of
 * NPY, of a ZIP archive, of a compressed joblib dump, or a pickle. Otherwise the ending of the name decides: .npy,
 * .npz, .pkl, .pickle, .joblib; so a damaged file keeps its format. */
const char *ndp_file_format_find(const char *path, struct ndp_bytes bytes);

/* Whether the bytes are exactly one pickle of protocol 0 or 1, which has no magic: only opcodes of these protocols with
 * complete arguments, each with enough operands, and STOP as the last byte. Executes nothing. */
bool ndp_file_format_is_old_pickle(struct ndp_bytes bytes);

#endif
