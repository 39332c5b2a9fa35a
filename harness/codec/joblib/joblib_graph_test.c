/* joblib_graph_test.c: round trips of graphs through dumps, compared with joblib's dumps of the same recipes. */
#include "base/rng.h"
#include "base/suite.h"
#include "codec/joblib/joblib_graph.h"
#include "codec/joblib/joblib_graph_vectors.h"
#include "codec/npy/npy_encode.h"
#include "codec/pickle/pickle_graph_vectors.h"
#include "codec/pickle/recipe_fixture.h"

enum { ARENA_BYTES = 1 << 22, DUMP_BYTES = 1 << 20 };

_Static_assert(NDP_ARRAY_LEN(joblib_graph_vectors) == NDP_ARRAY_LEN(graph_vectors), "one row a recipe");

static struct ndp_joblib_output output_of(uint32_t protocol, enum ndp_compress_method method) {
    return (struct ndp_joblib_output){.form = {.protocol = protocol, .alignment_bytes = NDP_JOBLIB_ALIGNMENT_BYTES},
                                      .release = NDP_NUMPY_2_3,
                                      .method = method,
                                      .level = 3};
}

/* Adds the dump to a buffer. */
static void encode_graph(struct ndp_arena *arena, const struct ndp_graph *graph, uint32_t protocol,
                         enum ndp_compress_method method, struct ndp_buffer *out) {
    const struct ndp_joblib_output output = output_of(protocol, method);
    struct ndp_error error = {.text = ""};
    if (ndp_joblib_graph_encode(arena, graph, &output, ndp_write_to_buffer, out, &error) != NDP_OK)
        fail_msg("protocol %u: %s", protocol, error.text);
}

static void check_hash(size_t row, uint32_t protocol, const struct ndp_buffer *dump, const char *when) {
    const uint64_t hash = ndp_hash_bytes(dump->data, dump->size_bytes, NDP_HASH_START);
    const uint64_t size_bytes = joblib_graph_vectors[row].protocols[protocol].size_bytes;
    if (size_bytes == 0 ||
        (dump->size_bytes == size_bytes && hash == joblib_graph_vectors[row].protocols[protocol].hash))
        return;
    fail_msg("%s, protocol %u, %s: %llu bytes with the hash %016llx", graph_vectors[row].what, protocol, when,
             (unsigned long long)dump->size_bytes, (unsigned long long)hash);
}

static void dumps_equal_joblibs(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(graph_vectors); i++) {
        for (uint32_t protocol = 0; protocol < 6; protocol++) {
            NDP_BUFFER_SCOPED(first, DUMP_BYTES);
            NDP_BUFFER_SCOPED(second, DUMP_BYTES);
            struct ndp_graph again;
            struct ndp_error error = {.text = ""};
            NDP_ARENA_SCOPED(arena, ARENA_BYTES);
            const struct ndp_graph graph = ndp_recipe_fixture_build(&arena, graph_vectors[i].nodes);
            encode_graph(&arena, &graph, protocol, NDP_COMPRESS_NONE, &first);
            check_hash(i, protocol, &first, "made");
            if (ndp_joblib_graph_decode(&arena, ndp_buffer_view(&first), NULL, &again, &error) != NDP_OK)
                fail_msg("%s, protocol %u: %s", graph_vectors[i].what, protocol, error.text);
            encode_graph(&arena, &again, protocol, NDP_COMPRESS_NONE, &second);
            check_hash(i, protocol, &second, "made again");
        }
    }
}

static void truncated_dumps_are_refused(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(graph_vectors); i++) {
        for (uint32_t protocol = 0; protocol < 6; protocol++) {
            NDP_BUFFER_SCOPED(bytes, DUMP_BYTES);
            struct ndp_graph got;
            NDP_ARENA_SCOPED(arena, ARENA_BYTES);
            const struct ndp_graph graph = ndp_recipe_fixture_build(&arena, graph_vectors[i].nodes);
            encode_graph(&arena, &graph, protocol, NDP_COMPRESS_NONE, &bytes);
            for (uint64_t size = 0; size < bytes.size_bytes; size++) {
                NDP_ARENA_SCOPED(scratch, ARENA_BYTES);
                if (ndp_joblib_graph_decode(&scratch, (struct ndp_bytes){bytes.data, size}, NULL, &got, NULL) == NDP_OK)
                    fail_msg("%s, protocol %u: %u bytes are taken", graph_vectors[i].what, protocol, (unsigned)size);
            }
        }
    }
}

