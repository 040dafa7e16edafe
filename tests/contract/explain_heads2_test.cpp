// Every cell of every stage of every mechanism of the catalogue can be explained, ends at its own number, and
// what is shown to be calculated is true.

#include "core/catalog/mechanism.h"
#include "core/figure/build_figure.h"
#include "core/figure/words.h"
#include "tests/support/attention_runs.h"
#include "tests/support/catalogue_plans.h"
#include "tests/support/explained_cells.h"
#include "tests/support/long_tests.h"

namespace headlight::explain_heads2_test {

using namespace test;

namespace {

/// Four tokens of width 8; a second sequence of five where the mechanism takes one. Heads to tell apart.
Recorded run_of(const Mechanism& mechanism, ParameterValues values, double size = 1) {
    for (const MechanismParameter& parameter : mechanism.parameters)
        if (parameter.name == "heads")
            values.try_emplace("heads", Index(4));
    const AttentionSpec spec = build_spec(mechanism, values);
    RandomEngine random(17);
    Inputs inputs;
    inputs.query = random_tensor({4, 8}, random);
    if (spec.source.type == SourceType::cross) {
        inputs.key = random_tensor({5, 8}, random);
        inputs.value = random_tensor({5, 8}, random);
    }
    for (double& number : inputs.query.values())
        number *= size;
    Recorded run{planned(spec, inputs), {}};
    run.trace = record(run.plan);
    return run;
}

/// The defaults, and each switch and choice turned on its own.
std::vector<ParameterValues> settings(const Mechanism& mechanism) {
    std::vector<ParameterValues> list{{}};
    for (const MechanismParameter& parameter : mechanism.parameters) {
        if (parameter.kind == MechanismParameter::Kind::boolean)
            list.push_back({{parameter.name, !std::get<bool>(parameter.standard)}});
        for (const std::string& choice : parameter.choices)
            list.push_back({{parameter.name, choice}});
    }
    return list;
}

class EveryMechanismExplained : public testing::TestWithParam<std::string> {};

/// The short form takes every second of the switches and choices, others of each mechanism that has them.
TEST_P(EveryMechanismExplained, CellByCell) {
    const Mechanism& mechanism = headlight::mechanism(GetParam());
    const std::vector<ParameterValues> all_values = settings(mechanism);
    for (std::size_t turned = 0; turned < all_values.size(); ++turned) {
        if (turned != 0 && !has_turn(turned + number_of(mechanism), 2))
            continue;
        const ParameterValues& values = all_values[turned];
        std::string text;
        for (const auto& [name, value] : values)
            text += name + " = " + to_string(value) + " ";
        SCOPED_TRACE(text);
        explain_every_cell(run_of(mechanism, values));
        if (HasFatalFailure())
            return;
    }
}

// Large tokens leave softmaxes that are next to 0 and 1, small ones scores that are nearly the same, and with
// zeros everything is 0. In the short form a mechanism has one of these.
TEST_P(EveryMechanismExplained, WithExtremeNumbers) {
    const Mechanism& mechanism = headlight::mechanism(GetParam());
    std::size_t turn = number_of(mechanism);
    for (const double size : {25.0, 1e-4, 0.0}) {
        if (!has_turn(turn++, 3))
            continue;
        SCOPED_TRACE(size);
        explain_every_cell(run_of(mechanism, {}, size));
        if (HasFatalFailure())
            return;
    }
}

TEST_P(EveryMechanismExplained, InPicturesOfEveryStageAndHead) {
    const Recorded run = run_of(headlight::mechanism(GetParam()), {});
    for (const Stage& stage : run.trace.stages()) {
        EXPECT_NE(stage_title(stage.name), stage.name) << "no title for " << stage.name;
        for (Index head = 0; head < run.plan->heads; ++head)
            for (const ViewKind view :
                 {ViewKind::heatmap, ViewKind::grid, ViewKind::steps, ViewKind::lines, ViewKind::stages}) {
                ViewSettings view_settings;
                view_settings.view = view;
                view_settings.selection.stage = stage.name;
                view_settings.selection.head = head;
                const Figure figure = build_figure(run.trace, view_settings);
                EXPECT_FALSE(figure.panels.empty()) << stage.name;
                for (const Panel& panel : figure.panels)
                    EXPECT_EQ(std::ssize(panel.values), panel.rows * panel.columns) << panel.stage;
            }
    }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryMechanismExplained, testing::ValuesIn(every_mechanism()),
                         [](const auto& row) { return row.param; });

}  // namespace

}  // namespace headlight::explain_heads2_test
