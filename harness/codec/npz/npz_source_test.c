#include "base/suite.h"
#include "codec/npz/npz_source.h"

#include <errno.h>
#include <fcntl.h>

static const uint8_t digits[] = "0123456789";
enum { DIGITS = sizeof(digits) - 1 };

/* Checks libzip's queries of a source: position, size, bytes at any offset; and the recorded offset of the last
 * read. */
static void check_source(struct ndp_npz_source *source) {
    char room[DIGITS + 1] = {0};
    zip_stat_t stat;
    zip_source_t *zip = ndp_npz_source_new(source);
    assert_non_null(zip);
    assert_int_equal(zip_source_stat(zip, &stat), 0);
    assert_true((stat.valid & ZIP_STAT_SIZE) != 0);
    assert_int_equal(stat.size, DIGITS);
    assert_int_equal(zip_source_open(zip), 0);
    assert_int_equal(zip_source_read(zip, room, 3), 3);
    assert_memory_equal(room, "012", 3);
    assert_int_equal(source->last_read_bytes, 0);
    assert_int_equal(zip_source_tell(zip), 3);
    assert_int_equal(zip_source_seek(zip, -4, SEEK_END), 0);
    assert_int_equal(zip_source_read(zip, room, DIGITS), 4);
    assert_memory_equal(room, "6789", 4);
    assert_int_equal(source->last_read_bytes, 6);
    assert_int_equal(zip_source_read(zip, room, 1), 0);
    assert_int_equal(source->last_read_bytes, 6);
    assert_int_equal(zip_source_seek(zip, DIGITS + 1, SEEK_SET), -1);
    assert_int_equal(zip_error_code_zip(zip_source_error(zip)), ZIP_ER_INVAL);
    assert_int_equal(zip_source_seek(zip, -1, SEEK_SET), -1);
    assert_int_equal(zip_source_tell(zip), DIGITS);
    assert_int_equal(zip_source_close(zip), 0);
    assert_int_equal(zip_source_open(zip), 0);
    assert_int_equal(zip_source_tell(zip), 0);
    assert_int_equal(zip_source_close(zip), 0);
    zip_source_free(zip);
}

static void bytes_are_read_at_any_offset(void **state) {
    /* Exact size, so that sanitizers detect overreads. */
    uint8_t *exact = malloc(DIGITS);
    assert_non_null(exact);
    memcpy(exact, digits, DIGITS);
    struct ndp_npz_source source = {.bytes = {exact, DIGITS}, .fd = -1, .size_bytes = DIGITS};
    check_source(&source);
    free(exact);
}

static void files_are_read_at_any_offset(void **state) {
    FILE *file = tmpfile();
    assert_non_null(file);
    assert_int_equal(write(fileno(file), digits, DIGITS), DIGITS);
    struct ndp_npz_source source = {.fd = fileno(file), .size_bytes = DIGITS};
    check_source(&source);
    assert_int_equal(fclose(file), 0);
}

static void a_shrunk_file_ends_early(void **state) {
    char room[DIGITS];
    FILE *file = tmpfile();
    assert_non_null(file);
    assert_int_equal(write(fileno(file), digits, 4), 4);
    struct ndp_npz_source source = {.fd = fileno(file), .size_bytes = DIGITS};
    zip_source_t *zip = ndp_npz_source_new(&source);
    assert_non_null(zip);
    assert_int_equal(zip_source_open(zip), 0);
    assert_int_equal(zip_source_read(zip, room, DIGITS), 4);
    assert_int_equal(zip_source_tell(zip), 4);
    assert_int_equal(zip_source_read(zip, room, DIGITS), 0);
    zip_source_free(zip);
    assert_int_equal(fclose(file), 0);
}

/* An unreadable descriptor. */
static void errors_of_the_system_are_reported(void **state) {
    char byte = 0;
    const int fd = open("/dev/null", O_WRONLY);
    assert_true(fd >= 0);
    struct ndp_npz_source source = {.fd = fd, .size_bytes = DIGITS};
    zip_source_t *zip = ndp_npz_source_new(&source);
    assert_non_null(zip);
    assert_int_equal(zip_source_open(zip), 0);
    assert_int_equal(zip_source_read(zip, &byte, 1), -1);
    assert_int_equal(zip_error_code_zip(zip_source_error(zip)), ZIP_ER_READ);
    assert_int_equal(ndp_npz_status(zip_source_error(zip)), NDP_IO);
    zip_source_free(zip);
    assert_int_equal(close(fd), 0);
}

/* Source: zip.h of libzip 1.7 to 1.11, the text of each error. */
static void errors_of_libzip_have_their_status(void **state) {
    static const struct {
        int code;
        int system_code;
        enum ndp_status status;
    } rows[] = {
        {ZIP_ER_EOF, 0, NDP_TRUNCATED},
        {ZIP_ER_MEMORY, 0, NDP_NOMEM},
        {ZIP_ER_READ, 5, NDP_IO},
        {ZIP_ER_SEEK, 5, NDP_IO},
        {ZIP_ER_SEEK, EFBIG, NDP_INVALID},
        {ZIP_ER_OPEN, 2, NDP_IO},
        {ZIP_ER_WRITE, 28, NDP_IO},
        {ZIP_ER_CLOSE, 5, NDP_IO},
        {ZIP_ER_MULTIDISK, 0, NDP_UNSUPPORTED},
        {ZIP_ER_COMPNOTSUPP, 0, NDP_UNSUPPORTED},
        {ZIP_ER_ENCRNOTSUPP, 0, NDP_UNSUPPORTED},
        {ZIP_ER_NOPASSWD, 0, NDP_UNSUPPORTED},
        {ZIP_ER_ZLIB, -3, NDP_INVALID}, /* Z_DATA_ERROR */
        {ZIP_ER_ZLIB, -4, NDP_NOMEM},   /* Z_MEM_ERROR */
        {ZIP_ER_NOZIP, 0, NDP_INVALID},
        {ZIP_ER_CRC, 0, NDP_INVALID},
        {ZIP_ER_INCONS, 0, NDP_INVALID},
        {ZIP_ER_EXISTS, 0, NDP_INVALID},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        zip_error_t error;
        zip_error_init(&error);
        zip_error_set(&error, rows[i].code, rows[i].system_code);
        if (ndp_npz_status(&error) != rows[i].status) fail_msg("libzip error %d", rows[i].code);
        zip_error_fini(&error);
    }
}

NDP_SUITE(npz_source_test, NDP_TEST(bytes_are_read_at_any_offset), NDP_TEST(files_are_read_at_any_offset),
          NDP_TEST(a_shrunk_file_ends_early), NDP_TEST(errors_of_the_system_are_reported),
          NDP_TEST(errors_of_libzip_have_their_status));
