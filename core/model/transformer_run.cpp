// What a Transformer computes: one call of its layers, and what follows from their last one.

#include "core/model/transformer_model.h"
#include "core/nn/attention.h"
#include "core/nn/operations.h"
#include "core/nn/positions.h"
#include "core/tensor/error.h"
#include "core/tensor/random.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace headlight {

using namespace nn;

/// What the layers of one call share.
template <class Real>
struct TransformerModel::Call {
    const TransformerConfiguration& configuration;
    std::span<const double> turn_waves;
    Tape<Real>& tape;
    Index batch;
    Index first;  ///< place of the first token
    std::uint64_t stream;
    Hook<Real>* hook;
    std::uint64_t dropouts = 0;

    Variable<Real> normal(Variable<Real> x, const Norm& norm) {
        return layer_norm(tape, x, norm.gain, norm.bias);
    }

    bool drops() const { return tape.differentiates() && configuration.dropout > 0; }
    Variable<Real> drop(Variable<Real> x) {
        return drops() ? dropout(tape, x, configuration.dropout, substream(stream, dropouts++)) : x;
    }

    /// The last product of a sublayer, x W + b, which is not done yet: the residual connection does it with
    /// its sum.
    struct LastProduct {
        Variable<Real> x;
        Weight matrix, bias;
    };

    Variable<Real> sum(Variable<Real> x, const LastProduct& last) {
        return drops() ? add(tape, x, drop(affine(tape, last.x, last.matrix, last.bias)))
                       : add_affine(tape, x, last.x, last.matrix, last.bias);
    }

    Variable<Real> sum(Variable<Real> x, Variable<Real> last) { return add(tape, x, last); }

    /// A sublayer with its residual connection and norm.
    template <class Function>
    Variable<Real> residual(Variable<Real> x, const Norm& norm, const Function& function) {
        if (configuration.norm == NormPlacement::before)
            return sum(x, function(normal(x, norm)));
        return normal(sum(x, function(x)), norm);
    }

    Cache<Real> keys_and_values(const Site& site, Variable<Real> x, bool has_places) {
        const Variable<Real> key =
            normalized_keys(tape, pairing_of(0, x.rows / batch), site.attention.score,
                            projected(x, site.key, site.key_bias), site.attention.score_weights);
        return {turned(key, has_places), affine(tape, x, site.value, site.value_bias)};
    }

    /// Some scores compare the tokens themselves: there is no matrix then.
    Variable<Real> projected(Variable<Real> x, Weight matrix, Weight bias) {
        return matrix.size() > 0 ? affine(tape, x, matrix, bias) : x;
    }

    /// What a token is given before a turn: nothing where there is but one.
    Variable<Real> marked(Variable<Real> x, std::size_t layer, std::size_t layers) {
        const auto count = layers / static_cast<std::size_t>(configuration.turns);
        if (configuration.turns == 1 || layer % count != 0)
            return x;
        if (configuration.places == PositionEncoding::sinusoidal)
            x = add_sinusoids(tape, x, batch, first);
        const Variable<Real> wave = tape.constant(1, x.columns);
        const auto width = static_cast<std::size_t>(x.columns);
        std::ranges::transform(turn_waves.subspan(layer / count * width, width), wave.value,
                               [](double number) { return static_cast<Real>(number); });
        return add_row(tape, x, wave);
    }

    /// Mixes the tokens `all`, of which the last were not there before, each with its neighbours: `behind` of
    /// them come after it. Sequences end where `lengths` says.
    Variable<Real> convolve(const Convolution& weights, Variable<Real> all, std::span<const Index> lengths,
                            Index behind) {
        const Index steps = all.rows / batch, reach = configuration.reach;
        std::vector<Index> rows(static_cast<std::size_t>((steps - first) * batch));
        std::vector<Variable<Real>> neighbours;
        for (Index offset = behind + 1 - reach; offset <= behind; ++offset) {
            for (Index t = first; t < steps; ++t)
                for (Index i = 0; i < batch; ++i) {
                    const Index other = t + offset;
                    const bool is_there = other >= 0 && other < lengths[static_cast<std::size_t>(i)];
                    rows[static_cast<std::size_t>((t - first) * batch + i)] =
                        is_there ? other * batch + i : Sequences::none;
                }
            neighbours.push_back(take_rows(tape, all, std::span<const Index>(rows)));
        }
        const Variable<Real> both =
            affine(tape, join_columns<Real>(tape, neighbours), weights.matrix, weights.bias);
        const Index width = all.columns;
        const Variable<Real> gates =
            activate(tape, column_range(tape, both, width, width), Activation::sigmoid);
        return drop(multiply(tape, column_range(tape, both, 0, width), gates));
    }

