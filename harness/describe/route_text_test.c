#include "base/suite.h"
#include "describe/descriptor.h"

static const struct {
    struct ndp_route route;
    const char *text;
} routes[] = {
    {{.format = ""}, ""},
    {{.format = "npy", .encode = "file", .decode = "mmap:r", .encoder = "a", .decoder = "b"}, "npy:file>mmap:r"},
    {{.format = "pickle", .protocol = 5, .encode = "c", .decode = "python", .buffers = "out-of-band"},
     "pickle5:c>python/out-of-band"},
    {{.format = "pickle", .encode = "c", .decode = "c"}, "pickle0:c>c"},
    {{.format = "raw", .encode = "file", .decode = "memory", .offset_bytes = 4097}, "raw+4097:file>memory"},
    {{.format = "npz", .decode = "file"}, "npz>file"},
    {{.format = "npy", .encode = "file", .decode = "file", .history = NDP_HISTORY_FORKED}, "npy:file>file~forked"},
    {{.format = "copy", .encode = "copy", .is_transport = true, .history = NDP_HISTORY_FREED}, "copy:copy~freed"},
};

static void test_route(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(routes); i++) {
        char text[NDP_ROUTE_TEXT_BYTES];
        ndp_descriptor_print_route(&routes[i].route, text);
        assert_string_equal(text, routes[i].text);
    }
}

static void test_longest_route(void **state) {
    struct ndp_route route = {.protocol = INT32_MIN, .offset_bytes = UINT64_MAX};
    char *words[] = {route.format, route.encode, route.decode, route.buffers};
    for (size_t i = 0; i < NDP_ARRAY_LEN(words); i++) memset(words[i], 'w', NDP_WORD_BYTES - 1);
    char text[NDP_ROUTE_TEXT_BYTES];
    ndp_descriptor_print_route(&route, text);
    assert_int_equal(strlen(text), 4 * (NDP_WORD_BYTES - 1) + strlen("-2147483648+18446744073709551615:>/"));
}

static void test_place(void **state) {
    const struct ndp_bytes text = ndp_bytes_view("ab\n\ncd");
    const struct {
        uint64_t offset_bytes;
        uint64_t line;
        uint64_t column;
    } rows[] = {{0, 1, 1}, {1, 1, 2}, {2, 1, 3}, {3, 2, 1}, {4, 3, 1}, {6, 3, 3}, {99, 3, 3}};
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        uint64_t line = 0;
        uint64_t column = 0;
        ndp_descriptor_text_place(text, rows[i].offset_bytes, &line, &column);
        assert_int_equal(line, rows[i].line);
        assert_int_equal(column, rows[i].column);
    }
}

NDP_SUITE(route_text_test, NDP_TEST(test_route), NDP_TEST(test_longest_route), NDP_TEST(test_place));
