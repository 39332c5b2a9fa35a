#include "target/claims.h"

#include <stdlib.h>
#include <string.h>

#include "base/byteorder.h"
#include "base/text.h"
#include "target/plugin_dict.h"
#include "target/plugin_graph.h"
#include "target/process/heap_meter.h"

/* The cost of a schedule of threads, in ordinary cases. */
enum { DICT_COST = 16 };

/* The histories that the interpreter can make of the calls of every plugin (target/interpret_history.h). */
#define HISTORIES                                                                                                      \
    (NDP_HISTORY_BIT(NDP_HISTORY_REUSED) | NDP_HISTORY_BIT(NDP_HISTORY_FAILED) | NDP_HISTORY_BIT(NDP_HISTORY_FREED))

/* Splits a format such as "pickle:5:in-band". */
static struct ndp_entry split_format(const char *text) {
    struct ndp_entry out = {.protocol = 0};
    char copy[3 * NDP_WORD_BYTES];
    char *rest = copy;
    ndp_text_cut(text, copy, sizeof copy);
    rest = strchr(copy, ':');
    if (rest) {
        *rest++ = '\0';
        out.protocol = (int32_t)strtol(rest, &rest, 10);
        if (*rest == ':') ndp_text_cut(rest + 1, out.buffers, sizeof out.buffers);
    }
    ndp_text_cut(copy, out.format, sizeof out.format);
    return out;
}

/* Whether the entry has the step's format. Comparing the text is faster than splitting it. */
static bool is_of_format(const struct ndp_plugin_entry *entry, const struct ndp_step *step) {
    const char *at = entry->format, *word = step->format;
    int32_t protocol = 0;
    for (; *at != '\0' && *at == *word; at++) word++;
    if (*word != '\0' || (*at != '\0' && *at != ':')) return false;
    if (*at == ':')
        for (at++; *at >= '0' && *at <= '9'; at++) protocol = 10 * protocol + (*at - '0');
    return protocol == step->protocol && ndp_bytes_word_is(*at == ':' ? at + 1 : "", step->buffers);
}

const struct ndp_plugin_entry *ndp_claims_find(const struct ndp_plugin_entry *entries, const struct ndp_step *step,
                                               bool to_encode) {
    for (const struct ndp_plugin_entry *entry = entries; entry->format; entry++) {
        if (ndp_bytes_word_is(entry->entry, step->entry) && is_of_format(entry, step) &&
            (to_encode ? entry->encodes : entry->decodes))
            return entry;
    }
    return NULL;
}

/* Returns why a list of entries is invalid, or NULL. Counts the entries. */
static const char *check_entries(const struct ndp_plugin_entry *entry, uint32_t *count) {
    for (; entry->format; entry++, (*count)++) {
        if (!entry->entry || strlen(entry->format) >= NDP_WORD_BYTES || strlen(entry->entry) >= NDP_WORD_BYTES)
            return "an entry has no format or entry point, or one that is too long";
        if (*count == NDP_MAX_ENTRIES) return "too many entries";
    }
    return NULL;
}

static const char *check_dict(const struct ndp_plugin_dict *dict, uint32_t *count) {
    const struct ndp_plugin_entry entry[] = {{dict->format, dict->entry, false, false}, {NULL, NULL, false, false}};
    if (!dict->format || !dict->make || !dict->free || !dict->set || !dict->get || !dict->remove || !dict->length ||
        !dict->each)
        return "the dict lacks a function";
    return check_entries(entry, count);
}

static const char *check_plugin(const struct ndp_plugin *plugin) {
    uint32_t entries = 0;
    if (plugin->abi != NDP_PLUGIN_ABI) return "built for another version of plugin.h (member abi)";
    if (!plugin->name || !plugin->version || !plugin->kinds || !plugin->entries) return "a required member is missing";
    if (strlen(plugin->name) >= NDP_WORD_BYTES || strlen(plugin->version) >= NDP_WORD_BYTES ||
        strlen(plugin->kinds) >= NDP_MAX_KINDS_TEXT)
        return "name, version or kinds is too long";
    if (plugin->graph && !plugin->graph->entries) return "a required member is missing";
    const char *why = check_entries(plugin->entries, &entries);
    if (!why && plugin->graph) why = check_entries(plugin->graph->entries, &entries);
    if (!why && plugin->dict) why = check_dict(plugin->dict, &entries);
    return why;
}

