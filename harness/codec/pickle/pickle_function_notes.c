#include "codec/pickle/pickle_function_notes.h"

#include <string.h>

#include "codec/pickle/object_walk.h"
#include "codec/pickle/pickle_code.h"

/* ---- names ---- */

/* Whether a module is that one, or a copy of it inside of another package. */
static bool is_module(struct ndp_bytes module, const char *end) {
    const uint64_t size_bytes = strlen(end);
    if (module.size_bytes < size_bytes) return false;
    const uint64_t before = module.size_bytes - size_bytes;
    return memcmp(module.data + before, end, (size_t)size_bytes) == 0 &&
           (before == 0 || module.data[before - 1] == '.');
}

bool ndp_function_is_name(const struct ndp_object *object, enum ndp_function_form library, const char *name) {
    if (!ndp_object_is(object, NDP_OBJECT_GLOBAL)) return false;
    const struct ndp_bytes module = object->global.module->bytes;
    if (!ndp_object_is_text(object->global.name, name)) return false;
    if (library == NDP_FUNCTION_CLOUDPICKLE)
        return is_module(module, "cloudpickle") || is_module(module, "cloudpickle_fast");
    return is_module(module, "dill._dill") || is_module(module, "dill.dill");
}

/* Until 2.0 cloudpickle calls the type itself. The state is set by a function of its own: pickle cannot, since globals
 * and closures are read-only. */
static bool is_cloudpickled(const struct ndp_call *call) {
    const bool is_set = ndp_function_is_name(call->setter, NDP_FUNCTION_CLOUDPICKLE, "_function_setstate");
    if (ndp_function_is_name(call->callable, NDP_FUNCTION_CLOUDPICKLE, "_make_function"))
        return is_set || call->state == NULL;
    return is_set &&
           (ndp_code_is_type(call->callable, "LambdaType") || ndp_code_is_type(call->callable, "FunctionType"));
}

enum ndp_function_form ndp_function_form_of(const struct ndp_object *object) {
    if (!ndp_object_is(object, NDP_OBJECT_CALL) || object->call->how != NDP_CALL_REDUCE) return NDP_FUNCTION_OTHER;
    if (object->call->items.count + object->call->pairs.count > 0) return NDP_FUNCTION_OTHER;
    const struct ndp_object *callable = object->call->callable;
    const uint64_t count = object->call->args->list.count;
    if (count == 5 && is_cloudpickled(object->call)) return NDP_FUNCTION_CLOUDPICKLE;
    if (count >= 5 && count <= 7 && object->call->setter == NULL &&
        ndp_function_is_name(callable, NDP_FUNCTION_DILL, "_create_function"))
        return NDP_FUNCTION_DILL;
    return NDP_FUNCTION_OTHER;
}

bool ndp_function_state(const struct ndp_object *function, const struct ndp_object **attributes,
                        const struct ndp_object **slots) {
    const struct ndp_object *state = function->call->state;
    if (!ndp_object_is(state, NDP_OBJECT_TUPLE) || state->list.count != 2) return false;
    *attributes = state->list.items[0];
    *slots = state->list.items[1];
    return ndp_object_is(*slots, NDP_OBJECT_DICT);
}

bool ndp_function_is_called(const struct ndp_call *call, enum ndp_function_form library, const char *name) {
    return (call->how == NDP_CALL_REDUCE || call->how == NDP_CALL_INSTANCE) &&
           ndp_function_is_name(call->callable, library, name);
}

bool ndp_function_is_cell(const struct ndp_object *object) {
    if (!ndp_object_is(object, NDP_OBJECT_CALL)) return false;
    return ndp_function_is_called(object->call, NDP_FUNCTION_CLOUDPICKLE, "_make_empty_cell") ||
           ndp_function_is_called(object->call, NDP_FUNCTION_CLOUDPICKLE, "_make_cell") ||
           ndp_function_is_called(object->call, NDP_FUNCTION_DILL, "_create_cell") ||
           ndp_code_is_type(object->call->callable, "CellType");
}

/* ---- what is noted ---- */

/* What a cell is made with, or NULL when it is made empty. cloudpickle 1.3 to 2.0 writes the type of cells itself. */
static const struct ndp_object *content_of(const struct ndp_object *cell) {
    if (!ndp_object_is(cell, NDP_OBJECT_CALL) || cell->call->args->list.count != 1) return NULL;
    const bool is_made = ndp_function_is_called(cell->call, NDP_FUNCTION_CLOUDPICKLE, "_make_cell") ||
                         ndp_function_is_called(cell->call, NDP_FUNCTION_DILL, "_create_cell") ||
                         ndp_code_is_type(cell->call->callable, "CellType");
    return is_made ? cell->call->args->list.items[0] : NULL;
}

static enum ndp_status note_more(struct ndp_objects *objects, struct ndp_function_notes *notes,
                                 const struct ndp_object *globals, const struct ndp_object *more) {
    struct ndp_globals_note *note = NDP_ARENA_NEW(objects->arena, struct ndp_globals_note);
    if (note == NULL) return NDP_NOMEM;
    *note = (struct ndp_globals_note){notes->more, globals, more};
    notes->more = note;
    return NDP_OK;
}