    /// Queries or keys after their norm: by their places, where these are rotary.
    Variable<Real> turned(Variable<Real> vectors, bool has_places) {
        return has_places && configuration.places == PositionEncoding::rotary
                   ? rotate(tape, vectors, batch, configuration.heads, first)
                   : vectors;
    }

    Pairing pairing_of(Index queries, Index keys) const {
        return {.batch = batch, .heads = configuration.heads, .queries = queries, .keys = keys};
    }

    ScoreKeys<Real> prepared(const Site& site, Variable<Real> key) {
        return prepare_keys(tape, pairing_of(0, key.rows / batch), site.attention.score, key,
                            site.attention.score_weights);
    }

    /// `stopped` is what the normaliser carries from query to query.
    LastProduct attend(const Site& site, Variable<Real> x, const ScoreKeys<Real>& keys, Variable<Real> value,
                       const Allowed& allowed, bool has_places, Variable<Real>& stopped) {
        const Pairing pairing = pairing_of(x.rows / batch, value.rows / batch);
        require_places(site.attention, first + pairing.queries, pairing.keys);
        const Variable<Real> query = turned(normalized_queries(tape, pairing, site.attention.score,
                                                               projected(x, site.query, site.query_bias),
                                                               site.attention.score_weights),
                                            has_places);
        const bool has_alibi = has_places && configuration.places == PositionEncoding::alibi;
        if (const auto factor = dot_factor(site.attention, query.columns / configuration.heads);
            factor && !hook && !has_alibi) {
            const Variable<Real> context =
                soft_attention(tape, pairing, query, keys.vectors, value, allowed, static_cast<Real>(*factor),
                               static_cast<Real>(site.attention.normalizer.temperature));
            return {context, site.output, site.output_bias};
        }
        AttentionState<Real> state = first_attention_state(tape, pairing, site.attention, allowed, first,
                                                           substream(stream, site.name));
        state.normalizer.stopped = with_columns(stopped, pairing.keys);
        Variable<Real> map = scores(tape, pairing, site.attention.score, query, keys,
                                    site.attention.score_weights, &state.score);
        if (has_alibi)
            map = add_alibi(tape, pairing, map);
        const SiteCall call{site.name, pairing, first, state.normalizer.stream};
        const Attended<Real> attended =
            headlight::attend(tape, call, site.attention, {x, map, value, allowed}, state, hook);
        stopped = state.normalizer.stopped;
        return {attended.context, site.output, site.output_bias};
    }

    /// Where a query stopped, now that there are more keys: not at these.
    Variable<Real> with_columns(Variable<Real> stopped, Index keys) {
        if (!stopped.value || stopped.columns == keys)
            return stopped;
        const Variable<Real> none = tape.constant(stopped.rows, keys - stopped.columns);
        std::fill_n(none.value, none.size(), Real(0));
        return join_columns(tape, stopped, none);
    }

    /// By a mechanism's program. `all` are the queries so far, of which the last were not there before;
    /// `source` are the key tokens, nothing where these are the queries.
    Variable<Real> attend_by_program(const Site& site, Variable<Real> all, Variable<Real> source,
                                     std::span<const Index> lengths, std::span<const Index> source_lengths) {
        const Variable<Real> fresh = all.row_range(first * batch, all.rows - first * batch);
        Variable<Real> maps;
        Variable<Real> out = site.graph->attend(tape, {batch, all, source, lengths, source_lengths, first},
                                                site.graph_weights, hook ? &maps : nullptr);
        if (hook) {
            Pairing pairing = pairing_of(fresh.rows / batch, (source.value ? source.rows : all.rows) / batch);
            pairing.heads = site.graph->spec().heads.count();
            hook->attended({site.name, pairing, first, GraphAttention::draws()}, fresh, maps);
        }
        return drop(site.output.size() > 0 ? affine(tape, out, site.output, site.output_bias) : out);
    }

    Variable<Real> feed_forward(const FeedForward& weights, Variable<Real> x) {
        if (configuration.feed_forward == 0)
            return x;
        return residual(x, weights.norm, [&](Variable<Real> in) -> LastProduct {
            return {affine(tape, in, weights.first, weights.first_bias, Activation::relu), weights.second,
                    weights.second_bias};
        });
    }
};

