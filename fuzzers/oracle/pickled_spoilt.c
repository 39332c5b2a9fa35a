#include "oracle/pickled_spoilt.h"

#include <string.h>

#include "codec/pickle/pickle_array.h"
#include "codec/pickle/pickle_read.h"
#include "fuzz.h"

/* A part of what is read, in the list that it stands in; lists are spoilt as a whole. */
struct place {
    enum fuzz_pickled_part part;
    struct ndp_object_list *list;
    uint64_t at;
};

enum { PLACES_MAX = 16, DEPTH_MAX = 4, NOT_THERE = UINT8_MAX };

struct places {
    struct place all[PLACES_MAX];
    uint32_t count;
};

static void add(struct places *places, enum fuzz_pickled_part part, struct ndp_object_list *list, uint64_t at) {
    if (at >= list->count || places->count == PLACES_MAX) return;
    places->all[places->count++] = (struct place){part, list, at};
}

static struct ndp_object *tuple_at(const struct ndp_object_list *list, uint64_t at) {
    return at < list->count && ndp_object_is(list->items[at], NDP_OBJECT_TUPLE) ? list->items[at] : NULL;
}

/* What a key of a dict stands for; NULL for one that comes again, which stands for what comes last. */
static const struct ndp_object *field_at(const struct ndp_object_list *list, uint64_t at) {
    for (uint64_t i = at + 2; i < list->count; i += 2)
        if (ndp_object_is_same_text(list->items[at], list->items[i])) return NULL;
    return tuple_at(list, at + 1);
}

/* The type of a field, or of the elements of a sub-array: as deep as `pick` says. */
static struct ndp_object *inner_type(struct ndp_object *type, const uint8_t *at, uint64_t pick) {
    const struct ndp_object_list *state = &type->call->state->list;
    const struct ndp_object *fields = state->items[at[2]], *pair = tuple_at(state, at[1]);
    if (ndp_object_is(fields, NDP_OBJECT_DICT) && fields->list.count > 1)
        pair = field_at(&fields->list, pick % (fields->list.count / 2) * 2);
    struct ndp_object *inner = pair && pair->list.count > 1 ? pair->list.items[0] : NULL;
    return ndp_object_is(inner, NDP_OBJECT_CALL) ? inner : NULL;
}

/* Where endian, sub-array, fields, itemsize, alignment and flags stand in a state of 5 to 9 items. */
static const uint8_t orders[][6] = {{0, 1, 2, 3, 4, NOT_THERE},
                                    {1, 2, 3, 4, 5, NOT_THERE},
                                    {1, 2, 4, 5, 6, NOT_THERE},
                                    {1, 2, 4, 5, 6, 7},
                                    {1, 2, 4, 5, 6, 7}};

/* (metadata, (unit, multiple, divisor, events)) at the end of a state of version 4. */
static void add_time(struct places *places, const struct ndp_object *state) {
    struct ndp_object *pair = tuple_at(&state->list, 8);
    struct ndp_object *time = pair && pair->list.count == 2 ? tuple_at(&pair->list, 1) : NULL;
    if (time && time->list.count == 4) add(places, FUZZ_PICKLED_TIME, &pair->list, 1);
}

