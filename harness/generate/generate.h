/* generate.h: where descriptors come from.
 *
 * Every choice is drawn from a `struct ndp_choices`: from a seed, or from the bytes of a fuzzer. A zero
 * byte is the simplest choice, and input that has run out reads as zeros, so that less input is a smaller
 * descriptor. Generation always gives a descriptor that passes ndp_descriptor_check.
 */
#ifndef NDP_GENERATE_H
#define NDP_GENERATE_H

#include "base/rng.h"
#include "describe/descriptor.h"

struct ndp_choices {
    struct ndp_rng rng;      /* used when `input.data` is NULL */
    struct ndp_cursor input; /* borrowed fuzzer bytes */
};

void ndp_choices_init_seed(struct ndp_choices *choices, uint64_t seed);
void ndp_choices_init_bytes(struct ndp_choices *choices, struct ndp_bytes input);

/* A number in 0..bound-1, 0 the simplest; bound >= 1. */
uint64_t ndp_choose(struct ndp_choices *choices, uint64_t bound);

/* True once in `one_in` draws; false is the simplest. */
bool ndp_choose_rarely(struct ndp_choices *choices, uint64_t one_in);

/* What the caller can use: values outside are never generated. Zeroed: everything. */
struct ndp_generate_limits {
    uint64_t value_bytes; /* of the base; 0 is 4096 */
    uint32_t max_ndim;    /* 0 is 64 */
    bool without_objects;
    bool without_maps;
    /* Maps and what is derived from them travel between processes in ways of their own: half of the bases are maps,
     * and half of the values are of a style in which memory order is easily lost. */
    bool between_processes;
};

/* Fills out->value (and nothing else of the descriptor). Errors: NOMEM. */
enum ndp_status ndp_generate_value(struct ndp_arena *arena, struct ndp_choices *choices,
                                   const struct ndp_generate_limits *limits, struct ndp_value *out) NDP_MUST_USE;

/* Fills out->value with a graph (model/graph.h), the second with one whose root is an array of objects. Errors: NOMEM.
 */
enum ndp_status ndp_generate_graph(struct ndp_arena *arena, struct ndp_choices *choices,
                                   struct ndp_value *out) NDP_MUST_USE;
enum ndp_status ndp_generate_objects(struct ndp_arena *arena, struct ndp_choices *choices,
                                     struct ndp_value *out) NDP_MUST_USE;

/* Fills a decode case: a value, the fault put into its encoding in `format`, and what is expected. Errors:
 * NOMEM; UNSUPPORTED when describe/fault.h has no fault of that format. */
enum ndp_status ndp_generate_fault(struct ndp_arena *arena, struct ndp_choices *choices, const char *format,
                                   const struct ndp_generate_limits *limits, struct ndp_descriptor *out) NDP_MUST_USE;

/* Gives a descriptor one typed change away from `from` (borrowed, and a part of it is shared): another leaf,
 * order, shape, extent, view, memory, map, data, flag, field or fault; of bytes, one byte or a cut. Always
 * valid. A case that names a file of the corpus stays as it is. Errors: NOMEM. */
enum ndp_status ndp_mutate(struct ndp_arena *arena, struct ndp_choices *choices, const struct ndp_descriptor *from,
                           struct ndp_descriptor *out) NDP_MUST_USE;

/* Gives a descriptor made of parts of two (borrowed, and parts of them are shared): the case of `first` with the type,
 * shape, data, memory, views, fault or way of `second`. Always valid. Errors: NOMEM. */
enum ndp_status ndp_cross(struct ndp_arena *arena, struct ndp_choices *choices, const struct ndp_descriptor *first,
                          const struct ndp_descriptor *second, struct ndp_descriptor *out) NDP_MUST_USE;

/* Gives the `step`-th simpler neighbour of `from` (borrowed, and a part of it is shared), the boldest first.
 * NDP_OK with *is_done set after the last one. Every neighbour is valid and smaller in a well-founded order
 * (generate/measure.c), so that shrinking ends. Errors: NOMEM. */
enum ndp_status ndp_shrink_step(struct ndp_arena *arena, const struct ndp_descriptor *from, uint32_t step,
                                struct ndp_descriptor *out, bool *is_done) NDP_MUST_USE;

/* Makes the value one whose base, and what views make of it, has at most `max_bytes` bytes and as many elements: the
 * longest extents are halved, and views that no longer apply, or give more, are dropped. A value whose one item is more
 * stays as it is. Sets *is_changed; parts are shared with what it was. Errors: NOMEM. */
enum ndp_status ndp_value_reduce(struct ndp_arena *arena, uint64_t max_bytes, struct ndp_array_value *value,
                                 bool *is_changed) NDP_MUST_USE;

/* Fills out->value with a dict. Errors: NOMEM. */
enum ndp_status ndp_generate_dict(struct ndp_arena *arena, struct ndp_choices *choices,
                                  struct ndp_value *out) NDP_MUST_USE;

/* As ndp_shrink_step, for a descriptor whose value is a dict. */
enum ndp_status ndp_dict_shrink_step(struct ndp_arena *arena, const struct ndp_descriptor *from, uint32_t step,
                                     struct ndp_descriptor *out, bool *is_done) NDP_MUST_USE;

#endif
