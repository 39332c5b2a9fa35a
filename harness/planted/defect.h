/* defect.h: tools for planted defects of single arrays. They change an array on its way into the reference's encoder or
 * out of its decoder. */
#ifndef NDP_DEFECT_H
#define NDP_DEFECT_H

#include <cjson/cJSON.h>

#include "base/bytes.h"
#include "model/dtype.h"
#include "planted/planted.h"
#include "target/reference/reference_array.h"
#include "target/reference/reference_joblib.h"
#include "target/reference/reference_pickle.h"

struct ndp_defect {
    struct ndp_plugin_array array; /* its pointers are set to the members below; change those */
    int64_t shape[NDP_MAX_NDIM];
    int64_t strides_bytes[NDP_MAX_NDIM];
    char *dtype_json;              /* heap */
    uint8_t *own_data;             /* heap, or NULL: `array.data` belongs to `inner` */
    struct ndp_plugin_array inner; /* the array that the reference decoded or is about to encode */
    void *inner_token;
};

/* Changes an array. `entry` is the entry point in use. */
typedef void ndp_defect_change(const struct ndp_plugin_entry *entry, struct ndp_defect *defect);

/* Changes the bytes that the reference wrote. */
typedef void ndp_defect_change_bytes(const struct ndp_plugin_entry *entry, const struct ndp_plugin_array *array,
                                     struct ndp_buffer *bytes);

/* The reference's operations with one change. The other arguments are those of struct ndp_plugin. A change may be NULL.
 */
enum ndp_plugin_result ndp_defect_decode(const struct ndp_plugin_entry *entry, const void *bytes, size_t size_bytes,
                                         const char *path, const struct ndp_plugin_array *as,
                                         struct ndp_plugin_array *out, void **token, struct ndp_plugin_refusal *refusal,
                                         ndp_defect_change *change);
enum ndp_plugin_result ndp_defect_encode(const struct ndp_plugin_entry *entry, const struct ndp_plugin_array *array,
                                         ndp_plugin_write *write, void *sink, struct ndp_plugin_refusal *refusal,
                                         ndp_defect_change *change, ndp_defect_change_bytes *change_bytes);
enum ndp_plugin_result ndp_defect_flush(const struct ndp_plugin_array *array, void *token,
                                        struct ndp_plugin_refusal *refusal);
void ndp_defect_release(struct ndp_plugin_array *array, void *token);

/* Decodes as the reference does. An NPY input that the reference refuses through an entry point without a map is
 * changed and decoded again for as long as `change_input` returns true. `attempt` counts from 0; each attempt sees the
 * bytes as the attempt before left them. */
typedef bool ndp_defect_change_input(struct ndp_buffer *bytes, uint32_t attempt);
enum ndp_plugin_result ndp_defect_decode_repaired(const struct ndp_plugin_entry *entry, const void *bytes,
                                                  size_t size_bytes, const char *path,
                                                  const struct ndp_plugin_array *as, struct ndp_plugin_array *out,
                                                  void **token, struct ndp_plugin_refusal *refusal,
                                                  ndp_defect_change_input *change_input);

/* Replaces the array's memory by a heap copy of its elements and returns the copy, which `defect` owns; NULL for an
 * empty array and out of memory. The array is no longer a map. The copy is in C order; ndp_defect_copy_in_order keeps F
 * order for an array that is only F-contiguous. */
uint8_t *ndp_defect_copy(struct ndp_defect *defect);
uint8_t *ndp_defect_copy_in_order(struct ndp_defect *defect);

uint64_t ndp_defect_count_elems(const struct ndp_defect *defect);
uint64_t ndp_defect_size_bytes(const struct ndp_defect *defect);

/* Sets contiguous strides for the current shape, in C or F order. */
void ndp_defect_set_order(struct ndp_defect *defect, bool is_fortran);

/* Reverses the bytes of every number in the copy that ndp_defect_copy made. The dtype must be a single type. */
void ndp_defect_swap(struct ndp_defect *defect);

/* Whether the dtype is a single type of one of `kinds`. Its text starts at dtype_json + 1. */
bool ndp_defect_is_leaf(const struct ndp_defect *defect, const char *kinds);

/* Replaces a single type. `type` has no quotes: <f8. */
void ndp_defect_set_type(struct ndp_defect *defect, const char *type);

/* Lets `edit` change the tree of the dtype (see describe/dtype_json.h). */
typedef void ndp_defect_edit(cJSON *dtype);
void ndp_defect_edit_dtype(struct ndp_defect *defect, ndp_defect_edit *edit);

/* Calls `edit` for every typestr in the tree. */
void ndp_defect_each_type(cJSON *dtype, ndp_defect_edit *edit);

/* The reference plugin, for a defect that replaces a whole operation. */
extern const struct ndp_plugin ndp_plugin_reference;