static void add_type(struct places *places, struct ndp_object *type, uint64_t pick) {
    for (uint32_t depth = 0; type; depth++) {
        struct ndp_object *args = type->call->args, *state = type->call->state;
        if (!ndp_object_is(state, NDP_OBJECT_TUPLE) || state->list.count < 5 || state->list.count > 9) return;
        const uint8_t *at = orders[state->list.count - 5];
        struct ndp_object *inner = depth < DEPTH_MAX && pick >> depth & 1 ? inner_type(type, at, pick >> 8) : NULL;
        if (inner) {
            type = inner;
            continue;
        }
        if (args->list.count > 0 && ndp_object_is(args->list.items[0], NDP_OBJECT_TEXT))
            add(places, FUZZ_PICKLED_WORD, &args->list, 0);
        add(places, FUZZ_PICKLED_TYPE_STATE, &state->list, 0);
        if (at[0] == 1) add(places, FUZZ_PICKLED_TYPE_VERSION, &state->list, 0);
        add(places, FUZZ_PICKLED_ENDIAN, &state->list, at[0]);
        add(places, FUZZ_PICKLED_ITEMSIZE, &state->list, at[3]);
        add(places, FUZZ_PICKLED_ALIGNMENT, &state->list, at[4]);
        add(places, FUZZ_PICKLED_FLAGS, &state->list, at[5]);
        if (at[2] == 4) add(places, FUZZ_PICKLED_NAMES, &state->list, 3);
        if (tuple_at(&state->list, at[1])) add(places, FUZZ_PICKLED_SUBARRAY, &state->list, at[1]);
        if (ndp_object_is(state->list.items[at[2]], NDP_OBJECT_DICT))
            add(places, FUZZ_PICKLED_FIELDS, &state->list, at[2]);
        add_time(places, state);
        return;
    }
}

/* By the form: (buffer, type, shape, order) as arguments, or a state of (version, shape, type, order, data), which may
 * be the first of a pair. */
static void find_places(const struct ndp_pickled_array *array, struct ndp_object *root, uint64_t pick,
                        struct places *out) {
    struct ndp_object_list *args = &root->call->args->list;
    struct ndp_object *state = root->call->state;
    struct ndp_object *type = NULL;
    add(out, FUZZ_PICKLED_ARGS, args, 0);
    if (array->is_scalar || array->items || array->buffer) return;
    if (array->is_pair) {
        add(out, FUZZ_PICKLED_PAIR, &state->list, 0);
        state = state->list.items[0];
    }
    if (state && ndp_object_is(state, NDP_OBJECT_TUPLE) && (state->list.count == 5 || array->is_masked)) {
        type = state->list.items[2];
        if (!array->class || array->is_masked || array->is_pair) add(out, FUZZ_PICKLED_STATE, &state->list, 0);
        add(out, FUZZ_PICKLED_VERSION, &state->list, 0);
        add(out, FUZZ_PICKLED_SHAPE, &state->list, 1);
        add(out, FUZZ_PICKLED_ORDER, &state->list, 3);
        add(out, FUZZ_PICKLED_DATA, &state->list, 4);
        if (array->is_masked) add(out, FUZZ_PICKLED_MASK, &state->list, 5);
    } else if (!state && args->count >= 4) {
        type = args->items[1];
        add(out, FUZZ_PICKLED_DATA, args, 0);
        add(out, FUZZ_PICKLED_SHAPE, args, 2);
        add(out, FUZZ_PICKLED_ORDER, args, 3);
        add(out, FUZZ_PICKLED_AXES, args, 4);
    }
    if (ndp_object_is(type, NDP_OBJECT_CALL)) add_type(out, type, pick);
}

static struct ndp_object *number(struct ndp_objects *objects, const int64_t *list, size_t count, uint64_t how) {
    return how % (count + 1) == count ? ndp_object_none(objects) : ndp_object_int(objects, list[how % (count + 1)]);
}
#define NUMBER(list) number(objects, list, NDP_ARRAY_LEN(list), how)

static struct ndp_object *word(struct ndp_objects *objects, const char *const *list, size_t count, uint64_t how) {
    return how % (count + 1) == count ? ndp_object_none(objects) : ndp_object_text(objects, list[how % (count + 1)]);
}
#define WORD(list) word(objects, list, NDP_ARRAY_LEN(list), how)

/* As many characters, one of which is none of latin-1. */
static struct ndp_object *wide_text(struct ndp_objects *objects, uint8_t *room, uint64_t size, uint64_t how) {
    const uint64_t at = how / 2 % size;
    memset(room, 'a', (size_t)size + 1);
    room[at] = how % 2 ? 0xdf : 0xc4; /* U+07C0 and U+0100 */
    room[at + 1] = 0x80;
    return ndp_object_bytes(objects, NDP_OBJECT_TEXT, (struct ndp_bytes){room, size + 1});
}

