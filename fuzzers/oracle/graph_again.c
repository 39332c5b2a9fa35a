#include "oracle/graph_again.h"

#include <string.h>

#include "codec/graph/graph_stream.h"
#include "codec/graph/npy_graph.h"
#include "codec/joblib/joblib_graph.h"
#include "codec/joblib/joblib_legacy.h"
#include "codec/npy/npy_encode.h"
#include "form/pieces.h"
#include "fuzz.h"
#include "oracle/same_graph.h"
#include "reader/told_graph.h"
#include "reader/written.h"

enum ndp_status fuzz_graph_decode(struct ndp_arena *arena, enum fuzz_container in, struct ndp_bytes bytes,
                                  struct ndp_graph *out, struct ndp_error *error) {
    if (in == FUZZ_PICKLE) return ndp_pickle_graph_decode(arena, bytes, out, error);
    if (in == FUZZ_NPY) return ndp_npy_graph_decode(arena, bytes, NULL, out, error);
    if (ndp_compress_detect(bytes) != NDP_COMPRESS_NONE || ndp_zfile_detect(bytes)) return NDP_UNSUPPORTED;
    return ndp_joblib_graph_decode(arena, bytes, NULL, out, error);
}

static struct ndp_graph_form form_of(uint32_t number) {
    const uint32_t protocol = number % 6;
    /* NumPy 1 loses the order of axes in protocol 5, and then writes another pickle of what is left. */
    const bool is_old = protocol < 5 && number / 6 % 2 == 0;
    return (struct ndp_graph_form){.protocol = protocol,
                                   .release = is_old ? NDP_NUMPY_1 : NDP_NUMPY_2_3,
                                   .library = (enum ndp_function_form)(number / 12)};
}

static enum ndp_status encode(struct ndp_arena *arena, enum fuzz_container in, const struct ndp_graph_form *form,
                              const struct ndp_graph *graph, ndp_write_bytes *write, void *sink) {
    const struct ndp_joblib_output dump = {.form = {.protocol = form->protocol, .alignment_bytes = FUZZ_ALIGNMENT},
                                           .release = NDP_NUMPY_2_3};
    if (in == FUZZ_PICKLE) return ndp_pickle_graph_encode(arena, graph, form, write, sink, NULL);
    if (in == FUZZ_NPY) return ndp_npy_graph_encode(arena, graph, form, write, sink, NULL);
    return ndp_joblib_graph_encode(arena, graph, &dump, write, sink, NULL);
}

/* Whether what is written of it once more may differ: what its form does not keep is made up anew. */
static bool is_loose(enum fuzz_container in, uint32_t protocol, const struct ndp_graph *first,
                     const struct ndp_graph *again) {
    /* joblib writes a shared array wherever it stands: what holds more of them than it may have is carried in one. */
    const bool is_crowded = in == FUZZ_DUMP && fuzz_has_unknowns(again) && again->count < first->count;
    return (protocol == 5 && fuzz_has_loose_axes(again)) || (in == FUZZ_DUMP && fuzz_has_maps(first)) || is_crowded;
}

bool fuzz_graph_is_announced(struct ndp_arena *arena, struct ndp_bytes file, const struct ndp_graph *graph) {
    const struct ndp_node *root = &graph->nodes[graph->root];
    struct ndp_npy_header header;
    uint32_t long_axes = 0;
    bool is_alike = true;
    if (ndp_npy_header_read(arena, file, NULL, &header, NULL) != NDP_OK || !fuzz_is_written(file, &header))
        return false;
    for (uint32_t i = 0; i < header.ndim; i++) long_axes += header.shape[i] > 1;
    for (uint32_t i = 0; i < header.ndim; i++)
        if (header.shape[i] == 0) long_axes = 0;
    if (header.is_fortran_order && long_axes < 2) return false;
    if (root->kind != NDP_NODE_OBJECTS) return true;
    is_alike = header.ndim == root->ndim && header.dtype->kind == NDP_KIND_OBJECT;
    for (uint32_t i = 0; is_alike && i < root->ndim; i++) is_alike = header.shape[i] == root->shape[i];
    return is_alike && (long_axes < 2 || header.is_fortran_order == root->is_fortran);
}

bool fuzz_graph_is_cut(struct ndp_arena *arena, struct ndp_bytes stream, uint64_t at) {
    struct ndp_graph part;
    return ndp_graph_stream_read(arena, (struct ndp_bytes){stream.data, at}, &part, NULL) != NDP_OK;
}