/* The state's closure holds cells of the same order as those that the function was made with. */
static void note_contents(struct ndp_function_notes *notes, const struct ndp_object *made,
                          const struct ndp_object *given) {
    if (!ndp_object_is(made, NDP_OBJECT_TUPLE) || !ndp_object_is(given, NDP_OBJECT_TUPLE)) return;
    for (uint64_t i = 0; i < made->list.count && i < given->list.count; i++) {
        const struct ndp_object *content = content_of(given->list.items[i]);
        if (content != NULL) notes->contents[made->list.items[i]->number] = content;
    }
}

static enum ndp_status note_function(struct ndp_objects *objects, struct ndp_function_notes *notes,
                                     const struct ndp_object *function) {
    const struct ndp_object_list *args = &function->call->args->list;
    const struct ndp_object *attributes = NULL, *slots = NULL;
    const enum ndp_function_form form = ndp_function_form_of(function);
    if (form == NDP_FUNCTION_OTHER) return NDP_OK;
    if (args->items[1]->kind == NDP_OBJECT_DICT) notes->are_globals[args->items[1]->number] = notes->has_globals = true;
    if (form != NDP_FUNCTION_CLOUDPICKLE || !ndp_function_state(function, &attributes, &slots)) return NDP_OK;
    note_contents(notes, args->items[4], ndp_object_lookup(slots, "__closure__"));
    const struct ndp_object *more = ndp_object_lookup(slots, "__globals__");
    return ndp_object_is(more, NDP_OBJECT_DICT) ? note_more(objects, notes, args->items[1], more) : NDP_OK;
}

/* setattr(cell, "cell_contents", content) */
static void note_content(struct ndp_function_notes *notes, const struct ndp_object *call) {
    const struct ndp_object_list *args = &call->call->args->list;
    if (args->count != 3) return;
    if (ndp_function_is_cell(args->items[0]) && ndp_object_is_text(args->items[1], "cell_contents"))
        notes->contents[args->items[0]->number] = args->items[2];
    else
        notes->has_more = true;
}

/* dict.update(globals, more) */
static enum ndp_status note_update(struct ndp_objects *objects, struct ndp_function_notes *notes,
                                   const struct ndp_object *call) {
    const struct ndp_object_list *args = &call->call->args->list;
    if (args->count != 2) return NDP_OK;
    notes->has_more = notes->has_more || args->items[1]->kind != NDP_OBJECT_DICT;
    return note_more(objects, notes, args->items[0], args->items[1]);
}

/* A note stands before those that were made earlier, so that updates are noted from the last. */
static enum ndp_status note_call(struct ndp_objects *objects, struct ndp_function_notes *notes,
                                 const struct ndp_object *object) {
    const struct ndp_object_list *after = &object->call->after;
    for (uint64_t i = 0; i < after->count; i++) note_content(notes, after->items[i]);
    for (uint64_t i = after->count; i > 0; i--) NDP_TRY(note_update(objects, notes, after->items[i - 1]));
    return note_function(objects, notes, object);
}

/* dill has a function of its own for arrays: _create_array(function, arguments, state, attributes). Where there are no
 * attributes the array becomes what pickle itself would have written of it. */
static void plain_array(struct ndp_call *call) {
    const struct ndp_object_list *args = &call->args->list;
    if (!ndp_function_is_name(call->callable, NDP_FUNCTION_DILL, "_create_array") || call->state != NULL) return;
    if (args->count != 3 && args->count != 4) return;
    if (args->items[0]->kind != NDP_OBJECT_GLOBAL || args->items[1]->kind != NDP_OBJECT_TUPLE) return;
    const struct ndp_object *attributes = args->count == 4 ? args->items[3] : NULL;
    const bool has_none = attributes == NULL || attributes->kind == NDP_OBJECT_NONE ||
                          (attributes->kind == NDP_OBJECT_DICT && attributes->list.count == 0);
    if (!has_none) return;
    call->callable = args->items[0];
    call->state = args->items[2];
    call->args = args->items[1];
}

/* ---- the walk ---- */

struct taking {
    struct ndp_objects *objects;
    struct ndp_function_notes *notes;
};

/* A ndp_object_visit. */
static enum ndp_status take_note(void *context, struct ndp_object *object, uint32_t earlier) {
    const struct taking *taking = context;
    (void)earlier;
    if (object->kind != NDP_OBJECT_CALL) return NDP_OK;
    plain_array(object->call);
    return note_call(taking->objects, taking->notes, object);
}

enum ndp_status ndp_function_notes_take(struct ndp_objects *objects, const struct ndp_object *root,
                                        struct ndp_function_notes *out) {
    const uint32_t count = objects->count;
    struct ndp_function_notes notes = {.count = count};
    struct taking taking = {objects, &notes};
    struct ndp_object_marks marks;
    notes.contents = NDP_ARENA_ITEMS(objects->arena, const struct ndp_object *, count);
    notes.are_globals = NDP_ARENA_ITEMS(objects->arena, bool, count);
    if (notes.contents == NULL || notes.are_globals == NULL) return NDP_NOMEM;
    NDP_TRY(ndp_object_marks_new(objects, &marks));
    NDP_TRY(ndp_object_walk(objects, root, &marks, 1, take_note, &taking));
    for (const struct ndp_globals_note *note = notes.more; note != NULL; note = note->next)
        notes.has_more = notes.has_more || !notes.are_globals[note->globals->number];
    *out = notes;
    return NDP_OK;
}
