/* bench.h: the targets of a run. */
#ifndef NDP_BENCH_H
#define NDP_BENCH_H

#include "engine/withheld.h"
#include "target/target.h"

enum { NDP_MAX_TARGETS = 16 };

/* All borrowed. */
struct ndp_bench {
    struct ndp_target *targets[NDP_MAX_TARGETS];
    uint32_t count;
    struct ndp_target *oracle; /* the reference in this process, for decode cases; NULL: none */
    const char *corpus;        /* the folder of files that descriptors name; NULL: "corpus" */
    bool without_peaks;        /* never measure the peak memory of decoding */
    bool reads_once; /* what the reference reads from memory is also the expected result, without reading it again */
    struct ndp_withheld
        *withheld;          /* decoders that may run code get no given bytes, and are noted here; NULL: all run */
    uint32_t without_slots; /* mask of 1 << enum ndp_slot: slots that are never filled */
};

/* The target of that name, or NULL. */
struct ndp_target *ndp_bench_find(const struct ndp_bench *bench, const char *name);

#endif
