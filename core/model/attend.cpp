#include "core/model/attend.h"

namespace headlight {

template <class Real>
Attended<Real> attend(nn::Tape<Real>& tape, const SiteCall& call, nn::Variable<Real> query,
                      nn::Variable<Real> scores, nn::Variable<Real> value, const nn::Allowed& allowed,
                      const Normalizer& normalizer, Onlooker<Real>* onlooker) {
    const nn::Variable<Real> masked = nn::mask_scores(tape, call.pairing, scores, allowed);
    if (onlooker)
        onlooker->scores(call, query, masked);
    const nn::Variable<Real> weights = nn::softmax(tape, masked, static_cast<Real>(normalizer.temperature));
    if (onlooker)
        onlooker->weights(call, weights);
    const nn::Variable<Real> context = nn::mix_values(tape, call.pairing, weights, value);
    if (onlooker)
        onlooker->context(call, context);
    return {weights, context};
}

#define HEADLIGHT_INSTANTIATE(Real)                                                                          \
    template Attended<Real> attend(nn::Tape<Real>&, const SiteCall&, nn::Variable<Real>, nn::Variable<Real>, \
                                   nn::Variable<Real>, const nn::Allowed&, const Normalizer&,                \
                                   Onlooker<Real>*);
HEADLIGHT_INSTANTIATE(float)
HEADLIGHT_INSTANTIATE(double)
#undef HEADLIGHT_INSTANTIATE

}  // namespace headlight
