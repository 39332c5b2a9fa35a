/* script_value.c: an array value as Python: the base laid into memory, then its views by NumPy's own operations. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/byteorder.h"
#include "base/checked.h"
#include "report/script_parts.h"

/* What stands before the data of a raw file and of a map (harness/testees/README.md, format raw). */
#define FILLER "b\"\\xee\""

static const char *leaf_word(struct ndp_script *script, const struct ndp_dtype *dtype) {
    struct ndp_buffer buffer;
    ndp_buffer_init(&buffer, 256);
    enum ndp_status status = ndp_typestr_add(&buffer, dtype);
    const char *text = ndp_script_text(script, "\"%.*s\"", (int)buffer.size_bytes, (const char *)buffer.data);
    ndp_buffer_clear(&buffer);
    if (status != NDP_OK && script->status == NDP_OK) script->status = status;
    return text;
}

static const char *metadata_word(struct ndp_script *script, const struct ndp_dtype *dtype) {
    if (dtype->metadata.size_bytes == 0) return "";
    return ndp_script_text(script, ", metadata=json.loads(%s)", ndp_script_string(script, dtype->metadata));
}

static const char *structure_word(struct ndp_script *script, const struct ndp_dtype *dtype) {
    const char *names = "", *formats = "", *offsets = "", *titles = "";
    bool has_titles = false;
    for (uint64_t i = 0; i < dtype->field_count; i++) {
        const struct ndp_field *field = &dtype->fields[i];
        const char *comma = i > 0 ? ", " : "";
        names = ndp_script_text(script, "%s%s%s", names, comma, ndp_script_string(script, field->name));
        formats = ndp_script_text(script, "%s%s%s", formats, comma, ndp_script_dtype(script, field->dtype));
        offsets = ndp_script_text(script, "%s%s%" PRIu64, offsets, comma, field->offset_bytes);
        const char *title = field->has_title ? ndp_script_string(script, field->title) : "None";
        titles = ndp_script_text(script, "%s%s%s", titles, comma, title);
        has_titles |= field->has_title;
    }
    if (has_titles) titles = ndp_script_text(script, ", \"titles\": [%s]", titles);
    return ndp_script_text(
        script, "{\"names\": [%s], \"formats\": [%s], \"offsets\": [%s]%s, \"itemsize\": %" PRIu64 "}%s", names,
        formats, offsets, has_titles ? titles : "", dtype->itemsize_bytes, dtype->is_aligned ? ", align=True" : "");
}

const char *ndp_script_dtype(struct ndp_script *script, const struct ndp_dtype *dtype) {
    const char *word = NULL;
    if (dtype->kind == NDP_KIND_STRUCT) {
        word = structure_word(script, dtype);
    } else if (dtype->kind == NDP_KIND_SUBARRAY) {
        word = ndp_script_text(script, "(%s, %s)", ndp_script_dtype(script, dtype->base),
                               ndp_script_tuple(script, dtype->shape, dtype->ndim));
    } else {
        word = leaf_word(script, dtype);
    }
    return ndp_script_text(script, "np.dtype(%s%s)", word, metadata_word(script, dtype));
}

static enum ndp_status objects_as_integers(struct ndp_arena *arena, const struct ndp_dtype *dtype,
                                           const struct ndp_dtype **out);

static enum ndp_status fields_as_integers(struct ndp_arena *arena, const struct ndp_dtype *dtype,
                                          struct ndp_dtype *copy) {
    struct ndp_field *fields = ndp_arena_copy(arena, dtype->fields, dtype->field_count * sizeof *fields);
    if (fields == NULL) return NDP_NOMEM;
    for (uint64_t i = 0; i < dtype->field_count; i++) {
        NDP_TRY(objects_as_integers(arena, fields[i].dtype, &fields[i].dtype));
    }
    copy->fields = fields;
    return NDP_OK;
}

