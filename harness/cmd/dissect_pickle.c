#include "cmd/dissect_pickle.h"

#include <inttypes.h>

#include "cmd/dissect_text.h"
#include "codec/joblib/joblib_wrapper.h"
#include "codec/pickle/pickle_read.h"

enum { MAX_ARRAYS = 16, MAX_NAME_SHOWN = 80 };

/* ---- the summary of the opcodes ---- */

static void draw_globals(const struct ndp_opcode_list *list) {
    FILE *out = list->out;
    if (list->global_count == 0) return;
    fprintf(out, "%*sglobals that a library imports when it reads this:\n", (int)list->indent, "");
    for (uint64_t i = 0; i < list->global_count && i < NDP_OPCODE_GLOBALS; i++) {
        const struct ndp_opcode_global *global = &list->globals[i];
        fprintf(out, "%*sbyte %-7" PRIu64 " ", (int)list->indent + 2, "", global->offset_bytes);
        ndp_dissect_text(out, global->module, MAX_NAME_SHOWN);
        fputs(global->module.data == NULL ? "a name that no text on the stack gives" : " ", out);
        ndp_dissect_text(out, global->name, MAX_NAME_SHOWN);
        fputc('\n', out);
    }
    if (list->global_count > NDP_OPCODE_GLOBALS)
        fprintf(out, "%*sand %" PRIu64 " more\n", (int)list->indent + 2, "", list->global_count - NDP_OPCODE_GLOBALS);
}

void ndp_dissect_pickle_summary(const struct ndp_opcode_list *list) {
    FILE *out = list->out;
    const int indent = (int)list->indent;
    if (list->hidden_count > 0)
        fprintf(out, "%*sand %s%" PRIu64 " more opcodes\n", indent, "", list->is_cut ? "at least " : "",
                list->hidden_count);
    fprintf(out, "%*sprotocol %" PRId32 ", %" PRIu64 " opcodes, %" PRIu64 " frames", indent, "", list->protocol,
            list->opcode_count, list->frame_count);
    if (list->buffer_count > 0) fprintf(out, ", %" PRIu64 " out-of-band buffers", list->buffer_count);
    if (list->is_stopped) fprintf(out, ", STOP at byte %" PRIu64, list->at_bytes - 1);
    if (list->is_stopped && list->at_bytes < list->bytes.size_bytes)
        fprintf(out, ", %" PRIu64 " bytes follow", list->bytes.size_bytes - list->at_bytes);
    fputc('\n', out);
    if (list->error.status != NDP_OK) ndp_dissect_error(out, list->indent, 0, &list->error);
    draw_globals(list);
}

/* ---- the arrays ---- */

/* A walk over the objects, without recursion. */
struct walk {
    FILE *out;
    uint32_t indent;
    struct ndp_objects *objects;
    struct ndp_object_list waiting;
    bool *seen; /* by object number */
    uint32_t array_count;
    struct ndp_array_reader reader;
    struct ndp_error error;
};

static enum ndp_status add_object(struct walk *walk, struct ndp_object *object) {
    if (object == NULL || walk->seen[object->number]) return NDP_OK;
    walk->seen[object->number] = true;
    return ndp_object_append(walk->objects, &walk->waiting, object) ? NDP_OK : NDP_NOMEM;
}

/* The last item first, because the walk takes the last one that waits. */
static enum ndp_status add_items(struct walk *walk, const struct ndp_object_list *list) {
    for (uint64_t i = list->count; i > 0; i--) NDP_TRY(add_object(walk, list->items[i - 1]));
    return NDP_OK;
}

static enum ndp_status add_call(struct walk *walk, const struct ndp_call *call) {
    NDP_TRY(add_object(walk, call->setter));
    NDP_TRY(add_object(walk, call->state));
    NDP_TRY(add_items(walk, &call->pairs));
    NDP_TRY(add_items(walk, &call->items));
    NDP_TRY(add_object(walk, call->kwargs));
    NDP_TRY(add_object(walk, call->args));
    return add_object(walk, call->callable);
}