static void compressed_dumps_round_trip(void **state) {
    static const char *const methods[] = {"zlib", "gzip", "bz2", "lzma", "xz", "lz4"};
    for (size_t i = 0; i < NDP_ARRAY_LEN(graph_vectors); i++) {
        for (size_t method = 0; method < NDP_ARRAY_LEN(methods); method++) {
            NDP_BUFFER_SCOPED(packed, DUMP_BYTES);
            NDP_BUFFER_SCOPED(plain, DUMP_BYTES);
            struct ndp_graph got;
            struct ndp_error error = {.text = ""};
            NDP_ARENA_SCOPED(arena, ARENA_BYTES);
            const struct ndp_graph graph = ndp_recipe_fixture_build(&arena, graph_vectors[i].nodes);
            encode_graph(&arena, &graph, 4, ndp_compress_find(methods[method]), &packed);
            if (ndp_joblib_graph_decode(&arena, ndp_buffer_view(&packed), NULL, &got, &error) != NDP_OK)
                fail_msg("%s, %s: %s", graph_vectors[i].what, methods[method], error.text);
            ndp_buffer_clear(&packed);
            encode_graph(&arena, &got, 4, NDP_COMPRESS_NONE, &plain);
            check_hash(i, 4, &plain, methods[method]);
        }
    }
}

/* A long text of a stream has its own memory, which the graph must not depend on. */
static void a_long_text_outlives_its_stream(void **state) {
    enum { SIZE = 1 << 18 };
    static uint8_t letters[SIZE];
    NDP_BUFFER_SCOPED(packed, DUMP_BYTES);
    struct ndp_graph got;
    memset(letters, 'a', SIZE);
    const struct ndp_node node = {.kind = NDP_NODE_TEXT, .text = {letters, SIZE}};
    const struct ndp_graph graph = {0, 1, &node};
    NDP_ARENA_SCOPED(arena, ARENA_BYTES);
    encode_graph(&arena, &graph, 4, ndp_compress_find("zlib"), &packed);
    assert_int_equal(ndp_joblib_graph_decode(&arena, ndp_buffer_view(&packed), NULL, &got, NULL), NDP_OK);
    ndp_buffer_clear(&packed);
    assert_true(ndp_bytes_is_equal(got.nodes[0].text, node.text));
}

/* No Python object is an argument of its own construction, but a pickle can encode it. The elements would be written
 * twice. */
static void arrays_that_contain_themselves_are_refused(void **state) {
    static const char nodes[] = "{\"array\":{\"base\":{\"shape\":[2]},\"class\":{\"name\":\"reduce_only\"}},"
                                "\"attributes\":{\"extra\":0}}";
    NDP_BUFFER_SCOPED(made, DUMP_BYTES);
    NDP_ARENA_SCOPED(arena, ARENA_BYTES);
    const struct ndp_graph graph = ndp_recipe_fixture_build(&arena, nodes);
    for (uint32_t protocol = 0; protocol < 6; protocol++) {
        const struct ndp_joblib_output output = output_of(protocol, NDP_COMPRESS_NONE);
        made.size_bytes = 0;
        assert_int_equal(ndp_joblib_graph_encode(&arena, &graph, &output, ndp_write_to_buffer, &made, NULL),
                         NDP_UNSUPPORTED);
    }
}

/* Least number of allocations of a round trip, or the test is vacuous. */
enum { CALLS_MIN = 10 };

static void every_failing_allocation_is_reported(void **state) {
    const struct ndp_joblib_output output = output_of(4, NDP_COMPRESS_NONE);
    for (size_t i = 0; i < NDP_ARRAY_LEN(graph_vectors); i++) {
        NDP_ARENA_SCOPED(recipe, ARENA_BYTES);
        const struct ndp_graph graph = ndp_recipe_fixture_build(&recipe, graph_vectors[i].nodes);
        enum ndp_status status = NDP_NOMEM;
        for (uint64_t call = 1; status == NDP_NOMEM; call++) {
            struct ndp_graph got;
            NDP_ARENA_SCOPED(arena, ARENA_BYTES);
            NDP_BUFFER_SCOPED(bytes, DUMP_BYTES);
            ndp_arena_fail_at(&arena, call);
            status = ndp_joblib_graph_encode(&arena, &graph, &output, ndp_write_to_buffer, &bytes, NULL);
            if (status == NDP_OK) status = ndp_joblib_graph_decode(&arena, ndp_buffer_view(&bytes), NULL, &got, NULL);
            if (status != NDP_OK && status != NDP_NOMEM)
                fail_msg("%s, call %u: %s", graph_vectors[i].what, (unsigned)call, ndp_status_text(status));
            if (status == NDP_OK && (call < CALLS_MIN || arena.fail_at == 0))
                fail_msg("%s, call %u: no failure reported", graph_vectors[i].what, (unsigned)call);
        }
    }
}

NDP_SUITE(joblib_graph_test, NDP_TEST(dumps_equal_joblibs), NDP_TEST(truncated_dumps_are_refused),
          NDP_TEST(compressed_dumps_round_trip), NDP_TEST(a_long_text_outlives_its_stream),
          NDP_TEST(arrays_that_contain_themselves_are_refused), NDP_TEST(every_failing_allocation_is_reported));
