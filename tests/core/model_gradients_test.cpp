// The gradients of whole models against central differences, in double.

#include "core/attention/component.h"
#include "core/catalog/mechanism.h"
#include "core/model/architecture.h"
#include "core/model/recurrent_model.h"
#include "core/model/sentence_layers.h"
#include "core/model/transformer_model.h"
#include "core/model/triangle_layers.h"
#include "core/tensor/random.h"
#include "tests/support/gradients.h"
#include "tests/support/hosts.h"

namespace headlight::model_gradients_test {

using namespace nn;
using namespace test;

namespace {

/// Sources and targets of different lengths, with tokens that occur twice.
Batch small_batch() {
    const std::vector<std::vector<Index>> sources{{1, 2, 0, 2}, {3, 1}, {0, 0, 1}};
    const std::vector<std::vector<Index>> inputs{{0, 2, 3}, {0, 4}, {0, 1, 1}},
        labels{{2, 3, 1}, {4, 1}, {1, 1, 1}};
    return {side_by_side(sources), side_by_side(inputs), side_by_side(labels)};
}

struct RecurrentCase {
    std::string name;
    RecurrentConfiguration configuration;
};
void PrintTo(const RecurrentCase& each, std::ostream* out) { *out << each.name; }

/// With no more numbers than it needs, one query at a time.
Score small_score(const ScoreComponent& component) {
    Score score;
    score.type = component.type;
    for (const Option& each : component.options) {
        if (each.name == "query_width")
            score.options[each.name] = Index(1);
        else if (each.name == "filters" || each.name == "width" || each.name == "key_width")
            score.options[each.name] = Index(3);
    }
    return score;
}

std::vector<RecurrentCase> recurrent_cases() {
    RecurrentConfiguration base;
    base.source_vocabulary = 4;
    base.target_vocabulary = 5;
    base.embedding = 2;
    base.width = 3;
    base.score.type = ScoreType::additive;
    std::vector<RecurrentCase> all;
    for (const auto& [cell_name, cell] :
         {std::pair{"rnn", CellType::rnn}, {"gru", CellType::gru}, {"lstm", CellType::lstm}})
        for (const auto& [style_name, style] : {std::pair{"bahdanau", DecoderStyle::bahdanau},
                                                {"luong", DecoderStyle::luong},
                                                {"wrapper", DecoderStyle::wrapper}}) {
            RecurrentConfiguration c = base;
            c.cell = cell;
            c.style = style;
            all.push_back({std::string(style_name) + "_" + cell_name, c});
        }
    for (const auto& [name, score] : {std::pair{"dot", ScoreType::dot},
                                      {"scaled_dot", ScoreType::scaled_dot},
                                      {"general", ScoreType::general},
                                      {"concat", ScoreType::concat}}) {
        RecurrentConfiguration c = base;
        c.style = DecoderStyle::luong;
        c.bidirectional = false;
        c.score.type = score;
        c.score.bias = score == ScoreType::concat;
        all.push_back({std::string("luong_") + name, c});
    }
    RecurrentConfiguration c = base;
    c.style = DecoderStyle::luong;
    c.input_feeding = false;
    all.push_back({"luong_without_input_feeding", c});

    // What is compared by its product needs keys as wide as queries.
    base.bidirectional = false;
    base.longest = 4;
    for (const ScoreComponent& component : score_components()) {
        c = base;
        c.score = small_score(component);
        if (component.type != ScoreType::selective && stands_alone(c.score))
            all.push_back({"score_" + component.word, c});
    }
    for (const NormalizerComponent& component : normalizer_components()) {
        c = base;
        c.normalizer.type = component.type;
        if (!couples_queries(c.normalizer) && is_differentiable(c.normalizer) && stands_alone(c.normalizer))
            all.push_back({"normalizer_" + component.word, c});
    }
    for (const auto& [name, kind] :
         {std::pair{"local_m", LocalWindow::Kind::monotonic}, {"local_p", LocalWindow::Kind::predicted}}) {
        c = base;
        c.window = {kind, 1};
        all.push_back({name, c});
    }
    for (const auto& [name, style] :
         {std::pair{"pointer_bahdanau", DecoderStyle::bahdanau}, {"pointer_luong", DecoderStyle::luong}}) {
        c = base;
        c.style = style;
        c.copies = true;
        c.copied_as = {3, Sequences::none, 1, 4};
        all.push_back({name, c});
        c.coverage_loss = 0.75;
        all.push_back({std::string(name) + "_with_coverage_loss", c});
        c.score.type = ScoreType::coverage;
        all.push_back({std::string(name) + "_with_coverage_and_its_loss", c});
    }
    for (const auto& [name, style] :
         {std::pair{"points_bahdanau", DecoderStyle::bahdanau}, {"points_luong", DecoderStyle::luong}}) {
        c = base;
        c.style = style;
        c.points = true;
        c.input_feeding = false;
        c.copied_as = {3, 2, 1, 4};
        all.push_back({name, c});
    }
    for (const auto& [name, style] :
         {std::pair{"bahdanau_layers", DecoderStyle::bahdanau}, {"luong_layers", DecoderStyle::luong}}) {
        c = base;
        c.cell = CellType::lstm;
        c.bidirectional = style == DecoderStyle::bahdanau;
        c.style = style;
        c.layers = 3;
        all.push_back({name, c});
    }
    c = base;
    c.hops = 3;
    all.push_back({"hops", c});
    c = base;
    c.style = DecoderStyle::dense;
    all.push_back({"dense", c});
    // By a mechanism's program; keys are twice as wide as queries.
    for (const auto& [name, style] : {std::pair{"bahdanau", DecoderStyle::bahdanau},
                                      {"luong", DecoderStyle::luong},
                                      {"wrapper", DecoderStyle::wrapper}}) {
        c = base;
        c.width = 4;
        c.bidirectional = true;
        c.style = style;
        c.mechanism = build_spec(mechanism("multi_head"), {{"heads", Index(2)}});
        all.push_back({std::string(name) + "_with_heads", c});
    }
    return all;
}

class RecurrentHost : public testing::TestWithParam<RecurrentCase> {};

TEST_P(RecurrentHost, HasTheGradientOfDifferences) {
    const RecurrentModel model(GetParam().configuration);
    expect_gradient(model.layout(), model.layout().initial_values<double>(5),
                    [&](Tape<double>& tape) { return model.loss(tape, small_batch(), 2.0); });
}

INSTANTIATE_TEST_SUITE_P(Models, RecurrentHost, testing::ValuesIn(recurrent_cases()),
                         [](const auto& row) { return row.param.name; });

struct TransformerCase {
    std::string name;
    TransformerConfiguration configuration;
};
void PrintTo(const TransformerCase& each, std::ostream* out) { *out << each.name; }

std::vector<TransformerCase> transformer_cases() {
    std::vector<TransformerCase> all;
    for (const auto& [kind_name, kind] : {std::pair{"encoder_decoder", TransformerKind::encoder_decoder},
                                          {"decoder", TransformerKind::decoder},
                                          {"encoder", TransformerKind::encoder}})
        for (const auto& [norm_name, norm] :
             {std::pair{"norm_before", NormPlacement::before}, {"norm_after", NormPlacement::after}})
            for (const auto& [places_name, places] : {std::pair{"sinusoidal", PositionEncoding::sinusoidal},
                                                      {"learned", PositionEncoding::learned},
                                                      {"rotary", PositionEncoding::rotary},
                                                      {"alibi", PositionEncoding::alibi},
                                                      {"distances", PositionEncoding::distances}}) {
                TransformerConfiguration c;
                c.kind = kind;
                c.source_vocabulary = 4;
                c.target_vocabulary = 5;
                c.width = 4;
                c.heads = 2;
                c.feed_forward = 3;
                c.encoder = c.decoder = std::vector<LayerSpec>(1);
                c.longest = 4;
                c.norm = norm;
                c.places = places;
                all.push_back({std::string(kind_name) + "_" + norm_name + "_" + places_name, c});
            }
    TransformerConfiguration base = all.front().configuration;
    for (const Index width : {2, 3}) {
        TransformerConfiguration c = base;
        c.mixer = Mixer::convolution;
        c.reach = width;
        c.feed_forward = width == 2 ? 0 : c.feed_forward;
        all.push_back({"convolution_of_" + std::to_string(width), c});
        c.turns = 2;
        all.push_back({"turns_of_convolution_of_" + std::to_string(width), c});
    }
    for (const auto& [name, norm] :
         {std::pair{"set_norm_before", NormPlacement::before}, {"set", NormPlacement::after}}) {
        TransformerConfiguration c = base;
        c.kind = TransformerKind::encoder;
        c.places = PositionEncoding::none;
        c.norm = norm;
        c.pooling = Pooling::attention;
        all.push_back({name, c});
    }
    {
        TransformerConfiguration c = base;
        architecture(HostType::slot_attention).configure(c);
        c.seeds = 3;
        all.push_back({"slots", c});
    }
    for (const char* kind : {"bidaf", "dcn", "esim"}) {
        TransformerConfiguration c = base;
        architecture(HostType::coattention).configure(c);
        c.asked_text->mechanism.algorithm.options["kind"] = std::string(kind);
        keep_question_apart(c, 1);
        all.push_back({std::string("question_") + kind, c});
    }
    for (const NormPlacement norm : {NormPlacement::before, NormPlacement::after}) {
        TransformerConfiguration c = base;
        architecture(HostType::hierarchical).configure(c);
        c.norm = norm;
        keep_to_sentences(c, 2, c.longest);
        all.push_back({norm == NormPlacement::before ? "sentences_norm_before" : "sentences", c});
    }
    for (const Index points : {2, 3}) {  // the text fills a grid, or leaves pairs out
        TransformerConfiguration c = base;
        c.encoder.resize(2);  // around the starting node and around the ending one
        architecture(HostType::triangles).configure(c);
        read_pairs_of(c, points);
        all.push_back({"pairs_of_" + std::to_string(points), c});
    }
    {
        TransformerConfiguration c = base;
        architecture(HostType::vision).configure(c);
        c.frames = small_patches();
        all.push_back({"patches", c});
    }
    for (const NormPlacement norm : {NormPlacement::before, NormPlacement::after})
        for (const PositionEncoding places : {PositionEncoding::sinusoidal, PositionEncoding::learned}) {
            TransformerConfiguration c = base;
            architecture(HostType::two_stream).configure(c);
            c.decoder.resize(2);
            c.norm = norm;
            c.places = places;
            c.turns = norm == NormPlacement::before ? 2 : 1;
            all.push_back({"two_streams_" + std::to_string(static_cast<int>(norm)) + "_" +
                               std::to_string(static_cast<int>(places)),
                           c});
        }
    for (const PositionEncoding places : {PositionEncoding::sinusoidal, PositionEncoding::rotary}) {
        TransformerConfiguration c = base;
        c.turns = 3;
        c.places = places;
        all.push_back({"turns_" + std::to_string(static_cast<int>(places)), c});
    }
    for (const ScoreComponent& component : score_components()) {
        TransformerConfiguration c = base;
        c.score = small_score(component);
        if (couples_queries(c.score))
            c.kind = TransformerKind::encoder;
        if (!remembers(c.score) && stands_alone(c.score))
            all.push_back({"score_" + component.word, c});
    }
    for (const NormalizerComponent& component : normalizer_components()) {
        TransformerConfiguration c = base;
        c.normalizer.type = component.type;
        if (!couples_queries(c.normalizer) && is_differentiable(c.normalizer) && stands_alone(c.normalizer))
            all.push_back({"normalizer_" + component.word, c});
    }
    return all;
}

/// All of one size: layer norms of the tiny numbers that training starts from bend sharply.
std::vector<double> even_weights(const ParameterLayout& layout) {
    std::vector<double> weights(static_cast<std::size_t>(layout.size()));
    for (std::size_t i = 0; i < weights.size(); ++i)
        weights[i] = 2 * uniform(substream(5, i)) - 1;
    return weights;
}

class TransformerHost : public testing::TestWithParam<TransformerCase> {};

TEST_P(TransformerHost, HasTheGradientOfDifferences) {
    const TransformerModel model(GetParam().configuration);
    Batch batch = small_batch();
    if (GetParam().configuration.kind == TransformerKind::encoder)
        batch.labels = side_by_side(std::vector<std::vector<Index>>{{2}, {4}, {0}});
    expect_gradient(model.layout(), even_weights(model.layout()),
                    [&](Tape<double>& tape) { return model.loss(tape, batch, 2.0); });
}

INSTANTIATE_TEST_SUITE_P(Models, TransformerHost, testing::ValuesIn(transformer_cases()),
                         [](const auto& row) { return row.param.name; });

// No gradient goes back into the memory of a segment: of a single layer that concerns the vectors of tokens
// alone, and all behind them has the gradient of differences.
TEST(Segments, LearnNothingThroughTheirMemory) {
    for (const PositionEncoding places :
         {PositionEncoding::rotary, PositionEncoding::distances, PositionEncoding::none})
        for (const NormPlacement norm : {NormPlacement::before, NormPlacement::after})
            for (const Index segment : {1, 2, 3}) {
                TransformerConfiguration c;
                c.kind = TransformerKind::decoder;
                c.target_vocabulary = 5;
                c.width = 4;
                c.heads = 2;
                c.feed_forward = 3;
                c.decoder.resize(1);
                c.places = places;
                c.norm = norm;
                c.segment = segment;
                if (places == PositionEncoding::none) {  // by a program
                    c.set_mechanism(build_spec(mechanism("multi_head"), {{"heads", Index(2)}}));
                    c.longest = 3;
                }
                const TransformerModel model(c);
                const Loss loss = [&](Tape<double>& tape) { return model.loss(tape, small_batch(), 2.0); };
                std::vector<double> weights = even_weights(model.layout());
                const std::vector<double> gradient = gradient_at(weights, loss);
                std::vector<double> unused(weights.size());
                Tape<double> tape(weights, unused);
                EXPECT_NEAR(*loss(tape).value, loss_at(weights, loss), 1e-12)
                    << "what is forgotten for gradients changes no number";
                double largest = 0;  // difference of the vectors of tokens
                for (const auto& entry : model.layout().entries())
                    for (Index i = 0; i < entry.weight.size(); ++i) {
                        const auto place = static_cast<std::size_t>(entry.weight.offset + i);
                        const double expected = difference_at(weights, place, loss);
                        const double off = std::abs(gradient[place] - expected);
                        if (entry.name == "target_embedding")
                            largest = std::max(largest, off);
                        else
                            EXPECT_LE(off, 1e-6 * std::max(1.0, std::abs(expected)))
                                << entry.name << "[" << i << "], segments of " << segment;
                    }
                if (segment < 3)
                    EXPECT_GT(largest, 1e-3) << "segments of " << segment;
                else
                    EXPECT_LT(largest, 1e-5) << "the text is one segment";
            }
}

}  // namespace

}  // namespace headlight::model_gradients_test
