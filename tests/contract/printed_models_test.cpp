// What is printed of the numbers of trained models adds up: in every stage of every place that attends, for a
// sample of cells among which are the smallest, the largest and the corners.

#include "core/io/shipped_models.h"
#include "core/model/generator.h"
#include "core/program/own_formula.h"
#include "tests/support/printed_equations.h"

#include <set>

namespace headlight::printed_models_test {

using namespace test;

namespace {

/// The numbers of a model are floats: sums whose terms cancel miss by as much.
constexpr double float_rounding = 1e-5;

/// The first and the last number of a matrix, its smallest and largest, and every 37th.
std::set<Index> sample(std::span<const double> matrix) {
    std::set<Index> cells{0, std::ssize(matrix) - 1, std::ranges::min_element(matrix) - matrix.begin(),
                          std::ranges::max_element(matrix) - matrix.begin()};
    for (Index at = 0; at < std::ssize(matrix); at += 37)
        cells.insert(at);
    return cells;
}

class ShippedModelPrinted : public testing::TestWithParam<std::string> {};

auto transcript_of(const std::string& name) {
    const auto model = std::make_shared<const TrainedModel>(open_model(name));
    GenerationRequest request;
    request.source = example_source(*model->model, 0);
    return Generator(model).generate(request);
}

TEST_P(ShippedModelPrinted, AddsUp) {
    const auto transcript = transcript_of(GetParam());
    ASSERT_FALSE(transcript->sites.empty());
    for (const SiteRecord& site : transcript->sites)
        for (const Stage& stage : site.trace->stages()) {
            const bool by_head = stage.shape.size() > 2 && stage.axes.front() == Axis::head;
            for (Index head = 0; head < (by_head ? stage.shape.front() : 1); ++head)
                for (const Index at : sample(site.trace->matrix(stage, head)))
                    for (const ArithmeticStep& step :
                         explain_cell(*site.plan, *site.trace, stage.name, head, at / stage.shape.back(),
                                      at % stage.shape.back()))
                        ASSERT_TRUE(adds_up(step, float_rounding))
                            << site.site.name << ", " << stage.name << ", head " << head << ", cell " << at;
        }
}

/// The rows that a model went on with are given to its plans: their formula is that of the scores all the
/// same.
TEST(ReverseTransformerPrinted, HasAFormulaForEveryPart) {
    const auto transcript = transcript_of("reverse-transformer");
    EXPECT_FALSE(transcript->sites.empty());
    for (const SiteRecord& site : transcript->sites) {
        const std::string lines = formula_lines(*site.plan);
        for (const char* line : {"scores = query @ key.T\n", "context = weights @ value\n"})
            EXPECT_NE(lines.find(line), std::string::npos) << site.site.name << '\n' << lines;
    }
}

/// The rows of a trained model are given to its plan; the terms of its scores are calculated all the same.
TEST(TransformerXlPrinted, CalculatesEveryTermOfAScore) {
    const auto transcript = transcript_of("induction-xl");
    Index sites = 0;
    for (const SiteRecord& site : transcript->sites)
        for (const char* name : {"content_scores", "content_position_scores", "global_content_scores",
                                 "global_position_scores"}) {
            const Stage* stage = site.trace->find(name);
            if (!stage)
                continue;
            ++sites;
            const auto matrix = site.trace->matrix(*stage, 0);
            for (const Index at : sample(matrix)) {
                const ArithmeticStep last = explain_cell(*site.plan, *site.trace, name, 0,
                                                         at / stage->shape.back(), at % stage->shape.back())
                                                .back();
                ASSERT_EQ(last.value, matrix[static_cast<std::size_t>(at)]);
                ASSERT_TRUE(Calculator::value(last.expression)) << line_of(last);
                ASSERT_TRUE(adds_up(last, float_rounding));
            }
        }
    EXPECT_GT(sites, 0);
}

std::vector<std::string> names() {
    std::vector<std::string> list;
    for (const ShippedModel& model : shipped_models())
        list.emplace_back(model.name);
    return list;
}

INSTANTIATE_TEST_SUITE_P(Printed, ShippedModelPrinted, testing::ValuesIn(names()), [](const auto& row) {
    std::string name = row.param;
    std::ranges::replace(name, '-', '_');
    return name;
});

}  // namespace

}  // namespace headlight::printed_models_test
