#include "oracle/companion.h"

#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <zlib.h>

#include "base/temporary.h"
#include "codec/joblib/joblib_legacy.h"
#include "form/ops.h"
#include "fuzz.h"
#include "oracle/same_array.h"
#include "reader/said.h"

enum { HEAD_BYTES = 21, FOLDERS_MAX = 4096, PATH_BYTES = 4096 };

/* A folder is taken by who has it locked: what a process that was ended has left is used again. */
static char folder_path[PATH_BYTES];
static int folder_fd = -1;

struct held {
    int fd;
    size_t bytes;
};
static struct held dump_file, companion_file;

static bool is_plain(struct ndp_bytes dump) {
    return !ndp_zfile_detect(dump) && ndp_compress_detect(dump) == NDP_COMPRESS_NONE;
}

uint64_t fuzz_dump_bytes(struct ndp_bytes input) {
    uint64_t at = 0, size = 1;
    if (!is_plain(input)) return input.size_bytes;
    while (at < input.size_bytes && size > 0) {
        const uint8_t code = input.data[at];
        size = fuzz_op_bytes((struct ndp_bytes){input.data + at, input.size_bytes - at});
        at += size;
        if (size > 0 && code == '.') return at;
    }
    return input.size_bytes;
}

static void remove_folder(void) {
    (void)unlinkat(folder_fd, FUZZ_COMPANION, 0);
    (void)unlinkat(folder_fd, "dump", 0);
    (void)rmdir(folder_path);
}

static bool make_file(const char *name, struct held *out) {
    *out = (struct held){.fd = openat(folder_fd, name, O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600)};
    return out->fd >= 0;
}

static bool take_folder(unsigned number) {
    snprintf(folder_path, sizeof folder_path, "%s/ndproof-companion-%u-%u", ndp_temporary_parent(), (unsigned)getuid(),
             number);
    (void)mkdir(folder_path, 0700);
    folder_fd = open(folder_path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder_fd < 0) return false;
    if (flock(folder_fd, LOCK_EX | LOCK_NB) == 0 && make_file(FUZZ_COMPANION, &companion_file) &&
        make_file("dump", &dump_file))
        return atexit(remove_folder) == 0;
    close(folder_fd);
    folder_fd = -1;
    return false;
}

static void put(struct held *file, struct ndp_bytes bytes) {
    const size_t size = (size_t)bytes.size_bytes;
    for (unsigned i = 0; folder_fd < 0 && i < FOLDERS_MAX; i++)
        if (take_folder(i)) break;
    if (folder_fd < 0) fuzz_cannot_work("no folder for companion files");
    FUZZ_CHECK(size == 0 || pwrite(file->fd, bytes.data, size, 0) == (ssize_t)size);
    FUZZ_CHECK(size >= file->bytes || ftruncate(file->fd, (off_t)size) == 0);
    file->bytes = size;
}

int fuzz_companion_folder(struct ndp_bytes companion) {
    put(&companion_file, companion);
    return folder_fd;
}

const char *fuzz_companion_dump(struct ndp_bytes dump) {
    static char path[PATH_BYTES + 8];
    put(&dump_file, dump);
    snprintf(path, sizeof path, "%s/dump", folder_path);
    return path;
}

/* "0x", digits, perhaps an L, spaces up to the end of the head; one more may stand before the stream. */
static bool take_head(struct ndp_bytes file, uint64_t *size_bytes, struct ndp_bytes *stream) {
    char text[HEAD_BYTES - 1] = "", *end = text;
    if (file.size_bytes < HEAD_BYTES || memcmp(file.data, "ZF0x", 4) != 0) return false;
    memcpy(text, file.data + 2, HEAD_BYTES - 2);
    const size_t digits = strspn(text + 2, "0123456789abcdef");
    if (digits == 0) return false;
    *size_bytes = strtoull(text, &end, 16);
    if (*end == 'L') end++;
    if (strspn(end, " ") != (size_t)(&text[HEAD_BYTES - 2] - end)) return false;
    const uint64_t at = file.size_bytes > HEAD_BYTES && file.data[HEAD_BYTES] == ' ' ? HEAD_BYTES + 1 : HEAD_BYTES;
    *stream = (struct ndp_bytes){file.data + at, file.size_bytes - at};
    return true;
}

/* Whether the file begins with a z-file, whose content is `*content` (static). */
static bool unpack(struct ndp_bytes file, struct ndp_bytes *content) {
    static uint8_t room[1 << 14];
    struct ndp_bytes stream;
    uint64_t size = 0;
    z_stream z = {.next_out = room, .avail_out = sizeof room};
    if (!take_head(file, &size, &stream)) return false;
    z.next_in = (z_const Bytef *)(uintptr_t)stream.data;
    z.avail_in = (uInt)stream.size_bytes;
    FUZZ_CHECK(inflateInit(&z) == Z_OK);
    const bool is_whole = inflate(&z, Z_FINISH) == Z_STREAM_END && z.total_out == size;
    (void)inflateEnd(&z);
    *content = (struct ndp_bytes){room, z.total_out};
    return is_whole;
}

bool fuzz_is_zfile(struct ndp_bytes companion) {
    struct ndp_bytes content;
    return unpack(companion, &content);
}

static bool npy_says(struct ndp_arena *arena, struct ndp_bytes companion, const struct ndp_npy_array *array) {
    const struct ndp_npy_options lenient = {.is_lenient = true};
    struct ndp_npy_array next = {0};
    const uint64_t before = fuzz_hits();
    const enum ndp_status status = ndp_npy_decode_memory(arena, companion, &lenient, &next, NULL);
    const bool is_said = status == NDP_OK && fuzz_header_says(companion, &next.header);
    fuzz_same_array("companion", NDP_OK, array, status, &next);
    return is_said && fuzz_hits() == before;
}

