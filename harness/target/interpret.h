/* interpret.h: does the steps of a program with a plugin: the common part of the target in this process
 * (inproc_target.c) and of a testee in C (serve.h).
 *
 * Arrays are built by the model. Entries other than "memory" work on files in a temporary folder that is made
 * when it is first needed.
 */
#ifndef NDP_INTERPRET_H
#define NDP_INTERPRET_H

#include "target/plugin.h"
#include "target/target.h"

struct ndp_interpreter;

/* Gives an interpreter that borrows `plugin`. Errors: INVALID (as ndp_claims_check), NOMEM. */
enum ndp_status ndp_interpreter_new(const struct ndp_plugin *plugin, struct ndp_interpreter **out,
                                    struct ndp_error *error) NDP_MUST_USE;

/* Removes the folder and frees; NULL is nothing. */
void ndp_interpreter_free(struct ndp_interpreter *interpreter);

/* Does one program (borrowed during the call) and fills *out; its memory is of `arena`. What the plugin holds is
 * released before the return. `ended` is PASS, or FAULT when ndproof itself lacked memory or files. */
void ndp_interpreter_run(struct ndp_interpreter *interpreter, struct ndp_arena *arena,
                         const struct ndp_program *program, struct ndp_outcome *out);

#endif
