#include <string.h>

#include "base/suite.h"
#include "describe/descriptor.h"

static const struct ndp_route first = {.format = "raw",
                                       .encode = "file",
                                       .decode = "memory",
                                       .offset_bytes = 64,
                                       .encoder = "numpy",
                                       .decoder = "reference"};
static const struct ndp_route second = {.format = "pickle",
                                        .protocol = 5,
                                        .encode = "c",
                                        .decode = "python",
                                        .buffers = "in-band",
                                        .level = 2,
                                        .encoder = "reference",
                                        .decoder = "numpy@seeds"};

static void assert_same_route(const struct ndp_route *a, const struct ndp_route *b) {
    assert_string_equal(a->format, b->format);
    assert_int_equal(a->protocol, b->protocol);
    assert_string_equal(a->encode, b->encode);
    assert_string_equal(a->decode, b->decode);
    assert_string_equal(a->buffers, b->buffers);
    assert_int_equal(a->offset_bytes, b->offset_bytes);
    assert_int_equal(a->level, b->level);
    assert_string_equal(a->encoder, b->encoder);
    assert_string_equal(a->decoder, b->decoder);
    assert_int_equal(a->is_relayed, b->is_relayed);
}

static void legs_come_out_of_a_relay_as_they_went_in(void **state) {
    struct ndp_route relay, leg;
    (void)state;
    ndp_route_join(&first, &second, &relay);
    assert_true(relay.is_relayed);
    assert_string_equal(relay.encoder, "numpy");
    assert_string_equal(relay.via.target, "reference");
    assert_string_equal(relay.decoder, "numpy@seeds");
    ndp_route_leg(&relay, 0, &leg);
    assert_same_route(&leg, &first);
    ndp_route_leg(&relay, 1, &leg);
    assert_same_route(&leg, &second);
}

static void a_route_without_a_middle_is_its_own_first_leg(void **state) {
    struct ndp_route leg;
    (void)state;
    ndp_route_leg(&first, 0, &leg);
    assert_same_route(&leg, &first);
}

static void the_text_tells_both_legs(void **state) {
    struct ndp_route relay;
    char text[NDP_ROUTE_TEXT_BYTES];
    (void)state;
    ndp_route_join(&first, &second, &relay);
    ndp_route_print(&relay, text);
    assert_string_equal(text, "raw+64:file>memory then pickle5:c>python/in-band");
}

NDP_SUITE(route_legs_test, cmocka_unit_test(legs_come_out_of_a_relay_as_they_went_in),
          cmocka_unit_test(a_route_without_a_middle_is_its_own_first_leg), cmocka_unit_test(the_text_tells_both_legs));
