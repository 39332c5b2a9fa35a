/* serve.h: a testee in C: serves the testee protocol (harness/testees/README.md) with a plugin. */
#ifndef NDP_SERVE_H
#define NDP_SERVE_H

#include "target/plugin.h"
#include "target/target.h"

/* The descriptors of a testee. */
enum { NDP_TESTEE_READ_FD = 3, NDP_TESTEE_WRITE_FD = 4 };

/* Sends HELLO and runs batches until `read_fd` ends. Borrows all; closes nothing. Errors: INVALID (the plugin, or a bad
 * frame), GONE (`write_fd` has no reader), IO, NOMEM. */
enum ndp_status ndp_serve(const struct ndp_plugin *plugin, int read_fd, int write_fd,
                          struct ndp_error *error) NDP_MUST_USE;

#endif
