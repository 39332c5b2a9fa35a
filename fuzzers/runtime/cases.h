/* cases.h: values and bytes through every target of a bench: the codecs in this process (the reference, and what
 * PLUGIN= built in) and, for a differential target, the Python testee beside them.
 *
 * Every function judges by the contract (harness/property) and files each divergence under its signature. */
#ifndef NDP_FUZZ_CASES_H
#define NDP_FUZZ_CASES_H

#include "engine/batch.h"
#include "engine/routes.h"
#include "fuzz.h"

/* The routes that a fuzz target takes, and what its mutator generates for them. */
struct fuzz_cases {
    const char *const *formats; /* NULL-terminated; NULL is every format */
    bool with_testee;           /* the Python testee at one end at least; otherwise codecs in this process alone */
    bool is_program;           /* the format runs code when it is read: a testee gets only what the reference accepts */
    const char *testee_format; /* the testee's own name for the format of fuzz_run_graph; NULL is the same name */
    bool is_light;             /* no property that needs more than one round trip */
    unsigned graphs_one_in;    /* one input in so many is made from a graph; 0 leaves it to the engine */
};

/* The struct of this target, for its mutator. Only targets that run descriptors define it; otherwise its address is
 * NULL. */
extern const struct fuzz_cases fuzz_cases __attribute__((weak));

/* Reads a descriptor (borrowed) and runs it on one of the routes that it names. A descriptor that no route can take is
 * rewritten first (runnable_case.h) and the rewritten one is filed. Returns the result, valid until the next run, or
 * NULL if nothing ran. */
const struct ndp_result *fuzz_run_descriptor(const struct fuzz_cases *cases, const uint8_t *data, size_t size);

/* Reads a descriptor, sends its value by one route, then sends the decoded value by a route of another format if there
 * is one. Both results must be equal. */
void fuzz_run_transcoding(const struct fuzz_cases *cases, const uint8_t *data, size_t size);

/* Decodes bytes of `format` in each target that claims to, by one of its entry points; memory is the most frequent one.
 * Each must accept or refuse them as the reference does and give the same array, and what a target of this process
 * accepted it must encode to bytes that it decodes to the same array. */
void fuzz_run_bytes(const struct fuzz_cases *cases, const char *format, const uint8_t *data, size_t size);

/* The same for bytes that hold objects which refer to each other: each target that takes graphs of `format` must give
 * the same graph as the reference, and encode it to bytes that it decodes to the same graph. */
void fuzz_run_graph(const struct fuzz_cases *cases, const char *format, const uint8_t *data, size_t size);

/* Sends an array by one route and back; `offset_bytes` is its place in a file without a header. */
void fuzz_run_array(const struct fuzz_cases *cases, const struct ndp_array_value *value, uint64_t offset_bytes,
                    const uint8_t *data, size_t size);

/* The bench of `cases`, opened by the first call of this process. */
struct ndp_bench *fuzz_bench(const struct fuzz_cases *cases);

#endif
