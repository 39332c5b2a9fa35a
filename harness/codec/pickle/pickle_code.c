#include "codec/pickle/pickle_code.h"

#include <string.h>

#include "codec/pickle/object_walk.h"
#include "codec/pickle/pickle_read.h"
#include "codec/pickle/pickle_write.h"

#define BODY_BYTES_MAX (UINT64_C(1) << 26)

static const char mark[] = "ndproof:";
const char *const ndp_function_own[NDP_FUNCTION_OWN] = {"__doc__", "__annotations__", "__qualname__", "__module__"};
const char ndp_function_dynamic_module[] = "ndproof_dynamic";
const char ndp_function_inside[] = "make.<locals>.";
static const char submodules[] = "_cloudpickle_submodules"; /* what the code imports, beside all that */

/* ---- names ---- */

struct ndp_object *ndp_code_library_name(struct ndp_objects *objects, enum ndp_function_form library,
                                         const char *name) {
    struct ndp_object *module =
        ndp_object_text(objects, library == NDP_FUNCTION_DILL ? "dill._dill" : "cloudpickle.cloudpickle");
    struct ndp_object *word = ndp_object_text(objects, name);
    return module == NULL || word == NULL ? NULL : ndp_object_global(objects, module, word);
}

struct ndp_object *ndp_code_type(struct ndp_objects *objects, enum ndp_function_form library, const char *name) {
    struct ndp_object *callable =
        ndp_code_library_name(objects, library, library == NDP_FUNCTION_DILL ? "_load_type" : "_builtin_type");
    struct ndp_object *word = ndp_object_text(objects, name);
    if (callable == NULL || word == NULL) return NULL;
    struct ndp_object *args = ndp_object_tuple(objects, 1, &word);
    return args == NULL ? NULL : ndp_object_call(objects, NDP_CALL_REDUCE, callable, args);
}

bool ndp_code_is_type(const struct ndp_object *object, const char *name) {
    if (ndp_object_is_global(object, "types", name)) return true;
    if (!ndp_object_is(object, NDP_OBJECT_CALL) || object->call->args->list.count != 1) return false;
    return (ndp_function_is_called(object->call, NDP_FUNCTION_CLOUDPICKLE, "_builtin_type") ||
            ndp_function_is_called(object->call, NDP_FUNCTION_DILL, "_load_type")) &&
           ndp_object_is_text(object->call->args->list.items[0], name);
}

/* ---- reading ---- */

static bool starts_with_count(const struct ndp_object_list *arguments) {
    return arguments->count > 0 && arguments->items[0]->kind == NDP_OBJECT_INT;
}

/* The arguments of a code object, without the table of lines that dill puts before them. The first of them is the count
 * of its own arguments: dill tells by it whether there is a table, and no interpreter makes code of another first. */
static bool find_arguments(const struct ndp_object *object, struct ndp_object_list *out) {
    if (!ndp_object_is(object, NDP_OBJECT_CALL) || object->call->args->list.count == 0) return false;
    *out = object->call->args->list;
    if (ndp_code_is_type(object->call->callable, "CodeType")) return starts_with_count(out);
    if (!ndp_function_is_called(object->call, NDP_FUNCTION_DILL, "_create_code")) return false;
    if (out->items[0]->kind == NDP_OBJECT_BYTES) {
        out->items++;
        out->count--;
    }
    return starts_with_count(out);
}

static bool find_word(const struct ndp_object *text, enum ndp_code *out) {
    const uint64_t mark_bytes = sizeof mark - 1;
    if (text->kind != NDP_OBJECT_TEXT || text->bytes.size_bytes < mark_bytes ||
        memcmp(text->bytes.data, mark, sizeof mark - 1) != 0)
        return false;
    const struct ndp_bytes word = {text->bytes.data + mark_bytes, text->bytes.size_bytes - mark_bytes};
    for (uint32_t code = 0; code < NDP_CODE_COUNT; code++) {
        if (!ndp_bytes_is_word(word, ndp_code_word((enum ndp_code)code))) continue;
        *out = (enum ndp_code)code;
        return true;
    }
    return false;
}

