#include "codec/pickle/object_walk.h"

struct walk {
    struct ndp_objects *objects;
    struct ndp_object_marks *marks;
    uint32_t mark;
    ndp_object_visit *visit;
    void *context;
    struct ndp_object_list waiting;
};

enum ndp_status ndp_object_marks_new(struct ndp_objects *objects, struct ndp_object_marks *out) {
    uint32_t *marks = NDP_ARENA_ITEMS(objects->arena, uint32_t, objects->count);
    if (marks == NULL) return NDP_NOMEM;
    *out = (struct ndp_object_marks){marks, objects->count};
    return NDP_OK;
}

/* Whether there is more behind an object: most are letters and numbers. */
static bool has_parts(const struct ndp_object *object) {
    if (object->kind == NDP_OBJECT_CALL || object->kind == NDP_OBJECT_RAW) return true;
    return object->kind >= NDP_OBJECT_LIST && object->kind <= NDP_OBJECT_FROZENSET && object->list.count > 0;
}

static enum ndp_status meet(struct walk *walk, struct ndp_object *object) {
    if (object == NULL || object->number >= walk->marks->count) return NDP_OK;
    uint32_t *mark = &walk->marks->marks[object->number];
    const uint32_t earlier = *mark;
    if (earlier == walk->mark) return NDP_OK;
    *mark = walk->mark;
    NDP_TRY(walk->visit(walk->context, object, earlier));
    if (!has_parts(object)) return NDP_OK;
    return ndp_object_append(walk->objects, &walk->waiting, object) ? NDP_OK : NDP_NOMEM;
}

static enum ndp_status meet_all(struct walk *walk, const struct ndp_object_list *list) {
    for (uint64_t i = 0; i < list->count; i++) NDP_TRY(meet(walk, list->items[i]));
    return NDP_OK;
}

static enum ndp_status meet_call(struct walk *walk, const struct ndp_call *call) {
    struct ndp_object *const parts[] = {call->callable, call->args, call->kwargs, call->state, call->setter};
    for (size_t i = 0; i < NDP_ARRAY_LEN(parts); i++) NDP_TRY(meet(walk, parts[i]));
    NDP_TRY(meet_all(walk, &call->items));
    return meet_all(walk, &call->pairs);
}

static enum ndp_status meet_parts(struct walk *walk, const struct ndp_object *object) {
    switch (object->kind) {
    case NDP_OBJECT_LIST:
    case NDP_OBJECT_TUPLE:
    case NDP_OBJECT_DICT:
    case NDP_OBJECT_SET:
    case NDP_OBJECT_FROZENSET:
        return meet_all(walk, &object->list);
    case NDP_OBJECT_CALL:
        return meet_call(walk, object->call);
    case NDP_OBJECT_RAW:
        return meet(walk, object->raw->nested);
    case NDP_OBJECT_NONE:
    case NDP_OBJECT_BOOL:
    case NDP_OBJECT_INT:
    case NDP_OBJECT_FLOAT:
    case NDP_OBJECT_BYTES:
    case NDP_OBJECT_BYTEARRAY:
    case NDP_OBJECT_TEXT:
    case NDP_OBJECT_STRING:
    case NDP_OBJECT_GLOBAL:
    case NDP_OBJECT_BUFFER:
    case NDP_OBJECT_COUNT:
        break;
    }
    return NDP_OK;
}

enum ndp_status ndp_object_walk(struct ndp_objects *objects, const struct ndp_object *root,
                                struct ndp_object_marks *marks, uint32_t mark, ndp_object_visit *visit, void *context) {
    struct walk walk = {.objects = objects, .marks = marks, .mark = mark, .visit = visit, .context = context};
    NDP_TRY(meet(&walk, (struct ndp_object *)(uintptr_t)root));
    while (walk.waiting.count > 0) NDP_TRY(meet_parts(&walk, walk.waiting.items[--walk.waiting.count]));
    return NDP_OK;
}
