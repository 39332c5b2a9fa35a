/* npz_graph.h: object arrays as NPY members of an NPZ archive (codec/graph/npy_graph.h). Source:
 * numpy/lib/_npyio_impl.py, _savez and NpzFile. */
#ifndef NDP_NPZ_GRAPH_H
#define NDP_NPZ_GRAPH_H

#include "codec/graph/npy_graph.h"
#include "codec/npz/npz_read.h"
#include "codec/npz/npz_write.h"

/* Reads member number `index` to its end, so that its CRC is checked; the graph outlives the archive. Errors: as
 * ndp_npz_read and ndp_npy_graph_decode, with offsets from the start of the member. */
enum ndp_status ndp_npz_graph_read(struct ndp_npz *npz, struct ndp_arena *arena, uint64_t index,
                                   const struct ndp_npy_options *options, struct ndp_graph *out,
                                   struct ndp_error *error) NDP_MUST_USE;

/* Writes an archive of one member, `key` and ".npy". `form` as in ndp_npy_graph_encode. Errors: as ndp_npy_graph_encode
 * and ndp_npz_encode. Writes nothing before the archive is complete. */
enum ndp_status ndp_npz_graph_encode(struct ndp_arena *arena, const struct ndp_graph *graph, struct ndp_bytes key,
                                     bool is_deflated, const struct ndp_graph_form *form, ndp_write_bytes *write,
                                     void *sink, struct ndp_error *error) NDP_MUST_USE;

#endif
