/* target.h: something under test, behind one table of operations.
 *
 * Two kinds stand behind it: a codec in this process (target/plugin.h, run by the step interpreter) and a
 * testee, a process of its own under supervision. The engine cannot tell them apart.
 */
#ifndef NDP_TARGET_H
#define NDP_TARGET_H

#include "model/graph.h"
#include "target/process/census.h"
#include "target/program.h"

enum { NDP_MAX_ENTRIES = 160, NDP_MAX_KINDS_TEXT = 32, NDP_MAX_LIBRARIES = 16 };

/* One way in or out that a target claims. */
struct ndp_entry {
    char format[NDP_WORD_BYTES];
    char entry[NDP_WORD_BYTES];
    char buffers[NDP_WORD_BYTES];
    int32_t protocol;
    char library[NDP_WORD_BYTES]; /* the library behind it: one of `libraries` */
    bool encodes;
    bool decodes;
    bool transports;
    bool takes_graphs;    /* beside arrays, or */
    bool takes_no_arrays; /* in their place */
    bool takes_dicts;     /* in place of arrays */
    bool takes_settings;  /* a transport that heeds max_nbytes and mmap_mode; an encoder, a level */
    bool is_local;        /* what it encodes can be decoded in the same case of the same process alone */
    uint32_t cost;        /* how many ordinary cases one case takes the time of; 0 is 1 */
};

/* A library inside a target, with its version: what contract rows speak of. */
struct ndp_library {
    char name[NDP_WORD_BYTES];
    char version[NDP_WORD_BYTES];
};

struct ndp_target_info {
    char name[NDP_WORD_BYTES];           /* unique in a run: "reference", "numpy", "numpy@seeds" */
    char implementation[NDP_WORD_BYTES]; /* the main library: "numpy" */
    char version[NDP_WORD_BYTES];        /* of the main library */
    char language[NDP_WORD_BYTES];       /* "C", "CPython 3.11.2" */
    char environment[NDP_WORD_BYTES];    /* name of the environment, or "" */
    bool is_little_endian;
    char kinds[NDP_MAX_KINDS_TEXT]; /* kind codes of model/dtype.h that it builds and observes */
    uint32_t max_ndim;
    uint64_t max_value_bytes;
    bool tells_peak;                     /* answers SIZE */
    uint32_t longdouble_alignment_bytes; /* 0 is 16 */
    uint32_t patience;                   /* how many times as long as elsewhere everything takes; 0 is 1 */
    bool has_feedback;                   /* says that it counts where it was asked to */
    bool takes_spares;                   /* another process of it may be started ahead and wait */
    char network[NDP_WORD_BYTES]; /* how the network is kept from it (target/process/guard.h); "" in this process */
    struct ndp_library libraries[NDP_MAX_LIBRARIES];
    uint32_t library_count;
    struct ndp_entry entries[NDP_MAX_ENTRIES];
    uint32_t entry_count;
};

struct ndp_target_counts {
    uint64_t cases;
    uint64_t restarts;
    uint64_t crashes;
    uint64_t timeouts;
    uint64_t ooms;
    uint64_t faults;
};

struct ndp_target;

/* Every operation may be called from one thread only. */
struct ndp_target_ops {
    /* Takes a batch: borrows programs until the same number of outcomes is collected. At most
     * `batches_in_flight` batches may wait. Errors: GONE when the target cannot be started again. */
    enum ndp_status (*submit)(struct ndp_target *target, const struct ndp_program *programs, uint32_t count,
                              struct ndp_error *error);
    /* Fills the outcomes of the oldest batch, in order, whatever stood there; memory from `arena`. A target that dies
     * is restarted and the rest of the batch goes on; only what cannot be started again is an error. */
    enum ndp_status (*collect)(struct ndp_target *target, struct ndp_arena *arena, struct ndp_outcome *outcomes,
                               uint32_t count, struct ndp_error *error);
    /* Counts what the target holds. No batch is in flight. May be NULL. Errors: GONE, UNSUPPORTED. */
    enum ndp_status (*census)(struct ndp_target *target, struct ndp_census *out);
    /* Throws a running process away, so that the next program meets a fresh one. */
    enum ndp_status (*refresh)(struct ndp_target *target, struct ndp_error *error);
    /* Ends processes, removes temporary folders, frees. */
    void (*close)(struct ndp_target *target);
};

