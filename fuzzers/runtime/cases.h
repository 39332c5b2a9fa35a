/* cases.h: descriptors and bytes on the routes of a bench, for targets that judge whole cases: the codecs in this
 * process and, where a target asks for it, the Python testee beside them. */
#ifndef NDP_FUZZ_CASES_H
#define NDP_FUZZ_CASES_H

#include "engine/batch.h"
#include "engine/routes.h"
#include "fuzz.h"

/* Which routes a target takes, and what is drawn for them. */
struct fuzz_cases {
    const char *const *formats; /* NULL-terminated; NULL is every format */
    bool with_testee;           /* the Python testee at one end at least; else codecs in this process alone */
    bool is_light;              /* what takes more than the source and the result another target judges */
    unsigned graphs_one_in;     /* one in so many inputs is made of a graph; 0 is whatever the engine chooses */
};

/* Of this target, for its mutator. Only what runs descriptors has it: elsewhere its address is NULL. */
extern const struct fuzz_cases fuzz_cases __attribute__((weak));

/* Reads a descriptor (borrowed), runs it on one of the routes that it names, and files every divergence. One that no
 * route can take is rewritten first, as fit.h says: what is filed then is what ran. Gives the result, good until the
 * next run, or NULL when nothing ran. */
const struct ndp_result *fuzz_run_descriptor(const struct fuzz_cases *cases, const uint8_t *data, size_t size);

/* Reads a descriptor, sends its value by one route, and what arrived by another of another format where there is one:
 * what arrives then must be the same. Files every divergence. */
void fuzz_run_transcoding(const struct fuzz_cases *cases, const uint8_t *data, size_t size);

/* Decodes bytes of `format` by one of the routes into it, and files every divergence. Gives the result, good until the
 * next run, or NULL when nothing ran. */
const struct ndp_result *fuzz_run_bytes(const struct fuzz_cases *cases, const char *format, const uint8_t *data,
                                        size_t size);

#endif
