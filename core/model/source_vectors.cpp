#include "core/model/source_vectors.h"

#include "core/nn/operations.h"

#include <algorithm>

namespace headlight {

using namespace nn;

template <class Real>
Variable<Real> source_vectors(Tape<Real>& tape, Weight weights, const SourceFrames& frames,
                              const Sequences& source) {
    if (frames.width == 0)
        return take_rows(tape, tape.weight(weights), source.tokens);
    const Variable<Real> heard = tape.constant(source.steps * source.batch, frames.width);
    std::fill_n(heard.value, heard.size(), Real(0));
    for (Index sequence = 0; sequence < source.batch; ++sequence) {
        std::vector<Index> tokens;
        for (Index step = 0; step < source.lengths[static_cast<std::size_t>(sequence)]; ++step)
            tokens.push_back(source.at(step)[static_cast<std::size_t>(sequence)]);
        const FloatTensor its = frames.of(tokens);
        for (Index step = 0; step < its.rows(); ++step)
            for (Index column = 0; column < frames.width; ++column)
                heard.row(step * source.batch + sequence)[column] = static_cast<Real>(its(step, column));
    }
    return product(tape, heard, weights);
}

template Variable<float> source_vectors(Tape<float>&, Weight, const SourceFrames&, const Sequences&);
template Variable<double> source_vectors(Tape<double>&, Weight, const SourceFrames&, const Sequences&);

}  // namespace headlight
