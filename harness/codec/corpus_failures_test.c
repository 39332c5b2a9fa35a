/* corpus_failures_test.c: decodes every file of the corpus with every decoder of its format, and encodes the result
 * with every encoder, while each call that can fail fails once: memory, system calls, streams, full buffers. The status
 * must match the failure. Interrupted and partial reads and writes must not change the result.
 *
 * The linker's --wrap replaces the functions below by wrappers, for calls from our own code.
 */
#include "base/suite.h"
#include <errno.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "codec/corpus_forms.h"
#include "codec/pickle/pickle_output.h"

enum {
    ARENA_BYTES = 1 << 28,
    EACH_MAX = 120, /* each of the first calls fails once; later calls are sampled */
    SHARE = 6,      /* each value is encoded in one of this many forms, in rotation */
    TRIED_MAX = 4,  /* at most this many forms */
};

enum fault {
    NO_FAULT,
    FAILS,       /* memory or a system resource is exhausted */
    INTERRUPTED, /* a signal interrupts read or write before it transfers data */
    PARTIAL,     /* read or write transfers one byte */
    FAULT_COUNT
};

static struct {
    enum fault fault;
    uint64_t calls_left; /* countdown to the failing call, which is 1; 0 disables it */
    enum ndp_status status;
} armed;

static bool fails_now(enum ndp_status status) {
    if (armed.fault != FAILS || armed.calls_left == 0 || --armed.calls_left > 0) return false;
    armed.status = status;
    errno = status == NDP_NOMEM ? ENOMEM : EIO;
    return true;
}

static bool stream_breaks(void) {
    return fails_now(NDP_IO);
}

#define WRAP(type, name, parameters, arguments, status, failure)                                                       \
    type __real_##name parameters;                                                                                     \
    type __wrap_##name parameters;                                                                                     \
    type __wrap_##name parameters {                                                                                    \
        return fails_now(status) ? (failure) : __real_##name arguments;                                                \
    }

WRAP(void *, malloc, (size_t size), (size), NDP_NOMEM, NULL)
WRAP(void *, calloc, (size_t count, size_t size), (count, size), NDP_NOMEM, NULL)
WRAP(void *, realloc, (void *old, size_t size), (old, size), NDP_NOMEM, NULL)
WRAP(char *, strdup, (const char *text), (text), NDP_NOMEM, NULL)
WRAP(char *, strndup, (const char *text, size_t size), (text, size), NDP_NOMEM, NULL)
WRAP(void *, ndp_arena_alloc, (struct ndp_arena * arena, uint64_t size), (arena, size), NDP_NOMEM, NULL)
WRAP(void *, ndp_arena_alloc_items, (struct ndp_arena * arena, uint64_t count, uint64_t size), (arena, count, size),
     NDP_NOMEM, NULL)
WRAP(void *, ndp_arena_copy, (struct ndp_arena * arena, const void *from, uint64_t size), (arena, from, size),
     NDP_NOMEM, NULL)
WRAP(enum ndp_status, ndp_buffer_add, (struct ndp_buffer * buffer, const void *bytes, uint64_t size),
     (buffer, bytes, size), NDP_NOMEM, NDP_NOMEM)
WRAP(enum ndp_status, ndp_buffer_extend, (struct ndp_buffer * buffer, uint64_t size, uint8_t **room),
     (buffer, size, room), NDP_NOMEM, NDP_NOMEM)
/* Variadic calls cannot be forwarded unchanged. */
enum ndp_status __wrap_ndp_buffer_printf(struct ndp_buffer *buffer, const char *format, ...) NDP_PRINTF(2, 3);
enum ndp_status __wrap_ndp_buffer_printf(struct ndp_buffer *buffer, const char *format, ...) {
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    assert_true(length >= 0 && (size_t)length < sizeof text);
    return __wrap_ndp_buffer_add(buffer, text, (uint64_t)length);
}
WRAP(enum ndp_status, ndp_pickle_output_add, (struct ndp_pickle_output * output, const void *bytes, uint64_t size),
     (output, bytes, size), NDP_NOMEM, NDP_NOMEM)
