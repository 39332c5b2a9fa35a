#include "form/old_names.h"

struct row {
    const char *from_module, *from_name; /* no name: all of the module, which keep theirs */
    const char *module, *name;
};

#include "form/old_names.inc"

static struct fuzz_global find(const struct row *rows, size_t count, struct fuzz_global global) {
    for (size_t i = 0; i < count; i++) {
        const struct row *row = &rows[i];
        if (!ndp_bytes_is_word(global.module, row->from_module)) continue;
        if (row->from_name && !ndp_bytes_is_word(global.name, row->from_name)) continue;
        return (struct fuzz_global){ndp_bytes_view(row->module), row->name ? ndp_bytes_view(row->name) : global.name};
    }
    return global;
}

struct fuzz_global fuzz_name_read(struct fuzz_global global) {
    const bool is_of_dill =
        ndp_bytes_is_word(global.module, "__builtin__") && ndp_bytes_is_word(global.name, "__main__");
    return is_of_dill ? global : find(reads, NDP_ARRAY_LEN(reads), global);
}

struct fuzz_global fuzz_name_written(struct fuzz_global global) {
    return find(writes, NDP_ARRAY_LEN(writes), global);
}

struct fuzz_global fuzz_name_pick(uint64_t pick) {
    const uint64_t of = pick % (NDP_ARRAY_LEN(reads) + NDP_ARRAY_LEN(writes));
    const struct row *row = of < NDP_ARRAY_LEN(reads) ? &reads[of] : &writes[of - NDP_ARRAY_LEN(reads)];
    return (struct fuzz_global){ndp_bytes_view(row->from_module),
                                ndp_bytes_view(row->from_name ? row->from_name : "any")};
}
