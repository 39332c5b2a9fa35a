/* reference_joblib.h: the joblib codec as ways in and out of the reference plugin. */
#ifndef NDP_REFERENCE_JOBLIB_H
#define NDP_REFERENCE_JOBLIB_H

#include "codec/joblib/joblib_read.h"
#include "codec/strided.h"
#include "model/graph.h"
#include "target/reference/reference_array.h"

#define NDP_JOBLIB_ENTRIES_OF(format)                                                                                  \
    {format, "file", true, true}, {format, "object", true, true}, {format, "mmap:r", false, true},                     \
        {format, "mmap:r+", false, true}, {                                                                            \
        format, "mmap:c", false, true                                                                                  \
    }
/* Compressors do not see the protocol: one each for the default of Python up to 3.13, and of later ones. */
#define NDP_JOBLIB_PACKED_ENTRIES_OF(format)                                                                           \
    {format, "zlib", true, false}, {format, "gzip", true, false}, {format, "bz2", true, false},                        \
        {format, "lzma", true, false}, {format, "xz", true, false}, {                                                  \
        format, "lz4", true, false                                                                                     \
    }
/* What is offered of joblib. */
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
/* Of graphs: the same, maps apart. */
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

/* How the reference decodes: what decompressors need of memory is kept from one call to the next. */
extern const struct ndp_joblib_options ndp_reference_joblib_options;

/* The protocol that a format like "joblib:4" names, or -1 when it is not joblib's. */
int ndp_reference_joblib_protocol(const char *format);

/* Entries: "file" and "object" write what joblib 1.2 and later write; the names of compressors compress that at level
 * 3. Errors: as ndp_joblib_encode. */
enum ndp_status ndp_reference_joblib_encode(int protocol, const char *entry, const struct ndp_elements *elements,
                                            ndp_write_bytes *write, void *sink, struct ndp_error *error) NDP_MUST_USE;

/* A graph, by the same entries. Errors: as ndp_joblib_graph_encode. */
enum ndp_status ndp_reference_joblib_encode_graph(int protocol, const char *entry, const struct ndp_graph *graph,
                                                  ndp_write_bytes *write, void *sink,
                                                  struct ndp_error *error) NDP_MUST_USE;

/* Entries: "file" streams the file at `path`, "object" decodes it from memory, "mmap:r", "mmap:r+" and "mmap:c" map its
 * elements; where `path` is NULL the dump is `bytes`. Fills token->array. Errors: as ndp_joblib_decode_memory; IO. */
enum ndp_status ndp_reference_joblib_decode(struct ndp_reference_token *token, const char *entry,
                                            struct ndp_bytes bytes, const char *path,
                                            struct ndp_error *error) NDP_MUST_USE;

#endif
