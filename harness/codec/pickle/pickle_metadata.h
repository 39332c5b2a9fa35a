/* pickle_metadata.h: converts metadata of dtypes between a dict of a pickle and the text of a JSON object in the model.
 */
#ifndef NDP_PICKLE_METADATA_H
#define NDP_PICKLE_METADATA_H

#include "codec/pickle/object.h"

/* None and an empty dict yield empty text. Strings of Python 2 are latin-1. Errors: UNSUPPORTED (keys that are not
 * text, values that JSON lacks, integers beyond 2^53, depth over 16), NOMEM. */
enum ndp_status ndp_pickle_metadata_read(struct ndp_arena *arena, const struct ndp_object *object,
                                         struct ndp_bytes *out) NDP_MUST_USE;

/* Makes the dict of a JSON object. Errors: UNSUPPORTED (not an object), NOMEM. */
enum ndp_status ndp_pickle_metadata_make(struct ndp_objects *objects, struct ndp_bytes text,
                                         struct ndp_object **out) NDP_MUST_USE;

#endif