/* The same layout with an eight-byte integer in place of every object: what the data of a descriptor are. */
static enum ndp_status objects_as_integers(struct ndp_arena *arena, const struct ndp_dtype *dtype,
                                           const struct ndp_dtype **out) {
    if (!ndp_dtype_has_object(dtype)) {
        *out = dtype;
        return NDP_OK;
    }
    struct ndp_dtype *copy = ndp_arena_copy(arena, dtype, sizeof *dtype);
    if (copy == NULL) return NDP_NOMEM;
    copy->metadata = (struct ndp_bytes){NULL, 0};
    if (dtype->kind == NDP_KIND_STRUCT) NDP_TRY(fields_as_integers(arena, dtype, copy));
    if (dtype->kind == NDP_KIND_SUBARRAY) NDP_TRY(objects_as_integers(arena, dtype->base, &copy->base));
    if (dtype->kind == NDP_KIND_OBJECT) {
        copy->kind = NDP_KIND_INT;
        copy->order = NDP_ORDER_LITTLE;
    }
    *out = copy;
    return NDP_OK;
}

/* A base with what describes it as Python. */
struct base {
    const struct ndp_base *base;
    const struct ndp_dtype *dtype; /* resolved */
    const char *shape;
    const char *type;
    const char *order;
    const char *data; /* a bytes expression */
    uint64_t size_bytes;
};

static bool fill_base(struct ndp_script *script, const struct ndp_base *from, struct base *out) {
    struct ndp_arena *arena = script->arena;
    struct base base = {.base = from};
    uint64_t count_elems = 0;
    enum ndp_status status = ndp_dtype_resolve(arena, from->dtype, ndp_host_is_little_endian(), &base.dtype);
    if (status == NDP_OK &&
        !ndp_extents_fit(from->shape, from->ndim, base.dtype->itemsize_bytes, &count_elems, &base.size_bytes)) {
        status = NDP_LIMIT;
    }
    uint8_t *bytes = status == NDP_OK ? ndp_arena_alloc(arena, base.size_bytes) : NULL;
    if (status == NDP_OK && bytes == NULL) status = NDP_NOMEM;
    if (status == NDP_OK)
        status = ndp_data_fill(&from->data, base.dtype, count_elems, bytes, base.size_bytes, script->error);
    if (status != NDP_OK) {
        if (script->status == NDP_OK) script->status = status;
        return false;
    }
    bool is_zero = from->data.pattern == NDP_PATTERN_ZEROS;
    base.data = is_zero ? ndp_script_text(script, "bytes(%" PRIu64 ")", base.size_bytes)
                        : ndp_script_bytes(script, (struct ndp_bytes){bytes, base.size_bytes});
    base.shape = ndp_script_tuple(script, from->shape, from->ndim);
    base.type = ndp_script_dtype(script, base.dtype);
    base.order = from->order == NDP_MEMORY_F ? "F" : "C";
    *out = base;
    return script->status == NDP_OK;
}

static const char *map_word(struct ndp_script *script, const struct base *base, const char *name) {
    uint64_t offset_bytes = base->base->map_offset_bytes;
    const char *mode = ndp_map_mode_words[base->base->map_mode];
    const char *map = ndp_script_text(script, "np.memmap(\"%s.map\", %s, \"%s\", %" PRIu64 ", %s, \"%s\")", name,
                                      base->type, mode, offset_bytes, base->shape, base->order);
    const char *fill =
        ndp_script_text(script, "with open(\"%s.map\", \"%s\") as f: f.write(%s * %" PRIu64 " + %s)", name,
                        base->base->map_mode == NDP_MAP_WRITE ? "r+b" : "wb", FILLER, offset_bytes, base->data);
    if (base->base->map_mode != NDP_MAP_WRITE) {
        ndp_script_do(script, fill);
        return map;
    }
    ndp_script_do(script, ndp_script_text(script, "%s = %s\n%s", name, map, fill));
    return name;
}

/* Memory that starts `misalign_bytes` past a boundary of 64. */
static const char *shifted_word(struct ndp_script *script, const struct base *base) {
    ndp_script_do(script, ndp_script_text(script,
                                          "m = np.zeros(%" PRIu64 ", \"u1\"); s = -m.ctypes.data %% 64 + %u\n"
                                          "m[s:s + %" PRIu64 "] = np.frombuffer(%s, \"u1\"); m.flags.writeable = %s",
                                          base->size_bytes + 128, (unsigned)base->base->misalign_bytes,
                                          base->size_bytes, base->data, base->base->is_readonly ? "False" : "True"));
    return ndp_script_text(script, "np.ndarray(%s, %s, m, s, None, \"%s\")", base->shape, base->type, base->order);
}

