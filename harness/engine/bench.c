#include "engine/bench.h"

struct ndp_target *ndp_bench_find(const struct ndp_bench *bench, const char *name) {
    for (uint32_t i = 0; i < bench->count; i++)
        if (ndp_bytes_word_is(bench->targets[i]->info.name, name)) return bench->targets[i];
    return NULL;
}
