// A formula's file: its lines, and in front of them what stands around.

#include "core/io/mechanism_file.h"

#include <gtest/gtest.h>

#include <string>

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

}}  // namespace headlight::formula_file_test
