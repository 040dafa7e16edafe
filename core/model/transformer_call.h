#pragma once

#include "core/model/transformer_model.h"
#include "core/nn/attention.h"
#include "core/nn/operations.h"
#include "core/nn/positions.h"
#include "core/tensor/random.h"

#include <algorithm>
#include <span>
#include <vector>

namespace headlight {

/// What the layers of one call share.
template <class Real>
struct TransformerModel::Call {
    const TransformerConfiguration& configuration;
    std::span<const double> turn_waves;
    nn::Tape<Real>& tape;
    Index batch;
    Index first;  ///< place of the first token that is read
    std::uint64_t stream;
    Hook<Real>* hook;
    std::uint64_t dropouts = 0;

    nn::Variable<Real> normal(nn::Variable<Real> x, const Norm& norm) {
        return nn::layer_norm(tape, x, norm.gain, norm.bias);
    }

    bool drops() const { return tape.differentiates() && configuration.dropout > 0; }
    nn::Variable<Real> drop(nn::Variable<Real> x) {
        return drops() ? nn::dropout(tape, x, configuration.dropout, substream(stream, dropouts++)) : x;
    }

    /// The last product of a sublayer, x W + b, which is not done yet: the residual connection does it with
    /// its sum.
    struct LastProduct {
        nn::Variable<Real> x;
        nn::Weight matrix, bias;
    };

    nn::Variable<Real> sum(nn::Variable<Real> x, const LastProduct& last) {
        return drops() ? nn::add(tape, x, drop(nn::affine(tape, last.x, last.matrix, last.bias)))
                       : nn::add_affine(tape, x, last.x, last.matrix, last.bias);
    }

    nn::Variable<Real> sum(nn::Variable<Real> x, nn::Variable<Real> last) { return nn::add(tape, x, last); }

    /// What a sublayer is given of x: its norm, where norms come before.
    nn::Variable<Real> given(nn::Variable<Real> x, const Norm& norm) {
        return configuration.norm == NormPlacement::before ? normal(x, norm) : x;
    }

    /// A sublayer with its residual connection and norm.
    template <class Function>
    nn::Variable<Real> residual(nn::Variable<Real> x, const Norm& norm, const Function& function) {
        const nn::Variable<Real> made = sum(x, function(given(x, norm)));
        return configuration.norm == NormPlacement::before ? made : normal(made, norm);
    }

    KeysAndValues<Real> keys_and_values(const Site& site, nn::Variable<Real> x, bool has_places) {
        const nn::Variable<Real> key =
            nn::normalized_keys(tape, pairing_of(0, x.rows / batch), site.attention.score,
                                projected(x, site.key, site.key_bias), site.attention.score_weights);
        return {turned(key, has_places), nn::affine(tape, x, site.value, site.value_bias)};
    }

    /// Some scores compare the tokens themselves: there is no matrix then.
    nn::Variable<Real> projected(nn::Variable<Real> x, nn::Weight matrix, nn::Weight bias) {
        return matrix.size() > 0 ? nn::affine(tape, x, matrix, bias) : x;
    }

    /// What a token is given before a turn: nothing where there is but one. `places` has one for each row
    /// where these are not one behind the other.
    nn::Variable<Real> marked(nn::Variable<Real> x, std::size_t layer, std::size_t layers,
                              std::span<const Index> places = {}) {
        const auto count = layers / static_cast<std::size_t>(configuration.turns);
        if (configuration.turns == 1 || layer % count != 0)
            return x;
        if (configuration.places == PositionEncoding::sinusoidal)
            x = places.empty() ? nn::add_sinusoids(tape, x, batch, first)
                               : nn::add_sinusoids(tape, x, places);
        const nn::Variable<Real> wave = tape.constant(1, x.columns);
        const auto width = static_cast<std::size_t>(x.columns);
        std::ranges::transform(turn_waves.subspan(layer / count * width, width), wave.value,
                               [](double number) { return static_cast<Real>(number); });
        return nn::add_row(tape, x, wave);
    }

