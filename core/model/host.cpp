#include "core/model/host.h"

#include "core/model/model_spec.h"
#include "core/model/tensors.h"
#include "core/nn/copy.h"

#include <algorithm>

namespace headlight {

namespace {

/// A part of a state: without columns where there is nothing.
FloatTensor part(nn::Variable<float> from, Index rows) {
    return from.value ? copy(from) : FloatTensor({rows, 0});
}

nn::Variable<float> on_tape(nn::Tape<float>& tape, const FloatTensor& from) {
    if (from.cols() == 0)
        return {};
    const nn::Variable<float> made = tape.constant(from.rows(), from.cols());
    std::ranges::copy(from.values(), made.value);
    return made;
}

class RecurrentDecoding : public Decoding {
public:
    /// No site in its encoder attends: there is nothing to look on.
    RecurrentDecoding(const RecurrentModel& model, std::span<const float> weights, const Sequences& source,
                      Hook<float>*)
        : model_(model), source_(source), source_tape_(weights), tape_(weights),
          encoded_(model.encode(source_tape_, source_)) {}

    FloatTensor source_states() const override { return copy(encoded_.states); }

    DecodingState start() const override {
        nn::Tape<float> tape({});
        return state_of(model_.start(tape, encoded_));
    }

    FloatTensor next(DecodingState& state, std::span<const Index> tokens, Hook<float>* hook) override {
        tape_.clear();
        Carried<float> carried = model_.start(tape_, encoded_);
        const auto numbers = [&](std::size_t number) { return on_tape(tape_, state.parts[number]); };
        carried.state = {numbers(0), numbers(1)};
        carried.attentional = numbers(2);
        carried.attention.score.history = numbers(3);
        carried.attention.normalizer.stopped = numbers(4);
        for (std::size_t i = 0; i < carried.above.size(); ++i)
            carried.above[i] = {numbers(5 + 2 * i), numbers(6 + 2 * i)};
        carried.attention.score.query = carried.attention.normalizer.query = carried.steps = state.steps;
        const Decoded<float> decoded = model_.step(tape_, encoded_, carried, tokens, hook);
        state = state_of(decoded.next);
        const nn::Variable<float> said = model_.logits(tape_, encoded_, decoded, hook);
        if (model_.configuration().points)
            nn::rule_out_impossible(said);
        return copy(said);
    }

private:
    static DecodingState state_of(const Carried<float>& carried) {
        DecodingState state;
        for (const nn::Variable<float>& each :
             {carried.state.hidden, carried.state.memory, carried.attentional,
              carried.attention.score.history, carried.attention.normalizer.stopped})
            state.parts.push_back(part(each, carried.state.hidden.rows));
        for (const nn::State<float>& each : carried.above) {
            state.parts.push_back(part(each.hidden, each.hidden.rows));
            state.parts.push_back(part(each.memory, each.hidden.rows));
        }
        state.steps = carried.steps;
        return state;
    }

    const RecurrentModel& model_;
    Sequences source_;
    nn::Tape<float> source_tape_;  ///< what was read stays here
    nn::Tape<float> tape_;
    Encoded<float> encoded_;
};

class TransformerDecoding : public Decoding {
public:
    TransformerDecoding(const TransformerModel& model, std::span<const float> weights,
                        const Sequences& source, Hook<float>* hook)
        : model_(model), source_(source), source_tape_(weights), tape_(weights) {
        if (model.configuration().kind != TransformerKind::decoder)
            encoded_ = model.encode(source_tape_, source_, 0, hook);
        if (!says_label())
            memory_ = model.remember(source_tape_, encoded_, source_);
    }

    FloatTensor source_states() const override { return encoded_.value ? copy(encoded_) : FloatTensor(); }

    DecodingState start() const override { return {}; }

    FloatTensor next(DecodingState& state, std::span<const Index> tokens, Hook<float>* hook) override {
        if (says_label()) {
            tape_.clear();
            return copy(model_.label_logits(tape_, encoded_, source_, 0, hook));
        }
        return go_on(state,
                     {.batch = std::ssize(tokens),
                      .steps = 1,
                      .tokens = {tokens.begin(), tokens.end()},
                      .lengths = std::vector<Index>(tokens.size(), 1)},
                     hook);
    }

