/* script_check.c: what the differences of a divergence are about, asked of an array by Python. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "model/leaf.h"
#include "report/script_parts.h"

/* Longer elements are compared with the source's instead of being written down. */
enum { MAX_SHOWN_BYTES = 1024, MOST_DIMS_OF_OLD = 32 };

/* The dict that `look` gives, and the one that it must give, piece by piece. */
struct look {
    struct ndp_script *script;
    const struct ndp_observation *promised; /* NULL when only the texts of the differences are known */
    const char *source;
    const char *asked;
    const char *expected;
    bool has_values, has_shape, has_dtype, has_place, has_claims, has_parts;
};

static void ask(struct look *look, const char *name, const char *expression, const char *expected) {
    struct ndp_script *script = look->script;
    const char *comma = look->asked[0] != '\0' ? ", " : "";
    look->asked = ndp_script_text(script, "%s%s\"%s\": %s", look->asked, comma, name, expression);
    look->expected = ndp_script_text(script, "%s%s\"%s\": %s", look->expected, comma, name, expected);
}

static const char *python_word(struct ndp_script *script, const char *text) {
    if (strcmp(text, "true") == 0) return "True";
    if (strcmp(text, "false") == 0) return "False";
    if (strcmp(text, "none") == 0) return "None";
    return ndp_script_text(script, "%s", text);
}

static const char *quoted(struct ndp_script *script, const char *text) {
    return ndp_script_string(script, ndp_bytes_view(text));
}

/* The bytes that count in an item of `dtype`; no bytes when all do. */
static struct ndp_bytes mask_of(struct ndp_script *script, const struct ndp_dtype *dtype) {
    const struct ndp_bytes none = {NULL, 0};
    uint8_t *mask = ndp_arena_alloc(script->arena, dtype->itemsize_bytes);
    if (mask == NULL) {
        script->status = NDP_NOMEM;
        return none;
    }
    ndp_leaf_mask(dtype, mask);
    for (uint64_t i = 0; i < dtype->itemsize_bytes; i++) {
        if (mask[i] == 0) return (struct ndp_bytes){mask, dtype->itemsize_bytes};
    }
    return none;
}

static const char *masked_literal(struct ndp_script *script, struct ndp_bytes elements, struct ndp_bytes mask) {
    uint8_t *copy = ndp_arena_copy(script->arena, elements.data, elements.size_bytes);
    if (copy == NULL) {
        script->status = NDP_NOMEM;
        return "";
    }
    for (uint64_t i = 0; i < elements.size_bytes && mask.size_bytes > 0; i++) copy[i] &= mask.data[i % mask.size_bytes];
    return ndp_script_bytes(script, (struct ndp_bytes){copy, elements.size_bytes});
}

static const char *from_source(struct look *look, const char *name) {
    if (look->source == NULL) ndp_script_refuse(look->script, "the elements are too many to be written down");
    return ndp_script_text(look->script, "look(%s)[\"%s\"]", look->source != NULL ? look->source : "", name);
}

/* Every leaf on its own: objects as what they are, the others as their bytes. */
static const char *leaves_of(struct ndp_script *script, const struct ndp_dtype *dtype, const char *path) {
    while (dtype->kind == NDP_KIND_SUBARRAY) dtype = dtype->base;
    if (dtype->kind != NDP_KIND_STRUCT)
        return ndp_script_text(script, "%s.%s()", path, dtype->kind == NDP_KIND_OBJECT ? "tolist" : "tobytes");
    const char *text = "";
    for (uint64_t i = 0; i < dtype->field_count; i++) {
        const struct ndp_field *field = &dtype->fields[i];
        const char *inner = ndp_script_text(script, "%s[%s]", path, ndp_script_string(script, field->name));
        text = ndp_script_text(script, "%s%s%s", text, i > 0 ? ", " : "", leaves_of(script, field->dtype, inner));
    }
    return text;
}

/* Whether some bytes of a leaf, not those between fields, do not count. */
static bool has_masked_leaf(struct ndp_script *script, const struct ndp_dtype *dtype) {
    while (dtype->kind == NDP_KIND_SUBARRAY) dtype = dtype->base;
    if (dtype->kind != NDP_KIND_STRUCT) return mask_of(script, dtype).size_bytes > 0;
    for (uint64_t i = 0; i < dtype->field_count; i++) {
        if (has_masked_leaf(script, dtype->fields[i].dtype)) return true;
    }
    return false;
}

