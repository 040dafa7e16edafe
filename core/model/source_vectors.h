#pragma once

#include "core/model/sequences.h"
#include "core/nn/tape.h"

#include <functional>

namespace headlight {

/// What a model is given of a source that is heard or seen: a frame of numbers for each token, in place of a
/// word.
struct SourceFrames {
    Index width = 0;  ///< numbers of a frame; 0: the tokens are words
    /// Those of the tokens of one source, [tokens, width].
    std::function<FloatTensor(std::span<const Index>)> of{};

    /// Rows of the weights that make vectors of a source: one for each word, or for each number of a frame.
    Index rows_of_weights(Index vocabulary) const { return width > 0 ? width : vocabulary; }
};

/// The vectors of a source, [steps b, d]: rows of the weights, or frames times the weights (the first layer
/// of the listener; Chan et al. 2016, section 3.1, without its pyramid; of patches Dosovitskiy et al. 2021,
/// equation 1). There is nothing behind the end.
template <class Real>
nn::Variable<Real> source_vectors(nn::Tape<Real>& tape, nn::Weight weights, const SourceFrames& frames,
                                  const Sequences& source);

}  // namespace headlight
