#include "planted/defect.h"

static const struct ndp_plugin_entry entries[] = {{"pickle:5:out-of-band", "c", true, true},
                                                  {"pickle:5:out-of-band", "python", true, true},
                                                  {NULL, NULL, false, false}};

static enum ndp_plugin_result encode_out_of_band(const struct ndp_plugin_entry *entry,
                                                 const struct ndp_plugin_array *array, ndp_plugin_write *write,
                                                 void *sink, ndp_plugin_write *give, void *buffers,
                                                 struct ndp_plugin_refusal *refusal) {
    return ndp_plugin_reference.encode_apart(entry, array, write, sink, give, buffers, refusal);
}

static enum ndp_plugin_result decode_out_of_band(const struct ndp_plugin_entry *entry, const void *bytes,
                                                 size_t size_bytes, const struct ndp_plugin_buffer *buffers,
                                                 uint32_t buffer_count, struct ndp_plugin_array *out, void **token,
                                                 struct ndp_plugin_refusal *refusal) {
    const enum ndp_plugin_result result =
        ndp_plugin_reference.decode_apart(entry, bytes, size_bytes, buffers, buffer_count, out, token, refusal);
    if (result == NDP_PLUGIN_DONE) out->is_writeable = true;
    return result;
}

static void release(struct ndp_plugin_array *array, void *token) {
    ndp_plugin_reference.release(array, token);
}

extern const struct ndp_planted ndp_planted_buffer_writeable;
const struct ndp_planted ndp_planted_buffer_writeable = {
    .name = "buffer_writeable",
    .property = "flags",
    .defect = "An out-of-band buffer is writeable even when the pickle marks it read-only.",
    .plugin = {.abi = NDP_PLUGIN_ABI,
               .name = "buffer_writeable",
               .version = "0",
               .kinds = "biufcSUVMmRA",
               .max_ndim = NDP_MAX_NDIM,
               .entries = entries,
               .release = release,
               .encode_apart = encode_out_of_band,
               .decode_apart = decode_out_of_band},
};
