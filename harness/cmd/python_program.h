/* python_program.h: runs the Python programs of the source tree: renderers, exporters, bisection. */
#ifndef NDP_PYTHON_PROGRAM_H
#define NDP_PYTHON_PROGRAM_H

#include "base/status.h"

/* Runs `name` (a path in the source tree) with `arguments`, which end with NULL, under build/venv/bin/python3, which
 * has the packages of .ci/requirements.txt, or else under $PYTHON or python3. Standard streams are inherited. Fills
 * *code with its exit code, or -1 after a signal. Errors: GONE (no interpreter, or no such program) with the reason. */
enum ndp_status ndp_python_program_run(const char *name, const char *const *arguments, int *code,
                                       struct ndp_error *error) NDP_MUST_USE;

#endif
