/* plugin.h: put your own encoder, decoder or memmap backend under test, as one C or C++ file.
 *
 * Write a file that defines one `const struct ndp_plugin`, and build with
 *     make PLUGIN=path/to/your_codec.c
 * It then is a target like any other: in its own process in a sweep, in process under fuzzers and
 * sanitizers. target/example/ holds a worked example that the tests build.
 *
 * This header stands alone: it needs nothing else of ndproof, and is valid C11 and C++11.
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

/* An array as your code meets it. To encode: everything is borrowed and valid during the call only. */
struct ndp_plugin_array {
    const char *dtype_json; /* descriptor text of the dtype: "\"<f8\"" or {"fields": ...}; NUL-terminated */
    uint64_t itemsize_bytes;
    uint32_t ndim;
    const int64_t *shape;         /* `ndim` extents, each >= 0 */
    const int64_t *strides_bytes; /* `ndim` strides, any sign */
    const void *data;             /* element 0; NULL only when there is no element */
    bool is_writeable;
    /* To decode: set when `data` lies in a mapping of the file that was given. */
    bool is_mapped;
    /* The place of element 0 in the bytes or the file. You set it together with is_mapped. For formats without a
     * header it is given: encode writes that many filler bytes (0xEE) before the elements, and `as` says it to
     * decode. */
    uint64_t file_position_bytes;
    /* Only for plugins with takes_dtype; leave it NULL. */
    const struct ndp_dtype *dtype;
};

enum ndp_plugin_result { NDP_PLUGIN_DONE, NDP_PLUGIN_REFUSED, NDP_PLUGIN_UNSUPPORTED };

/* Why you refuse. `reason` is one of: value type limit memory truncated io unsupported internal other. */
struct ndp_plugin_refusal {
    char reason[16];
    char message[192];
};

/* Where encoded bytes go. Returns false when no more can be taken: then return NDP_PLUGIN_REFUSED. */
typedef bool ndp_plugin_write(void *sink, const void *bytes, size_t size_bytes);

/* A buffer that travels beside the encoded bytes. It may be written to; the encoded bytes say when the array may not.
 */
struct ndp_plugin_buffer {
    const void *data;
    size_t size_bytes;
};

/* One way in or out; a list ends with a NULL format. Words: harness/testees/README.md. A format that has protocols is
 * one entry for each, with the protocol and, where there is one, the word for buffers behind its name: "pickle:4",
 * "pickle:5:in-band", "pickle:5:out-of-band". */
struct ndp_plugin_entry {
    const char *format; /* "npy" */
    const char *entry;  /* "memory" "file" "mmap:r" ... */
    bool encodes;
    bool decodes;
};

struct ndp_plugin {
    uint32_t abi; /* NDP_PLUGIN_ABI */
    const char *name;
    const char *version;
    const char *kinds; /* kind codes that you handle: "biufcSUVMmORA" is all */
    uint32_t max_ndim;
    const struct ndp_plugin_entry *entries;

    /* Encodes `array` by `entry`. May be NULL when no entry encodes. */
    enum ndp_plugin_result (*encode)(const struct ndp_plugin_entry *entry, const struct ndp_plugin_array *array,
                                     ndp_plugin_write *write, void *sink, struct ndp_plugin_refusal *refusal);

    /* Decodes. For entries "memory", and those that takes_bytes names, the input is `bytes`, and `path` is NULL; for
     * all others it is the file at `path` (the same bytes). `as` is NULL, or for formats without a header the dtype,
     * shape and strides to assume. Fills *out with memory that stays valid until release(out, *token). */
    enum ndp_plugin_result (*decode)(const struct ndp_plugin_entry *entry, const void *bytes, size_t size_bytes,
                                     const char *path, const struct ndp_plugin_array *as, struct ndp_plugin_array *out,
                                     void **token, struct ndp_plugin_refusal *refusal);

    /* Makes writes through a mapped array reach its file. May be NULL. */
    enum ndp_plugin_result (*flush)(const struct ndp_plugin_array *array, void *token,
                                    struct ndp_plugin_refusal *refusal);

    /* Frees what decode gave. */
    void (*release)(struct ndp_plugin_array *array, void *token);

    /* What only some have: a codec of objects, a dict that threads share. NULL is the rule. */
    const struct ndp_plugin_graph *graph;
    const struct ndp_plugin_dict *dict;

    /* As encode and decode, for entries whose format ends in ":out-of-band". Each call of `give` is one buffer, in
     * their order, at most 16, which is copied; the input is in memory whatever the entry, buffers stay valid until
     * release. May be NULL when there is no such entry. */
    enum ndp_plugin_result (*encode_apart)(const struct ndp_plugin_entry *entry, const struct ndp_plugin_array *array,
                                           ndp_plugin_write *write, void *sink, ndp_plugin_write *give, void *buffers,
                                           struct ndp_plugin_refusal *refusal);
    enum ndp_plugin_result (*decode_apart)(const struct ndp_plugin_entry *entry, const void *bytes, size_t size_bytes,
                                           const struct ndp_plugin_buffer *buffers, uint32_t buffer_count,
                                           struct ndp_plugin_array *out, void **token,
                                           struct ndp_plugin_refusal *refusal);

    /* Whether decode has its input in `bytes` for this entry as it has for those called "memory". May be NULL. */
    bool (*takes_bytes)(const struct ndp_plugin_entry *entry);

    /* For plugins that are made of ndproof's own parts: arrays come with `dtype` in the place of dtype_json, and may be
     * given so, with memory that stays valid as long as theirs. */
    bool takes_dtype;
};

#ifdef __cplusplus
}
#endif

#endif
