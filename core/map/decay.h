#pragma once

#include "core/map/map_source.h"

#include <vector>

namespace headlight {

/// How much of what came before it each token leaves, as a linear layer has computed it: a_t, between 0
/// and 1. A number for each head, for each token of a head, or for each token and channel. Threads may read
/// it at the same time.
class Decay {
public:
    /// What the numbers are.
    enum class Form {
        factor,     ///< a
        logarithm,  ///< ln a
    };

    /// Numbers [layer, head, token, width], as a source whose last axis is the width: 1, or the channels. One
    /// token stands for all. Up to most_checked numbers are read and checked at once, others where somebody
    /// looks. Throws Error naming layer, head and token of one that is no decay: no number, below 0, above 1.
    /// `layers_in_model` are the numbers of the layers, from 0; empty where these are their places.
    Decay(std::shared_ptr<const MapSource> numbers, Form form, std::vector<Index> layers_in_model = {});

    Index layers() const { return numbers_->extents().layers; }
    Index heads() const { return numbers_->extents().heads; }
    Index tokens() const { return numbers_->extents().queries; }  ///< 1 where a head has a single number
    Index width() const { return numbers_->extents().keys; }

    /// The factors a of tokens from `first` on, [count, width] in `to`. Throws Error as the constructor.
    void read(MapPlace place, Index first, Index count, std::span<double> to) const;

    static constexpr Index most_checked = Index(1) << 22;

private:
    double factor(double number, MapPlace place, Index token) const;

    std::shared_ptr<const MapSource> numbers_;
    Form form_;
    std::vector<Index> layers_in_model_;
};

}  // namespace headlight
