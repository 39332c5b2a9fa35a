#include "oracle/crowd.h"

#include "codec/npy/npy_encode.h"
#include "codec/pickle/object_walk.h"
#include "codec/pickle/pickle_read.h"
#include "codec/pickle/pickle_write.h"
#include "form/pieces.h"
#include "fuzz.h"
#include "reader/told.h"
#include "reader/whole.h"

/* Source: CPython 3.11, Lib/pickle.py, _Framer. */
enum { FRAME_BYTES = 1 << 16, FRAMED_PROTOCOL = 4, BATCH = 1000 };
enum { INDEXED_ONE_IN = 16, LEAST_LISTS = 1 << 8, MOST_LISTS = 1 << 13, NEAR = 6, LIST_BYTES = 2, HEADS_BYTES = 10 };

static struct ndp_object *read_root(struct ndp_objects *objects, struct ndp_bytes pickle) {
    struct ndp_source source = ndp_source_memory(pickle);
    struct ndp_pickle read;
    const enum ndp_status status = ndp_pickle_read(objects, &source, NULL, &read, NULL);
    ndp_source_clear(&source);
    return status == NDP_OK ? read.root : NULL;
}

/* What was met before so many others is met again. */
static bool is_again(uint64_t pick) {
    return (pick >> 8) % 2 == 0;
}

/* Lists that leave a few indexes below a power of two, of one byte mostly; seldom any. */
static uint32_t lists_between(uint64_t pick) {
    uint32_t power = LEAST_LISTS;
    if (pick % INDEXED_ONE_IN != 0) return 0;
    for (pick /= INDEXED_ONE_IN; pick % 2 == 1 && power < MOST_LISTS; pick /= 2) power *= 2;
    return power - NEAR;
}

/* What stands between the copies: so many lists, and, where there are frames, the bytes of one but for these, the first
 * copy, and so much of the second. */
static bool add_between(struct ndp_objects *objects, struct ndp_object *list, uint32_t protocol, uint64_t copies_bytes,
                        uint32_t lists) {
    static const uint8_t zeros[FRAME_BYTES];
    const uint64_t others_bytes = HEADS_BYTES + copies_bytes + LIST_BYTES * lists;
    const struct ndp_bytes bytes = {zeros, others_bytes < FRAME_BYTES ? FRAME_BYTES - others_bytes : 0};
    for (uint32_t i = 0; i < lists; i++) {
        struct ndp_object *empty = ndp_object_new(objects, NDP_OBJECT_LIST);
        if (!empty || !ndp_object_append(objects, &list->list, empty)) return false;
    }
    if (protocol < FRAMED_PROTOCOL) return true;
    struct ndp_object *filler = ndp_object_bytes(objects, NDP_OBJECT_BYTES, bytes);
    return filler && ndp_object_append(objects, &list->list, filler);
}

/* Writes a list of two copies, each of about so many bytes, and what stands between them, and now and then the first
 * once more. Errors: as ndp_pickle_write; NOMEM where one could not be read. */
