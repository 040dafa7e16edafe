#pragma once

#include "core/nn/tape.h"

#include <memory>
#include <vector>

namespace headlight {

/// Rows that grow at their end by those of each token that is read, and are cut off there to step back:
/// neither touches the others.
template <class Real>
class Cache {
public:
    /// All of them, [rows, columns], until more are appended; without a value where there are none.
    nn::Variable<Real> all();
    /// With its gradients where the tape differentiates: what is remembered then lives on this tape.
    void append(nn::Tape<Real>& tape, nn::Variable<Real> more);
    /// Nothing where there are no more than so many.
    void truncate(Index rows);
    /// No gradient goes back through those that there are.
    void forget_gradients() { on_tape_ = on_tape_.without_gradient(); }

private:
    std::vector<Real> numbers_;
    Index columns_ = 0;             ///< of the numbers
    nn::Variable<Real> on_tape_{};  ///< in place of the numbers, of a tape that differentiates
};

/// What a layer of a decoder looks back at, of everything that it has read.
template <class Real>
struct LayerCache {
    /// What its own text was: of a convolution and a mechanism's program what they were given, as keys alone.
    Cache<Real> key, value;
    /// What cross attention was asked with, where a mechanism sees all its queries.
    Cache<Real> asked;

    void truncate(Index rows) {
        for (Cache<Real>* each : {&key, &value, &asked})
            each->truncate(rows);
    }
};

/// What the layers of a decoder look back at, of a batch of texts. The states of their steps share it: each
/// looks at the tokens that it has read, the first ones, and those behind them are there as long as a state
/// of a later step is.
class TextCache {
public:
    TextCache(std::size_t layer_count, Index batch) : layers(layer_count), batch_(batch) {}

    /// One to go on in from a state that has read so many tokens of `cache`: this one, cut there; a copy,
    /// where a state of a later step wants the rest.
    static std::shared_ptr<TextCache> behind(const std::shared_ptr<TextCache>& cache, Index steps);
    /// One more step is in it, which stays as long as somebody keeps what this returns.
    std::shared_ptr<const void> add_step();
    Index steps() const { return std::ssize(steps_); }

    std::vector<LayerCache<float>> layers;

private:
    void truncate(Index steps);

    Index batch_;
    std::vector<std::weak_ptr<const void>> steps_;
};

extern template class Cache<float>;
extern template class Cache<double>;

}  // namespace headlight
