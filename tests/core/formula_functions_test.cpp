// Every function of formulas against a plain loop, and the weights that are read off contexts.

#include "core/graph/read_off.h"
#include "core/tensor/error.h"
#include "tests/support/formula_programs.h"

#include <cmath>
#include <functional>
#include <numeric>
#include <set>

namespace headlight::formula_functions_test {

using namespace formula_programs;

namespace {

// Functions against plain loops.

using Numbers = std::vector<double>;

struct OfNumber {
    const char* name;
    double (*value)(double);
    Numbers at = {-700, -2.5, -1, -0.5, 0, 1e-9, 0.5, 1, 3, 700};
};
const std::vector<OfNumber>& functions_of_numbers() {
    static const std::vector<OfNumber> all{
        {"exp", [](double x) { return std::exp(x); }},
        {"log", [](double x) { return std::log(x); }, {1e-300, 0.25, 1, 2.5, 1e300}},
        {"log1p", [](double x) { return std::log1p(x); }, {-0.5, 0, 1e-18, 1e-9, 2}},
        {"sqrt", [](double x) { return std::sqrt(x); }, {0, 0.25, 2, 1e300}},
        {"tanh", [](double x) { return std::tanh(x); }},
        {"sin", [](double x) { return std::sin(x); }},
        {"cos", [](double x) { return std::cos(x); }},
        {"arctan", [](double x) { return std::atan(x); }},
        {"erf", [](double x) { return std::erf(x); }},
        {"abs", [](double x) { return x < 0 ? -x : x; }},
        {"floor", [](double x) { return std::floor(x); }},
        {"sigmoid", [](double x) { return 1 / (1 + std::exp(-x)); }},
        {"softplus", [](double x) { return x > 30 ? x : std::log1p(std::exp(x)); }},
        {"log_sigmoid", [](double x) { return x < -30 ? x : -std::log1p(std::exp(-x)); }},
        {"relu", [](double x) { return x > 0 ? x : 0; }},
        {"silu", [](double x) { return x / (1 + std::exp(-x)); }},
        {"gelu",
         [](double x) {
             return x / 2 * (1 + std::tanh(std::sqrt(2 / std::acos(-1.0)) * (x + 0.044715 * std::pow(x, 3))));
         }},
        {"elu", [](double x) { return x > 0 ? x : std::exp(x) - 1; }},
        {"sign", [](double x) { return x > 0   ? 1.0
                                       : x < 0 ? -1.0
                                               : 0.0; }},
    };
    return all;
}

double sum_of(const Numbers& row) { return std::accumulate(row.begin(), row.end(), 0.0); }
double mean_of(const Numbers& row) { return sum_of(row) / static_cast<double>(row.size()); }
Numbers each(const Numbers& row, const std::function<double(double)>& value) {
    Numbers all;
    for (const double x : row)
        all.push_back(value(x));
    return all;
}
double mean_square(const Numbers& row) {
    return mean_of(each(row, [](double x) { return x * x; }));
}
Numbers without_mean(const Numbers& row) {
    return each(row, [mean = mean_of(row)](double x) { return x - mean; });
}
Numbers up_to_each(const Numbers& row, double begin, double (*join)(double, double)) {
    return each(row, [=](double x) mutable { return begin = join(begin, x); });
}

struct OfRow {
    const char* name;
    Numbers (*value)(const Numbers& row);
};
const std::vector<OfRow>& functions_of_rows() {
    static const std::vector<OfRow> all{
        {"sum", [](const Numbers& row) { return Numbers{sum_of(row)}; }},
        {"mean", [](const Numbers& row) { return Numbers{mean_of(row)}; }},
        {"max", [](const Numbers& row) { return Numbers{std::ranges::max(row)}; }},
        {"min", [](const Numbers& row) { return Numbers{std::ranges::min(row)}; }},
        {"cumsum",
         [](const Numbers& row) { return up_to_each(row, 0, [](double a, double b) { return a + b; }); }},
        {"cumprod",
         [](const Numbers& row) { return up_to_each(row, 1, [](double a, double b) { return a * b; }); }},
        {"descending",
         [](const Numbers& row) {
             Numbers sorted = row;
             std::ranges::sort(sorted, std::ranges::greater());
             return sorted;
         }},
        {"rank",
         [](const Numbers& row) {
             Numbers ranks(row.size(), 0);
             for (std::size_t i = 0; i < row.size(); ++i)
                 for (std::size_t other = 0; other < row.size(); ++other)
                     ranks[i] += row[other] > row[i] || (row[other] == row[i] && other < i) ? 1 : 0;
             return ranks;
         }},
        {"softmax",
         [](const Numbers& row) {
             const Numbers powers = each(row, [](double x) { return std::exp(x); });
             return each(powers, [sum = sum_of(powers)](double x) { return x / sum; });
         }},
        // The threshold above which there is a sum of 1, from an interval that is halved.
        {"sparsemax",
         [](const Numbers& row) {
             double low = std::ranges::max(row) - 1, high = std::ranges::max(row);
             const auto shares = [&row](double threshold) {
                 return each(row, [=](double x) { return std::max(x - threshold, 0.0); });
             };
             for (int i = 0; i < 200; ++i)
                 (sum_of(shares((low + high) / 2)) > 1 ? low : high) = (low + high) / 2;
             return shares(low);
         }},
        {"normalize",
         [](const Numbers& row) {
             const double length = std::sqrt(mean_square(row) * static_cast<double>(row.size()));
             return each(row, [=](double x) { return length > 0 ? x / length : 0; });
         }},
        {"norm",
         [](const Numbers& row) {
             return Numbers{std::sqrt(mean_square(row) * static_cast<double>(row.size()))};
         }},
        {"logsumexp",
         [](const Numbers& row) {
             return Numbers{std::log(sum_of(each(row, [](double x) { return std::exp(x); })))};
         }},
        {"layer_norm",
         [](const Numbers& row) {
             const Numbers centred = without_mean(row);
             return each(centred, [by = std::sqrt(mean_square(centred) + 1e-6)](double x) { return x / by; });
         }},
        {"rms_norm",
         [](const Numbers& row) {
             return each(row, [by = std::sqrt(mean_square(row) + 1e-6)](double x) { return x / by; });
         }},
    };
    return all;
}

/// "[[1, 2]]" as a formula writes it, too.
std::string written(const std::vector<Numbers>& rows) { return Json(rows).dump(); }

TEST(FunctionsOfFormulas, OfEachNumberAreTheirLoops) {
    for (const auto& [name, value, at] : functions_of_numbers())
        for (const double x : at) {
            const FormulaResult found = z_of("z = " + std::string(name) + '(' + written({{x}}) + ")");
            ASSERT_EQ(found.numbers.size(), 1u);
            EXPECT_NEAR(found.numbers[0], value(x), 1e-13 * std::abs(value(x))) << name << '(' << x << ')';
        }
}

TEST(FunctionsOfFormulas, OfRowsAreTheirLoopsAlongBothAxes) {
    const std::vector<Numbers> rows{{0.5, -1, 2, 2}, {3, 0, -0.25, 1}, {0, 0, 0, 0}, {-2, -0.5, 1.5, -0.5}};
    for (const auto& [name, value] : functions_of_rows()) {
        SCOPED_TRACE(name);
        Numbers expected;
        Index columns = 0;
        for (const Numbers& row : rows) {
            const Numbers of_row = value(row);
            columns = std::ssize(of_row);
            expected.insert(expected.end(), of_row.begin(), of_row.end());
        }
        const FormulaResult result{{0, std::ssize(rows), columns}, expected};
        const std::string x = "x1 = " + written(rows) + '\n', call = std::string(name) + '(';
        expect_result(z_of(x + "z = " + call + "x1)"), result, 1e-14);
        expect_result(z_of(x + "z = x1." + name + "(axis=-1)"), result, 1e-14);
        for (const char* axis : {"axis=-2", "axis=0", "dim=0"})
            expect_result(z_of(x + "z = " + call + "x1.T, " + axis + ").T"), result, 1e-14);
        // A matrix for each head.
        const FormulaResult of_heads =
            z_of("x1 = [" + written(rows) + ", " + written(rows) + "]\nz = " + call + "x1)");
        EXPECT_EQ(of_heads.extent, (Extent{2, result.extent.rows, columns}));
        Numbers twice = expected;
        twice.insert(twice.end(), expected.begin(), expected.end());
        EXPECT_TRUE(near(of_heads.numbers, twice, 1e-14));
    }
}

/// Those whose numbers stand in the rows of formula_syntax_test.cpp.
const std::vector<std::string> functions_in_rows{
    "clip",       "minimum",  "maximum",     "logical_and", "where",      "transpose", "mix_heads",
    "join_heads", "solution", "inv",         "concat",      "arange",     "zeros",     "ones",
    "eye",        "pick",     "split_heads", "split_rows",  "take_heads", "scan"};

TEST(FunctionsOfFormulas, AreAllTried) {
    std::set<std::string> tried(functions_in_rows.begin(), functions_in_rows.end());
    for (const OfNumber& function : functions_of_numbers())
        tried.insert(function.name);
    for (const OfRow& function : functions_of_rows())
        tried.insert(function.name);
    std::set<std::string> known;
    for (const FormulaFunction& function : formula_functions()) {
        EXPECT_TRUE(known.emplace(function.name).second) << function.name << " is there twice";
        EXPECT_TRUE(function.form.starts_with(std::string(function.name) + '(')) << function.form;
        EXPECT_FALSE(function.meaning.empty()) << function.name;
    }
    EXPECT_EQ(tried, known);
}

// Weights that are read off.

FormulaResult weights_of(const std::string& formula) {
    Program program = program_of(formula);
    program.let("weights", read_off(program, program.tensor("context"), "v", "_of_each"));
    return value_of(program, "weights");
}

class ReadOff : public testing::TestWithParam<Row> {};

TEST_P(ReadOff, SaysWhatEachValueGets) {
    try {
        expect_result(weights_of(GetParam().formula), formula_result(GetParam().expected));
    } catch (const Error& error) {
        FAIL() << error.what() << '\n' << GetParam().formula;
    }
}

INSTANTIATE_TEST_SUITE_P(
    Contexts, ReadOff,
    testing::Values(
        Row{"a product", "context = p @ v", "[[1, 2, 3], [4, 5, 6], [7, 8, 9]]"},
        Row{"a product in brackets", "context = p @ (p @ v)",
            "[[30, 36, 42], [66, 81, 96], [102, 126, 150]]"},
        Row{"lines before", "w1 = p * 2\nc1 = w1 @ v\ncontext = c1 / sum(p)",
            "[[0.3333333333333333, 0.6666666666666666, 1], [0.5333333333333333, 0.6666666666666666, 0.8], "
            "[0.5833333333333334, 0.6666666666666666, 0.75]]"},
        Row{"a line that no value is in", "w1 = p - 1\ncontext = w1 @ v",
            "[[0, 1, 2], [3, 4, 5], [6, 7, 8]]"},
        Row{"the values themselves", "context = v", "[[1, 0, 0], [0, 1, 0], [0, 0, 1]]"},
        Row{"values turned twice", "context = v.T.T", "[[1, 0, 0], [0, 1, 0], [0, 0, 1]]"},
        Row{"signs", "context = 2 * v - p @ v - -v", "[[2, -2, -3], [-4, -2, -6], [-7, -8, -6]]"},
        Row{"what is added", "context = p @ v + 7 + k", "[[1, 2, 3], [4, 5, 6], [7, 8, 9]]"},
        Row{"what is taken away", "context = 7 - p @ v", "[[-1, -2, -3], [-4, -5, -6], [-7, -8, -9]]"},
        Row{"a number for each query", "context = p @ v * p[:, 1:2]",
            "[[2, 4, 6], [20, 25, 30], [56, 64, 72]]"},
        Row{"a condition", "context = where(p[:, 0:1] > 2, p @ v, 0)", "[[0, 0, 0], [4, 5, 6], [7, 8, 9]]"},
        Row{"two cases", "context = where(p[:, 0:1] > 2, p @ v, v)", "[[1, 0, 0], [4, 5, 6], [7, 8, 9]]"},
        Row{"sums", "context = p[:, 0:1] @ sum(v, axis=-2)", "[[1, 1, 1], [4, 4, 4], [7, 7, 7]]"},
        Row{"rows", "context = concat([v[1:3], v[0]], axis=-2)", "[[0, 1, 0], [0, 0, 1], [1, 0, 0]]"},
        Row{"linear attention", "context = k @ (k.T @ v)", "[[1, 2, -1], [2, 5, 1], [-1, 1, 10]]"},
        Row{"linear attention by scan", "context = scan(S = zeros(2, 2), S + k[t].T @ v[t], k[t] @ S)",
            "[[1, 0, 0], [2, 5, 0], [-1, 1, 10]]"},
        Row{"a decay by scan", "context = scan(S = 0, S / 2 + v[t], S)",
            "[[1, 0, 0], [0.5, 1, 0], [0.25, 0.5, 1]]"},
        Row{"the delta rule by scan",
            "context = scan(S = zeros(2, 2), S + k[t].T @ (v[t] - k[t] @ S), k[t] @ S)",
            "[[1, 0, 0], [-8, 5, 0], [27, -9, 10]]"},
        Row{"a token before by scan", "context = scan(S = 0, v[t], S + 3 * v[t - 1])",
            "[[1, 0, 0], [3, 1, 0], [0, 3, 1]]"},
        Row{"a scan over its sum", "context = scan(S = 0, z = 0, S + v[t], z + 1, S / z)",
            "[[1, 0, 0], [0.5, 0.5, 0], [0.3333333333333333, 0.3333333333333333, 0.3333333333333333]]"},
        Row{"a repeated line without values", "w1 = p\nrepeat 2:\n    w1 = w1 * 2\ncontext = w1 @ v",
            "[[4, 8, 12], [16, 20, 24], [28, 32, 36]]"}));

TEST(ReadOff, OfHeadsIsAMapForEach) {
    expect_result(weights_of("context = mix_heads([[1, 0], [0, 2]], [[[1, 0, 0]], [[0, 1, 1]]]) @ v"),
                  formula_result("[[[1, 0, 0]], [[0, 2, 2]]]"));
}

/// One turn is a line like any other, which may give a name again.
TEST(ReadOff, EndsWhereANameIsGivenAgain) {
    try {
        expect_result(weights_of("c1 = p @ v\nrepeat 1:\n    c1 = c1 / 2\ncontext = c1"),
                      formula_result("[[0.5, 1, 1.5], [2, 2.5, 3], [3.5, 4, 4.5]]"));
    } catch (const Error& error) {
        EXPECT_EQ(error.detail().expected, "lines that are not repeated");
    }
}

struct RefusedContext {
    const char* name;
    const char* formula;
    const char* expected;
    const char* got;
};
void PrintTo(const RefusedContext& row, std::ostream* out) { *out << row.name; }

class NotReadOff : public testing::TestWithParam<RefusedContext> {};

TEST_P(NotReadOff, SaysWhatIsNoSumOfValues) {
    try {
        weights_of(GetParam().formula);
        ADD_FAILURE() << GetParam().formula << " was read";
    } catch (const Error& error) {
        EXPECT_EQ(error.detail().what, "read off weights") << error.what();
        EXPECT_NE(error.detail().expected.find(GetParam().expected), std::string::npos) << error.what();
        EXPECT_NE(error.detail().got.find(GetParam().got), std::string::npos) << error.what();
    }
}

INSTANTIATE_TEST_SUITE_P(
    Contexts, NotReadOff,
    testing::Values(RefusedContext{"a bend", "context = tanh(v)", "a sum of values, each times a number",
                                   "the operation \"hyperbolic tangent\" on values"},
                    RefusedContext{"the larger of two", "context = maximum(p @ v, 0)",
                                   "a sum of values, each times a number", "\"maximum\""},
                    RefusedContext{"a number for each feature", "context = v * [2, 3]",
                                   "the same for all features of a value", "a number for each feature"},
                    RefusedContext{"a quotient for each feature", "context = v / [2, 3]",
                                   "the same for all features of a value", "a number for each feature"},
                    RefusedContext{"values times values", "context = v * sum(v)",
                                   "a sum of values, each times a number", "on values"},
                    RefusedContext{"over values", "context = 1 / (1 + v * v)",
                                   "a sum of values, each times a number", "on values"},
                    RefusedContext{"features mixed", "context = v @ [[1, 2], [3, 4]]",
                                   "a sum of values, each times a number", "\"product\""},
                    RefusedContext{"some features", "context = concat([v[:, 1:2], v[:, 0:1]])",
                                   "all features of the values together", "some of them"},
                    RefusedContext{"a condition on values", "context = where(sum(v) > 0, v, 0)",
                                   "a sum of values, each times a number", "on values"},
                    RefusedContext{"another number in a case", "context = where(p[:, 0:1] > 2, v, 1)",
                                   "values, or 0, in both cases", "something else"},
                    RefusedContext{"no value", "context = k * 2", "a sum of values", "what no value is in"},
                    RefusedContext{"a repeated line", "c1 = v\nrepeat 2:\n    c1 = c1 / 2\ncontext = c1",
                                   "lines that are not repeated", "\"c1\""}));

}  // namespace

}  // namespace headlight::formula_functions_test
