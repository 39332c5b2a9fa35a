/* Expected: what _function_setstate of cloudpickle 3.1.2 and _setattr of dill 0.4.1 do to cells and globals. */
#include <string.h>

#include "base/suite.h"
#include "codec/pickle/function_vectors.h"
#include "codec/pickle/pickle_function_notes.h"
#include "codec/pickle/pickle_read.h"

struct scene {
    struct ndp_arena arena;
    struct ndp_objects objects;
    const struct ndp_object *root;
};

static void set_up(struct scene *s, struct ndp_bytes bytes) {
    struct ndp_source source = ndp_source_memory(bytes);
    struct ndp_pickle pickle;
    struct ndp_error error = {.status = NDP_OK};
    ndp_arena_init(&s->arena, 1 << 24);
    ndp_objects_init(&s->objects, &s->arena);
    if (ndp_pickle_read(&s->objects, &source, NULL, &pickle, &error) != NDP_OK) fail_msg("%s", error.text);
    s->root = pickle.root;
}

static void tear_down(struct scene *s) {
    ndp_objects_clear(&s->objects);
    ndp_arena_clear(&s->arena);
}

static struct ndp_bytes vector(struct ndp_arena *arena, const char *name, const char *format) {
    struct ndp_bytes bytes = {NULL, 0};
    for (size_t i = 0; i < NDP_ARRAY_LEN(function_vectors); i++) {
        if (strcmp(function_vectors[i].name, name) != 0 || strcmp(function_vectors[i].format, format) != 0) continue;
        assert_int_equal(ndp_hex_read(arena, function_vectors[i].hex, &bytes, NULL), NDP_OK);
        return bytes;
    }
    fail();
    return bytes;
}

static const struct {
    const char *format;
    enum ndp_function_form form;
} libraries[] = {{"cloudpickle", NDP_FUNCTION_CLOUDPICKLE}, {"dill", NDP_FUNCTION_DILL}};

/* Both make the cell of a recursive function empty and put the function into it afterwards. */
static void what_a_cell_comes_to_hold_is_noted(void **state) {
    (void)state;
    for (size_t i = 0; i < NDP_ARRAY_LEN(libraries); i++) {
        struct ndp_arena arena;
        struct scene s;
        struct ndp_function_notes notes;
        ndp_arena_init(&arena, 1 << 20);
        set_up(&s, vector(&arena, "recursion", libraries[i].format));
        assert_int_equal(ndp_function_form_of(s.root), libraries[i].form);
        assert_int_equal(ndp_function_notes_take(&s.objects, s.root, &notes), NDP_OK);
        const struct ndp_object *closure = s.root->call->args->list.items[4];
        assert_int_equal(closure->list.count, 1);
        assert_ptr_equal(notes.contents[closure->list.items[0]->number], s.root);
        tear_down(&s);
        ndp_arena_clear(&arena);
    }
}

/* cloudpickle hands more names over than the dict was made with; dill puts them into the very dict. */
static void globals_and_more_of_them_are_noted(void **state) {
    (void)state;
    for (size_t i = 0; i < NDP_ARRAY_LEN(libraries); i++) {
        struct ndp_arena arena;
        struct scene s;
        struct ndp_function_notes notes;
        ndp_arena_init(&arena, 1 << 20);
        set_up(&s, vector(&arena, "global", libraries[i].format));
        assert_int_equal(ndp_function_notes_take(&s.objects, s.root, &notes), NDP_OK);
        const struct ndp_object *globals = s.root->call->args->list.items[1];
        const struct ndp_object *where = globals;
        assert_true(notes.are_globals[globals->number]);
        if (libraries[i].form == NDP_FUNCTION_CLOUDPICKLE) {
            assert_non_null(notes.more);
            assert_ptr_equal(notes.more->globals, globals);
            where = notes.more->more;
        }
        assert_int_equal(ndp_object_integer(ndp_object_lookup(where, "late")), 7);
        tear_down(&s);
        ndp_arena_clear(&arena);
    }
}

/* Nothing is taken for a function because it looks a little like one. */
static void what_is_no_function_gives_no_notes(void **state) {
    (void)state;
    static const char *const pickles[] = {
        "N.",
        "(lp0\ng0\na.",
        "cdill._dill\n_create_function\n(NNtR.",
        "cnobody\n_create_function\n(NNNNNtR.",
        "cmydill.dill\n_create_function\n(NNNNNtR.",
        "cmycloudpickle\n_make_function\n(NNNNNtR.",
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(pickles); i++) {
        struct scene s;
        struct ndp_function_notes notes;
        set_up(&s, ndp_bytes_view(pickles[i]));
        assert_int_equal(ndp_function_form_of(s.root), NDP_FUNCTION_OTHER);
        assert_int_equal(ndp_function_notes_take(&s.objects, s.root, &notes), NDP_OK);
        assert_null(notes.more);
        for (uint32_t k = 0; k < notes.count; k++) assert_true(notes.contents[k] == NULL && !notes.are_globals[k]);
        tear_down(&s);
    }
}

static void every_lack_of_memory_is_told(void **state) {
    (void)state;
    enum ndp_status status = NDP_NOMEM;
    uint64_t call = 0;
    struct ndp_arena arena;
    ndp_arena_init(&arena, 1 << 20);
    const struct ndp_bytes bytes = vector(&arena, "global", "cloudpickle");
    while (status != NDP_OK) {
        struct scene s;
        struct ndp_function_notes notes;
        set_up(&s, bytes);
        ndp_arena_fail_at(&s.arena, ++call);
        status = ndp_function_notes_take(&s.objects, s.root, &notes);
        tear_down(&s);
        assert_true(status == NDP_OK || status == NDP_NOMEM);
        assert_true(call < 1000);
    }
    assert_true(call > 3);
    ndp_arena_clear(&arena);
}

NDP_SUITE(pickle_function_notes_test, cmocka_unit_test(what_a_cell_comes_to_hold_is_noted),
          cmocka_unit_test(globals_and_more_of_them_are_noted), cmocka_unit_test(what_is_no_function_gives_no_notes),
          cmocka_unit_test(every_lack_of_memory_is_told));
