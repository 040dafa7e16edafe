#include "core/figure/formula.h"

#include "core/attention/component.h"
#include "core/catalog/mechanism.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

namespace headlight::formula_test { namespace {

const std::filesystem::path folder = std::filesystem::path(HEADLIGHT_SOURCE_DIR) / "resources/formulas";

std::string read(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

TEST(Formulas, AreRenderedFromTheDeclarations) {
    for (const Mechanism& mechanism : mechanisms())
        EXPECT_EQ(formula_source(read(folder / (mechanism.id + ".svg"))), mechanism.formula)
            << mechanism.id << ": run scripts/build_formulas.mjs again";
}

TEST(Formulas, BelongToAMechanism) {
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        EXPECT_TRUE(find_mechanism(entry.path().stem().string())) << entry.path();
}

constexpr const char* formula =
    R"(<svg><desc>\frac{a}{b} &lt; c &amp; d</desc><g fill="currentColor">)"
    R"(<g class="stage-output"><g class="stage-scores"><path d=""/></g></g></g></svg>)";

std::string body(const std::string& svg) { return svg.substr(svg.find("<g")); }

TEST(LightFormula, ColoursTheTermOfTheStage) {
    EXPECT_EQ(
        body(light_formula(formula, "scores", "#ff0000", "#000000")),
        R"(<g fill="#000000"><g class="stage-output"><g class="stage-scores" fill="#ff0000"><path d=""/>)"
        R"(</g></g></g></svg>)");
}

TEST(LightFormula, FallsBackToTheTermThatTheStageIsPartOf) {
    for (const auto& [stage, term] :
         {std::pair("masked_scores", "scores"), std::pair("energy", "scores"),
          std::pair("exponentials", "output"), std::pair("concatenation", "output")})
        EXPECT_EQ(light_formula(formula, stage, "#ff0000", "#000000"),
                  light_formula(formula, term, "#ff0000", "#000000"));
}

TEST(LightFormula, LightsNothingForAStageThatTheFormulaDoesNotMention) {
    for (const char* stage : {"tokens", "query", "", "nonsense", "score"})
        EXPECT_EQ(light_formula(formula, stage, "#ff0000", "#000000").find("#ff0000"), std::string::npos)
            << stage;
}

/// The algorithm that has both lights both.
TEST(LightFormula, EndsWhereStagesLightEachOther) {
    for (const char* stage : {"memory_queries", "memory_reads", "memory_context"})
        EXPECT_EQ(light_formula(formula, stage, "#ff0000", "#000000").find("#ff0000"), std::string::npos)
            << stage;
}

/// Whichever component comes first in the lists.
TEST(LightFormula, FallsBackAsTheFormulasOwnComponentSays) {
    constexpr const char* both =
        R"(<svg><g fill="currentColor"><g class="stage-query"/><g class="stage-similarities"/></g></svg>)";
    for (const auto& [algorithm, term] : {std::pair(AlgorithmType::infini, "query"),
                                          std::pair(AlgorithmType::balanced_linear, "similarities")}) {
        AttentionSpec spec;
        spec.algorithm.type = algorithm;
        spec = complete_spec(spec);
        EXPECT_EQ(light_formula(both, "query_features", "#ff0000", "#000000", &spec),
                  light_formula(both, term, "#ff0000", "#000000"));
    }
}

TEST(FormulaSource, IsTheTexWithItsSigns) {
    EXPECT_EQ(formula_source(formula), R"(\frac{a}{b} < c & d)");
    EXPECT_EQ(formula_source("<svg/>"), "");
    EXPECT_EQ(formula_source("<desc>cut"), "");
    EXPECT_EQ(formula_source("</desc>"), "");
}

}}  // namespace headlight::formula_test
