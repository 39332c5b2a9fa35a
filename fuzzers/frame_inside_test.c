/* What headers say is as testees/README.md has it, byte by byte. */
#include "frame_inside.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "hits_fixture.h"

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

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_frame_is_what_stands_there),
                                       cmocka_unit_test(what_fits_is_within_the_limit_with_its_header)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