template <class Real>
Variable<Real> TransformerModel::embed(Tape<Real>& tape, Weight embedding, const Sequences& tokens,
                                       Index first) const {
    const Variable<Real> found = take_rows(tape, tape.weight(embedding), tokens.tokens);
    const auto larger =
        std::sqrt(static_cast<Real>(configuration_.width));  // Vaswani et al. 2017, section 3.4
    const bool has_waves = configuration_.places == PositionEncoding::sinusoidal;
    if (has_waves && configuration_.turns == 1)  // otherwise each turn has them
        return add_sinusoids(tape, scale(tape, found, larger), tokens.batch, first);
    if (configuration_.places != PositionEncoding::learned)
        return scale(tape, found, larger);
    if (first + tokens.steps > configuration_.longest)
        throw Error(
            {"read tokens", "",
             "at most " + std::to_string(configuration_.longest) + ", for which the model has learned places",
             std::to_string(first + tokens.steps)});
    const Weight places = embedding == source_embedding_ ? source_places_ : target_places_;
    std::vector<Index> rows(tokens.tokens.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
        rows[i] = first + static_cast<Index>(i) / tokens.batch;
    return add(tape, found, take_rows(tape, tape.weight(places), rows));
}

template <class Real>
Variable<Real> TransformerModel::encode(Tape<Real>& tape, const Sequences& source, std::uint64_t stream,
                                        Hook<Real>* hook) const {
    Call<Real> call{configuration_, turn_waves_, tape, source.batch, 0, substream(stream, "encoder"), hook};
    Variable<Real> x = call.drop(embed(tape, source_embedding_, source, 0));
    std::vector<Variable<Real>> asked(encoder_.size());  // with what each layer was asked
    for (std::size_t i = 0; i < encoder_.size(); ++i) {
        const Layer& layer = encoder_[i];
        x = call.marked(x, i, encoder_.size());
        if (convolves())
            x = call.residual(x, layer.convolution.norm, [&](Variable<Real> in) {
                return call.convolve(layer.convolution, in, source.lengths, configuration_.reach / 2);
            });
        else if (layer.self.graph)
            x = call.residual(x, layer.self.norm, [&](Variable<Real> in) {
                asked[i] = in;
                const Variable<Real> keys = layer.shares ? asked[*layer.shares] : Variable<Real>();
                return call.attend_by_program(layer.self, in, keys, source.lengths, source.lengths);
            });
        else
            x = call.residual(x, layer.self.norm, [&](Variable<Real> in) {
                const Cache<Real> own = call.keys_and_values(layer.self, in, true);
                Variable<Real> stopped;
                return call.attend(layer.self, in, call.prepared(layer.self, own.key), own.value,
                                   {source.lengths, false}, true, stopped);
            });
        x = call.feed_forward(layer.feed_forward, x);
    }
    return configuration_.norm == NormPlacement::before ? call.normal(x, encoder_norm_) : x;
}

template <class Real>
TransformerModel::Memory<Real> TransformerModel::remember(Tape<Real>& tape, Variable<Real> encoded,
                                                          const Sequences& source) const {
    Memory<Real> memory;
    memory.own.resize(decoder_.size());
    memory.own_stopped.resize(decoder_.size());
    memory.source_stopped.resize(decoder_.size());
    memory.asked.resize(decoder_.size());
    if (configuration_.kind != TransformerKind::encoder_decoder)
        return memory;
    Call<Real> call{configuration_, turn_waves_, tape, source.batch, 0, 0, nullptr};
    memory.source_lengths = source.lengths;
    for (const Layer& layer : decoder_) {
        if (layer.cross.graph) {
            memory.source.push_back({{}, encoded});
            continue;
        }
        const Cache<Real> read = call.keys_and_values(layer.cross, encoded, false);
        memory.source.push_back({call.prepared(layer.cross, read.key), read.value});
    }
    return memory;
}

template <class Real>
Variable<Real> TransformerModel::decode(Tape<Real>& tape, Memory<Real>& memory, const Sequences& tokens,
                                        std::uint64_t stream, Hook<Real>* hook) const {
    Call<Real> call{
        configuration_, turn_waves_, tape, tokens.batch, memory.places, substream(stream, "decoder"), hook};
    Variable<Real> x = call.drop(embed(tape, target_embedding_, tokens, memory.places));
    const bool has_source = !memory.source.empty();
    std::vector<Index> read_lengths;
    read_lengths.reserve(tokens.lengths.size());
    for (const Index length : tokens.lengths)
        read_lengths.push_back(memory.places + length);
    for (std::size_t i = 0; i < decoder_.size(); ++i) {
        const Layer& layer = decoder_[i];
        Cache<Real>& own = memory.own[i];
        const auto behind = [&](Variable<Real> known, Variable<Real> added) {
            return known.value ? join_rows<Real>(tape, std::vector{known, added}) : added;
        };
        x = call.marked(x, i, decoder_.size());
        if (convolves())
            x = call.residual(x, layer.convolution.norm, [&](Variable<Real> in) {
                own.key = behind(own.key, in);
                return call.convolve(layer.convolution, own.key, read_lengths, 0);
            });
        else if (layer.self.graph)
            x = call.residual(x, layer.self.norm, [&](Variable<Real> in) {
                own.key = behind(own.key, in);
                const Variable<Real> keys = layer.shares ? memory.own[*layer.shares].key : Variable<Real>();
                return call.attend_by_program(layer.self, own.key, keys, read_lengths, read_lengths);
            });
        else
            x = call.residual(x, layer.self.norm, [&](Variable<Real> in) {
                const Cache<Real> fresh = call.keys_and_values(layer.self, in, true);
                own = {behind(own.key, fresh.key), behind(own.value, fresh.value)};
                return call.attend(layer.self, in, call.prepared(layer.self, own.key), own.value, {{}, true},
                                   true, memory.own_stopped[i]);
            });
        if (has_source && layer.cross.graph)
            x = call.residual(x, layer.cross.norm, [&](Variable<Real> in) {
                memory.asked[i] = behind(memory.asked[i], in);
                return call.attend_by_program(layer.cross, memory.asked[i], memory.source[i].value,
                                              read_lengths, memory.source_lengths);
            });
        else if (has_source)
            x = call.residual(x, layer.cross.norm, [&](Variable<Real> in) {
                const Source<Real>& read = memory.source[i];
                return call.attend(layer.cross, in, read.keys, read.value, {memory.source_lengths, false},
                                   false, memory.source_stopped[i]);
            });
        x = call.feed_forward(layer.feed_forward, x);
    }
    memory.places += tokens.steps;
    return configuration_.norm == NormPlacement::before ? call.normal(x, decoder_norm_) : x;
}

template <class Real>
Variable<Real> TransformerModel::logits(Tape<Real>& tape, Variable<Real> decoded) const {
    return affine(tape, decoded, output_, output_bias_);
}

template <class Real>
Variable<Real> TransformerModel::label_logits(Tape<Real>& tape, Variable<Real> encoded,
                                              const Sequences& source) const {
    // The mean over the tokens of a sequence is attention with equal weights.
    const Pairing pairing{.batch = source.batch, .heads = 1, .queries = 1, .keys = source.steps};
    const Variable<Real> equal = tape.constant(source.batch, source.steps);
    for (Index i = 0; i < source.batch; ++i)
        for (Index t = 0; t < source.steps; ++t) {
            const Index length = source.lengths[static_cast<std::size_t>(i)];
            equal.row(i)[t] = t < length ? 1 / static_cast<Real>(length) : Real(0);
        }
    return logits(tape, mix_values(tape, pairing, equal, encoded));
}

template <class Real>
Variable<Real> TransformerModel::loss(Tape<Real>& tape, const Batch& batch, Real divisor,
                                      std::uint64_t stream) const {
    Variable<Real> encoded;
    if (configuration_.kind != TransformerKind::decoder)
        encoded = encode(tape, batch.source, stream);
    if (configuration_.kind == TransformerKind::encoder)
        return cross_entropy<Real>(tape, label_logits(tape, encoded, batch.source), batch.labels.tokens,
                                   divisor);
    Memory<Real> memory = remember(tape, encoded, batch.source);
    const Variable<Real> decoded = decode(tape, memory, batch.inputs, stream);
    return cross_entropy<Real>(tape, logits(tape, decoded), batch.labels.tokens, divisor);
}

#define HEADLIGHT_INSTANTIATE(Real)                                                                          \
    template Variable<Real> TransformerModel::encode(Tape<Real>&, const Sequences&, std::uint64_t,           \
                                                     Hook<Real>*) const;                                     \
    template TransformerModel::Memory<Real> TransformerModel::remember(Tape<Real>&, Variable<Real>,          \
                                                                       const Sequences&) const;              \
    template Variable<Real> TransformerModel::decode(Tape<Real>&, Memory<Real>&, const Sequences&,           \
                                                     std::uint64_t, Hook<Real>*) const;                      \
    template Variable<Real> TransformerModel::logits(Tape<Real>&, Variable<Real>) const;                     \
    template Variable<Real> TransformerModel::label_logits(Tape<Real>&, Variable<Real>, const Sequences&)    \
        const;                                                                                               \
    template Variable<Real> TransformerModel::loss(Tape<Real>&, const Batch&, Real, std::uint64_t) const;
HEADLIGHT_INSTANTIATE(float)
HEADLIGHT_INSTANTIATE(double)
#undef HEADLIGHT_INSTANTIATE

}  // namespace headlight
