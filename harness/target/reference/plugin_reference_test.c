/* plugin_reference_test.c: the reference as a plugin, through the table of operations. */
#include "base/bytes.h"
#include "base/suite.h"
#include "codec/compress/compress.h"
#include "target/plugin.h"
#include "target/reference/reference_array.h"

#include <dirent.h>
#include <sys/stat.h>

extern const struct ndp_plugin ndp_plugin_reference;

static const int64_t shape[] = {2, 3};
static const int64_t strides[] = {4, 8}; /* F order */
static const uint8_t data[24] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24};

static struct ndp_plugin_array sample(uint64_t position) {
    return (struct ndp_plugin_array){.dtype_json = "\">u4\"",
                                     .itemsize_bytes = 4,
                                     .ndim = 2,
                                     .shape = shape,
                                     .strides_bytes = strides,
                                     .data = data,
                                     .is_writeable = true,
                                     .file_position_bytes = position};
}

static bool append(void *sink, const void *bytes, size_t size_bytes) {
    return ndp_buffer_add(sink, bytes, size_bytes) == NDP_OK;
}

static bool append_nothing(void *sink, const void *bytes, size_t size_bytes) {
    (void)sink;
    (void)bytes;
    (void)size_bytes;
    return false;
}

static void write_file(const char *path, struct ndp_bytes bytes) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes.data, 1, bytes.size_bytes, file), bytes.size_bytes);
    assert_int_equal(fclose(file), 0);
}

/* The expected array for every entry point, mapped or not. */
static void check_decoded(const struct ndp_plugin_entry *entry, const struct ndp_plugin_array *out, uint64_t position,
                          bool is_packed) {
    const bool is_map = strncmp(entry->entry, "mmap:", 5) == 0 && !is_packed;
    assert_non_null(out->dtype);
    assert_int_equal(out->dtype->kind, NDP_KIND_UINT);
    assert_int_equal(out->dtype->order, NDP_ORDER_BIG);
    assert_int_equal(out->dtype->itemsize_bytes, 4);
    assert_int_equal(out->ndim, 2);
    assert_int_equal(out->shape[0], 2);
    assert_int_equal(out->strides_bytes[0], 4);
    assert_int_equal(out->strides_bytes[1], 8);
    assert_memory_equal(out->data, data, sizeof(data));
    assert_int_equal(out->is_mapped, is_map);
    assert_int_equal(out->is_writeable, !is_map || strcmp(entry->entry, "mmap:r") != 0);
    /* joblib aligns elements to 16 bytes; the length of the pickle before them is not specified. */
    if (is_map && strncmp(entry->format, "joblib", 6) == 0)
        assert_int_equal(out->file_position_bytes % 16, 0);
    else if (is_map)
        assert_int_equal(out->file_position_bytes, position);
}

/* Sizes that the formats determine. NPZ: local header, directory entry, the name twice, end record. */
static void check_size(const struct ndp_plugin_entry *entry, uint64_t size_bytes) {
    if (strcmp(entry->format, "npy") == 0) assert_int_equal(size_bytes, 128 + 24);
    if (strcmp(entry->format, "raw") == 0) assert_int_equal(size_bytes, 4097 + 24);
    if (strcmp(entry->format, "npz") == 0 && strcmp(entry->entry, "compressed") != 0)
        assert_int_equal(size_bytes, 128 + 24 + 30 + 46 + 2 * 5 + 22);
}

