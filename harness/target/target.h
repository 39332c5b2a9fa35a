/* target.h: something under test, behind one table of operations.
 *
 * There are two kinds: a codec in this process (target/plugin.h, run by the step interpreter), and a testee, a
 * supervised process. The engine cannot tell them apart.
 */
#ifndef NDP_TARGET_H
#define NDP_TARGET_H

#include "model/graph/graph.h"
#include "target/process/protection.h"
#include "target/process/resource_snapshot.h"
#include "target/program.h"

enum { NDP_MAX_ENTRIES = 320, NDP_MAX_KINDS_TEXT = 32, NDP_MAX_LIBRARIES = 16 };

/* An entry point that a target claims. */
struct ndp_entry {
    char format[NDP_WORD_BYTES];
    char entry[NDP_WORD_BYTES];
    char buffers[NDP_WORD_BYTES];
    int32_t protocol;
    char library[NDP_WORD_BYTES]; /* the library that implements it: one of `libraries` */
    bool encodes;
    bool decodes;
    bool transports;
    bool takes_graphs;                 /* in addition to arrays, or */
    bool takes_no_arrays;              /* instead of them */
    bool takes_scalars;                /* takes only a graph that is a list of scalars */
    bool lacks_functions;              /* takes only graphs without functions */
    bool takes_instances;              /* takes graphs with instances of classes */
    char instances_of[NDP_WORD_BYTES]; /* takes only a graph whose root is an instance of this module; "" for any */
    bool takes_dicts;                  /* instead of arrays */
    bool takes_settings; /* a transport: max_nbytes and mmap_mode have an effect; an encoder: the level has */
    bool is_local;       /* only the same case in the same process can decode the encoding */
    bool is_variant;     /* another way to call another entry point: never a peer, a second format or a reader of
                          * generated faults */
    bool is_inert;       /* decoding never runs code that the bytes contain */
    uint32_t histories;  /* mask of NDP_HISTORY_BIT: the histories that it supports */
    uint32_t cost;       /* the cost of a case, in ordinary cases; 0 means 1 */
};

/* A library inside a target, with its version. Contract rows refer to libraries. */
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
    char kinds[NDP_MAX_KINDS_TEXT]; /* kind codes of model/dtype.h that it can build and observe */
    uint32_t max_ndim;
    uint64_t max_value_bytes;
    bool tells_peak;                            /* supports SIZE */
    uint32_t longdouble_alignment_bytes;        /* 0 means 16 */
    uint32_t patience;                          /* factor for deadlines; 0 means 1 */
    bool has_feedback;                          /* counts coverage into the feedback region when asked to */
    bool forks;                                 /* it forks its processes itself, if the harness wants that */
    char protection[NDP_PROTECTION_TEXT_BYTES]; /* of this machine from it; "" in this process */
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
    uint64_t orphans; /* processes that outlived their case outside the testee's family, and were ended with it */
};

/* Adds `more` to `counts`. */
void ndp_target_counts_add(struct ndp_target_counts *counts, const struct ndp_target_counts *more);

struct ndp_target;

/* Operations must be called from one thread only. */
struct ndp_target_ops {
    /* Submits a batch. Programs are borrowed until as many outcomes are collected. At most `batches_in_flight` batches
     * may be pending. Errors: GONE when the target cannot be restarted. */
    enum ndp_status (*submit)(struct ndp_target *target, const struct ndp_program *programs, uint32_t count,
                              struct ndp_error *error);
    /* Fills the outcomes of the oldest batch, in order, with memory of `arena`. A target that dies is restarted and the
     * rest of the batch continues. Errors: GONE when it cannot be restarted; NOMEM. */
    enum ndp_status (*collect)(struct ndp_target *target, struct ndp_arena *arena, struct ndp_outcome *outcomes,
                               uint32_t count, struct ndp_error *error);
    /* Counts the resources of the target. No batch may be in flight. May be NULL. Errors: GONE, UNSUPPORTED. */
    enum ndp_status (*census)(struct ndp_target *target, struct ndp_resource_snapshot *out);
    /* Replaces a running process by a fresh one. Errors: as for opening. */
    enum ndp_status (*refresh)(struct ndp_target *target, struct ndp_error *error);
    /* Ends the processes and removes temporary folders, so that a fork of this process can use the target, too; the
     * next batch or census starts them again. No batch may be in flight. NULL: there are none. */
    void (*rest)(struct ndp_target *target);
    /* Ends processes, removes temporary folders and frees the target. */
    void (*close)(struct ndp_target *target);
};

