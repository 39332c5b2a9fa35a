/* pickle_dtype_make.c: makes the objects that NumPy pickles for a dtype. References: NumPy 1.19 to 2.4,
 * multiarray/descriptor.c, arraydescr_reduce. */
#include <string.h>

#include "base/byteorder.h"
#include "base/words.h"
#include "codec/pickle/pickle_dtype.h"
#include "codec/pickle/pickle_metadata.h"

/* NumPy's flags (ndarraytypes.h): of text, of objects, of every structure, and of an aligned structure. */
enum { FLAGS_TEXT = 0x08, FLAGS_OBJECT = 0x3f, FLAGS_FROM_FIELDS = 0x1b, FLAG_STRUCT = 0x10, FLAG_ALIGNED = 0x80 };

/* Number of memoized dtypes; later dtypes are made anew each time. */
enum { KNOWN_MAX = 64 };

static enum ndp_status dtype_make_fail(const struct ndp_pickle_maker *maker, enum ndp_status status, const char *text) {
    return ndp_error_set(maker->error, status, NDP_NO_OFFSET, "dtype: %s", text);
}

static enum ndp_status check_memory(const struct ndp_pickle_maker *maker, const void *made) {
    return made != NULL ? NDP_OK : dtype_make_fail(maker, NDP_NOMEM, "out of memory");
}

static enum ndp_status make_dtype(struct ndp_pickle_maker *maker, const struct ndp_dtype *dtype, bool is_record,
                                  struct ndp_object **out);

/* Whether the dtype is a singleton in NumPy: numbers in native order and empty text or void. */
static bool is_built_in(const struct ndp_dtype *dtype) {
    const enum ndp_byte_order native = ndp_byteorder_host_is_little() ? NDP_ORDER_LITTLE : NDP_ORDER_BIG;
    if (dtype->metadata.size_bytes > 0 || (dtype->order != NDP_ORDER_NONE && dtype->order != native)) return false;
    switch ((int)dtype->kind) {
    case NDP_KIND_STRUCT:
    case NDP_KIND_SUBARRAY:
    case NDP_KIND_DATETIME:
    case NDP_KIND_TIMEDELTA:
        return false;
    case NDP_KIND_BYTES:
    case NDP_KIND_TEXT:
    case NDP_KIND_VOID:
        return dtype->itemsize_bytes == 0;
    default:
        return true;
    }
}

static struct ndp_object **built_in(struct ndp_pickle_maker *maker, const struct ndp_dtype *dtype) {
    uint32_t log2 = 0;
    if (!is_built_in(dtype)) return NULL;
    while (UINT64_C(1) << log2 < dtype->itemsize_bytes) log2++;
    return &maker->built_in[dtype->kind][log2];
}

static uint32_t flags_of(const struct ndp_dtype *dtype) {
    uint32_t flags = 0;
    switch ((int)dtype->kind) {
    case NDP_KIND_TEXT:
        return FLAGS_TEXT;
    case NDP_KIND_OBJECT:
        return FLAGS_OBJECT;
    case NDP_KIND_SUBARRAY:
        return flags_of(dtype->base);
    case NDP_KIND_STRUCT:
        for (uint64_t i = 0; i < dtype->field_count; i++) flags |= flags_of(dtype->fields[i].dtype) & FLAGS_FROM_FIELDS;
        return flags | FLAG_STRUCT | (dtype->is_aligned ? FLAG_ALIGNED : 0);
    default:
        return 0;
    }
}

/* Writes a letter and a number; returns the length. */
static uint64_t write_word(char *word, char letter, uint64_t number) {
    char digits[24];
    uint64_t count = 0;
    uint64_t length = 1;
    do digits[count++] = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    word[0] = letter;
    while (count > 0) word[length++] = digits[--count];
    return length;
}

/* numpy.dtype(word, False, True) */
static enum ndp_status make_call(struct ndp_pickle_maker *maker, const struct ndp_dtype *dtype, bool is_record,
                                 struct ndp_object **out) {
    static const char codes[] = {NDP_KIND_LIST(NDP_WORD_ITEM)};
    struct ndp_objects *objects = maker->objects;
    char word[32];
    const bool is_void = dtype->kind == NDP_KIND_STRUCT || dtype->kind == NDP_KIND_SUBARRAY;
    const uint64_t size = dtype->kind == NDP_KIND_TEXT ? dtype->itemsize_bytes / 4 : dtype->itemsize_bytes;
    const uint64_t length = write_word(word, is_void ? 'V' : codes[dtype->kind], size);
    struct ndp_object *class = ndp_pickle_maker_numpy_global(maker, "dtype");
    struct ndp_object *args[3];
    NDP_TRY(check_memory(maker, class));
    if (is_record) {
        args[0] = ndp_pickle_maker_numpy_global(maker, "record");
    } else {
        const uint8_t *kept = ndp_arena_copy(objects->arena, word, length);
        NDP_TRY(check_memory(maker, kept));
        args[0] = ndp_object_bytes(objects, NDP_OBJECT_TEXT, (struct ndp_bytes){kept, length});
    }
    args[1] = ndp_object_bool(objects, false);
    args[2] = ndp_object_bool(objects, true);
    if (args[0] == NULL || args[1] == NULL || args[2] == NULL) return check_memory(maker, NULL);
    struct ndp_object *tuple = ndp_object_tuple(objects, 3, args);
    NDP_TRY(check_memory(maker, tuple));
    *out = ndp_object_call(objects, NDP_CALL_REDUCE, class, tuple);
    return check_memory(maker, *out);
}

