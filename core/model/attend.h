#pragma once

#include "core/attention/spec.h"
#include "core/model/hook.h"
#include "core/model/local_window.h"
#include "core/nn/normalize.h"
#include "core/nn/score.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace headlight {

/// What a site attends with, in the words of the catalogue, and its learned numbers.
struct Attention {
    Score score;            ///< with all options
    Normalizer normalizer;  ///< with all options
    LocalWindow window;
    nn::ScoreWeights score_weights;
    nn::NormalizerWeights normalizer_weights;
    nn::Weight centre, opening;  ///< W_p and v_p, of a predicted window
    /// Places that a query and a key can have at most, of scores that have a number for each; else 0.
    Index query_places = 0, key_places = 0;

    /// Under the engine's names.
    std::vector<std::pair<std::string, nn::Weight>> parameters() const;
};

/// Adds PREFIX + NAME to the layout for each parameter that the engine has. Throws Error for options that
/// there are not and widths that do not fit the score.
Attention add_attention(nn::ParameterLayout& layout, const std::string& prefix, const Score& score,
                        const Normalizer& normalizer, const nn::ScoreExtents& extents,
                        const LocalWindow& window = {});

/// Throws Error when the weights of one query depend on queries after it, or its scores on other queries:
/// nothing for who makes queries one after another.
void require_separate_queries(const Attention& attention, const std::string& operation);

/// Throws Error when the score has no numbers for places as late as the last of so many queries and keys.
void require_places(const Attention& attention, Index queries, Index keys);

/// The factor of the dot products that a score is, by the width of a head's query; nothing for another score,
/// or where its numbers are bent afterwards.
std::optional<double> product_factor(const Score& score, Index width);

/// The factor of its dot products, where these are all of its score and softmax all that follows: what
/// nn::soft_attention does in one, of queries and keys after their norm. `width` is that of a head's query.
std::optional<double> dot_factor(const Attention& attention, Index width);

/// What a site remembers from query to query.
template <class Real>
struct AttentionState {
    nn::ScoreState<Real> score;
    nn::NormalizerState<Real> normalizer;
};

/// That before the query of this number. `stream` is that of the normaliser's draws.
template <class Real>
AttentionState<Real> first_attention_state(nn::Tape<Real>& tape, const nn::Pairing& pairing,
                                           const Attention& attention, const nn::Allowed& allowed,
                                           Index query = 0, std::uint64_t stream = 0);

/// What a site has when it attends: the scores of its queries, and what it mixes.
template <class Real>
struct Attending {
    nn::Variable<Real> query;   ///< [n b, ..], what the site is asked with
    nn::Variable<Real> scores;  ///< [b h n, m], of `query` or of what it was projected to
    nn::Variable<Real> value;   ///< [m b, h d_v]
    nn::Allowed allowed;
};

template <class Real>
struct Attended {
    nn::Variable<Real> weights;  ///< [b h n, m], of allowed pairs only
    nn::Variable<Real> context;  ///< [n b, h d_v]
};

/// From a site's scores to its context, under the eyes of an hook, unless it is null.
template <class Real>
Attended<Real> attend(nn::Tape<Real>& tape, const SiteCall& call, const Attention& attention,
                      const Attending<Real>& attending, AttentionState<Real>& state, Hook<Real>* hook);

}  // namespace headlight