#define NDP_PLANT_ROW(file, list, broken, sentence, is_alone, encode_function, decode_function)                        \
    extern const struct ndp_planted ndp_planted_##file;                                                                \
    const struct ndp_planted ndp_planted_##file = {                                                                    \
        .name = #file,                                                                                                 \
        .property = (broken),                                                                                          \
        .defect = (sentence),                                                                                          \
        .is_caught_alone = (is_alone),                                                                                 \
        .plugin = {.abi = NDP_PLUGIN_ABI,                                                                              \
                   .name = #file,                                                                                      \
                   .version = "0",                                                                                     \
                   .kinds = "biufcSUVMmRA",                                                                            \
                   .max_ndim = NDP_MAX_NDIM,                                                                           \
                   .entries = (list),                                                                                  \
                   .encode = (encode_function),                                                                        \
                   .decode = (decode_function),                                                                        \
                   .flush = ndp_defect_flush,                                                                          \
                   .release = ndp_defect_release},                                                                     \
    }

/* A defect of several calls, which a case without a history does not show. */
#define NDP_PLANT_HISTORY(file, broken, sentence, encode_function, decode_function)                                    \
    extern const struct ndp_planted ndp_planted_##file;                                                                \
    const struct ndp_planted ndp_planted_##file = {                                                                    \
        .name = #file,                                                                                                 \
        .property = (broken),                                                                                          \
        .defect = (sentence),                                                                                          \
        .needs_history = true,                                                                                         \
        .plugin = {.abi = NDP_PLUGIN_ABI,                                                                              \
                   .name = #file,                                                                                      \
                   .version = "0",                                                                                     \
                   .kinds = "biufcSUVMmRA",                                                                            \
                   .max_ndim = NDP_MAX_NDIM,                                                                           \
                   .entries = ndp_reference_array_entries,                                                             \
                   .encode = (encode_function),                                                                        \
                   .decode = (decode_function),                                                                        \
                   .flush = ndp_defect_flush,                                                                          \
                   .release = ndp_defect_release,                                                                      \
                   .takes_threads = true},                                                                             \
    }

#define NDP_PLANT_OF(file, list, broken, sentence, encode_function, decode_function)                                   \
    NDP_PLANT_ROW(file, list, broken, sentence, false, encode_function, decode_function)

/* A defect that no other property may report. */
#define NDP_PLANT_ALONE(file, broken, sentence, encode_function, decode_function)                                      \
    NDP_PLANT_ROW(file, ndp_reference_array_entries, broken, sentence, true, encode_function, decode_function)

#define NDP_PLANT(file, broken, sentence, encode_function, decode_function)                                            \
    NDP_PLANT_OF(file, ndp_reference_array_entries, broken, sentence, encode_function, decode_function)

/* A defect of pickles only. */
#define NDP_PLANT_PICKLE(file, broken, sentence, encode_function, decode_function)                                     \
    NDP_PLANT_OF(file, ndp_reference_pickle_entries, broken, sentence, encode_function, decode_function)

/* A defect of joblib dumps only. */
#define NDP_PLANT_JOBLIB(file, broken, sentence, encode_function, decode_function)                                     \
    NDP_PLANT_OF(file, ndp_reference_joblib_entries, broken, sentence, encode_function, decode_function)

#define NDP_DECODE_ARGUMENTS                                                                                           \
    const struct ndp_plugin_entry *entry, const void *bytes, size_t size_bytes, const char *path,                      \
        const struct ndp_plugin_array *as, struct ndp_plugin_array *out, void **token,                                 \
        struct ndp_plugin_refusal *refusal

#define NDP_ENCODE_ARGUMENTS                                                                                           \
    const struct ndp_plugin_entry *entry, const struct ndp_plugin_array *array, ndp_plugin_write *write, void *sink,   \
        struct ndp_plugin_refusal *refusal

/* Define `decode` and `encode` of a file whose defect is one change of the array. */
#define NDP_DECODE_WITH(name, change)                                                                                  \
    static enum ndp_plugin_result name(NDP_DECODE_ARGUMENTS) {                                                         \
        return ndp_defect_decode(entry, bytes, size_bytes, path, as, out, token, refusal, change);                     \
    }
#define NDP_DECODE_REPAIRED_WITH(name, change_input)                                                                   \
    static enum ndp_plugin_result name(NDP_DECODE_ARGUMENTS) {                                                         \
        return ndp_defect_decode_repaired(entry, bytes, size_bytes, path, as, out, token, refusal, change_input);      \
    }
#define NDP_ENCODE_WITH(name, change, change_bytes)                                                                    \
    static enum ndp_plugin_result name(NDP_ENCODE_ARGUMENTS) {                                                         \
        return ndp_defect_encode(entry, array, write, sink, refusal, change, change_bytes);                            \
    }

#endif