    FloatTensor read(DecodingState& state, const Sequences& tokens) override {
        const bool goes_by_steps = says_label() || model_.configuration().two_streams;
        return goes_by_steps ? Decoding::read(state, tokens) : go_on(state, tokens, nullptr);
    }

private:
    FloatTensor go_on(DecodingState& state, const Sequences& tokens, Hook<float>* hook) {
        tape_.clear();
        TransformerModel::Memory<float> memory = memory_;
        const std::shared_ptr<TextCache> cache =
            state.memory ? TextCache::behind(state.memory, state.steps)
                         : std::make_shared<TextCache>(memory.own->size(), tokens.batch);
        memory.own = {cache, &cache->layers};
        for (std::size_t i = 0; 2 * i < state.parts.size(); ++i) {
            memory.own_stopped[i] = on_tape(tape_, state.parts[2 * i]);
            memory.source_stopped[i] = on_tape(tape_, state.parts[2 * i + 1]);
        }
        memory.places = state.steps;
        const nn::Variable<float> decoded = model_.decode(tape_, memory, tokens, 0, hook);
        state.parts.clear();
        for (std::size_t i = 0; i < memory.own_stopped.size(); ++i) {
            state.parts.push_back(part(memory.own_stopped[i], tokens.batch));
            state.parts.push_back(part(memory.source_stopped[i], tokens.batch));
        }
        state.memory = cache;
        for (Index step = 0; step < tokens.steps; ++step)
            state.newest = cache->add_step();
        state.steps = memory.places;
        return copy(model_.logits(tape_, decoded));
    }

    bool says_label() const { return model_.configuration().kind == TransformerKind::encoder; }

    const TransformerModel& model_;
    Sequences source_;
    nn::Tape<float> source_tape_;
    nn::Tape<float> tape_;
    nn::Variable<float> encoded_;
    TransformerModel::Memory<float> memory_;
};

/// A model as a host: `OwnDecoding` is how it decodes.
template <class Model, class OwnDecoding>
class HostOf : public Host {
public:
    /// The configuration is that of the spec.
    template <class Configuration>
    HostOf(const ModelSpec& spec, const Configuration& configuration)
        : model_(configuration), numbers_of_step_(spec.numbers_of_step()), is_classifier_(spec.says_label()) {
    }

    const nn::ParameterLayout& layout() const override { return model_.layout(); }
    std::vector<SiteDescription> sites() const override { return model_.sites(); }
    MostTokens most_tokens() const override { return model_.most_tokens(); }
    nn::Variable<float> loss(nn::Tape<float>& tape, const Batch& batch, float divisor,
                             std::uint64_t stream) const override {
        return model_.loss(tape, batch, divisor, stream);
    }
    std::unique_ptr<Decoding> read(std::span<const float> weights, const Sequences& source,
                                   Hook<float>* hook) const override {
        return std::make_unique<OwnDecoding>(model_, weights, source, hook);
    }
    Index numbers_of_step() const override { return numbers_of_step_; }
    bool is_classifier() const override { return is_classifier_; }

private:
    Model model_;
    Index numbers_of_step_;
    bool is_classifier_;
};

using RecurrentHost = HostOf<RecurrentModel, RecurrentDecoding>;
using TransformerHost = HostOf<TransformerModel, TransformerDecoding>;

}  // namespace

FloatTensor Decoding::read(DecodingState& state, const Sequences& tokens) {
    FloatTensor all;
    for (Index step = 0; step < tokens.steps; ++step) {
        const FloatTensor logits = next(state, tokens.at(step), nullptr);
        if (step == 0)
            all = FloatTensor({tokens.steps * tokens.batch, logits.cols()});
        std::ranges::copy(logits.values(), all.row(step * tokens.batch).data());
    }
    return all;
}

std::unique_ptr<Host> make_host(const ModelSpec& spec) {
    if (spec.is_recurrent())
        return std::make_unique<RecurrentHost>(spec, std::get<RecurrentConfiguration>(spec));
    return std::make_unique<TransformerHost>(spec, std::get<TransformerConfiguration>(spec));
}

}  // namespace headlight
