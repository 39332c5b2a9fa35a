#include "cmd/fuzz_target_case.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/temporary.h"

#define MAX_TEXT_BYTES (UINT64_C(64) << 20)
#define TEXT_FORM      "descriptor"
enum { PATH_BYTES = 1024 };

bool ndp_fuzz_target_case_of_signature(const char *signature, char *name) {
    struct ndp_signature parsed;
    if (ndp_signature_parse(signature, &parsed) != NDP_OK || !parsed.is_of_fuzzer) return false;
    snprintf(name, NDP_FUZZER_NAME_BYTES, "%s", parsed.property);
    return true;
}

/* Gives the text of a descriptor (arena). */
static enum ndp_status print_descriptor(struct ndp_arena *arena, const struct ndp_descriptor *descriptor,
                                        struct ndp_bytes *out) {
    NDP_BUFFER_SCOPED(text, MAX_TEXT_BYTES);
    enum ndp_status status = ndp_descriptor_print(&text, descriptor);
    if (status == NDP_OK) {
        *out = (struct ndp_bytes){ndp_arena_copy(arena, text.data, text.size_bytes), text.size_bytes};
        if (out->data == NULL) status = NDP_NOMEM;
    }
    return status;
}

enum ndp_status ndp_fuzz_target_case_print(struct ndp_arena *arena, const char *name, struct ndp_bytes input,
                                           const struct ndp_descriptor *parsed, struct ndp_bytes *out) {
    struct ndp_descriptor bare = {.kind = NDP_CASE_DECODE, .bytes = input};
    if (parsed != NULL) return print_descriptor(arena, parsed, out);
    ndp_run_fuzz_target_form(name, bare.route.format);
    if (input.size_bytes > 0) return print_descriptor(arena, &bare, out);
    /* A decode case must have bytes, so the empty input becomes an empty descriptor. */
    *out = ndp_bytes_view("{\"ndproof\":1}");
    return NDP_OK;
}

/* Gives the input that ndp_fuzz_target_case_print() printed. */
static enum ndp_status restore_input(struct ndp_arena *arena, const char *name, const struct ndp_descriptor *descriptor,
                                     struct ndp_bytes *out) {
    char form[NDP_WORD_BYTES];
    ndp_run_fuzz_target_form(name, form);
    if (strcmp(form, TEXT_FORM) == 0 && strcmp(descriptor->route.format, TEXT_FORM) != 0)
        return print_descriptor(arena, descriptor, out);
    *out = descriptor->bytes;
    return NDP_OK;
}

static bool write_all(int fd, struct ndp_bytes bytes) {
    for (uint64_t done = 0; done < bytes.size_bytes;) {
        const ssize_t written = write(fd, bytes.data + done, (size_t)(bytes.size_bytes - done));
        if (written < 0 && errno != EINTR) return false;
        if (written > 0) done += (uint64_t)written;
    }
    return true;
}

enum ndp_status ndp_fuzz_target_case_run(struct ndp_arena *arena, const char *name,
                                         const struct ndp_descriptor *descriptor, const volatile sig_atomic_t *stop,
                                         struct ndp_fuzz_target_result *out, struct ndp_error *error) {
    char path[PATH_BYTES];
    struct ndp_bytes input;
    NDP_TRY(restore_input(arena, name, descriptor, &input));
    const int length = snprintf(path, sizeof path, "%s/%s-XXXXXX", ndp_temporary_parent(), name);
    if (length <= 0 || (size_t)length >= sizeof path)
        return ndp_error_set(error, NDP_IO, NDP_NO_OFFSET, "the path of the temporary file is too long");
    const int fd = mkstemp(path);
    if (fd < 0) return ndp_error_set(error, NDP_IO, NDP_NO_OFFSET, "cannot create %s: %s", path, strerror(errno));
    enum ndp_status status = NDP_OK;
    if (!write_all(fd, input))
        status = ndp_error_set(error, NDP_IO, NDP_NO_OFFSET, "cannot write %s: %s", path, strerror(errno));
    close(fd);
    if (status == NDP_OK) status = ndp_run_fuzz_target(arena, name, path, stop, out, error);
    unlink(path);
    return status;
}