static enum ndp_status write_copies(struct ndp_objects *objects, struct ndp_bytes pickle, uint32_t protocol,
                                    uint64_t one_bytes, uint64_t pick, struct ndp_buffer *out) {
    const struct ndp_pickle_form form = {.protocol = protocol};
    const uint64_t copies_bytes = one_bytes + (pick >> 16) % one_bytes;
    struct ndp_object *list = ndp_object_new(objects, NDP_OBJECT_LIST), *before = read_root(objects, pickle);
    if (!list || !before || !ndp_object_append(objects, &list->list, before)) return NDP_NOMEM;
    if (!add_between(objects, list, protocol, copies_bytes, lists_between(pick))) return NDP_NOMEM;
    struct ndp_object *behind = read_root(objects, pickle);
    if (!behind || !ndp_object_append(objects, &list->list, behind)) return NDP_NOMEM;
    if (is_again(pick) && !ndp_object_append(objects, &list->list, before)) return NDP_NOMEM;
    return ndp_pickle_write(objects, list, &form, ndp_write_to_buffer, out, NULL);
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

void fuzz_check_crowd(struct ndp_arena *arena, struct ndp_bytes pickle, uint32_t protocol, struct ndp_bytes want,
                      uint64_t pick) {
    static struct ndp_buffer made = {.max_bytes = 1 << 24};
    struct ndp_objects objects;
    ndp_objects_init(&objects, arena);
    made.size_bytes = 0;
    const bool is_made = write_copies(&objects, pickle, protocol, want.size_bytes, pick, &made) == NDP_OK;
    const struct ndp_bytes all = {made.data, made.size_bytes};
    ndp_objects_clear(&objects);
    if (is_made) {
        fuzz_wrote(made.size_bytes);
        FUZZ_HOLDS(fuzz_is_as_pickled(all, protocol));
        check_last(arena, all, protocol, want);
    }
    ndp_arena_reset(arena);
}

/* The character of this number, which has two bytes at most, in UTF-8. */
static uint64_t spell_character(uint32_t number, uint8_t *out) {
    out[0] = (uint8_t)(number < 0x80 ? number : 0xc0 | number >> 6);
    out[1] = (uint8_t)(0x80 | (number & 0x3f));
    return number < 0x80 ? 1 : 2;
}

static struct ndp_object *make_item(struct ndp_objects *objects, uint32_t number, bool are_texts) {
    if (!are_texts) return ndp_object_int(objects, number);
    uint8_t *text = ndp_arena_alloc(objects->arena, 2);
    if (!text) return NULL;
    const uint64_t size = spell_character(number, text);
    return ndp_object_bytes(objects, NDP_OBJECT_TEXT, (struct ndp_bytes){text, size});
}

/* Numbers from 0 on, or their characters, and with each key of a dict the object. */
static bool fill(struct ndp_objects *objects, struct ndp_object *container, uint32_t count, bool are_texts,
                 struct ndp_object *object) {
    for (uint32_t i = 0; i < count; i++) {
        struct ndp_object *item = make_item(objects, i, are_texts);
        if (!item || !ndp_object_append(objects, &container->list, item)) return false;
        if (container->kind == NDP_OBJECT_DICT && !ndp_object_append(objects, &container->list, object)) return false;
    }
    return true;
}

/* A text of which the pickle has escapes is no worse than another. */
static bool is_item(const struct fuzz_told *told, uint32_t number, bool are_texts) {
    uint8_t text[2];
    if (!are_texts) return told->number == (int64_t)number;
    const uint64_t size = spell_character(number, text);
    return told->kind == FUZZ_TOLD_TEXT &&
           (!told->bytes.data || ndp_bytes_is_equal(told->bytes, (struct ndp_bytes){text, size}));
}

static bool has_items(const struct fuzz_told *told, uint32_t count, bool are_texts) {
    const uint32_t step = told->kind == FUZZ_TOLD_DICT ? 2 : 1;
    if (told->count != count * step) return false;
    for (uint32_t i = 0; i < count; i++)
        if (!is_item(told->items[i * step], i, are_texts)) return false;
    return true;
}

void fuzz_check_batches(struct ndp_arena *arena, struct ndp_bytes pickle, uint32_t protocol, uint64_t pick) {
    static const enum ndp_object_kind kinds[] = {NDP_OBJECT_LIST, NDP_OBJECT_DICT, NDP_OBJECT_SET};
    static struct ndp_buffer made = {.max_bytes = 1 << 24};
    const struct ndp_pickle_form form = {.protocol = protocol};
    const uint32_t count = (uint32_t)(BATCH * (1 + pick / 3 % 2) - 1 + pick / 6 % 3);
    const bool are_texts = pick / 18 % 2 == 1;
    struct ndp_objects objects;
    ndp_objects_init(&objects, arena);
    struct ndp_object *root = read_root(&objects, pickle);
    struct ndp_object *container = ndp_object_new(&objects, kinds[pick % 3]);
    made.size_bytes = 0;
    enum ndp_status status =
        root && container && fill(&objects, container, count, are_texts, root) ? NDP_OK : NDP_NOMEM;
    if (status == NDP_OK) {
        status = ndp_pickle_write(&objects, container, &form, ndp_write_to_buffer, &made, NULL);
        /* What it holds is one deeper than it was. */
        FUZZ_HOLDS(status == NDP_OK || status == NDP_LIMIT);
        fuzz_wrote(made.size_bytes);
    }
    if (status == NDP_OK) {
        struct fuzz_told *told;
        struct ndp_bytes behind;
        FUZZ_HOLDS(fuzz_is_as_pickled(ndp_buffer_view(&made), protocol));
        if (fuzz_tell(arena, ndp_buffer_view(&made), false, &told, &behind))
            FUZZ_HOLDS(has_items(told, count, are_texts));
    }
    ndp_objects_clear(&objects);
    ndp_arena_reset(arena);
}
