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
    enum ndp_status status = ndp_script_print(&arena, &about, &text, error);
    if (status == NDP_OK) status = write_file(path, ndp_buffer_view(&text), error);
    ndp_buffer_clear(&text);
    ndp_arena_clear(&arena);
    return status;
}
