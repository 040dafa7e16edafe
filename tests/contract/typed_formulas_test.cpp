// Mechanisms of the catalogue as people type them: the weights, the contexts and what they learn are the
// same.

#include "core/attention/executor.h"
#include "core/attention/explain.h"
#include "core/model/mechanism_site.h"
#include "core/model/recipe.h"
#include "core/model/training.h"
#include "core/tensor/error.h"
#include "tests/support/attention_runs.h"
#include "tests/support/formula_rows.h"
#include "tests/support/refusal.h"
#include "tests/support/self_attention.h"
#include "tests/support/trained_models.h"

#include <cstring>
#include <limits>

namespace headlight::typed_formulas_test {

using namespace test;

namespace {

enum class Variant { plain, causal, crossed };

/// What both specs of a comparison begin with.
Json beginning(Index heads, Variant variant) {
    Json fields = Json::object();
    if (heads > 1)
        fields["heads"] = {{"type", "multi"}, {"heads", heads}};
    if (variant == Variant::causal)
        fields["mask"] = {{"type", "causal"}};
    if (variant == Variant::crossed)
        fields["source"] = {{"type", "cross"}};
    return fields;
}
AttentionSpec spec_of_catalogue(const FormulaRow& row, Json fields) {
    fields.merge_patch(Json::parse(row.catalogue));
    return spec_from_json(fields);
}
AttentionSpec spec_of_formula(const std::string& text, Json fields) {
    fields["algorithm"] = {{"type", "formula"}, {"text", text}};
    return spec_from_json(fields);
}
AttentionSpec spec_of_formula(const FormulaRow& row, Json fields) {
    fields.merge_patch(Json::parse(row.surroundings));
    return spec_of_formula(row.formula, std::move(fields));
}

/// Blocks of columns, one for each head, one below another.
Tensor by_heads(const Tensor& tensor, Index heads) {
    const Tensor matrix = as_matrix(tensor);
    const Index width = matrix.cols() / heads;
    Tensor all = columns_of(matrix, 0, width);
    for (Index head = 1; head < heads; ++head)
        all = stacked(all, columns_of(matrix, head * width, width));
    return all;
}

/// The parameters of the formula, with the numbers that those of the catalogue have.
std::map<std::string, Tensor> same_parameters(const FormulaRow& row, const Plan& formula,
                                              const Plan& catalogue) {
    std::map<std::string, Tensor> all;
    for (const ParameterInfo& info : formula.parameters) {
        Renamed renamed{info.name.c_str(), info.name.c_str()};
        for (const Renamed& each : row.parameters)
            if (info.name == each.own)
                renamed = each;
        Tensor tensor = catalogue.parameter(renamed.of_catalogue);
        if (renamed.cut == Cut::by_heads)
            tensor = by_heads(tensor, catalogue.heads);
        EXPECT_EQ(tensor.shape(), info.shape) << info.name;
        all.emplace(info.name, std::move(tensor));
    }
    return all;
}

class TypedFormulas : public testing::TestWithParam<FormulaRow> {};

void expect_the_same(const FormulaRow& row, Index heads, Variant variant) {
    RandomEngine random(41);
    Inputs inputs;
    inputs.query = random_tensor({6, 8}, random);
    if (variant == Variant::crossed) {
        inputs.key = random_tensor({7, 8}, random);
        inputs.value = random_tensor({7, 8}, random);
    }
    const Json fields = beginning(heads, variant);
    const auto catalogue = planned(spec_of_catalogue(row, fields), inputs);
    const AttentionSpec spec = spec_of_formula(row, fields);
    inputs.parameters = same_parameters(row, *planned(spec, inputs), *catalogue);
    const Trace expected = record(catalogue), found = record(planned(spec, inputs));
    std::vector<const char*> names{"weights", "context"};
    if (row.says_output())
        names.push_back("output");
    for (const char* name : names) {
        const std::vector<double> numbers = stage(expected, name);
        EXPECT_FALSE(numbers.empty());
        EXPECT_TRUE(near(stage(found, name), numbers, 1e-12)) << name;
    }
}

TEST_P(TypedFormulas, HaveTheNumbersOfTheCatalogue) {
    for (Index heads = GetParam().fewest_heads; heads <= 2; ++heads)
        for (const Variant variant : {Variant::plain, Variant::causal, Variant::crossed}) {
            if ((variant == Variant::causal && !GetParam().has_mask()) ||
                (variant == Variant::crossed && !GetParam().crosses))
                continue;
            SCOPED_TRACE(std::to_string(heads) + " heads, variant " +
                         std::to_string(static_cast<int>(variant)));
            try {
                expect_the_same(GetParam(), heads, variant);
            } catch (const Error& error) {
                ADD_FAILURE() << error.what();
            }
        }
}

/// A mask that a formula would pass over is none that it could be run under.
TEST_P(TypedFormulas, AskForTheMaskOrAreRefusedUnderOne) {
    Inputs inputs;
    inputs.query = Tensor({6, 8}, 0.5);
    const AttentionSpec masked = spec_of_formula(GetParam(), beginning(2, Variant::causal));
    if (GetParam().has_mask()) {
        EXPECT_NO_THROW(planned(masked, inputs));
    } else {
        EXPECT_THROW(planned(masked, inputs), Error);
    }
}

/// The same bytes on one thread and on two, recorded or not.
TEST_P(TypedFormulas, GiveTheSameBytesOnThreads) {
    RandomEngine random(43);
    Inputs inputs;
    inputs.query = random_tensor({70, 8}, random);
    const auto made = planned(spec_of_formula(GetParam(), beginning(2, Variant::plain)), inputs);
    const Trace of_one = record(made, {.threads = 1}), of_two = record(made, {.threads = 2});
    for (const Stage& each : of_one.stages()) {
        const Stage* again = of_two.find(each.name);
        ASSERT_NE(again, nullptr) << each.name;
        const auto one = of_one.values(each), two = of_two.values(*again);
        ASSERT_EQ(one.size(), two.size()) << each.name;
        EXPECT_EQ(std::memcmp(one.data(), two.data(), one.size_bytes()), 0) << each.name;
    }
    const Numbers alone = run(made);
    EXPECT_TRUE(stage(of_one, "weights") == alone.weights);
    EXPECT_TRUE(stage(of_one, "output") == alone.output);
}

INSTANTIATE_TEST_SUITE_P(Rows, TypedFormulas, testing::ValuesIn(formula_rows()),
                         [](const auto& row) { return std::string(row.param.name); });

/// What stands behind the heads is a matrix for all of them, and comes after the contexts.
TEST(TypedOutputs, AreOfAllHeads) {
    const auto made = planned(spec_of_formula("context = softmax(q @ k.T) @ v\n"
                                              "share = sigmoid(concatenation @ u[8, 1])\n"
                                              "near = softmax(x @ y.T)\n"
                                              "apart = split_heads(concatenation, heads)\n"
                                              "output = concat([share * concatenation, near @ x])\n",
                                              beginning(2, Variant::plain)),
                              self_attention::tokens(6, 8, 19));
    EXPECT_EQ(made->output_width, 16);
    const Trace trace = record(made);
    using enum Axis;
    const std::vector<std::pair<std::string, std::vector<Axis>>> expected{{"weights", {head, query, key}},
                                                                          {"context", {head, query, feature}},
                                                                          {"concatenation", {query, feature}},
                                                                          {"share", {query, feature}},
                                                                          {"near", {query, key}},
                                                                          {"apart", {head, query, feature}},
                                                                          {"output", {query, feature}}};
    std::vector<std::pair<std::string, std::vector<Axis>>> found;
    for (const Stage& each : trace.stages())
        if (std::ranges::count(expected, each.name, &std::pair<std::string, std::vector<Axis>>::first) > 0)
            found.emplace_back(each.name, each.axes);
    EXPECT_TRUE(found == expected);
    EXPECT_EQ(trace.find("output")->shape, Shape({6, 16}));
}

/// What is read of a scan at a token, and the state that it is read of, stand before their numbers.
TEST(TypedScans, NameWhatTheirNumbersAreOf) {
    const auto made =
        planned(spec_of_formula("context = scan(S = zeros(d, d_v), 0.5 * S + k[t].T @ v[t], q[t] @ S)\n",
                                beginning(1, Variant::plain)),
                self_attention::tokens(3, 2, 19));
    const Trace trace = record(made);
    for (Index token = 0; token < 3; ++token) {
        const auto steps = explain_cell(*made, trace, "context", 0, token, 1);
        ASSERT_FALSE(steps.empty());
        const std::string number = std::to_string(token + 1), said = steps.back().expression;
        EXPECT_NE(said.find(" · S_" + number + " = "), std::string::npos) << said;
    }
}

TEST(TypedOutputs, MayBeRepeated) {
    const auto made = planned(spec_of_formula("context = softmax(q @ k.T) @ v\n"
                                              "more = 2 * concatenation\n"
                                              "repeat 2:\n"
                                              "    output = concat([more, x])\n",
                                              beginning(2, Variant::plain)),
                              self_attention::tokens(6, 8, 19));
    const Trace trace = record(made);
    ASSERT_GE(trace.stages().size(), 2u);
    const auto last = trace.stages().last(2);
    EXPECT_EQ(last[0].name, "more");
    EXPECT_EQ(last[1].name, "output");
    for (const Stage& each : last)
        EXPECT_FALSE(explain_cell(*made, trace, each.name, 0, 5, each.shape.back() - 1).empty());
    const std::vector<double> more = stage(trace, "more"), output = stage(trace, "output");
    ASSERT_EQ(output.size(), 2 * more.size());
    for (std::size_t row = 0; row < 6; ++row)
        for (std::size_t column = 0; column < 8; ++column)
            EXPECT_EQ(output[row * 16 + column], more[row * 8 + column]);
}

/// A gate that a formula would pass by is none that it could be run with.
TEST(TypedOutputs, AskForTheGate) {
    Inputs inputs;
    inputs.query = Tensor({6, 8}, 0.5);
    const auto planned_with = [&](const char* output) {
        const std::string text = std::string("context = softmax(q @ k.T) @ v\noutput = ") + output;
        Json fields = beginning(2, Variant::plain);
        fields["heads"]["gate"] = "headwise";
        return planned(spec_of_formula(text, fields), inputs);
    };
    EXPECT_NO_THROW(planned_with("concatenation + x"));
    EXPECT_THROW(planned_with("join_heads(context) + x"), Error);
}

// As the attention of a small model.

TransformerConfiguration small_model(const FormulaRow& row, TransformerKind kind) {
    TransformerConfiguration c;
    c.kind = kind;
    c.source_vocabulary = c.target_vocabulary = trained_models::vocabulary;
    c.width = trained_models::width;
    c.heads = trained_models::heads;
    c.feed_forward = 8;
    c.encoder = c.decoder = std::vector<LayerSpec>(1);
    c.longest = trained_models::longest;
    c.set_mechanism(with_heads(spec_of_formula(row, beginning(2, Variant::plain)), trained_models::heads));
    return c;
}

/// Those whose queries depend on later ones: nothing for a decoder.
const std::vector<std::string> look_ahead{"efficient", "sinkhorn_by_repeat", "hopfield_by_repeat",
                                          "differential_integral"};

std::vector<FormulaRow> learned() {
    std::vector<FormulaRow> all = formula_rows();
    std::erase_if(all, [](const FormulaRow& row) { return row.least_tokens > 1; });
    return all;
}

class LearnedFormula : public testing::TestWithParam<FormulaRow> {
protected:
    void SetUp() override {
        const bool looks_ahead = std::ranges::count(look_ahead, std::string(GetParam().name)) > 0;
        try {
            model = std::make_unique<TransformerModel>(small_model(GetParam(), TransformerKind::decoder));
            EXPECT_FALSE(looks_ahead) << "a decoder looked ahead";
        } catch (const Error& error) {
            ASSERT_TRUE(looks_ahead) << error.what();
            model =
                std::make_unique<TransformerModel>(small_model(GetParam(), TransformerKind::encoder_decoder));
        }
        bool is_program = false;
        for (const SiteDescription& site : model->sites())
            is_program |= site.is_program;
        EXPECT_TRUE(is_program) << "no site attends by the formula";
    }
    std::unique_ptr<TransformerModel> model;
};

TEST_P(LearnedFormula, Learns) { trained_models::expect_to_learn(*model); }

TEST_P(LearnedFormula, HasTheGradientOfDifferences) {
    double largest = 0;
    for (const auto& [site, gradient] : trained_models::expect_gradient_of_differences(*model, 1e-5))
        largest = std::max(largest, gradient);
    EXPECT_GT(largest, 0);
}

TEST_P(LearnedFormula, IsReadStepByStep) { trained_models::expect_to_be_read_step_by_step(*model); }

INSTANTIATE_TEST_SUITE_P(Rows, LearnedFormula, testing::ValuesIn(learned()),
                         [](const auto& row) { return std::string(row.param.name); });

/// A small GPT, the layer of which attends by the formula of this name.
TrainingSettings settings_with(const char* name) {
    const auto row = std::ranges::find(formula_rows(), std::string(name), &FormulaRow::name);
    LayerAttention layer;
    layer.spec = spec_of_formula(*row, beginning(2, Variant::plain));
    Recipe recipe;
    recipe.task = "sort";
    recipe.host = HostType::gpt;
    recipe.attentions.all = {layer};
    recipe.width = 8;
    recipe.heads = 2;
    recipe.steps = 20;
    recipe.seed = 3;
    TrainingSettings settings = prepare(recipe).settings;
    settings.batch = 8;
    settings.schedule = {.shape = nn::Schedule::Shape::constant, .peak = 0.01};
    return settings;
}

/// The layers of a recipe attend by formulas: 20 steps of a small GPT stay finite and go down.
TEST(LearnedFormulas, AreLayersOfARecipe) {
    for (const char* name :
         {"scaled_dot", "additive", "linear_by_scan", "gated_delta_by_scan", "talking_heads"}) {
        SCOPED_TRACE(name);
        Training training(settings_with(name));
        std::vector<double> losses;
        for (int step = 0; step < 20; ++step) {
            losses.push_back(training.step());
            ASSERT_TRUE(std::isfinite(losses.back())) << "step " << step;
        }
        EXPECT_LT(losses[17] + losses[18] + losses[19], losses[0] + losses[1] + losses[2]);
    }
}

TEST(LearnedFormulas, AreNamedWhereALossIsNoNumber) {
    Training training(settings_with("off_by_one"));
    TrainingState state = training.checkpoint();
    std::ranges::fill(state.weights, std::numeric_limits<float>::quiet_NaN());
    training.resume(std::move(state));
    expect_refusal([&] { training.step(); },
                   {"diverged, perhaps by what its formula has: exponential beyond 1e308, in line 1",
                    "; or division by 0, in line 2 (x / (y + 1e-9)"});
}

/// The first line whose numbers are not finite, and none of those that divide by them further on.
TEST(LearnedFormulas, NameTheFirstLineThatMakesNoNumber) {
    Training training(settings_with("off_by_one"));
    TrainingState state = training.checkpoint();
    std::ranges::fill(state.weights, 30.0f);
    training.resume(std::move(state));
    const std::string message = refusal([&] { training.step(); });
    EXPECT_NE(message.find("diverged, by what its formula has: exponential beyond 1e308, in line 1 ("),
              std::string::npos)
        << message;
    EXPECT_EQ(message.find("in line 2"), std::string::npos) << message;
}

/// What follows a layer has one width, whatever the number of tokens.
TEST(LearnedFormulas, NeedAnOutputOfOneWidth) {
    FormulaRow row{.name = "products",
                   .formula = "context = softmax(where(allowed, q @ k.T, -inf)) @ v\n"
                              "output = concatenation @ concatenation.T",
                   .catalogue = "{}"};
    for (const TransformerKind kind : {TransformerKind::decoder, TransformerKind::encoder_decoder}) {
        try {
            const TransformerModel model(small_model(row, kind));
            ADD_FAILURE() << "learns";
        } catch (const Error& error) {
            EXPECT_NE(error.detail().expected.find("the longest text"), std::string::npos) << error.what();
        }
    }
}

/// What has no gradient says at which function.
TEST(LearnedFormulas, NeedAGradient) {
    FormulaRow row{
        .name = "steps", .formula = "weights = floor(where(allowed, q @ k.T, 0))", .catalogue = "{}"};
    for (const TransformerKind kind : {TransformerKind::decoder, TransformerKind::encoder_decoder}) {
        try {
            const TransformerModel model(small_model(row, kind));
            ADD_FAILURE() << "learns";
        } catch (const Error& error) {
            EXPECT_NE(error.detail().got.find("floor"), std::string::npos) << error.what();
        }
    }
}

}  // namespace

}  // namespace headlight::typed_formulas_test