/* The state is (version, shape, dtype, is in Fortran order). */
static bool state_says(const struct ndp_object *state, const struct ndp_npy_array *array) {
    const struct ndp_object *const *items = (const struct ndp_object *const *)state->list.items;
    const struct ndp_layout *layout = &array->layout;
    bool is_said = state->list.count == 4 && items[1]->list.count == layout->ndim;
    for (uint32_t i = 0; is_said && i < layout->ndim; i++)
        is_said = items[1]->list.items[i]->integer == layout->shape[i];
    const bool is_fortran = is_said && ndp_object_integer(items[3]) != 0;
    return is_said && fuzz_is_contiguous(layout, array->header.dtype->itemsize_bytes, is_fortran);
}

/* Whether an array of this class has nothing but its elements. Source: NumPy 2.4, matrixlib/defmatrix.py. */
static bool is_plain_class(const struct ndp_object *class) {
    if (class == NULL) return true;
    return ndp_object_is(class, NDP_OBJECT_GLOBAL) &&
           (ndp_object_is_text(class->global.name, "ndarray") || ndp_object_is_text(class->global.name, "memmap") ||
            ndp_object_is_text(class->global.name, "matrix"));
}

/* What an array is made as: beside the name of its file, or the first of what NumPy makes it with. */
static const struct ndp_object *class_of(const struct ndp_object *said) {
    const struct ndp_object *args = ndp_object_lookup(said, "init_args");
    return ndp_object_is(args, NDP_OBJECT_TUPLE) && args->list.count > 0 ? args->list.items[0]
                                                                         : ndp_object_lookup(said, "subclass");
}

static bool is_said(struct ndp_arena *arena, const struct ndp_object *root, struct ndp_bytes companion,
                    const struct ndp_npy_array *array) {
    const struct ndp_object *said = root->raw->wrapper->call->state;
    struct ndp_bytes content;
    if (!ndp_object_is_text(ndp_object_lookup(said, "filename"), FUZZ_COMPANION)) return false;
    if (!is_plain_class(class_of(said))) return false;
    if (ndp_joblib_kind(root->raw->wrapper) == NDP_JOBLIB_FILE) return npy_says(arena, companion, array);
    return unpack(companion, &content) && content.size_bytes == array->header.size_bytes &&
           memcmp(content.data, array->data, (size_t)content.size_bytes) == 0 &&
           state_says(ndp_object_lookup(said, "state"), array);
}

static enum ndp_status status_of(struct ndp_arena *arena, struct ndp_bytes dump,
                                 const struct ndp_joblib_options *options) {
    struct ndp_npy_array array = {0};
    const enum ndp_status status = ndp_joblib_decode_memory(arena, dump, options, &array, NULL);
    ndp_npy_array_clear(&array);
    return status;
}

/* The first dump is dropped where it would stop, and then comes again. */
static struct ndp_bytes twice(struct ndp_arena *arena, struct ndp_bytes dump) {
    const size_t size = (size_t)dump.size_bytes;
    uint8_t *made = ndp_arena_alloc(arena, 2 * dump.size_bytes);
    FUZZ_CHECK(made != NULL);
    memcpy(made, dump.data, size);
    memcpy(made + size, dump.data, size);
    made[size - 1] = '0';
    return (struct ndp_bytes){made, 2 * dump.size_bytes};
}

/* So many files of so many bytes each are read within limits that they just meet, and none less. */
static void check_limits(struct ndp_arena *arena, struct ndp_bytes dump, const struct ndp_joblib_options *options,
                         uint32_t count, uint64_t size_bytes) {
    struct ndp_joblib_options few = *options;
    few.companion_bytes_max = count * size_bytes;
    few.companions_max = count;
    FUZZ_HOLDS(status_of(arena, dump, &few) == NDP_OK);
    few.companion_bytes_max--;
    FUZZ_HOLDS(few.companion_bytes_max == 0 || status_of(arena, dump, &few) == NDP_LIMIT);
    few.companion_bytes_max++;
    few.companions_max--;
    FUZZ_HOLDS(few.companions_max == 0 || status_of(arena, dump, &few) == NDP_LIMIT);
    few.has_folder = false;
    FUZZ_HOLDS(status_of(arena, dump, &few) == NDP_UNSUPPORTED);
}

void fuzz_check_companion(struct ndp_arena *arena, struct ndp_bytes dump, struct ndp_bytes companion,
                          const struct ndp_joblib_options *options, bool has_limits,
                          const struct ndp_npy_array *array) {
    struct ndp_objects objects;
    struct ndp_joblib joblib;
    uint64_t size = 0;
    ndp_objects_init(&objects, arena);
    const enum ndp_status status = ndp_joblib_read_memory(&objects, dump, options, &joblib, NULL);
    const bool is_legacy = FUZZ_HOLDS(status == NDP_OK) && ndp_object_is(joblib.root, NDP_OBJECT_RAW) &&
                           ndp_joblib_kind(joblib.root->raw->wrapper) != NDP_JOBLIB_ARRAY;
    if (is_legacy) size = joblib.root->raw->bytes.size_bytes;
    if (is_legacy) FUZZ_HOLDS(is_said(arena, joblib.root, companion, array));
    ndp_objects_clear(&objects);
    if (!is_legacy || !has_limits || joblib.companions != 1 || size == 0) return;
    check_limits(arena, dump, options, 1, size);
    /* What is packed has no STOP to be seen. */
    if (is_plain(dump) && dump.data[dump.size_bytes - 1] == '.')
        check_limits(arena, twice(arena, dump), options, 2, size);
}
