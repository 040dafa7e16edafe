// Every mechanism as a formula that can be changed has the numbers of the mechanism.

#include "core/attention/component.h"
#include "core/attention/explain.h"
#include "core/program/own_formula.h"
#include "core/tensor/error.h"
#include "tests/support/catalogue_plans.h"

namespace headlight::own_formula_test {

using namespace test;

namespace {

class OwnFormulaOf : public testing::TestWithParam<std::string> {};

TEST_P(OwnFormulaOf, HasTheNumbersOfTheMechanism) {
    const Mechanism& mechanism = *find_mechanism(GetParam());
    for (const Index heads : {1, 2}) {
        const AttentionSpec spec = spec_of_heads(mechanism, heads);
        RandomEngine random(23);
        const Inputs inputs = few_inputs(spec, 6, random);
        const auto before = planned(spec, inputs);
        // The taps of the largest kernels are more numbers than a person would want to read, and a stream
        // that knows its place alone begins before queries, keys and values.
        if (GetParam() == "pyramid_split" || GetParam() == "focal_modulation" || GetParam() == "two_stream") {
            EXPECT_THROW(own_formula(*before), Error);
            continue;
        }
        OwnFormula own;
        try {
            own = own_formula(*before);
            Inputs same = inputs;
            same.parameters = before->inputs.parameters;
            for (const auto& [name, tensor] : own.parameters)
                same.parameters.insert_or_assign(name, tensor);
            const auto planned_own = planned(own.spec, same);
            const Trace expected = record(before), found = record(planned_own);
            for (const char* name : {"weights", "context", "output"}) {
                const Stage *x = expected.find(name), *y = found.find(name);
                if (!x && std::string(name) == "weights")
                    continue;
                ASSERT_TRUE(x && y) << name << '\n' << own.text;
                const auto a = expected.values(*x), b = found.values(*y);
                ASSERT_EQ(a.size(), b.size()) << name;
                for (std::size_t i = 0; i < a.size(); ++i)
                    ASSERT_NEAR(a[i], b[i], 1e-12 * std::max(1.0, std::abs(a[i]))) << name << ' ' << i << '\n'
                                                                                   << own.text;
            }
            for (const Stage& stage : found.stages())
                EXPECT_FALSE(explain_cell(*planned_own, found, stage.name, 0, 0, 0).empty()) << stage.name;
        } catch (const Error& error) {
            FAIL() << error.what() << '\n' << own.text;
        }
    }
}

/// An own formula made one's own once more is the same text: nothing that surrounds it has gone into it.
TEST_P(OwnFormulaOf, IsItsOwnFormula) {
    const AttentionSpec spec = spec_of_heads(*find_mechanism(GetParam()), 2);
    RandomEngine random(23);
    const Inputs inputs = few_inputs(spec, 6, random);
    const auto before = planned(spec, inputs);
    const AlgorithmComponent* algorithm = component_of(spec.algorithm.type);
    if (!algorithm || !algorithm->define_output)
        return;  // lines that surround the others have names of their own then
    const OwnFormula own = own_formula(*before);
    EXPECT_NE(own.text.find("\noutput = "), std::string::npos) << own.text;
    Inputs same = inputs;
    same.parameters = own.parameters;
    EXPECT_EQ(own_formula(*planned(own.spec, same)).text, own.text);
}

TEST_P(OwnFormulaOf, HasTheSameLinesAlone) {
    const AttentionSpec spec = spec_of_heads(*find_mechanism(GetParam()), 2);
    RandomEngine random(23);
    const auto planned_run = planned(spec, few_inputs(spec, 6, random));
    std::string lines;
    try {
        lines = own_formula(*planned_run).text;
    } catch (const Error&) {
        EXPECT_THROW(formula_lines(*planned_run), Error);
        return;
    }
    EXPECT_EQ(formula_lines(*planned_run), lines);
}

/// What token comes before what is said by their places, so that longer texts have it, too.
TEST(OwnFormula, SaysAnOrderByPlacesAndWritesNoTable) {
    const AttentionSpec spec = spec_of_heads(*find_mechanism("castle"), 1);
    RandomEngine random(23);
    const OwnFormula own = own_formula(*planned(spec, few_inputs(spec, 6, random)));
    EXPECT_NE(own.text.find("where(j <= i, "), std::string::npos) << own.text;
    EXPECT_NE(own.text.find("where(j > i, "), std::string::npos) << own.text;
    EXPECT_EQ(own.text.find("True"), std::string::npos) << own.text;
    const Inputs longer = few_inputs(spec, 9, random);
    const auto before = planned(spec, longer);
    Inputs same = longer;
    same.parameters = before->inputs.parameters;
    const auto expected = stage(record(before), "context"),
               found = stage(record(planned(own.spec, same)), "context");
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i)
        EXPECT_NEAR(found[i], expected[i], 1e-12 * std::max(1.0, std::abs(expected[i])));
}

/// A person reads eye(6), and not 36 numbers, which of wider heads would be too many.
TEST(OwnFormula, SaysAnIdentityAndZerosByTheirNames) {
    RandomEngine random(23);
    const auto text_of = [&](const char* mechanism) {
        const AttentionSpec spec = spec_of_heads(*find_mechanism(mechanism), 1);
        return own_formula(*planned(spec, few_inputs(spec, 6, random))).text;
    };
    EXPECT_NE(text_of("gated_kalma").find(" = eye("), std::string::npos);
    EXPECT_NE(text_of("mesa").find("unseen_1 = zeros(1, 5)"), std::string::npos);
}

TEST(OwnFormula, HasTheMaskBesideAnOrder) {
    AttentionSpec spec = spec_of_heads(*find_mechanism("gated_oja"), 1);
    for (const bool is_causal : {true, false}) {
        spec.mask.rule = is_causal ? decltype(spec.mask.rule)(CausalMask{}) : NoMask{};
        RandomEngine random(23);
        const OwnFormula own = own_formula(*planned(spec, few_inputs(spec, 6, random)));
        const char* const read = is_causal ? "where(j <= i and allowed, " : "where(j <= i, ";
        EXPECT_NE(own.text.find(read), std::string::npos) << own.text;
        EXPECT_EQ(own.spec.mask, spec.mask);
    }
}

/// What a person has typed stays, with its numbers.
TEST(OwnFormula, OfATypedFormulaIsWhatWasTyped) {
    AttentionSpec typed =
        spec(R"({"heads": {"type": "multi", "heads": 2}, "algorithm": {"type": "formula"}})");
    const std::string lines =
        "slope = 1 / 4  # gentle\n"
        "weights = softmax(where(j <= i, q @ W[d, 3] @ k[:, 0:3].T * slope * head, -inf))\n";
    typed.algorithm.options["text"] = lines;
    RandomEngine random(23);
    Inputs inputs = few_inputs(typed, 6, random);
    inputs.parameters["W"] = random_tensor({4, 3}, random);
    const auto before = planned(typed, inputs);
    const OwnFormula own = own_formula(*before);
    EXPECT_EQ(own.text, lines);
    EXPECT_EQ(formula_lines(*before), lines);
    Inputs same = inputs;
    same.parameters = own.parameters;
    EXPECT_EQ(stage(record(planned(own.spec, same)), "weights"), stage(record(before), "weights"));
}

/// As the catalogue's mechanisms have it, whose inputs files serve formulas as well.
TEST(OwnFormula, TakesANumberForEachHeadAsAVectorToo) {
    AttentionSpec typed =
        spec(R"({"heads": {"type": "multi", "heads": 2}, "algorithm": {"type": "formula"}})");
    typed.algorithm.options["text"] = std::string("weights = softmax(q @ k.T * g[heads, 1, 1])\n");
    RandomEngine random(23);
    Inputs inputs = few_inputs(typed, 6, random);
    const auto weights_with = [&](Shape shape) {
        inputs.parameters["g"] = Tensor(std::move(shape), {0.5, -2.0});
        return stage(record(planned(typed, inputs)), "weights");
    };
    EXPECT_EQ(weights_with({2}), weights_with({2, 1}));
}

INSTANTIATE_TEST_SUITE_P(Catalogue, OwnFormulaOf, testing::ValuesIn(every_mechanism()),
                         [](const auto& row) { return row.param; });

}  // namespace
}  // namespace headlight::own_formula_test
