/* plugin.h: puts your own encoder, decoder or memmap backend under test, as one C or C++ file.
 *
 * Write a file that defines one `const struct ndp_plugin ndp_plugin_<name of the file>`, and build with
 *     make PLUGIN=path/to/your_codec.c
 * It then is a target like any other: in its own process in a sweep, in process under fuzzers and sanitizers.
 * target/example/ contains worked examples that the tests build.
 *
 * This header needs no other part of ndproof, and is valid C11 and C++11.
 *
 * Ownership: everything that ndproof passes to a function is borrowed and valid during that call only. Everything that
 * decode returns belongs to the plugin and stays valid and unchanged until release. Text is NUL-terminated UTF-8.
 * Safety: decode never runs code that its input contains.
 * Errors: functions return enum ndp_plugin_result; they never exit, throw, or print to report an error.
 * Threads: one call at a time, except for encode with takes_threads and the functions of struct ndp_plugin_dict.
 */
#ifndef NDP_PLUGIN_H
#define NDP_PLUGIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define NDP_PLUGIN_ABI 1

struct ndp_dtype;        /* model/dtype.h */
struct ndp_plugin_graph; /* target/plugin_graph.h */
struct ndp_plugin_dict;  /* target/plugin_dict.h */

/* An array: the input of encode (borrowed during the call), or the result of decode (the plugin's until release).
 * Element (i, j, ...) is at data + i * strides_bytes[0] + j * strides_bytes[1] + ... */
struct ndp_plugin_array {
    const char *dtype_json;       /* the dtype as JSON: "\"<f8\"" or {"fields": ...} (harness/testees/README.md) */
    uint64_t itemsize_bytes;      /* of one element; must match the dtype */
    uint32_t ndim;                /* 0..64 */
    const int64_t *shape;         /* `ndim` extents, each >= 0; may be NULL when ndim is 0 */
    const int64_t *strides_bytes; /* `ndim` strides, of any sign; may be NULL when ndim is 0 */
    const void *data;             /* element 0, also with negative strides; NULL only without elements */
    bool is_writeable;            /* decode: whether the caller may modify the elements */
    /* decode: true when `data` is in a memory map of the input file. encode: false. */
    bool is_mapped;
    /* The offset of element 0 in the encoding. decode: set it when is_mapped. For formats without a header it is an
     * input: encode writes that many filler bytes (0xEE) before the elements, and decode finds it in `as`. */
    uint64_t file_position_bytes;
    /* NULL, except for plugins with takes_dtype. */
    const struct ndp_dtype *dtype;
};

/* DONE: the outputs are filled. REFUSED: the input is invalid or cannot be handled; *refusal states why. UNSUPPORTED:
 * the codec does not claim such input; *refusal states why, and no verdict follows. Only DONE fills outputs. */
enum ndp_plugin_result { NDP_PLUGIN_DONE, NDP_PLUGIN_REFUSED, NDP_PLUGIN_UNSUPPORTED };

/* Why an input was refused. `reason` is one of: value type limit memory truncated io unsupported internal other.
 * `message` is free text for people. Both are zeroed before the call; longer texts must be cut. */
struct ndp_plugin_refusal {
    char reason[16];
    char message[192];
};

/* Appends `size_bytes` bytes to the encoding; they are copied. Call it any number of times with the `sink` of encode.
 * False when the size limit is reached: then return NDP_PLUGIN_REFUSED with reason "limit". */
typedef bool ndp_plugin_write(void *sink, const void *bytes, size_t size_bytes);

/* An out-of-band buffer (PEP 574) beside a pickle. The memory is writeable; the pickle states whether the array is. */
struct ndp_plugin_buffer {
    const void *data;
    size_t size_bytes;
};

/* An entry point; a list ends with a NULL format. The words are those of harness/testees/README.md. A format with
 * protocols has an entry for each, with the protocol and the placement of buffers after its name: "pickle:4",
 * "pickle:5:in-band", "pickle:5:out-of-band". */
struct ndp_plugin_entry {
    const char *format; /* "npy" */
    const char *entry;  /* "memory" "file" "mmap:r" ... */
    bool encodes;       /* encode supports it */
    bool decodes;       /* decode supports it */
};

struct ndp_plugin {
    uint32_t abi;        /* NDP_PLUGIN_ABI */
    const char *name;    /* the target's name in reports; under 32 bytes */
    const char *version; /* of the codec; under 32 bytes */
    const char *kinds;   /* supported dtype kinds; all: "biufcSUVMmORA" */
    uint32_t max_ndim;   /* supported number of dimensions, at most 64 */
    const struct ndp_plugin_entry *entries;

    /* Encodes `array` through `entry` (one of `entries`) with calls of write(sink, ...). May be NULL when no entry
     * encodes. */
    enum ndp_plugin_result (*encode)(const struct ndp_plugin_entry *entry, const struct ndp_plugin_array *array,
                                     ndp_plugin_write *write, void *sink, struct ndp_plugin_refusal *refusal);

    /* Decodes through `entry`. For the entry point "memory", and those that takes_bytes accepts, the input is `bytes`
     * and `path` is NULL; for all others it is the file at `path`, and `bytes` is NULL. The file stays until release.
     * `as` is NULL, or for formats without a header the dtype, shape and strides to assume. Fills *out, and *token
     * with any pointer of yours; both go to release, once, after DONE. May be NULL when no entry decodes. */
    enum ndp_plugin_result (*decode)(const struct ndp_plugin_entry *entry, const void *bytes, size_t size_bytes,
                                     const char *path, const struct ndp_plugin_array *as, struct ndp_plugin_array *out,
                                     void **token, struct ndp_plugin_refusal *refusal);

    /* Writes modified elements of a mapped array to its file, as msync(2) does. May be NULL. */
    enum ndp_plugin_result (*flush)(const struct ndp_plugin_array *array, void *token,
                                    struct ndp_plugin_refusal *refusal);

    /* Frees the result of decode. May be NULL. */
    void (*release)(struct ndp_plugin_array *array, void *token);

    /* A codec of object graphs, and a dict that threads share. Usually NULL. */
    const struct ndp_plugin_graph *graph;
    const struct ndp_plugin_dict *dict;

    /* encode and decode for entries whose format ends in ":out-of-band". encode calls give(buffers, ...) once per
     * buffer, in order, at most 16 times; the bytes are copied. decode gets input and buffers in memory for every
     * entry point; the buffers stay valid until release, so *out may borrow them. May be NULL when there is no such
     * entry. */
    enum ndp_plugin_result (*encode_apart)(const struct ndp_plugin_entry *entry, const struct ndp_plugin_array *array,
                                           ndp_plugin_write *write, void *sink, ndp_plugin_write *give, void *buffers,
                                           struct ndp_plugin_refusal *refusal);
    enum ndp_plugin_result (*decode_apart)(const struct ndp_plugin_entry *entry, const void *bytes, size_t size_bytes,
                                           const struct ndp_plugin_buffer *buffers, uint32_t buffer_count,
                                           struct ndp_plugin_array *out, void **token,
                                           struct ndp_plugin_refusal *refusal);

    /* Whether decode reads `bytes` for this entry, too, although it is not "memory". May be NULL: never. */
    bool (*takes_bytes)(const struct ndp_plugin_entry *entry);

    /* For plugins made from parts of ndproof: arrays have `dtype` instead of dtype_json. Results may use it, too; it is
     * owned like the array. */
    bool takes_dtype;

    /* Whether several threads may call encode at the same time. */
    bool takes_threads;
};

#ifdef __cplusplus
}
#endif

#endif
