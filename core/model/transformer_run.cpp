// What a Transformer computes: its layers one after another, and what follows from their last one.

#include "core/model/transformer_call.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace headlight {

using namespace nn;

template <class Real>
Variable<Real> TransformerModel::embed(Tape<Real>& tape, Weight embedding, const Sequences& tokens,
                                       Index first) const {
    const bool is_source = embedding == source_embedding_;
    const Variable<Real> found =
        source_vectors(tape, embedding, is_source ? configuration_.frames : SourceFrames(), tokens);
    return at_places<Real>(tape, found, is_source ? source_places_ : target_places_,
                           places_from(first, tokens.steps, tokens.batch));
}

template <class Real>
Variable<Real> TransformerModel::at_places(Tape<Real>& tape, Variable<Real> words, Weight table,
                                           std::span<const Index> places) const {
    if (configuration_.places == PositionEncoding::learned) {
        for (const Index place : places)
            if (place >= table.rows)
                throw Error({"read tokens", "",
                             "places of 1 to " + std::to_string(table.rows) + ", which the model has learned",
                             std::to_string(*std::ranges::max_element(places) + 1)});
        return add(tape, words, take_rows(tape, tape.weight(table), places));
    }
    const auto larger =
        std::sqrt(static_cast<Real>(configuration_.width));  // Vaswani et al. 2017, section 3.4
    const Variable<Real> scaled = scale(tape, words, larger);
    // With several turns each has the waves.
    const bool has_waves = configuration_.places == PositionEncoding::sinusoidal && configuration_.turns == 1;
    return has_waves ? add_sinusoids(tape, scaled, places) : scaled;
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
                const KeysAndValues<Real> own = call.keys_and_values(layer.self, in, true);
                Variable<Real> stopped;
                return call.attend(layer.self, in, call.prepared(layer.self, own.key), own.value,
                                   {source.lengths, false}, true, stopped);
            });
        x = call.feed_forward(layer.feed_forward, x);
    }
    if (configuration_.norm == NormPlacement::before)
        x = call.normal(x, encoder_norm_);
    if (configuration_.asked_text)
        return text_with_question(call, x, source);
    return pooling_.self.graph ? call.attend_by_program(pooling_.self, x, {}, source.lengths, source.lengths)
                               : x;
}

Sequences TransformerModel::pooled(const Sequences& source) const {
    if (!configuration_.asked_text)
        return source;
    const Index question = configuration_.asked_text->question;
    for (const Index length : source.lengths)
        if (length <= question)
            throw Error({"read a question and its text", "",
                         "more than the " + std::to_string(question) + " tokens of the question",
                         std::to_string(length)});
    return step_range(source, question, source.steps - question);
}

template <class Real>
Variable<Real> TransformerModel::text_with_question(Call<Real>& call, Variable<Real> encoded,
                                                    const Sequences& source) const {
    const Sequences text = pooled(source);
    const Index question = configuration_.asked_text->question, first = question * source.batch;
    const std::vector<Index> lengths(source.lengths.size(), question);
    return call.attend_by_program(pooling_.self, encoded.row_range(first, encoded.rows - first),
                                  encoded.row_range(0, first), text.lengths, lengths, encoded);
}

template <class Real>
TransformerModel::Memory<Real> TransformerModel::remember(Tape<Real>& tape, Variable<Real> encoded,
                                                          const Sequences& source) const {
    Memory<Real> memory;
    memory.own = std::make_shared<std::vector<LayerCache<Real>>>(decoder_.size());
    memory.own_stopped.resize(decoder_.size());
    memory.source_stopped.resize(decoder_.size());
    memory.given.resize(decoder_.size());
    if (configuration_.kind != TransformerKind::encoder_decoder)
        return memory;
    Call<Real> call{configuration_, turn_waves_, tape, source.batch, 0, 0, nullptr};
    memory.source_lengths = source.lengths;
    for (const Layer& layer : decoder_) {
        if (layer.cross.graph) {
            memory.source.push_back({{}, encoded});
            continue;
        }
        const KeysAndValues<Real> read = call.keys_and_values(layer.cross, encoded, false);
        memory.source.push_back({call.prepared(layer.cross, read.key), read.value});
    }
    return memory;
}

template <class Real>
Variable<Real> TransformerModel::decode(Tape<Real>& tape, Memory<Real>& memory, const Sequences& tokens,
                                        std::uint64_t stream, Hook<Real>* hook) const {
    if (configuration_.two_streams)
        return decode_in_order<Real>(
            tape, memory, tokens, places_from(memory.places, tokens.steps + 1, tokens.batch), stream, hook);
    Call<Real> call{
        configuration_, turn_waves_, tape, tokens.batch, memory.places, substream(stream, "decoder"), hook};
    const Index length = configuration_.segment;
    if (length == 0)
        return decode_segment(call, memory, tokens);
    std::vector<Variable<Real>> read;
    for (Index step = 0; step < tokens.steps;) {
        if (memory.places % length == 0)
            forget_gradients(call, memory);
        const Index steps = std::min(length - memory.places % length, tokens.steps - step);
        call.first = memory.places;
        read.push_back(decode_segment(call, memory, step_range(tokens, step, steps)));
        step += steps;
    }
    return join_rows<Real>(tape, read);
}

