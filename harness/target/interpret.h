/* interpret.h: runs the steps of a program with a plugin. The in-process target (inproc_target.c) and the testee in C
 * (serve.h) share it.
 *
 * The model builds the arrays. Entry points other than "memory" use files in a temporary folder, which is created on
 * first use.
 */
#ifndef NDP_INTERPRET_H
#define NDP_INTERPRET_H

#include "target/plugin.h"
#include "target/target.h"

struct ndp_interpreter;

/* Creates an interpreter that borrows `plugin`; the caller owns it. Errors: INVALID (as ndp_claims_check), NOMEM. */
enum ndp_status ndp_interpreter_new(const struct ndp_plugin *plugin, struct ndp_interpreter **out,
                                    struct ndp_error *error) NDP_MUST_USE;

/* Removes the folder; the next program that needs one makes another. */
void ndp_interpreter_rest(struct ndp_interpreter *interpreter);

/* Removes the folder and frees the interpreter. NULL is allowed. */
void ndp_interpreter_free(struct ndp_interpreter *interpreter);

/* Runs one program (borrowed during the call) and fills *out, with memory of `arena`. Decoded values are released
 * before the return. `ended` is PASS, or FAULT when ndproof itself ran out of memory or could not write files. */
void ndp_interpreter_run(struct ndp_interpreter *interpreter, struct ndp_arena *arena,
                         const struct ndp_program *program, struct ndp_outcome *out);

#endif
