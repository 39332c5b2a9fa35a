#include "base/rng.h"
#include "base/status.h"
#include "base/suite.h"

/* SplitMix64 from seed 1234567, computed by a Python implementation of the paper on unbounded integers. Libraries in
 * other languages have the same five test vectors. */
static const uint64_t splitmix_1234567[] = {
    UINT64_C(6457827717110365317), UINT64_C(3203168211198807973),  UINT64_C(9817491932198370423),
    UINT64_C(4593380528125082431), UINT64_C(16408922859458223821),
};

/* xoshiro256** from the state 1, 2, 3, 4, computed likewise; also the test vector of the Rust crate rand_xoshiro. */
static const uint64_t xoshiro_1234[] = {
    11520,
    0,
    1509978240,
    UINT64_C(1215971899390074240),
    UINT64_C(1216172134540287360),
    UINT64_C(607988272756665600),
    UINT64_C(16172922978634559625),
    UINT64_C(8476171486693032832),
    UINT64_C(10595114339597558777),
    UINT64_C(2904607092377533576),
};

/* Both combined, computed by the same Python implementation. */
static const struct {
    uint64_t seed;
    uint64_t out[4];
} seeded[] = {
    {0,
     {UINT64_C(0x99ec5f36cb75f2b4), UINT64_C(0xbf6e1f784956452a), UINT64_C(0x1a5f849d4933e6e0),
      UINT64_C(0x6aa594f1262d2d2c)}},
    {42,
     {UINT64_C(0x15780b2e0c2ec716), UINT64_C(0x6104d9866d113a7e), UINT64_C(0xae17533239e499a1),
      UINT64_C(0xecb8ad4703b360a1)}},
    {UINT64_MAX,
     {UINT64_C(0x8f5520d52a7ead08), UINT64_C(0xc476a018caa1802d), UINT64_C(0x81de31c0d260469e),
      UINT64_C(0xbf658d7e065f3c2f)}},
};

static void mixing_is_splitmix64(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(splitmix_1234567); i++)
        assert_true(ndp_rng_mix(1234567, i) == splitmix_1234567[i]);
}

static void drawing_is_xoshiro256starstar(void **state) {
    struct ndp_rng rng = {{1, 2, 3, 4}};
    for (size_t i = 0; i < NDP_ARRAY_LEN(xoshiro_1234); i++) assert_true(ndp_rng_next(&rng) == xoshiro_1234[i]);
}

static void seeding_fills_the_state_from_splitmix64(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(seeded); i++) {
        struct ndp_rng rng;
        ndp_rng_init(&rng, seeded[i].seed);
        for (size_t k = 0; k < 4; k++) assert_true(ndp_rng_next(&rng) == seeded[i].out[k]);
    }
}

/* Expected values: G. Fowler, L. C. Noll, K.-P. Vo, D. Eastlake, "The FNV Non-Cryptographic Hash
 * Algorithm", test vectors for 64-bit FNV-1a. */
static void hashing_is_fnv1a(void **state) {
    assert_true(ndp_hash_bytes("", 0, NDP_HASH_START) == UINT64_C(0xcbf29ce484222325));
    assert_true(ndp_hash_bytes("a", 1, NDP_HASH_START) == UINT64_C(0xaf63dc4c8601ec8c));
    assert_true(ndp_hash_bytes("foobar", 6, NDP_HASH_START) == UINT64_C(0x85944171f73967e8));
    const uint64_t half = ndp_hash_bytes("foo", 3, NDP_HASH_START);
    assert_true(ndp_hash_bytes("bar", 3, half) == UINT64_C(0x85944171f73967e8));
}

NDP_SUITE(rng_test, NDP_TEST(mixing_is_splitmix64), NDP_TEST(drawing_is_xoshiro256starstar),
          NDP_TEST(seeding_fills_the_state_from_splitmix64), NDP_TEST(hashing_is_fnv1a));
