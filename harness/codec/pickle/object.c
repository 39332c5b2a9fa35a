#include "codec/pickle/object.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/words.h"
#include "codec/data_memory.h"

struct ndp_object_blob {
    struct ndp_object_blob *next;
    uint8_t *data;
};

void ndp_objects_init(struct ndp_objects *objects, struct ndp_arena *arena) {
    *objects = (struct ndp_objects){.arena = arena};
}

void ndp_objects_clear(struct ndp_objects *objects) {
    for (struct ndp_object_blob *blob = objects->blobs; blob != NULL; blob = blob->next) ndp_data_free(blob->data);
    *objects = (struct ndp_objects){.arena = objects->arena};
}

enum ndp_status ndp_objects_keep(struct ndp_objects *objects, struct ndp_blob *blob) {
    if (blob->owned == NULL) return NDP_OK;
    struct ndp_object_blob *entry = NDP_ARENA_NEW(objects->arena, struct ndp_object_blob);
    if (entry == NULL) {
        ndp_data_free(blob->owned);
        return NDP_NOMEM;
    }
    *entry = (struct ndp_object_blob){objects->blobs, blob->owned};
    objects->blobs = entry;
    return NDP_OK;
}

uint8_t *ndp_objects_release(struct ndp_objects *objects, const uint8_t *data) {
    for (struct ndp_object_blob *blob = objects->blobs; blob != NULL; blob = blob->next) {
        if (blob->data != data || data == NULL) continue;
        uint8_t *released = blob->data;
        blob->data = NULL;
        return released;
    }
    return NULL;
}

struct ndp_object *ndp_object_new(struct ndp_objects *objects, enum ndp_object_kind kind) {
    struct ndp_object *object = NDP_ARENA_NEW(objects->arena, struct ndp_object);
    if (object == NULL || objects->count == UINT32_MAX) return NULL;
    object->kind = kind;
    object->number = objects->count++;
    object->offset_bytes = NDP_NO_OFFSET;
    return object;
}

struct ndp_object *ndp_object_none(struct ndp_objects *objects) {
    if (objects->none == NULL) objects->none = ndp_object_new(objects, NDP_OBJECT_NONE);
    return objects->none;
}

struct ndp_object *ndp_object_bool(struct ndp_objects *objects, bool truth) {
    struct ndp_object **place = &objects->truths[truth ? 1 : 0];
    if (*place != NULL) return *place;
    *place = ndp_object_new(objects, NDP_OBJECT_BOOL);
    if (*place != NULL) (*place)->truth = truth;
    return *place;
}

struct ndp_object *ndp_object_int(struct ndp_objects *objects, int64_t integer) {
    struct ndp_object *object = ndp_object_new(objects, NDP_OBJECT_INT);
    if (object != NULL) object->integer = integer;
    return object;
}

struct ndp_object *ndp_object_float(struct ndp_objects *objects, double real) {
    struct ndp_object *object = ndp_object_new(objects, NDP_OBJECT_FLOAT);
    if (object != NULL) object->real = real;
    return object;
}

struct ndp_object *ndp_object_bytes(struct ndp_objects *objects, enum ndp_object_kind kind, struct ndp_bytes bytes) {
    struct ndp_object *object = ndp_object_new(objects, kind);
    if (object != NULL) object->bytes = bytes;
    return object;
}

struct ndp_object *ndp_object_text(struct ndp_objects *objects, const char *text) {
    return ndp_object_bytes(objects, NDP_OBJECT_TEXT, ndp_bytes_view(text));
}

struct ndp_object *ndp_object_tuple(struct ndp_objects *objects, uint64_t count, struct ndp_object *const *items) {
    if (count == 0 && objects->empty_tuple != NULL) return objects->empty_tuple;
    struct ndp_object *object = ndp_object_new(objects, NDP_OBJECT_TUPLE);
    if (object == NULL) return NULL;
    if (count == 0) {
        objects->empty_tuple = object;
        return object;
    }
    object->list.items = NDP_ARENA_ITEMS(objects->arena, struct ndp_object *, count);
    if (object->list.items == NULL) return NULL;
    memcpy(object->list.items, items, (size_t)count * sizeof(struct ndp_object *));
    object->list.count = count;
    object->list.capacity = count;
    return object;
}

