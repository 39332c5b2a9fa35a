/* A hash table with open addressing behind one lock.
 *
 * Problem: the concurrency property needs a dict that is correct by construction.
 *
 * Method: every operation takes the lock, so operations are sequential. Keys and items are stored in the form of their
 * declared types and converted back on reading. Linear probing with tombstones; the table is rebuilt when two thirds of
 * the slots are used.
 *
 * Cost: constant time per operation on average. Limits: without memory the table stays as it is, and an item is lost
 * only when it is full.
 */
#include "target/reference/reference_dict.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/byteorder.h"

enum { LEAST_SLOTS = 8, KEY_BYTES = 16, ITEM_BYTES = 16 };

enum state { FREE, TAKEN, DELETED };

struct slot {
    enum state state;
    uint8_t key[KEY_BYTES]; /* in the form of the key's type, padded with zeros */
    uint8_t item[ITEM_BYTES];
};

struct dict {
    pthread_mutex_t lock;
    char key_type; /* first letter of the type's word */
    char item_type;
    struct slot *slots;
    uint64_t slot_count; /* a power of two */
    uint64_t length;
    uint64_t used; /* slots that are not FREE */
};

/* ---- the forms of keys and items ---- */

static void put_double(uint8_t *out, double number) {
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    ndp_store_u64le(out, bits);
}

