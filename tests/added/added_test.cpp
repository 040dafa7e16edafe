// What a person adds by a file or three: the score, the normaliser, the position, the mask, the selection,
// the algorithm, the operation and the architecture of this folder are found, and everything that follows
// from the others follows from them.

#include "core/attention/component.h"
#include "core/attention/run_memory.h"
#include "core/attention/spec_words.h"
#include "core/attention/trace_program.h"
#include "core/catalog/catalogue_documentation.h"
#include "core/catalog/component_documentation.h"
#include "core/catalog/mechanism_documentation.h"
#include "core/graph/formula_builder.h"
#include "core/graph/operation.h"
#include "core/map/lazy_run.h"
#include "core/map/map_tiles.h"
#include "core/map/trace_maps.h"
#include "core/model/fitting_hosts.h"
#include "core/model/recipe.h"
#include "core/model/tasks/task.h"
#include "core/program/formula_text.h"
#include "core/program/python_text.h"
#include "core/program/workbook.h"
#include "core/tensor/error.h"
#include "tests/oracle/oracle.h"
#include "tests/oracle/own_oracles.h"
#include "tests/oracle/settings.h"
#include "tests/support/explained_cells.h"
#include "tests/support/operand_graph.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/trained_models.h"

#include <array>
#include <cmath>
#include <cstdlib>
#include <fstream>

