#include "core/model/attend.h"

#include "core/attention/kernel_scores.h"
#include "core/nn/operations.h"
#include "core/nn/window.h"
#include "core/tensor/error.h"

#include <algorithm>

namespace headlight {

std::vector<std::pair<std::string, nn::Weight>> Attention::parameters() const {
    std::vector<std::pair<std::string, nn::Weight>> all(score_weights.begin(), score_weights.end());
    all.insert(all.end(), normalizer_weights.begin(), normalizer_weights.end());
    if (window.kind == LocalWindow::Kind::predicted)
        all.insert(all.end(), {{"W_p", centre}, {"v_p", opening}});
    return all;
}

Attention add_attention(nn::ParameterLayout& layout, const std::string& prefix, const Score& score,
                        const Normalizer& normalizer, const nn::ScoreExtents& extents,
                        const LocalWindow& window) {
    Attention attention;
    attention.score = nn::complete_score(score);
    attention.normalizer = nn::complete_normalizer(normalizer);
    attention.window = window;
    attention.score_weights = nn::add_score(layout, prefix, attention.score, extents);
    attention.normalizer_weights = nn::add_normalizer(layout, prefix, attention.normalizer, extents.heads);
    const ScoreType type = attention.score.type;
    const bool knows_queries = type == ScoreType::random_synthesizer;
    if (knows_queries)
        attention.query_places = extents.queries;
    if (knows_queries || type == ScoreType::location || type == ScoreType::dense_synthesizer)
        attention.key_places = extents.keys;
    if (window.kind == LocalWindow::Kind::predicted) {
        attention.centre = layout.add(prefix + "W_p", extents.query_width, extents.query_width);
        attention.opening = layout.add(prefix + "v_p", 1, extents.query_width, nn::Initial::recurrent);
    }
    return attention;
}

void require_separate_queries(const Attention& attention, const std::string& operation) {
    if (nn::couples_queries(attention.score))
        throw Error({operation, "score", "one that knows a query's scores from that query alone",
                     "one that looks at other queries (selective; multi_token with more than one query)"});
    if (nn::couples_queries(attention.normalizer))
        throw Error({operation, "normalizer", "one that knows a query's weights from its own scores",
                     "one that balances all queries (sinkhorn, slot)"});
}

void require_places(const Attention& attention, Index queries, Index keys) {
    const auto require = [](const char* where, Index known, Index asked) {
        if (known > 0 && asked > known)
            throw Error({"score by place", where, "at most " + std::to_string(known), std::to_string(asked)});
    };
    require("queries", attention.query_places, queries);
    require("keys", attention.key_places, keys);
}

std::optional<double> product_factor(const Score& score, Index width) {
    const bool is_product = score.type == ScoreType::dot || score.type == ScoreType::scaled_dot;
    if (!is_product || score.softcap)
        return {};
    return kernel_scale(score.type, width);
}

std::optional<double> dot_factor(const Attention& attention, Index width) {
    if (attention.normalizer.type != NormalizerType::softmax ||
        attention.window.kind != LocalWindow::Kind::none)
        return {};
    return product_factor(attention.score, width);
}

template <class Real>
AttentionState<Real> first_attention_state(nn::Tape<Real>& tape, const nn::Pairing& pairing,
                                           const Attention& attention, const nn::Allowed& allowed,
                                           Index query, std::uint64_t stream) {
    AttentionState<Real> state;
    state.score = nn::first_state(tape, pairing, attention.score, allowed);
    state.score.query = query;
    state.normalizer.stream = stream;
    state.normalizer.query = query;
    return state;
}

namespace {

/// The middle of the window of each query, [b, 1]: of one head and one query at a time.
template <class Real>
nn::Variable<Real> window_centres(nn::Tape<Real>& tape, const SiteCall& call, const Attention& attention,
                                  const Attending<Real>& attending) {
    const nn::Variable<Real> lengths = tape.constant(call.pairing.batch, 1);
    for (Index i = 0; i < lengths.rows; ++i)
        lengths.value[i] =
            static_cast<Real>(attending.allowed.key_lengths.empty()
                                  ? call.pairing.keys
                                  : attending.allowed.key_lengths[static_cast<std::size_t>(i)]);
    if (attention.window.kind == LocalWindow::Kind::monotonic) {
        for (Index i = 0; i < lengths.rows; ++i)
            lengths.value[i] = std::min(static_cast<Real>(call.first_query), lengths.value[i] - 1);
        return lengths;
    }
    const nn::Variable<Real> energy =
        nn::activate(tape, nn::product(tape, attending.query, attention.centre), Activation::tanh);
    const nn::Weight column{attention.opening.offset, attention.opening.size(), 1};
    return nn::multiply(tape, nn::activate(tape, nn::product(tape, energy, column), Activation::sigmoid),
                        lengths);
}

}  // namespace

template <class Real>
Attended<Real> attend(nn::Tape<Real>& tape, const SiteCall& call, const Attention& attention,
                      const Attending<Real>& attending, AttentionState<Real>& state, Hook<Real>* hook) {
    using Kind = LocalWindow::Kind;
    nn::Variable<Real> masked = nn::mask_scores(tape, call.pairing, attending.scores, attending.allowed);
    nn::Variable<Real> centres;
    if (attention.window.kind != Kind::none) {
        centres = window_centres(tape, call, attention, attending);
        masked = nn::mask_window(tape, masked, centres, static_cast<Real>(attention.window.radius));
    }
    if (hook)
        hook->scores(call, attending.query, masked);
    nn::Variable<Real> weights = nn::normalize(tape, call.pairing, masked, attention.normalizer,
                                               attention.normalizer_weights, &state.normalizer);
    if (attention.window.kind == Kind::predicted)
        weights = nn::weigh_window(tape, weights, centres, static_cast<Real>(attention.window.sigma()));
    if (hook)
        hook->weights(call, weights);
    nn::remember(tape, attention.score, weights, state.score);
    const nn::Variable<Real> context = nn::mix_values(tape, call.pairing, weights, attending.value);
    if (hook)
        hook->context(call, context);
    return {weights, context};
}

#define HEADLIGHT_INSTANTIATE(Real)                                                                          \
    template AttentionState<Real> first_attention_state(                                                     \
        nn::Tape<Real>&, const nn::Pairing&, const Attention&, const nn::Allowed&, Index, std::uint64_t);    \
    template Attended<Real> attend(nn::Tape<Real>&, const SiteCall&, const Attention&,                       \
                                   const Attending<Real>&, AttentionState<Real>&, Hook<Real>*);
HEADLIGHT_INSTANTIATE(float)
HEADLIGHT_INSTANTIATE(double)
#undef HEADLIGHT_INSTANTIATE

}  // namespace headlight
