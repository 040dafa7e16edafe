// What a Transformer of two streams computes. Texts come in the order of their turns, so that whoever had a
// turn before lies before, and what each row may see is what a causal mask lets it see, in any order; only
// the places of the rows tell which order it is.

#include "core/model/transformer_call.h"

#include <vector>

namespace headlight {

using namespace nn;

template <class Real>
Variable<Real> TransformerModel::decode_in_order(Tape<Real>& tape, Memory<Real>& memory,
                                                 const Sequences& tokens, std::span<const Index> places,
                                                 std::uint64_t stream, Hook<Real>* hook) const {
    Call<Real> call{
        configuration_, turn_waves_, tape, tokens.batch, memory.places, substream(stream, "decoder"), hook};
    const std::size_t rows = tokens.tokens.size();
    const std::span<const Index> read = places.first(rows), guessed = places.last(rows);
    const std::vector<Index> one_vector(rows);
    const Variable<Real> words = source_vectors(tape, target_embedding_, SourceFrames(), tokens);
    const Variable<Real> unknown = take_rows(tape, tape.weight(guess_), std::span<const Index>(one_vector));
    Variable<Real> content = call.drop(at_places(tape, words, target_places_, read));
    Variable<Real> query = call.drop(at_places(tape, unknown, target_places_, guessed));
    const Allowed earlier{.key_lengths = {}, .causal = true, .first = 0};
    for (std::size_t i = 0; i < decoder_.size(); ++i) {
        const Layer& layer = decoder_[i];
        LayerCache<Real>& own = (*memory.own)[i];
        content = call.marked(content, i, decoder_.size(), read);
        query = call.marked(query, i, decoder_.size(), guessed);
        // Both look at the contents as they were before this layer; row t of the queries guesses what has the
        // turn behind that of row t of the contents.
        ScoreKeys<Real> keys;
        Variable<Real> values, stopped;  // nowhere: no normaliser goes from key to key
        const auto read_content = [&](Variable<Real> in) {
            const KeysAndValues<Real> fresh = call.keys_and_values(layer.self, in, true);
            own.key.append(tape, fresh.key);
            own.value.append(tape, fresh.value);
            keys = call.prepared(layer.self, own.key.all());
            values = own.value.all();
        };
        // Nothing looks at the contents behind the last layer: what they attend to is only shown.
        if (hook || i + 1 < decoder_.size()) {
            content = call.residual(content, layer.self.norm, [&](Variable<Real> in) {
                read_content(in);
                return call.attend(layer.self, in, keys, values, earlier, true, stopped);
            });
            content = call.feed_forward(layer.feed_forward, content);
        } else {
            read_content(call.given(content, layer.self.norm));
        }
        query = call.residual(query, layer.query.norm, [&](Variable<Real> in) {
            return call.attend(layer.query, in, keys, values, earlier, true, stopped);
        });
        query = call.feed_forward(layer.feed_forward, query);
    }
    memory.places += tokens.steps;
    return configuration_.norm == NormPlacement::before ? call.normal(query, decoder_norm_) : query;
}

template <class Real>
Variable<Real> TransformerModel::loss_in_order(Tape<Real>& tape, const OrderedTexts& texts, Real divisor,
                                               std::uint64_t stream) const {
    Memory<Real> memory = remember(tape, Variable<Real>(), texts.inputs);
    const Variable<Real> decoded = decode_in_order<Real>(tape, memory, texts.inputs, texts.places, stream);
    return cross_entropy<Real>(tape, logits(tape, decoded), texts.labels.tokens, divisor);
}

#define HEADLIGHT_INSTANTIATE(Real)                                                                          \
    template Variable<Real> TransformerModel::decode_in_order(Tape<Real>&, Memory<Real>&, const Sequences&,  \
                                                              std::span<const Index>, std::uint64_t,         \
                                                              Hook<Real>*) const;                            \
    template Variable<Real> TransformerModel::loss_in_order(Tape<Real>&, const OrderedTexts&, Real,          \
                                                            std::uint64_t) const;
HEADLIGHT_INSTANTIATE(float)
HEADLIGHT_INSTANTIATE(double)
#undef HEADLIGHT_INSTANTIATE

}  // namespace headlight
