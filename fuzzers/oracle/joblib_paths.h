/* joblib_paths.h: dumps of joblib through the reference by paths that the operation table does not have: a stream in
 * chunks, a stream that fails, an allocation that fails. */
#ifndef NDP_FUZZ_JOBLIB_PATHS_H
#define NDP_FUZZ_JOBLIB_PATHS_H

#include "base/bytes.h"

/* Runs the paths that are due for this input (borrowed) and files each result that differs from decoding from memory.
 */
void fuzz_check_joblib_paths(struct ndp_bytes bytes);

#endif
