/* joblib_graph.h: graphs (model/graph.h) as joblib.dump writes them and joblib.load reads them.
 *
 * An array of the class ndarray, matrix or memmap is written behind its wrapper wherever it is met, so that one that is
 * met twice becomes two; everything else is as in a pickle. An array of objects is a pickle of its own with all that it
 * leads to. A map that is loaded without a mode is an ndarray. UNSUPPORTED is an array whose elements would have to
 * stand twice because of what it is in: what it is rebuilt from, or a tuple that leads back to itself.
 * Source: joblib 0.10 to 1.6, numpy_pickle.py (NumpyPickler.save, NumpyArrayWrapper).
 */
#ifndef NDP_JOBLIB_GRAPH_H
#define NDP_JOBLIB_GRAPH_H

#include "codec/joblib/joblib_read.h"
#include "codec/joblib/joblib_write.h"
#include "codec/map_file.h"
#include "model/graph.h"

/* The whole way from a dump (joblib 0.10 and later), and to one; bytes behind it are somebody else's.
 * The graph that is read is live, as that of a pickle (pickle_graph.h), and outlives `bytes`. `options` may be NULL.
 * Errors: as ndp_joblib_read_memory, ndp_pickle_graph_read, ndp_pickle_graph_make and ndp_joblib_write. */
enum ndp_status ndp_joblib_graph_decode(struct ndp_arena *arena, struct ndp_bytes bytes,
                                        const struct ndp_joblib_options *options, struct ndp_graph *out,
                                        struct ndp_error *error) NDP_MUST_USE;
/* The file at `path`. Errors: also as ndp_joblib_read_file. */
enum ndp_status ndp_joblib_graph_decode_file(struct ndp_arena *arena, const char *path,
                                             const struct ndp_joblib_options *options, struct ndp_graph *out,
                                             struct ndp_error *error) NDP_MUST_USE;

/* The same, with arrays that stay in the file, which `*map` holds from then on: it is to be closed once the graph is
 * not used any more. `mode` is not WRITE. What joblib would not map is read: compressed files, objects;
 * where nothing is mapped the map is closed already. */
enum ndp_status ndp_joblib_graph_decode_mapped(struct ndp_arena *arena, const char *path, enum ndp_map_mode mode,
                                               const struct ndp_joblib_options *options, struct ndp_map *map,
                                               struct ndp_graph *out, struct ndp_error *error) NDP_MUST_USE;
enum ndp_status ndp_joblib_graph_encode(struct ndp_arena *arena, const struct ndp_graph *graph,
                                        const struct ndp_joblib_output *output, ndp_write_bytes *write, void *sink,
                                        struct ndp_error *error) NDP_MUST_USE;

#endif