/* A byte more or less, or no bytes. */
static struct ndp_object *other_bytes(struct ndp_objects *objects, const struct ndp_object *bytes, uint64_t how) {
    const uint64_t size = bytes->bytes.size_bytes;
    uint8_t *copy = ndp_arena_alloc(objects->arena, size + 2);
    if (!copy || how % 4 == 3) return ndp_object_none(objects);
    if (how % 8 == 2 && size > 0) return wide_text(objects, copy, size, how / 8);
    if (size > 0) memcpy(copy, bytes->bytes.data, (size_t)size);
    copy[size] = 0;
    return ndp_object_bytes(objects, bytes->kind,
                            (struct ndp_bytes){copy, how % 4 == 0 && size > 0 ? size - 1 : size + 1});
}

/* An axis more, of an extent that makes another size, or that there is not. */
static struct ndp_object *other_shape(struct ndp_objects *objects, const struct ndp_object *shape, bool has_bytes,
                                      uint64_t how) {
    static const int64_t extents[] = {-1, INT64_MIN, 2, 3, INT64_MAX};
    struct ndp_object *made = ndp_object_tuple(objects, shape->list.count, shape->list.items);
    const uint64_t which = how % (has_bytes ? NDP_ARRAY_LEN(extents) : 2);
    struct ndp_object *extent = how % 8 == 7 ? ndp_object_none(objects) : ndp_object_int(objects, extents[which]);
    return made && extent && ndp_object_append(objects, &made->list, extent) ? made : NULL;
}

/* A list of the same with one item in another's place. */
static struct ndp_object *with_item(struct ndp_objects *objects, const struct ndp_object *tuple, uint64_t at,
                                    struct ndp_object *item) {
    struct ndp_object *made = ndp_object_tuple(objects, tuple->list.count, tuple->list.items);
    if (made && item && at < made->list.count) made->list.items[at] = item;
    return item ? made : NULL;
}

/* An axis that there is not, or twice, or one more. */
static struct ndp_object *other_axes(struct ndp_objects *objects, const struct ndp_object *axes, uint64_t how) {
    const uint64_t count = axes->list.count, at = count > 0 ? how / 8 % count : 0;
    const int64_t wrong[] = {(int64_t)count, -1, (int64_t)count + 1, 64, INT64_MAX, INT64_MIN};
    const uint64_t which = how % 8;
    if (which < NDP_ARRAY_LEN(wrong) && count > 0)
        return with_item(objects, axes, at, ndp_object_int(objects, wrong[which]));
    if (which == 7 && count > 1) return with_item(objects, axes, at, axes->list.items[(at + 1) % count]);
    struct ndp_object *made = ndp_object_tuple(objects, count, axes->list.items);
    struct ndp_object *more = ndp_object_int(objects, (int64_t)count);
    return made && count > 0 && more && ndp_object_append(objects, &made->list, more) ? made : NULL;
}

/* A key more, which no name or title stands for; what it stands for is a field like another, or none. */
static struct ndp_object *other_fields(struct ndp_objects *objects, const struct ndp_object *fields, uint64_t how) {
    static const char key[] = "\1 no name";
    struct ndp_object *made = ndp_object_new(objects, NDP_OBJECT_DICT), *none = ndp_object_none(objects);
    bool fits = made && none && fields->list.count > 1 && !ndp_object_lookup(fields, key);
    for (uint64_t i = 0; fits && i < fields->list.count; i++)
        fits = ndp_object_append(objects, &made->list, fields->list.items[i]);
    struct ndp_object *name = ndp_object_text(objects, key);
    fits = fits && name && ndp_object_append(objects, &made->list, name) &&
           ndp_object_append(objects, &made->list, how % 2 == 0 ? fields->list.items[1] : none);
    return fits ? made : NULL;
}

