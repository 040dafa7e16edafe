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
    testing::Values(
        Row{"scores = q @ k.T\nscores_2 = scores / sqrt(d)\nweights = softmax(scores)",
            {"line 2, column 1: no line reads \"scores_2\""}},
        Row{"weights = softmax(q @ k.T)\ncontext = weights @ v\ngated = relu(context)",
            {"line 3, column 1: no line reads \"gated\""}},
        Row{"s = q @ k.T\nrepeat 2:\n    s = s / 2\nweights = softmax(s)", {}},
        Row{"weights = softmax(where(j <= i, q @ k.T, 0))", {"line 1, column 11: a score of 0 is no mask"}},
        Row{"past = j <= i\nscores = q @ k.T * past\nweights = softmax(scores)",
            {"line 3, column 11: a score of 0 is no mask"}},
        Row{"weights = softmax(where(j <= i, q @ k.T, -inf))", {}},
        Row{"weights = softmax(q @ k.T * (i - j))", {}},
        Row{"weights = softmax(q @ k.T, axis=0)", {"line 1, column 11: each column sums to 1"}},
        Row{"weights = softmax(q @ k.T, axis=-2)", {"line 1, column 11: each column sums to 1"}},
        Row{"weights = softmax(q @ k.T, axis=-1)", {}},
        // The columns are features, over which nobody meant them to sum.
        Row{"K = softmax(k, axis=0)\ncontext = softmax(q) @ (K.T @ v)", {}},
        Row{"weights = softmax(k @ q.T, axis=0).T", {}},
        // No masks, and one that has another form.
        Row{"s = q @ k.T\nweights = softmax(where(s > 0, s, 0))", {}},
        Row{"weights = softmax(where(i == j, 5, 0))", {}},
        Row{"weights = softmax(where(j <= i, 0, -inf))", {}},
        Row{"weights = softmax(where(j > i, 0, q @ k.T))", {"line 1, column 11: a score of 0 is no mask"}},
        Row{"past = where(j <= i, 1, 0)\nweights = softmax(q @ k.T * past)",
            {"line 2, column 11: a score of 0 is no mask"}},
        Row{"s = where(j <= i, q @ k.T, 0)\nrepeat 2:\n    s = s + where(j <= i, 0, -1e9)\nweights = "
            "softmax(s)",
            {}},
        // Stages to look at.
        Row{"weights = softmax(q @ k.T)\nentropy = -sum(weights * log(weights))", {}},
        Row{"e = exp(q @ k.T)\nrow_sum = sum(e)\nweights = e / sum(e)", {}},
        Row{"slope = 1 / 4\nweights = softmax(q @ k.T)", {}}));

}}  // namespace headlight::formula_remarks_test
