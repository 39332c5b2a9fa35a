/* pickle_graph_reader.h: what the files of the reader of graphs share; nobody else includes it.
 *
 * pickle_graph_read.c numbers objects and reads scalars and containers; pickle_graph_read_array.c reads arrays of every
 * class.
 */
#ifndef NDP_PICKLE_GRAPH_READER_H
#define NDP_PICKLE_GRAPH_READER_H

#include "codec/pickle/pickle_graph.h"

enum { NDP_GRAPH_PART = 4 };

struct ndp_graph_reader {
    struct ndp_objects *objects;
    struct ndp_array_reader arrays;
    struct ndp_error *error;
    const struct ndp_graph_map *map;   /* what arrays may stay in, or NULL */
    uint32_t capacity;                 /* of nodes and origins: at most NDP_MAX_NODES */
    struct ndp_node **parts;           /* of so many nodes each, which are large: they do not move */
    const struct ndp_object **origins; /* of each node; NULL of those that a reader made up and has read */
    uint32_t *numbers;                 /* of each object: the number of its node and one; 0 is none yet */
    uint32_t count;
    struct ndp_edge *edges; /* of the node that is read: at most NDP_MAX_EDGES; they move when there are more */
    uint32_t edge_room;
    uint32_t edge_count;
};

/* Sets the error at an object, NULL being nowhere. */
enum ndp_status ndp_graph_reader_fail(const struct ndp_graph_reader *r, enum ndp_status status,
                                      const struct ndp_object *at, const char *text);

/* Refuses as UNSUPPORTED an object that no node represents (a function, a set, an instance of some class); the error
 * names the global that the pickle looks up or calls for it. */
enum ndp_status ndp_graph_reader_refuse(const struct ndp_graph_reader *r, const struct ndp_object *object);

/* Gives the number of the node that stands for `object`; one that is met first waits to be read. */
enum ndp_status ndp_graph_reader_node(struct ndp_graph_reader *r, const struct ndp_object *object,
                                      uint32_t *out) NDP_MUST_USE;

/* Gives the number of a node that stands for no object of its own, and that is None until it is filled. */
enum ndp_status ndp_graph_reader_add(struct ndp_graph_reader *r, uint32_t *out) NDP_MUST_USE;

/* A node that was given a number. */
static inline struct ndp_node *ndp_graph_reader_at(const struct ndp_graph_reader *r, uint32_t number) {
    return &r->parts[number / NDP_GRAPH_PART][number % NDP_GRAPH_PART];
}

/* Adds an edge to the node that is read, by number or to what an object becomes. */
enum ndp_status ndp_graph_reader_edge(struct ndp_graph_reader *r, enum ndp_edge_role role, struct ndp_bytes name,
                                      uint32_t to) NDP_MUST_USE;
enum ndp_status ndp_graph_reader_follow(struct ndp_graph_reader *r, enum ndp_edge_role role, struct ndp_bytes name,
                                        const struct ndp_object *object) NDP_MUST_USE;

/* Gives a copy of the bytes of a TEXT, STRING or BYTES: those of a stream are gone before the graph is. */
enum ndp_status ndp_graph_reader_bytes(struct ndp_graph_reader *r, const struct ndp_object *object,
                                       struct ndp_bytes *out) NDP_MUST_USE;

/* Reads an object that is an array, of any class, as a pickle or joblib's wrapper has it, or refuses it. */
bool ndp_graph_is_array(const struct ndp_object *object);
enum ndp_status ndp_graph_read_array(struct ndp_graph_reader *r, const struct ndp_object *object,
                                     struct ndp_node *node) NDP_MUST_USE;

#endif
