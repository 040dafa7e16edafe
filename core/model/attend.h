#pragma once

#include "core/attention/spec.h"
#include "core/model/onlooker.h"

namespace headlight {

/// From a site's scores to its context, [n b, h d_v], under the eyes of an onlooker, unless it is null.
/// Weights of `allowed` pairs only.
template <class Real>
struct Attended {
    nn::Variable<Real> weights;
    nn::Variable<Real> context;
};

template <class Real>
Attended<Real> attend(nn::Tape<Real>& tape, const SiteCall& call, nn::Variable<Real> query,
                      nn::Variable<Real> scores, nn::Variable<Real> value, const nn::Allowed& allowed,
                      const Normalizer& normalizer, Onlooker<Real>* onlooker);

}  // namespace headlight