/* Whether a stream may refuse to take it. */
static bool may_stay(const struct ndp_graph *graph, enum ndp_status status) {
    bool is_opaque = false;
    for (uint32_t i = 0; i < graph->count; i++) is_opaque |= graph->nodes[i].is_opaque;
    return status == NDP_NOMEM || status == NDP_LIMIT || (status == NDP_UNSUPPORTED && is_opaque);
}

bool fuzz_graph_is_streamed(struct ndp_arena *arena, const struct ndp_graph *graph) {
    struct ndp_buffer first = {.max_bytes = 1 << 26}, next = first;
    struct ndp_graph again;
    enum ndp_status status = ndp_graph_stream_add(&first, graph);
    const struct ndp_bytes bytes = ndp_buffer_view(&first);
    bool is_same = may_stay(graph, status);
    if (status == NDP_OK) {
        status = ndp_graph_stream_read(arena, bytes, &again, NULL);
        is_same = status == NDP_NOMEM || status == NDP_LIMIT;
    }
    if (status == NDP_OK)
        is_same = ndp_graph_stream_add(&next, &again) == NDP_OK && ndp_bytes_is_equal(bytes, ndp_buffer_view(&next)) &&
                  fuzz_is_same_graph(arena, 5, graph, &again) &&
                  fuzz_graph_is_cut(arena, bytes, fuzz_pick(bytes.data, bytes.size_bytes) % bytes.size_bytes);
    ndp_buffer_clear(&first);
    ndp_buffer_clear(&next);
    return is_same;
}

static bool has_word(struct ndp_bytes bytes, const char *word) {
    const size_t size = strlen(word);
    const uint8_t *at = bytes.data, *const end = at + bytes.size_bytes;
    for (; (at = memchr(at, word[0], (size_t)(end - at))) != NULL && end - at >= (ptrdiff_t)size; at++)
        if (memcmp(at, word, size) == 0) return true;
    return false;
}

bool fuzz_graph_is_of_release(const struct ndp_graph *graph, struct ndp_bytes pickle, bool is_old) {
    const char *other = is_old ? "numpy._core" : "numpy.core";
    struct ndp_buffer stream = {.max_bytes = 1 << 26};
    if (pickle.size_bytes == 0 || !has_word(pickle, other)) return true;
    bool holds_it = ndp_graph_stream_add(&stream, graph) != NDP_OK || has_word(ndp_buffer_view(&stream), other);
    for (uint32_t i = 0; i < graph->count; i++) holds_it |= graph->nodes[i].body.size_bytes > 0;
    ndp_buffer_clear(&stream);
    return holds_it;
}

void fuzz_graph_again(struct ndp_arena *arena, const struct ndp_graph *graph, enum fuzz_container in, uint32_t number,
                      bool is_told) {
    const struct ndp_graph_form form = form_of(number);
    const uint32_t library = in == FUZZ_DUMP ? 0 : (uint32_t)form.library;
    static struct ndp_buffer made = {.max_bytes = 1 << 26};
    made.size_bytes = 0;
    const enum ndp_status status = encode(arena, in, &form, graph, ndp_write_to_buffer, &made);
    if (!fuzz_is_encoded(arena, status, graph, &made, in == FUZZ_PICKLE, form.protocol, library)) return;
    const struct ndp_bytes bytes = {ndp_arena_copy(arena, made.data, made.size_bytes), made.size_bytes};
    struct fuzz_expected second = {bytes, false};
    struct ndp_graph again;
    FUZZ_HOLDS(in != FUZZ_NPY || fuzz_graph_is_announced(arena, bytes, graph));
    FUZZ_HOLDS(!is_told || fuzz_graph_is_streamed(arena, graph));
    const bool is_old = in != FUZZ_DUMP && form.release == NDP_NUMPY_1;
    FUZZ_HOLDS(!is_told || fuzz_graph_is_of_release(graph, bytes, is_old));
    if (!FUZZ_HOLDS(fuzz_graph_decode(arena, in, bytes, &again, NULL) == NDP_OK)) return;
    FUZZ_HOLDS(in == FUZZ_DUMP || fuzz_is_same_graph(arena, form.protocol, graph, &again));
    FUZZ_HOLDS(in == FUZZ_DUMP || form.protocol < 4 || fuzz_keeps_opaque(arena, graph, &again));
    if (is_told) {
        FUZZ_HOLDS(in != FUZZ_PICKLE || fuzz_graph_is_told(arena, bytes, &again));
    } else if (!is_loose(in, form.protocol, graph, &again)) {
        FUZZ_HOLDS(encode(arena, in, &form, &again, fuzz_write_expected, &second) == NDP_OK &&
                   fuzz_is_expected(&second));
    }
}