/* Assignments of every leaf on its own: a cast of whole structures changes some of the other leaves. */
static const char *leaf_assignments(struct ndp_script *script, const struct ndp_dtype *dtype, const char *name,
                                    const char *path) {
    while (dtype->kind == NDP_KIND_SUBARRAY) dtype = dtype->base;
    if (dtype->kind != NDP_KIND_STRUCT) return ndp_script_text(script, "; %s%s[...] = t%s", name, path, path);
    const char *text = "";
    for (uint64_t i = 0; i < dtype->field_count; i++) {
        const struct ndp_field *field = &dtype->fields[i];
        const char *inner = ndp_script_text(script, "%s[%s]", path, ndp_script_string(script, field->name));
        text = ndp_script_text(script, "%s%s", text, leaf_assignments(script, field->dtype, name, inner));
    }
    return text;
}

static const char *objects_word(struct ndp_script *script, const struct base *base, const char *name) {
    const struct ndp_dtype *twin = NULL;
    enum ndp_status status = objects_as_integers(script->arena, base->dtype, &twin);
    if (status != NDP_OK) {
        script->status = status;
        return "";
    }
    if (base->base->misalign_bytes > 0) ndp_script_refuse(script, "objects in memory that is not aligned");
    const char *shape = base->shape;
    ndp_script_do(script, ndp_script_text(script, "t = np.ndarray(%s, %s, %s, 0, None, \"%s\")", shape,
                                          ndp_script_dtype(script, twin), base->data, base->order));
    ndp_script_do(script, ndp_script_text(script, "%s = np.zeros(%s, %s, \"%s\")%s", name, shape, base->type,
                                          base->order, leaf_assignments(script, base->dtype, name, "")));
    if (base->base->is_readonly) ndp_script_do(script, ndp_script_text(script, "%s.flags.writeable = False", name));
    return name;
}

static const char *base_word(struct ndp_script *script, const struct ndp_base *from, const char *name) {
    struct base base;
    if (!fill_base(script, from, &base)) return "";
    if (from->has_map) return map_word(script, &base, name);
    if (ndp_dtype_has_object(base.dtype)) return objects_word(script, &base, name);
    if (from->misalign_bytes > 0) return shifted_word(script, &base);
    /* zeros() makes items of one byte of those that have none. */
    if (from->data.pattern == NDP_PATTERN_ZEROS && !from->is_readonly && base.dtype->itemsize_bytes > 0 &&
        base.dtype->kind != NDP_KIND_SUBARRAY)
        return ndp_script_text(script, "np.zeros(%s, %s, \"%s\")", base.shape, base.type, base.order);
    return ndp_script_text(script, "np.ndarray(%s, %s, %s%s%s, 0, None, \"%s\")", base.shape, base.type,
                           from->is_readonly ? "" : "bytearray(", base.data, from->is_readonly ? "" : ")", base.order);
}

static const char *slices_word(struct ndp_script *script, const struct ndp_view *view) {
    const char *text = "";
    for (uint32_t i = 0; i < view->ndim; i++) {
        const struct ndp_slice *slice = &view->slices[i];
        int64_t stop = slice->count == 0 ? slice->start : slice->start + slice->step * slice->count;
        const char *end = stop < 0 ? "" : ndp_script_text(script, "%" PRId64, stop);
        const char *step = slice->step == 1 ? "" : ndp_script_text(script, ":%" PRId64, slice->step);
        text = ndp_script_text(script, "%s%" PRId64 ":%s%s, ", text, slice->start, end, step);
    }
    return ndp_script_text(script, "[%s...]", text);
}

/* A window on memory. as_strided cannot move element 0, so that one with an offset is told by address. */
static const char *strided_word(struct ndp_script *script, const struct ndp_view *view, const char *expression,
                                const char *name) {
    const char *shape = ndp_script_tuple(script, view->shape, view->ndim);
    const char *strides = ndp_script_tuple(script, view->strides_bytes, view->ndim);
    const char *tail = ndp_script_text(script, "%s, %s, subok=True)", shape, strides);
    if (view->offset_bytes == 0)
        return ndp_script_text(script, "np.lib.stride_tricks.as_strided(%s, %s", expression, tail);
    ndp_script_do(
        script,
        ndp_script_text(script,
                        "%s = %s; w = type(\"W\", (), {\"base\": %s})()\n"
                        "w.__array_interface__ = {\"version\": 3, \"shape\": %s.shape, \"strides\": %s.strides, "
                        "\"typestr\": \"|V%%d\" %% %s.itemsize, \"data\": (%s.__array_interface__[\"data\"][0] + "
                        "%" PRId64 ", not %s.flags.writeable)}\n"
                        "t = np.asarray(w).view(%s.dtype).view(type(%s)); t.__array_finalize__(%s)",
                        name, expression, name, name, name, name, name, view->offset_bytes, name, name, name, name));
    return ndp_script_text(script, "np.lib.stride_tricks.as_strided(t, %s", tail);
}

