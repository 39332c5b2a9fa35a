/* reference_joblib.h: the entry points of the joblib codec in the reference plugin. */
#ifndef NDP_REFERENCE_JOBLIB_H
#define NDP_REFERENCE_JOBLIB_H

#include "codec/joblib/joblib_read.h"
#include "codec/strided.h"
#include "model/graph/graph.h"
#include "target/reference/reference_array.h"

#define NDP_JOBLIB_ENTRIES_OF(format)                                                                                  \
    {format, "file", true, true}, {format, "object", true, true}, {format, "mmap:r", false, true},                     \
        {format, "mmap:r+", false, true}, {                                                                            \
        format, "mmap:c", false, true                                                                                  \
    }
/* Compressors do not depend on the protocol: one entry for the default protocol of Python up to 3.13, and one for later
 * versions. */
#define NDP_JOBLIB_PACKED_ENTRIES_OF(format)                                                                           \
    {format, "zlib", true, false}, {format, "gzip", true, false}, {format, "bz2", true, false},                        \
        {format, "lzma", true, false}, {format, "xz", true, false}, {                                                  \
        format, "lz4", true, false                                                                                     \
    }
/* The joblib entries. */
#define NDP_JOBLIB_ENTRIES                                                                                             \
    NDP_JOBLIB_ENTRIES_OF("joblib:0"), NDP_JOBLIB_ENTRIES_OF("joblib:1"), NDP_JOBLIB_ENTRIES_OF("joblib:2"),           \
        NDP_JOBLIB_ENTRIES_OF("joblib:3"), NDP_JOBLIB_ENTRIES_OF("joblib:4"),                                          \
        NDP_JOBLIB_PACKED_ENTRIES_OF("joblib:4"), NDP_JOBLIB_ENTRIES_OF("joblib:5"),                                   \
        NDP_JOBLIB_PACKED_ENTRIES_OF("joblib:5")
#define NDP_JOBLIB_MAP_ENTRIES_OF(format)                                                                              \
    {format, "mmap:r", false, true}, {format, "mmap:r+", false, true}, {                                               \
        format, "mmap:c", false, true                                                                                  \
    }
#define NDP_JOBLIB_MAP_ENTRIES                                                                                         \
    NDP_JOBLIB_MAP_ENTRIES_OF("joblib:0"), NDP_JOBLIB_MAP_ENTRIES_OF("joblib:1"),                                      \
        NDP_JOBLIB_MAP_ENTRIES_OF("joblib:2"), NDP_JOBLIB_MAP_ENTRIES_OF("joblib:3"),                                  \
        NDP_JOBLIB_MAP_ENTRIES_OF("joblib:4"), NDP_JOBLIB_MAP_ENTRIES_OF("joblib:5")
/* The same for graphs; maps are separate. */
#define NDP_JOBLIB_GRAPH_ENTRIES_OF(format)                                                                            \
    {format, "file", true, true}, {                                                                                    \
        format, "object", true, true                                                                                   \
    }
#define NDP_JOBLIB_GRAPH_ENTRIES                                                                                       \
    NDP_JOBLIB_GRAPH_ENTRIES_OF("joblib:0"), NDP_JOBLIB_GRAPH_ENTRIES_OF("joblib:1"),                                  \
        NDP_JOBLIB_GRAPH_ENTRIES_OF("joblib:2"), NDP_JOBLIB_GRAPH_ENTRIES_OF("joblib:3"),                              \
        NDP_JOBLIB_GRAPH_ENTRIES_OF("joblib:4"), NDP_JOBLIB_PACKED_ENTRIES_OF("joblib:4"),                             \
        NDP_JOBLIB_GRAPH_ENTRIES_OF("joblib:5"), NDP_JOBLIB_PACKED_ENTRIES_OF("joblib:5")
extern const struct ndp_plugin_entry ndp_reference_joblib_entries[];

/* Options of decoding. The memory of decompressors is kept between calls. */
extern const struct ndp_joblib_options ndp_reference_joblib_options;

/* The protocol of a format like "joblib:4", or -1 for another format. */
int ndp_reference_joblib_protocol(const char *format);

/* Encodes an array. The entry points "file" and "object" write what joblib 1.2 and later write; a compressor's name
 * writes that at level 3. Errors: as ndp_joblib_write_array. */
enum ndp_status ndp_reference_joblib_encode(int protocol, const char *entry, const struct ndp_elements *elements,
                                            ndp_write_bytes *write, void *sink, struct ndp_error *error) NDP_MUST_USE;

/* Encodes a graph through the same entry points. Errors: as ndp_joblib_graph_encode. */
enum ndp_status ndp_reference_joblib_encode_graph(int protocol, const char *entry, const struct ndp_graph *graph,
                                                  ndp_write_bytes *write, void *sink,
                                                  struct ndp_error *error) NDP_MUST_USE;

/* Decodes a dump. The entry point "file" streams the file at `path`, "object" decodes it from memory, "mmap:r",
 * "mmap:r+" and "mmap:c" map its elements. The dump is `bytes` when `path` is NULL. Fills token->array. Errors: as
 * ndp_joblib_read_array_memory; IO. */
enum ndp_status ndp_reference_joblib_decode(struct ndp_reference_token *token, const char *entry,
                                            struct ndp_bytes bytes, const char *path,
                                            struct ndp_error *error) NDP_MUST_USE;

#endif
