/* pickle_dtype_read.c: reads a pickled dtype.
 *
 * Problem: arraydescr_setstate trusts its state. A wrong size, offset or flag makes NumPy access memory out of bounds;
 * a dtype that contains itself, or one dtype twice at each of many levels, makes a small pickle expand without limit.
 *
 * Method: read the state by version, build each part recursively, and compare the redundant parts: itemsize, alignment,
 * flags, names with fields. A hash table finds fields by name. ndp_dtype_check then checks the model's rules.
 *
 * Cost: linear in the expanded dtype. Limits: NDP_MAX_DTYPE_DEPTH, NDP_MAX_FIELDS, and a number of dtypes proportional
 * to the objects of the pickle. References: pickle_dtype.h.
 */
#include <string.h>

#include "base/byteorder.h"
#include "base/checked.h"
#include "base/rng.h"
#include "base/words.h"
#include "codec/pickle/pickle_dtype.h"
#include "codec/pickle/pickle_metadata.h"

/* Limits of dtypes per pickle, counted as trees, and NumPy's flags (ndarraytypes.h). */
enum {
    NODES_MAX = 1 << 17,
    NODES_FREE = 4096,
    NODES_OF_OBJECT = 16,
    MAX_WORD_BYTES = 16,
    FLAG_ALIGNED = 0x80,
    FLAG_REFCOUNT = 0x01,
    FLAG_LIST_PICKLE = 0x02
};

/* The state of a dtype of any version. */
struct state {
    const struct ndp_object *endian;
    const struct ndp_object *subdtype;
    const struct ndp_object *names; /* NULL in versions 0 and 1: the dict of fields contains them */
    const struct ndp_object *fields;
    const struct ndp_object *itemsize;
    const struct ndp_object *alignment;
    const struct ndp_object *flags;    /* NULL before version 3 */
    const struct ndp_object *metadata; /* NULL before version 4 */
};

static enum ndp_status dtype_refuse(const struct ndp_pickle_dtype_reader *r, enum ndp_status status,
                                    const struct ndp_object *at, const char *text) {
    return ndp_error_set(r->error, status, at == NULL ? NDP_NO_OFFSET : at->offset_bytes, "dtype: %s", text);
}

static enum ndp_status read_node(struct ndp_pickle_dtype_reader *r, const struct ndp_object *object, uint32_t depth,
                                 const struct ndp_dtype **out);

bool ndp_pickle_dtype_is_record(const struct ndp_object *object) {
    if (!ndp_object_is(object, NDP_OBJECT_CALL) || object->call->args->list.count == 0) return false;
    const struct ndp_object *type = object->call->args->list.items[0];
    return ndp_object_is_global(type, "numpy", "record") ||
           ndp_object_is_global(type, "numpy.core.records", "record") ||
           ndp_object_is_global(type, "numpy._core.records", "record") ||
           ndp_object_is_global(type, "numpy.rec", "record");
}

/* The version determines the number of items. */
static enum ndp_status read_state(const struct ndp_pickle_dtype_reader *r, const struct ndp_object *object,
                                  struct state *out) {
    if (!ndp_object_is(object, NDP_OBJECT_TUPLE)) return dtype_refuse(r, NDP_INVALID, object, "state is not a tuple");
    struct ndp_object *const *items = object->list.items;
    const uint64_t count = object->list.count;
    struct state state = {0};
    if (count < 5 || count > 9) return dtype_refuse(r, NDP_INVALID, object, "state does not have 5 to 9 items");
    int64_t version = 0;
    if (count > 5) {
        if (!ndp_object_is_int(items[0])) return dtype_refuse(r, NDP_INVALID, object, "version is not an integer");
        version = ndp_object_integer(items[0]);
        items++;
    }
    static const int64_t versions[] = {0, 1, 2, 3, 4};
    if (version != versions[count - 5] && !(count == 6 && version == 0))
        return dtype_refuse(r, NDP_INVALID, object, "version does not match the number of items");
    state.endian = *items++;
    state.subdtype = *items++;
    if (count >= 7) state.names = *items++;
    state.fields = *items++;
    state.itemsize = *items++;
    state.alignment = *items++;
    if (count >= 8) state.flags = *items++;
    if (count == 9) state.metadata = *items;
    *out = state;
    return NDP_OK;
}

