#include "base/suite.h"
#include "target/process/crash_frame.h"

/* Reports printed by AddressSanitizer (gcc 12), by CPython 3.11's faulthandler and by others. */
static const struct {
    const char *printed;
    const char *frame;
} cases[] = {
    {"", ""},
    {"leaving early\n", ""},
    {"==1==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602\n"
     "READ of size 8 at 0x602 thread T0\n"
     "    #0 0x7f1 in __interceptor_memcpy ../san.cpp:827\n"
     "    #1 0x55d in decode_rows codec.c:12:3\n"
     "    #2 0x55e in main codec.c:40\n",
     "decode_rows"},
    {"    #0 0x7f1 in __asan_memcpy\n    #1 0x7f2 in abort\n", ""},
    {"Fatal Python error: Segmentation fault\n\nCurrent thread 0x00007f (most recent call first):\n"
     "  File \"/usr/lib/python3/dist-packages/numpy/lib/format.py\", line 831 in read_array\n"
     "  File \"/x/harness/testees/python/numpy_testee/formats.py\", line 9 in decode\n",
     "read_array"},
    {"  File \"/x/harness/testees/python/numpy_testee/formats.py\", line 9 in decode\n"
     "  File \"/usr/lib/python3.11/pickle.py\", line 3 in load\n",
     "load"},
    {"  File \"/x/y.py\", line", ""},
    {"    #1 0x55d in last_line_without_an_end", "last_line_without_an_end"},
};

static void finds_the_first_frame_of_the_library(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(cases); i++) {
        char frame[96] = "old";
        ndp_crash_frame(ndp_bytes_view(cases[i].printed), frame, sizeof frame);
        assert_string_equal(frame, cases[i].frame);
    }
}

static void ignores_binary_output(void **state) {
    uint8_t bytes[2000];
    char frame[8];
    memset(bytes, 'x', sizeof bytes);
    memcpy(bytes, "    #1 0x55d in ", 16);
    bytes[1200] = 0;
    bytes[1300] = 0xff;
    ndp_crash_frame((struct ndp_bytes){bytes, sizeof bytes}, frame, sizeof frame);
    assert_string_equal(frame, "xxxxxxx");
}

NDP_SUITE(crash_frame_test, NDP_TEST(finds_the_first_frame_of_the_library), NDP_TEST(ignores_binary_output));
