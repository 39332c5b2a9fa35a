#include "reader/told_name.h"

#include <string.h>

struct fuzz_global fuzz_told_global(const struct fuzz_told *told) {
    const struct fuzz_global global = {told->bytes, told->name};
    return told->is_old ? fuzz_name_read(global) : global;
}

static bool is_word(struct ndp_bytes bytes, const char *word) {
    return bytes.data && ndp_bytes_is_equal(bytes, ndp_bytes_view(word));
}

bool fuzz_is_told_name(const struct fuzz_told *told, enum fuzz_home home, const char *name) {
    static const char *const homes[][2] = {{"cloudpickle", "cloudpickle_fast"},
                                           {"dill._dill", "dill.dill"},
                                           {"types", "types"},
                                           {"functools", "functools"},
                                           {"builtins", "builtins"}};
    if (!told || told->kind != FUZZ_TOLD_GLOBAL || !is_word(told->name, name)) return false;
    const struct ndp_bytes module = fuzz_told_global(told).module;
    for (size_t i = 0; i < 2; i++) {
        const uint64_t size = strlen(homes[home][i]);
        if (module.size_bytes < size) continue;
        const struct ndp_bytes end = {module.data + module.size_bytes - size, size};
        const bool is_whole = module.size_bytes == size;
        if (is_word(end, homes[home][i]) && (is_whole || (home <= FUZZ_DILL && end.data[-1] == '.'))) return true;
    }
    return false;
}
