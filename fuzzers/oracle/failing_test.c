/* Whichever allocation fails is told by the decoders, and one that goes on is found. */
#include "oracle/failing.h"

#include "base/suite.h"
#include "oracle/graph_again.h"
#include "runtime/hits_fixture.h"

enum { PICKS = 800 };

/* Takes what it gets, and says nothing of what it does not get. */
static enum ndp_status decode_anyhow(struct ndp_arena *arena, struct ndp_bytes bytes, uint64_t form) {
    (void)bytes;
    for (uint64_t i = 0; i < form; i++)
        if (ndp_arena_alloc(arena, 8) == NULL) continue;
    return NDP_OK;
}

static enum ndp_status decode_nothing(struct ndp_arena *arena, struct ndp_bytes bytes, uint64_t form) {
    (void)bytes, (void)form;
    return ndp_arena_alloc(arena, 8) ? NDP_INVALID : NDP_NOMEM;
}

static void what_fails_is_told(void **state) {
    (void)state;
    static const char graph[] = "(lp0\nI1\nag0\na(Va\nF0.5\nda.";
    static const char descriptor[] = "{\"value\":{\"array\":{\"base\":{\"dtype\":\"<i4\",\"shape\":[3]},"
                                     "\"views\":[{\"slice\":[[0,2,1]]}]}}}";
    uint64_t npy = 0, graphs = 0, texts = 0;
    for (uint64_t pick = 0; pick < PICKS; pick++) {
        npy += fuzz_check_failing(fuzz_decodes_npy, npy_bytes, 0, pick);
        graphs += fuzz_check_failing(fuzz_decodes_graph, ndp_bytes_view(graph), FUZZ_PICKLE, pick);
        texts += fuzz_check_failing(fuzz_decodes_text, ndp_bytes_view(descriptor), 0, pick);
    }
    assert_int_equal(npy, PICKS / 8);
    assert_int_equal(graphs, PICKS / 8);
    assert_int_equal(texts, PICKS / 8);
    assert_int_equal(fuzz_hits(), 0);
}

static void what_goes_on_is_found(void **state) {
    (void)state;
    const int loud = be_quiet();
    for (uint64_t pick = 0; pick < 64; pick++) {
        const uint64_t before = fuzz_hits();
        const bool is_judged = fuzz_check_failing(decode_anyhow, npy_bytes, 3, pick);
        if (is_judged != (pick % 8 == 0) || fuzz_hits() != before + is_judged) fail_msg("pick %d", (int)pick);
    }
    be_loud(loud);
    assert_false(fuzz_check_failing(decode_anyhow, npy_bytes, 0, 0));
    assert_false(fuzz_check_failing(decode_nothing, npy_bytes, 0, 0));
}

NDP_SUITE(failing_test, cmocka_unit_test(what_fails_is_told), cmocka_unit_test(what_goes_on_is_found));
