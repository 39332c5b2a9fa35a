// tiny_raw.cc: a worked example of target/plugin.h in C++: raw elements by way of memory.
//
//     make PLUGIN=harness/target/example/tiny_raw.cc run
//
// No exception may leave a function of the plugin: the caller is C.
#include <cstring>
#include <limits>
#include <new>
#include <string>
#include <vector>

#include "target/plugin.h"

namespace {

struct Decoded {
    std::string dtype_json;
    std::vector<int64_t> shape;
    std::vector<int64_t> strides;
    std::vector<unsigned char> data;
};

ndp_plugin_result refuse(ndp_plugin_refusal *refusal, const char *reason, const char *message) {
    std::strncpy(refusal->reason, reason, sizeof(refusal->reason) - 1);
    std::strncpy(refusal->message, message, sizeof(refusal->message) - 1);
    return NDP_PLUGIN_REFUSED;
}

// Whether the strides are those of contiguous elements in C order (or F order).
bool isContiguous(const ndp_plugin_array &array, bool fortran) {
    int64_t expected = static_cast<int64_t>(array.itemsize_bytes);
    bool same = true;
    for (uint32_t i = 0; i < array.ndim; i++) {
        const uint32_t axis = fortran ? i : array.ndim - 1 - i;
        if (array.shape[axis] == 0) return true;
        if (array.shape[axis] != 1 && array.strides_bytes[axis] != expected) same = false;
        expected *= array.shape[axis];
    }
    return same;
}

bool writeElements(const ndp_plugin_array &array, bool fortran, ndp_plugin_write *write, void *sink) {
    std::vector<int64_t> index(array.ndim, 0);
    const unsigned char *at = static_cast<const unsigned char *>(array.data);
    for (uint32_t k = 0; k < array.ndim; k++) {
        if (array.shape[k] == 0) return true;
    }
    for (;;) {
        if (array.itemsize_bytes > 0 && !write(sink, at, static_cast<size_t>(array.itemsize_bytes))) return false;
        uint32_t i = 0;
        for (; i < array.ndim; i++) {
            const uint32_t axis = fortran ? i : array.ndim - 1 - i;
            if (array.shape[axis] == 1) continue; // such an axis may have any stride
            if (++index[axis] < array.shape[axis]) {
                at += array.strides_bytes[axis];
                break;
            }
            at -= array.strides_bytes[axis] * (array.shape[axis] - 1);
            index[axis] = 0;
        }
        if (i == array.ndim) return true;
    }
}

ndp_plugin_result encode(const ndp_plugin_entry *, const ndp_plugin_array *array, ndp_plugin_write *write, void *sink,
                         ndp_plugin_refusal *refusal) try {
    const std::vector<unsigned char> filler(static_cast<size_t>(array->file_position_bytes), 0xEE);
    const bool fortran = isContiguous(*array, true) && !isContiguous(*array, false);
    if (!filler.empty() && !write(sink, filler.data(), filler.size()))
        return refuse(refusal, "limit", "the output was not accepted");
    if (!writeElements(*array, fortran, write, sink)) return refuse(refusal, "limit", "the output was not accepted");
    return NDP_PLUGIN_DONE;
} catch (const std::bad_alloc &) {
    return refuse(refusal, "memory", "out of memory");
}

ndp_plugin_result decode(const ndp_plugin_entry *, const void *bytes, size_t size, const char *,
                         const ndp_plugin_array *as, ndp_plugin_array *out, void **token,
                         ndp_plugin_refusal *refusal) try {
    if (as == nullptr) return refuse(refusal, "value", "raw bytes need a dtype and a shape");
    uint64_t need = as->itemsize_bytes;
    for (uint32_t k = 0; k < as->ndim; k++) {
        const uint64_t extent = static_cast<uint64_t>(as->shape[k]);
        if (extent != 0 && need > std::numeric_limits<int64_t>::max() / extent)
            return refuse(refusal, "value", "the array is too large");
        need *= extent;
    }
    if (as->file_position_bytes > size || size - as->file_position_bytes < need)
        return refuse(refusal, "truncated", "fewer bytes than elements");
    const unsigned char *from = static_cast<const unsigned char *>(bytes) + as->file_position_bytes;
    Decoded *decoded = new Decoded{
        as->dtype_json, {as->shape, as->shape + as->ndim}, {as->strides_bytes, as->strides_bytes + as->ndim}, {}};
    decoded->data.reserve(static_cast<size_t>(need) + 1);
    decoded->data.assign(from, from + need);
    *out = *as;
    out->dtype_json = decoded->dtype_json.c_str();
    out->shape = decoded->shape.data();
    out->strides_bytes = decoded->strides.data();
    out->data = decoded->data.data();
    out->is_writeable = true;
    out->is_mapped = false;
    out->file_position_bytes = 0;
    *token = decoded;
    return NDP_PLUGIN_DONE;
} catch (const std::bad_alloc &) {
    return refuse(refusal, "memory", "out of memory");
}

void release(ndp_plugin_array *, void *token) {
    delete static_cast<Decoded *>(token);
}

const ndp_plugin_entry entries[] = {{"raw", "memory", true, true}, {nullptr, nullptr, false, false}};

} // namespace

// The name must be ndp_plugin_ followed by the name of the file. C code must find it.
extern "C" const ndp_plugin ndp_plugin_tiny_raw;
const ndp_plugin ndp_plugin_tiny_raw = {NDP_PLUGIN_ABI, "tiny_raw", "1.0",  "biufcSUVMmRA", 64,
                                        entries,        encode,     decode, nullptr,        release};
