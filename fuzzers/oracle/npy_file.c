#include "oracle/npy_file.h"

#include "fuzz.h"
#include "oracle/same_array.h"

static enum ndp_status read_file(struct ndp_arena *arena, const char *path, struct ndp_npy_array *out) {
    const int fd = fuzz_fd();
    if (path) return ndp_npy_decode_file(arena, path, NULL, out, NULL);
    FUZZ_CHECK(lseek(fd, 0, SEEK_SET) == 0);
    return ndp_npy_decode_fd(arena, fd, NULL, out, NULL);
}

static enum ndp_status map_file(struct ndp_arena *arena, const char *path, enum ndp_map_mode mode,
                                struct ndp_npy_array *out) {
    return path ? ndp_npy_decode_mapped(arena, path, mode, NULL, out, NULL)
                : ndp_npy_decode_mapped_fd(arena, fuzz_fd(), mode, NULL, out, NULL);
}

/* To open a file by its path takes longest. */
void fuzz_npy_file(struct ndp_arena *arena, struct ndp_bytes bytes, uint32_t way, enum ndp_status want,
                   const struct ndp_npy_array *first) {
    struct ndp_npy_array next = {0};
    const char *file = fuzz_path(bytes.data, bytes.size_bytes);
    const char *path = way % 4 == 0 ? file : NULL;
    const enum ndp_map_mode mode = fuzz_mode_of(way / 12);
    if (way / 4 % 3 == 0)
        fuzz_same_file("file", want, first, read_file(arena, path, &next), &next);
    else
        fuzz_same_map(mode, want, first, map_file(arena, path, mode, &next), &next);
}