/// Keys and values of the segment that has just been read, made again of what its tokens were, through which
/// no gradient goes back.
template <class Real>
void TransformerModel::forget_gradients(Call<Real>& call, Memory<Real>& memory) const {
    for (std::size_t i = 0; i < decoder_.size(); ++i) {
        const Variable<Real> given = std::exchange(memory.given[i], {});
        if (!given.value)  // nothing is read yet, or nothing differentiated
            continue;
        const Site& site = decoder_[i].self;
        LayerCache<Real>& own = (*memory.own)[i];
        const Index tokens = given.rows / call.batch;
        call.first = memory.places - tokens;
        const Variable<Real> in = call.given(given, site.norm);
        const auto put_behind_others = [&call](Cache<Real>& others, Variable<Real> newest) {
            others.truncate(call.first * call.batch);
            others.forget_gradients();
            others.append(call.tape, newest);
        };
        if (site.graph) {
            put_behind_others(own.key, in);  // of which its program makes keys and values
            continue;
        }
        const KeysAndValues<Real> again = call.keys_and_values(site, in, true);
        put_behind_others(own.key, again.key);
        put_behind_others(own.value, again.value);
        memory.own_stopped[i] = memory.own_stopped[i].without_gradient();
    }
}

template <class Real>
Variable<Real> TransformerModel::decode_segment(Call<Real>& call, Memory<Real>& memory,
                                                const Sequences& tokens) const {
    Tape<Real>& tape = call.tape;
    Variable<Real> x = call.drop(embed(tape, target_embedding_, tokens, memory.places));
    // Nothing is known of the segments before the last one.
    const Index segment = configuration_.segment;
    const Index forgotten = segment > 0 ? std::max<Index>(memory.places / segment - 1, 0) * segment : 0;
    const bool has_source = !memory.source.empty();
    std::vector<Index> read_lengths;
    read_lengths.reserve(tokens.lengths.size());
    for (const Index length : tokens.lengths)
        read_lengths.push_back(memory.places + length);
    for (std::size_t i = 0; i < decoder_.size(); ++i) {
        const Layer& layer = decoder_[i];
        LayerCache<Real>& own = (*memory.own)[i];
        const auto with = [&tape](Cache<Real>& cache, Variable<Real> newest) {
            cache.append(tape, newest);
            return cache.all();
        };
        x = call.marked(x, i, decoder_.size());
        if (segment > 0 && tape.differentiates()) {
            Variable<Real>& given = memory.given[i];
            given = (given.value ? join_rows<Real>(tape, std::vector{given, x}) : x).without_gradient();
        }
        if (convolves())
            x = call.residual(x, layer.convolution.norm, [&](Variable<Real> in) {
                return call.convolve(layer.convolution, with(own.key, in), read_lengths, 0);
            });
        else if (layer.self.graph)
            x = call.residual(x, layer.self.norm, [&](Variable<Real> in) {
                const Variable<Real> keys =
                    layer.shares ? (*memory.own)[*layer.shares].key.all() : Variable<Real>();
                return call.attend_by_program(layer.self, with(own.key, in), keys, read_lengths,
                                              read_lengths);
            });
        else
            x = call.residual(x, layer.self.norm, [&](Variable<Real> in) {
                const KeysAndValues<Real> fresh = call.keys_and_values(layer.self, in, true);
                const Variable<Real> keys = with(own.key, fresh.key), values = with(own.value, fresh.value);
                return call.attend(layer.self, in, call.prepared(layer.self, keys), values,
                                   {{}, true, forgotten}, true, memory.own_stopped[i]);
            });
        if (has_source && layer.cross.graph)
            x = call.residual(x, layer.cross.norm, [&](Variable<Real> in) {
                return call.attend_by_program(layer.cross, with(own.asked, in), memory.source[i].value,
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
Variable<Real> TransformerModel::mean_of_tokens(Tape<Real>& tape, Variable<Real> encoded,
                                                const Sequences& source) const {
    // The mean over the tokens of a sequence is attention with equal weights.
    const Pairing pairing{.batch = source.batch, .heads = 1, .queries = 1, .keys = source.steps};
    const Variable<Real> equal = tape.constant(source.batch, source.steps);
    for (Index i = 0; i < source.batch; ++i)
        for (Index t = 0; t < source.steps; ++t) {
            const Index length = source.lengths[static_cast<std::size_t>(i)];
            equal.row(i)[t] = t < length ? 1 / static_cast<Real>(length) : Real(0);
        }
    return mix_values(tape, pairing, equal, encoded);
}

/// The seed asks the tokens, and gets a feed-forward layer: PMA with one seed (Lee et al. 2019, equation 11,
/// as in its code, without a layer before the keys). By a mechanism all seeds ask, and their mean is taken.
template <class Real>
Variable<Real> TransformerModel::asked_of_tokens(Call<Real>& call, Variable<Real> encoded,
                                                 const Sequences& source) const {
    std::vector<Index> rows(static_cast<std::size_t>(seed_.rows * source.batch));
    for (std::size_t i = 0; i < rows.size(); ++i)
        rows[i] = static_cast<Index>(i) / source.batch;
    Variable<Real> x = take_rows(call.tape, call.tape.weight(seed_), std::span<const Index>(rows));
    const Site& site = pooling_.cross;
    if (site.graph) {
        const Sequences seeds{.batch = source.batch,
                              .steps = seed_.rows,
                              .tokens = {},
                              .lengths = std::vector<Index>(source.lengths.size(), seed_.rows)};
        const Variable<Real> found = call.attend_by_program(site, x, encoded, seeds.lengths, source.lengths);
        return mean_of_tokens(call.tape, found, seeds);
    }
    const KeysAndValues<Real> read = call.keys_and_values(site, encoded, false);
    Variable<Real> stopped;
    x = call.residual(x, site.norm, [&](Variable<Real> in) {
        return call.attend(site, in, call.prepared(site, read.key), read.value, {source.lengths, false},
                           false, stopped);
    });
    x = call.feed_forward(pooling_.feed_forward, x);
    return configuration_.norm == NormPlacement::before ? call.normal(x, decoder_norm_) : x;
}

template <class Real>
Variable<Real> TransformerModel::label_logits(Tape<Real>& tape, Variable<Real> encoded,
                                              const Sequences& source, std::uint64_t stream,
                                              Hook<Real>* hook) const {
    if (!asks_for_label())
        return logits(tape, mean_of_tokens(tape, encoded, source));
    const Sequences text = pooled(source);
    Call<Real> call{configuration_, turn_waves_, tape, source.batch, 0, substream(stream, "decoder"), hook};
    return logits(tape, asked_of_tokens(call, encoded, text));
}

template <class Real>
Variable<Real> TransformerModel::loss(Tape<Real>& tape, const Batch& batch, Real divisor,
                                      std::uint64_t stream) const {
    Variable<Real> encoded;
    if (configuration_.kind != TransformerKind::decoder)
        encoded = encode(tape, batch.source, stream);
    if (configuration_.kind == TransformerKind::encoder)
        return cross_entropy<Real>(tape, label_logits(tape, encoded, batch.source, stream),
                                   batch.labels.tokens, divisor);
    if (configuration_.two_streams)
        return loss_in_order<Real>(tape, in_orders(batch, drawn_orders(batch, substream(stream, "orders"))),
                                   divisor, stream);
    Memory<Real> memory = remember(tape, encoded, batch.source);
    const Variable<Real> decoded = decode(tape, memory, batch.inputs, stream);
    return cross_entropy<Real>(tape, logits(tape, decoded), batch.labels.tokens, divisor);
}

#define HEADLIGHT_INSTANTIATE(Real)                                                                          \
    template Variable<Real> TransformerModel::at_places(Tape<Real>&, Variable<Real>, Weight,                 \
                                                        std::span<const Index>) const;                       \
    template Variable<Real> TransformerModel::encode(Tape<Real>&, const Sequences&, std::uint64_t,           \
                                                     Hook<Real>*) const;                                     \
    template TransformerModel::Memory<Real> TransformerModel::remember(Tape<Real>&, Variable<Real>,          \
                                                                       const Sequences&) const;              \
    template Variable<Real> TransformerModel::decode(Tape<Real>&, Memory<Real>&, const Sequences&,           \
                                                     std::uint64_t, Hook<Real>*) const;                      \
    template Variable<Real> TransformerModel::logits(Tape<Real>&, Variable<Real>) const;                     \
    template Variable<Real> TransformerModel::label_logits(Tape<Real>&, Variable<Real>, const Sequences&,    \
                                                           std::uint64_t, Hook<Real>*) const;                \
    template Variable<Real> TransformerModel::loss(Tape<Real>&, const Batch&, Real, std::uint64_t) const;
HEADLIGHT_INSTANTIATE(float)
HEADLIGHT_INSTANTIATE(double)
#undef HEADLIGHT_INSTANTIATE

}  // namespace headlight