struct ndp_object *ndp_object_global(struct ndp_objects *objects, struct ndp_object *module, struct ndp_object *name) {
    struct ndp_object *object = ndp_object_new(objects, NDP_OBJECT_GLOBAL);
    if (object != NULL) object->global = (struct ndp_global){module, name};
    return object;
}

struct ndp_object *ndp_object_call(struct ndp_objects *objects, enum ndp_call_how how, struct ndp_object *callable,
                                   struct ndp_object *args) {
    struct ndp_object *object = ndp_object_new(objects, NDP_OBJECT_CALL);
    if (object == NULL) return NULL;
    object->call = NDP_ARENA_NEW(objects->arena, struct ndp_call);
    if (object->call == NULL) return NULL;
    *object->call = (struct ndp_call){.how = how, .callable = callable, .args = args};
    return object;
}

struct ndp_object *ndp_object_long(struct ndp_objects *objects, struct ndp_bytes bytes) {
    uint64_t size = bytes.size_bytes;
    const uint8_t *data = bytes.data;
    const uint8_t sign = size > 0 && (data[size - 1] & 0x80) != 0 ? 0xff : 0;
    while (size > 0 && data[size - 1] == sign && (size == 1 ? sign == 0 : (data[size - 2] & 0x80) == (sign & 0x80)))
        size--;
    if (size > 8) {
        struct ndp_object *object = ndp_object_bytes(objects, NDP_OBJECT_INT, (struct ndp_bytes){data, size});
        if (object != NULL) object->is_big = true;
        return object;
    }
    uint64_t value = sign != 0 ? UINT64_MAX : 0;
    for (uint64_t i = size; i > 0; i--) value = value << 8 | data[i - 1];
    return ndp_object_int(objects, (int64_t)value);
}

bool ndp_object_append(struct ndp_objects *objects, struct ndp_object_list *list, struct ndp_object *item) {
    if (list->count == list->capacity) {
        const uint64_t capacity = list->capacity == 0 ? 4 : list->capacity * 2;
        struct ndp_object **items = NDP_ARENA_ITEMS(objects->arena, struct ndp_object *, capacity);
        if (items == NULL) return false;
        if (list->count > 0) memcpy(items, list->items, (size_t)list->count * sizeof(struct ndp_object *));
        list->items = items;
        list->capacity = capacity;
    }
    list->items[list->count++] = item;
    return true;
}

const char *ndp_object_word(enum ndp_object_kind kind) {
    static const char *const words[] = {NDP_OBJECT_LIST(NDP_WORD_ITEM)};
    return (size_t)kind < NDP_ARRAY_LEN(words) ? words[kind] : "nothing known";
}

bool ndp_object_is(const struct ndp_object *object, enum ndp_object_kind kind) {
    return object != NULL && object->kind == kind;
}

static bool is_same(struct ndp_bytes bytes, const char *text) {
    for (uint64_t i = 0; i < bytes.size_bytes; i++)
        if (text[i] == '\0' || bytes.data[i] != (uint8_t)text[i]) return false;
    return text[bytes.size_bytes] == '\0';
}

bool ndp_object_is_text(const struct ndp_object *object, const char *text) {
    return (ndp_object_is(object, NDP_OBJECT_TEXT) || ndp_object_is(object, NDP_OBJECT_STRING)) &&
           is_same(object->bytes, text);
}

bool ndp_object_is_named(const struct ndp_object *global, const char *module, const char *name) {
    return is_same(global->global.name->bytes, name) && is_same(global->global.module->bytes, module);
}

bool ndp_object_is_int(const struct ndp_object *object) {
    return ndp_object_is(object, NDP_OBJECT_BOOL) || (ndp_object_is(object, NDP_OBJECT_INT) && !object->is_big);
}

int64_t ndp_object_integer(const struct ndp_object *object) {
    return object->kind == NDP_OBJECT_BOOL ? object->truth : object->integer;
}