static enum ndp_status make_tuple(const struct ndp_pickle_maker *maker, uint64_t count, struct ndp_object *const *items,
                                  struct ndp_object **out) {
    for (uint64_t i = 0; i < count; i++) NDP_TRY(check_memory(maker, items[i]));
    *out = ndp_object_tuple(maker->objects, count, items);
    return check_memory(maker, *out);
}

static enum ndp_status make_subarray(struct ndp_pickle_maker *maker, const struct ndp_dtype *dtype,
                                     struct ndp_object **out) {
    struct ndp_object *extents[NDP_MAX_NDIM];
    struct ndp_object *pair[2];
    NDP_TRY(make_dtype(maker, dtype->base, false, &pair[0]));
    for (uint32_t i = 0; i < dtype->ndim; i++) extents[i] = ndp_object_int(maker->objects, dtype->shape[i]);
    NDP_TRY(make_tuple(maker, dtype->ndim, extents, &pair[1]));
    return make_tuple(maker, 2, pair, out);
}

/* Sets the tuple of a field under its name, and also under its title. */
static enum ndp_status make_field(struct ndp_pickle_maker *maker, const struct ndp_field *field,
                                  struct ndp_object *name, struct ndp_object_list *pairs) {
    struct ndp_object *items[3];
    struct ndp_object *tuple = NULL;
    NDP_TRY(make_dtype(maker, field->dtype, false, &items[0]));
    items[1] = ndp_object_int(maker->objects, (int64_t)field->offset_bytes);
    items[2] = field->has_title ? ndp_object_bytes(maker->objects, NDP_OBJECT_TEXT, field->title) : items[1];
    NDP_TRY(make_tuple(maker, field->has_title ? 3 : 2, items, &tuple));
    bool fits = ndp_object_append(maker->objects, pairs, name) && ndp_object_append(maker->objects, pairs, tuple);
    if (fits && field->has_title)
        fits = ndp_object_append(maker->objects, pairs, items[2]) && ndp_object_append(maker->objects, pairs, tuple);
    return fits ? NDP_OK : check_memory(maker, NULL);
}

static enum ndp_status make_fields(struct ndp_pickle_maker *maker, const struct ndp_dtype *dtype,
                                   struct ndp_object **names, struct ndp_object **fields) {
    struct ndp_object **texts = NDP_ARENA_ITEMS(maker->objects->arena, struct ndp_object *, dtype->field_count);
    NDP_TRY(check_memory(maker, texts));
    for (uint64_t i = 0; i < dtype->field_count; i++)
        texts[i] = ndp_object_bytes(maker->objects, NDP_OBJECT_TEXT, dtype->fields[i].name);
    NDP_TRY(make_tuple(maker, dtype->field_count, texts, names));
    *fields = ndp_object_new(maker->objects, NDP_OBJECT_DICT);
    NDP_TRY(check_memory(maker, *fields));
    for (uint64_t i = 0; i < dtype->field_count; i++)
        NDP_TRY(make_field(maker, &dtype->fields[i], texts[i], &(*fields)->list));
    return NDP_OK;
}

static enum ndp_status make_metadata(struct ndp_pickle_maker *maker, const struct ndp_dtype *dtype,
                                     struct ndp_object **out) {
    if (dtype->metadata.size_bytes == 0) {
        const bool is_none = maker->release >= NDP_NUMPY_2_3;
        *out = is_none ? ndp_object_none(maker->objects) : ndp_object_new(maker->objects, NDP_OBJECT_DICT);
        return check_memory(maker, *out);
    }
    const enum ndp_status status = ndp_pickle_metadata_make(maker->objects, dtype->metadata, out);
    return status == NDP_OK ? NDP_OK : dtype_make_fail(maker, status, "metadata is not a JSON object");
}

