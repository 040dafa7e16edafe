// What runs, and is probably not what was meant.

#include "core/attention/formula_remarks.h"

#include <gtest/gtest.h>

namespace headlight::formula_remarks_test { namespace {

struct Row {
    const char* formula;
    std::vector<std::string> remarks;  ///< each with its place before it
};
void PrintTo(const Row& row, std::ostream* out) { *out << row.formula; }

class Remarks : public testing::TestWithParam<Row> {};

TEST_P(Remarks, StandAtTheirLines) {
    const TypedFormula formula{parse_formula(GetParam().formula), {}};
    const std::vector<FormulaRemark> remarks = remarks_on(formula);
    ASSERT_EQ(remarks.size(), GetParam().remarks.size());
    for (std::size_t i = 0; i < remarks.size(); ++i)
        EXPECT_EQ((to_string(remarks[i].place) + ": " + remarks[i].text).rfind(GetParam().remarks[i], 0), 0u)
            << to_string(remarks[i].place) << ": " << remarks[i].text;
}

INSTANTIATE_TEST_SUITE_P(
    Formulas, Remarks,
    testing::Values(Row{"scores = q @ k.T\nscores_2 = scores / sqrt(d)\nweights = softmax(scores)",
                        {"line 2, column 1: no line reads \"scores_2\""}},
                    Row{"weights = softmax(q @ k.T)\ncontext = weights @ v\ngated = relu(context)",
                        {"line 3, column 1: no line reads \"gated\""}},
                    Row{"s = q @ k.T\nrepeat 2:\n    s = s / 2\nweights = softmax(s)", {}},
                    Row{"weights = softmax(where(j <= i, q @ k.T, 0))",
                        {"line 1, column 11: a score of 0 is no mask"}},
                    Row{"past = j <= i\nscores = q @ k.T * past\nweights = softmax(scores)",
                        {"line 3, column 11: a score of 0 is no mask"}},
                    Row{"weights = softmax(where(j <= i, q @ k.T, -inf))", {}},
                    Row{"weights = softmax(q @ k.T * (i - j))", {}},
                    Row{"weights = softmax(q @ k.T, axis=0)", {"line 1, column 11: each column sums to 1"}},
                    Row{"weights = softmax(q @ k.T, axis=-2)", {"line 1, column 11: each column sums to 1"}},
                    Row{"weights = softmax(q @ k.T, axis=-1)", {}}));

}}  // namespace headlight::formula_remarks_test
