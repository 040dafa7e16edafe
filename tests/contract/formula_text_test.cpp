// A program written as a formula and read again is the same program, for every mechanism.

#include "core/attention/trace_program.h"
#include "core/graph/formula_builder.h"
#include "core/program/formula_text.h"
#include "core/program/line_text.h"
#include "core/tensor/error.h"
#include "tests/support/catalogue_plans.h"
#include "tests/support/same_expression.h"

namespace headlight::formula_text_test {

using namespace test;

namespace {

Program read_again(const std::string& text, const Program& before, Index heads) {
    Program program;
    for (const GivenTensor& tensor : before.given())
        program.give(tensor);
    FormulaNames names;
    names.heads = heads > 1 ? heads : 0;
    for (const GivenTensor& tensor : before.given())
        names.known.push_back(tensor.name);
    names.find = [&](const std::string& name) -> std::optional<Expression> {
        for (const GivenTensor& tensor : before.given())
            if (tensor.name == name)
                return program.tensor(name);
        return {};
    };
    build_formula(parse_formula(text), names, program);
    return program;
}

void expect_the_same(const Program& read, const Program& written) {
    ASSERT_EQ(read.given().size(), written.given().size());
    ASSERT_EQ(read.parts().size(), written.parts().size());
    for (std::size_t part = 0; part < read.parts().size(); ++part) {
        const auto &x = read.parts()[part].assignments, &y = written.parts()[part].assignments;
        EXPECT_EQ(read.parts()[part].times, written.parts()[part].times);
        ASSERT_EQ(x.size(), y.size());
        for (std::size_t line = 0; line < x.size(); ++line) {
            EXPECT_EQ(x[line].name, y[line].name);
            EXPECT_TRUE(same_expression(x[line].value, y[line].value))
                << y[line].name << ": " << line_text(y[line].value, LineWords::formula) << " became "
                << line_text(x[line].value, LineWords::formula);
        }
    }
}

class FormulaOf : public testing::TestWithParam<std::string> {};

TEST_P(FormulaOf, IsReadAsTheSameProgram) {
    const Mechanism& mechanism = *find_mechanism(GetParam());
    for (const Index heads : {1, 2}) {
        const AttentionSpec spec = spec_of_heads(mechanism, heads);
        RandomEngine random(17);
        const Inputs inputs = few_inputs(spec, 6, random);
        const auto plan = planned(spec, inputs);
        const Program program = program_of(*plan);
        const std::string text = formula_text(program);
        try {
            expect_the_same(read_again(text, program, plan->heads), program);
        } catch (const Error& error) {
            FAIL() << error.what() << '\n' << text;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, FormulaOf, testing::ValuesIn(every_mechanism()),
                         [](const auto& row) { return row.param; });

}  // namespace
}  // namespace headlight::formula_text_test