/* Whether `text` is the UTF-8 form of `latin`. */
static bool is_widened(struct ndp_bytes latin, struct ndp_bytes text) {
    uint64_t at = 0;
    for (uint64_t i = 0; i < latin.size_bytes; i++) {
        const uint8_t byte = latin.data[i];
        if (byte >= 0x80 && (at == text.size_bytes || text.data[at++] != (0xc0 | byte >> 6))) return false;
        if (at == text.size_bytes || text.data[at++] != (byte < 0x80 ? byte : (0x80 | (byte & 0x3f)))) return false;
    }
    return at == text.size_bytes;
}

bool ndp_object_is_same_text(const struct ndp_object *a, const struct ndp_object *b) {
    if (a->kind == b->kind) return ndp_bytes_is_equal(a->bytes, b->bytes);
    return a->kind == NDP_OBJECT_STRING ? is_widened(a->bytes, b->bytes) : is_widened(b->bytes, a->bytes);
}

struct ndp_object *ndp_object_lookup(const struct ndp_object *dict, const char *key) {
    if (!ndp_object_is(dict, NDP_OBJECT_DICT)) return NULL;
    for (uint64_t i = dict->list.count; i >= 2; i -= 2)
        if (ndp_object_is_text(dict->list.items[i - 2], key)) return dict->list.items[i - 1];
    return NULL;
}

static bool is_ascii(struct ndp_bytes bytes) {
    for (uint64_t i = 0; i < bytes.size_bytes; i++)
        if (bytes.data[i] >= 0x80) return false;
    return true;
}

/* Converts latin-1 to UTF-8. */
static enum ndp_status widen(struct ndp_arena *arena, struct ndp_bytes bytes, struct ndp_bytes *out) {
    uint64_t count = 0;
    uint8_t *text = ndp_arena_alloc_items(arena, bytes.size_bytes, 2);
    if (text == NULL) return NDP_NOMEM;
    for (uint64_t i = 0; i < bytes.size_bytes; i++) {
        const uint8_t byte = bytes.data[i];
        if (byte >= 0x80) text[count++] = (uint8_t)(0xc0 | byte >> 6);
        text[count++] = byte < 0x80 ? byte : (uint8_t)(0x80 | (byte & 0x3f));
    }
    *out = (struct ndp_bytes){text, count};
    return NDP_OK;
}

enum ndp_status ndp_object_read_text(struct ndp_arena *arena, const struct ndp_object *object, struct ndp_bytes *out) {
    const bool is_text = ndp_object_is(object, NDP_OBJECT_TEXT);
    if (!is_text && !ndp_object_is(object, NDP_OBJECT_STRING)) return NDP_INVALID;
    if (!is_text) return widen(arena, object->bytes, out);
    const uint8_t *copy = ndp_arena_copy(arena, object->bytes.data, object->bytes.size_bytes);
    if (copy == NULL) return NDP_NOMEM;
    *out = (struct ndp_bytes){copy, object->bytes.size_bytes};
    return NDP_OK;
}

static enum ndp_status narrow(struct ndp_arena *arena, struct ndp_bytes text, struct ndp_bytes *out) {
    struct ndp_cursor cursor = ndp_cursor_view(text);
    uint64_t count = 0;
    uint8_t *bytes = ndp_arena_alloc(arena, text.size_bytes);
    if (bytes == NULL) return NDP_NOMEM;
    while (ndp_cursor_left(&cursor) > 0) {
        uint32_t code_point = 0;
        if (ndp_text_next(&cursor, &code_point) != NDP_OK || code_point > 0xff) return NDP_INVALID;
        bytes[count++] = (uint8_t)code_point;
    }
    *out = (struct ndp_bytes){bytes, count};
    return NDP_OK;
}

enum ndp_status ndp_object_read_bytes(struct ndp_arena *arena, const struct ndp_object *object, struct ndp_bytes *out) {
    if (object == NULL) return NDP_INVALID;
    if (object->kind == NDP_OBJECT_TEXT && !is_ascii(object->bytes)) return narrow(arena, object->bytes, out);
    if (object->kind != NDP_OBJECT_BYTES && object->kind != NDP_OBJECT_BYTEARRAY && object->kind != NDP_OBJECT_STRING &&
        object->kind != NDP_OBJECT_TEXT)
        return NDP_INVALID;
    *out = object->bytes;
    return NDP_OK;
}
