/* dissect_opcodes.h: lists the opcodes of a pickle and follows its stack of names, without executing anything.
 *
 * The list continues to the first opcode that cannot be read, unlike the reader of codec/pickle/, which refuses the
 * whole pickle. A global is resolved when its module and name are texts on the stack or in the memo, as pickles of
 * protocol 4 and later name them. Source: CPython 3.13, Lib/pickletools.py.
 */
#ifndef NDP_DISSECT_OPCODES_H
#define NDP_DISSECT_OPCODES_H

#include <stdio.h>

#include "codec/pickle/object.h"
#include "codec/pickle/pickle_memo.h"

enum { NDP_OPCODES_SHOWN = 200, NDP_OPCODE_GLOBALS = 64 };

/* A global that the pickle names: importing it runs code. `module` and `name` are empty if neither a text on the stack
 * nor the memo has them. Borrows the pickle. */
struct ndp_opcode_global {
    uint64_t offset_bytes;
    struct ndp_bytes module;
    struct ndp_bytes name;
};

/* A list in progress. Initialise the members up to `indent`, zero the rest. */
struct ndp_opcode_list {
    FILE *out;
    struct ndp_objects *objects; /* borrowed; provides memory */
    struct ndp_bytes bytes;      /* borrowed */
    uint64_t at_bytes;           /* the next opcode */
    uint32_t *lines_left;        /* opcodes to print; may be shared by several lists */
    uint32_t indent;
    struct ndp_object_list stack; /* TEXT for a text, NULL for a mark, NONE for all else */
    struct ndp_pickle_memo memo;  /* the same */
    uint64_t opcode_count;
    uint64_t hidden_count; /* opcodes that were not printed */
    uint64_t frame_count;
    uint64_t frame_end_bytes; /* of the last frame */
    uint64_t buffer_count;    /* out-of-band buffers that it takes */
    int32_t protocol;         /* argument of the last PROTO; 0 without */
    struct ndp_opcode_global globals[NDP_OPCODE_GLOBALS];
    uint64_t global_count;  /* may exceed the size of `globals` */
    bool is_stopped;        /* STOP was reached */
    bool is_cut;            /* the limit of opcodes was reached */
    struct ndp_error error; /* why the list ends before STOP; status OK: it does not */
};

/* Lists opcodes up to `end_bytes`, STOP, or an opcode that cannot be read. Errors: NOMEM. */
enum ndp_status ndp_opcode_list_run(struct ndp_opcode_list *list, uint64_t end_bytes) NDP_MUST_USE;

#endif