/* A template says its name among its constants. */
static bool find_template(const struct ndp_object_list *arguments, enum ndp_code *out) {
    for (uint64_t i = 0; i < arguments->count; i++) {
        if (arguments->items[i]->kind != NDP_OBJECT_TUPLE) continue;
        const struct ndp_object_list *constants = &arguments->items[i]->list;
        for (uint64_t k = 0; k < constants->count; k++) {
            if (find_word(constants->items[k], out)) return true;
        }
    }
    return false;
}

/* Whether it leads nowhere, and is not told from another of its value. All else is the graph's alone. */
static bool is_kept(const struct ndp_object *value) {
    return value->kind == NDP_OBJECT_NONE || value->kind == NDP_OBJECT_TEXT;
}

/* False without memory. */
static bool keep_slot(struct ndp_objects *objects, const char *name, struct ndp_object *value,
                      struct ndp_object *kept) {
    struct ndp_object *key = ndp_object_text(objects, name);
    return key != NULL && ndp_object_append(objects, &kept->list, key) &&
           ndp_object_append(objects, &kept->list, value);
}

static struct ndp_object *keep_slots(struct ndp_objects *objects, const struct ndp_object *slots) {
    struct ndp_object *kept = ndp_object_new(objects, NDP_OBJECT_DICT);
    for (size_t i = 0; kept != NULL && slots != NULL && i < NDP_FUNCTION_OWN; i++) {
        struct ndp_object *value = ndp_object_lookup(slots, ndp_function_own[i]);
        if (value != NULL && is_kept(value) && !keep_slot(objects, ndp_function_own[i], value, kept)) return NULL;
    }
    struct ndp_object *modules = slots == NULL ? NULL : ndp_object_lookup(slots, submodules);
    if (kept == NULL || modules == NULL) return kept;
    return keep_slot(objects, submodules, modules, kept) ? kept : NULL;
}

static enum ndp_status write_body(void *sink, const void *bytes, uint64_t size_bytes) {
    return ndp_buffer_add(sink, bytes, size_bytes);
}

static enum ndp_status write_pair(struct ndp_objects *objects, struct ndp_object *arguments, struct ndp_object *slots,
                                  struct ndp_bytes *out, struct ndp_error *error) {
    static const struct ndp_pickle_form form = {.protocol = 4};
    struct ndp_object *const items[] = {arguments, slots};
    struct ndp_object *pair = arguments == NULL || slots == NULL ? NULL : ndp_object_tuple(objects, 2, items);
    struct ndp_buffer buffer;
    if (pair == NULL) return ndp_error_set(error, NDP_NOMEM, NDP_NO_OFFSET, "code: no memory");
    ndp_buffer_init(&buffer, BODY_BYTES_MAX);
    enum ndp_status status = ndp_pickle_write(objects, pair, &form, write_body, &buffer, error);
    if (status == NDP_OK) {
        *out = (struct ndp_bytes){ndp_arena_copy(objects->arena, buffer.data, buffer.size_bytes), buffer.size_bytes};
        if (out->data == NULL) status = ndp_error_set(error, NDP_NOMEM, NDP_NO_OFFSET, "code: no memory");
    }
    ndp_buffer_clear(&buffer);
    return status;
}

/* What is made ready to be a body. */
struct readying {
    struct ndp_objects *objects;
    const struct ndp_object *function;
    struct ndp_object_list codes; /* that are met */
};

/* A ndp_object_visit. A body that held its own function would hold all that leads to it, and more of it each time that
 * it is written and read. */
static enum ndp_status find_code(void *context, struct ndp_object *object, uint32_t earlier) {
    struct readying *readying = context;
    struct ndp_object_list arguments;
    (void)earlier;
    if (object == readying->function) return NDP_LIMIT;
    if (object->kind != NDP_OBJECT_CALL || !find_arguments(object, &arguments)) return NDP_OK;
    return ndp_object_append(readying->objects, &readying->codes, object) ? NDP_OK : NDP_NOMEM;
}