static enum ndp_status add_children(struct walk *walk, const struct ndp_object *object) {
    switch (object->kind) {
    case NDP_OBJECT_LIST:
    case NDP_OBJECT_TUPLE:
    case NDP_OBJECT_DICT:
    case NDP_OBJECT_SET:
    case NDP_OBJECT_FROZENSET:
        return add_items(walk, &object->list);
    case NDP_OBJECT_CALL:
        return add_call(walk, object->call);
    case NDP_OBJECT_RAW:
        NDP_TRY(add_object(walk, object->raw->nested));
        return add_object(walk, object->raw->wrapper);
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

static void draw_array(const struct walk *walk, const struct ndp_pickled_array *array) {
    FILE *out = walk->out;
    fprintf(out, "%*s%s at byte %" PRIu64 ": class ", (int)walk->indent, "", array->is_scalar ? "scalar" : "array",
            array->object->offset_bytes);
    if (ndp_object_is(array->class, NDP_OBJECT_GLOBAL)) {
        ndp_dissect_text(out, array->class->global.module->bytes, MAX_NAME_SHOWN);
        fputc('.', out);
        ndp_dissect_text(out, array->class->global.name->bytes, MAX_NAME_SHOWN);
    } else {
        fputs("numpy.ndarray", out);
    }
    fputs(", shape ", out);
    ndp_dissect_shape(out, array->layout.shape, array->layout.ndim);
    const bool is_c = ndp_layout_is_c_contiguous(&array->layout, array->dtype->itemsize_bytes);
    const bool is_f = ndp_layout_is_f_contiguous(&array->layout, array->dtype->itemsize_bytes);
    fprintf(out, ", %s order, ", is_c ? "C" : is_f ? "F" : "another");
    if (array->items != NULL)
        fprintf(out, "%" PRIu64 " objects\n", array->count_elems);
    else
        fprintf(out, "%" PRIu64 " bytes of elements%s\n", array->bytes.size_bytes,
                array->buffer != NULL ? " out of band" : "");
    ndp_dissect_dtype(out, walk->indent + 2, array->dtype);
}

static enum ndp_status visit_object(struct walk *walk, const struct ndp_object *object) {
    struct ndp_pickled_array array;
    const bool is_raw = object->kind == NDP_OBJECT_RAW;
    if (!is_raw && !ndp_pickle_array_is_array(object)) return NDP_OK;
    if (walk->array_count++ >= MAX_ARRAYS) return NDP_OK;
    walk->error = (struct ndp_error){.offset_bytes = NDP_NO_OFFSET};
    const enum ndp_status status = is_raw ? ndp_joblib_wrapper_read_array(&walk->reader, object, &array)
                                          : ndp_pickle_array_read(&walk->reader, object, &array);
    if (status == NDP_NOMEM) return status;
    if (status == NDP_OK) {
        draw_array(walk, &array);
    } else {
        fprintf(walk->out, "%*sarray at byte %" PRIu64 ": ", (int)walk->indent, "", object->offset_bytes);
        ndp_dissect_error(walk->out, 0, 0, &walk->error);
    }
    return NDP_OK;
}

enum ndp_status ndp_dissect_pickle_arrays(FILE *out, uint32_t indent, struct ndp_objects *objects,
                                          struct ndp_object *root) {
    struct walk walk = {.out = out, .indent = indent, .objects = objects};
    walk.seen = NDP_ARENA_ITEMS(objects->arena, bool, objects->count);
    if (walk.seen == NULL) return NDP_NOMEM;
    walk.reader.dtypes =
        (struct ndp_pickle_dtype_reader){.arena = objects->arena, .objects = objects, .error = &walk.error};
    NDP_TRY(add_object(&walk, root));
    while (walk.waiting.count > 0) {
        const struct ndp_object *object = walk.waiting.items[--walk.waiting.count];
        NDP_TRY(visit_object(&walk, object));
        NDP_TRY(add_children(&walk, object));
    }
    if (walk.array_count > MAX_ARRAYS)
        fprintf(out, "%*sand %u more arrays\n", (int)indent, "", walk.array_count - MAX_ARRAYS);
    return NDP_OK;
}

/* Lets the reference read the pickle, and prints the arrays in it or the error. */
static enum ndp_status draw_content(const struct ndp_opcode_list *list, struct ndp_objects *objects,
                                    uint64_t start_bytes) {
    struct ndp_error error = {.offset_bytes = NDP_NO_OFFSET};
    struct ndp_source source = ndp_source_memory(list->bytes);
    const struct ndp_pickle_options options = {.buffer_count = list->buffer_count};
    struct ndp_pickle pickle;
    source.at_bytes = start_bytes;
    const enum ndp_status status = ndp_pickle_read(objects, &source, &options, &pickle, &error);
    if (status == NDP_OK) return ndp_dissect_pickle_arrays(list->out, list->indent, objects, pickle.root);
    /* The list has the same error if it did not reach STOP. */
    if (status != NDP_NOMEM && list->error.status == NDP_OK) ndp_dissect_error(list->out, list->indent, 0, &error);
    return status == NDP_NOMEM ? NDP_NOMEM : NDP_OK;
}

enum ndp_status ndp_dissect_pickle(FILE *out, uint32_t indent, struct ndp_arena *arena, struct ndp_bytes bytes,
                                   uint64_t start_bytes) {
    struct ndp_objects objects;
    uint32_t lines_left = NDP_OPCODES_SHOWN;
    ndp_objects_init(&objects, arena);
    struct ndp_opcode_list *list = NDP_ARENA_NEW(arena, struct ndp_opcode_list);
    if (list == NULL) return NDP_NOMEM;
    *list = (struct ndp_opcode_list){.out = out,
                                     .objects = &objects,
                                     .bytes = bytes,
                                     .at_bytes = start_bytes,
                                     .lines_left = &lines_left,
                                     .indent = indent};
    enum ndp_status status = ndp_opcode_list_run(list, bytes.size_bytes);
    if (status == NDP_OK) {
        ndp_dissect_pickle_summary(list);
        status = draw_content(list, &objects, start_bytes);
    }
    ndp_objects_clear(&objects);
    return status;
}