struct ndp_target {
    const struct ndp_target_ops *ops;
    struct ndp_target_info info;
    struct ndp_target_counts counts;
    void *state; /* private to the kind */
};

enum { NDP_BATCHES_IN_FLIGHT = 2, NDP_MAX_BATCH = 256 };

/* A region of counters that a testee increments while it works (harness/testees/README.md, Feedback). */
struct ndp_feedback {
    int fd;         /* shared memory; borrowed while the target is open */
    uint32_t count; /* bytes for the testee */
    bool is_exact;  /* true: every case counts all code that it reaches; false: code that many cases reached may be
                     * omitted */
};

struct ndp_target_limits {
    uint64_t case_deadline_ns; /* of one case */
    uint64_t start_deadline_ns;
    uint64_t memory_bytes;               /* of the testee and its descendants together */
    uint64_t frame_bytes;                /* of one frame */
    const struct ndp_feedback *feedback; /* borrowed while the target is open; NULL: none */
    const char *compiled;                /* folder with its compiled code, which it reads; copied; NULL: none */
    enum ndp_protection protection;      /* chosen when the target is opened */
};
extern const struct ndp_target_limits ndp_target_default_limits;

/* Starts a testee and reads its HELLO. `argv` is NULL-terminated (copied); arguments after argv[0] that name files must
 * be absolute, because a testee has a working folder of its own. `name` is the target's name in the run, `environment`
 * may be "". `limits` may be NULL for the default. The caller owns *out. Errors: GONE (did not start; the text states
 * how it ended), TIMEOUT, INVALID (bad HELLO; an unknown NDPROOF_SANDBOX), UNSUPPORTED (NDPROOF_SANDBOX does not work
 * here), IO, NOMEM. */
enum ndp_status ndp_target_open_process(const char *name, const char *environment, char *const *argv,
                                        const struct ndp_target_limits *limits, struct ndp_target **out,
                                        struct ndp_error *error) NDP_MUST_USE;

struct ndp_plugin;

/* Runs `plugin` (borrowed) in this process, without protection against its crashes. The caller owns *out. Errors:
 * INVALID (as ndp_claims_check), NOMEM. */
enum ndp_status ndp_target_open_plugin(const struct ndp_plugin *plugin, struct ndp_target **out,
                                       struct ndp_error *error) NDP_MUST_USE;

/* Ends and frees the target. NULL is allowed. */
void ndp_target_close(struct ndp_target *target);

/* The version of a library inside the target, or NULL. */
const char *ndp_target_library_version(const struct ndp_target_info *info, const char *library);

/* Whether the target lacks the library of the class. A target that takes no graphs has no classes, and a target that is
 * its own only library contains no classes of others; both lack nothing. */
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

/* NULL when the route, with its history, takes values of this kind, by the claims of both ends; otherwise the reason. A
 * route whose decode entry is "" has one end: the encoder's. */
const char *ndp_route_objection(const struct ndp_target_info *encoder, const struct ndp_target_info *decoder,
                                const struct ndp_route *route, enum ndp_value_kind kind);

static inline bool ndp_route_takes(const struct ndp_target_info *encoder, const struct ndp_target_info *decoder,
                                   const struct ndp_route *route, enum ndp_value_kind kind) {
    return ndp_route_objection(encoder, decoder, route, kind) == NULL;
}

#endif
