// A formula's file: its lines, and in front of them what stands around.

#include "core/attention/component.h"
#include "core/io/mechanism_file.h"
#include "core/tensor/error.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <variant>

namespace headlight::formula_file_test { namespace {

const std::string lines = "scores = q @ k.T\nweights = softmax(scores)\n";

std::string written_again(const std::string& bytes) {
    const CustomMechanism mechanism = formula_mechanism(bytes, "Mine");
    return write_formula(mechanism.spec, std::get<std::string>(mechanism.spec.algorithm.options.at("text")));
}

TEST(FormulaFile, IsWhatItWasWhenItIsReadAndWrittenAgain) {
    AttentionSpec spec = formula_mechanism(lines, "Mine").spec;
    EXPECT_EQ(written_again(lines), lines);
    spec.heads.type = HeadsType::multi;
    const std::string with_heads = write_formula(spec, lines);
    EXPECT_TRUE(with_heads.starts_with("# around: {")) << with_heads;
    EXPECT_TRUE(with_heads.ends_with("}\n" + lines)) << with_heads;
    EXPECT_EQ(written_again(with_heads), with_heads);
}

TEST(FormulaFile, SaysOfItsSurroundingsWhatIsNoDefault) {
    AttentionSpec spec = formula_mechanism(lines, "Mine").spec;
    const auto first_line = [&] {
        const std::string written = write_formula(spec, lines);
        EXPECT_EQ(complete_spec(formula_mechanism(written, "Mine").spec).mask, complete_spec(spec).mask);
        return written.substr(0, written.find('\n'));
    };
    spec.mask.rule = CausalMask{};
    EXPECT_EQ(first_line(), R"(# around: {"mask":{"type":"causal"}})");
    spec.projections.type = ProjectionType::none;
    EXPECT_EQ(first_line(), R"(# around: {"mask":{"type":"causal"},"projections":{"type":"none"}})");
    spec.mask = {};
    spec.projections = {.type = ProjectionType::learned, .bias = true};
    spec.heads.type = HeadsType::multi;
    EXPECT_EQ(first_line(), R"(# around: {"heads":{"heads":8,"type":"multi"},)"
                            R"("projections":{"bias":true,"type":"learned"}})");
    spec.projections.bias = false;
    spec.heads = {};
    spec.mask.rule = AllOf{{Mask{CausalMask{}}, Mask{PaddingMask{3}}}};
    EXPECT_EQ(first_line().find("align"), std::string::npos) << first_line();
}

TEST(FormulaFile, MayEndItsLinesWithCarriageReturns) {
    std::string old = "# around: {\"mask\":{\"type\":\"causal\"}}\n" + lines;
    std::ranges::replace(old, '\n', '\r');
    const AttentionSpec spec = formula_mechanism(old, "Mine").spec;
    EXPECT_EQ(std::get<std::string>(spec.algorithm.options.at("text")), '\n' + lines);
    EXPECT_TRUE(std::holds_alternative<CausalMask>(spec.mask.rule));
}

TEST(FormulaFile, SaysWhichLineIsInNoUtf8) {
    try {
        formula_mechanism("# sums\n# gr\xF6\xDF"
                          "er\n" +
                              lines,
                          "Mine");
        ADD_FAILURE() << "was accepted";
    } catch (const Error& error) {
        EXPECT_EQ(error.detail().where, "line 2") << error.what();
        EXPECT_NE(error.detail().expected.find("an editor can save the file in it"), std::string::npos);
    }
}

// The line that says what is around leaves an empty one behind it, where it stood.
TEST(FormulaFile, BeginsWithNoEmptyLineWhereNothingIsLeftToSay) {
    const std::string standard = "# around: {\"projections\": {\"type\": \"learned\"}}\n" + lines;
    EXPECT_EQ(written_again(standard), lines);
    EXPECT_EQ(written_again(lines), lines);
}

/// As a mere comment it would leave the formula without its mask.
TEST(FormulaFile, RefusesWhatStandsAroundAnywhereButInItsFirstLine) {
    const std::string around = "{\"mask\":{\"type\":\"causal\"}}\n";
    for (const auto& [text, line] : {std::pair("# mine\n# around: " + around + lines, "line 2"),
                                     std::pair("#Around : " + around + lines, "line 1"),
                                     std::pair("\n# around " + around + lines, "line 2"),
                                     std::pair("# around: {}\n" + lines + "# around: " + around, "line 4")}) {
        try {
            formula_mechanism(text, "Mine");
            ADD_FAILURE() << text << " was accepted";
        } catch (const Error& error) {
            EXPECT_EQ(error.detail().where, line) << error.what();
            EXPECT_NE(error.detail().expected.find("in its first line"), std::string::npos) << error.what();
        }
    }
    EXPECT_EQ(written_again("# around the mean {of all}\n" + lines), "# around the mean {of all}\n" + lines);
}

}}  // namespace headlight::formula_file_test