namespace headlight::added_test {

using namespace test;

namespace {

/// The components' words and the mechanisms' ids.
const std::vector<std::string> ids{"flattened_dot", "square_shares", "root_distance",
                                   "every_nth",     "upper_half",    "louder"};

/// The setting that stands beside its oracle, with learned projections and two heads.
std::string setting_of(const std::string& id) {
    for (const std::string_view each : all_settings())
        if (each.find('"' + id + '"') != std::string_view::npos)
            return std::string(each);
    throw Error({"find a setting", id, "one beside its oracle", "none"});
}

std::shared_ptr<const Plan> planned_with(const std::string& id, Index tokens) {
    RandomEngine random(18);
    return planned(spec(setting_of(id)), {.query = random_tensor({tokens, 8}, random)});
}

class EachAdded : public testing::TestWithParam<std::string> {
protected:
    static void SetUpTestSuite() {
        Calculator::others()["arsinh("] = [](double x) { return std::asinh(x); };
    }
    const Mechanism& mechanism() const { return headlight::mechanism(GetParam()); }
};

TEST_P(EachAdded, RunsAsItsOracleSays) {
    for (const Index tokens : {1, 2, 7, 12}) {
        const auto plan = planned_with(GetParam(), tokens);
        const OracleResult oracle = scalar_oracle(plan->spec, plan->inputs, plan->seed);
        const Numbers expected{oracle.weights, oracle.output};
        EXPECT_TRUE(near(run<double>(plan), expected, 1e-12)) << tokens;
        EXPECT_TRUE(near(run<float>(plan), expected, 1e-5)) << tokens;
    }
}

/// It is what it says, and not what there would be without it.
TEST_P(EachAdded, Counts) {
    const auto plan = planned_with(GetParam(), 7);
    const auto without =
        planned(spec(R"({"projections": {"type": "learned"}, "heads": {"type": "multi", "heads": 2}})"),
                plan->inputs);
    EXPECT_FALSE(near(run(plan).output, run(without).output, 1e-3));
}

TEST_P(EachAdded, IsTracedAsItRuns) {
    const auto plan = planned_with(GetParam(), 7);
    const Trace trace = record(plan);
    const Numbers untraced = run(plan);
    EXPECT_EQ(stage(trace, "weights"), untraced.weights);
    EXPECT_EQ(stage(trace, "output"), untraced.output);
}

TEST_P(EachAdded, Learns) {
    trained_models::expect_to_learn(
        TransformerModel(trained_models::small_model(mechanism(), TransformerKind::decoder)));
}

TEST_P(EachAdded, HasTheGradientOfDifferences) {
    const TransformerModel model(trained_models::small_model(mechanism(), TransformerKind::decoder));
    double largest = 0;
    for (const auto& [site, gradient] : trained_models::expect_gradient_of_differences(model, 1e-5))
        largest = std::max(largest, gradient);
    EXPECT_GT(largest, 0);
}

TEST_P(EachAdded, IsReadStepByStep) {
    trained_models::expect_to_be_read_step_by_step(
        TransformerModel(trained_models::small_model(mechanism(), TransformerKind::decoder)));
}

TEST_P(EachAdded, IsExplainedInWords) { explain_every_cell(recorded(setting_of(GetParam()))); }

/// The numbers that the lines leave in `output`; none where there is no NumPy to run them.
std::vector<double> calculated_by_python(const std::string& lines) {
    const TemporaryFolder folder;
    const auto script = folder.write("lines.py", lines + "\nnp.savetxt('" + (folder / "output").string() +
                                                     "', output, fmt='%.17g')\n");
    if (std::system("python3 -c 'import numpy' > /dev/null 2>&1") != 0)
        return {};
    EXPECT_EQ(std::system(("python3 '" + script.string() + "' > /dev/null").c_str()), 0);
    std::ifstream file(folder / "output");
    std::vector<double> numbers;
    for (double number = 0; file >> number;)
        numbers.push_back(number);
    return numbers;
}

TEST_P(EachAdded, IsWrittenAsPython) {
    const auto plan = planned_with(GetParam(), 5);
    const Program program = trace_program(*plan);
    EXPECT_NE(python_text(program, PythonLibrary::torch).find("\noutput = "), std::string::npos);
    const std::string lines = python_text(program, PythonLibrary::numpy);
    EXPECT_NE(lines.find("\noutput = "), std::string::npos);
    const std::vector<double> numbers = calculated_by_python(lines);
    if (numbers.empty())
        GTEST_SKIP() << "no NumPy";
    EXPECT_TRUE(near(numbers, run(plan).output, 1e-12));
}

TEST_P(EachAdded, IsWrittenAsCells) {
    const auto plan = planned_with(GetParam(), 5);
    const Workbook book = workbook(trace_program(*plan));
    const std::vector<double> output = run(plan).output;
    std::vector<double> formulas;
    for (const WorkbookSheet& sheet : book.sheets)
        for (const auto& row : sheet.rows)
            for (const WorkbookCell& cell : row)
                if (cell.kind == WorkbookCell::Kind::formula)
                    formulas.push_back(cell.number);
    ASSERT_GE(formulas.size(), output.size());
    EXPECT_TRUE(near(std::span(formulas).last(output.size()), output, 1e-12)) << "the last of its cells";
    EXPECT_FALSE(write_fods(book).empty());
}

std::vector<double> as_doubles(const std::vector<float>& numbers) { return {numbers.begin(), numbers.end()}; }

TEST_P(EachAdded, IsDrawnFromTilesThatAreMadeWhenTheyAreSeen) {
    constexpr Index tokens = 300;  // more than a tile has cells along a side
    const auto plan = planned_with(GetParam(), tokens);
    ASSERT_TRUE(has_lazy_rows(*plan));
    const auto lazy = std::make_shared<const Trace>(record_lazy(plan));
    const auto dense = std::make_shared<const Trace>(record(plan));
    ASSERT_TRUE(lazy->find("weights") && lazy->find("weights")->is_lazy);
    const MapTiles seen(maps_of(lazy).front().maps), expected(maps_of(dense).front().maps);
    for (Index head = 0; head < 2; ++head)
        for (Index level = 0; level < expected.levels().count(); ++level) {
            const MapLevels::Size tiles = expected.levels().tiles(level);
            for (Index row = 0; row < tiles.rows; ++row)
                for (Index column = 0; column < tiles.columns; ++column) {
                    const auto got = seen.tile({0, head}, level, row, column),
                               want = expected.tile({0, head}, level, row, column);
                    EXPECT_EQ(got->maxima, want->maxima)
                        << head << ' ' << level << ' ' << row << ' ' << column;
                    EXPECT_TRUE(near(as_doubles(got->means), as_doubles(want->means), 1e-6));
                }
        }
}

TEST_P(EachAdded, IsPlanned) {
    const auto plan = planned_with(GetParam(), 64);
    const Trace trace = record(plan);
    double numbers = 0;
    for (const Stage& stage : trace.stages())
        numbers += static_cast<double>(stage.size());
    const RunMemory memory = run_memory(*plan, Keeps::trace);
    EXPECT_GE(memory.trace, numbers * sizeof(double)) << "every stage that is recorded";
    EXPECT_LT(memory.total(), 50 * numbers * sizeof(double));
}

TEST_P(EachAdded, IsDocumented) {
    const std::string page = mechanism_markdown(mechanism(), "What its picture shows.");
    EXPECT_NE(page.find(mechanism().name), std::string::npos);
    EXPECT_NE(page.find(mechanism().explanation), std::string::npos);
    EXPECT_NE(catalogue_markdown([](const Mechanism&) { return false; }).find(GetParam()), std::string::npos);
    EXPECT_NE(components_markdown().find('`' + GetParam() + '`'), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(, EachAdded, testing::ValuesIn(ids), [](const auto& row) { return row.param; });

/// Files agree by their names: no oracle is without its component.
TEST(Added, OraclesAreOfComponents) {
    std::map<std::string_view, std::vector<std::string>> words{
        {"scores", spellings<ScoreType>()},         {"positions", spellings<PositionType>()},
        {"selections", spellings<SelectionType>()}, {"normalizers", spellings<NormalizerType>()},
        {"algorithms", spellings<AlgorithmType>()}, {"masks", spellings<MaskPattern>()}};
    const auto has = [&](std::string_view axis, std::string_view word) {
        return std::ranges::count(words[axis], word) == 1;
    };
    for (const OwnOracle& oracle : own_oracles())
        EXPECT_TRUE(has(oracle.axis, oracle.word)) << oracle.axis << '/' << oracle.word;
    for (const OwnMaskOracle& oracle : own_mask_oracles())
        EXPECT_TRUE(has("masks", oracle.word)) << oracle.word;
}

TEST(Added, OraclesHaveSettingsThatNameTheirComponents) {
    const auto expect_setting = [](std::string_view word) {
        EXPECT_NO_THROW(setting_of(std::string(word))) << word;
    };
    for (const OwnOracle& oracle : own_oracles())
        expect_setting(oracle.word);
    for (const OwnMaskOracle& oracle : own_mask_oracles())
        expect_setting(oracle.word);
}

/// Their values follow one another, behind those that the enumeration names.
TEST(Added, AreFoundByTheirValues) {
    const auto expect_found = [](const auto& components) {
        for (const auto& component : components)
            EXPECT_EQ(component_of(component.type), &component) << component.word;
    };
    expect_found(score_components());
    expect_found(position_components());
    expect_found(mask_components());
    expect_found(selection_components());
    expect_found(normalizer_components());
    expect_found(algorithm_components());
    EXPECT_EQ(component_of(SelectionType::none), nullptr);
    EXPECT_EQ(component_of(ScoreType::scaled_dot), nullptr);
}

/// Those of the engine have the values that it was compiled with.
TEST(Added, LeaveTheOthersWhereTheyAre) {
    EXPECT_EQ(component_of(ScoreType::manhattan)->word, "manhattan");
    EXPECT_EQ(component_of(NormalizerType::taylor)->word, "taylor");
    EXPECT_EQ(component_of(MaskPattern::tree)->word, "tree");
    EXPECT_EQ(description_of(Operation::error_function).name, "error function");
    EXPECT_EQ(architecture(HostType::vision).word, "vit");
    EXPECT_EQ(to_word(HostType::gru), "gru");
}

TEST(AddedOperation, HasItsNumbersAndSlopes) {
    const OperationDescription& arsinh = description_of(operation_named("inverse hyperbolic sine"));
    for (const double x : {-30.0, -0.7, 0.0, 1e-9, 2.0}) {
        const auto value_at = [&](double at) { return value_of_elements(arsinh, std::span(&at, 1)); };
        EXPECT_EQ(value_at(x), std::asinh(x));
        const double change = 1e-6;
        const double expected = (value_at(x + change) - value_at(x - change)) / (2 * change);
        const ExpressionNode node{.operation = arsinh.operation};
        OperandList operand;
        operand.add({&x, {}});
        const double y = value_at(x), one = 1;
        double slope = 0;
        const std::array slopes{&slope};
        arsinh.backward({node, {}, operand.all()}, &y, &one, slopes);
        EXPECT_NEAR(slope, expected, 1e-8) << x;
    }
}

/// In Python and in cells by the names that these have for it, in formulas by the one that its file says.
TEST(AddedOperation, HasWords) {
    const auto plan = planned_with(ids.front(), 3);
    const Program program = trace_program(*plan);
    EXPECT_NE(python_text(program, PythonLibrary::numpy).find("np.arcsinh("), std::string::npos);
    EXPECT_NE(python_text(program, PythonLibrary::torch).find("torch.arcsinh("), std::string::npos);
    EXPECT_NE(write_fods(workbook(program)).find("ASINH("), std::string::npos);
    EXPECT_NE(formula_text(program).find("arcsinh("), std::string::npos);
    EXPECT_EQ(std::ranges::count(formula_functions(), "arcsinh", &FormulaFunction::name), 1);
    const Trace trace = record(plan);
    const std::vector<ArithmeticStep> steps = explain_cell(*plan, trace, "scores", 0, 1, 1);
    EXPECT_TRUE(std::ranges::any_of(steps, [](const ArithmeticStep& step) {
        return step.expression.find("arsinh(") != std::string::npos;
    }));
}

TEST(AddedOperation, IsCalledByFormulasThatPeopleType) {
    const auto component = planned_with(ids.front(), 6);
    AttentionSpec typed = component->spec;
    typed.score = {};
    typed.algorithm.type = AlgorithmType::formula;
    typed.algorithm.options = {{"text", std::string("weights = softmax(arcsinh(q @ k.T))\n")}};
    EXPECT_TRUE(near(run(planned(typed, component->inputs)), run(component), 1e-12));
}

/// An operation that is no function of one number, in a formula that a person types, beside the same of
/// others.
struct AddedCall {
    const char* name;
    const char* formula;    ///< its line `named` is the operation alone
    const char* of_others;  ///< the same of operations that there are
    const char* numpy;
    const char* torch;
    const char* cells;
    const char* typed;
    const char* symbols;
    const char* numbers;  ///< how its arithmetic goes on behind the symbols
};

class AddedOperations : public testing::TestWithParam<AddedCall> {
protected:
    static std::shared_ptr<const Plan> planned_by(const char* text) {
        const auto component = planned_with(ids.front(), 6);
        AttentionSpec typed = component->spec;
        typed.score = {};
        typed.algorithm.type = AlgorithmType::formula;
        typed.algorithm.options = {{"text", std::string(text)}};
        return planned(typed, component->inputs);
    }
    const std::shared_ptr<const Plan> plan = planned_by(GetParam().formula);
};

TEST_P(AddedOperations, HaveTheirNumbers) {
    EXPECT_TRUE(near(run(plan), run(planned_by(GetParam().of_others)), 1e-12));
    EXPECT_TRUE(near(run<float>(plan), run(plan), 1e-5));
}

TEST_P(AddedOperations, HaveTheGradientOfDifferences) {
    const Operation operation = operation_named(GetParam().name);
    const std::size_t operands = description_of(operation).operands;
    const test::OperandGraph subject([&](const auto& x) { return applied(operation, x); },
                                     std::vector<Extent>(operands, Extent{2, 3, 4}));
    std::mt19937 generator(7);
    std::vector<std::vector<double>> numbers;
    for (std::size_t i = 0; i < operands; ++i)
        numbers.push_back(test::drawn_numbers({2, 3, 4}, -2, 2, generator));
    const std::vector<double> weights = test::drawn_numbers(subject.expression.extent(), -1, 1, generator);
    const auto sum = [&] {
        double total = 0;
        const std::vector<double> values = subject.values(numbers);
        for (std::size_t i = 0; i < values.size(); ++i)
            total += weights[i] * values[i];
        return total;
    };
    const auto gradients = subject.gradients(numbers, weights);
    for (std::size_t i = 0; i < operands; ++i)
        for (std::size_t at = 0; at < numbers[i].size(); ++at) {
            const double number = numbers[i][at], change = 1e-6;
            numbers[i][at] = number + change;
            const double above = sum();
            numbers[i][at] = number - change;
            const double slope = (above - sum()) / (2 * change);
            numbers[i][at] = number;
            EXPECT_NEAR(gradients[i][at], slope, 1e-7) << i << ' ' << at;
        }
}

TEST_P(AddedOperations, HaveWords) {
    const AddedCall& row = GetParam();
    const Program program = trace_program(*plan);
    EXPECT_NE(python_text(program, PythonLibrary::numpy).find(row.numpy), std::string::npos);
    EXPECT_NE(python_text(program, PythonLibrary::torch).find(row.torch), std::string::npos);
    EXPECT_NE(write_fods(workbook(program)).find(row.cells), std::string::npos);
    EXPECT_NE(formula_text(program).find(row.typed), std::string::npos) << formula_text(program);
    const std::vector<double> numbers = calculated_by_python(python_text(program, PythonLibrary::numpy));
    if (numbers.empty())
        GTEST_SKIP() << "no NumPy";
    EXPECT_TRUE(near(numbers, run(plan).output, 1e-12));
}

TEST_P(AddedOperations, AreExplainedWithTheirNumbers) {
    const AddedCall& row = GetParam();
    const Recorded recorded_run{plan, record(plan)};
    explain_every_cell(recorded_run);
    const std::string line = explain_cell(*plan, recorded_run.trace, "named", 0, 1, 0).back().expression;
    EXPECT_EQ(line.rfind(std::string(row.symbols) + " = " + row.numbers, 0), 0U) << line;
}

INSTANTIATE_TEST_SUITE_P(
    , AddedOperations,
    testing::Values(AddedCall{"length of columns", "named = length(q)\nweights = softmax(q @ k.T / named)\n",
                              "named = norm(q)\nweights = softmax(q @ k.T / named)\n",
                              "np.linalg.norm(query, axis=-1, keepdims=True)",
                              "torch.linalg.norm(query, dim=-1, keepdim=True)", "SQRT(SUMSQ(",
                              "length(query)", "√(Σ query²)", "√("},
                    AddedCall{"hypotenuse", "named = hypot(q, 1 + q)\nweights = softmax(named @ k.T)\n",
                              "named = sqrt(q * q + (1 + q) * (1 + q))\n"
                              "weights = softmax(named @ k.T)\n",
                              "np.hypot(query, 1 + query)", "torch.hypot(query, 1 + query)", "^2+(1+",
                              "hypot(query, 1 + query)", "√(query² + (1 + query)²)", "√("}),
    [](const auto& row) {
        std::string name = row.param.name;
        std::ranges::replace(name, ' ', '_');
        return name;
    });

class AddedArchitecture : public testing::Test {
protected:
    const HostType host = value_of<HostType>("short_gpt").value();
    TransformerModel small_host() const {
        TransformerConfiguration c;
        architecture(host).configure(c);
        c.source_vocabulary = c.target_vocabulary = trained_models::vocabulary;
        c.width = trained_models::width;
        c.heads = trained_models::heads;
        c.feed_forward = 8;
        c.encoder = c.decoder = std::vector<LayerSpec>(1);
        c.longest = trained_models::longest;
        return TransformerModel(c);
    }
};

TEST_F(AddedArchitecture, IsInTheListsOfTheOthers) {
    EXPECT_EQ(words<HostType>().back().word, "short_gpt");
    EXPECT_EQ(std::ranges::count(possible_hosts(task("sort")), host), 1);
    EXPECT_NE(hosts_in_words(lists_layers).find("short_gpt"), std::string::npos);
    EXPECT_TRUE(architecture(host).spec().reads_one_text());
}

TEST_F(AddedArchitecture, LearnsATaskByARecipe) {
    Recipe recipe;
    recipe.task = "sort";
    recipe.host = host;
    recipe.width = 8;
    recipe.heads = 2;
    recipe.steps = 20;
    recipe.seed = 3;
    const Preparation prepared = prepare(recipe);
    EXPECT_EQ(prepared.settings.model.counts().layers, 1);
    TrainingSettings settings = prepared.settings;
    settings.batch = 8;
    settings.schedule = {.shape = nn::Schedule::Shape::constant, .peak = 0.01};
    Training training(settings);
    std::vector<double> losses;
    for (int step = 0; step < 20; ++step)
        losses.push_back(training.step());
    EXPECT_LT(losses[17] + losses[18] + losses[19], losses[0] + losses[1] + losses[2]);
}

TEST_F(AddedArchitecture, HasTheGradientOfDifferences) {
    const TransformerModel model = small_host();
    trained_models::expect_to_learn(model);
    trained_models::expect_gradient_of_differences(model, 1e-5);
}

TEST_F(AddedArchitecture, IsTracedStepByStep) {
    trained_models::expect_to_be_read_step_by_step(small_host());
}

}  // namespace

}  // namespace headlight::added_test
