// Every mechanism as a formula that can be changed has the numbers of the mechanism.

#include "core/attention/component.h"
#include "core/catalog/mechanism.h"
#include "core/program/own_formula.h"
#include "core/tensor/error.h"
#include "tests/support/attention_runs.h"

namespace headlight::own_formula_test {

using namespace test;

namespace {

class OwnFormulaOf : public testing::TestWithParam<std::string> {};

TEST_P(OwnFormulaOf, HasTheNumbersOfTheMechanism) {
    const Mechanism& mechanism = *find_mechanism(GetParam());
    for (const Index heads : {1, 2}) {
        ParameterValues values;
        for (const MechanismParameter& parameter : mechanism.parameters)
            if (parameter.name == "heads")
                values["heads"] = heads;
        const AttentionSpec spec = build_spec(mechanism, values);
        RandomEngine random(23);
        Inputs inputs;
        inputs.query = random_tensor({6, 8}, random);
        if (spec.source.type == SourceType::cross)
            inputs.key = random_tensor({7, 8}, random);
        const auto before = planned(spec, inputs);
        const AlgorithmComponent* algorithm = component_of(spec.algorithm.type);
        if (algorithm && algorithm->define_output) {
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
            const Trace expected = record(before), found = record(planned(own.spec, same));
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
        } catch (const Error& error) {
            FAIL() << error.what() << '\n' << own.text;
        }
    }
}

std::vector<std::string> ids() {
    std::vector<std::string> all;
    for (const Mechanism& mechanism : mechanisms())
        all.push_back(mechanism.id);
    return all;
}

INSTANTIATE_TEST_SUITE_P(Catalogue, OwnFormulaOf, testing::ValuesIn(ids()),
                         [](const auto& row) { return row.param; });

}  // namespace
}  // namespace headlight::own_formula_test
