/* sweep_fixture.h: listens to a sweep, and writes its events into two texts in their order. */
#ifndef NDP_SWEEP_FIXTURE_H
#define NDP_SWEEP_FIXTURE_H

#include "base/rng.h"
#include "engine/bench_fixture.h"
#include "engine/sweep.h"

/* A finding, as the fixture packs it; the text of its descriptor follows. */
struct packed_finding {
    char signature[NDP_SIGNATURE_BYTES];
    uint64_t first_case;
    uint32_t runs;
    uint32_t hits;
    uint32_t property; /* bit of the property */
    bool is_shown;     /* by the result */
};

struct heard {
    struct ndp_buffer cases_log; /* a line for each case */
    struct ndp_buffer log;       /* a line for each finding and each duplicate, without times */
    uint64_t sum;                /* of the hashes of the cases; does not depend on their order */
    uint64_t cases;
    uint64_t decodes;
    uint64_t divergent; /* cases */
    uint64_t comparisons;
    uint32_t found;
    uint32_t unconfirmed; /* findings without a run that confirmed them */
    uint32_t again;
    uint32_t ticks;
    uint32_t coverages;
    uint32_t judged;   /* mask of properties */
    uint32_t reported; /* mask of the properties of findings */
    char first_signature[NDP_SIGNATURE_BYTES];
    char first_text[1024];
    uint32_t dead;        /* workers */
    uint32_t lost;        /* of them, with their orders */
    char dead_words[256]; /* the last */
    volatile sig_atomic_t stop;
    uint64_t stop_after; /* cases; 0: never */
};

static inline void heard_case(void *context, const struct ndp_descriptor *descriptor, const struct ndp_result *result) {
    struct heard *heard = context;
    char route[NDP_ROUTE_TEXT_BYTES], line[512];
    ndp_descriptor_print_route(&descriptor->route, route);
    snprintf(line, sizeof line, "case %d %s %d %llu\n", (int)descriptor->kind, route, (int)result->verdict,
             (unsigned long long)result->comparisons);
    assert_int_equal(ndp_buffer_add(&heard->cases_log, line, strlen(line)), NDP_OK);
    heard->sum += ndp_hash_bytes(line, strlen(line), NDP_HASH_START);
    heard->cases++;
    heard->decodes += descriptor->kind == NDP_CASE_DECODE;
    heard->divergent += result->verdict == NDP_VERDICT_DIVERGES;
    heard->comparisons += result->comparisons;
    if (result->verdict == NDP_VERDICT_FAULT) fail_msg("FAULT: %s", result->detail);
    for (uint32_t i = 0; i < NDP_MAX_PROPERTIES; i++)
        if (result->by_property[i].is_judged) heard->judged |= 1u << i;
    if (heard->stop_after != 0 && heard->cases >= heard->stop_after) heard->stop = 1;
}

static inline enum ndp_status heard_pack(void *context, const struct ndp_finding *finding, struct ndp_buffer *out) {
    const struct ndp_divergence *divergence = finding->divergence;
    struct packed_finding packed;
    (void)context;
    memset(&packed, 0, sizeof packed);
    ndp_signature_print(&divergence->signature, packed.signature);
    packed.first_case = finding->first_case;
    packed.runs = finding->confirm_runs;
    packed.hits = finding->confirm_hits;
    packed.property = divergence->property != NULL ? ndp_property_set_of(divergence->property).bits : 0;
    packed.is_shown = ndp_result_find(finding->result, &divergence->signature) != NULL;
    NDP_TRY(ndp_buffer_add(out, &packed, sizeof packed));
    return ndp_buffer_add(out, finding->descriptor.data, finding->descriptor.size_bytes);
}

static inline void heard_finding(void *context, struct ndp_bytes bytes, uint64_t after_ns) {
    struct heard *heard = context;
    struct packed_finding packed;
    (void)after_ns;
    assert_true(bytes.size_bytes > sizeof packed);
    memcpy(&packed, bytes.data, sizeof packed);
    assert_int_equal(ndp_buffer_add(&heard->log, "finding ", strlen("finding ")), NDP_OK);
    assert_int_equal(ndp_buffer_add(&heard->log, bytes.data, bytes.size_bytes), NDP_OK);
    assert_int_equal(ndp_buffer_add(&heard->log, "\n", 1), NDP_OK);
    heard->reported |= packed.property;
    heard->unconfirmed += packed.runs == 0;
    assert_int_equal(packed.hits, packed.runs);
    assert_int_equal(packed.is_shown, packed.runs > 0);
    if (heard->found++ > 0) return;
    memcpy(heard->first_signature, packed.signature, sizeof packed.signature);
    snprintf(heard->first_text, sizeof heard->first_text, "%.*s", (int)(bytes.size_bytes - sizeof packed),
             (const char *)bytes.data + sizeof packed);
}

static inline void heard_duplicate(void *context, const struct ndp_signature *of_finding,
                                   const struct ndp_route *route) {
    struct heard *heard = context;
    char text[NDP_ROUTE_TEXT_BYTES], line[NDP_SIGNATURE_BYTES + NDP_ROUTE_TEXT_BYTES + 32];
    ndp_descriptor_print_route(route, text);
    snprintf(line, sizeof line, "duplicate %s %s\n", signature_text(of_finding), text);
    assert_int_equal(ndp_buffer_add(&heard->log, line, strlen(line)), NDP_OK);
    heard->again++;
}

static inline void heard_tick(void *context) {
    struct heard *heard = context;
    heard->ticks++;
}

static inline void heard_coverage(void *context, const struct ndp_group_coverage *coverage) {
    struct heard *heard = context;
    assert_true(coverage->group[0] != '\0');
    heard->coverages++;
}

static inline void heard_dead_worker(void *context, const struct ndp_dead_worker *worker) {
    struct heard *heard = context;
    heard->dead++;
    heard->lost += worker->is_lost;
    snprintf(heard->dead_words, sizeof heard->dead_words, "%s, %s, %s", worker->name, worker->unit, worker->ending);
}

static inline struct ndp_sweep_events heard_events(struct heard *heard) {
    return (struct ndp_sweep_events){.context = heard,
                                     .on_case = heard_case,
                                     .pack_finding = heard_pack,
                                     .on_finding = heard_finding,
                                     .on_duplicate = heard_duplicate,
                                     .on_tick = heard_tick,
                                     .on_coverage = heard_coverage,
                                     .on_dead_worker = heard_dead_worker};
}

static inline void heard_open(struct heard *heard) {
    memset(heard, 0, sizeof *heard);
    ndp_buffer_init(&heard->cases_log, 1 << 26);
    ndp_buffer_init(&heard->log, 1 << 26);
}

static inline void heard_close(struct heard *heard) {
    ndp_buffer_clear(&heard->cases_log);
    ndp_buffer_clear(&heard->log);
}

/* Declares a listener that is cleared at the end of its block. */
#define HEARD(name)                                                                                                    \
    struct heard name __attribute__((cleanup(heard_close)));                                                           \
    heard_open(&name)

static inline bool logs_are_the_same(const struct ndp_buffer *a, const struct ndp_buffer *b) {
    return a->size_bytes == b->size_bytes && memcmp(a->data, b->data, a->size_bytes) == 0;
}

/* Whether the cases came in the same order, and so did the findings with their duplicates. */
static inline bool heard_the_same(const struct heard *a, const struct heard *b) {
    return logs_are_the_same(&a->cases_log, &b->cases_log) && logs_are_the_same(&a->log, &b->log);
}

#endif