/* Where there are fields, names of which one is none of theirs, or none at all; names, where there are no fields. */
static struct ndp_object *other_names(struct ndp_objects *objects, const struct ndp_object *names,
                                      const struct ndp_object *fields, uint64_t how) {
    static const char key[] = "\1 no name";
    struct ndp_object *name = ndp_object_text(objects, key);
    if (!name) return NULL;
    if (!ndp_object_is(names, NDP_OBJECT_TUPLE)) return ndp_object_tuple(objects, how % 2, &name);
    const uint64_t count = names->list.count;
    if (how % 3 == 0) return ndp_object_none(objects);
    if (!ndp_object_is(fields, NDP_OBJECT_DICT) || ndp_object_lookup(fields, key)) return NULL;
    if (how % 3 == 1 && count > 0) return with_item(objects, names, how / 3 % count, name);
    struct ndp_object *made = ndp_object_tuple(objects, count, names->list.items);
    return made && ndp_object_append(objects, &made->list, name) ? made : NULL;
}

/* (type, shape) without its shape, with a third item, of no type, or of an extent that there is not. */
static struct ndp_object *other_subarray(struct ndp_objects *objects, const struct ndp_object *pair, uint64_t how) {
    static const int64_t extents[] = {-1, INT64_C(1) << 31, INT64_MAX, INT64_MIN};
    struct ndp_object *none = ndp_object_none(objects);
    const uint64_t count = pair->list.count, which = how % 8;
    if (count != 2 || !none) return NULL;
    if (which < 2) return with_item(objects, pair, which, none);
    if (which == 2) return ndp_object_tuple(objects, 1, pair->list.items);
    struct ndp_object *made = ndp_object_tuple(objects, count, pair->list.items);
    if (which == 3) return made && ndp_object_append(objects, &made->list, none) ? made : NULL;
    struct ndp_object *extent = ndp_object_int(objects, extents[which - 4]);
    const struct ndp_object *shape = pair->list.items[1];
    if (!made || !extent || !ndp_object_is(shape, NDP_OBJECT_TUPLE)) return NULL;
    struct ndp_object *longer = ndp_object_tuple(objects, shape->list.count, shape->list.items);
    if (!longer || !ndp_object_append(objects, &longer->list, extent)) return NULL;
    made->list.items[1] = longer;
    return made;
}

static struct ndp_object *other_time(struct ndp_objects *objects, const struct ndp_object *time, uint64_t how) {
    static const int64_t wrong[] = {0, -1, INT64_C(1) << 31, INT64_MAX, 2, 1000};
    const uint64_t at = how % 4;
    /* Any multiple may be, and nothing else may be but 1. */
    const uint64_t count = at == 1 ? 4 : NDP_ARRAY_LEN(wrong);
    return with_item(objects, time, at,
                     at == 0 ? ndp_object_text(objects, how / 4 % 2 == 0 ? "xs" : "S")
                             : ndp_object_int(objects, wrong[how / 4 % count]));
}

/* What stands in the place of an object there; NULL where there is nothing that is surely none. */
static struct ndp_object *spoilt_of(struct ndp_objects *objects, const struct place *place, bool has_bytes,
                                    uint64_t how) {
    static const int64_t versions[] = {-1, 2, 5, 1 << 20}, alignments[] = {0, 3, -2, 6, 12, 24, 1 << 17, INT64_MIN},
                         sizes[] = {-2, INT64_MAX, INT64_C(1) << 31, INT64_MIN}, flags[] = {256, -129, INT64_MAX};
    static const char *const orders_of[] = {"X", "c", "", "CF", "A"}, *const signs[] = {"", "?", "<>", "l", "\xc2\xa0"},
                             *const names[] = {"",
                                               "f3",
                                               "x1",
                                               "i16",
                                               "f8 ",
                                               "<f8",
                                               "c4",
                                               "U",
                                               "u",
                                               "O",
                                               "8",
                                               "i0000000000000008",
                                               "V00000000000000000000000000000001"};
    const struct ndp_object *there = place->list->items[place->at];
    switch ((int)place->part) {
    case FUZZ_PICKLED_VERSION:
    case FUZZ_PICKLED_TYPE_VERSION:
        return NUMBER(versions);
    case FUZZ_PICKLED_SHAPE:
        return other_shape(objects, there, has_bytes, how);
    case FUZZ_PICKLED_ORDER:
        return WORD(orders_of);
    case FUZZ_PICKLED_DATA:
    case FUZZ_PICKLED_MASK:
        return ndp_object_is(there, NDP_OBJECT_BYTES) || ndp_object_is(there, NDP_OBJECT_BYTEARRAY)
                   ? other_bytes(objects, there, how)
                   : ndp_object_none(objects);
    case FUZZ_PICKLED_AXES:
        return other_axes(objects, there, how);
    case FUZZ_PICKLED_FIELDS:
        return other_fields(objects, there, how);
    case FUZZ_PICKLED_NAMES:
        return other_names(objects, there, place->list->items[place->at + 1], how);
    case FUZZ_PICKLED_SUBARRAY:
        return other_subarray(objects, there, how);
    case FUZZ_PICKLED_TIME:
        return other_time(objects, there, how);
    case FUZZ_PICKLED_WORD:
        return WORD(names);
    case FUZZ_PICKLED_ENDIAN:
        return WORD(signs);
    case FUZZ_PICKLED_ITEMSIZE:
        return NUMBER(sizes);
    case FUZZ_PICKLED_ALIGNMENT:
        return NUMBER(alignments);
    case FUZZ_PICKLED_FLAGS:
        return NUMBER(flags);
    default:
        return NULL;
    }
}