/* Every leaf on its own in one byte order, for readers that give different ones. */
static const char *ordered_leaves_of(struct ndp_script *script, const struct ndp_dtype *dtype, const char *path) {
    while (dtype->kind == NDP_KIND_SUBARRAY) dtype = dtype->base;
    if (dtype->kind != NDP_KIND_STRUCT)
        return ndp_script_text(script, "%s.astype(%s.dtype.newbyteorder(\"<\")).tobytes()", path, path);
    const char *text = "";
    for (uint64_t i = 0; i < dtype->field_count; i++) {
        const struct ndp_field *field = &dtype->fields[i];
        const char *inner = ndp_script_text(script, "%s[%s]", path, ndp_script_string(script, field->name));
        const char *leaves = ordered_leaves_of(script, field->dtype, inner);
        text = ndp_script_text(script, "%s%s%s", text, i > 0 ? ", " : "", leaves);
    }
    return text;
}

static void ask_values(struct look *look, const struct ndp_observation *got) {
    struct ndp_script *script = look->script;
    const struct ndp_observation *right = look->promised != NULL ? look->promised : got;
    if (right == NULL || right->dtype == NULL) {
        ndp_script_refuse(script, "nothing says of what type the elements are");
        return;
    }
    if (ndp_dtype_has_object(right->dtype)) {
        ask(look, "values", ndp_script_text(script, "repr([%s])", leaves_of(script, right->dtype, "x")),
            look->promised != NULL ? from_source(look, "values") : "");
        return;
    }
    if (look->promised == NULL && !has_masked_leaf(script, right->dtype)) {
        ask(look, "values", ndp_script_text(script, "[%s]", ordered_leaves_of(script, right->dtype, "x")), "");
        return;
    }
    const char *array = "x";
    if (got != NULL && ndp_dtype_compare(right->dtype, got->dtype, NULL) != 0)
        array = ndp_script_text(script, "x.astype(%s)", ndp_script_dtype(script, right->dtype));
    /* Some versions cannot walk over more dimensions in tobytes. */
    if (right->ndim > MOST_DIMS_OF_OLD) array = ndp_script_text(script, "%s.copy(\"C\")", array);
    const char *bytes = ndp_script_text(script, "%s.tobytes()", array);
    struct ndp_bytes mask = mask_of(script, right->dtype);
    if (mask.size_bytes > 0)
        bytes = ndp_script_text(script, "bytes(map(int.__and__, %s, itertools.cycle(%s)))", bytes,
                                ndp_script_bytes(script, mask));
    bool is_short = right->elements.size_bytes <= MAX_SHOWN_BYTES || look->source == NULL;
    const char *expected = "";
    if (look->promised != NULL)
        expected = is_short ? masked_literal(script, right->elements, mask) : from_source(look, "values");
    ask(look, "values", bytes, expected);
}

static void ask_dtype(struct look *look, const char *part, const char *text) {
    struct ndp_script *script = look->script;
    bool is_aligned = strncmp(part, "aligned", 7) == 0;
    bool is_metadata = strncmp(part, "metadata", 8) == 0;
    const char *type = look->promised != NULL ? ndp_script_dtype(script, look->promised->dtype) : "";
    (void)text;
    if (!is_aligned && !is_metadata) {
        if (!look->has_dtype) ask(look, "dtype", "x.dtype", type);
        look->has_dtype = true;
        return;
    }
    if (!look->has_parts)
        ndp_script_define(script, "def parts(t, of): return [of(t), t.subdtype and parts(t.subdtype[0], of)] + "
                                  "[parts(t[n], of) for n in t.names or ()]");
    look->has_parts = true;
    const char *of = is_aligned ? "lambda t: t.isalignedstruct" : "lambda t: dict(t.metadata or {})";
    ask(look, is_aligned ? "aligned" : "metadata", ndp_script_text(script, "parts(x.dtype, %s)", of),
        ndp_script_text(script, "parts(%s, %s)", type, of));
}

