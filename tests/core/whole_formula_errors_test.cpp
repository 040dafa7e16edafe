// Formulas whose lines are right each by itself, and that are none for the tokens that they are for.

#include "tests/support/broken_formulas.h"

namespace headlight::whole_formula_errors_test {

using namespace test;

namespace {

class BrokenFormula : public testing::TestWithParam<Broken> {};

TEST_P(BrokenFormula, IsRefused) { expect_refused(GetParam().formula, GetParam(), GetParam().where); }

INSTANTIATE_TEST_SUITE_P(
    Whole, BrokenFormula,
    testing::Values(
        Broken{"repeat 2:\n", "line 2, column 1", "each indented", "the end of the formula"},
        Broken{"", "", R"(a line "context = ...")", "no line"},
        Broken{"# nothing", "", R"(a line "context = ...")", "no line"},
        Broken{"scores = q @ k.T", "", R"(a line "context = ...")", "neither"},
        Broken{"weight = softmax(q @ k.T)", "line 1, column 1", R"(a line "context = ...")",
               R"("weight" (did you mean "weights"?))"},
        Broken{"s1 = q @ k.T\nContxt = softmax(s1) @ v", "line 2, column 1", R"(a line "context = ...")",
               R"("Contxt" (did you mean "context"?))"},
        Broken{"a1 = softmax(q @ k.T)\nfound = a1 @ v", "line 2, column 1", R"(a line "context = ...")",
               R"("found" (did you mean "context"?))"},
        Broken{"attention = softmax(q @ k.T)\nz = 2 * attention", "line 1, column 1",
               R"(a line "context = ...")", R"("attention" (did you mean "weights"?))"},
        Broken{"weights = softmax(q)", "line 1, column 1", "weights [4, 4]",
               R"([4, 8], the extents of "context")"},
        Broken{"weights = softmax(-(q - k) ** 2)", "line 1, column 1", "weights [4, 4]",
               "for q - k is of each query and the key of the same row: distances of all pairs are"},
        Broken{"scores = q * k / sqrt(d)\nweights = softmax(scores)", "line 1, column 1", "another name",
               "[4, 8], for q * k is of each query and the key of the same row"},
        Broken{"s1 = q * k / sqrt(d)\nweights = softmax(s1)", "line 2, column 1", "weights [4, 4]",
               "for q * k is of each query and the key of the same row: products of all pairs are q @ k.T"},
        Broken{"weights = softmax(q.T @ k)", "line 1, column 1", "weights [4, 4]", "[8, 8]"},
        Broken{"weights = -norm(q - k) ** 2", "line 1, column 1", "weights [4, 4]",
               "[4, 1], the length of each row; distances of all pairs are sqrt(sum("},
        Broken{"weights = softmax(-sum((q - k) ** 2))", "line 1, column 1", "weights [4, 4]",
               "[4, 1], for the sum of line 1 is of each query and the key of the same row"},
        Broken{"scores = -sum((q - k) ** 2)\nweights = softmax(scores)", "line 1, column 1", "another name",
               "[4, 1], for the sum of line 1 is of each query and the key of the same row"},
        Broken{"a1 = 2 * sum(q * k)\nweights = softmax(a1)", "line 2, column 1", "weights [4, 4]",
               "all pairs are sum((q[:, None] - k[None, :]) ** 2)"},
        Broken{"weights = softmax(tanh(q + k))", "line 1, column 1", "weights [4, 4]",
               "for q + k is of each query and the key of the same row: all pairs are sum(w[d] * tanh("},
        Broken{"scores = tanh(q @ W[d, 16] + k @ U[d, 16]) @ w[16, 1]\nweights = softmax(scores)",
               "line 1, column 1", "another name", "[4, 1], for q + k is of each query and the key of"},
        Broken{"weights = softmax(maximum(concat([q, k]) @ c[2 * d, 1], 0))", "line 1, column 1",
               "weights [4, 4]", "all pairs are q @ u[d, 1] + (k @ w[d, 1]).T"},
        Broken{"weights = softmax(u[1, d] @ k.T)", "line 1, column 1", "weights [4, 4]",
               "[1, 4], one row for all queries: ones(n, 1) @ row is one of each"},
        Broken{"weights = softmax(split_heads(q, 2) @ split_heads(k, 2).T)", "line 1, column 1",
               "weights [4, 4]", "[2, 4, 4], a matrix for each of 2 heads: lines are of one head"},
        Broken{"weights = i == j", "line 1, column 1", "numbers, as where(condition, 1, 0) has them",
               "true or false"},
        Broken{"context = mean(v, axis=0)", "line 1, column 1", "context [4, 8]",
               "[1, 8], one row for all queries: ones(n, 1) @ row"},
        Broken{"weights = softmax(q @ k.T)\ncontext = weights", "line 2, column 1", "context [4, 8]",
               R"(the values are taken by "weights @ v")"},
        Broken{"weights = softmax(q @ k.T)\nout = log(weights @ exp(v))", "line 2, column 1",
               R"("context = ...", what each query finds)", R"("out", which no line reads)"},
        Broken{"weights = softmax(q @ k.T)\nz = weights @ v\ncontex = 2 * z", "line 3, column 1",
               R"("context = ...")", R"("contex", which no line reads)"},
        Broken{"weights = softmax(q @ k.T / (norm(q) * norm(k)))", "line 1, column 40", R"(".T" behind it)",
               "a column [m, 1] beside one of queries [n, 1]"},
        Broken{"weights = softmax(-sum((q - k) ** 2) - abs(i - j))", "line 1, column 19",
               "distances of all pairs, as in sqrt(sum((q[:, None] - k[None, :]) ** 2))",
               "of each query and the key of the same row"},
        Broken{"a1 = -norm(k - q)\nscores = a1 / sqrt(d)\nweights = softmax(abs(i - j) - scores)",
               "line 3, column 32", "distances of all pairs", "a column [n, 1]"},
        Broken{"weights = softmax(q @ k.T - m * (i - j))", "line 1, column 29", R"("slope = 1 / 4")",
               R"("m", how many keys there are)"},
        Broken{"weights = exp(q @ k.T)\nweights = weights / sum(weights)", "line 2, column 1",
               "call the line above so where this one has the weights that count", R"("weights")"},
        Broken{"weights = softmax(2 * q @ k.T - sum(q ** 2) - sum(k ** 2))", "line 1, column 47",
               R"(".T" behind it)", "a column [m, 1] beside pairs [n, m]"},
        Broken{"z = k @ u[d, 1]\nweights = softmax(q @ k.T + z)", "line 2, column 29",
               "a number for each key in a row, [1, m]", "a column [m, 1] beside pairs [n, m]"},
        Broken{"weights = softmax(k @ q.T)", "line 1, column 1", "rows are queries", "rows of keys"},
        Broken{"context = softmax(q @ k.T)", "line 1, column 1", "context [4, 8]",
               R"([4, 4], the extents of "weights")"},
        Broken{"scores = q @ W[2, d, d] @ k.T\nweights = softmax(scores)", "line 1, column 14",
               "a matrix for each head, of which there is 1, or W with two extents", "W [2, 8, 8]"},
        Broken{"u = v @ W[2, d_v, d_v]\ncontext = softmax(q @ k.T) @ u", "line 1, column 9",
               "W[heads, ...], a matrix for each head", "W [2, 8, 8]"},
        Broken{"weights = 1", "line 1, column 1", "weights [4, 4]", "a number"},
        Broken{"context = cumsum(k.T @ v)", "line 1, column 1", "context [4, 8]", "[8, 8]"},
        Broken{"a1 = softmax(q @ k.T)\ncontext = silu(a1 @ v)", "line 2, column 1",
               R"(such as "a1" of line 1)", R"-(on values, in "silu(a1 @ v)")-"},
        Broken{"z = 1\nweights = j <= i", "line 2, column 1", "numbers", "true or false"},
        Broken{"context = q @ k.T", "line 1, column 1", "context [4, 8]", "[4, 4]"},
        Broken{"weights = softmax(q @ k.T)\ncontext = weights @ v @ v.T", "line 2, column 1",
               "context [4, 8]", "[4, 4]"},
        Broken{"context = tanh(v)", "line 1, column 1",
               R"(a line "weights = ...", the map [n, m] to look at)", "on values"},
        Broken{"z = 2 * v\ncontext = z * [1, 2, 3, 4, 5, 6, 7, 8]", "line 2, column 1",
               R"(a line "weights = ...")", "a number for each feature"},
        Broken{"z = tanh(v)\ncontext = z", "line 1, column 1", R"(a line "weights = ...")",
               R"("hyperbolic tangent")"},
        Broken{"z = v\nrepeat 2:\n  z = z / 2\ncontext = z", "line 4, column 1", R"(a line "weights = ...")",
               R"("z")"},
        Broken{"context = k", "line 1, column 1", R"(a line "weights = ...")", "what no value is in"},
        Broken{"context = softmax(query @ key.T) @ value", "line 1, column 36", "v in place of value",
               R"("value")"},
        Broken{"z = 2 * value\ncontext = softmax(q @ k.T) @ z", "line 1, column 9", "v in place of value",
               R"("value")"},
        Broken{"context = scan(S = zeros(d_v, d), S + v[t].T @ k[t], q[t] @ S)", "line 1, column 1",
               R"(a line "weights = ...")", "(q[t] @ S.T has a row)"},
        Broken{"weights = softmax(q @ k.T)", "mask",
               R"(the mask "none", or a formula that asks for "allowed")",
               "a mask that the formula never asks for", R"({"mask": {"type": "causal"}})"},
        Broken{"", "", R"(a line "context = ...")", "no line", R"({"mask": {"type": "causal"}})"},
        Broken{"scores = q @ k.T", "", R"(a line "context = ...")", "neither",
               R"({"mask": {"type": "causal"}})"},
        Broken{"context = scan(S = 0, S + v[t], S)", "line 1, column 11", "one sequence",
               "queries and keys of two", R"({"source": {"type": "cross"}})"},
        Broken{"context = softmax(v)", "line 1, column 1", R"(a line "weights = ...")", "on values"},
        Broken{"context = scan(S = zeros(d_v, d), tanh(S) + v[t].T @ k[t], q[t] @ S.T)", "line 1, column 1",
               R"(a line "weights = ...")", R"("hyperbolic tangent" on values)"},
        Broken{"context = scan(S = zeros(d_v, d), W[d_v, d_v] @ S + v[t].T @ k[t], q[t] @ S.T)",
               "line 1, column 1", R"(a line "weights = ...")", R"(on values)"},
        Broken{"context = scan(S = 0, tanh(S) + v[t], S)", "line 1, column 1", R"(a line "weights = ...")",
               R"("hyperbolic tangent" on values)"},
        Broken{"repeat 2:\n    context = v * 2", "line 2, column 5", R"(a line "weights = ...")",
               R"("context")"}));

INSTANTIATE_TEST_SUITE_P(
    OfTwoMaps, BrokenFormula,
    testing::Values(Broken{"s1 = q @ k.T\nweights = softmax(s1 / sqrt(d))\nother = softmax(s1)\n"
                           "context = other @ v",
                           "line 4, column 1", R"("context = weights @ v", for the map that is shown)",
                           R"("other @ v", which takes the values by other numbers)"},
                    Broken{"context = softmax(q @ k.T / 2) @ v\nweights = softmax(q @ k.T)",
                           "line 1, column 1", "another name for line 2", "than those of"},
                    Broken{"weights = softmax(q @ k.T)\nfound = softmax(q @ k.T / 2) @ v\ncontext = found",
                           "line 3, column 1", "another name for line 1", R"("found", which takes)"},
                    Broken{
                        "other = softmax(2 * q @ k.T)\nweights = softmax(q @ k.T)\ncontext = other @ v / 2",
                        "line 3, column 1", "another name for line 2", R"("other @ v / 2", which takes)"},
                    Broken{"weights = softmax(q @ k.T)\ne1 = exp(q @ k.T / 2)\ncontext = e1 @ v / sum(e1)",
                           "line 3, column 1", "another name for line 1", R"-("e1 @ v / sum(e1)", which)-"},
                    Broken{"weights = softmax(q @ k.T)\nfound = softmax(q @ k.T / 2) @ v\n"
                           "context = silu(found / norm(found)) @ W[d_v, d_v] + q",
                           "line 3, column 1", "another name for line 1", "which takes the values by other"},
                    Broken{"weights = softmax(q @ k.T)\n"
                           "context = scan(S = zeros(d, d_v), S + k[t].T @ v[t], q[t] @ S)",
                           "line 2, column 1", "another name for line 1", "which takes the values by other"},
                    Broken{"weights = where(j <= i, q @ k.T, 0)\n"
                           "found = scan(S = zeros(d, d_v), S / 2 + k[t].T @ v[t], q[t] @ S)\n"
                           "context = rms_norm(found)",
                           "line 3, column 1", "another name for line 1", R"-("rms_norm(found)", which)-"}));

INSTANTIATE_TEST_SUITE_P(
    ScaledTooLate, BrokenFormula,
    testing::Values(Broken{"weights = softmax(q @ k.T) / sqrt(d)", "line 1, column 28",
                           R"-("weights = softmax(q @ k.T / sqrt(d))": scores are scaled before)-",
                           R"-(no longer add up to 1, in "softmax(q @ k.T) / sqrt(d)")-"},
                    Broken{"weights = softmax(where(j <= i, q @ k.T, -inf)) * d ** -0.5", "line 1, column 49",
                           R"-("weights = softmax(where(j <= i, q @ k.T, -inf) / sqrt(d))")-", "add up to 1"},
                    Broken{"scale = 1 / sqrt(d)\nweights = scale * softmax(q @ k.T)", "line 2, column 17",
                           R"-("weights = softmax(scores / sqrt(d))")-", "add up to 1"},
                    Broken{"weights = F.softmax(q @ k.T, dim=-1) * math.sqrt(d)", "line 1, column 38",
                           R"-("weights = softmax(scores * sqrt(d))")-", "add up to 1"},
                    Broken{"context = softmax(q @ k.T) / d ** 0.5 @ v", "line 1, column 28",
                           R"-("context = softmax(q @ k.T / sqrt(d)) @ v")-", "add up to 1"},
                    Broken{"context = softmax(q @ k.T + abs(i - j)) / sqrt(d) @ v", "line 1, column 41",
                           R"-("context = softmax(scores / sqrt(d)) @ v")-", "add up to 1"}));

/// Another number, a line of its own, or shares of features are no slip.
TEST(BrokenFormula, IsNoneWhoseSharesAreScaledOnPurpose) {
    for (const char* text :
         {"weights = softmax(q @ k.T / sqrt(d))", "a1 = softmax(q @ k.T)\nweights = a1 / sqrt(d)",
          "weights = softmax(q @ k.T) / 2", "weights = softmax(q @ k.T) / sqrt(2)",
          "weights = softmax(q) / sqrt(d) @ softmax(k, axis=-2).T",
          "context = softmax(q) / sqrt(d) @ (softmax(k, axis=-2).T @ v)"})
        EXPECT_NO_THROW(planned_formula(text, "{}")) << text;
}

/// What is the same by other words, another view of that map, or more than one map, is no contradiction.
TEST(BrokenFormula, IsNoneWhoseWeightsAreThoseOfItsContext) {
    for (const char* text :
         {"weights = softmax(q @ k.T)\ne1 = exp(q @ k.T)\ncontext = (e1 / sum(e1)) @ v",
          "e1 = exp(q @ k.T)\nweights = e1 / sum(e1)\ncontext = e1 @ v",
          "weights = softmax(q @ k.T)\nw1 = weights ** 2\ncontext = w1 @ v",
          "first = softmax(q @ k.T)\nweights = softmax(q @ k.T / 3)\ncontext = first @ v + log(v ** 2)",
          "weights = softmax(q @ k.T)\ncontext = exp(q @ k.T) @ v / sum(exp(q @ k.T))",
          "weights = exp(q @ k.T)\ncontext = 2 * softmax(q @ k.T) @ v",
          "a1 = softmax(q @ k.T)\nweights = a1\ncontext = (a1 * sigmoid(q @ k.T)) @ v",
          "e1 = exp(q @ k.T)\nweights = e1 / sum(e1)\ncontext = silu(e1 @ v)",
          "a1 = softmax(q @ A[3, d].T)\nb1 = softmax(A @ k.T)\nweights = a1 @ b1\ncontext = a1 @ (b1 @ v)",
          "weights = softmax(q @ k.T)\nfound = softmax(q @ k.T / 2) @ v\ncontext = softmax(found @ k.T) @ v",
          "weights = where(j <= i, q @ k.T, 0)\n"
          "context = scan(S = zeros(d, d_v), S + k[t].T @ v[t], q[t] @ S / sqrt(d) + 2 * v[t])",
          "total = scan(z = zeros(d, 1), z + exp(k[t]).T, exp(q[t]) @ z)\n"
          "weights = scan(P = zeros(d, m), P + exp(k[t]).T @ eye(m)[t], exp(q[t]) @ P) / total\n"
          "context = scan(S = zeros(d, d_v), S + exp(k[t]).T @ v[t], exp(q[t]) @ S) / total",
          "weights = softmax(q @ k.T)\ncontext = scan(S = 0, tanh(S) + v[t], S)"})
        EXPECT_NO_THROW(planned_formula(text, "{}")) << text;
}

/// A plan knows extents; a text alone is refused for its syntax.
TEST(BrokenFormula, IsRefusedBeforeThereAreTokens) {
    for (const char* text : {"z = (q", "z = q @", "repeat 2:\nz = q", "z = q = k"})
        EXPECT_THROW(typed_formula(std::string(text)), Error) << text;
    EXPECT_EQ(typed_formula(std::string("z = unknown @ k"))->lines.size(), 1u);
    EXPECT_EQ(typed_formula(std::string())->lines.size(), 0u);
}

/// Four tokens, and four rows of what is no token: a formula that runs on three runs on four.
TEST(BrokenFormula, IsNoneWhereLinesHaveAsManyRowsAsThereAreTokens) {
    EXPECT_NO_THROW(planned_formula("left = tanh(A[4, 8])\nright = tanh(B[4, 8])\n"
                                    "states = scan(S = zeros(d, d), S @ (left.T @ right) + k[t].T @ v[t], "
                                    "q[t] @ S)\nweights = softmax(states @ k.T)",
                                    "{}"));
}

/// Four tokens, and heads of four numbers.
constexpr const char* as_wide_as_long = R"({"projections": {"dimension": 4}})";
/// Two texts, of which the other one has five tokens, and heads of five numbers.
constexpr const char* as_wide_as_the_other =
    R"({"source": {"type": "cross"}, "projections": {"dimension": 5}})";

INSTANTIATE_TEST_SUITE_P(
    ByChance, BrokenFormula,
    testing::Values(
        Broken{"scores = q @ k / sqrt(d)\nweights = softmax(scores)", "line 1, column 12",
               R"(as many columns before "@" as rows after it)",
               R"-(q [5, 4] @ k [5, 4] (with ".T" they meet), for 5 tokens (for 4 tokens the extents)-",
               as_wide_as_long},
        Broken{"slopes = [0.5, 2]\nweights = softmax(q @ k)", "line 2, column 21",
               R"(as many columns before "@")", "for 5 tokens", as_wide_as_long},
        // An inner width that divides the tokens is none of theirs.
        Broken{"z = q @ W[d, 2] @ U[2, d]\nweights = softmax(z @ k)", "line 2, column 21",
               R"(as many columns before "@")", "for 5 tokens", as_wide_as_long},
        Broken{"z = q @ W[d, 2] @ U[2, m]\nweights = softmax(z + q @ k)", "line 2, column 25",
               R"(as many columns before "@")", "for 5 tokens", as_wide_as_long},
        Broken{"weights = softmax(q)", "line 1, column 1", "weights [5, 5]",
               R"([5, 4], the extents of "context", for 5 tokens)", as_wide_as_long},
        Broken{"weights = softmax(q.T @ k)", "line 1, column 1", "weights [5, 5]", "[4, 4], for 5 tokens",
               as_wide_as_long},
        Broken{"z = q + k.T\nweights = softmax(q @ k.T)", "line 1, column 7", "extents that meet",
               "q [5, 4] + k.T [4, 5]", as_wide_as_long},
        Broken{"weights = softmax(q @ k.T + A[d, d])", "line 1, column 27", "extents that meet",
               "[5, 5] + A [4, 4]", as_wide_as_long},
        Broken{"weights = softmax(q @ k.T + s[heads])", "line 1, column 27", "extents that meet", "s [1, 4]",
               R"({"heads": {"type": "multi", "heads": 4}})"},
        Broken{"weights = softmax(q @ k)", "line 1, column 21", R"(as many columns before "@")",
               R"((with ".T" they meet), for 6 queries and 7 keys (for 4 queries and 5 keys)",
               as_wide_as_the_other}));

/// Digits that fit so many tokens say that the formula is for them.
class WholeFormula : public testing::TestWithParam<const char*> {};

TEST_P(WholeFormula, IsTakenWhereTokensAreAsManyAsFeatures) {
    EXPECT_NO_THROW(planned_formula(GetParam(), as_wide_as_long));
}

INSTANTIATE_TEST_SUITE_P(
    Texts, WholeFormula,
    testing::Values("weights = softmax(q @ k.T / sqrt(d))", "weights = softmax(q @ W[d, d] @ k.T)",
                    "weights = softmax(q @ W[d, 16] @ U[16, m])", "weights = softmax(q @ k.T + A[n, m])",
                    "weights = softmax(q @ W[d, 2] @ U[2, d] @ k.T)", "weights = softmax(q @ W[d, 4])",
                    "z = concat([M[2, d], k[0:2]], axis=-2)\nweights = softmax(q @ z.T)",
                    "z = k.T @ E[m, 2]\nweights = softmax(q @ z) @ E.T",
                    "context = softmax(q) @ (softmax(k, axis=-2).T @ v)",
                    "context = scan(S = zeros(d, d_v), S + k[t].T @ v[t], q[t] @ S)",
                    "weights = softmax(q @ k.T + A[4, 4])", "r = 2 * 2\nweights = softmax(q @ k.T + A[r, r])",
                    "weights = softmax(q @ k.T + [[1, 2, 3, 4]])", "weights = softmax(q @ k.T + eye(4))",
                    "b = arange(0, 4)\nweights = softmax(q @ k.T + b)",
                    "z = concat([k[3], k[0:3]], axis=-2)\nweights = softmax(q @ z.T)",
                    "weights = softmax(q @ k.T + pick(b[1, 7], 0, i - j + 3))"));

/// gelu(x) reads x five times: one within another takes five times as long to read as the one inside.
TEST(BrokenFormula, IsRefusedBeforeItIsTooLongToRead) {
    const auto nested = [](int times, std::string x) {
        for (int i = 0; i < times; ++i)
            x = "gelu(" + x + ')';
        return x;
    };
    const std::string pairs = "q[:, None] * k[None, :]";
    EXPECT_NO_THROW(planned_formula("weights = softmax(" + nested(4, "q") + " @ k.T)", "{}"));
    EXPECT_NO_THROW(planned_formula("weights = softmax(sum(" + nested(4, pairs) + "))", "{}"));
    const Broken row{"", "", "a part with a line of its own", "more"};
    expect_refused("weights = softmax(" + nested(40, "q") + " @ k.T)", row, "line 1, column 179");
    expect_refused("weights = softmax(sum(" + nested(40, pairs) + "))", row, "line 1, column 183");
}

/// A message is one line, whatever the text holds.
TEST(BrokenFormula, HasAMessageOfOneLine) {
    const std::string long_name(5000, 'x');
    for (const std::string& text :
         {std::string("z = \x01"), std::string("z\0 = q", 6), std::string("\xFF\xFEz"), "z = " + long_name,
          long_name + " = ", "z = " + long_name + "(q)", "z = q." + long_name + "(q)",
          "z = sum(q, " + long_name + " = 3)", "z = 1" + std::string(3000, '0') + 'x'}) {
        try {
            planned_formula(text, "{}");
            ADD_FAILURE() << "was accepted";
        } catch (const Error& error) {
            EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
            EXPECT_EQ(std::string(error.what()).find('\0'), std::string::npos);
            EXPECT_LT(std::string(error.what()).size(), 600u) << error.what();
            EXPECT_TRUE(error.detail().where.starts_with("line 1, column ")) << error.what();
        }
    }
}

}  // namespace

}  // namespace headlight::whole_formula_errors_test
