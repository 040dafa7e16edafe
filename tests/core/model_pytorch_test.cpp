// Cells, layers, optimisers and whole models against PyTorch: outputs and every gradient.

#include "core/model/architecture.h"
#include "core/model/sentence_layers.h"
#include "core/model/triangle_layers.h"
#include "core/nn/operations.h"
#include "core/nn/optimizer.h"
#include "tests/support/attention_runs.h"
#include "tests/support/gradients.h"
#include "tests/support/hosts.h"

namespace headlight::model_pytorch_test {

using namespace nn;
using namespace test;

namespace {

constexpr double tolerance = 1e-9;

const Json& golden() {
    static const Json file = read_json(HEADLIGHT_SOURCE_DIR "/tests/support/pytorch_nn/models.json");
    return file;
}

/// The numbers of a row's `weights` in the layout's order. Both have the same names.
std::vector<double> weights_of(const ParameterLayout& layout, const Json& given) {
    std::vector<double> weights(static_cast<std::size_t>(layout.size()));
    EXPECT_EQ(layout.entries().size(), given.size());
    for (const auto& [name, numbers] : given.items()) {
        const Weight weight = layout.find(name);
        const std::vector<double> all = flat(numbers);
        EXPECT_EQ(std::ssize(all), weight.size()) << name;
        std::ranges::copy(all, weights.begin() + weight.offset);
    }
    return weights;
}

void expect_gradients(const ParameterLayout& layout, const std::vector<double>& found, const Json& expected) {
    for (const auto& [name, numbers] : expected.items()) {
        const Weight weight = layout.find(name);
        EXPECT_TRUE(within(std::span(found).subspan(static_cast<std::size_t>(weight.offset),
                                                    static_cast<std::size_t>(weight.size())),
                           flat(numbers), tolerance))
            << name;
    }
}

Variable<double> constant(Tape<double>& tape, const Json& numbers, Index rows) {
    const std::vector<double> all = flat(numbers);
    const Variable<double> made = tape.constant(rows, std::ssize(all) / rows);
    std::ranges::copy(all, made.value);
    return made;
}

std::string name_of(const Json& row) { return row["name"].get<std::string>(); }

/// The rows of one part of the file.
auto rows_of_part(const char* part) { return testing::Range(std::size_t(0), golden()[part].size()); }

CellType cell_of(const Json& row) {
    const std::string word = row["cell"];
    return word == "rnn" ? CellType::rnn : word == "gru" ? CellType::gru : CellType::lstm;
}

class PyTorchCells : public testing::TestWithParam<std::size_t> {};

TEST_P(PyTorchCells, ReadAlike) {
    const Json& row = golden()["cells"][GetParam()];
    const auto lengths = row["lengths"].get<std::vector<Index>>();
    const Index batch = std::ssize(lengths), steps = std::ssize(row["x"]);
    const bool is_bidirectional = row["weights"].contains("backward.W_input");
    ParameterLayout layout;
    const Weight x = layout.add("x", steps * batch, 2);
    std::vector<Cell> cells{add_cell(layout, "forward", cell_of(row), 2, row["width"])};
    if (is_bidirectional)
        cells.push_back(add_cell(layout, "backward", cell_of(row), 2, row["width"]));
    Json given = row["weights"];
    given["x"] = row["x"];
    const auto read = [&](Tape<double>& tape) {
        const auto along = [&](const Cell& cell, Direction direction) {
            const auto gates = affine(tape, tape.weight(x), cell.input, cell.input_bias);
            return scan(tape, cell, gates, zero_state(tape, cell, batch), lengths, direction).hidden;
        };
        const auto forward = along(cells[0], Direction::forward);
        return is_bidirectional ? join_columns(tape, forward, along(cells[1], Direction::backward)) : forward;
    };
    // Behind the end of a sequence PyTorch has zeros, and this engine the last state: it does not count.
    const auto factors = [&](Tape<double>& tape) {
        auto made = constant(tape, row["factors"], steps * batch);
        for (Index t = 0; t < steps; ++t)
            for (Index i = 0; i < batch; ++i)
                if (t >= lengths[static_cast<std::size_t>(i)])
                    std::fill_n(made.row(t * batch + i), made.columns, 0.0);
        return made;
    };
    const std::vector<double> weights = weights_of(layout, given);
    Tape<double> tape(weights);
    const auto states = read(tape);
    const std::vector<double> expected = flat(row["states"]);
    for (Index t = 0; t < steps; ++t)
        for (Index i = 0; i < batch; ++i)
            for (Index c = 0; t < lengths[static_cast<std::size_t>(i)] && c < states.columns; ++c)
                EXPECT_NEAR(states.row(t * batch + i)[c],
                            expected[static_cast<std::size_t>((t * batch + i) * states.columns + c)],
                            tolerance);
    const std::vector<double> gradient =
        gradient_at(weights, [&](Tape<double>& t) { return sum(t, multiply(t, read(t), factors(t))); });
    Json expected_gradients = row["gradients"];
    expected_gradients["x"] = row["x_gradient"];
    expect_gradients(layout, gradient, expected_gradients);
}

INSTANTIATE_TEST_SUITE_P(All, PyTorchCells, rows_of_part("cells"),
                         [](const auto& index) { return name_of(golden()["cells"][index.param]); });

TEST(PyTorchLayers, NormalizeAlike) {
    const Json& row = golden()["layers"]["layer_norm"];
    ParameterLayout layout;
    const Weight x = layout.add("x", 3, 5), gain = layout.add("gain", 1, 5), bias = layout.add("bias", 1, 5);
    const std::vector<double> weights = weights_of(layout, row["inputs"]);
    Tape<double> tape(weights);
    EXPECT_TRUE(
        within(layer_norm(tape, tape.weight(x), gain, bias).values(), flat(row["output"]), tolerance));
    expect_gradients(layout,
                     gradient_at(weights,
                                 [&](Tape<double>& t) {
                                     return sum(t, multiply(t, layer_norm(t, t.weight(x), gain, bias),
                                                            constant(t, row["factors"], 3)));
                                 }),
                     row["gradients"]);
}

TEST(PyTorchLayers, LoseAlike) {
    const Json& row = golden()["layers"]["cross_entropy"];
    ParameterLayout layout;
    const Weight logits = layout.add("logits", 4, 3);
    const std::vector<double> weights = weights_of(layout, row["inputs"]);
    const auto labels = row["labels"].get<std::vector<Index>>();
    const auto loss = [&](Tape<double>& tape) {
        return cross_entropy(tape, tape.weight(logits), std::span(labels), row["divisor"].get<double>());
    };
    EXPECT_NEAR(loss_at(weights, loss), row["output"].get<double>(), tolerance);
    expect_gradients(layout, gradient_at(weights, loss), row["gradients"]);
}

class PyTorchOptimizers : public testing::TestWithParam<std::size_t> {};

TEST_P(PyTorchOptimizers, StepAlike) {
    const Json& row = golden()["optimizers"][GetParam()];
    std::vector<double> weights = flat(row["weights"]);
    Adam<double> adam(std::ssize(weights), {.first_decay = row["first_decay"],
                                            .second_decay = row["second_decay"],
                                            .epsilon = row["epsilon"],
                                            .weight_decay = row["weight_decay"]});
    for (const Json& step : row["steps"]) {
        adam.step(weights, flat(step["gradient"]), row["rate"]);
        EXPECT_TRUE(within(weights, flat(step["weights"]), tolerance));
    }
}

INSTANTIATE_TEST_SUITE_P(All, PyTorchOptimizers, rows_of_part("optimizers"),
                         [](const auto& index) { return name_of(golden()["optimizers"][index.param]); });

Batch golden_batch() {
    const auto side = [](const char* name) {
        return side_by_side(golden()["batch"][name].get<std::vector<std::vector<Index>>>());
    };
    return {side("source"), side("inputs"), side("labels")};
}

double golden_divisor() { return golden()["divisor"].get<double>(); }

template <class Loss>
void expect_loss(const ParameterLayout& layout, const Json& row, const Loss& loss) {
    const std::vector<double> weights = weights_of(layout, row["weights"]);
    EXPECT_NEAR(loss_at(weights, loss), row["loss"].get<double>(), tolerance);
    expect_gradients(layout, gradient_at(weights, loss), row["gradients"]);
}

template <class Model>
void expect_alike(const Model& model, const Json& row, const Batch& batch = golden_batch()) {
    expect_loss(model.layout(), row,
                [&](Tape<double>& tape) { return model.loss(tape, batch, golden_divisor()); });
}

RecurrentConfiguration recurrent_of(const Json& row) {
    const std::string style = row["style"], score = row["score"];
    RecurrentConfiguration c;
    c.source_vocabulary = golden()["source_words"];
    c.target_vocabulary = golden()["target_words"];
    c.embedding = row["embedding"];
    c.width = row["width"];
    c.cell = cell_of(row);
    c.bidirectional = row["bidirectional"];
    c.style = style == "bahdanau" ? DecoderStyle::bahdanau
              : style == "luong"  ? DecoderStyle::luong
                                  : DecoderStyle::wrapper;
    c.input_feeding = row["feeding"];
    c.score.type = score == "dot"        ? ScoreType::dot
                   : score == "general"  ? ScoreType::general
                   : score == "coverage" ? ScoreType::coverage
                                         : ScoreType::additive;
    if (const Index radius = row["radius"]; radius > 0)
        c.window = {LocalWindow::Kind::predicted, radius};
    c.copied_as = row["copied_as"].get<std::vector<Index>>();
    c.copies = !c.copied_as.empty();
    return c;
}

class PyTorchRecurrent : public testing::TestWithParam<std::size_t> {};

TEST_P(PyTorchRecurrent, LearnsAlike) {
    const Json& row = golden()["recurrent"][GetParam()];
    expect_alike(RecurrentModel(recurrent_of(row)), row);
}

INSTANTIATE_TEST_SUITE_P(All, PyTorchRecurrent, rows_of_part("recurrent"),
                         [](const auto& index) { return name_of(golden()["recurrent"][index.param]); });

class PyTorchCoverageLoss : public testing::TestWithParam<std::size_t> {};

TEST_P(PyTorchCoverageLoss, LearnsAlike) {
    const Json& row = golden()["coverage_losses"][GetParam()];
    RecurrentConfiguration c = recurrent_of(row);
    c.coverage_loss = row["coverage_loss"];
    expect_alike(RecurrentModel(c), row);
}

INSTANTIATE_TEST_SUITE_P(All, PyTorchCoverageLoss, rows_of_part("coverage_losses"),
                         [](const auto& index) { return name_of(golden()["coverage_losses"][index.param]); });

class PyTorchTransformers : public testing::TestWithParam<std::size_t> {};

TEST_P(PyTorchTransformers, LearnAlike) {
    const Json& row = golden()["transformers"][GetParam()];
    TransformerConfiguration c;
    c.source_vocabulary = golden()["source_words"];
    c.target_vocabulary = golden()["target_words"];
    c.width = row["width"];
    c.heads = row["heads"];
    c.feed_forward = row["feed_forward"];
    c.encoder = c.decoder = std::vector<LayerSpec>(1);
    c.longest = row["longest"];
    c.norm = row["norm_first"] ? NormPlacement::before : NormPlacement::after;
    c.places = row["learned_places"] ? PositionEncoding::learned : PositionEncoding::sinusoidal;
    expect_alike(TransformerModel(c), row);
}

INSTANTIATE_TEST_SUITE_P(All, PyTorchTransformers, rows_of_part("transformers"),
                         [](const auto& index) { return name_of(golden()["transformers"][index.param]); });

// Hosts that are settings of these, each against its paper's formulas.

const Json& host_row(const std::string& name) {
    const Json& rows = golden()["hosts"];
    return *std::ranges::find_if(rows, [&](const Json& row) { return name_of(row) == name; });
}

RecurrentConfiguration recurrent_host(const Json& row) {
    RecurrentConfiguration c;
    c.source_vocabulary = golden()["source_words"];
    c.target_vocabulary = golden()["target_words"];
    c.embedding = row["embedding"];
    c.width = row["width"];
    c.bidirectional = false;
    return c;
}

TransformerConfiguration transformer_host(const Json& row) {
    TransformerConfiguration c;
    c.source_vocabulary = golden()["source_words"];
    c.target_vocabulary = golden()["target_words"];
    c.width = row["width"];
    c.heads = row["heads"];
    c.encoder = c.decoder = std::vector<LayerSpec>(1);
    return c;
}

TEST(PyTorchHosts, PointAlike) {
    const Json& row = host_row("pointer_network");
    RecurrentConfiguration c = recurrent_host(row);
    architecture(HostType::pointer).configure(c);
    c.score.type = ScoreType::additive;
    c.copied_as = row["copied_as"].get<std::vector<Index>>();
    expect_alike(RecurrentModel(c), row);
}

TEST(PyTorchHosts, ReadInLayersAlike) {
    const Json& row = host_row("gnmt");
    RecurrentConfiguration c = recurrent_host(row);
    architecture(HostType::gnmt).configure(c);
    c.bidirectional = true;
    c.score.type = ScoreType::additive;
    c.layers = architecture(HostType::gnmt).layers;
    expect_alike(RecurrentModel(c), row);
}

TEST(PyTorchHosts, AskAgainAlike) {
    const Json& row = host_row("hops");
    RecurrentConfiguration c = recurrent_host(row);
    c.style = DecoderStyle::luong;
    c.score.type = ScoreType::dot;
    c.hops = 3;
    expect_alike(RecurrentModel(c), row);
}

TEST(PyTorchHosts, AskWithoutAStateAlike) {
    const Json& row = host_row("dense");
    RecurrentConfiguration c = recurrent_host(row);
    c.style = DecoderStyle::dense;
    c.score.type = ScoreType::scaled_dot;
    expect_alike(RecurrentModel(c), row);
}

TEST(PyTorchHosts, TakeTurnsAlike) {
    const Json& row = host_row("universal");
    TransformerConfiguration c = transformer_host(row);
    architecture(HostType::universal).configure(c);
    c.feed_forward = row["feed_forward"];
    c.turns = row["turns"];
    expect_alike(TransformerModel(c), row);
}

TEST(PyTorchHosts, ConvolveAlike) {
    const Json& row = host_row("convolutional");
    TransformerConfiguration c = transformer_host(row);
    architecture(HostType::convolutional).configure(c);
    c.reach = row["reach"];
    expect_alike(TransformerModel(c), row);
}

/// What a classifier is to say: the first word of each text.
Batch batch_of_labels() {
    Batch batch = golden_batch();
    batch.labels = step_range(batch.labels, 0, 1);
    return batch;
}

TEST(PyTorchHosts, ReadASetAlike) {
    const Json& row = host_row("set_transformer");
    TransformerConfiguration c = transformer_host(row);
    architecture(HostType::set).configure(c);
    c.feed_forward = row["feed_forward"];
    expect_alike(TransformerModel(c), row, batch_of_labels());
}

TEST(PyTorchHosts, WeighWordsAndSentencesAlike) {
    const Json& row = host_row("hierarchical");
    TransformerConfiguration c = transformer_host(row);
    architecture(HostType::hierarchical).configure(c);
    c.feed_forward = row["feed_forward"];
    keep_to_sentences(c, row["sentence"], 4);
    expect_alike(TransformerModel(c), row, batch_of_labels());
}

TEST(PyTorchHosts, CompeteInSlotsAlike) {
    const Json& row = host_row("slots");
    TransformerConfiguration c = transformer_host(row);
    architecture(HostType::slot_attention).configure(c);
    c.feed_forward = row["feed_forward"];
    c.seeds = row["seeds"];
    expect_alike(TransformerModel(c), row, batch_of_labels());
}

TEST(PyTorchHosts, LookAtAQuestionAlike) {
    const Json& row = host_row("coattention");
    TransformerConfiguration c = transformer_host(row);
    architecture(HostType::coattention).configure(c);
    c.feed_forward = row["feed_forward"];
    keep_question_apart(c, row["question"]);
    expect_alike(TransformerModel(c), row, batch_of_labels());
}

TEST(PyTorchHosts, LookAtTrianglesAlike) {
    const Json& row = host_row("triangles");
    TransformerConfiguration c = transformer_host(row);
    c.encoder.resize(2);
    architecture(HostType::triangles).configure(c);
    c.feed_forward = row["feed_forward"];
    read_pairs_of(c, row["points"]);
    expect_alike(TransformerModel(c), row, batch_of_labels());
}

TEST(PyTorchHosts, SeePatchesAlike) {
    const Json& row = host_row("vision");
    TransformerConfiguration c = transformer_host(row);
    architecture(HostType::vision).configure(c);
    c.feed_forward = row["feed_forward"];
    c.longest = row["places"];
    c.frames = small_patches();
    expect_alike(TransformerModel(c), row, batch_of_labels());
}

TEST(PyTorchHosts, RememberASegmentAlike) {
    for (const char* name : {"transformer_xl_1", "transformer_xl_2"}) {
        const Json& row = host_row(name);
        TransformerConfiguration c = transformer_host(row);
        architecture(HostType::xl).configure(c);
        c.feed_forward = row["feed_forward"];
        c.decoder.resize(row["layers"]);
        c.segment = row["segment"];
        expect_alike(TransformerModel(c), row);
    }
}

TEST(PyTorchHosts, GuessInAnyOrderAlike) {
    for (const char* name : {"two_streams_sinusoidal", "two_streams_learned"}) {
        SCOPED_TRACE(name);
        const Json& row = host_row(name);
        TransformerConfiguration c = transformer_host(row);
        architecture(HostType::two_stream).configure(c);
        c.feed_forward = row["feed_forward"];
        c.decoder.resize(row["layers"]);
        if (const Index longest = row["longest"]; longest > 0) {
            c.places = PositionEncoding::learned;
            c.longest = longest;
        }
        const TransformerModel model(c);
        const auto texts = in_orders(golden_batch(), row["orders"].get<std::vector<TextOrder>>());
        expect_loss(model.layout(), row,
                    [&](Tape<double>& tape) { return model.loss_in_order(tape, texts, golden_divisor()); });
    }
}

}  // namespace

}  // namespace headlight::model_pytorch_test
