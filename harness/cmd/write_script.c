#include "cmd/write_script.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define ARENA_BYTES (UINT64_C(256) << 20)
#define TEXT_BYTES  (UINT64_C(4) << 20)

static enum ndp_status write_file(const char *path, struct ndp_bytes text, struct ndp_error *error) {
    FILE *file = fopen(path, "we");
    if (file == NULL) return ndp_error_set(error, NDP_IO, NDP_NO_OFFSET, "cannot write %s: %s", path, strerror(errno));
    bool is_whole = fwrite(text.data, 1, (size_t)text.size_bytes, file) == text.size_bytes;
    if (fclose(file) != 0) is_whole = false;
    if (!is_whole) return ndp_error_set(error, NDP_IO, NDP_NO_OFFSET, "cannot write %s to its end", path);
    return NDP_OK;
}

/* The legs of a relay, each as a case of its own. */
struct legs {
    struct ndp_descriptor descriptors[2];
    struct ndp_result *first_result; /* with what the middle decoded in the place of what the decoder did */
    struct ndp_script_case cases[2];
};

/* Fills the first leg of what is told about a relay, and the second behind it: from the value on when its middle is in
 * reach of a script, else from the bytes that the middle wrote. */
static enum ndp_status fill_legs(struct ndp_arena *arena, const struct ndp_script_case *about,
                                 const struct ndp_target_info *middle, struct legs *out) {
    out->first_result = ndp_arena_copy(arena, about->result, sizeof *about->result);
    if (out->first_result == NULL) return NDP_NOMEM;
    if (about->result->relayed_from.data != NULL) out->first_result->encoded = about->result->relayed_from;
    for (uint32_t i = 0; i < 2; i++) {
        out->descriptors[i] = *about->descriptor;
        ndp_route_leg(&about->descriptor->route, i, &out->descriptors[i].route);
        out->cases[i] = *about;
        out->cases[i].descriptor = &out->descriptors[i];
    }
    out->cases[0].result = out->first_result;
    out->cases[0].decoder = middle;
    out->cases[1].encoder = middle;
    if (strcmp(middle->language, "C") != 0) out->cases[1].before = &out->cases[0];
    struct ndp_array_value held;
    const bool is_array = about->descriptor->value.kind == NDP_VALUE_ARRAY && about->result->has_relayed;
    if (is_array && ndp_array_retell(arena, &about->result->relayed, &held) == NDP_OK)
        out->descriptors[1].value.array = held;
    return NDP_OK;
}

enum ndp_status ndp_script_write(const char *path, const struct ndp_bench *bench,
                                 const struct ndp_descriptor *descriptor, const struct ndp_divergence *divergence,
                                 const struct ndp_result *result, struct ndp_error *error) {
    const struct ndp_target *decoder = ndp_bench_find(bench, descriptor->route.decoder);
    const struct ndp_target *encoder = ndp_bench_find(bench, descriptor->route.encoder);
    if (decoder == NULL) return ndp_error_set(error, NDP_INVALID, NDP_NO_OFFSET, "its route names no target");
    const struct ndp_script_case about = {.descriptor = descriptor,
                                          .divergence = divergence,
                                          .result = result,
                                          .encoder = encoder != NULL ? &encoder->info : &decoder->info,
                                          .decoder = &decoder->info};
    struct ndp_arena arena;
    ndp_arena_init(&arena, ARENA_BYTES);
    struct ndp_buffer text;
    ndp_buffer_init(&text, TEXT_BYTES);
    const struct ndp_target *middle =
        descriptor->route.is_relayed ? ndp_bench_find(bench, descriptor->route.via.target) : NULL;
    const struct ndp_script_case *told = &about;
    struct legs legs;
    enum ndp_status status = NDP_OK;
    if (middle != NULL) {
        status = fill_legs(&arena, &about, &middle->info, &legs);
        /* What the first leg breaks is told as of a route without a middle. */
        told = &legs.cases[divergence->route.is_relayed ? 1 : 0];
    }
    if (status == NDP_OK) status = ndp_script_print(&arena, told, &text, error);
    if (status == NDP_OK) status = write_file(path, ndp_buffer_view(&text), error);
    ndp_buffer_clear(&text);
    ndp_arena_clear(&arena);
    return status;
}
