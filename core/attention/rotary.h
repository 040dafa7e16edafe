#pragma once

#include "core/attention/component.h"
#include "core/attention/options.h"
#include "core/attention/pipeline.h"
#include "core/attention/rotation.h"
#include "core/tensor/interruption.h"

#include <string>
#include <string_view>
#include <vector>

namespace headlight {

// Rotary positions: pairs of features are turned by an angle that grows with the place (Su et al. 2024).

/// theta_i of each pair of the rotated features, and what cosines and sines are multiplied by.
struct Rotary {
    std::vector<double> frequencies;
    double magnitude = 1;
};

/// base^(-2i/d) for the d / 2 pairs of `dimensions`.
std::vector<double> rotary_frequencies(Index dimensions, double base);

/// The same, with the context length stretched as the options say; `tokens` is the length that dynamic_ntk
/// looks at, and the slowest pairs left alone. Options base, scaling, factor, original_length, yarn_ramp,
/// pair_factors, turned_share.
Rotary scaled_rotary(const Options& options, Index dimensions, Index tokens);

/// Which features form a pair.
Option pairs_option();
bool has_neighbouring_pairs(const Options& options);
/// How fast the pairs turn.
Option
base_option(const std::string& help = "Pair i of features turns by base^(−2i/d) from one place to the next.");

/// Those of queries and keys.
PairedFeatures turned_features();

/// The stages `rotated_query` and `rotated_key`.
void add_rotated_stages(const Plan& plan, StageList& list);
DeclaredStage declared_rotated_query();
DeclaredStage declared_rotated_key();

/// What the stage `angles` of record_angles() follows from, which no line has: those turn features.
Arithmetic explain_angles(const ExplainedCell& cell, std::string_view stage);

/// Numbers of the queries and keys that are copied to be turned.
inline double turned_vectors(const Plan& plan) {
    return elements(plan.queries, plan.query_width) + elements(plan.keys, plan.key_width);
}

/// Turns by the places of the run's tokens. `length(token, pair)` multiplies the cosine and the sine.
template <class Real, class Length>
RotationTable<Real> rotation_table(Operands<Real>& operands, const std::vector<double>& frequencies,
                                   Index tokens, bool is_interleaved, const Length& length) {
    const Index pairs = std::ssize(frequencies);
    return fill_rotations(frequencies, 0, is_interleaved, length, operands.allocate(tokens, pairs),
                          operands.allocate(tokens, pairs));
}

/// Records the angles of the queries' places once in a run, [n, pairs].
template <class Real>
void record_angles(const Plan& plan, Pipeline<Real>& pipeline, const std::vector<double>& frequencies) {
    pipeline.prepare.push_back([&plan, frequencies](Index head, const Recorder& record) {
        const std::span<double> angles = record.stage("angles");
        const Index pairs = std::ssize(frequencies);
        for (Index at = 0; head == 0 && at < std::min(std::ssize(angles), plan.queries * pairs); ++at) {
            const Index place = at / pairs;
            angles[static_cast<std::size_t>(at)] =
                static_cast<double>(place) * frequencies[static_cast<std::size_t>(at % pairs)];
        }
    });
}

}  // namespace headlight
