// What is declared of stages: every stage that a run records has a title, declared by the component that
// records it, and one name means one thing.

#include "core/attention/component.h"
#include "core/attention/pipeline_stages.h"
#include "core/catalog/mechanism.h"
#include "core/figure/words.h"
#include "core/tensor/error.h"
#include "tests/support/attention_runs.h"

#include <map>
#include <set>

namespace headlight::declared_stages_test {

using namespace test;

namespace {

void for_each_declaration(const auto& visit) {
    const auto visit_all = [&](const auto& components) {
        for (const auto& component : components)
            for (const DeclaredStage& stage : component.declared_stages)
                visit(component.word, stage);
    };
    for (const DeclaredStage& stage : pipeline_stages())
        visit(std::string("the pipeline"), stage);
    visit_all(score_components());
    visit_all(position_components());
    visit_all(selection_components());
    visit_all(normalizer_components());
    visit_all(algorithm_components());
}

TEST(DeclaredStages, HaveANameAndATitle) {
    for_each_declaration([](const std::string& word, const DeclaredStage& stage) {
        EXPECT_FALSE(stage.name.empty()) << word << ": " << stage.title;
        EXPECT_FALSE(stage.title.empty()) << word << ": " << stage.name;
    });
}

TEST(DeclaredStages, OfOneNameHaveOneTitleAndOneKindOfNumber) {
    std::map<std::string, const DeclaredStage*> first, first_of_kind;
    for_each_declaration([&](const std::string& word, const DeclaredStage& stage) {
        EXPECT_EQ(stage.title, first.try_emplace(stage.name, &stage).first->second->title)
            << word << ": " << stage.name;
        if (!stage.operands.empty())
            return;  // a stage of the pipeline that the component makes in its own way
        const DeclaredStage& before = *first_of_kind.try_emplace(stage.name, &stage).first->second;
        EXPECT_EQ(stage.role, before.role) << word << ": " << stage.name;
        EXPECT_EQ(stage.is_share, before.is_share) << word << ": " << stage.name;
        EXPECT_EQ(stage.colours_of, before.colours_of) << word << ": " << stage.name;
        EXPECT_EQ(stage.leaves_out_masked, before.leaves_out_masked) << word << ": " << stage.name;
    });
}

TEST(DeclaredStages, ReferToStagesThatAreDeclared) {
    std::set<std::string> names;
    for_each_declaration([&](const std::string&, const DeclaredStage& stage) { names.insert(stage.name); });
    for_each_declaration([&](const std::string& word, const DeclaredStage& stage) {
        for (const StageOperand& operand : stage.operands)
            EXPECT_TRUE(names.contains(operand.stage)) << word << ": " << operand.stage;
        for (const std::string& other : {stage.form_of, stage.colours_of, stage.lights})
            EXPECT_TRUE(other.empty() || names.contains(other)) << word << ": " << other;
    });
}

TEST(DeclaredStages, OfEveryRunAreDeclaredByItsOwnParts) {
    std::set<std::string> recorded;
    const auto look = [&](const AttentionSpec& spec, const Inputs& inputs, const std::string& of) {
        const Trace trace = record(planned(spec, inputs));
        for (const Stage& stage : trace.stages()) {
            recorded.insert(stage.name);
            EXPECT_NE(declared_stage(trace.spec, stage.name), nullptr)
                << of << " records " << stage.name << ", which none of its parts declares";
        }
    };
    RandomEngine of_images(6);
    look(spec(R"({"source": {"type": "cross"}, "algorithm": {"type": "attention_gate", "columns": 2}})"),
         {.query = random_tensor({4, 8}, of_images), .key = random_tensor({1, 8}, of_images)},
         "a gate of two images");
    for (const Mechanism& mechanism : mechanisms()) {
        std::vector<ParameterValues> settings{{}};
        for (const MechanismParameter& parameter : mechanism.parameters) {
            if (parameter.kind == MechanismParameter::Kind::boolean)
                settings.push_back({{parameter.name, !std::get<bool>(parameter.standard)}});
            for (const std::string& choice : parameter.choices)
                settings.push_back({{parameter.name, choice}});
            const auto* amount = std::get_if<Index>(&parameter.standard);
            const bool is_off = amount && *amount == 0 && parameter.minimum == 0;
            if (is_off && !parameter.minimum_word.empty())
                settings.push_back({{parameter.name, Index(1)}});
            if (amount && parameter.maximum <= 4)  // maps or filters, each of which is a stage
                settings.push_back({{parameter.name, static_cast<Index>(parameter.maximum)}});
        }
        for (const ParameterValues& values : settings) {
            const AttentionSpec spec = build_spec(mechanism, values);
            RandomEngine random(5);
            Inputs inputs{.query = random_tensor({4, 64}, random)};
            if (spec.source.type == SourceType::cross)
                inputs.key = inputs.value = random_tensor({5, 64}, random);
            try {
                look(spec, inputs, mechanism.id);
            } catch (const Error&) {  // one amount may be none without another
            }
        }
    }
    // ... and nothing is declared that nobody records.
    for_each_declaration([&](const std::string& word, const DeclaredStage& stage) {
        EXPECT_TRUE(recorded.contains(stage.name)) << word << " declares " << stage.name;
    });
}

// Maps that stand side by side have more columns than there are keys, and still no features.
TEST(DeclaredStages, OfMapsSideBySideCallTheirColumnsWhatTheyAre) {
    struct Columns {
        const char *mechanism, *stage, *word;
    };
    for (const Columns& row : {Columns{"capsules", "round_weights", "child"},
                               {"slot_attention", "round_weights", "key"},
                               {"memory_hops", "hop_weights", "key"},
                               {"realformer", "layer_weights", "key"},
                               {"two_stream", "layer_weights", "key"},
                               {"memory_mixture", "weights_of_memories", "key"},
                               {"simplicial", "pair_scores", "pair of keys"},
                               {"simplicial", "pair_weights", "pair of keys"}}) {
        const auto declared = declared_by_component(build_spec(mechanism(row.mechanism), {}), row.stage);
        ASSERT_NE(declared, nullptr) << row.mechanism << " " << row.stage;
        EXPECT_EQ(declared->column, row.word) << row.mechanism << " " << row.stage;
    }
    const AttentionSpec routing = build_spec(mechanism("capsules"), {});
    RandomEngine random(5);
    const Trace trace = record(
        planned(routing, {.query = random_tensor({2, 8}, random), .key = random_tensor({3, 8}, random)}));
    EXPECT_EQ(axis_title(trace, "round_weights", "", Axis::feature, MatrixSide::columns, true), "child");
}

}  // namespace

}  // namespace headlight::declared_stages_test
