#include "core/model/recurrent_model.h"

#include "core/attention/arithmetic_text.h"
#include "core/model/mechanism_site.h"
#include "core/nn/attention.h"
#include "core/nn/copy.h"
#include "core/nn/operations.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <cmath>

namespace headlight {

using namespace nn;

namespace {

constexpr const char* attention_site = "decoder.cross";

/// Pairs one query of each sequence with its keys.
template <class Real>
Pairing pairing_of(const Encoded<Real>& encoded) {
    return {.batch = std::ssize(encoded.lengths), .heads = 1, .queries = 1, .keys = encoded.steps};
}

}  // namespace

RecurrentModel::RecurrentModel(const RecurrentConfiguration& configuration) : configuration_(configuration) {
    const RecurrentConfiguration& c = configuration_;
    const bool feeds = c.style != DecoderStyle::luong || c.input_feeding;
    if (c.mechanism)
        make_graph();
    source_embedding_ = layout_.add("source_embedding", c.source_vocabulary, c.embedding);
    target_embedding_ = layout_.add("target_embedding", c.target_vocabulary, c.embedding);
    forward_ = add_cell(layout_, "encoder.forward", c.cell, c.embedding, c.width);
    if (c.bidirectional) {
        backward_ = add_cell(layout_, "encoder.backward", c.cell, c.embedding, c.width);
        first_ = layout_.add("decoder.W_first", c.width, c.width);
        first_bias_ = layout_.add("decoder.b_first", 1, c.width, Initial::zero);
    }
    const Index fed = c.style == DecoderStyle::bahdanau ? context_width() : feeds ? c.width : 0;
    decoder_ = add_cell(layout_, "decoder", c.cell, c.embedding + fed, c.width);
    add_attention_or_program();
    require_coverage_loss();
    drawing_ = attention_;
    if (is_hard()) {
        drawing_.normalizer.mode = HardMode::sample;
        baseline_ = add_baseline(layout_, "attention.baseline.", c.reinforcement, c.width,
                                 std::log(static_cast<double>(c.target_vocabulary)));
    }
    if (c.copies)
        add_pointer();
    if (c.style == DecoderStyle::bahdanau) {
        combine_ = layout_.add("readout.W", c.width + c.embedding + context_width(), 2 * c.width);
        combine_bias_ = layout_.add("readout.b", 1, 2 * c.width, Initial::zero);
    } else {
        combine_ = layout_.add("W_c", c.width + context_width(), c.width);
    }
    output_ = layout_.add("W_output", c.width, c.target_vocabulary);
    output_bias_ = layout_.add("b_output", 1, c.target_vocabulary, Initial::zero);
}

void RecurrentModel::make_graph() {
    const RecurrentConfiguration& c = configuration_;
    const auto refuse = [](const char* where, const std::string& got) {
        throw Error({"make a recurrent model", where,
                     "none beside a mechanism: of its program the weights pass no gradient on", got});
    };
    if (c.copies)
        refuse("copies", "true");
    if (c.coverage_loss != 0)
        refuse("coverage_loss", format_number(c.coverage_loss));
    graph_ = mechanism_at(*c.mechanism, SitePlace::step, c.width, c.longest, key_width());
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
    const auto is_word = [&](Index word) { return word >= Sequences::none && word < c.target_vocabulary; };
    if (!c.copied_as.empty() &&
        (std::ssize(c.copied_as) != c.source_vocabulary || !std::ranges::all_of(c.copied_as, is_word)))
        throw Error(
            {"make a recurrent model", "copied_as",
             "a target word or none for each of " + std::to_string(c.source_vocabulary) + " source words",
             std::to_string(c.copied_as.size()) + " numbers"});
    pointer_ = layout_.add("pointer.W", key_width() + c.width + c.embedding, 1);
    pointer_bias_ = layout_.add("pointer.b", 1, 1, Initial::zero);
}

void RecurrentModel::require_coverage_loss() const {
    const double lambda = configuration_.coverage_loss;
    const auto refuse = [](const std::string& expected, const std::string& got) {
        throw Error({"make a recurrent model", "coverage_loss", expected, got});
    };
    if (!(lambda >= 0 && lambda <= largest_coverage_loss))
        refuse("a number from 0 to 1000", std::to_string(lambda));
    if (lambda > 0 && is_hard())
        refuse("0: the weights of hard attention are drawn, and pass no gradient on", std::to_string(lambda));
}

std::vector<SiteDescription> RecurrentModel::sites() const {
    SiteDescription site;
    site.name = attention_site;
    site.looks_at_source = true;
    if (graph_) {
        site.spec = graph_->spec();
        site.parameters.assign(graph_weights_.begin(), graph_weights_.end());
        site.is_program = true;
        return {site};
    }
    site.spec.source.type = SourceType::cross;
    site.spec.score = configuration_.score;
    site.spec.normalizer = configuration_.normalizer;
    configuration_.window.describe(site.spec);
    site.parameters = attention_.parameters();
    return {site};
}

MostTokens RecurrentModel::most_tokens() const {
    const auto limit = [](Index places) { return places > 0 ? std::optional(places) : std::nullopt; };
    return {limit(attention_.key_places), limit(attention_.query_places)};
}

template <class Real>
Encoded<Real> RecurrentModel::encode(Tape<Real>& tape, const Sequences& source) const {
    require_places(attention_, 0, source.steps);
    const Variable<Real> embedded = take_rows(tape, tape.weight(source_embedding_), source.tokens);
    const auto read = [&](const Cell& cell, Direction direction) {
        const Variable<Real> gates = affine(tape, embedded, cell.input, cell.input_bias);
        return scan(tape, cell, gates, zero_state(tape, cell, source.batch), source.lengths, direction);
    };
    Encoded<Real> encoded;
    encoded.steps = source.steps;
    encoded.lengths = source.lengths;
    const States<Real> forward = read(forward_, Direction::forward);
    if (configuration_.bidirectional) {
        const States<Real> backward = read(backward_, Direction::backward);
        encoded.states = join_columns(tape, forward.hidden, backward.hidden);
        // s_0 from the state that has read the whole source backward (Bahdanau et al. 2015, A.2.2)
        encoded.first = zero_state(tape, decoder_, source.batch);
        encoded.first.hidden = activate(
            tape, affine(tape, backward.at(0, source.batch).hidden, first_, first_bias_), Activation::tanh);
    } else {
        encoded.states = forward.hidden;
        encoded.first = forward.at(source.steps - 1, source.batch);
    }
    if (!graph_) {
        const Pairing pairing = pairing_of(encoded);
        const ScoreWeights& weights = attention_.score_weights;
        encoded.keys =
            prepare_keys(tape, pairing, attention_.score,
                         normalized_keys(tape, pairing, attention_.score, encoded.states, weights), weights);
    }
    for (const Index token : configuration_.copies ? source.tokens : std::vector<Index>()) {
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
    return {encoded.first, zero_state(tape, decoder_, encoded.first.hidden.rows).hidden,
            first_attention_state(tape, pairing_of(encoded), attention_, {encoded.lengths, false}, 0, stream),
            0};
}

namespace {

/// The larger of each two neighbours: [n, 2 d] -> [n, d]                  (Goodfellow et al. 2013)
template <class Real>
Variable<Real> maxout(Tape<Real>& tape, Variable<Real> a) {
    const Variable<Real> y = tape.variable(a.rows, a.columns / 2);
    for (Index i = 0; i < y.size(); ++i)
        y.value[i] = std::max(a.value[2 * i], a.value[2 * i + 1]);
    tape.on_backward([=](Tape<Real>&) {
        Real* of_a = a.gradient();
        const Real* of_y = y.gradient();
        for (Index i = 0; i < y.size(); ++i)
            of_a[2 * i + (a.value[2 * i] < a.value[2 * i + 1] ? 1 : 0)] += of_y[i];
    });
    return y;
}

}  // namespace

template <class Real>
Variable<Real> RecurrentModel::attend_by_program(Tape<Real>& tape, const Encoded<Real>& encoded,
                                                 Variable<Real> query, std::span<const Index> tokens,
                                                 Index step, Hook<Real>* hook) const {
    // A text that is over asks for nothing.
    std::vector<Index> asked;
    asked.reserve(tokens.size());
    for (const Index token : tokens)
        asked.push_back(token == Sequences::none ? 0 : 1);
    const Index batch = std::ssize(asked);
    Variable<Real> maps;
    const Variable<Real> context =
        graph_->attend(tape, {batch, query, encoded.states, asked, encoded.lengths, 0}, graph_weights_,
                       hook ? &maps : nullptr);
    if (hook) {
        Pairing pairing = pairing_of(encoded);
        pairing.heads = graph_->spec().heads.count();
        hook->attended({attention_site, pairing, step, GraphAttention::draws()}, query, maps);
    }
    return context;
}

template <class Real>
Decoded<Real> RecurrentModel::step(Tape<Real>& tape, const Attention& attention, const Encoded<Real>& encoded,
                                   const Carried<Real>& carried, std::span<const Index> tokens,
                                   Hook<Real>* hook) const {
    require_places(attention, carried.steps + 1, 0);
    const Index batch = carried.state.hidden.rows, embedding = configuration_.embedding;
    const Variable<Real> embedded = take_rows(tape, tape.weight(target_embedding_), tokens);
    const Variable<Real> gates =
        affine(tape, embedded, decoder_.input.row_range(0, embedding), decoder_.input_bias);
    const Weight fed = decoder_.input.row_range(embedding, decoder_.input.rows - embedding);

    Decoded<Real> decoded;
    decoded.next.steps = carried.steps + 1;
    decoded.next.attention = carried.attention;
    const auto context_for = [&](Variable<Real> query) {
        if (graph_)
            return attend_by_program(tape, encoded, query, tokens, carried.steps, hook);
        AttentionState<Real>& state = decoded.next.attention;
        const SiteCall call{attention_site, pairing_of(encoded), carried.steps, state.normalizer.stream};
        const ScoreWeights& weights = attention.score_weights;
        const Variable<Real> map =
            scores(tape, call.pairing, attention.score,
                   normalized_queries(tape, call.pairing, attention.score, query, weights), encoded.keys,
                   weights, &state.score);
        const Attended<Real> attended = attend(
            tape, call, attention, {query, map, encoded.states, {encoded.lengths, false}}, state, hook);
        decoded.weights = attended.weights;
        return attended.context;
    };
    const auto move_on = [&](Variable<Real> input) {
        decoded.next.state = scan(tape, decoder_, input, carried.state).at(0, batch);
        return decoded.next.state.hidden;
    };
    Variable<Real> context;
    if (configuration_.style == DecoderStyle::bahdanau) {
        context = context_for(carried.state.hidden);
        move_on(add_product(tape, gates, context, fed));
        const Variable<Real> known =
            join_columns(tape, join_columns(tape, carried.state.hidden, embedded), context);
        decoded.readout = maxout(tape, affine(tape, known, combine_, combine_bias_));
    } else {
        const Variable<Real> hidden =
            move_on(fed.rows > 0 ? add_product(tape, gates, carried.attentional, fed) : gates);
        context = context_for(hidden);
        const bool is_wrapper = configuration_.style == DecoderStyle::wrapper;
        const Variable<Real> both =
            is_wrapper ? join_columns(tape, hidden, context) : join_columns(tape, context, hidden);
        const Variable<Real> combined = product(tape, both, combine_);
        decoded.next.attentional = is_wrapper ? combined : activate(tape, combined, Activation::tanh);
        decoded.readout = decoded.next.attentional;
    }
    if (configuration_.copies)
        decoded.gate =
            affine(tape, join_columns(tape, join_columns(tape, context, decoded.next.state.hidden), embedded),
                   pointer_, pointer_bias_);
    return decoded;
}

template <class Real>
Variable<Real> RecurrentModel::logits(Tape<Real>& tape, const Encoded<Real>& encoded,
                                      std::span<const Decoded<Real>> decoded, Hook<Real>* hook) const {
    const auto all = [&](Variable<Real> Decoded<Real>::*member) {
        std::vector<Variable<Real>> parts;
        for (const Decoded<Real>& each : decoded)
            parts.push_back(each.*member);
        return parts.size() == 1 ? parts.front() : join_rows(tape, std::span<const Variable<Real>>(parts));
    };
    const Variable<Real> written = affine(tape, all(&Decoded<Real>::readout), output_, output_bias_);
    if (!configuration_.copies)
        return written;
    const Variable<Real> weights = all(&Decoded<Real>::weights), gate = all(&Decoded<Real>::gate);
    const std::span<const Index> words(encoded.words);
    if (hook)
        hook->mixture(copy_mixture(tape, written, weights, gate, words));
    return copy_logits(tape, written, weights, gate, words);
}

#define HEADLIGHT_INSTANTIATE(Real)                                                                          \
    template Encoded<Real> RecurrentModel::encode(Tape<Real>&, const Sequences&) const;                      \
    template Carried<Real> RecurrentModel::start(Tape<Real>&, const Encoded<Real>&, std::uint64_t) const;    \
    template Decoded<Real> RecurrentModel::step(Tape<Real>&, const Attention&, const Encoded<Real>&,         \
                                                const Carried<Real>&, std::span<const Index>, Hook<Real>*)   \
        const;                                                                                               \
    template Variable<Real> RecurrentModel::logits(Tape<Real>&, const Encoded<Real>&,                        \
                                                   std::span<const Decoded<Real>>, Hook<Real>*) const;
HEADLIGHT_INSTANTIATE(float)
HEADLIGHT_INSTANTIATE(double)
#undef HEADLIGHT_INSTANTIATE

}  // namespace headlight
