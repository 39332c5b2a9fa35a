/* interpret_steps.h: the state of a program run, shared by the files that implement its steps (interpret*.c).
 *
 * Functions return NDP_OK also when the step is refused; the refusal is in the record of its slot. Errors are those of
 * ndproof itself (NOMEM, IO, LIMIT) and end the run.
 */
#ifndef NDP_INTERPRET_STEPS_H
#define NDP_INTERPRET_STEPS_H

#include "target/case_file.h"
#include "target/decoded_array.h"
#include "target/interpret.h"
#include "target/plugin_graph.h"

enum ndp_interpret_content {
    NDP_CONTENT_NOTHING,
    NDP_CONTENT_MODEL,
    NDP_CONTENT_DECODED,
    NDP_CONTENT_BYTES,
    NDP_CONTENT_GRAPH,
    NDP_CONTENT_DICT
};

/* The content of a slot. */
struct ndp_interpret_slot {
    enum ndp_interpret_content content;
    struct ndp_array model;                        /* MODEL */
    struct ndp_bytes map_original;                 /* MODEL with mode "c": the file's content, which writes must not
                                                    * reach */
    struct ndp_decoded_array decoded;              /* DECODED */
    void *token;                                   /* DECODED: the plugin's */
    struct ndp_bytes bytes;                        /* BYTES */
    struct ndp_bytes buffers[NDP_MAX_OUT_OF_BAND]; /* BYTES: the out-of-band buffers */
    uint32_t buffer_count;
    struct ndp_graph graph;           /* GRAPH: live */
    struct ndp_dict_observation dict; /* DICT: the observations; empty before threads used it */
};

struct ndp_interpreter {
    const struct ndp_plugin *plugin;
    struct ndp_case_folder folder;
    struct ndp_buffer encoded;
    struct ndp_buffer dtype_text;
    uint64_t peak_bytes; /* of the last decode step */
    struct ndp_interpret_slot slots[NDP_SLOT_COUNT];
};

/* The state of one run. */
struct ndp_interpret_run {
    struct ndp_interpreter *self;
    struct ndp_arena *arena;
    const struct ndp_program *program;
    struct ndp_outcome *out;
};

/* Replaces the record of `slot` by a refusal; `message` is copied. */
void ndp_interpret_refuse(struct ndp_interpret_run *run, enum ndp_slot slot, enum ndp_slot_state state,
                          enum ndp_refusal_class reason, const char *message);

/* The same for the result of a plugin that was not DONE. */
void ndp_interpret_refuse_with(struct ndp_interpret_run *run, enum ndp_slot slot, enum ndp_plugin_result result,
                               const struct ndp_plugin_refusal *why);

/* Releases the content of a slot. ndp_interpret_refill also returns the slot, so that it can be filled. */
void ndp_interpret_release(struct ndp_interpreter *self, struct ndp_interpret_slot *to);
struct ndp_interpret_slot *ndp_interpret_refill(struct ndp_interpret_run *run, enum ndp_slot slot);

/* Fills *out for a plugin; it borrows the array and is valid until the next call. Errors: NOMEM, LIMIT. */
enum ndp_status ndp_interpret_plugin_array(struct ndp_interpret_run *run, const struct ndp_array *model,
                                           struct ndp_plugin_array *out) NDP_MUST_USE;

/* The steps ENCODE, SUPPLY and DECODE. */
enum ndp_status ndp_interpret_encode(struct ndp_interpret_run *run, const struct ndp_step *step) NDP_MUST_USE;
enum ndp_status ndp_interpret_supply(struct ndp_interpret_run *run, const struct ndp_step *step) NDP_MUST_USE;
enum ndp_status ndp_interpret_decode(struct ndp_interpret_run *run, const struct ndp_step *step) NDP_MUST_USE;

#endif