static enum ndp_status read_order(const struct ndp_pickle_dtype_reader *r, const struct ndp_object *endian,
                                  enum ndp_byte_order *out) {
    struct ndp_bytes text;
    if (ndp_object_read_bytes(r->arena, endian, &text) != NDP_OK || text.size_bytes != 1)
        return dtype_refuse(r, NDP_INVALID, endian, "byte order is not one character");
    const enum ndp_byte_order native = ndp_byteorder_host_is_little() ? NDP_ORDER_LITTLE : NDP_ORDER_BIG;
    switch (text.data[0]) {
    case '<':
        *out = NDP_ORDER_LITTLE;
        return NDP_OK;
    case '>':
        *out = NDP_ORDER_BIG;
        return NDP_OK;
    case '=':
        *out = native;
        return NDP_OK;
    case '|':
        *out = NDP_ORDER_NONE;
        return NDP_OK;
    default:
        return dtype_refuse(r, NDP_INVALID, endian, "byte order is not <, >, = or |");
    }
}

/* Reads a word such as "i8" or "V12", without byte order. */
static enum ndp_status read_word(const struct ndp_pickle_dtype_reader *r, const struct ndp_object *word,
                                 struct ndp_dtype *out) {
    uint8_t text[1 + MAX_WORD_BYTES];
    struct ndp_bytes bytes;
    const enum ndp_status decoded = ndp_object_read_text(r->arena, word, &bytes);
    if (decoded == NDP_NOMEM) return dtype_refuse(r, decoded, word, "out of memory");
    if (decoded != NDP_OK) return dtype_refuse(r, NDP_UNSUPPORTED, word, "type is not a built-in type of NumPy");
    if (bytes.size_bytes == 0 || bytes.size_bytes > MAX_WORD_BYTES)
        return dtype_refuse(r, NDP_INVALID, word, "unknown type name");
    const char kind = (char)bytes.data[0];
    const bool is_byte = bytes.size_bytes == 2 && bytes.data[1] == '1' && strchr("biu", kind) != NULL;
    const size_t size = kind == 'O' ? 1 : (size_t)bytes.size_bytes;
    if (kind == 'O' && (bytes.size_bytes != 2 || strchr("48", bytes.data[1]) == NULL))
        return dtype_refuse(r, NDP_INVALID, word, "unknown type name");
    text[0] = is_byte || strchr("SVO", kind) != NULL ? '|' : '<';
    memcpy(text + 1, bytes.data, size);
    struct ndp_dtype read = {0};
    const enum ndp_status status = ndp_dtype_read_typestr((struct ndp_bytes){text, 1 + size}, &read, NULL);
    if (status != NDP_OK) return dtype_refuse(r, status, word, "unknown type name");
    *out = read;
    return NDP_OK;
}

static enum ndp_status read_count(const struct ndp_pickle_dtype_reader *r, const struct ndp_object *object, int64_t low,
                                  int64_t high, const char *text, int64_t *out) {
    if (!ndp_object_is_int(object)) return dtype_refuse(r, NDP_INVALID, object, text);
    const int64_t value = ndp_object_integer(object);
    if (value < low || value > high) return dtype_refuse(r, NDP_INVALID, object, text);
    *out = value;
    return NDP_OK;
}

