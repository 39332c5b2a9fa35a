/* pickle_read_fixture.h: test helpers that read a pickle and print the result. Includes cmocka. */
#ifndef NDP_PICKLE_READ_FIXTURE_H
#define NDP_PICKLE_READ_FIXTURE_H

#include "base/suite.h"
#include "codec/pickle/pickle_read.h"

#define BYTES(text)                                                                                                    \
    { (const uint8_t *)(text), sizeof(text) - 1 }

/* The result of reading a pickle, in its own arena. */
struct reading {
    struct ndp_arena arena;
    struct ndp_objects objects;
    struct ndp_pickle pickle;
    struct ndp_error error;
    enum ndp_status status;
};

static inline void reading_start(struct reading *reading, struct ndp_bytes bytes,
                                 const struct ndp_pickle_options *options) {
    *reading = (struct reading){.status = NDP_OK};
    ndp_arena_init(&reading->arena, UINT64_C(1) << 30);
    ndp_objects_init(&reading->objects, &reading->arena);
    struct ndp_source source = ndp_source_memory(bytes);
    reading->status = ndp_pickle_read(&reading->objects, &source, options, &reading->pickle, &reading->error);
}

static inline void reading_end(struct reading *reading) {
    ndp_objects_clear(&reading->objects);
    ndp_arena_clear(&reading->arena);
}

/* Appends the repr() of the object; calls appear as callable(args...), followed by a slash and their state. */
static inline void reading_show(struct ndp_buffer *out, const struct ndp_object *object, uint32_t depth);

static inline void reading_add(struct ndp_buffer *out, const char *text) {
    assert_int_equal(ndp_buffer_add(out, text, strlen(text)), NDP_OK);
}

static inline void reading_show_list(struct ndp_buffer *out, const struct ndp_object_list *list, const char *open,
                                     const char *close, uint32_t depth) {
    reading_add(out, open);
    for (uint64_t i = 0; i < list->count; i++) {
        if (i > 0) reading_add(out, ",");
        reading_show(out, list->items[i], depth + 1);
    }
    reading_add(out, close);
}

static inline void reading_show_call(struct ndp_buffer *out, const struct ndp_call *call, uint32_t depth) {
    reading_show(out, call->callable, depth + 1);
    reading_show_list(out, &call->args->list, "(", ")", depth);
    if (call->items.count > 0) reading_show_list(out, &call->items, "+[", "]", depth);
    if (call->pairs.count > 0) reading_show_list(out, &call->pairs, "+{", "}", depth);
    if (call->state != NULL) reading_add(out, call->setter != NULL ? "//" : "/");
    if (call->state != NULL) reading_show(out, call->state, depth + 1);
}

