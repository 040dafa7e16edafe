#include "core/model/recurrent_model.h"

#include "core/model/mechanism_site.h"
#include "core/model/model_check.h"
#include "core/nn/attention.h"
#include "core/nn/operations.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <cmath>

namespace headlight {

using namespace nn;

RecurrentModel::RecurrentModel(const RecurrentConfiguration& configuration) : configuration_(configuration) {
    const RecurrentConfiguration& c = configuration_;
    check(c);
    if (c.mechanism)
        make_graph();
    source_embedding_ =
        layout_.add("source_embedding", c.frames.rows_of_weights(c.source_vocabulary), c.embedding);
    target_embedding_ = layout_.add("target_embedding", c.target_vocabulary, c.embedding);
    add_encoder();
    add_decoder();
    add_attention_or_program();
    drawing_ = attention_;
    if (is_hard()) {
        drawing_.normalizer.mode = HardMode::sample;
        baseline_ = add_baseline(layout_, "attention.baseline.", c.reinforcement, c.width,
                                 std::log(static_cast<double>(c.target_vocabulary)));
    }
    if (c.quotes())
        add_pointer();
    if (asks_first() && has_combination()) {
        combine_ = layout_.add("readout.W", c.width + c.embedding + context_width(), 2 * c.width);
        combine_bias_ = layout_.add("readout.b", 1, 2 * c.width, Initial::zero);
    } else if (has_combination()) {
        combine_ = layout_.add("W_c", c.width + context_width(), c.width);
    }
    if (c.points)
        return;
    output_ = layout_.add("W_output", c.width, c.target_vocabulary);
    output_bias_ = layout_.add("b_output", 1, c.target_vocabulary, Initial::zero);
}

bool RecurrentModel::feeds_back() const {
    const DecoderStyle style = configuration_.style;
    return style == DecoderStyle::wrapper || (style == DecoderStyle::luong && configuration_.input_feeding);
}

bool RecurrentModel::has_combination() const {
    if (asks_first())
        return configuration_.layers == 1 && !configuration_.points;
    return feeds_back() || !configuration_.points;
}

void RecurrentModel::add_encoder() {
    const RecurrentConfiguration& c = configuration_;
    forward_ = add_cell(layout_, "encoder.forward", c.cell, c.embedding, c.width);
    if (c.bidirectional)
        backward_ = add_cell(layout_, "encoder.backward", c.cell, c.embedding, c.width);
    Index below = c.width * (c.bidirectional ? 2 : 1);
    for (Index layer = 1; layer < c.layers; ++layer) {
        encoder_above_.push_back(
            add_cell(layout_, "encoder." + std::to_string(layer), c.cell, below, c.width));
        below = c.width;
    }
}

void RecurrentModel::add_decoder() {
    const RecurrentConfiguration& c = configuration_;
    if (c.bidirectional && has_states()) {
        first_ = layout_.add("decoder.W_first", c.width, c.width);
        first_bias_ = layout_.add("decoder.b_first", 1, c.width, Initial::zero);
    }
    if (!has_states()) {
        dense_ = layout_.add("decoder.W_in", c.embedding, c.width);
        dense_bias_ = layout_.add("decoder.b_in", 1, c.width, Initial::zero);
        decoder_.width = c.width;
        return;
    }
    const Index context = asks_first() ? context_width() : 0, fed = feeds_back() ? c.width : context;
    decoder_ = add_cell(layout_, "decoder", c.cell, c.embedding + fed, c.width);
    for (Index layer = 1; layer < c.layers; ++layer)
        decoder_above_.push_back(
            add_cell(layout_, "decoder." + std::to_string(layer), c.cell, c.width + context, c.width));
}

void RecurrentModel::make_graph() {
    const RecurrentConfiguration& c = configuration_;
    graph_ = mechanism_at(*c.mechanism, SitePlace::step, c.width, c.longest, key_width());
    if (c.hops > 1 && graph_->output_width() != c.width)
        throw Error({"make a recurrent model", "hops",
                     "1, or what is given as wide as what is asked, " + std::to_string(c.width),
                     std::to_string(graph_->output_width())});
}

void RecurrentModel::add_attention_or_program() {
    const RecurrentConfiguration& c = configuration_;
    if (graph_) {
        graph_weights_ = graph_->add_parameters(layout_, "attention.");
        attention_.query_places = attention_.key_places = c.longest;
        return;
    }
    attention_ = add_attention(
        layout_, "attention.", c.score, c.normalizer,
        {.query_width = c.width, .key_width = key_width(), .queries = c.longest, .keys = c.longest},
        c.window);
    require_separate_queries(attention_, "make a recurrent model");
}

void RecurrentModel::add_pointer() {
    const RecurrentConfiguration& c = configuration_;
    pointer_ = layout_.add("pointer.W", key_width() + c.width + c.embedding, 1);
    pointer_bias_ = layout_.add("pointer.b", 1, 1, Initial::zero);
}

std::vector<SiteDescription> RecurrentModel::sites() const {
    SiteDescription site;
    site.looks_at_source = true;
    if (graph_) {
        site.spec = graph_->spec();
        site.parameters.assign(graph_weights_.begin(), graph_weights_.end());
        site.is_program = true;
    } else {
        site.spec.source.type = SourceType::cross;
        site.spec.score = configuration_.score;
        site.spec.normalizer = configuration_.normalizer;
        configuration_.window.describe(site.spec);
        site.parameters = attention_.parameters();
    }
    std::vector<SiteDescription> all;
    for (Index hop = 0; hop < configuration_.hops; ++hop) {
        site.name = site_of_hop(hop);
        all.push_back(site);
    }
    return all;
}

std::string RecurrentModel::site_of_hop(Index hop) const {
    return configuration_.hops == 1 ? "decoder.cross" : "decoder." + std::to_string(hop) + ".cross";
}

MostTokens RecurrentModel::most_tokens() const {
    const auto limit = [](Index places) { return places > 0 ? std::optional(places) : std::nullopt; };
    return {limit(attention_.key_places), limit(attention_.query_places)};
}

template <class Real>
Encoded<Real> RecurrentModel::encode(Tape<Real>& tape, const Sequences& source) const {
    require_places(attention_, 0, source.steps);
    const Variable<Real> embedded = source_vectors(tape, source_embedding_, configuration_.frames, source);
    const auto read = [&](const Cell& cell, Direction direction) {
        const Variable<Real> gates = affine(tape, embedded, cell.input, cell.input_bias);
        return scan(tape, cell, gates, zero_state(tape, cell, source.batch), source.lengths, direction);
    };
    Encoded<Real> encoded;
    encoded.steps = source.steps;
    encoded.lengths = source.lengths;
    encoded.first = zero_state(tape, decoder_, source.batch);
    const States<Real> forward = read(forward_, Direction::forward);
    if (configuration_.bidirectional) {
        const States<Real> backward = read(backward_, Direction::backward);
        encoded.states = join_columns(tape, forward.hidden, backward.hidden);
        // s_0 from the state that has read the whole source backward (Bahdanau et al. 2015, A.2.2)
        if (has_states())
            encoded.first.hidden =
                activate(tape, affine(tape, backward.at(0, source.batch).hidden, first_, first_bias_),
                         Activation::tanh);
    } else {
        encoded.states = forward.hidden;
        if (has_states())
            encoded.first = forward.at(source.steps - 1, source.batch);
    }
    for (std::size_t i = 0; i < encoder_above_.size(); ++i) {
        const Cell& cell = encoder_above_[i];
        const States<Real> states =
            scan(tape, cell, affine(tape, encoded.states, cell.input, cell.input_bias),
                 zero_state(tape, cell, source.batch), source.lengths);
        encoded.above.push_back(states.at(source.steps - 1, source.batch));
        encoded.states = i < first_residual ? states.hidden : add(tape, states.hidden, encoded.states);
    }
    if (!graph_) {
        const Pairing pairing = encoded.pairing();
        const ScoreWeights& weights = attention_.score_weights;
        encoded.keys =
            prepare_keys(tape, pairing, attention_.score,
                         normalized_keys(tape, pairing, attention_.score, encoded.states, weights), weights);
    }
    for (const Index token : configuration_.quotes() ? source.tokens : std::vector<Index>()) {
        const bool has_other_number = !configuration_.copied_as.empty() && token >= 0;
        const Index word =
            has_other_number ? configuration_.copied_as[static_cast<std::size_t>(token)] : token;
        encoded.words.push_back(word < configuration_.target_vocabulary ? word : Sequences::none);
    }
    return encoded;
}

template <class Real>
Carried<Real> RecurrentModel::start(Tape<Real>& tape, const Encoded<Real>& encoded,
                                    std::uint64_t stream) const {
    return {encoded.first, encoded.above, zero_state(tape, decoder_, encoded.first.hidden.rows).hidden,
            first_attention_state(tape, encoded.pairing(), attention_, {encoded.lengths, false}, 0, stream),
            0};
}

template Encoded<float> RecurrentModel::encode(Tape<float>&, const Sequences&) const;
template Encoded<double> RecurrentModel::encode(Tape<double>&, const Sequences&) const;
template Carried<float> RecurrentModel::start(Tape<float>&, const Encoded<float>&, std::uint64_t) const;
template Carried<double> RecurrentModel::start(Tape<double>&, const Encoded<double>&, std::uint64_t) const;

}  // namespace headlight