/* ({metadata}, (unit, multiple, 1, 1)) */
static enum ndp_status read_time(const struct ndp_pickle_dtype_reader *r, const struct ndp_object *metadata,
                                 struct ndp_dtype *dtype, const struct ndp_object **rest) {
    static const char *const units[] = {NDP_UNIT_LIST(NDP_WORD_ITEM)};
    const char *const what = "unit of time is not (metadata, (unit, multiple, 1, 1))";
    struct ndp_bytes unit;
    int64_t multiple = 0;
    int64_t one = 0;
    if (!ndp_object_is(metadata, NDP_OBJECT_TUPLE) || metadata->list.count != 2)
        return dtype_refuse(r, NDP_INVALID, metadata, what);
    const struct ndp_object *tuple = metadata->list.items[1];
    if (!ndp_object_is(tuple, NDP_OBJECT_TUPLE) || tuple->list.count != 4)
        return dtype_refuse(r, NDP_INVALID, tuple, what);
    if (ndp_object_read_bytes(r->arena, tuple->list.items[0], &unit) != NDP_OK)
        return dtype_refuse(r, NDP_INVALID, tuple, what);
    NDP_TRY(read_count(r, tuple->list.items[1], 1, INT32_MAX, "multiple of a unit of time is out of range", &multiple));
    NDP_TRY(read_count(r, tuple->list.items[2], 1, 1, "divisor of a unit of time is not 1", &one));
    NDP_TRY(read_count(r, tuple->list.items[3], 1, 1, "events of a unit of time are not 1", &one));
    if (ndp_bytes_is_word(unit, "generic")) unit = ndp_bytes_view("");
    for (uint32_t i = 0; i < NDP_ARRAY_LEN(units); i++) {
        if (!ndp_bytes_is_word(unit, units[i])) continue;
        dtype->unit = (enum ndp_unit)i;
        dtype->unit_multiple = (uint32_t)multiple;
        *rest = metadata->list.items[0];
        return NDP_OK;
    }
    return dtype_refuse(r, NDP_INVALID, tuple, "unknown unit of time");
}

static enum ndp_status read_metadata(const struct ndp_pickle_dtype_reader *r, const struct state *state,
                                     struct ndp_dtype *dtype) {
    const bool is_time = dtype->kind == NDP_KIND_DATETIME || dtype->kind == NDP_KIND_TIMEDELTA;
    const struct ndp_object *metadata = state->metadata;
    if (is_time && metadata == NULL) return dtype_refuse(r, NDP_UNSUPPORTED, state->endian, "time without a unit");
    if (is_time) NDP_TRY(read_time(r, metadata, dtype, &metadata));
    if (metadata == NULL) return NDP_OK;
    const enum ndp_status status = ndp_pickle_metadata_read(r->arena, metadata, &dtype->metadata);
    return status == NDP_OK ? NDP_OK : dtype_refuse(r, status, metadata, "metadata cannot be represented in JSON");
}

/* Compares the stated size with the actual size; -1 means the default of the type. */
static enum ndp_status check_size(const struct ndp_pickle_dtype_reader *r, const struct state *state,
                                  uint64_t itemsize_bytes) {
    int64_t size = 0;
    int64_t alignment = 0;
    NDP_TRY(read_count(r, state->itemsize, -1, INT32_MAX, "itemsize is out of range", &size));
    NDP_TRY(read_count(r, state->alignment, -1, 1 << 16, "alignment is out of range", &alignment));
    if (alignment == 0 || (alignment > 0 && (alignment & (alignment - 1)) != 0))
        return dtype_refuse(r, NDP_INVALID, state->alignment, "alignment is not a power of two");
    if (size >= 0 && (uint64_t)size != itemsize_bytes)
        return dtype_refuse(r, NDP_INVALID, state->itemsize, "itemsize differs from the type's");
    return NDP_OK;
}

/* NumPy 1 wrote the flags as a signed byte. The flags of objects must match the dtype, because they select the form of
 * the elements. */
static enum ndp_status check_flags(const struct ndp_pickle_dtype_reader *r, const struct state *state,
                                   struct ndp_dtype *dtype) {
    int64_t flags = 0;
    if (state->flags == NULL) return NDP_OK;
    NDP_TRY(read_count(r, state->flags, -128, 255, "flags are out of range", &flags));
    if (flags < 0) flags += 256;
    const bool has_object = ndp_dtype_has_object(dtype);
    const bool says_object = (flags & (FLAG_REFCOUNT | FLAG_LIST_PICKLE)) != 0;
    if (has_object != says_object)
        return dtype_refuse(r, NDP_INVALID, state->flags, "object flags differ from the fields");
    dtype->is_aligned = dtype->field_count > 0 && (flags & FLAG_ALIGNED) != 0;
    return NDP_OK;
}

