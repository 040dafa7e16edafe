#pragma once

#include "core/kernels/arithmetic.h"
#include "core/map/decay.h"
#include "core/map/head_rows.h"
#include "core/map/recently_used.h"

namespace headlight {

/// How weights follow from the queries and keys of a linear layer, beside their decay.
struct ImpliedTerms {
    double scale = 1;         ///< of q . k
    bool causal = false;      ///< a token sees itself and what is before it alone
    bool normalised = false;  ///< each row is divided by its sum
};

class FadedKeys;

/// The weights that a linear layer implies and never forms, recomputed where someone looks. The layer keeps a
/// state in place of a map, S <- diag(a_t) S + k_t v_t^T, o_i = S^T q_i, so that query i takes from value j
///     scale * q_i . (a_{j+1} * ... * a_i * k_j),    j <= i,
/// and nothing from later ones (Yang et al. 2024, "Gated linear attention", section 4; Dao and Gu 2024,
/// "Transformers are SSMs", section 3). There is no softmax: weights may be negative.
///
/// Decays are multiplied, never divided by: what has faded below 1e-290 is 0, and nothing overflows however
/// long the text. A block takes its cells times d multiply-adds, and a walk over the keys' chunks between it
/// and its rows; of all n tokens n d numbers are kept for a head.
class ImpliedMaps : public MapSource {
public:
    /// Queries [layer, head, token, d] and keys [layer, key head, token, d], as sources whose last axis is d;
    /// the decay, or null where nothing fades, for every head of queries or of keys. Throws Error where they
    /// do not belong together, and where something fades that is not causal.
    ImpliedMaps(std::shared_ptr<const MapSource> queries, std::shared_ptr<const MapSource> keys,
                std::shared_ptr<const Decay> decay, const ImpliedTerms& terms);

    bool is_implied(Index) const override { return true; }
    KeyRange allowed_keys(MapPlace place, Index query) const override;
    void read_rows(MapPlace place, Index first, Index count, std::span<double> to) const override;
    void read_block(MapPlace place, const MapBlock& block, std::span<double> to) const override;
    void read_folded(MapPlace place, Index first, Index count, Index width,
                     std::span<FoldedCell> to) const override;

private:
    class Rows;

    MapPlace key_place(MapPlace place) const;
    MapPlace decay_place(MapPlace place) const;
    std::shared_ptr<const FadedKeys> keys_of(MapPlace place) const;

    std::shared_ptr<const MapSource> queries_, keys_;
    std::shared_ptr<const Decay> decay_;
    ImpliedTerms terms_;
    const kernels::Table<double>& kernels_;
    const kernels::Arithmetic<double>& arithmetic_;
    mutable RecentlyUsed<MapPlace, const FadedKeys> faded_;
};

}  // namespace headlight
