/* descriptor_check.c: checks that a descriptor can be run. */
#include "describe/fault.h"
#include "model/dict.h"
#include "model/graph/graph.h"

#include <string.h>

/* Accepts the dtypes that a descriptor can request. Observations may contain further ones, which cannot be built. */
static enum ndp_status check_dtype(const struct ndp_dtype *dtype, struct ndp_error *error) {
    NDP_TRY(ndp_dtype_check(dtype, error));
    if (!ndp_dtype_has_bare_subarray(dtype)) return NDP_OK;
    return ndp_error_set(error, NDP_INVALID, NDP_NO_OFFSET, "a sub-array needs at least one axis");
}

/* Fills *array with the layout of the value, without elements. */
static enum ndp_status check_value(struct ndp_arena *arena, const struct ndp_array_value *value,
                                   struct ndp_array *array, struct ndp_error *error) {
    if (value->base.dtype == NULL) return ndp_error_set(error, NDP_INVALID, NDP_NO_OFFSET, "the base has no dtype");
    if (value->view_count > NDP_MAX_VIEWS) {
        return ndp_error_set(error, NDP_LIMIT, NDP_NO_OFFSET, "%u views; at most %d are allowed", value->view_count,
                             NDP_MAX_VIEWS);
    }
    NDP_TRY(check_dtype(value->base.dtype, error));
    for (uint32_t i = 0; i < value->view_count; i++)
        if (value->views[i].op == NDP_VIEW_AS_DTYPE) NDP_TRY(check_dtype(value->views[i].dtype, error));
    return ndp_array_build_layout(arena, value, true, array, error);
}

/* A corpus file name is relative to the corpus and must not leave it. */
static enum ndp_status check_file(const char *file, struct ndp_error *error) {
    const char *at = file;
    bool leaves = file[0] == '/';
    while (at != NULL) {
        if (strncmp(at, "..", 2) == 0 && (at[2] == '/' || at[2] == '\0')) leaves = true;
        at = strchr(at, '/');
        if (at != NULL) at++;
    }
    if (!leaves) return NDP_OK;
    return ndp_error_set(error, NDP_INVALID, NDP_NO_OFFSET, "file name \"%s\" leads out of the corpus", file);
}

static enum ndp_status check_graph(struct ndp_arena *arena, const struct ndp_graph *graph, struct ndp_error *error) {
    NDP_TRY(ndp_graph_check(arena, graph, error));
    for (uint32_t i = 0; i < graph->count; i++)
        if (graph->nodes[i].kind == NDP_NODE_ARRAY) NDP_TRY(check_dtype(graph->nodes[i].array.base.dtype, error));
    return NDP_OK;
}

static enum ndp_status check_fault(const struct ndp_descriptor *descriptor, const struct ndp_array *array,
                                   struct ndp_error *error) {
    const struct ndp_fault *fault = &descriptor->fault;
    const char *format = descriptor->route.format[0] != '\0' ? descriptor->route.format : "npy";
    const struct ndp_fault_row *row = ndp_fault_find(fault->name, format);
    if (row == NULL)
        return ndp_error_set(error, NDP_INVALID, NDP_NO_OFFSET, "format %s has no fault \"%s\"", format, fault->name);
    if (fault->argument < row->argument_min || fault->argument > row->argument_max) {
        return ndp_error_set(error, NDP_INVALID, NDP_NO_OFFSET, "the argument of fault \"%s\" is outside %llu..%llu",
                             fault->name, (unsigned long long)row->argument_min, (unsigned long long)row->argument_max);
    }
    if (array != NULL && !ndp_fault_fits(row, array)) {
        return ndp_error_set(error, NDP_INVALID, NDP_NO_OFFSET, "the value does not meet the needs of fault \"%s\"",
                             fault->name);
    }
    return NDP_OK;
}

enum ndp_status ndp_descriptor_check(struct ndp_arena *arena, const struct ndp_descriptor *descriptor,
                                     struct ndp_error *error) {
    bool has_fault = descriptor->fault.name[0] != '\0';
    bool has_own_bytes = descriptor->bytes.size_bytes > 0 || descriptor->file[0] != '\0';
    if (descriptor->kind == NDP_CASE_DECODE && has_own_bytes) {
        NDP_TRY(check_file(descriptor->file, error));
        return has_fault ? check_fault(descriptor, NULL, error) : NDP_OK;
    }
    if (descriptor->value.kind == NDP_VALUE_DICT && descriptor->kind == NDP_CASE_ROUND_TRIP) {
        const char *fault = ndp_dict_invalid_reason(descriptor->value.dict);
        return fault == NULL ? NDP_OK : ndp_error_set(error, NDP_INVALID, NDP_NO_OFFSET, "dict: %s", fault);
    }
    struct ndp_array array;
    if (descriptor->value.kind == NDP_VALUE_GRAPH) {
        if (descriptor->kind == NDP_CASE_ROUND_TRIP) return check_graph(arena, descriptor->value.graph, error);
        return ndp_error_set(error, NDP_INVALID, NDP_NO_OFFSET, "a fault needs an array as its value");
    }
    if (descriptor->value.kind != NDP_VALUE_ARRAY)
        return ndp_error_set(error, NDP_INVALID, NDP_NO_OFFSET, "unknown kind of value");
    NDP_TRY(check_value(arena, &descriptor->value.array, &array, error));
    if (descriptor->kind == NDP_CASE_DECODE && has_fault) return check_fault(descriptor, &array, error);
    return NDP_OK;
}