static enum ndp_status read_shape(const struct ndp_pickle_dtype_reader *r, const struct ndp_object *shape,
                                  struct ndp_dtype *dtype) {
    const bool is_tuple = ndp_object_is(shape, NDP_OBJECT_TUPLE);
    const uint64_t ndim = is_tuple ? shape->list.count : 1;
    if (ndim > NDP_MAX_NDIM) return dtype_refuse(r, NDP_LIMIT, shape, "sub-array has too many dimensions");
    int64_t *extents = NDP_ARENA_ITEMS(r->arena, int64_t, ndim);
    if (extents == NULL) return dtype_refuse(r, NDP_NOMEM, shape, "out of memory");
    for (uint64_t i = 0; i < ndim; i++)
        NDP_TRY(read_count(r, is_tuple ? shape->list.items[i] : shape, 0, INT32_MAX,
                           "extent of a sub-array is out of range", &extents[i]));
    dtype->shape = extents;
    dtype->ndim = (uint32_t)ndim;
    return NDP_OK;
}

static enum ndp_status read_subarray(struct ndp_pickle_dtype_reader *r, const struct ndp_object *object, uint32_t depth,
                                     struct ndp_dtype *dtype) {
    uint64_t count = 0;
    if (!ndp_object_is(object, NDP_OBJECT_TUPLE) || object->list.count != 2)
        return dtype_refuse(r, NDP_INVALID, object, "sub-array is not (dtype, shape)");
    NDP_TRY(read_node(r, object->list.items[0], depth + 1, &dtype->base));
    NDP_TRY(read_shape(r, object->list.items[1], dtype));
    if (!ndp_checked_subarray_fits(dtype->shape, dtype->ndim, dtype->base->itemsize_bytes, &count,
                                   &dtype->itemsize_bytes))
        return dtype_refuse(r, NDP_INVALID, object, "sub-array is too large");
    dtype->kind = NDP_KIND_SUBARRAY;
    return NDP_OK;
}

/* Hash table of the fields of a dict by name, for linear time. */
struct field_table {
    uint64_t *slots; /* number of the pair + 1 */
    uint64_t mask;
    uint64_t key_count; /* of distinct keys; the last value of a duplicate key counts */
    const struct ndp_object *dict;
};

static uint64_t slot_of(const struct field_table *table, const struct ndp_object *key) {
    const struct ndp_object_list *pairs = &table->dict->list;
    uint64_t at = ndp_hash_bytes(key->bytes.data, key->bytes.size_bytes, NDP_HASH_START) & table->mask;
    while (table->slots[at] != 0) {
        const struct ndp_object *other = pairs->items[(table->slots[at] - 1) * 2];
        if (other == key || ndp_bytes_is_equal(other->bytes, key->bytes)) break;
        at = (at + 1) & table->mask;
    }
    return at;
}

static bool is_name(const struct ndp_object *object) {
    return ndp_object_is(object, NDP_OBJECT_TEXT) || ndp_object_is(object, NDP_OBJECT_STRING);
}

static enum ndp_status make_table(const struct ndp_pickle_dtype_reader *r, const struct ndp_object *dict,
                                  struct field_table *out) {
    const uint64_t count = dict->list.count / 2;
    struct field_table table = {.dict = dict, .mask = 7};
    while (table.mask < count * 2) table.mask = table.mask * 2 + 1;
    table.slots = NDP_ARENA_ITEMS(r->arena, uint64_t, table.mask + 1);
    if (table.slots == NULL) return dtype_refuse(r, NDP_NOMEM, dict, "out of memory for fields");
    for (uint64_t i = 0; i < count; i++) {
        const struct ndp_object *key = dict->list.items[i * 2];
        if (!is_name(key)) return dtype_refuse(r, NDP_UNSUPPORTED, key, "name or title is not text");
        const uint64_t slot = slot_of(&table, key);
        table.key_count += table.slots[slot] == 0;
        table.slots[slot] = i + 1;
    }
    *out = table;
    return NDP_OK;
}

