/* case_input.c: the input of a decode case: a file of the corpus, and the fault that corrupts the input. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "codec/fault_apply.h"
#include "engine/case.h"

/* A corpus file is read whole; larger ones are refused. */
enum { MAX_CORPUS_FILE_BYTES = 64 << 20 };

enum ndp_status ndp_case_read_file(struct ndp_batch *batch, const char *name, struct ndp_bytes *out,
                                   struct ndp_error *error) {
    char path[1024];
    int length =
        snprintf(path, sizeof path, "%s/%s", batch->bench->corpus != NULL ? batch->bench->corpus : "corpus", name);
    if (length < 0 || (size_t)length >= sizeof path)
        return ndp_error_set(error, NDP_INVALID, NDP_NO_OFFSET, "the name of the corpus file is too long");
    enum ndp_status status = NDP_OK;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat info;
    if (fd < 0 || fstat(fd, &info) != 0 || !S_ISREG(info.st_mode) || info.st_size > MAX_CORPUS_FILE_BYTES) {
        status = ndp_error_set(error, NDP_INVALID, NDP_NO_OFFSET, "cannot read the corpus file %s", path);
        goto done;
    }
    uint8_t *bytes = ndp_arena_alloc(&batch->arena, (uint64_t)info.st_size);
    if (bytes == NULL) {
        status = NDP_NOMEM;
        goto done;
    }
    uint64_t at = 0;
    while (at < (uint64_t)info.st_size) {
        ssize_t got = read(fd, bytes + at, (size_t)((uint64_t)info.st_size - at));
        if (got <= 0) {
            status = ndp_error_set(error, NDP_IO, NDP_NO_OFFSET, "the corpus file %s ends before its size", path);
            goto done;
        }
        at += (uint64_t)got;
    }
    *out = (struct ndp_bytes){bytes, at};
done:
    if (fd >= 0) close(fd);
    return status;
}

/* Faults that truncate need the sizes of an item and of the data. A corpus file has no value: an item is one byte then,
 * and the data are the whole file. */
enum ndp_status ndp_case_apply_fault(struct ndp_batch *batch, struct ndp_case *item, struct ndp_error *error) {
    uint64_t item_bytes = item->has_model ? item->model.dtype->itemsize_bytes : 1;
    uint64_t data_bytes = item->has_model ? ndp_layout_count(&item->model.layout) * item_bytes : item->bytes.size_bytes;
    NDP_BUFFER_SCOPED(corrupted, MAX_CORPUS_FILE_BYTES);
    enum ndp_status status = ndp_fault_apply(&item->descriptor.fault, item->descriptor.route.format, item->bytes,
                                             item_bytes, data_bytes, &corrupted, error);
    if (status == NDP_OK) {
        uint8_t *copy = ndp_arena_copy(&batch->arena, corrupted.data, corrupted.size_bytes);
        if (copy == NULL) {
            status = NDP_NOMEM;
        } else {
            item->bytes = (struct ndp_bytes){copy, corrupted.size_bytes};
        }
    }
    return status;
}