static void need_place(struct look *look) {
    if (look->has_place) return;
    look->has_place = true;
    ndp_script_define(look->script,
                      "def place(x):\n"
                      "    at = x.__array_interface__[\"data\"][0]\n"
                      "    for line in map(str.split, open(\"/proc/self/maps\")):\n"
                      "        start, end = (int(n, 16) for n in line[0].split(\"-\"))\n"
                      "        if start <= at < end and x.nbytes: return at - start + int(line[2], 16) if line[4] != "
                      "\"0\" else None");
}

static void ask_backing(struct look *look, const char *part, const char *text) {
    struct ndp_script *script = look->script;
    if (strcmp(part, "class") == 0) {
        ask(look, "is a memmap", "isinstance(x, np.memmap)", python_word(script, text));
    } else if (strcmp(part, "claims") == 0) {
        ndp_script_define(script,
                          "def claims(x):\n    n = str(getattr(x, \"filename\", None) or \"none\")\n    return \"the "
                          "case's file\" if os.path.dirname(n) == os.path.realpath(home.name) else n");
        ask(look, "filename", "claims(x)", quoted(script, text));
    } else if (strcmp(part, "mapped") == 0) {
        need_place(look);
        ask(look, "lies in a file", "place(x) is not None", python_word(script, text));
    } else if (strcmp(part, "mode") == 0) {
        const char *mode = strcmp(text, "none") == 0 ? "None" : quoted(script, text);
        ask(look, "mode", "getattr(x, \"mode\", None)", mode);
    } else if (strcmp(part, "offset") == 0) {
        ask(look, "offset", "getattr(x, \"offset\", None)", python_word(script, text));
    } else if (strcmp(part, "position") == 0) {
        need_place(look);
        ask(look, "position", "place(x)", python_word(script, text));
    }
}

static void ask_shape(struct look *look) {
    if (look->has_shape) return;
    look->has_shape = true;
    const struct ndp_observation *promised = look->promised;
    ask(look, "shape", "x.shape",
        promised != NULL ? ndp_script_tuple(look->script, promised->shape, promised->ndim) : "");
}

static void ask_path(struct look *look, const char *path, const char *text) {
    struct ndp_script *script = look->script;
    const struct ndp_result *result = script->about->result;
    if (strncmp(path, "dtype.", 6) == 0) {
        ask_dtype(look, path + 6, text);
    } else if (path[0] == '[' || strcmp(path, "elements") == 0 || strcmp(path, "dtype") == 0) {
        if (!look->has_values) ask_values(look, result->has_result ? &result->result : NULL);
        look->has_values = true;
    } else if (strcmp(path, "ndim") == 0 || strncmp(path, "shape[", 6) == 0) {
        ask_shape(look);
    } else if (strcmp(path, "itemsize") == 0) {
        ask(look, path, "x.itemsize", text);
    } else if (strncmp(path, "strides[", 8) == 0 || strncmp(path, "flags.", 6) == 0) {
        ask(look, path, ndp_script_text(script, "x.%s", path), python_word(script, text));
    } else if (strcmp(path, "class") == 0) {
        ask(look, path, "type(x).__name__", quoted(script, text));
    } else if (strncmp(path, "backing.", 8) == 0) {
        ask_backing(look, path + 8, text);
    }
}

const char *ndp_script_where(struct ndp_script *script, const char *path, const char **rest) {
    size_t length = strspn(path, "abcdefghijklmnopqrstuvwxyz0123456789+-.:");
    *rest = path;
    if (path[length] != ' ' || length == 0 || path[length - 1] != ':') return "";
    *rest = path + length + 1;
    return ndp_script_text(script, "%.*s", (int)length - 1, path);
}

const char *ndp_script_look(struct ndp_script *script, const char *where, const struct ndp_observation *promised,
                            const char *source) {
    struct look look = {.script = script, .promised = promised, .source = source, .asked = "", .expected = ""};
    const struct ndp_comparison *comparison = &script->about->divergence->judgement.comparison;
    for (uint32_t i = 0; i < comparison->count; i++) {
        const char *rest;
        const char *prefix = ndp_script_where(script, comparison->list[i].path, &rest);
        if (strcmp(prefix, where) == 0) ask_path(&look, rest, comparison->list[i].expected);
    }
    ndp_script_define(script, ndp_script_text(script, "def look(x): return {%s}", look.asked));
    return ndp_script_text(script, "{%s}", look.expected);
}
