/* npz_write_test.c: archives checked through libzip and through the bytes of APPNOTE.TXT 4.3.7. */
#include "base/byteorder.h"
#include "base/suite.h"
#include "codec/npz/npz_vectors.h"
#include "codec/npz/npz_write.h"

#include <zip.h>

enum { MEMBER_BYTES = 152 };
#define MEMBER_CRC UINT32_C(0x844db450)

static const struct ndp_dtype i4 = {.kind = NDP_KIND_INT, .order = NDP_ORDER_LITTLE, .itemsize_bytes = 4};
static const struct ndp_layout layout = {2, {2, 3}, {12, 4}, 0};
static const uint8_t data[24] = {0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0, 5};

/* numpy.arange(6, dtype="<i4").reshape(2, 3), whose file in npz_vectors.h has this CRC. */
static struct ndp_npz_item item_of(struct ndp_bytes key) {
    return (struct ndp_npz_item){.key = key, .elements = {&i4, &layout, data}};
}

static zip_t *open_archive(struct ndp_bytes bytes) {
    zip_error_t error;
    zip_source_t *source = zip_source_buffer_create(bytes.data, bytes.size_bytes, 0, &error);
    assert_non_null(source);
    zip_t *archive = zip_open_from_source(source, ZIP_CHECKCONS | ZIP_RDONLY, &error);
    assert_non_null(archive);
    return archive;
}

static void members_equal_those_of_numpy(void **state) {
    static const char *const keys[] = {"a", "../x", "\xc3\xa9", ""};
    static const char *const names[] = {"a.npy", "../x.npy", "\xc3\xa9.npy", ".npy"};
    for (int is_deflated = 0; is_deflated < 2; is_deflated++) {
        struct ndp_npz_item items[NDP_ARRAY_LEN(keys)];
        NDP_BUFFER_SCOPED(made, 1 << 16);
        NDP_BUFFER_SCOPED(repeated, 1 << 16);
        for (size_t i = 0; i < NDP_ARRAY_LEN(keys); i++) items[i] = item_of(ndp_bytes_view(keys[i]));
        assert_int_equal(ndp_npz_encode(items, NDP_ARRAY_LEN(keys), is_deflated, ndp_write_to_buffer, &made, NULL),
                         NDP_OK);
        assert_int_equal(ndp_npz_encode(items, NDP_ARRAY_LEN(keys), is_deflated, ndp_write_to_buffer, &repeated, NULL),
                         NDP_OK);
        assert_true(ndp_bytes_is_equal(ndp_buffer_view(&made), ndp_buffer_view(&repeated)));
        zip_t *archive = open_archive(ndp_buffer_view(&made));
        assert_int_equal(zip_get_num_entries(archive, 0), NDP_ARRAY_LEN(keys));
        for (zip_uint64_t i = 0; i < NDP_ARRAY_LEN(keys); i++) {
            zip_stat_t stat;
            uint8_t content[MEMBER_BYTES + 1];
            zip_uint8_t system = 0;
            zip_uint32_t attributes = 0;
            assert_int_equal(zip_stat_index(archive, i, 0, &stat), 0);
            assert_string_equal(stat.name, names[i]);
            assert_int_equal(stat.comp_method, is_deflated ? ZIP_CM_DEFLATE : ZIP_CM_STORE);
            assert_true(stat.crc == MEMBER_CRC);
            zip_file_t *file = zip_fopen_index(archive, i, 0);
            assert_non_null(file);
            assert_int_equal(zip_fread(file, content, sizeof(content)), MEMBER_BYTES);
            assert_int_equal(zip_fclose(file), 0);
            assert_memory_equal(content + 128, data, sizeof(data));
            assert_int_equal(zip_file_get_external_attributes(archive, i, 0, &system, &attributes), 0);
            assert_int_equal(system, ZIP_OPSYS_UNIX);
            assert_int_equal(attributes >> 16, 0600);
        }
        assert_int_equal(zip_close(archive), 0);
        /* Date as in NumPy's files; bit 11 only if the name is not ASCII. */
        assert_int_equal(ndp_load_u32le(made.data + 10), 0x00210000);
        assert_int_equal(ndp_load_u16le(made.data + 6) & 0x800, 0);
    }
}