/* Code inside of code gets a name that no library needs to be there for. Who else holds its arguments has them as they
 * are. */
static enum ndp_status make_ready(struct ndp_objects *objects, struct ndp_object *object) {
    struct ndp_object_list arguments;
    if (!find_arguments(object, &arguments)) return NDP_OK;
    struct ndp_object *module = ndp_object_text(objects, "types"), *name = ndp_object_text(objects, "CodeType");
    struct ndp_object *global = module == NULL || name == NULL ? NULL : ndp_object_global(objects, module, name);
    struct ndp_object *args = ndp_object_tuple(objects, arguments.count, arguments.items);
    if (global == NULL || args == NULL) return NDP_NOMEM;
    object->call->callable = global;
    object->call->args = args;
    return NDP_OK;
}

static enum ndp_status make_all_ready(struct ndp_objects *objects, const struct ndp_object *function,
                                      const struct ndp_object *code, const struct ndp_object *slots) {
    struct readying readying = {.objects = objects, .function = function};
    struct ndp_object_marks marks;
    const struct ndp_object *modules = slots == NULL ? NULL : ndp_object_lookup(slots, submodules);
    NDP_TRY(ndp_object_marks_new(objects, &marks));
    NDP_TRY(ndp_object_walk(objects, code, &marks, 1, find_code, &readying));
    if (modules != NULL) NDP_TRY(ndp_object_walk(objects, modules, &marks, 1, find_code, &readying));
    for (uint64_t i = 0; i < readying.codes.count; i++) NDP_TRY(make_ready(objects, readying.codes.items[i]));
    return NDP_OK;
}

enum ndp_status ndp_code_take(struct ndp_objects *objects, const struct ndp_object *function,
                              const struct ndp_object *object, const struct ndp_object *slots,
                              struct ndp_taken_code *out, struct ndp_error *error) {
    struct ndp_object_list arguments;
    struct ndp_taken_code taken = {.is_opaque = true};
    if (!find_arguments(object, &arguments))
        return ndp_error_set(error, NDP_UNSUPPORTED, object->offset_bytes, "code: not what a code object is made from");
    taken.is_opaque = !find_template(&arguments, &taken.code);
    const enum ndp_status status = make_all_ready(objects, function, object, slots);
    if (status != NDP_OK)
        return ndp_error_set(error, status, object->offset_bytes,
                             status == NDP_LIMIT ? "code: it leads back to its own function" : "code: no memory");
    (void)find_arguments(object, &arguments);
    NDP_TRY(write_pair(objects, ndp_object_tuple(objects, arguments.count, arguments.items), keep_slots(objects, slots),
                       &taken.body, error));
    *out = taken;
    return NDP_OK;
}

/* ---- writing ---- */

enum ndp_status ndp_code_make(struct ndp_objects *objects, struct ndp_bytes body, enum ndp_function_form library,
                              struct ndp_object **code, const struct ndp_object **slots, struct ndp_error *error) {
    struct ndp_source source = ndp_source_memory(body);
    struct ndp_pickle pickle;
    NDP_TRY(ndp_pickle_read(objects, &source, NULL, &pickle, error));
    const struct ndp_object *root = pickle.root;
    if (!ndp_object_is(root, NDP_OBJECT_TUPLE) || root->list.count != 2 ||
        root->list.items[0]->kind != NDP_OBJECT_TUPLE || root->list.items[1]->kind != NDP_OBJECT_DICT)
        return ndp_error_set(error, NDP_INVALID, NDP_NO_OFFSET, "code: not the body of a function");
    struct ndp_object *callable = library == NDP_FUNCTION_DILL ? ndp_code_library_name(objects, library, "_create_code")
                                                               : ndp_code_type(objects, library, "CodeType");
    struct ndp_object *made =
        callable == NULL ? NULL : ndp_object_call(objects, NDP_CALL_REDUCE, callable, root->list.items[0]);
    if (made == NULL) return ndp_error_set(error, NDP_NOMEM, NDP_NO_OFFSET, "code: no memory");
    *code = made;
    *slots = root->list.items[1];
    return NDP_OK;
}
