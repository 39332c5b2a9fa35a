#include "codec/pickle/pickle_class.h"
#include "model/graph/array_class.h"

#include <string.h>

const char ndp_pattern_module[] = "numpy_testee.graph_classes";
const char ndp_pattern_rebuild[] = "rebuild";

/* The first row of a class is the name that NumPy 2 writes; a different name of NumPy 1 is marked. */
static const struct {
    enum ndp_array_class class;
    const char *module;
    const char *name;
    bool is_numpy_1;
} names[] = {
    {NDP_CLASS_NDARRAY, "numpy", "ndarray", false},
    {NDP_CLASS_MEMMAP, "numpy", "memmap", false},
    {NDP_CLASS_MEMMAP, "numpy.core.memmap", "memmap", false},
    {NDP_CLASS_MATRIX, "numpy", "matrix", false},
    {NDP_CLASS_MATRIX, "numpy.matrixlib.defmatrix", "matrix", false},
    {NDP_CLASS_MATRIX, "numpy.core.defmatrix", "matrix", false},
    {NDP_CLASS_RECARRAY, "numpy.rec", "recarray", false},
    {NDP_CLASS_RECARRAY, "numpy", "recarray", true},
    {NDP_CLASS_RECARRAY, "numpy.core.records", "recarray", false},
    {NDP_CLASS_MASKED, "numpy.ma", "MaskedArray", false},
    {NDP_CLASS_MASKED, "numpy.ma.core", "MaskedArray", true},
};

static const struct {
    enum ndp_pickled_attributes attributes;
    bool sets_promised;
} patterns[NDP_CLASS_COUNT] = {
    [NDP_CLASS_FINALIZE_GETATTR] = {NDP_PICKLED_NONE, true}, [NDP_CLASS_REDUCE_SETSTATE] = {NDP_PICKLED_LAST, true},
    [NDP_CLASS_REDUCE_PAIR] = {NDP_PICKLED_PAIR, true},      [NDP_CLASS_REDUCE_ONLY] = {NDP_PICKLED_REBUILD, true},
    [NDP_CLASS_REDUCE_EX] = {NDP_PICKLED_REBUILD, true},
};

static bool is_pattern(enum ndp_array_class class) {
    return class >= NDP_CLASS_PLAIN && class <= NDP_CLASS_PROXY;
}

bool ndp_pickle_class_find(const struct ndp_object *global, enum ndp_array_class *out) {
    if (global == NULL) {
        *out = NDP_CLASS_NDARRAY;
        return true;
    }
    for (size_t i = 0; i < NDP_ARRAY_LEN(names); i++) {
        if (!ndp_object_is_global(global, names[i].module, names[i].name)) continue;
        *out = names[i].class;
        return true;
    }
    for (uint32_t class = 0; class < NDP_CLASS_COUNT; class ++) {
        const enum ndp_array_class pattern = (enum ndp_array_class) class;
        if (!is_pattern(pattern) || !ndp_object_is_global(global, ndp_pattern_module, ndp_class_word(pattern)))
            continue;
        *out = pattern;
        return true;
    }
    return false;
}

bool ndp_pickle_class_names(enum ndp_array_class class, bool is_numpy_1, const char **module, const char **name) {
    if (is_pattern(class)) {
        *module = ndp_pattern_module;
        *name = ndp_class_word(class);
        return true;
    }
    bool is_found = false;
    for (size_t i = 0; i < NDP_ARRAY_LEN(names); i++) {
        if (names[i].class != class || (is_found && !(is_numpy_1 && names[i].is_numpy_1))) continue;
        is_found = true;
        *module = names[i].module;
        *name = names[i].name;
    }
    return is_found;
}

enum ndp_pickled_attributes ndp_pickle_class_attributes(enum ndp_array_class class) {
    return patterns[class].attributes;
}

bool ndp_pickle_class_sets_promised(enum ndp_array_class class) {
    return patterns[class].sets_promised;
}