/* (metadata, (unit, multiple, 1, 1)) */
static enum ndp_status make_time(struct ndp_pickle_maker *maker, const struct ndp_dtype *dtype,
                                 struct ndp_object **out) {
    static const char *const units[] = {NDP_UNIT_LIST(NDP_WORD_ITEM)};
    struct ndp_object *pair[2];
    const char *unit = dtype->unit == NDP_UNIT_GENERIC ? "generic" : units[dtype->unit];
    struct ndp_object *const one = ndp_object_int(maker->objects, 1);
    struct ndp_object *const items[4] = {ndp_object_bytes(maker->objects, NDP_OBJECT_BYTES, ndp_bytes_view(unit)),
                                         ndp_object_int(maker->objects, dtype->unit_multiple), one, one};
    NDP_TRY(make_metadata(maker, dtype, &pair[0]));
    NDP_TRY(make_tuple(maker, 4, items, &pair[1]));
    return make_tuple(maker, 2, pair, out);
}

static const char *endian_of(const struct ndp_dtype *dtype) {
    if (dtype->order == NDP_ORDER_LITTLE) return "<";
    return dtype->order == NDP_ORDER_BIG ? ">" : "|";
}

static enum ndp_status make_state(struct ndp_pickle_maker *maker, const struct ndp_dtype *dtype,
                                  struct ndp_object **out) {
    struct ndp_objects *objects = maker->objects;
    const bool is_time = dtype->kind == NDP_KIND_DATETIME || dtype->kind == NDP_KIND_TIMEDELTA;
    const bool has_metadata = is_time || dtype->metadata.size_bytes > 0;
    const bool is_flexible = dtype->kind == NDP_KIND_BYTES || dtype->kind == NDP_KIND_TEXT ||
                             dtype->kind == NDP_KIND_VOID || dtype->kind == NDP_KIND_STRUCT ||
                             dtype->kind == NDP_KIND_SUBARRAY;
    int64_t flags = flags_of(dtype);
    if (maker->release == NDP_NUMPY_1 && flags >= 0x80) flags -= 256;
    struct ndp_object *none = ndp_object_none(objects);
    struct ndp_object *items[9] = {ndp_object_int(objects, has_metadata ? 4 : 3),
                                   ndp_object_text(objects, endian_of(dtype)),
                                   none,
                                   none,
                                   none,
                                   ndp_object_int(objects, is_flexible ? (int64_t)dtype->itemsize_bytes : -1),
                                   ndp_object_int(objects, is_flexible ? (int64_t)ndp_dtype_alignment(dtype) : -1),
                                   ndp_object_int(objects, flags),
                                   none};
    if (dtype->kind == NDP_KIND_SUBARRAY) NDP_TRY(make_subarray(maker, dtype, &items[2]));
    if (dtype->kind == NDP_KIND_STRUCT) NDP_TRY(make_fields(maker, dtype, &items[3], &items[4]));
    if (is_time) NDP_TRY(make_time(maker, dtype, &items[8]));
    if (has_metadata && !is_time) NDP_TRY(make_metadata(maker, dtype, &items[8]));
    return make_tuple(maker, has_metadata ? 9 : 8, items, out);
}

/* The entry of a dtype, or the next free one; NULL when the table is full. */
static struct ndp_pickle_known_dtype *find_known(struct ndp_pickle_maker *maker, const struct ndp_dtype *dtype,
                                                 bool is_record) {
    for (uint32_t i = 0; i < maker->known_count; i++)
        if (maker->known[i].dtype == dtype && maker->known[i].is_record == is_record) return &maker->known[i];
    if (maker->known_count == KNOWN_MAX) return NULL;
    maker->known[maker->known_count] = (struct ndp_pickle_known_dtype){dtype, is_record, NULL};
    return &maker->known[maker->known_count++];
}

/* The memo slot of a dtype, or NULL. */
static struct ndp_object **place_of(struct ndp_pickle_maker *maker, const struct ndp_dtype *dtype, bool is_record) {
    struct ndp_object **place = built_in(maker, dtype);
    if (place != NULL) return place;
    struct ndp_pickle_known_dtype *known = find_known(maker, dtype, is_record);
    return known == NULL ? NULL : &known->object;
}

static enum ndp_status make_dtype(struct ndp_pickle_maker *maker, const struct ndp_dtype *dtype, bool is_record,
                                  struct ndp_object **out) {
    struct ndp_object **known = place_of(maker, dtype, is_record);
    struct ndp_object *object = NULL;
    if (known != NULL && *known != NULL) {
        *out = *known;
        return NDP_OK;
    }
    NDP_TRY(make_call(maker, dtype, is_record, &object));
    NDP_TRY(make_state(maker, dtype, &object->call->state));
    if (known != NULL) *known = object;
    *out = object;
    return NDP_OK;
}

enum ndp_status ndp_pickle_dtype_make(struct ndp_pickle_maker *maker, const struct ndp_dtype *dtype, bool is_record,
                                      struct ndp_object **out) {
    if (maker->known == NULL)
        maker->known = NDP_ARENA_ITEMS(maker->objects->arena, struct ndp_pickle_known_dtype, KNOWN_MAX);
    NDP_TRY(check_memory(maker, maker->known));
    return make_dtype(maker, dtype, is_record, out);
}
