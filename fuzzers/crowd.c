#include "crowd.h"

#include "codec/npy_encode.h"
#include "codec/object_walk.h"
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

static struct ndp_object *copy_text(struct ndp_objects *objects, const struct ndp_object *text) {
    return ndp_object_bytes(objects, text->kind, text->bytes);
}

static enum ndp_status give_names(void *context, struct ndp_object *object, uint32_t earlier) {
    (void)earlier;
    if (object->kind != NDP_OBJECT_GLOBAL) return NDP_OK;
    object->global.module = copy_text(context, object->global.module);
    object->global.name = copy_text(context, object->global.name);
    return object->global.module && object->global.name ? NDP_OK : NDP_NOMEM;
}

/* Writes what the pickle holds, or the last of the list that it holds. What a writer names by itself is one object for
 * all copies, with the names of the first: each has names of its own, which are no part of what is said. */
static bool write_one(struct ndp_arena *arena, struct ndp_bytes pickle, bool is_list, uint32_t protocol,
                      ndp_write_bytes *write, void *sink) {
    const struct ndp_pickle_form form = {.protocol = protocol};
    struct ndp_objects objects;
    struct ndp_object_marks marks;
    ndp_objects_init(&objects, arena);
    const struct ndp_object *root = read_root(&objects, pickle);
    if (is_list) {
        const bool is_right = ndp_object_is(root, NDP_OBJECT_LIST) && root->list.count > 0;
        root = is_right ? root->list.items[root->list.count - 1] : NULL;
    }
    const bool is_written = root && ndp_object_marks_new(&objects, &marks) == NDP_OK &&
                            ndp_object_walk(&objects, root, &marks, 1, give_names, &objects) == NDP_OK &&
                            ndp_pickle_write(&objects, root, &form, write, sink, NULL) == NDP_OK;
    ndp_objects_clear(&objects);
    return is_written;
}

static void check_last(struct ndp_arena *arena, struct ndp_bytes all, uint32_t protocol, struct ndp_bytes want) {
    static struct ndp_buffer alone = {.max_bytes = 1 << 24};
    alone.size_bytes = 0;
    if (!FUZZ_HOLDS(write_one(arena, want, false, protocol, ndp_write_to_buffer, &alone))) return;
    struct fuzz_expected last = {{alone.data, alone.size_bytes}, false};
    FUZZ_HOLDS(write_one(arena, all, true, protocol, fuzz_write_expected, &last) && fuzz_is_expected(&last));
}

void fuzz_check_crowd(struct ndp_arena *arena, struct ndp_bytes pickle, uint32_t protocol, struct ndp_bytes want) {
    static struct ndp_buffer made = {.max_bytes = 1 << 24};
    struct ndp_objects objects;
    if (pickle.size_bytes < LEAST_BYTES) return;
    ndp_objects_init(&objects, arena);
    made.size_bytes = 0;
    const bool is_made = write_copies(&objects, pickle, protocol, &made) == NDP_OK;
    const struct ndp_bytes all = {made.data, made.size_bytes};
    ndp_objects_clear(&objects);
    if (is_made) {
        fuzz_wrote(made.size_bytes);
        FUZZ_HOLDS(fuzz_has_whole_frames(all));
        check_last(arena, all, protocol, want);
    }
    ndp_arena_reset(arena);
}