/* Reads (dtype, offset) or (dtype, offset, title). Adds the number of keys that the field accounts for to *keys. */
static enum ndp_status read_field(struct ndp_pickle_dtype_reader *r, const struct field_table *table,
                                  const struct ndp_object *name, uint32_t depth, uint64_t *keys,
                                  struct ndp_field *out) {
    int64_t offset = 0;
    struct ndp_field field = {0};
    if (!is_name(name)) return dtype_refuse(r, NDP_INVALID, name, "name of a field is not text");
    const enum ndp_status named = ndp_object_read_text(r->arena, name, &field.name);
    if (named != NDP_OK) return dtype_refuse(r, named, name, "name of a field cannot be read");
    const uint64_t slot = table->slots[slot_of(table, name)];
    const struct ndp_object *tuple = slot == 0 ? NULL : table->dict->list.items[slot * 2 - 1];
    if (!ndp_object_is(tuple, NDP_OBJECT_TUPLE) || tuple->list.count < 2 || tuple->list.count > 3)
        return dtype_refuse(r, NDP_INVALID, name, "field is not (dtype, offset) or (dtype, offset, title)");
    *keys += 1;
    NDP_TRY(read_node(r, tuple->list.items[0], depth + 1, &field.dtype));
    NDP_TRY(read_count(r, tuple->list.items[1], 0, INT32_MAX, "offset of a field is out of range", &offset));
    field.offset_bytes = (uint64_t)offset;
    if (tuple->list.count == 3 && tuple->list.items[2]->kind != NDP_OBJECT_NONE) {
        const enum ndp_status status = ndp_object_read_text(r->arena, tuple->list.items[2], &field.title);
        if (status == NDP_NOMEM) return status;
        if (status != NDP_OK) return dtype_refuse(r, NDP_UNSUPPORTED, tuple, "title is not text");
        field.has_title = true;
        /* dtype.newbyteorder leaves a title in its tuple and out of the dict (descriptor.c, 1.23 to 2.4). */
        if (table->slots[slot_of(table, tuple->list.items[2])] != 0) *keys += 1;
    }
    *out = field;
    return NDP_OK;
}

/* Versions 0 and 1 keep the names in the dict of fields, under the key -1. */
static enum ndp_status find_names(const struct ndp_pickle_dtype_reader *r, struct state *state) {
    if (state->names != NULL || !ndp_object_is(state->fields, NDP_OBJECT_DICT)) return NDP_OK;
    struct ndp_object *rest = NDP_ARENA_NEW(r->arena, struct ndp_object);
    struct ndp_objects space = {.arena = r->arena};
    if (rest == NULL) return dtype_refuse(r, NDP_NOMEM, state->fields, "out of memory");
    rest->kind = NDP_OBJECT_DICT;
    for (uint64_t i = 0; i + 1 < state->fields->list.count; i += 2) {
        struct ndp_object *const *pair = state->fields->list.items + i;
        if (ndp_object_is_int(pair[0]) && ndp_object_integer(pair[0]) == -1) {
            state->names = pair[1];
            continue;
        }
        if (!ndp_object_append(&space, &rest->list, pair[0]) || !ndp_object_append(&space, &rest->list, pair[1]))
            return dtype_refuse(r, NDP_NOMEM, state->fields, "out of memory");
    }
    if (state->names == NULL) return dtype_refuse(r, NDP_INVALID, state->fields, "names of fields are missing");
    state->fields = rest;
    return NDP_OK;
}

static enum ndp_status read_fields(struct ndp_pickle_dtype_reader *r, const struct state *state, uint32_t depth,
                                   struct ndp_dtype *dtype) {
    struct field_table table;
    uint64_t keys = 0;
    if (!ndp_object_is(state->names, NDP_OBJECT_TUPLE) || !ndp_object_is(state->fields, NDP_OBJECT_DICT))
        return dtype_refuse(r, NDP_INVALID, state->fields, "names are not a tuple or fields are not a dict");
    const struct ndp_object_list *names = &state->names->list;
    if (names->count > NDP_MAX_FIELDS || state->fields->list.count > NDP_MAX_FIELDS * UINT64_C(4))
        return dtype_refuse(r, NDP_LIMIT, state->names, "too many fields");
    struct ndp_field *fields = NDP_ARENA_ITEMS(r->arena, struct ndp_field, names->count);
    if (fields == NULL) return dtype_refuse(r, NDP_NOMEM, state->names, "out of memory for fields");
    NDP_TRY(make_table(r, state->fields, &table));
    for (uint64_t i = 0; i < names->count; i++)
        NDP_TRY(read_field(r, &table, names->items[i], depth, &keys, &fields[i]));
    if (keys != table.key_count)
        return dtype_refuse(r, NDP_INVALID, state->fields, "fields contain a key that is neither a name nor a title");
    dtype->kind = NDP_KIND_STRUCT;
    dtype->fields = fields;
    dtype->field_count = names->count;
    return NDP_OK;
}