    /// Mixes the tokens `all`, of which the last were not there before, each with its neighbours: `behind` of
    /// them come after it. Sequences end where `lengths` says.
    nn::Variable<Real> convolve(const Convolution& weights, nn::Variable<Real> all,
                                std::span<const Index> lengths, Index behind) {
        const Index steps = all.rows / batch, reach = configuration.reach;
        std::vector<Index> rows(static_cast<std::size_t>((steps - first) * batch));
        std::vector<nn::Variable<Real>> neighbours;
        for (Index offset = behind + 1 - reach; offset <= behind; ++offset) {
            for (Index t = first; t < steps; ++t)
                for (Index i = 0; i < batch; ++i) {
                    const Index other = t + offset;
                    const bool is_there = other >= 0 && other < lengths[static_cast<std::size_t>(i)];
                    rows[static_cast<std::size_t>((t - first) * batch + i)] =
                        is_there ? other * batch + i : Sequences::none;
                }
            neighbours.push_back(nn::take_rows(tape, all, std::span<const Index>(rows)));
        }
        const nn::Variable<Real> both =
            nn::affine(tape, nn::join_columns<Real>(tape, neighbours), weights.matrix, weights.bias);
        const Index width = all.columns;
        const nn::Variable<Real> gates =
            nn::activate(tape, nn::column_range(tape, both, width, width), Activation::sigmoid);
        return drop(nn::multiply(tape, nn::column_range(tape, both, 0, width), gates));
    }

    /// Queries or keys after their norm: by their places, where these are rotary.
    nn::Variable<Real> turned(nn::Variable<Real> vectors, bool has_places) {
        return has_places && configuration.places == PositionEncoding::rotary
                   ? nn::rotate(tape, vectors, batch, configuration.heads, first)
                   : vectors;
    }

    nn::Pairing pairing_of(Index queries, Index keys) const {
        return {.batch = batch, .heads = configuration.heads, .queries = queries, .keys = keys};
    }

    nn::ScoreKeys<Real> prepared(const Site& site, nn::Variable<Real> key) {
        return nn::prepare_keys(tape, pairing_of(0, key.rows / batch), site.attention.score, key,
                                site.attention.score_weights);
    }

    /// What each query has for each distance that it can be from a key, (q + v) · R W_r: rows are heads, in
    /// each all queries side by side (Dai et al. 2019, equation 5).
    nn::Variable<Real> distance_scores(const Site& site, const nn::Pairing& pairing,
                                       nn::Variable<Real> query) {
        const nn::Variable<Real> keys =
            nn::product(tape, nn::distance_sinusoids(tape, pairing, configuration.width), site.distances);
        const nn::Variable<Real> asking = nn::add_row(tape, query, as_row(site.of_distances));
        const nn::Pairing all{.batch = 1, .heads = pairing.heads, .queries = query.rows, .keys = keys.rows};
        const double factor = *product_factor(site.attention.score, query.columns / pairing.heads);
        return nn::dot_scores(tape, all, asking, keys, static_cast<Real>(factor));
    }

    /// The numbers of all heads side by side.
    nn::Variable<Real> as_row(nn::Weight weight) { return tape.weight(weight).reshaped(1, weight.size()); }

    /// Without the rows of the tokens before this one.
    nn::Variable<Real> rows_from(nn::Variable<Real> all, Index token) const {
        return all.row_range(token * batch, all.rows - token * batch);
    }

