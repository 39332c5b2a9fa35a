/* pickle_metadata.c: metadata as JSON.
 *
 * Problem: a dict of a pickle may contain cycles, duplicate keys and values without a JSON form; its text must equal
 * cJSON's, so that metadata compare as text. Method: print recursively with a depth limit, after a hash table removed
 * duplicate keys; parse with cJSON. Cost: linear in the dict and its text. Limits: the depth limit and TEXT_BYTES_MAX.
 */
#include "codec/pickle/pickle_metadata.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "base/text.h"
#include "describe/json_write.h"
#include "model/dtype.h"

enum { TEXT_BYTES_MAX = 1 << 24 };

/* The largest integers that a double represents exactly. JSON has one kind of number; a whole real prints as an
 * integer. */
#define EXACT_MAX (INT64_C(1) << 53)

/* Output, and the arena for text of Python 2. */
struct printer {
    struct ndp_arena *arena;
    struct ndp_buffer text;
};

static enum ndp_status add_value(struct printer *printer, const struct ndp_object *object, uint32_t depth);

/* Whether a double represents the integer exactly. */
static bool is_exact(int64_t integer) {
    return integer >= -EXACT_MAX && integer <= EXACT_MAX;
}

static bool is_text(const struct ndp_object *object) {
    return object->kind == NDP_OBJECT_TEXT || object->kind == NDP_OBJECT_STRING;
}

/* Adds a JSON string in cJSON's escapes; refuses NUL and surrogates. */
static enum ndp_status add_text(struct printer *printer, const struct ndp_object *object) {
    struct ndp_bytes bytes;
    NDP_TRY(ndp_object_read_text(printer->arena, object, &bytes));
    return ndp_text_fits_json(bytes) ? ndp_json_add_text(&printer->text, bytes) : NDP_UNSUPPORTED;
}

static bool is_same_key(const struct ndp_object *a, const struct ndp_object *b) {
    return a == b || ndp_bytes_is_equal(a->bytes, b->bytes);
}

/* Fills the distinct pairs of a dict in linear time: a duplicate key keeps its first position and its last value. */
static enum ndp_status distinct_pairs(const struct printer *printer, const struct ndp_object_list *list,
                                      struct ndp_object_list *out) {
    uint64_t mask = 7;
    while (mask < list->count) mask = mask * 2 + 1;
    uint64_t *slots = NDP_ARENA_ITEMS(printer->arena, uint64_t, mask + 1); /* number of the pair + 1 */
    struct ndp_object **items = ndp_arena_copy(printer->arena, list->items, list->count * sizeof(struct ndp_object *));
    uint64_t count = 0;
    if (slots == NULL || items == NULL) return NDP_NOMEM;
    for (uint64_t i = 0; i + 1 < list->count; i += 2) {
        const struct ndp_object *key = list->items[i];
        if (!is_text(key)) return NDP_UNSUPPORTED;
        uint64_t at = ndp_hash_bytes(key->bytes.data, key->bytes.size_bytes, NDP_HASH_START) & mask;
        while (slots[at] != 0 && !is_same_key(items[(slots[at] - 1) * 2], key)) at = (at + 1) & mask;
        if (slots[at] == 0) {
            slots[at] = count / 2 + 1;
            items[count] = list->items[i];
            count += 2;
        }
        items[slots[at] * 2 - 1] = list->items[i + 1];
    }
    *out = (struct ndp_object_list){.items = items, .count = count};
    return NDP_OK;
}

static enum ndp_status add_members(struct printer *printer, const struct ndp_object_list *list, bool is_dict,
                                   uint32_t depth) {
    struct ndp_buffer *text = &printer->text;
    struct ndp_object_list settled;
    if (is_dict) {
        NDP_TRY(distinct_pairs(printer, list, &settled));
        list = &settled;
    }
    NDP_TRY(ndp_buffer_add(text, is_dict ? "{" : "[", 1));
    for (uint64_t i = 0; i < list->count; i++) {
        const bool is_value = is_dict && i % 2 == 1;
        if (i > 0) NDP_TRY(ndp_buffer_add(text, is_value ? ":" : ",", 1));
        NDP_TRY(add_value(printer, list->items[i], depth + 1));
    }
    return ndp_buffer_add(text, is_dict ? "}" : "]", 1);
}

