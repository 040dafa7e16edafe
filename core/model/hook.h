#pragma once

#include "core/nn/attention.h"
#include "core/nn/copy.h"

#include <cstdint>
#include <string>

namespace headlight {

/// One site of a model in one call.
struct SiteCall {
    std::string site;  ///< "decoder.0.cross"
    nn::Pairing pairing;
    Index first_query = 0;     ///< place of the call's first query among those of the sequence
    std::uint64_t stream = 0;  ///< of what its normaliser draws (NormalizerState::stream)
};

/// Sees what the sites of a model do, and may change it: the model goes on with what it finds. Of a mixture
/// only numbers are shown: they are written down when the step has been said.
template <class Real>
class Hook {
public:
    virtual ~Hook() = default;
    /// Masked scores, [b h n, m], before they become weights. `query` [n b, ..] is what the site is asked
    /// with, before any projection of its own.
    virtual void scores(const SiteCall&, nn::Variable<Real> /*query*/, nn::Variable<Real> /*scores*/) {}
    /// Weights, [b h n, m], before the values are mixed.
    virtual void weights(const SiteCall&, nn::Variable<Real> /*weights*/) {}
    /// [n b, h d_v]
    virtual void context(const SiteCall&, nn::Variable<Real> /*context*/) {}
    /// What a site with a mechanism's program was asked with, [n b, d], and its weights, [b h n, m], nothing
    /// where the mechanism has none. Nothing of it can be changed.
    virtual void attended(const SiteCall&, nn::Variable<Real> /*query*/, nn::Variable<Real> /*weights*/) {}
    /// What a step says, of a model that copies.
    virtual void mixture(const nn::CopyMixture<Real>&) {}
};

}  // namespace headlight