enum ndp_status ndp_claims_check(const struct ndp_plugin *plugin, struct ndp_error *error) {
    const char *why = check_plugin(plugin);
    return why ? ndp_error_set(error, NDP_INVALID, NDP_NO_OFFSET, "plugin: %s", why) : NDP_OK;
}

static struct ndp_entry *add_row(struct ndp_target_info *info, const char *format, const char *entry) {
    struct ndp_entry *row = &info->entries[info->entry_count++];
    *row = split_format(format);
    ndp_text_cut(entry, row->entry, sizeof row->entry);
    memcpy(row->library, info->implementation, sizeof row->library);
    row->is_inert = true; /* target/plugin.h requires it */
    return row;
}

/* The row exists already when the entry takes arrays as well. */
static void add_graph_rows(struct ndp_target_info *info, const struct ndp_plugin_graph *graph) {
    const uint32_t count = info->entry_count;
    for (const struct ndp_plugin_entry *entry = graph->entries; entry->format; entry++) {
        const struct ndp_entry like = split_format(entry->format);
        struct ndp_entry *row = NULL;
        for (uint32_t i = 0; i < count && !row; i++) {
            struct ndp_entry *one = &info->entries[i];
            if (ndp_bytes_word_is(one->format, like.format) && one->protocol == like.protocol &&
                ndp_bytes_word_is(one->buffers, like.buffers) && ndp_bytes_word_is(one->entry, entry->entry))
                row = one;
        }
        if (!row) {
            row = add_row(info, entry->format, entry->entry);
            row->encodes = entry->encodes;
            row->decodes = entry->decodes;
            row->takes_no_arrays = true;
        }
        row->takes_graphs = true;
        row->lacks_functions = graph->takes_functions && !graph->takes_functions(entry);
        row->takes_instances = graph->takes_instances && graph->takes_instances(entry);
    }
}

void ndp_claims_to_info(const struct ndp_plugin *plugin, struct ndp_target_info *out) {
    struct ndp_target_info info = {
        .is_little_endian = ndp_byteorder_host_is_little(),
        .max_ndim = plugin->max_ndim < NDP_MAX_NDIM ? plugin->max_ndim : NDP_MAX_NDIM,
        .max_value_bytes = UINT64_C(1) << 30,
        .tells_peak = ndp_heap_meter_is_available(),
        .library_count = 1,
    };
    ndp_text_cut(plugin->name, info.name, sizeof info.name);
    ndp_text_cut(plugin->name, info.implementation, sizeof info.implementation);
    ndp_text_cut(plugin->version, info.version, sizeof info.version);
    ndp_text_cut("C", info.language, sizeof info.language);
    ndp_text_cut(plugin->kinds, info.kinds, sizeof info.kinds);
    memcpy(info.libraries[0].name, info.implementation, sizeof info.libraries[0].name);
    memcpy(info.libraries[0].version, info.version, sizeof info.libraries[0].version);
    for (const struct ndp_plugin_entry *entry = plugin->entries; entry->format; entry++) {
        struct ndp_entry *row = add_row(&info, entry->format, entry->entry);
        row->encodes = entry->encodes;
        row->decodes = entry->decodes;
    }
    if (plugin->graph) add_graph_rows(&info, plugin->graph);
    for (uint32_t i = 0; i < info.entry_count; i++)
        info.entries[i].histories = HISTORIES | (plugin->takes_threads ? NDP_HISTORY_BIT(NDP_HISTORY_THREADS) : 0);
    if (plugin->dict) {
        struct ndp_entry *row = add_row(&info, plugin->dict->format, plugin->dict->entry);
        row->transports = row->takes_dicts = true;
        row->cost = DICT_COST;
    }
    *out = info;
}
