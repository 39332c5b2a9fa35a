/* show_bytes_test.c: the answer that each route must give, for one target in this process. */
#include "base/suite.h"
#include "cmd/printed_fixture.h"
#include "cmd/show_bytes.h"
#include "engine/bench_fixture.h"

/* numpy.zeros(2, "|u1") without its data and padding: "{'descr': '|u1', 'fortran_order': False, 'shape': (2,)}". */
#define HEADER                                                                                                         \
    "934e554d505901003800"                                                                                             \
    "7b276465736372273a20277c7531272c2027666f727472616e5f6f72646572273a2046616c73652c20277368617065273a2028322c297d0a"

static void expect_answer(struct fixture *fixture, const char *text, const char *const *parts) {
    struct printed printed;
    struct ndp_error error = {0};
    const struct ndp_descriptor descriptor = fixture_read(fixture, text);
    FILE *out = printed_open(&printed);
    assert_int_equal(ndp_show_bytes(out, &fixture->arena, &fixture->bench, &descriptor, descriptor.bytes, &error),
                     NDP_OK);
    const char *at = printed_text(&printed);
    for (; *parts != NULL; parts++) {
        const char *found = strstr(at, *parts);
        if (found == NULL) fail_msg("no \"%s\" in order in\n%s", *parts, printed_text(&printed));
        at = found;
    }
    printed_close(&printed);
}

#define EXPECT_ANSWER(fixture, text, ...) expect_answer(fixture, text, (const char *const[]){__VA_ARGS__, NULL})

static void every_route_has_an_answer(void **state) {
    FIXTURE(fixture, reference_plugin(), NULL);
    EXPECT_ANSWER(&fixture, "{\"bytes\":\"" HEADER "0102\",\"route\":{\"format\":\"npy\"}}", "read as npy\n",
                  "2 bytes expected, 2 bytes present\n", "the reference reads this array\n", "[1] @1      02\n",
                  "npy>memory, one: must return this array\n", "  writeable      true ",
                  "npy>mmap:r, one: must return");
    EXPECT_ANSWER(&fixture, "{\"bytes\":\"" HEADER "01\",\"route\":{\"format\":\"npy\"}}", "1 bytes are missing\n",
                  "the reference refuses the bytes: truncated: ", "npy>memory, one: must refuse the bytes\n");
    /* The expectation of a descriptor comes first. */
    EXPECT_ANSWER(&fixture, "{\"bytes\":\"00\",\"expect\":\"accept\",\"route\":{\"format\":\"npy\"}}",
                  "the reference refuses the bytes", "npy>memory, one: must accept the bytes\n");
    EXPECT_ANSWER(&fixture, "{\"bytes\":\"00\",\"route\":{\"format\":\"frame\"}}",
                  "the reference does not read this format from bytes alone\n", "no target of this run decodes them\n");
}

/* The reference is stricter than libraries about pickles; only their end is certain. */
static void pickles_that_only_the_reference_refuses_are_open(void **state) {
    FIXTURE(fixture, reference_plugin(), NULL);
    EXPECT_ANSWER(&fixture, "{\"bytes\":\"80044e4e2e\",\"route\":{\"format\":\"pickle\",\"protocol\":4}}",
                  "pickle4>c, one: may accept or refuse the bytes\n");
    EXPECT_ANSWER(&fixture, "{\"bytes\":\"80044e\",\"route\":{\"format\":\"pickle\",\"protocol\":4}}",
                  "pickle4>c, one: must refuse the bytes\n");
}

/* The input is what the decoder gets: bytes, or the encoding of a value after its fault. */
static void the_input_of_a_case_is_found(void **state) {
    static const struct {
        const char *text;
        uint64_t size_bytes;
    } rows[] = {
        {"{\"bytes\":\"0102\",\"route\":{\"format\":\"npy\"}}", 2},
        {"{\"bytes\":\"" HEADER "0102\",\"fault\":{\"name\":\"extra\",\"argument\":5},\"route\":{\"format\":\"npy\"}}",
         10 + 56 + 2 + 5},
        /* A header of 128 bytes and two elements, of which three bytes are cut. */
        {"{\"value\":{\"array\":{\"base\":{\"dtype\":\"<f8\",\"shape\":[2]}}},\"fault\":{\"name\":\"cut\",\"argument\":"
         "2},"
         "\"route\":{\"format\":\"npy\"}}",
         128 + 16 - 3},
        {"{\"bytes\":\"0102\",\"route\":{\"format\":\"frame\"}}", 2},
    };
    FIXTURE(fixture, reference_plugin(), NULL);
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_error error = {0};
        struct ndp_bytes bytes = {0};
        const struct ndp_descriptor descriptor = fixture_read(&fixture, rows[i].text);
        if (ndp_show_bytes_find(&fixture.arena, &fixture.bench, &descriptor, &bytes, &error) != NDP_OK)
            fail_msg("%s: %s", rows[i].text, error.text);
        assert_int_equal(bytes.size_bytes, rows[i].size_bytes);
    }
}

/* Raw bytes have no shape, so the reference cannot judge them. */
static void raw_bytes_are_rows(void **state) {
    FIXTURE(fixture, reference_plugin(), NULL);
    EXPECT_ANSWER(&fixture, "{\"bytes\":\"6162\",\"route\":{\"format\":\"raw\"}}", "2 bytes\n  000000  61 62 ", "ab\n",
                  "does not read this format from bytes alone\n", "raw>memory, one: may accept or refuse the bytes\n");
}

NDP_SUITE(show_bytes_test, NDP_TEST(every_route_has_an_answer),
          NDP_TEST(pickles_that_only_the_reference_refuses_are_open), NDP_TEST(the_input_of_a_case_is_found),
          NDP_TEST(raw_bytes_are_rows));