WRAP(enum ndp_status, ndp_pickle_output_add_byte, (struct ndp_pickle_output * output, uint8_t byte), (output, byte),
     NDP_NOMEM, NDP_NOMEM)
WRAP(int, fstat, (int fd, struct stat *out), (fd, out), NDP_IO, -1)
WRAP(off_t, lseek, (int fd, off_t offset, int whence), (fd, offset, whence), NDP_IO, -1)
WRAP(int, ftruncate, (int fd, off_t size), (fd, size), NDP_IO, -1)
WRAP(void *, mmap, (void *at, size_t size, int protection, int flags, int fd, off_t offset),
     (at, size, protection, flags, fd, offset), NDP_IO, MAP_FAILED)

int __real_fcntl(int fd, int command, ...);
int __wrap_fcntl(int fd, int command, ...);
int __wrap_fcntl(int fd, int command, ...) {
    return fails_now(NDP_IO) ? -1 : __real_fcntl(fd, command, 3);
}

int __real_openat(int folder, const char *path, int flags, ...);
int __wrap_openat(int folder, const char *path, int flags, ...);
int __wrap_openat(int folder, const char *path, int flags, ...) {
    return fails_now(NDP_IO) ? -1 : __real_openat(folder, path, flags, 0600);
}

int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...) {
    return fails_now(NDP_IO) ? -1 : __real_open(path, flags, 0600);
}

/* Returns how much of `size` a call transfers, or -1. */
static ssize_t part_of(size_t size) {
    if (fails_now(NDP_IO)) return -1;
    if (armed.fault == PARTIAL && size > 1) return 1;
    if (armed.fault != INTERRUPTED || (armed.calls_left = !armed.calls_left) == 0) return (ssize_t)size;
    errno = EINTR;
    return -1;
}

#define WRAP_PARTS(name, buffer, parameters, arguments)                                                                \
    ssize_t __real_##name parameters;                                                                                  \
    ssize_t __wrap_##name parameters;                                                                                  \
    ssize_t __wrap_##name parameters {                                                                                 \
        const ssize_t part = part_of(size);                                                                            \
        if (part < 0) return -1;                                                                                       \
        size = (size_t)part;                                                                                           \
        return __real_##name arguments;                                                                                \
    }
WRAP_PARTS(read, void *, (int fd, void *to, size_t size), (fd, to, size))
WRAP_PARTS(write, const void *, (int fd, const void *from, size_t size), (fd, from, size))
WRAP_PARTS(pread, void *, (int fd, void *to, size_t size, off_t at), (fd, to, size, at))

/* A decoder, or an encoder with its input, that runs with each call failing. */
struct trial {
    const char *path;
    struct ndp_bytes bytes;
    const struct entry_point *entry;
    const struct form *form;
    const struct subject *subject;
    uint32_t k;
    bool is_back; /* also decodes the encoded form; the failures are in the decoder */
};

static enum ndp_status decode_once(const struct trial *trial, enum fault fault, uint64_t call) {
    struct run run = {.path = trial->path, .bytes = trial->bytes, .is_broken = stream_breaks};
    ndp_arena_init(&run.arena, ARENA_BYTES);
    armed.fault = fault;
    armed.calls_left = call;
    const enum ndp_status status = trial->entry->decode(&run);
    armed.fault = NO_FAULT;
    ndp_arena_clear(&run.arena);
    return status;
}

static enum ndp_status encode_once(const struct trial *trial, enum fault fault, uint64_t call) {
    struct made made;
    NDP_ARENA_SCOPED(arena, ARENA_BYTES);
    made_init(&made);
    armed.fault = trial->is_back ? NO_FAULT : fault;
    armed.calls_left = call;
    enum ndp_status status = trial->form->make(&arena, trial->subject, trial->k, &made, NULL);
    armed.fault = fault;
    if (trial->is_back && status == NDP_OK) status = trial->form->again(&arena, trial->subject, &made, NULL);
    armed.fault = NO_FAULT;
    made_clear(&made);
    return status;
}