/* Versions of arrays and of types share one list, in which one may stand there already. */
static bool is_same_number(const struct ndp_object *made, const struct ndp_object *there) {
    return ndp_object_is_int(made) && ndp_object_is_int(there) && ndp_object_integer(made) == ndp_object_integer(there);
}

static enum fuzz_pickled_part spoil(struct ndp_objects *objects, const struct place *place, bool has_bytes,
                                    uint64_t how) {
    const bool is_list = place->part == FUZZ_PICKLED_ARGS || place->part == FUZZ_PICKLED_PAIR ||
                         place->part == FUZZ_PICKLED_STATE || place->part == FUZZ_PICKLED_TYPE_STATE;
    struct ndp_object *made = is_list ? ndp_object_none(objects) : spoilt_of(objects, place, has_bytes, how);
    if (!made || (!is_list && is_same_number(made, place->list->items[place->at]))) return FUZZ_PICKLED_NOTHING;
    if (!is_list)
        place->list->items[place->at] = made;
    else if (how % 2 == 0)
        place->list->count--;
    else if (!ndp_object_append(objects, place->list, made))
        return FUZZ_PICKLED_NOTHING;
    return place->part;
}

static enum ndp_status read_array(struct ndp_objects *objects, const struct ndp_object *root,
                                  struct ndp_pickled_array *out) {
    struct ndp_array_reader reader = {.dtypes = {.arena = objects->arena, .objects = objects}};
    return ndp_pickle_array_read(&reader, root, out);
}

enum fuzz_pickled_part fuzz_check_pickled_spoilt(struct ndp_arena *arena, struct ndp_bytes pickle, uint64_t pick) {
    const struct ndp_pickle_options options = {.opcodes_max = 1 << 16};
    struct ndp_source source = ndp_source_memory(pickle);
    enum fuzz_pickled_part part = FUZZ_PICKLED_NOTHING;
    struct ndp_pickled_array array;
    struct places places = {.count = 0};
    struct ndp_objects objects;
    struct ndp_pickle read;
    ndp_objects_init(&objects, arena);
    if (ndp_pickle_read(&objects, &source, &options, &read, NULL) == NDP_OK && ndp_pickle_is_array(read.root) &&
        read_array(&objects, read.root, &array) == NDP_OK) {
        find_places(&array, read.root, pick, &places);
        const bool has_bytes = array.count_elems > 0 && array.dtype->itemsize_bytes > 0;
        pick >>= 16;
        if (places.count > 0) part = spoil(&objects, &places.all[pick % places.count], has_bytes, pick / places.count);
        if (part != FUZZ_PICKLED_NOTHING) FUZZ_HOLDS(read_array(&objects, read.root, &array) != NDP_OK);
    }
    ndp_objects_clear(&objects);
    ndp_arena_reset(arena);
    return part;
}
