/* dissect_npy_test.c: headers of NumPy, and broken ones. Expected: NEP 1, and numpy.dtype for offsets and sizes. */
#include "cmd/dissect_fixture.h"

/* Gives the digits of an NPY file of version 1 with this header text and `data_bytes` zeros. */
static const char *file_with(const char *header, uint32_t data_bytes) {
    static char hex[8192];
    const size_t length = strlen(header) + 1;
    int at = snprintf(hex, sizeof hex, "934e554d50590100%02x%02x", (unsigned)length & 255, (unsigned)length >> 8);
    for (const char *c = header; *c != '\0'; c++)
        at += snprintf(hex + at, sizeof hex - (size_t)at, "%02x", (unsigned char)*c);
    at += snprintf(hex + at, sizeof hex - (size_t)at, "0a");
    for (uint32_t i = 0; i < data_bytes; i++) at += snprintf(hex + at, sizeof hex - (size_t)at, "00");
    return hex;
}

static void parts_have_offsets(void **state) {
    char *text =
        dissect_hex("npy", file_with("{'descr': '>f4', 'fortran_order': True, 'shape': (2, 1), } ", 8), UINT64_MAX);
    assert_string_equal(text,
                        "78 bytes, read as npy\n"
                        "  byte 0       magic          93 4e 55 4d 50 59\n"
                        "  byte 6       version        1.0\n"
                        "  byte 8       header length  60\n"
                        "  byte 10      header text    {'descr': '>f4', 'fortran_order': True, 'shape': (2, 1), }\n"
                        "  byte 68      header padding 2 bytes, the last one a newline\n"
                        "  byte 20      descr          '>f4'\n"
                        "    dtype >f4, 4 bytes per item\n"
                        "  byte 44      fortran_order  True\n"
                        "  byte 59      shape          (2, 1)\n"
                        "  byte 70      data           8 bytes expected, 8 bytes present\n");
    free(text);
}

/* numpy.dtype([(("T", "a"), "<i2"), ("", "|V2"), ("b", [("x", "|u1", (2, 2))])]): b at 4, 4 bytes */
static void fields_have_offsets_titles_and_shapes(void **state) {
    EXPECT_PARTS("npy",
                 file_with("{'descr': [(('T', 'a'), '<i2'), ('', '|V2'), ('b', [('x', '|u1', (2, 2))]), ('', '|V3')], "
                           "'fortran_order': False, 'shape': (), }",
                           11),
                 UINT64_MAX, "dtype structure, 11 bytes per item\n      offset size   type\n",
                 "      0      2      <i2 name 'a' title 'T'\n", "      2      2      padding\n",
                 "      4      4      structure name 'b'\n", "        0      4      |u1 (2, 2) name 'x'\n",
                 "      8      3      padding\n", "11 bytes expected, 11 bytes present\n");
}

/* The first error has its place, and everything before it is printed. */
static void broken_files_are_read_as_far_as_possible(void **state) {
    const char *good = "{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }";
    EXPECT_PARTS("npy", "934e55", UINT64_MAX, "magic          93 4e 55\n", "error at byte 3 (input ends too early)");
    EXPECT_PARTS("npy", "934e584d50590100", UINT64_MAX, "93 4e 58 4d 50 59\n", "version        1.0\n",
                 "error at byte 2 (malformed input): the magic of NPY is missing\n");
    EXPECT_PARTS("npy", "934e554d505909007600", UINT64_MAX, "version        9.0\n",
                 "error at byte 6 (malformed input)");
    EXPECT_PARTS("npy", file_with(good, 24), 40, "header length  58\n", "header text    {'descr': '<f8', 'fortran_orde",
                 "error at byte 40 (input ends too early)");
    EXPECT_PARTS("npy", file_with(good, 20), UINT64_MAX, "24 bytes expected, 20 bytes present: 4 bytes are missing\n");
    EXPECT_PARTS("npy", file_with(good, 29), UINT64_MAX,
                 "24 bytes expected, 29 bytes present: 5 bytes follow the array\n");
    EXPECT_PARTS("npy", file_with("{'descr': '<q9', 'fortran_order': False, 'shape': (3,), }", 24), UINT64_MAX,
                 "descr          '<q9'\n", "shape          (3,)\n", "data           24 bytes present\n",
                 "error at byte 20 (malformed input)");
    EXPECT_PARTS("npy", file_with("{'descr': '<f8', 'shape': (-3,), 'more': 1, }", 24), UINT64_MAX,
                 "shape          (-3,)\n", "another key    1\n", "error at byte");
    EXPECT_PARTS("npy", file_with("{'descr': '<f8', ", 24), UINT64_MAX, "header text    {'descr': '<f8',\n",
                 "error at byte");
    /* A form that NumPy reads but never writes. */
    EXPECT_PARTS("npy", file_with("{'descr': 'f8', 'fortran_order': False, 'shape': (3,), }", 24), UINT64_MAX,
                 "dtype <f8", "24 bytes expected, 24 bytes present\n", "error at byte 20 (valid but not supported)");
}

static void headers_of_any_length_are_shown_in_part(void **state) {
    char header[3000];
    snprintf(header, sizeof header, "{'descr': '<f8', 'fortran_order': False, 'shape': (%*s3,), }", 2000, "");
    EXPECT_PARTS("npy", file_with(header, 24), UINT64_MAX, "... (2057 bytes)\n",
                 "24 bytes expected, 24 bytes present\n");
}

/* Objects are a pickle behind the header: NONE, STOP. */
static void objects_are_listed_as_a_pickle(void **state) {
    char hex[1024];
    snprintf(hex, sizeof hex, "%s4e2e", file_with("{'descr': '|O', 'fortran_order': False, 'shape': (1,), }", 0));
    EXPECT_PARTS("npy", hex, UINT64_MAX, "data           2 bytes present\n", "the elements are objects, in a pickle:\n",
                 "67  NONE\n", "68  STOP\n");
}

NDP_SUITE(dissect_npy_test, NDP_TEST(parts_have_offsets), NDP_TEST(fields_have_offsets_titles_and_shapes),
          NDP_TEST(broken_files_are_read_as_far_as_possible), NDP_TEST(headers_of_any_length_are_shown_in_part),
          NDP_TEST(objects_are_listed_as_a_pickle));