static enum ndp_byte_order foreign_order(void) {
    return ndp_byteorder_host_is_little() ? NDP_ORDER_BIG : NDP_ORDER_LITTLE;
}

static enum ndp_status read_parts(struct ndp_pickle_dtype_reader *r, struct state *state, uint32_t depth,
                                  struct ndp_dtype *dtype) {
    enum ndp_byte_order order = NDP_ORDER_NONE;
    int64_t itemsize = 0;
    NDP_TRY(read_order(r, state->endian, &order));
    NDP_TRY(find_names(r, state));
    const bool is_subarray = state->subdtype->kind != NDP_OBJECT_NONE;
    const bool is_struct = state->fields->kind != NDP_OBJECT_NONE;
    if ((is_subarray || is_struct) && dtype->kind != NDP_KIND_VOID)
        return dtype_refuse(r, NDP_INVALID, state->fields, "fields or sub-array of a type other than void");
    if (is_subarray && is_struct) return dtype_refuse(r, NDP_INVALID, state->fields, "both fields and a sub-array");
    if (!is_struct && state->names != NULL && state->names->kind != NDP_OBJECT_NONE)
        return dtype_refuse(r, NDP_INVALID, state->names, "names without fields");
    if (is_subarray) NDP_TRY(read_subarray(r, state->subdtype, depth, dtype));
    if (is_struct) NDP_TRY(read_fields(r, state, depth, dtype));
    /* array_setstate of NumPy 2.5 swaps every field of such an array, regardless of the orders of fields. No writer
     * states an order of a structure. */
    if (is_struct && depth == 0 && order == foreign_order())
        return dtype_refuse(r, NDP_UNSUPPORTED, state->endian, "byte order of a structure");
    if (ndp_dtype_needs_order(dtype)) {
        if (order == NDP_ORDER_NONE) return dtype_refuse(r, NDP_INVALID, state->endian, "byte order is missing");
        dtype->order = order;
    }
    /* numpy.record and numpy.void have no size in their word; the state has it. */
    if (dtype->itemsize_bytes == UINT64_MAX) {
        NDP_TRY(read_count(r, state->itemsize, 0, INT32_MAX, "itemsize is out of range", &itemsize));
        dtype->itemsize_bytes = (uint64_t)itemsize;
    }
    NDP_TRY(check_size(r, state, dtype->itemsize_bytes));
    NDP_TRY(read_metadata(r, state, dtype));
    return check_flags(r, state, dtype);
}

/* A dtype made without a copy is a shared singleton if it is a number or its word has no size, and ignores the state
 * (arraydescr_setstate, 1.26 to 2.5). No writer omits the copy. */
static enum ndp_status check_copy(const struct ndp_pickle_dtype_reader *r, const struct ndp_object *args, bool has_size,
                                  const struct ndp_dtype *dtype) {
    const struct ndp_object *copy = args->list.count == 3 ? args->list.items[2] : NULL;
    const bool has_parts = dtype->kind == NDP_KIND_STRUCT || dtype->kind == NDP_KIND_SUBARRAY;
    if (copy != NULL && ndp_object_is_int(copy) && ndp_object_integer(copy) != 0) return NDP_OK;
    if (has_parts && has_size) return NDP_OK;
    const bool is_sized = !has_size && dtype->itemsize_bytes > 0;
    if (!has_parts && !is_sized && dtype->order != foreign_order() && dtype->metadata.size_bytes == 0) return NDP_OK;
    return dtype_refuse(r, NDP_UNSUPPORTED, args, "state of a type that is not a copy");
}