static const char *view_word(struct ndp_script *script, const struct ndp_view *view, const char *expression,
                             const char *name) {
    switch (view->op) {
    case NDP_VIEW_RESHAPE:
        return ndp_script_text(script, "%s.reshape(%s, order=\"%s\")", expression,
                               ndp_script_tuple(script, view->shape, view->ndim),
                               view->order == NDP_MEMORY_F ? "F" : "C");
    case NDP_VIEW_TRANSPOSE: {
        const char *axes = "";
        for (uint32_t i = 0; i < view->ndim; i++)
            axes = ndp_script_text(script, "%s%s%u", axes, i > 0 ? ", " : "", (unsigned)view->axes[i]);
        return ndp_script_text(script, "%s.transpose([%s])", expression, axes);
    }
    case NDP_VIEW_SLICE:
        return ndp_script_text(script, "%s%s", expression, slices_word(script, view));
    case NDP_VIEW_NEWAXIS:
        return ndp_script_text(script, "%s[(slice(None),) * %u + (None, ...)]", expression, (unsigned)view->axis);
    case NDP_VIEW_BROADCAST:
        return ndp_script_text(script, "np.broadcast_to(%s, %s, subok=True)", expression,
                               ndp_script_tuple(script, view->shape, view->ndim));
    case NDP_VIEW_FIELD:
        return ndp_script_text(script, "%s[%s]", expression, ndp_script_string(script, view->name));
    case NDP_VIEW_AS_DTYPE: {
        const struct ndp_dtype *dtype = view->dtype;
        enum ndp_status status = ndp_dtype_resolve(script->arena, dtype, ndp_host_is_little_endian(), &dtype);
        if (status != NDP_OK && script->status == NDP_OK) script->status = status;
        return ndp_script_text(script, "%s.view(%s)", expression, ndp_script_dtype(script, dtype));
    }
    case NDP_VIEW_REAL:
        return ndp_script_text(script, "%s.real", expression);
    case NDP_VIEW_IMAG:
        return ndp_script_text(script, "%s.imag", expression);
    case NDP_VIEW_STRIDED:
        return strided_word(script, view, expression, name);
    case NDP_VIEW_COUNT:
        break;
    }
    return expression;
}

const char *ndp_script_views(struct ndp_script *script, const struct ndp_array_value *value, const char *expression,
                             const char *name) {
    enum { WIDE = 160 };
    for (uint32_t i = 0; i < value->view_count; i++) {
        if (strlen(expression) > WIDE) {
            ndp_script_do(script, ndp_script_text(script, "%s = %s", name, expression));
            expression = name;
        }
        expression = view_word(script, &value->views[i], expression, name);
    }
    return expression;
}

const char *ndp_script_plain(struct ndp_script *script, const struct ndp_array_value *value, const char *name) {
    return ndp_script_views(script, value, base_word(script, &value->base, name), name);
}

void ndp_script_build(struct ndp_script *script, const struct ndp_array_value *value, const char *name) {
    const char *expression = ndp_script_plain(script, value, name);
    const char *class =
        ndp_script_text(script, "%.*s", (int)value->class_name.size_bytes, (const char *)value->class_name.data);
    if (class[0] != '\0' && strcmp(class, "ndarray") != 0 && strcmp(class, "memmap") != 0)
        expression = ndp_script_text(script, "%s.view(np.%s)", expression, class);
    if (strcmp(expression, name) != 0) ndp_script_do(script, ndp_script_text(script, "%s = %s", name, expression));
    if (value->is_readonly) ndp_script_do(script, ndp_script_text(script, "%s.flags.writeable = False", name));
}
