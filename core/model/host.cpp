#include "core/model/host.h"

#include "core/model/recurrent_model.h"
#include "core/model/transformer_model.h"

#include <algorithm>

namespace headlight {

namespace {

FloatTensor copy(nn::Variable<float> from) {
    return FloatTensor({from.rows, from.columns}, std::vector<float>(from.value, from.value + from.size()));
}

nn::Variable<float> on_tape(nn::Tape<float>& tape, const FloatTensor& from) {
    const nn::Variable<float> made = tape.constant(from.rows(), from.cols());
    std::ranges::copy(from.values(), made.value);
    return made;
}

class RecurrentDecoding : public Decoding {
public:
    RecurrentDecoding(const RecurrentModel& model, std::span<const float> weights, const Sequences& source)
        : model_(model), source_(source), source_tape_(weights), tape_(weights),
          encoded_(model.encode(source_tape_, source_)) {}

    DecodingState start() const override {
        nn::Tape<float> tape({});
        return state_of(model_.start(tape, encoded_));
    }

    FloatTensor next(DecodingState& state, std::span<const Index> tokens,
                     Onlooker<float>* onlooker) override {
        tape_.clear();
        Carried<float> carried;
        carried.state.hidden = on_tape(tape_, state.parts[0]);
        carried.attentional = on_tape(tape_, state.parts[1]);
        if (state.parts.size() > 2)
            carried.state.memory = on_tape(tape_, state.parts[2]);
        carried.steps = state.steps;
        const Decoded<float> decoded = model_.step(tape_, encoded_, carried, tokens, onlooker);
        state = state_of(decoded.next);
        return copy(model_.logits(tape_, decoded.readout));
    }

private:
    static DecodingState state_of(const Carried<float>& carried) {
        DecodingState state;
        state.parts.push_back(copy(carried.state.hidden));
        state.parts.push_back(carried.attentional.value ? copy(carried.attentional)
                                                        : FloatTensor({carried.state.hidden.rows, 0}));
        if (carried.state.memory.value)
            state.parts.push_back(copy(carried.state.memory));
        state.steps = carried.steps;
        return state;
    }

    const RecurrentModel& model_;
    Sequences source_;
    nn::Tape<float> source_tape_;  ///< what was read stays here
    nn::Tape<float> tape_;
    Encoded<float> encoded_;
};

class RecurrentHost : public Host {
public:
    explicit RecurrentHost(const RecurrentConfiguration& configuration) : model_(configuration) {}

    const nn::ParameterLayout& layout() const override { return model_.layout(); }
    nn::Variable<float> loss(nn::Tape<float>& tape, const Batch& batch, float divisor,
                             std::uint64_t) const override {
        return model_.loss(tape, batch, divisor);
    }
    std::unique_ptr<Decoding> read(std::span<const float> weights, const Sequences& source,
                                   Onlooker<float>*) const override {
        return std::make_unique<RecurrentDecoding>(model_, weights, source);
    }

private:
    RecurrentModel model_;
};

class TransformerDecoding : public Decoding {
public:
    TransformerDecoding(const TransformerModel& model, std::span<const float> weights,
                        const Sequences& source, Onlooker<float>* onlooker)
        : model_(model), source_(source), source_tape_(weights), tape_(weights) {
        nn::Variable<float> encoded;
        if (model.configuration().kind != TransformerKind::decoder)
            encoded = model.encode(source_tape_, source_, 0, onlooker);
        if (model.configuration().kind == TransformerKind::encoder)
            labels_ = model.label_logits(source_tape_, encoded, source_);
        else
            memory_ = model.remember(source_tape_, encoded, source_);
    }

    DecodingState start() const override { return {}; }

    FloatTensor next(DecodingState& state, std::span<const Index> tokens,
                     Onlooker<float>* onlooker) override {
        if (labels_.value)
            return copy(labels_);
        tape_.clear();
        TransformerModel::Memory<float> memory = memory_;
        for (std::size_t i = 0; 2 * i < state.parts.size(); ++i)
            memory.own[i] = {on_tape(tape_, state.parts[2 * i]), on_tape(tape_, state.parts[2 * i + 1])};
        memory.places = state.steps;
        const Sequences newest{.batch = std::ssize(tokens),
                               .steps = 1,
                               .tokens = {tokens.begin(), tokens.end()},
                               .lengths = std::vector<Index>(tokens.size(), 1)};
        const nn::Variable<float> decoded = model_.decode(tape_, memory, newest, 0, onlooker);
        state.parts.clear();
        for (const auto& cache : memory.own) {
            state.parts.push_back(copy(cache.key));
            state.parts.push_back(copy(cache.value));
        }
        state.steps = memory.places;
        return copy(model_.logits(tape_, decoded));
    }

private:
    const TransformerModel& model_;
    Sequences source_;
    nn::Tape<float> source_tape_;
    nn::Tape<float> tape_;
    TransformerModel::Memory<float> memory_;
    nn::Variable<float> labels_;
};

class TransformerHost : public Host {
public:
    explicit TransformerHost(const TransformerConfiguration& configuration) : model_(configuration) {}

    const nn::ParameterLayout& layout() const override { return model_.layout(); }
    nn::Variable<float> loss(nn::Tape<float>& tape, const Batch& batch, float divisor,
                             std::uint64_t stream) const override {
        return model_.loss(tape, batch, divisor, stream);
    }
    std::unique_ptr<Decoding> read(std::span<const float> weights, const Sequences& source,
                                   Onlooker<float>* onlooker) const override {
        return std::make_unique<TransformerDecoding>(model_, weights, source, onlooker);
    }
    bool is_classifier() const override { return model_.configuration().kind == TransformerKind::encoder; }

private:
    TransformerModel model_;
};

}  // namespace

std::unique_ptr<Host> make_host(const RecurrentConfiguration& configuration) {
    return std::make_unique<RecurrentHost>(configuration);
}

std::unique_ptr<Host> make_host(const TransformerConfiguration& configuration) {
    return std::make_unique<TransformerHost>(configuration);
}

}  // namespace headlight
