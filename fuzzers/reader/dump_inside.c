#include "reader/dump_inside.h"

#include "codec/joblib/joblib_read.h"
#include "codec/pickle/object_walk.h"
#include "fuzz.h"
#include "reader/said_pickle.h"

/* Where they stand in the state of an array: (version, shape, type, order, elements). */
enum { SHAPE = 1, ORDER = 3, STATE = 5 };

struct looking {
    struct ndp_bytes dump;
    uint32_t alignment_bytes, count;
};

static bool is_same_shape(const struct ndp_object *a, const struct ndp_object *b) {
    if (!ndp_object_is(a, NDP_OBJECT_TUPLE) || !ndp_object_is(b, NDP_OBJECT_TUPLE) || a->list.count != b->list.count)
        return false;
    for (uint64_t k = 0; k < a->list.count; k++)
        if (ndp_object_integer(a->list.items[k]) != ndp_object_integer(b->list.items[k])) return false;
    return true;
}

/* The wrapper and the array have the same words: of one that lies in both orders it is C. */
static bool is_as_wrapped(const struct ndp_object *wrapper, const struct ndp_object *nested) {
    const struct ndp_object *state = ndp_object_is(nested, NDP_OBJECT_CALL) ? nested->call->state : NULL;
    const struct ndp_object *words = wrapper->call->state;
    if (!ndp_object_is(state, NDP_OBJECT_TUPLE) || state->list.count != STATE) return true;
    const bool is_fortran = ndp_object_integer(state->list.items[ORDER]) != 0;
    return is_same_shape(ndp_object_lookup(words, "shape"), state->list.items[SHAPE]) &&
           ndp_object_is_text(ndp_object_lookup(words, "order"), is_fortran ? "F" : "C");
}

static enum ndp_status look(void *context, struct ndp_object *object, uint32_t earlier) {
    struct looking *looking = context;
    (void)earlier;
    if (object->kind != NDP_OBJECT_RAW || ndp_joblib_kind(object->raw->wrapper) != NDP_JOBLIB_ARRAY) return NDP_OK;
    const struct ndp_raw *raw = object->raw;
    looking->count++;
    if (raw->nested)
        FUZZ_HOLDS(is_as_wrapped(raw->wrapper, raw->nested));
    else if (looking->alignment_bytes > 0)
        FUZZ_HOLDS(fuzz_is_padded(looking->dump, raw->offset_bytes, looking->alignment_bytes));
    return NDP_OK;
}

uint32_t fuzz_dump_inside(struct ndp_arena *arena, struct ndp_bytes dump, uint32_t alignment_bytes) {
    struct looking looking = {dump, alignment_bytes, 0};
    struct ndp_object_marks marks;
    struct ndp_objects objects;
    struct ndp_joblib read;
    ndp_objects_init(&objects, arena);
    if (ndp_joblib_read_memory(&objects, dump, NULL, &read, NULL) == NDP_OK &&
        ndp_object_marks_new(&objects, &marks) == NDP_OK)
        (void)!ndp_object_walk(&objects, read.root, &marks, 1, look, &looking);
    ndp_objects_clear(&objects);
    return looking.count;
}
