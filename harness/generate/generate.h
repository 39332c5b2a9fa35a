/* generate.h: generation, mutation, crossover and shrinking of descriptors.
 *
 * Each choice comes from a `struct ndp_choices`, which reads a seeded rng or the bytes of a fuzzer. A zero byte is the
 * simplest choice, and exhausted input reads as zeros, so that less input means a smaller descriptor. Each generated
 * descriptor passes ndp_descriptor_check.
 */
#ifndef NDP_GENERATE_H
#define NDP_GENERATE_H

#include "base/rng.h"
#include "describe/descriptor.h"

struct ndp_choices {
    struct ndp_rng rng;      /* used if `input.data` is NULL */
    struct ndp_cursor input; /* fuzzer bytes; borrowed */
};

void ndp_choices_init_seed(struct ndp_choices *choices, uint64_t seed);
void ndp_choices_init_bytes(struct ndp_choices *choices, struct ndp_bytes input);

/* Returns a number in 0..bound-1; bound >= 1. 0 is the simplest. */
uint64_t ndp_choose(struct ndp_choices *choices, uint64_t bound);

/* Returns true with probability 1 / one_in. False is the simplest. */
bool ndp_choose_rarely(struct ndp_choices *choices, uint64_t one_in);

/* Bounds of generated values. A zeroed struct stands for the defaults. */
struct ndp_generate_limits {
    uint64_t value_bytes; /* size of a base; 0 means 4096 */
    uint32_t max_ndim;    /* 0 means 64 */
    bool without_objects;
    bool without_maps;
    /* for transports between processes, which treat maps and arrays derived from them separately: half of the bases are
     * maps, and half of the values have a style that easily loses its memory order */
    bool between_processes;
};

/* Fills out->value and no other member. Errors: NOMEM. */
enum ndp_status ndp_generate_value(struct ndp_arena *arena, struct ndp_choices *choices,
                                   const struct ndp_generate_limits *limits, struct ndp_value *out) NDP_MUST_USE;

/* Fill out->value with a graph (model/graph/graph.h); the root of the second is an array of objects. Errors: NOMEM. */
enum ndp_status ndp_generate_graph(struct ndp_arena *arena, struct ndp_choices *choices,
                                   struct ndp_value *out) NDP_MUST_USE;
enum ndp_status ndp_generate_objects(struct ndp_arena *arena, struct ndp_choices *choices,
                                     struct ndp_value *out) NDP_MUST_USE;

/* The same for an archive of arrays: the root is a dict of plain arrays under text keys. Some members have equal
 * contents, equal shape and type, or are the same object. With `is_unnamed`, the names are arr_0, arr_1, ... in order.
 */
enum ndp_status ndp_generate_members(struct ndp_arena *arena, struct ndp_choices *choices, bool is_unnamed,
                                     struct ndp_value *out) NDP_MUST_USE;

/* The same for a list of scalars: numbers, bools, texts, bytes and None. Zeros give an empty list. */
enum ndp_status ndp_generate_scalars(struct ndp_arena *arena, struct ndp_choices *choices,
                                     struct ndp_value *out) NDP_MUST_USE;

/* The instances that a route takes; borrows its members. */
struct ndp_generate_instances {
    bool (*has_library)(const void *context, const char *library); /* whether both ends of the route have it */
    const void *context;
    const char *module;    /* the root is an instance of this module; "" or NULL for any graph */
    bool for_objects_only; /* the root is an array of objects */
};

/* Fills *out with a graph of an instance of a class (generate/instance_recipes.h). Errors: NOMEM; INVALID if there is
 * no such class. */
enum ndp_status ndp_generate_instance(struct ndp_arena *arena, struct ndp_choices *choices,
                                      const struct ndp_generate_instances *wanted, struct ndp_value *out) NDP_MUST_USE;

/* Fills a decode case: a value, a fault of its encoding in `format`, and the expected result. Errors: NOMEM;
 * UNSUPPORTED if describe/fault.h has no fault of that format. */
enum ndp_status ndp_generate_fault(struct ndp_arena *arena, struct ndp_choices *choices, const char *format,
                                   const struct ndp_generate_limits *limits, struct ndp_descriptor *out) NDP_MUST_USE;

/* Gives a valid descriptor that differs from `from` (borrowed, and partly shared) in one typed change: leaf, order,
 * shape, extent, view, memory, map, data, flag, field or fault; of bytes, one byte or a truncation. A case that names a
 * corpus file is returned unchanged. Errors: NOMEM. */
enum ndp_status ndp_generate_mutant(struct ndp_arena *arena, struct ndp_choices *choices,
                                    const struct ndp_descriptor *from, struct ndp_descriptor *out) NDP_MUST_USE;

/* Gives a valid descriptor from parts of two (both borrowed, and partly shared): the case of `first` with the dtype,
 * shape, data, memory, views, fault or route of `second`. Errors: NOMEM. */
enum ndp_status ndp_generate_cross(struct ndp_arena *arena, struct ndp_choices *choices,
                                   const struct ndp_descriptor *first, const struct ndp_descriptor *second,
                                   struct ndp_descriptor *out) NDP_MUST_USE;

/* Gives the `step`-th simpler neighbour of `from` (borrowed, and partly shared), boldest first. Returns NDP_OK with
 * *is_done set after the last. Each neighbour is valid and smaller in a well-founded order (generate/shrink_measure.c),
 * so that shrinking terminates. Errors: NOMEM. */
enum ndp_status ndp_shrink_step(struct ndp_arena *arena, const struct ndp_descriptor *from, uint32_t step,
                                struct ndp_descriptor *out, bool *is_done) NDP_MUST_USE;

/* Limits the base, and the results of its views, to `max_bytes` bytes and as many elements: halves the longest extents,
 * and drops views that no longer apply or exceed the limit. A value whose single item exceeds it is unchanged. Sets
 * *is_changed; shares parts with the old value. Errors: NOMEM. */
enum ndp_status ndp_generate_reduced_value(struct ndp_arena *arena, uint64_t max_bytes, struct ndp_array_value *value,
                                           bool *is_changed) NDP_MUST_USE;

/* Fills out->value with a dict. Errors: NOMEM. */
enum ndp_status ndp_generate_dict(struct ndp_arena *arena, struct ndp_choices *choices,
                                  struct ndp_value *out) NDP_MUST_USE;

/* As ndp_shrink_step, for a descriptor whose value is a dict. */
enum ndp_status ndp_shrink_dict_step(struct ndp_arena *arena, const struct ndp_descriptor *from, uint32_t step,
                                     struct ndp_descriptor *out, bool *is_done) NDP_MUST_USE;

#endif