static enum ndp_status read_call(struct ndp_pickle_dtype_reader *r, const struct ndp_object *object, uint32_t depth,
                                 struct ndp_dtype *dtype) {
    const struct ndp_call *call = object->call;
    struct state state = {0};
    if (call->how != NDP_CALL_REDUCE || !ndp_object_is_global(call->callable, "numpy", "dtype"))
        return dtype_refuse(r, NDP_UNSUPPORTED, object, "not a call of numpy.dtype");
    if (call->args->list.count == 0 || call->args->list.count > 3 || call->items.count + call->pairs.count > 0)
        return dtype_refuse(r, NDP_INVALID, object, "numpy.dtype expects (type, align, copy)");
    const struct ndp_object *word = call->args->list.items[0];
    if (ndp_pickle_dtype_is_record(object) || ndp_object_is_global(word, "numpy", "void")) {
        *dtype = (struct ndp_dtype){.kind = NDP_KIND_VOID, .itemsize_bytes = UINT64_MAX};
    } else {
        NDP_TRY(read_word(r, word, dtype));
    }
    const bool has_size = dtype->itemsize_bytes > 0 && dtype->itemsize_bytes != UINT64_MAX;
    if (call->state == NULL) return dtype_refuse(r, NDP_INVALID, object, "state of numpy.dtype is missing");
    NDP_TRY(read_state(r, call->state, &state));
    NDP_TRY(read_parts(r, &state, depth, dtype));
    return check_copy(r, call->args, has_size, dtype);
}

/* Limit of dtypes per pickle. A dtype that occurs twice in another counts twice, so that a few lines could expand to
 * the maximum; the limit is therefore proportional to the objects read. */
static uint64_t nodes_max(const struct ndp_pickle_dtype_reader *r) {
    const uint64_t paid = NODES_FREE + (uint64_t)NODES_OF_OBJECT * r->objects->count;
    return paid < NODES_MAX ? paid : NODES_MAX;
}

static enum ndp_status read_node(struct ndp_pickle_dtype_reader *r, const struct ndp_object *object, uint32_t depth,
                                 const struct ndp_dtype **out) {
    if (depth >= NDP_MAX_DTYPE_DEPTH) return dtype_refuse(r, NDP_LIMIT, object, "nested too deeply");
    if (++r->node_count > nodes_max(r)) return dtype_refuse(r, NDP_LIMIT, object, "too many dtypes in one pickle");
    if (!ndp_object_is(object, NDP_OBJECT_CALL))
        return dtype_refuse(r, NDP_INVALID, object, "not a call of numpy.dtype");
    struct ndp_dtype *dtype = NDP_ARENA_NEW(r->arena, struct ndp_dtype);
    if (dtype == NULL) return dtype_refuse(r, NDP_NOMEM, object, "out of memory");
    NDP_TRY(read_call(r, object, depth, dtype));
    *out = dtype;
    return NDP_OK;
}

/* Allocates twice the current number of objects, because more may follow while the reader is in use. */
static bool grow_known(struct ndp_pickle_dtype_reader *r) {
    const uint64_t count = (uint64_t)r->objects->count * (r->known_count == 0 ? 1 : 2);
    if (count > UINT32_MAX) return false;
    const struct ndp_dtype **known = NDP_ARENA_ITEMS(r->arena, const struct ndp_dtype *, count);
    if (known == NULL) return false;
    for (uint32_t i = 0; i < r->known_count; i++) known[i] = r->known[i];
    r->known = known;
    r->known_count = (uint32_t)count;
    return true;
}

enum ndp_status ndp_pickle_dtype_read(struct ndp_pickle_dtype_reader *r, const struct ndp_object *object,
                                      const struct ndp_dtype **out) {
    struct ndp_error detail = {0};
    if (object == NULL) return dtype_refuse(r, NDP_INVALID, object, "none");
    if (object->number >= r->known_count && !grow_known(r)) return dtype_refuse(r, NDP_NOMEM, object, "out of memory");
    if (r->known[object->number] == NULL) {
        const struct ndp_dtype *dtype = NULL;
        NDP_TRY(read_node(r, object, 0, &dtype));
        const enum ndp_status status = ndp_dtype_check(dtype, &detail);
        if (status != NDP_OK) return dtype_refuse(r, status, object, detail.text);
        r->known[object->number] = dtype;
    }
    *out = r->known[object->number];
    return NDP_OK;
}

enum ndp_status ndp_pickle_dtype_record(struct ndp_pickle_dtype_reader *r, const struct ndp_object *object,
                                        const struct ndp_dtype **dtype) {
    if (object->number >= r->known_count && !grow_known(r)) return dtype_refuse(r, NDP_NOMEM, object, "out of memory");
    const struct ndp_dtype **known = &r->known[object->number];
    if (*known == NULL) *known = *dtype;
    if (ndp_dtype_compare(*known, *dtype, NULL) == 0) *dtype = *known;
    return NDP_OK;
}
