/* object_walk.h: a walk over objects (codec/pickle/object.h), each once; nothing recurses.
 *
 * What a RAW object's wrapper says of it, and the texts of a GLOBAL, are not walked over.
 */
#ifndef NDP_OBJECT_WALK_H
#define NDP_OBJECT_WALK_H

#include "codec/pickle/object.h"

/* By the number of an object: the mark of the walk that met it last; 0 is none yet. */
struct ndp_object_marks {
    uint32_t *marks;
    uint32_t count; /* objects made after it are not walked over */
};

/* Called for an object before its parts are looked at; it may change them. `earlier` is the mark that the object had.
 * What it gives ends the walk unless it is OK. */
typedef enum ndp_status ndp_object_visit(void *context, struct ndp_object *object, uint32_t earlier);

/* Makes marks for the objects that there are, in their arena. Errors: NOMEM. */
enum ndp_status ndp_object_marks_new(struct ndp_objects *objects, struct ndp_object_marks *out) NDP_MUST_USE;

/* Visits `root` and what it leads to, but for what has the mark `mark` (not 0) already. Errors: NOMEM, what `visit`
 * gives. */
enum ndp_status ndp_object_walk(struct ndp_objects *objects, const struct ndp_object *root,
                                struct ndp_object_marks *marks, uint32_t mark, ndp_object_visit *visit,
                                void *context) NDP_MUST_USE;

#endif
