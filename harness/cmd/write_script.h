/* write_script.h: a divergence as a Python script, in a file. */
#ifndef NDP_WRITE_SCRIPT_H
#define NDP_WRITE_SCRIPT_H

#include "report/script.h"

/* Writes the script of `divergence` to the file at `path`. `descriptor` has its complete route; `bench` has the
 * targets that the route names. Errors: of ndp_script_print; IO. */
enum ndp_status ndp_script_write(const char *path, const struct ndp_bench *bench,
                                 const struct ndp_descriptor *descriptor, const struct ndp_divergence *divergence,
                                 const struct ndp_result *result, struct ndp_error *error) NDP_MUST_USE;

#endif
