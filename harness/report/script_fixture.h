/* script_fixture.h: a script in the making, for the tests of this folder. */
#ifndef NDP_SCRIPT_FIXTURE_H
#define NDP_SCRIPT_FIXTURE_H

#include <stdio.h>
#include <string.h>

#include "report/script_parts.h"

struct making {
    struct ndp_arena arena;
    struct ndp_error error;
    struct ndp_descriptor descriptor;
    struct ndp_divergence divergence;
    struct ndp_result result;
    struct ndp_target_info target;
    struct ndp_script_case about;
    struct ndp_array model;
    struct ndp_script script;
};

static inline void making_init(struct making *m) {
    memset(m, 0, sizeof *m);
    ndp_arena_init(&m->arena, 1 << 22);
    m->about = (struct ndp_script_case){&m->descriptor, &m->divergence, &m->result, &m->target, &m->target};
    m->script = (struct ndp_script){.arena = &m->arena, .about = &m->about, .indent = "", .error = &m->error};
    ndp_buffer_init(&m->script.helpers, 1 << 20);
    ndp_buffer_init(&m->script.body, 1 << 20);
}

static inline void making_clear(struct making *m) {
    ndp_buffer_clear(&m->script.helpers);
    ndp_buffer_clear(&m->script.body);
    ndp_arena_clear(&m->arena);
}

/* Reads a descriptor into the case that the script is about. */
static inline void making_read(struct making *m, const char *text) {
    struct ndp_error error = {0};
    if (ndp_descriptor_read(&m->arena, ndp_bytes_view(text), &ndp_describe_default_limits, &m->descriptor, &error) !=
        NDP_OK)
        fail_msg("%s: %s: %s", text, error.path, error.text);
}

/* What was defined, then what is done, so far. */
static inline const char *making_said(struct making *m) {
    const struct ndp_buffer *helpers = &m->script.helpers, *body = &m->script.body;
    char *text = ndp_arena_alloc(&m->arena, helpers->size_bytes + body->size_bytes + 1);
    assert_non_null(text);
    if (helpers->size_bytes > 0) memcpy(text, helpers->data, helpers->size_bytes);
    if (body->size_bytes > 0) memcpy(text + helpers->size_bytes, body->data, body->size_bytes);
    return text;
}

/* Whether it was refused, for this reason. */
static inline void expect_refused(const struct making *m, const char *why) {
    assert_int_equal(m->script.status, NDP_UNSUPPORTED);
    if (strstr(m->error.text, why) == NULL) fail_msg("%s, not: %s", m->error.text, why);
}

#endif
