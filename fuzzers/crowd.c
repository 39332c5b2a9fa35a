#include "crowd.h"

#include "codec/npy_encode.h"
#include "codec/pickle_read.h"
#include "codec/pickle_write.h"
#include "fuzz.h"
#include "pieces.h"
#include "whole.h"

/* Source: CPython 3.11, Lib/pickle.py, _Framer. */
enum { FRAME_BYTES = 1 << 16, LEAST_BYTES = 1 << 10 };

static struct ndp_object *read_root(struct ndp_objects *objects, struct ndp_bytes pickle) {
    struct ndp_source source = ndp_source_memory(pickle);
    struct ndp_pickle read;
    const enum ndp_status status = ndp_pickle_read(objects, &source, NULL, &read, NULL);
    ndp_source_clear(&source);
    return status == NDP_OK ? read.root : NULL;
}

/* Writes the list of copies. Errors: as ndp_pickle_write; NOMEM where one could not be read. */
static enum ndp_status write_copies(struct ndp_objects *objects, struct ndp_bytes pickle, uint32_t protocol,
                                    struct ndp_buffer *out) {
    const struct ndp_pickle_form form = {.protocol = protocol};
    struct ndp_object *list = ndp_object_new(objects, NDP_OBJECT_LIST);
    for (uint64_t made = 0; list && made < FRAME_BYTES + pickle.size_bytes; made += pickle.size_bytes) {
        struct ndp_object *copy = read_root(objects, pickle);
        if (!copy || !ndp_object_append(objects, &list->list, copy)) return NDP_NOMEM;
    }
    return list ? ndp_pickle_write(objects, list, &form, ndp_write_to_buffer, out, NULL) : NDP_NOMEM;
}

/* Writes the last of the list that a pickle holds; false where it holds none. */
static bool write_last(struct ndp_objects *objects, struct ndp_bytes pickle, uint32_t protocol, void *expected) {
    const struct ndp_pickle_form form = {.protocol = protocol};
    const struct ndp_object *list = read_root(objects, pickle);
    return ndp_object_is(list, NDP_OBJECT_LIST) && list->list.count > 0 &&
           ndp_pickle_write(objects, list->list.items[list->list.count - 1], &form, fuzz_write_expected, expected,
                            NULL) == NDP_OK;
}

void fuzz_check_crowd(struct ndp_arena *arena, struct ndp_bytes pickle, uint32_t protocol, struct ndp_bytes want) {
    static struct ndp_buffer made = {.max_bytes = 1 << 24};
    struct fuzz_expected last = {want, false};
    struct ndp_objects objects;
    if (pickle.size_bytes < LEAST_BYTES) return;
    ndp_objects_init(&objects, arena);
    made.size_bytes = 0;
    if (write_copies(&objects, pickle, protocol, &made) == NDP_OK) {
        const struct ndp_bytes all = {made.data, made.size_bytes};
        fuzz_wrote(made.size_bytes);
        FUZZ_HOLDS(fuzz_has_whole_frames(all));
        FUZZ_HOLDS(write_last(&objects, all, protocol, &last) && fuzz_is_expected(&last));
    }
    ndp_objects_clear(&objects);
    ndp_arena_reset(arena);
}