static enum ndp_status add_value(struct printer *printer, const struct ndp_object *object, uint32_t depth) {
    struct ndp_buffer *text = &printer->text;
    if (depth > NDP_MAX_METADATA_DEPTH) return NDP_UNSUPPORTED;
    if (object->kind == NDP_OBJECT_NONE) return ndp_buffer_add(text, "null", 4);
    if (object->kind == NDP_OBJECT_BOOL) return ndp_buffer_printf(text, "%s", object->truth ? "true" : "false");
    if (object->kind == NDP_OBJECT_INT && !object->is_big && is_exact(object->integer))
        return ndp_json_print(text, cJSON_CreateNumber((double)object->integer));
    if (object->kind == NDP_OBJECT_FLOAT && isfinite(object->real))
        return ndp_json_print(text, cJSON_CreateNumber(object->real));
    if (is_text(object)) return add_text(printer, object);
    if (object->kind == NDP_OBJECT_LIST) return add_members(printer, &object->list, false, depth);
    if (object->kind == NDP_OBJECT_DICT) return add_members(printer, &object->list, true, depth);
    return NDP_UNSUPPORTED;
}

enum ndp_status ndp_pickle_metadata_read(struct ndp_arena *arena, const struct ndp_object *object,
                                         struct ndp_bytes *out) {
    struct printer printer = {.arena = arena};
    struct ndp_buffer *const text = &printer.text;
    if (object->kind == NDP_OBJECT_NONE || (object->kind == NDP_OBJECT_DICT && object->list.count == 0)) {
        *out = (struct ndp_bytes){0};
        return NDP_OK;
    }
    if (object->kind != NDP_OBJECT_DICT) return NDP_UNSUPPORTED;
    ndp_buffer_init(text, TEXT_BYTES_MAX);
    enum ndp_status status = add_value(&printer, object, 0);
    if (status == NDP_LIMIT) status = NDP_UNSUPPORTED;
    const uint8_t *kept = status == NDP_OK ? ndp_arena_copy(arena, text->data, text->size_bytes) : NULL;
    if (status == NDP_OK && kept == NULL) status = NDP_NOMEM;
    if (status == NDP_OK) *out = (struct ndp_bytes){kept, text->size_bytes};
    ndp_buffer_clear(text);
    return status;
}

/* cJSON's parser limits the depth. */
static struct ndp_object *make_value(struct ndp_objects *objects, const cJSON *node);

static struct ndp_object *make_text(struct ndp_objects *objects, const char *text) {
    const uint64_t size = strlen(text);
    const uint8_t *copy = ndp_arena_copy(objects->arena, text, size);
    return copy == NULL ? NULL : ndp_object_bytes(objects, NDP_OBJECT_TEXT, (struct ndp_bytes){copy, size});
}

static struct ndp_object *make_members(struct ndp_objects *objects, const cJSON *node) {
    const bool is_dict = cJSON_IsObject(node);
    struct ndp_object *object = ndp_object_new(objects, is_dict ? NDP_OBJECT_DICT : NDP_OBJECT_LIST);
    if (object == NULL) return NULL;
    for (const cJSON *item = node->child; item != NULL; item = item->next) {
        if (is_dict) {
            struct ndp_object *key = make_text(objects, item->string);
            if (key == NULL || !ndp_object_append(objects, &object->list, key)) return NULL;
        }
        struct ndp_object *value = make_value(objects, item);
        if (value == NULL || !ndp_object_append(objects, &object->list, value)) return NULL;
    }
    return object;
}

static struct ndp_object *make_value(struct ndp_objects *objects, const cJSON *node) {
    if (cJSON_IsBool(node)) return ndp_object_bool(objects, cJSON_IsTrue(node));
    if (cJSON_IsString(node)) return make_text(objects, node->valuestring);
    if (cJSON_IsArray(node) || cJSON_IsObject(node)) return make_members(objects, node);
    if (!cJSON_IsNumber(node)) return ndp_object_none(objects);
    const double real = node->valuedouble;
    const bool is_zero = real == 0 && !signbit(real);
    const bool is_integer = fabs(real) <= (double)EXACT_MAX && real == (double)(int64_t)real && (is_zero || real != 0);
    return is_integer ? ndp_object_int(objects, (int64_t)real) : ndp_object_float(objects, real);
}

enum ndp_status ndp_pickle_metadata_make(struct ndp_objects *objects, struct ndp_bytes text, struct ndp_object **out) {
    cJSON *tree = cJSON_ParseWithLength((const char *)text.data, (size_t)text.size_bytes);
    if (!cJSON_IsObject(tree)) {
        cJSON_Delete(tree);
        return NDP_UNSUPPORTED;
    }
    struct ndp_object *object = make_value(objects, tree);
    cJSON_Delete(tree);
    if (object == NULL) return NDP_NOMEM;
    *out = object;
    return NDP_OK;
}
