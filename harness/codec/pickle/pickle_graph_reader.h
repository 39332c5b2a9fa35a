/* pickle_graph_reader.h: internals shared by the files of the graph reader. pickle_graph_read.c numbers objects and
 * reads scalars and containers; pickle_graph_read_array.c reads arrays of every class. */
#ifndef NDP_PICKLE_GRAPH_READER_H
#define NDP_PICKLE_GRAPH_READER_H

#include "codec/pickle/pickle_graph.h"

enum { NDP_GRAPH_PART = 4 };

struct ndp_pickle_graph_reader {
    struct ndp_objects *objects;
    struct ndp_array_reader arrays;
    struct ndp_error *error;
    const struct ndp_graph_map *map;   /* file in which arrays may stay, or NULL */
    uint32_t capacity;                 /* of nodes and origins: at most NDP_MAX_NODES */
    struct ndp_node **parts;           /* NDP_GRAPH_PART nodes each, so that nodes never move */
    const struct ndp_object **origins; /* by node; NULL for a node without an object, which is already complete */
    uint32_t *numbers;                 /* by object: number of its node + 1; 0 for none yet */
    uint32_t count;
    struct ndp_edge *edges; /* of the current node: at most NDP_MAX_EDGES; moves when it grows */
    uint32_t edge_room;
    uint32_t edge_count;
};

/* Sets the error at an object; NULL for no offset. */
enum ndp_status ndp_pickle_graph_reader_fail(const struct ndp_pickle_graph_reader *r, enum ndp_status status,
                                             const struct ndp_object *at, const char *text);

/* Refuses an object that no node represents (a function, a set, an instance of some class) as UNSUPPORTED; the error
 * names the global that the pickle looks up or calls for it. */
enum ndp_status ndp_pickle_graph_reader_refuse(const struct ndp_pickle_graph_reader *r,
                                               const struct ndp_object *object);

/* Fills the number of the node of `object`; queues an object that it meets for the first time. */
enum ndp_status ndp_pickle_graph_reader_find_node(struct ndp_pickle_graph_reader *r, const struct ndp_object *object,
                                                  uint32_t *out) NDP_MUST_USE;

/* Adds a node without an object, None until filled. */
enum ndp_status ndp_pickle_graph_reader_add_node(struct ndp_pickle_graph_reader *r, uint32_t *out) NDP_MUST_USE;

/* The node with this number. */
static inline struct ndp_node *ndp_pickle_graph_reader_node_at(const struct ndp_pickle_graph_reader *r,
                                                               uint32_t number) {
    return &r->parts[number / NDP_GRAPH_PART][number % NDP_GRAPH_PART];
}

/* Adds an edge to the current node: to a node number, or to the node of an object. */
enum ndp_status ndp_pickle_graph_reader_add_edge(struct ndp_pickle_graph_reader *r, enum ndp_edge_role role,
                                                 struct ndp_bytes name, uint32_t to) NDP_MUST_USE;
enum ndp_status ndp_pickle_graph_reader_add_edge_to(struct ndp_pickle_graph_reader *r, enum ndp_edge_role role,
                                                    struct ndp_bytes name,
                                                    const struct ndp_object *object) NDP_MUST_USE;

/* Copies the bytes of a TEXT, STRING or BYTES, because the input does not outlive the graph. */
enum ndp_status ndp_pickle_graph_reader_copy_bytes(struct ndp_pickle_graph_reader *r, const struct ndp_object *object,
                                                   struct ndp_bytes *out) NDP_MUST_USE;

/* Recognises and reads an array of any class, pickled or wrapped by joblib. */
bool ndp_pickle_graph_reader_is_array(const struct ndp_object *object);
enum ndp_status ndp_pickle_graph_reader_array(struct ndp_pickle_graph_reader *r, const struct ndp_object *object,
                                              struct ndp_node *node) NDP_MUST_USE;

#endif