/* A stored member equals that of NumPy's archive in name and data. */
static void a_stored_member_is_numpys(void **state) {
    struct ndp_bytes theirs = {NULL, 0};
    const struct ndp_npz_item item = item_of(ndp_bytes_view("a"));
    NDP_ARENA_SCOPED(arena, 1 << 16);
    NDP_BUFFER_SCOPED(made, 1 << 16);
    assert_string_equal(npz_vectors[0].name, "stored");
    assert_int_equal(ndp_hex_read(&arena, npz_vectors[0].hex, &theirs, NULL), NDP_OK);
    assert_int_equal(ndp_npz_encode(&item, 1, false, ndp_write_to_buffer, &made, NULL), NDP_OK);
    assert_memory_equal(made.data + 30, "a.npy", 5);
    assert_memory_equal(made.data + 35, theirs.data + 55, MEMBER_BYTES); /* NumPy's has 20 bytes for ZIP64 */
    assert_memory_equal(made.data + 10, theirs.data + 10, 8);            /* date and CRC */
}

static void keys_that_are_not_names_are_refused(void **state) {
    static uint8_t longest[65532];
    memset(longest, 'k', sizeof(longest));
    const struct {
        struct ndp_bytes key;
        enum ndp_status status;
    } rows[] = {
        {{(const uint8_t *)"a", 1}, NDP_INVALID}, /* duplicate */
        {{(const uint8_t *)"b\0c", 3}, NDP_INVALID},
        {{(const uint8_t *)"b\0", 2}, NDP_INVALID},
        {{(const uint8_t *)"\xff", 1}, NDP_INVALID},
        {{longest, 65532}, NDP_INVALID},
        {{longest, 65531}, NDP_OK},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        const struct ndp_npz_item items[] = {item_of(ndp_bytes_view("a")), item_of(rows[i].key)};
        struct ndp_error error = {0};
        NDP_BUFFER_SCOPED(made, 1 << 20);
        if (ndp_npz_encode(items, 2, false, ndp_write_to_buffer, &made, &error) != rows[i].status)
            fail_msg("row %zu: %s", i, error.text);
        assert_int_equal(made.size_bytes == 0, rows[i].status != NDP_OK);
        assert_int_equal(error.status, rows[i].status);
    }
}

static void invalid_keys_are_refused(void **state) {
    const struct ndp_dtype object = {.kind = NDP_KIND_OBJECT, .itemsize_bytes = 8};
    struct ndp_npz_item item = item_of(ndp_bytes_view("a"));
    struct ndp_buffer made;
    struct ndp_error error = {0};
    ndp_buffer_init(&made, 100);
    assert_int_equal(ndp_npz_encode(&item, 1, false, ndp_write_to_buffer, &made, &error), NDP_LIMIT);
    assert_int_equal(error.status, NDP_LIMIT);
    item.elements.dtype = &object;
    assert_int_equal(ndp_npz_encode(&item, 1, false, ndp_write_to_buffer, &made, &error), NDP_UNSUPPORTED);
    assert_int_equal(made.size_bytes, 0);
    /* APPNOTE.TXT 4.3.16: an empty archive is a single end record. */
    assert_int_equal(ndp_npz_encode(NULL, 0, false, ndp_write_to_buffer, &made, NULL), NDP_OK);
    assert_int_equal(made.size_bytes, 22);
    assert_memory_equal(made.data, "PK\5\6\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 22);
    ndp_buffer_clear(&made);
    ndp_buffer_init(&made, 21);
    assert_int_equal(ndp_npz_encode(NULL, 0, false, ndp_write_to_buffer, &made, &error), NDP_LIMIT);
    ndp_buffer_clear(&made);
}

NDP_SUITE(npz_write_test, NDP_TEST(members_equal_those_of_numpy), NDP_TEST(a_stored_member_is_numpys),
          NDP_TEST(keys_that_are_not_names_are_refused), NDP_TEST(invalid_keys_are_refused));
