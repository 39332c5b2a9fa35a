#include "codec/pickle/pickle_function.h"

const char ndp_function_module[] = "numpy_testee.graph_functions";

static const struct ndp_named_function functions[] = {
    {"const", NDP_CODE_CONST}, {"add", NDP_CODE_ADD}, {"identity", NDP_CODE_IDENTITY}, {"decorated", NDP_CODE_CALL}};

const struct ndp_named_function *ndp_function_find(const struct ndp_object *object) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(functions); i++) {
        if (ndp_object_is_global(object, ndp_function_module, functions[i].name)) return &functions[i];
    }
    return NULL;
}

const struct ndp_named_function *ndp_function_named(struct ndp_bytes name, enum ndp_code code) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(functions); i++) {
        if (functions[i].code == code && ndp_bytes_is_word(name, functions[i].name)) return &functions[i];
    }
    return NULL;
}

bool ndp_function_is_scalar(struct ndp_bytes signature) {
    for (uint64_t i = 0; i < signature.size_bytes; i++) {
        const uint8_t c = signature.data[i];
        if (c != '(' && c != ')' && c != ',' && c != '-' && c != '>') return false;
    }
    return true;
}
