/* attribute.c: decides whether the encoder or the decoder is wrong.
 *
 * Problem. One library encoded a value, another decoded it, and the result is wrong. The result alone does not show
 * which library is to blame.
 *
 * Method. Other decoders of the same bytes are the witnesses. The encoder is wrong if it refused the value, if the
 * decoder is the reference (which is checked against the specification and by fuzzing), if the reference decodes a
 * wrong value, or, without the reference, if every other entry point of the decoder does. Otherwise the decoder is
 * wrong. A witness decodes correctly if shape, kind of type and values are as promised; layout is ignored.
 *
 * A class may lose its attributes by itself. ndproof's stand-ins for classes of libraries (model/graph/array_class.h)
 * follow two rules, which are rows of the contract:
 *   - A stand-in with an effective __reduce__ (reduce_pair) is promised what Python documents of __reduce__. A library
 *     that loses its state breaks that promise, whoever wrote the class: a defect.
 *   - A stand-in whose pickling is hidden by that of ndarray (proxy) is carried by no pickler. Its loss is a defect of
 *     ndproof's own class, so it is reported as the hazard of such classes (promise "exposed"). The real class is
 *     promised the general row: if cudf.pandas loses its attributes, that is a defect.
 * The format "graph" is ndproof's and carries everything, so there the loss of any class is a defect.
 *
 * Cost. At most five comparisons of values, only for broken promises.
 *
 * Limits. Only one case is seen; engine/blame.c goes on from here with experiments. Decoders that share a misreading
 * outvote a correct encoder. A process death is attributed to the entry point that was running, even if the fault is in
 * another library; its frames are evidence for people.
 */
#include "property/attribute.h"

#include "property/judgement.h"

const char *ndp_attribute_process(const struct ndp_target_info *info, const struct ndp_route *route, enum ndp_end end) {
    const bool is_decode_only = route->encode[0] == '\0';
    return ndp_entry_library(info, route, is_decode_only ? NDP_END_DECODER : end);
}

static bool is_right(const struct ndp_trial *trial, const struct ndp_slot_record *record) {
    struct ndp_comparison comparison;
    ndp_equality_clear(&comparison);
    ndp_equality_compare_shape(&trial->promised, &record->observation, &comparison);
    ndp_equality_compare_dtype(&trial->promised, &record->observation, NDP_DTYPE_KIND, &comparison);
    if (comparison.total == 0) ndp_equality_compare_values(&trial->promised, &record->observation, 0, &comparison);
    return comparison.total == 0;
}

const char *ndp_attribute_divergence(const struct ndp_trial *trial) {
    const char *encoder = ndp_entry_library(trial->encoder, trial->route, NDP_END_ENCODER);
    const char *decoder = ndp_entry_library(trial->decoder, trial->route, NDP_END_DECODER);
    if (ndp_bytes_word_is(encoder, decoder)) return decoder;
    if (ndp_judgement_is_refused(trial, NDP_SLOT_ENCODED) || trial->is_read_by_oracle) return encoder;
    if (trial->model == NULL) return decoder;
    if (trial->oracle != NULL && trial->oracle->has_observation)
        return is_right(trial, trial->oracle) ? decoder : encoder;
    uint32_t wrong = 0;
    for (uint32_t slot = NDP_SLOT_PEER0; slot <= NDP_SLOT_PEER3; slot++) {
        const struct ndp_slot_record *peer = ndp_judgement_slot(trial, (enum ndp_slot)slot);
        if (peer == NULL || peer->state != NDP_SLOT_FILLED || !peer->has_observation) continue;
        if (is_right(trial, peer)) return decoder;
        wrong++;
    }
    return wrong > 0 ? encoder : decoder;
}