/* Each encoder's output is decoded by every decoder. */
static void every_entry_agrees_with_every_other(void **state) {
    char path[] = "/tmp/ndproof-test-XXXXXX";
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(close(fd), 0);
    for (const struct ndp_plugin_entry *out_by = ndp_reference_array_entries; out_by->format != NULL; out_by++) {
        const bool is_raw = strcmp(out_by->format, "raw") == 0;
        /* joblib.load: mmap_mode has no effect on compressed files. */
        const bool is_packed = ndp_compress_find(out_by->entry) != NDP_COMPRESS_NONE;
        const struct ndp_plugin_array array = sample(is_raw ? 4097 : 0);
        struct ndp_plugin_refusal refusal = {.reason = ""};
        if (!out_by->encodes) continue;
        NDP_BUFFER_SCOPED(bytes, 1 << 16);
        assert_int_equal(ndp_plugin_reference.encode(out_by, &array, append, &bytes, &refusal), NDP_PLUGIN_DONE);
        check_size(out_by, bytes.size_bytes);
        write_file(path, ndp_buffer_view(&bytes));
        for (const struct ndp_plugin_entry *in_by = ndp_reference_array_entries; in_by->format != NULL; in_by++) {
            const bool takes_bytes = ndp_plugin_reference.takes_bytes(in_by);
            if (!in_by->decodes || strcmp(in_by->format, out_by->format) != 0) continue;
            for (int by_file = takes_bytes ? 0 : 1; by_file < 2; by_file++) {
                struct ndp_plugin_array out = {.ndim = 0};
                void *token = NULL;
                assert_int_equal(ndp_plugin_reference.decode(in_by, bytes.data, (size_t)bytes.size_bytes,
                                                             by_file ? path : NULL, is_raw ? &array : NULL, &out,
                                                             &token, &refusal),
                                 NDP_PLUGIN_DONE);
                check_decoded(in_by, &out, is_raw ? 4097 : 128, is_packed);
                assert_int_equal(ndp_plugin_reference.flush(&out, token, &refusal), NDP_PLUGIN_DONE);
                ndp_plugin_reference.release(&out, token);
            }
        }
    }
    assert_int_equal(unlink(path), 0);
}

/* PEP 574: the elements are out of band; the pickle states whether the array is writeable. */
static void buffers_are_out_of_band(void **state) {
    const struct ndp_plugin_entry entry = {"pickle:5:out-of-band", "c", true, true};
    for (int is_writeable = 0; is_writeable < 2; is_writeable++) {
        struct ndp_plugin_array array = sample(0), out = {.ndim = 0};
        struct ndp_plugin_refusal refusal = {.reason = ""};
        void *token = NULL;
        array.is_writeable = is_writeable;
        NDP_BUFFER_SCOPED(bytes, 1 << 16);
        NDP_BUFFER_SCOPED(beside, 1 << 16);
        assert_int_equal(ndp_plugin_reference.encode_apart(&entry, &array, append, &bytes, append, &beside, &refusal),
                         NDP_PLUGIN_DONE);
        const struct ndp_plugin_buffer buffer = {beside.data, (size_t)beside.size_bytes};
        assert_int_equal(beside.size_bytes, 24);
        assert_int_equal(ndp_plugin_reference.decode_apart(&entry, bytes.data, (size_t)bytes.size_bytes, &buffer, 1,
                                                           &out, &token, &refusal),
                         NDP_PLUGIN_DONE);
        assert_int_equal(out.is_writeable, is_writeable);
        assert_memory_equal(out.data, beside.data, 24);
        ndp_plugin_reference.release(&out, token);
        assert_int_equal(ndp_plugin_reference.decode_apart(&entry, bytes.data, (size_t)bytes.size_bytes, NULL, 0, &out,
                                                           &token, &refusal),
                         NDP_PLUGIN_REFUSED);
        const struct ndp_plugin_buffer two[] = {buffer, buffer}, cut = {beside.data, 23};
        assert_int_equal(ndp_plugin_reference.decode_apart(&entry, bytes.data, (size_t)bytes.size_bytes, two, 2, &out,
                                                           &token, &refusal),
                         NDP_PLUGIN_REFUSED);
        assert_int_equal(ndp_plugin_reference.decode_apart(&entry, bytes.data, (size_t)bytes.size_bytes, &cut, 1, &out,
                                                           &token, &refusal),
                         NDP_PLUGIN_REFUSED);
    }
}

