/* pickle_graph_test.c: round trips of graphs through pickles, compared with NumPy's pickles of the same recipes. */
#include "base/rng.h"
#include "base/suite.h"
#include "codec/npy/npy_encode.h"
#include "codec/pickle/pickle_graph.h"
#include "codec/pickle/pickle_graph_vectors.h"
#include "codec/pickle/recipe_fixture.h"

enum { ARENA_BYTES = 1 << 22, PICKLE_BYTES = 1 << 20 };

static const enum ndp_numpy_release releases[] = {NDP_NUMPY_1, NDP_NUMPY_2_3};

/* Fills a buffer that the caller clears. */
static void encode_graph(struct ndp_arena *arena, const struct ndp_graph *graph, uint32_t protocol,
                         enum ndp_numpy_release release, struct ndp_buffer *out) {
    const struct ndp_graph_form form = {.protocol = protocol, .release = release};
    struct ndp_error error = {.text = ""};
    ndp_buffer_init(out, PICKLE_BYTES);
    if (ndp_pickle_graph_encode(arena, graph, &form, ndp_write_to_buffer, out, &error) != NDP_OK)
        fail_msg("protocol %u: %s", protocol, error.text);
}

static void check_hash(const struct graph_vector *vector, uint32_t release, uint32_t protocol,
                       const struct ndp_buffer *pickle, const char *when) {
    const uint64_t hash = ndp_hash_bytes(pickle->data, pickle->size_bytes, NDP_HASH_START);
    if (pickle->size_bytes == vector->releases[release][protocol].size_bytes &&
        hash == vector->releases[release][protocol].hash)
        return;
    if (vector->releases[release][protocol].size_bytes == 0) return;
    fail_msg("%s, NumPy %s, protocol %u, %s: %llu bytes with the hash %016llx", vector->what, release == 0 ? "1" : "2",
             protocol, when, (unsigned long long)pickle->size_bytes, (unsigned long long)hash);
}

static void pickles_equal_numpys_and_round_trip(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(graph_vectors); i++) {
        for (uint32_t at = 0; at < NDP_ARRAY_LEN(releases) * 6; at++) {
            const uint32_t release = at / 6, protocol = at % 6;
            struct ndp_buffer first, second;
            struct ndp_graph again;
            struct ndp_error error = {.text = ""};
            NDP_ARENA_SCOPED(arena, ARENA_BYTES);
            const struct ndp_graph graph = ndp_recipe_fixture_build(&arena, graph_vectors[i].nodes);
            encode_graph(&arena, &graph, protocol, releases[release], &first);
            check_hash(&graph_vectors[i], release, protocol, &first, "made");
            if (ndp_pickle_graph_decode(&arena, ndp_buffer_view(&first), &again, &error) != NDP_OK)
                fail_msg("%s, protocol %u: %s", graph_vectors[i].what, protocol, error.text);
            encode_graph(&arena, &again, protocol, releases[release], &second);
            check_hash(&graph_vectors[i], release, protocol, &second, "made again");
            ndp_buffer_clear(&second);
            ndp_buffer_clear(&first);
        }
    }
}

static void truncated_pickles_are_refused(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(graph_vectors); i++) {
        for (uint32_t protocol = 0; protocol < 6; protocol++) {
            struct ndp_buffer bytes;
            struct ndp_graph got;
            NDP_ARENA_SCOPED(arena, ARENA_BYTES);
            const struct ndp_graph graph = ndp_recipe_fixture_build(&arena, graph_vectors[i].nodes);
            encode_graph(&arena, &graph, protocol, NDP_NUMPY_2_3, &bytes);
            for (uint64_t size = 0; size < bytes.size_bytes; size++) {
                NDP_ARENA_SCOPED(scratch, ARENA_BYTES);
                if (ndp_pickle_graph_decode(&scratch, (struct ndp_bytes){bytes.data, size}, &got, NULL) == NDP_OK)
                    fail_msg("%s, protocol %u: %u bytes are taken", graph_vectors[i].what, protocol, (unsigned)size);
            }
            ndp_buffer_clear(&bytes);
        }
    }
}

/* Least number of allocations of a round trip, or the test is vacuous. */
enum { CALLS_MIN = 10 };

static void every_failing_allocation_is_reported(void **state) {
    const struct ndp_graph_form form = {.protocol = 4, .release = NDP_NUMPY_2_3};
    for (size_t i = 0; i < NDP_ARRAY_LEN(graph_vectors); i++) {
        NDP_ARENA_SCOPED(recipe, ARENA_BYTES);
        const struct ndp_graph graph = ndp_recipe_fixture_build(&recipe, graph_vectors[i].nodes);
        enum ndp_status status = NDP_NOMEM;
        for (uint64_t call = 1; status == NDP_NOMEM; call++) {
            struct ndp_graph got;
            NDP_ARENA_SCOPED(arena, ARENA_BYTES);
            NDP_BUFFER_SCOPED(bytes, PICKLE_BYTES);
            ndp_arena_fail_at(&arena, call);
            status = ndp_pickle_graph_encode(&arena, &graph, &form, ndp_write_to_buffer, &bytes, NULL);
            if (status == NDP_OK) status = ndp_pickle_graph_decode(&arena, ndp_buffer_view(&bytes), &got, NULL);
            if (status != NDP_OK && status != NDP_NOMEM)
                fail_msg("%s, call %u: %s", graph_vectors[i].what, (unsigned)call, ndp_status_text(status));
            if (status == NDP_OK && (call < CALLS_MIN || arena.fail_at == 0))
                fail_msg("%s, call %u: no failure reported", graph_vectors[i].what, (unsigned)call);
        }
    }
}

NDP_SUITE(pickle_graph_test, NDP_TEST(pickles_equal_numpys_and_round_trip), NDP_TEST(truncated_pickles_are_refused),
          NDP_TEST(every_failing_allocation_is_reported));