static double get_double(const uint8_t *bytes) {
    const uint64_t bits = ndp_load_u64le(bytes);
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static void put_key(const struct dict *dict, int64_t number, uint8_t out[KEY_BYTES]) {
    char digits[24];
    memset(out, 0, KEY_BYTES);
    switch (dict->key_type) {
    case 'f':
        put_double(out, (double)number / 2);
        break;
    case 'u':
        snprintf(digits, sizeof digits, "%" PRId64, number);
        memcpy(out, digits, strnlen(digits, KEY_BYTES));
        break;
    case 't':
        ndp_store_u64le(out + 8, (uint64_t)-number);
        ndp_store_u64le(out, (uint64_t)number);
        break;
    default:
        ndp_store_u64le(out, (uint64_t)number);
        break;
    }
}

static int64_t get_key(const struct dict *dict, const uint8_t key[KEY_BYTES]) {
    int64_t number = 0;
    if (dict->key_type == 'f') return (int64_t)(get_double(key) * 2);
    if (dict->key_type != 'u') return (int64_t)ndp_load_u64le(key);
    for (uint32_t i = 0; i < KEY_BYTES && key[i] != 0; i++) number = number * 10 + (key[i] - '0');
    return number;
}

static void put_item(const struct dict *dict, int64_t number, uint8_t out[ITEM_BYTES]) {
    memset(out, 0, ITEM_BYTES);
    if (dict->item_type == 'f') {
        put_double(out, (double)number);
    } else {
        ndp_store_u64le(out, (uint64_t)number);
        if (dict->item_type == 'a') ndp_store_u64le(out + 8, (uint64_t)number);
    }
}

static int64_t get_item(const struct dict *dict, const uint8_t item[ITEM_BYTES]) {
    if (dict->item_type == 'f') return (int64_t)get_double(item);
    if (dict->item_type == 'a' && ndp_load_u64le(item) != ndp_load_u64le(item + 8)) return -1;
    return (int64_t)ndp_load_u64le(item);
}

/* ---- the table; the caller has the lock ---- */

/* The slot of a key, or the slot to insert it: the first DELETED one on the way, else the FREE one. At least one slot
 * is always FREE. */
static struct slot *find(const struct dict *dict, const uint8_t key[KEY_BYTES]) {
    uint64_t hash = (ndp_load_u64le(key) ^ ndp_load_u64le(key + 8) << 1) * UINT64_C(0x9e3779b97f4a7c15);
    struct slot *room = NULL;
    for (uint64_t at = hash >> 32;; at++) {
        struct slot *slot = &dict->slots[at & (dict->slot_count - 1)];
        if (slot->state == TAKEN && memcmp(slot->key, key, KEY_BYTES) == 0) return slot;
        if (slot->state == DELETED && room == NULL) room = slot;
        if (slot->state == FREE) return room != NULL ? room : slot;
    }
}

/* Rebuilds the table when two of three slots are used. Without memory it stays as it is for as long as possible. */
static bool has_room(struct dict *dict) {
    struct dict grown = *dict;
    if ((dict->used + 1) * 3 <= dict->slot_count * 2) return true;
    while ((dict->length + 1) * 3 > grown.slot_count) grown.slot_count *= 2;
    grown.slots = calloc(grown.slot_count, sizeof *grown.slots);
    if (grown.slots == NULL) return dict->used + 1 < dict->slot_count;
    for (uint64_t i = 0; i < dict->slot_count; i++)
        if (dict->slots[i].state == TAKEN) *find(&grown, dict->slots[i].key) = dict->slots[i];
    free(dict->slots);
    dict->slots = grown.slots;
    dict->slot_count = grown.slot_count;
    dict->used = dict->length;
    return true;
}

/* ---- the operations ---- */

void *ndp_reference_dict_make(const char *key_type, const char *item_type) {
    struct dict *dict = calloc(1, sizeof *dict);
    if (dict == NULL) return NULL;
    dict->key_type = key_type[0];
    dict->item_type = item_type[0];
    dict->slot_count = LEAST_SLOTS;
    dict->slots = calloc(LEAST_SLOTS, sizeof *dict->slots);
    if (dict->slots == NULL || pthread_mutex_init(&dict->lock, NULL) != 0) {
        free(dict->slots);
        free(dict);
        return NULL;
    }
    return dict;
}

void ndp_reference_dict_free(void *context) {
    struct dict *dict = context;
    (void)pthread_mutex_destroy(&dict->lock);
    free(dict->slots);
    free(dict);
}

void ndp_reference_dict_set(void *context, int64_t key, int64_t item) {
    struct dict *dict = context;
    uint8_t bytes[KEY_BYTES];
    put_key(dict, key, bytes);
    (void)pthread_mutex_lock(&dict->lock);
    if (has_room(dict)) {
        struct slot *slot = find(dict, bytes);
        if (slot->state == FREE) dict->used++;
        if (slot->state != TAKEN) dict->length++;
        slot->state = TAKEN;
        memcpy(slot->key, bytes, KEY_BYTES);
        put_item(dict, item, slot->item);
    }
    (void)pthread_mutex_unlock(&dict->lock);
}

bool ndp_reference_dict_get(void *context, int64_t key, int64_t *item) {
    struct dict *dict = context;
    uint8_t bytes[KEY_BYTES];
    put_key(dict, key, bytes);
    (void)pthread_mutex_lock(&dict->lock);
    const struct slot *slot = find(dict, bytes);
    const bool is_there = slot->state == TAKEN;
    if (is_there) *item = get_item(dict, slot->item);
    (void)pthread_mutex_unlock(&dict->lock);
    return is_there;
}

bool ndp_reference_dict_remove(void *context, int64_t key) {
    struct dict *dict = context;
    uint8_t bytes[KEY_BYTES];
    put_key(dict, key, bytes);
    (void)pthread_mutex_lock(&dict->lock);
    struct slot *slot = find(dict, bytes);
    const bool is_there = slot->state == TAKEN;
    if (is_there) {
        slot->state = DELETED;
        dict->length--;
    }
    (void)pthread_mutex_unlock(&dict->lock);
    return is_there;
}

int64_t ndp_reference_dict_length(void *context) {
    struct dict *dict = context;
    (void)pthread_mutex_lock(&dict->lock);
    const int64_t count = (int64_t)dict->length;
    (void)pthread_mutex_unlock(&dict->lock);
    return count;
}

void ndp_reference_dict_each(void *context, ndp_plugin_visit *visit, void *visitor) {
    struct dict *dict = context;
    (void)pthread_mutex_lock(&dict->lock);
    for (uint64_t i = 0; i < dict->slot_count; i++) {
        const struct slot *slot = &dict->slots[i];
        if (slot->state == TAKEN) visit(visitor, get_key(dict, slot->key), get_item(dict, slot->item));
    }
    (void)pthread_mutex_unlock(&dict->lock);
}

const struct ndp_plugin_dict ndp_reference_dict = {
    .format = "dict",
    .entry = "locked",
    .make = ndp_reference_dict_make,
    .free = ndp_reference_dict_free,
    .set = ndp_reference_dict_set,
    .get = ndp_reference_dict_get,
    .remove = ndp_reference_dict_remove,
    .length = ndp_reference_dict_length,
    .each = ndp_reference_dict_each,
};