static void refusals_have_a_known_reason(void **state) {
    static const struct {
        const char *bytes;
        size_t size_bytes;
        enum ndp_plugin_result result;
        const char *reason;
    } rows[] = {
        {"", 0, NDP_PLUGIN_REFUSED, "truncated"},
        {"\x93NUMPY\1", 7, NDP_PLUGIN_REFUSED, "truncated"},
        {"\x93NUMPX\1\0\0\0", 10, NDP_PLUGIN_REFUSED, "value"},
        {"\x93NUMPY\1\0\0\0", 10, NDP_PLUGIN_REFUSED, "value"},
        {"\x93NUMPY\2\0\xff\xff\xff\xff", 12, NDP_PLUGIN_REFUSED, "limit"},
        {"\x93NUMPY\1\0\71\0{'descr': '=i2', 'fortran_order': False, 'shape': (0,), }", 10 + 57, NDP_PLUGIN_UNSUPPORTED,
         "unsupported"},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_plugin_array out = {.ndim = 0};
        struct ndp_plugin_refusal refusal = {.reason = ""};
        void *token = NULL;
        assert_int_equal(ndp_plugin_reference.decode(ndp_reference_array_entries, rows[i].bytes, rows[i].size_bytes,
                                                     NULL, NULL, &out, &token, &refusal),
                         rows[i].result);
        assert_string_equal(refusal.reason, rows[i].reason);
        assert_true(refusal.message[0] != '\0');
        assert_null(token);
    }
}

static uint32_t files_in(const char *folder) {
    DIR *list = opendir(folder);
    uint32_t count = 0;
    assert_non_null(list);
    while (readdir(list) != NULL) count++;
    assert_int_equal(closedir(list), 0);
    return count - 2;
}

static void an_encoder_that_fails_leaves_no_file(void **state) {
    char folder[] = "/tmp/ndproof-test-XXXXXX";
    const char *before = getenv("TMPDIR");
    char *kept = before == NULL ? NULL : strdup(before);
    assert_non_null(mkdtemp(folder));
    assert_int_equal(setenv("TMPDIR", folder, 1), 0);
    for (const struct ndp_plugin_entry *entry = ndp_reference_array_entries; entry->format != NULL; entry++) {
        struct ndp_plugin_refusal refusal = {.reason = ""};
        struct ndp_plugin_array array = sample(0);
        if (!entry->encodes) continue;
        assert_int_equal(ndp_plugin_reference.encode(entry, &array, append_nothing, NULL, &refusal),
                         NDP_PLUGIN_REFUSED);
        assert_string_equal(refusal.reason, "limit");
        array.dtype_json = "{\"fields\":[{\"name\":\"a\",\"offset\":0,\"dtype\":\"<i4\"},{\"name\":\"b\",\"offset\":0,"
                           "\"dtype\":\"<i4\"}],\"itemsize\":4}";
        NDP_BUFFER_SCOPED(bytes, 1 << 12);
        assert_int_equal(ndp_plugin_reference.encode(entry, &array, append, &bytes, &refusal),
                         strncmp(entry->format, "np", 2) == 0 ? NDP_PLUGIN_REFUSED : NDP_PLUGIN_DONE);
        array.dtype_json = "nonsense";
        assert_int_equal(ndp_plugin_reference.encode(entry, &array, append_nothing, NULL, &refusal),
                         NDP_PLUGIN_REFUSED);
        assert_string_equal(refusal.reason, "value");
    }
    assert_int_equal(files_in(folder), 0);
    assert_int_equal(setenv("TMPDIR", kept == NULL ? "/tmp" : kept, 1), 0);
    free(kept);
    assert_int_equal(rmdir(folder), 0);
}

NDP_SUITE(plugin_reference_test, NDP_TEST(every_entry_agrees_with_every_other), NDP_TEST(buffers_are_out_of_band),
          NDP_TEST(refusals_have_a_known_reason), NDP_TEST(an_encoder_that_fails_leaves_no_file));
