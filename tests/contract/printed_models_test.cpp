// What is printed of the numbers of trained models adds up: in every stage of every place that attends, for a
// sample of cells among which are the smallest, the largest and the corners.

#include "core/io/shipped_models.h"
#include "core/model/generator.h"
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

TEST_P(ShippedModelPrinted, AddsUp) {
    const auto model = std::make_shared<const TrainedModel>(open_model(GetParam()));
    GenerationRequest request;
    request.source = example_source(*model->model, 0);
    const auto transcript = Generator(model).generate(request);
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
