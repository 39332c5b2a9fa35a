/* joblib_graph.h: graphs (model/graph/graph.h) in joblib's dumps.
 *
 * joblib.dump writes an array of the class ndarray, matrix or memmap after a wrapper at each reference, so that a
 * shared array becomes two; every other object is pickled. An object array is a nested pickle with all its items.
 * joblib.load returns a memmap as an ndarray unless mmap_mode is set. An array whose elements would be written twice
 * because it contains itself (through the arguments of its class or a tuple) is UNSUPPORTED. Source: joblib 0.10 to
 * 1.6, numpy_pickle.py (NumpyPickler.save, NumpyArrayWrapper).
 */
#ifndef NDP_JOBLIB_GRAPH_H
#define NDP_JOBLIB_GRAPH_H

#include "codec/joblib/joblib_read.h"
#include "codec/joblib/joblib_write.h"
#include "codec/map_file.h"
#include "model/graph/graph.h"

/* Decode a dump of joblib 0.10 or later and encode it; the decoder ignores bytes after the dump. The graph is live,
 * like that of a pickle (pickle_graph.h), and outlives `bytes`. `options` may be NULL. Errors: as
 * ndp_joblib_read_memory, ndp_pickle_graph_read, ndp_pickle_graph_make and ndp_joblib_write. */
enum ndp_status ndp_joblib_graph_decode(struct ndp_arena *arena, struct ndp_bytes bytes,
                                        const struct ndp_joblib_options *options, struct ndp_graph *out,
                                        struct ndp_error *error) NDP_MUST_USE;
/* Decodes the file at `path`. Errors: also as ndp_joblib_read_file. */
enum ndp_status ndp_joblib_graph_decode_file(struct ndp_arena *arena, const char *path,
                                             const struct ndp_joblib_options *options, struct ndp_graph *out,
                                             struct ndp_error *error) NDP_MUST_USE;

/* The same, with arrays that stay in the file. `*map` then owns the map; close it after the last use of the graph.
 * `mode` is not WRITE. Reads the parts that joblib would not map: compressed files, objects; if nothing is mapped the
 * map is already closed. */
enum ndp_status ndp_joblib_graph_decode_mapped(struct ndp_arena *arena, const char *path, enum ndp_map_mode mode,
                                               const struct ndp_joblib_options *options, struct ndp_map *map,
                                               struct ndp_graph *out, struct ndp_error *error) NDP_MUST_USE;
enum ndp_status ndp_joblib_graph_encode(struct ndp_arena *arena, const struct ndp_graph *graph,
                                        const struct ndp_joblib_output *output, ndp_write_bytes *write, void *sink,
                                        struct ndp_error *error) NDP_MUST_USE;

#endif
