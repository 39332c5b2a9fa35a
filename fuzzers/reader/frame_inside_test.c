/* What headers say is as testees/README.md has it, byte by byte. */
#include "reader/frame_inside.h"

#include "base/suite.h"
#include "runtime/hits_fixture.h"
#include "target/protocol/wire.h"

/* END, index 258, sequence 67305985, two bytes of JSON and three behind them; and a byte more. */
static const uint8_t bytes[] = "NDP1\5\0\2\1\1\2\3\4\2\0\0\0\3\0\0\0\0\0\0\0{}abc?";

static struct ndp_frame whole(void) {
    return (struct ndp_frame){.type = (enum ndp_frame_type)5,
                              .index = 258,
                              .sequence = 67305985,
                              .json = {bytes + 24, 2},
                              .binary = {bytes + 26, 3}};
}

static void a_frame_is_what_stands_there(void **state) {
    (void)state;
    const struct ndp_bytes all = {bytes, sizeof bytes - 1};
    struct ndp_frame frame = whole();
    assert_true(fuzz_frame_says(all, &frame));
    assert_false(fuzz_frame_says((struct ndp_bytes){bytes, 28}, &frame));
    frame.index = 2;
    assert_false(fuzz_frame_says(all, &frame));
    frame = whole();
    frame.sequence++;
    assert_false(fuzz_frame_says(all, &frame));
    frame = whole();
    frame.type = (enum ndp_frame_type)4;
    assert_false(fuzz_frame_says(all, &frame));
    frame = whole();
    frame.binary = (struct ndp_bytes){bytes + 27, 3};
    assert_false(fuzz_frame_says(all, &frame));
    frame.binary.size_bytes = UINT64_MAX;
    assert_false(fuzz_frame_says(all, &frame));
}

static void what_fits_is_within_the_limit_with_its_header(void **state) {
    (void)state;
    uint8_t header[24] = {0};
    const struct ndp_bytes all = {header, sizeof header};
    assert_true(fuzz_frame_fits((struct ndp_bytes){bytes, sizeof bytes - 1}, 29));
    assert_false(fuzz_frame_fits((struct ndp_bytes){bytes, sizeof bytes - 1}, 28));
    assert_true(fuzz_frame_fits((struct ndp_bytes){bytes, 23}, 28));
    for (size_t i = 12; i < sizeof header; i++) header[i] = 0xff;
    assert_false(fuzz_frame_fits(all, UINT64_MAX));
    for (size_t i = 12; i < 16; i++) header[i] = 0;
    assert_false(fuzz_frame_fits(all, UINT64_MAX));
}

/* One that is taken for larger than it is, by what its header says, and one whose end is not there. */
static void a_limit_that_is_not_where_the_frame_ends_is_seen(void **state) {
    (void)state;
    static const uint8_t frame[] = "NDP1\4\0\2\1\1\2\3\4\2\0\0\0\3\0\0\0\0\0\0\0{}abc?";
    const uint64_t before = fuzz_hits();
    fuzz_frame_limits((struct ndp_bytes){frame, 29});
    assert_int_equal(fuzz_hits(), before);
    const int loud = be_quiet();
    fuzz_frame_limits((struct ndp_bytes){frame, 30});
    fuzz_frame_limits((struct ndp_bytes){frame, 28});
    be_loud(loud);
    assert_true(fuzz_hits() > before + 1);
}

static void the_first_byte_that_no_frame_has_is_found(void **state) {
    (void)state;
    static const struct {
        const char *bytes;
        uint64_t size_bytes, wrong_at;
    } rows[] = {{"NDP1\1\0", 6, UINT64_MAX}, {"NDP1\4\0\377", 7, UINT64_MAX},
                {"NDP", 3, UINT64_MAX},      {"", 0, UINT64_MAX},
                {"NDP2\1\0", 6, 3},          {"nDP1\1\0", 6, 0},
                {"NDP1\0\0", 6, 4},          {"NDP1\5\0", 6, 4},
                {"NDP1\1\1", 6, 5}};
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        const struct ndp_bytes all = {(const uint8_t *)rows[i].bytes, rows[i].size_bytes};
        if (fuzz_frame_wrong_at(all) != rows[i].wrong_at) fail_msg("row %zu", i);
    }
}

/* As testees/README.md has it, of a testee whose numbers none of the others has. */
static void a_hello_is_written_as_it_was_read(void **state) {
    (void)state;
    static const char json[] =
        "{\"protocol\":1,\"implementation\":\"numpy\",\"version\":\"2.4.6\",\"language\":\"CPython 3.11.2\","
        "\"endian\":\"big\",\"kinds\":\"biuf\",\"max_ndim\":31,\"max_value_bytes\":\"9223372036854775807\","
        "\"patience\":17,\"longdouble_alignment\":8,\"spares\":true,\"tells_peak\":true,"
        "\"libraries\":{\"numpy\":\"2.4.6\",\"joblib\":\"1.5.2\"},\"entries\":["
        "{\"format\":\"npy\",\"encode\":[\"file\"],\"decode\":[\"file\",\"memory\"]},"
        "{\"format\":\"joblib\",\"library\":\"joblib\",\"protocol\":5,\"cost\":7,\"encode\":[\"file\"]}]}";
    struct ndp_frame frame = {.type = NDP_FRAME_HELLO, .json = {(const uint8_t *)json, sizeof json - 1}};
    struct ndp_target_info hello;
    assert_int_equal(ndp_wire_read_hello(&frame, &hello, NULL), NDP_OK);
    const uint64_t before = fuzz_hits();
    fuzz_frame_inside(&frame);
    assert_int_equal(fuzz_hits(), before);
}

NDP_SUITE(frame_inside_test, cmocka_unit_test(a_frame_is_what_stands_there),
          cmocka_unit_test(what_fits_is_within_the_limit_with_its_header),
          cmocka_unit_test(a_limit_that_is_not_where_the_frame_ends_is_seen),
          cmocka_unit_test(the_first_byte_that_no_frame_has_is_found),
          cmocka_unit_test(a_hello_is_written_as_it_was_read));
