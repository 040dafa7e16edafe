// Norms of what keys give as pictures draw them, against numbers that NumPy computed
// (tests/support/value_norms/generate.py).

#include "core/figure/build_figure.h"
#include "tests/support/attention_runs.h"

#include <algorithm>

namespace headlight::value_norms_test {

using namespace test;

namespace {

const Json& norms() {
    static const Json file = read_json(HEADLIGHT_SOURCE_DIR "/tests/support/value_norms/golden.json");
    return file;
}

Json case_named(const std::string& name) {
    const Json all = read_json(HEADLIGHT_SOURCE_DIR "/tests/support/pytorch/golden.json")["cases"];
    return *std::ranges::find_if(all, [&](const Json& row) { return row["name"] == name; });
}

TEST(ValueNorms, AreThoseOfNumPy) {
    ASSERT_GE(norms().size(), 10u);
    for (const auto& [name, expected] : norms().items()) {
        const Json row = case_named(name);
        const Trace trace = record(planned(spec_from_json(row["spec"]), golden_inputs(row)));
        ViewSettings settings;
        settings.view = ViewKind::grid;
        settings.weights = DrawnWeights::value_norms;
        const Figure figure = build_figure(trace, settings);
        ASSERT_EQ(figure.panels.size(), expected.size()) << name;
        for (std::size_t head = 0; head < figure.panels.size(); ++head) {
            const Storage<const double>& drawn = figure.panels[head].values;
            EXPECT_TRUE(near(std::span(drawn.data(), drawn.size()), flat(expected[head]), 1e-8))
                << name << ", head " << head + 1;
        }
    }
}

}  // namespace

}  // namespace headlight::value_norms_test