static enum ndp_status run_once(const struct trial *trial, enum fault fault, uint64_t call) {
    return trial->entry != NULL ? decode_once(trial, fault, call) : encode_once(trial, fault, call);
}

static void fail_trial(const struct trial *trial, enum fault fault, uint64_t call, enum ndp_status status) {
    fail_msg("%s, %s %u: %s after the failure of call %llu, expected %s (fault %d)", trial->path,
             trial->entry != NULL ? trial->entry->name : trial->form->name, trial->k, ndp_status_name(status),
             (unsigned long long)call, ndp_status_name(armed.status), (int)fault);
}

/* Checks that each failure is reported or did not matter. */
static void fail_each_call(const struct trial *trial) {
    const enum ndp_status whole = run_once(trial, NO_FAULT, 0);
    for (enum fault fault = INTERRUPTED; fault < FAULT_COUNT; fault++) {
        const enum ndp_status status = run_once(trial, fault, 0);
        if (status != whole) fail_trial(trial, fault, 0, status);
    }
    for (uint64_t call = 1;; call += 1 + call / EACH_MAX * 97) {
        armed.status = NDP_OK;
        const enum ndp_status status = run_once(trial, FAILS, call);
        if (armed.status == NDP_OK) return;
        if (status != armed.status && status != whole) fail_trial(trial, FAILS, call, status);
    }
}

static void encode_failing(void *context, const struct subject *subject) {
    static uint32_t turn;
    const struct trial *from = context;
    for (size_t i = 0; i < NDP_ARRAY_LEN(forms); i++) {
        if (!form_takes(&forms[i], subject)) continue;
        const uint32_t count = forms[i].count;
        const uint32_t step = count > SHARE * TRIED_MAX ? count / TRIED_MAX : SHARE;
        for (uint32_t k = turn++ % (count < step ? 1 : step); k < count; k += step) {
            struct trial trial = {.path = from->path, .form = &forms[i], .subject = subject, .k = k};
            fail_each_call(&trial);
            trial.is_back = true;
            if (count <= 2) fail_each_call(&trial);
        }
    }
}

static void fail_file(const struct entry_point *entry, const char *path, struct ndp_bytes bytes) {
    uint8_t *exact = malloc(bytes.size_bytes == 0 ? 1 : (size_t)bytes.size_bytes);
    assert_non_null(exact);
    if (bytes.size_bytes > 0) memcpy(exact, bytes.data, (size_t)bytes.size_bytes);
    struct trial trial = {.path = path, .bytes = {exact, bytes.size_bytes}, .entry = entry};
    fail_each_call(&trial);
    struct run run = {.path = path, .bytes = trial.bytes, .use = encode_failing, .context = &trial};
    ndp_arena_init(&run.arena, ARENA_BYTES);
    if (bytes.size_bytes <= NDP_CORPUS_FILE_BYTES / 16 && entry->same == NULL) (void)entry->decode(&run);
    ndp_arena_clear(&run.arena);
    free(exact);
}

static void every_failing_call_is_reported(void **state) {
    const int descriptor = dup(STDERR_FILENO);
    const uint32_t accepted = each_file("accept", fail_file);
    if (accepted == 0) skip();
    assert_true(accepted > 200);
    assert_true(each_file("refuse", fail_file) > 200);
    assert_true(each_file("open", fail_file) > 50);
    /* Every descriptor that was opened is closed. */
    const int next = dup(STDERR_FILENO);
    assert_int_equal(next, descriptor + 1);
    assert_int_equal(close(next) | close(descriptor), 0);
}

NDP_SUITE(corpus_failures_test, NDP_TEST(every_failing_call_is_reported));