    /// `stopped` is what the normaliser carries from query to query.
    LastProduct attend(const Site& site, nn::Variable<Real> x, const nn::ScoreKeys<Real>& keys,
                       nn::Variable<Real> value, const nn::Allowed& allowed, bool has_places,
                       nn::Variable<Real>& stopped) {
        const nn::Pairing pairing = pairing_of(x.rows / batch, value.rows / batch);
        require_places(site.attention, first + pairing.queries, pairing.keys);
        const nn::Variable<Real> query = turned(
            nn::normalized_queries(tape, pairing, site.attention.score,
                                   projected(x, site.query, site.query_bias), site.attention.score_weights),
            has_places);
        const bool has_alibi = has_places && configuration.places == PositionEncoding::alibi;
        const bool has_distances = has_places && configuration.places == PositionEncoding::distances;
        if (const auto factor = dot_factor(site.attention, query.columns / configuration.heads);
            factor && !hook && !has_alibi && !has_distances) {
            const nn::Variable<Real> context =
                nn::soft_attention(tape, pairing_of(pairing.queries, pairing.keys - allowed.first), query,
                                   rows_from(keys.vectors, allowed.first), rows_from(value, allowed.first),
                                   {allowed.key_lengths, allowed.causal}, static_cast<Real>(*factor),
                                   static_cast<Real>(site.attention.normalizer.temperature));
            return {context, site.output, site.output_bias};
        }
        AttentionState<Real> state = first_attention_state(tape, pairing, site.attention, allowed, first,
                                                           substream(stream, site.name));
        state.normalizer.stopped = with_columns(stopped, pairing.keys);
        nn::Variable<Real> map =
            nn::scores(tape, pairing, site.attention.score,
                       has_distances ? nn::add_row(tape, query, as_row(site.of_contents)) : query, keys,
                       site.attention.score_weights, &state.score);
        if (has_distances)
            map = nn::add_distance_scores(tape, pairing, map, distance_scores(site, pairing, query));
        if (has_alibi)
            map = nn::add_alibi(tape, pairing, map);
        const SiteCall call{site.name, pairing, first, state.normalizer.stream};
        const Attended<Real> attended =
            headlight::attend(tape, call, site.attention, {x, map, value, allowed}, state, hook);
        stopped = state.normalizer.stopped;
        return {attended.context, site.output, site.output_bias};
    }

    /// Where a query stopped, now that there are more keys: not at these.
    nn::Variable<Real> with_columns(nn::Variable<Real> stopped, Index keys) {
        if (!stopped.value || stopped.columns == keys)
            return stopped;
        const nn::Variable<Real> none = tape.constant(stopped.rows, keys - stopped.columns);
        std::fill_n(none.value, none.size(), Real(0));
        return nn::join_columns(tape, stopped, none);
    }

    /// By a mechanism's program. `all` are the queries so far, of which the last were not there before;
    /// `source` are the key tokens, nothing where these are the queries. A hook is told that it was asked
    /// with `told`, where that is not the new queries.
    nn::Variable<Real> attend_by_program(const Site& site, nn::Variable<Real> all, nn::Variable<Real> source,
                                         std::span<const Index> lengths,
                                         std::span<const Index> source_lengths,
                                         nn::Variable<Real> told = {}) {
        const nn::Variable<Real> fresh = rows_from(all, first);
        nn::Variable<Real> maps;
        nn::Variable<Real> out =
            site.graph->attend(tape, {batch, all, source, lengths, source_lengths, first}, site.graph_weights,
                               hook ? &maps : nullptr);
        if (hook) {
            nn::Pairing pairing =
                pairing_of(fresh.rows / batch, (source.value ? source.rows : all.rows) / batch);
            pairing.heads = site.graph->spec().heads.count();
            hook->attended({site.name, pairing, first, nn::GraphAttention::draws()},
                           told.value ? told : fresh, maps);
        }
        return drop(site.output.size() > 0 ? nn::affine(tape, out, site.output, site.output_bias) : out);
    }

    nn::Variable<Real> feed_forward(const FeedForward& weights, nn::Variable<Real> x) {
        if (configuration.feed_forward == 0)
            return x;
        return residual(x, weights.norm, [&](nn::Variable<Real> in) -> LastProduct {
            return {nn::affine(tape, in, weights.first, weights.first_bias, Activation::relu), weights.second,
                    weights.second_bias};
        });
    }
};

}  // namespace headlight