static inline void reading_show(struct ndp_buffer *out, const struct ndp_object *object, uint32_t depth) {
    const char *const open[] = {[NDP_OBJECT_LIST] = "[",
                                [NDP_OBJECT_TUPLE] = "(",
                                [NDP_OBJECT_DICT] = "{",
                                [NDP_OBJECT_SET] = "set(",
                                [NDP_OBJECT_FROZENSET] = "frozenset("};
    const char *const close[] = {[NDP_OBJECT_LIST] = "]",
                                 [NDP_OBJECT_TUPLE] = ")",
                                 [NDP_OBJECT_DICT] = "}",
                                 [NDP_OBJECT_SET] = ")",
                                 [NDP_OBJECT_FROZENSET] = ")"};
    if (depth > 8) {
        reading_add(out, "...");
        return;
    }
    switch ((int)object->kind) {
    case NDP_OBJECT_NONE:
        reading_add(out, "None");
        return;
    case NDP_OBJECT_BOOL:
        reading_add(out, object->truth ? "True" : "False");
        return;
    case NDP_OBJECT_INT:
        if (object->is_big) reading_add(out, "big:");
        assert_int_equal(object->is_big ? ndp_hex_add(out, object->bytes)
                                        : ndp_buffer_printf(out, "%lld", (long long)object->integer),
                         NDP_OK);
        return;
    case NDP_OBJECT_FLOAT:
        assert_int_equal(ndp_buffer_printf(out, "%.17g", object->real), NDP_OK);
        return;
    case NDP_OBJECT_GLOBAL:
        assert_int_equal(
            ndp_buffer_add(out, object->global.module->bytes.data, object->global.module->bytes.size_bytes), NDP_OK);
        reading_add(out, ".");
        assert_int_equal(ndp_buffer_add(out, object->global.name->bytes.data, object->global.name->bytes.size_bytes),
                         NDP_OK);
        return;
    case NDP_OBJECT_CALL:
        reading_show_call(out, object->call, depth);
        return;
    case NDP_OBJECT_BUFFER:
        assert_int_equal(
            ndp_buffer_printf(out, "buffer%llu%s", (unsigned long long)object->index, object->is_readonly ? "r" : ""),
            NDP_OK);
        return;
    case NDP_OBJECT_LIST:
    case NDP_OBJECT_TUPLE:
    case NDP_OBJECT_DICT:
    case NDP_OBJECT_SET:
    case NDP_OBJECT_FROZENSET:
        reading_show_list(out, &object->list, open[object->kind], close[object->kind], depth);
        return;
    default:
        reading_add(out, object->kind == NDP_OBJECT_TEXT     ? "'"
                         : object->kind == NDP_OBJECT_STRING ? "s'"
                         : object->kind == NDP_OBJECT_BYTES  ? "b'"
                                                             : "a'");
        assert_int_equal(ndp_buffer_add(out, object->bytes.data, object->bytes.size_bytes), NDP_OK);
        reading_add(out, "'");
    }
}

struct pickle_row {
    struct ndp_bytes pickle;
    const char *shown;
};

/* Each pickle yields the printed value and is consumed to its end. */
static inline void reading_check_good(const struct pickle_row *rows, size_t count) {
    for (size_t i = 0; i < count; i++) {
        struct reading reading;
        struct ndp_buffer text;
        reading_start(&reading, rows[i].pickle, NULL);
        if (reading.status != NDP_OK) fail_msg("row %zu (%s): %s", i, rows[i].shown, reading.error.text);
        ndp_buffer_init(&text, 1 << 16);
        reading_show(&text, reading.pickle.root, 0);
        assert_int_equal(ndp_buffer_add(&text, "", 1), NDP_OK);
        assert_string_equal((const char *)text.data, rows[i].shown);
        assert_int_equal(reading.pickle.consumed_bytes, rows[i].pickle.size_bytes);
        ndp_buffer_clear(&text);
        reading_end(&reading);
    }
}

struct bad_pickle_row {
    struct ndp_bytes pickle;
    enum ndp_status status;
    uint64_t offset_bytes;
};

/* Each pickle is refused with that status at that byte. */
static inline void reading_check_bad(const struct bad_pickle_row *rows, size_t count) {
    for (size_t i = 0; i < count; i++) {
        struct reading reading;
        reading_start(&reading, rows[i].pickle, NULL);
        if (reading.status != rows[i].status ||
            (rows[i].status != NDP_OK && reading.error.offset_bytes != rows[i].offset_bytes))
            fail_msg("row %zu: %s at %llu: %s", i, ndp_status_name(reading.status),
                     (unsigned long long)reading.error.offset_bytes, reading.error.text);
        reading_end(&reading);
    }
}

/* Every failing allocation returns NOMEM; the pickle is read once none fails. */
static inline void reading_check_memory(struct ndp_bytes pickle, uint64_t calls_min) {
    enum ndp_status status = NDP_NOMEM;
    uint64_t call = 0;
    while (status != NDP_OK) {
        struct reading reading = {.status = NDP_OK};
        struct ndp_source source = ndp_source_memory(pickle);
        ndp_arena_init(&reading.arena, 1 << 20);
        ndp_objects_init(&reading.objects, &reading.arena);
        ndp_arena_fail_at(&reading.arena, ++call);
        status = ndp_pickle_read(&reading.objects, &source, NULL, &reading.pickle, &reading.error);
        assert_int_equal(status, status == NDP_OK ? NDP_OK : NDP_NOMEM);
        reading_end(&reading);
    }
    assert_true(call > calls_min);
}

#endif
