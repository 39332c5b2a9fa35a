#include "engine/builtin.h"

#include "target/plugin.h"
#include "target/registry.h"

#include <string.h>

enum ndp_status ndp_builtin_open(struct ndp_bench *out, struct ndp_error *error) {
    struct ndp_bench bench = {0};
    uint32_t count;
    const struct ndp_plugin *const *plugins = ndp_registry_plugins(&count);
    if (count > NDP_MAX_TARGETS) return ndp_error_set(error, NDP_LIMIT, NDP_NO_OFFSET, "%u codecs are built in", count);
    for (; bench.count < count; bench.count++) {
        struct ndp_target **target = &bench.targets[bench.count];
        const enum ndp_status status = ndp_target_open_plugin(plugins[bench.count], target, error);
        if (status != NDP_OK) {
            ndp_builtin_close(&bench);
            return status;
        }
        if (strcmp(plugins[bench.count]->name, "reference") == 0) bench.oracle = *target;
    }
    *out = bench;
    return NDP_OK;
}

void ndp_builtin_close(struct ndp_bench *bench) {
    while (bench->count > 0) ndp_target_close(bench->targets[--bench->count]);
    bench->oracle = NULL;
}
