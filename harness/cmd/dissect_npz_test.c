/* dissect_npz_test.c: archives of other implementations (codec/npz/npz_vectors.h), complete and cut. */
#include "cmd/dissect_fixture.h"
#include "codec/npz/npz_vectors.h"

static const char *vector_named(const char *name) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(npz_vectors); i++)
        if (strcmp(npz_vectors[i].name, name) == 0) return npz_vectors[i].hex;
    fail_msg("no archive %s", name);
    return NULL;
}

/* Each method, and ZIP64, has the same member with the same header. The CRC is that of zipfile. Not every libzip reads
 * LZMA. */
static void members_are_listed_and_read(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(npz_vectors); i++) {
        char method[16];
        const bool is_read = strcmp(npz_vectors[i].name, "lzma") != 0;
        snprintf(method, sizeof method, " (%u), 152 ", npz_vectors[i].method);
        EXPECT_PARTS("npz", npz_vectors[i].hex, UINT64_MAX, ": 1 members\n", "member 0 'a.npy': ", method,
                     "CRC 844db450, header at byte 0, data at byte ", is_read ? "{'descr': '<i4'" : NULL, "(2, 3)",
                     "24 bytes expected, 24 bytes present\n");
    }
}

/* Without a directory, local headers lead to the data. */
static void cut_archives_are_read_from_the_start(void **state) {
    EXPECT_PARTS("npz", vector_named("stored"), 190, "no directory: 1 local headers\n", "error",
                 "member 0 'a.npy': stored (0), 152 bytes in 152, CRC 844db450, header at byte 0, data at byte 55\n",
                 "'<i4'", "24 bytes expected, 7 bytes present: 17 bytes are missing\n");
    EXPECT_PARTS("npz", vector_named("deflated"), 100, "no directory", "deflated (8), 152 bytes in 85",
                 "its content cannot be read\n");
    EXPECT_PARTS("npz", vector_named("streamed"), 100, "sizes after the data", "its content cannot be read\n");
    EXPECT_PARTS("npz", vector_named("stored"), 20, "no directory: 0 local headers\n");
}

/* The content of a member with a wrong CRC is dissected, and the error is printed. */
static void a_wrong_crc_is_an_error(void **state) {
    char hex[1024];
    snprintf(hex, sizeof hex, "%s", vector_named("stored"));
    /* The CRC in the central directory: after the signature, versions, flags, method, time and date. */
    char *directory = strstr(hex, "504b0102");
    assert_non_null(directory);
    directory[2 * 16] = directory[2 * 16] == '0' ? '1' : '0';
    EXPECT_PARTS("npz", hex, UINT64_MAX, "CRC 844db4", "'<i4'", "error", "CRC");
}

NDP_SUITE(dissect_npz_test, NDP_TEST(members_are_listed_and_read), NDP_TEST(cut_archives_are_read_from_the_start),
          NDP_TEST(a_wrong_crc_is_an_error));