struct ndp_target {
    const struct ndp_target_ops *ops;
    struct ndp_target_info info;
    struct ndp_target_counts counts;
    void *state; /* the kind's own */
};

enum { NDP_BATCHES_IN_FLIGHT = 2, NDP_MAX_BATCH = 256 };

/* A region of counters that a testee may write to while it works (harness/testees/README.md, Feedback). */
struct ndp_feedback {
    int fd;         /* of shared memory; borrowed while the target is open */
    uint32_t count; /* of bytes that are the testee's */
    bool is_exact;  /* every case counts all that it reaches; else what many have reached may be left out */
};

struct ndp_target_limits {
    uint64_t case_deadline_ns; /* of one case */
    uint64_t start_deadline_ns;
    uint64_t memory_bytes;               /* of the testee and its children together */
    uint64_t frame_bytes;                /* of one frame */
    const struct ndp_feedback *feedback; /* borrowed while the target is open; NULL is none */
};
extern const struct ndp_target_limits ndp_target_default_limits;

/* Starts a testee: `argv` is NULL-terminated (copied); arguments behind argv[0] that name files are absolute, because
 * a testee has a working folder of its own. Reads HELLO. `name` is the target's name in the run, `environment` may be
 * "". `limits` NULL is the default. Errors: GONE (did not start; text says how it ended), TIMEOUT, INVALID (HELLO),
 * IO, NOMEM. */
enum ndp_status ndp_target_open_process(const char *name, const char *environment, char *const *argv,
                                        const struct ndp_target_limits *limits, struct ndp_target **out,
                                        struct ndp_error *error) NDP_MUST_USE;

struct ndp_plugin;

/* Runs `plugin` (borrowed) in this process. Nothing protects the process from it. */
enum ndp_status ndp_target_open_plugin(const struct ndp_plugin *plugin, struct ndp_target **out,
                                       struct ndp_error *error) NDP_MUST_USE;

/* Ends and frees; NULL is nothing. */
void ndp_target_close(struct ndp_target *target);

/* The version of a library inside the target, or NULL. */
const char *ndp_target_library_version(const struct ndp_target_info *info, const char *library);

/* Whether objects of the class cannot be had there, for want of a library. A target that takes no graphs has no
 * classes, and one that is its own only library holds none of others': both lack none. */
bool ndp_target_lacks_class(const struct ndp_target_info *info, enum ndp_array_class class);

/* The two ends of a route. */
enum ndp_end { NDP_END_ENCODER, NDP_END_DECODER };

/* Whether the entry point is of the format, protocol and buffers of the route and works at this end; a transport works
 * at both. */
bool ndp_entry_is_on(const struct ndp_entry *entry, const struct ndp_route *route, enum ndp_end end);

/* The entry point that the route names at this end; NULL when the target does not claim it. Borrows `info`. */
const struct ndp_entry *ndp_entry_find(const struct ndp_target_info *info, const struct ndp_route *route,
                                       enum ndp_end end);

/* The library behind that entry point; the main library of the target when it does not claim it. */
const char *ndp_entry_library(const struct ndp_target_info *info, const struct ndp_route *route, enum ndp_end end);

/* NULL when the route takes values of this kind, by the claims of both ends; otherwise the reason. A route whose decode
 * entry is "" has one end: the encoder's. */
const char *ndp_route_objection(const struct ndp_target_info *encoder, const struct ndp_target_info *decoder,
                                const struct ndp_route *route, enum ndp_value_kind kind);

static inline bool ndp_route_takes(const struct ndp_target_info *encoder, const struct ndp_target_info *decoder,
                                   const struct ndp_route *route, enum ndp_value_kind kind) {
    return ndp_route_objection(encoder, decoder, route, kind) == NULL;
}

#endif
