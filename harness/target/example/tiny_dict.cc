// tiny_dict.cc: a dict that threads share, in C++: std::map behind a lock. See plugin_dict.h.
//
//     make PLUGIN=harness/target/example/tiny_dict.cc
//     build/ndproof sweep --target tiny_dict --seconds 5
//
// No exception may leave a function of the plugin: the caller is C.
#include "target/plugin_dict.h"

#include <map>
#include <mutex>
#include <new>
#include <string>

#include "target/plugin.h"

namespace {

struct Dict {
    std::mutex lock;
    std::map<int64_t, int64_t> entries;
};

Dict *of(void *dict) {
    return static_cast<Dict *>(dict);
}

void *make(const char *key_type, const char *item_type) {
    // Other types are UNSUPPORTED, which is no failure.
    if (std::string(key_type) != "int64" || std::string(item_type) != "int64") return nullptr;
    return new (std::nothrow) Dict;
}

void destroy(void *dict) {
    delete of(dict);
}

void set(void *dict, int64_t key, int64_t item) {
    const std::lock_guard<std::mutex> held(of(dict)->lock);
    try {
        of(dict)->entries[key] = item;
    } catch (const std::bad_alloc &) {
        // The item is lost, which ndproof will notice.
    }
}

bool get(void *dict, int64_t key, int64_t *item) {
    const std::lock_guard<std::mutex> held(of(dict)->lock);
    const auto found = of(dict)->entries.find(key);
    if (found == of(dict)->entries.end()) return false;
    *item = found->second;
    return true;
}

bool remove(void *dict, int64_t key) {
    const std::lock_guard<std::mutex> held(of(dict)->lock);
    return of(dict)->entries.erase(key) > 0;
}

int64_t length(void *dict) {
    const std::lock_guard<std::mutex> held(of(dict)->lock);
    return static_cast<int64_t>(of(dict)->entries.size());
}

void each(void *dict, ndp_plugin_visit *visit, void *context) {
    const std::lock_guard<std::mutex> held(of(dict)->lock);
    for (const auto &entry : of(dict)->entries) visit(context, entry.first, entry.second);
}

const ndp_plugin_entry no_arrays[] = {{nullptr, nullptr, false, false}};

const ndp_plugin_dict tiny = {"dict", "map", make, destroy, set, get, remove, length, each};

} // namespace

extern "C" const ndp_plugin ndp_plugin_tiny_dict;
const ndp_plugin ndp_plugin_tiny_dict = {NDP_PLUGIN_ABI, "tiny_dict", "1.0",   "i",     1,       no_arrays,
                                         nullptr,        nullptr,     nullptr, nullptr, nullptr, &tiny};
