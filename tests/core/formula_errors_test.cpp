// Broken lines of formulas: each refusal says at which line and column, what was expected there and what was
// there.

#include "tests/support/broken_formulas.h"

namespace headlight::formula_errors_test {

using namespace test;

namespace {

struct Meant {
    const char* typed;
    const char* meant;  ///< empty: nobody could say
};
void PrintTo(const Meant& row, std::ostream* out) { *out << row.typed; }

/// Mathematics as papers and TeX write it.
class MeantLine : public testing::TestWithParam<Meant> {};

TEST_P(MeantLine, IsSaidWithTheError) {
    try {
        typed_formula(std::string("n2 = n\n") + GetParam().typed);
        ADD_FAILURE() << "was accepted";
    } catch (const Error& error) {
        const std::string meant = GetParam().meant, hint = "did you mean \"" + meant + "\"?";
        EXPECT_TRUE(error.detail().where.starts_with("line 2, ")) << error.what();
        EXPECT_EQ(error.detail().got.find(meant.empty() ? "did you mean" : hint) != std::string::npos,
                  !meant.empty())
            << error.what();
        if (!meant.empty()) {
            EXPECT_NO_THROW(typed_formula(meant));
        }
    }
}

INSTANTIATE_TEST_SUITE_P(
    Mathematics, MeantLine,
    testing::Values(
        Meant{"softmax(Q K^T / sqrt(d_k)) V", "context = softmax(q @ k.T / sqrt(d)) @ v"},
        Meant{"Q K^T", "scores = q @ k.T"},
        Meant{"weights = softmax(QK^T / sqrt(d_k))  # as in the paper",
              "weights = softmax(q @ k.T / sqrt(d))"},
        Meant{"weights = softmax(q @ kᵀ / √d)", "weights = softmax(q @ k.T / sqrt(d))"},
        Meant{
            R"(\operatorname{Attention}(Q, K, V) = \operatorname{softmax}\left(\frac{Q K^\top}{\sqrt{d_k}}\right) V)",
            "context = softmax((q @ k.T) / (sqrt(d))) @ v"},
        Meant{R"($\mathrm{softmax}(QK^{\top})V$)", "context = softmax(q @ k.T) @ v"},
        Meant{"context = softmax(q @ k') v", "context = softmax(q @ k.T) @ v"},
        Meant{"context = softmax(q @ k’) v", "context = softmax(q @ k.T) @ v"},
        Meant{"context = softmax(q @ k′) v", "context = softmax(q @ k.T) @ v"},
        Meant{"scores = 2 q^2 k", "scores = 2 * q ** 2 * k"}, Meant{"z = q; y1 = k", ""},
        Meant{"weights = soft max(q @ k.T)", "weights = softmax(q @ k.T)"},
        Meant{"weights = log sigmoid(q @ k.T)", "weights = log_sigmoid(q @ k.T)"},
        Meant{"weights = softmax(q k)", "weights = softmax(q @ k.T)"},
        Meant{"weights = softmax(q·k / √d)", "weights = softmax(q @ k.T / sqrt(d))"},
        Meant{"weights <- softmax(q @ k.T)", "weights = softmax(q @ k.T)"},
        Meant{"weights ← softmax(q @ k.T)", "weights = softmax(q @ k.T)"},
        Meant{"weights := softmax(q @ k.T)", "weights = softmax(q @ k.T)"},
        Meant{R"(weights = \softmax(q k^\top) \\)", "weights = softmax(q @ k.T)"},
        Meant{R"(scores = q \cdot k^T \cdot 2)", "scores = q @ k.T * 2"},
        Meant{R"(scores = \text{where}(j \leq i, q k^\top, -\infty))",
              "scores = where(j <= i, q @ k.T, -inf)"},
        Meant{"weights = softmax(where(j <= i, q @ k.T, '-inf'))",
              "weights = softmax(where(j <= i, q @ k.T, -inf))"},
        Meant{R"(scores = (q @ k.T).masked_fill(j > i, "-Infinity"))",
              "scores = (q @ k.T).masked_fill(j > i, -inf)"},
        Meant{R"(scores = \sum_{t} q_t k_t)", ""}, Meant{R"(scores = q @ k.T \)", ""},
        Meant{"weights = softmax(q @ k.T) mask", ""}, Meant{"repeat 3", ""}, Meant{"z = q @", ""},
        Meant{R"(\frac{\frac{)", ""}, Meant{"√", ""}, Meant{"^^^^", ""}, Meant{"z = q if causal else k", ""},
        Meant{"import torch", ""}, Meant{R"(\begin{align})", ""}, Meant{R"(\end{align})", ""},
        Meant{"+ 2", ""}, Meant{"@ v", ""}));

INSTANTIATE_TEST_SUITE_P(
    BracketsAndSigns, MeantLine,
    testing::Values(Meant{"weights = softmax(q @ k.T / sqrt d)", "weights = softmax(q @ k.T / sqrt(d))"},
                    Meant{"weights = softmax q @ k.T", "weights = softmax(q @ k.T)"},
                    Meant{"context = softmax q k / sqrt d @ v", "context = softmax(q @ k.T / sqrt(d)) @ v"},
                    Meant{"context softmax(q @ k.T) @ v", "context = softmax(q @ k.T) @ v"},
                    Meant{"scores == q @ k.T", "scores = q @ k.T"},
                    Meant{"scores = q^T k", "scores = q @ k.T"},
                    Meant{"weights = softmax(q_i^T k_j)", "weights = softmax(q @ k.T)"},
                    Meant{"weights => softmax(q k)", "weights = softmax(q @ k.T)"},
                    Meant{"weights = softmax(q k, dim=-1)", "weights = softmax(q @ k.T, dim = -1)"},
                    Meant{"weights = softmax(q ⋅ k)", "weights = softmax(q @ k.T)"},
                    Meant{"weights = softmax(q @ k.T * ½)", "weights = softmax(q @ k.T * 0.5)"},
                    Meant{"weights = softmax(where(j <= i && i - j < 3, q @ k.T, -inf))",
                          "weights = softmax(where(j <= i and i - j < 3, q @ k.T, -inf))"},
                    Meant{"weights = softmax(where(j <= i || j < 3, q @ k.T, -inf))",
                          "weights = softmax(where(j <= i or j < 3, q @ k.T, -inf))"},
                    Meant{"weights = softmax(where(i => j, q @ k.T, -inf))",
                          "weights = softmax(where(i >= j, q @ k.T, -inf))"},
                    Meant{"context = softmax(q @ k.T) @ v % the context", "context = softmax(q @ k.T) @ v"},
                    Meant{"context = softmax(q @ k.T) @ v // the context", "context = softmax(q @ k.T) @ v"},
                    Meant{"context = self.softmax(q @ k.T) @ v", "context = softmax(q @ k.T) @ v"},
                    Meant{"context = softmax(self.W_q(q) @ k.T) @ v", ""},
                    Meant{"context = softmax(nn.Linear(d, d)(q) @ k.T) @ v", ""},
                    Meant{"context = sum_j softmax(q @ k.T) v_j", ""},
                    Meant{"weights = softmax(-||q - k||)", ""}));

class BrokenLine : public testing::TestWithParam<Broken> {};

/// All that is wrong is in these lines: one that says the weights follows them.
TEST_P(BrokenLine, IsRefusedWhereItIsBroken) {
    const std::string text = GetParam().formula, where = GetParam().where;
    const std::size_t comma = where.find(", ");
    expect_refused(text + "\nweights = softmax(q @ k.T)", GetParam(),
                   "line " + where.substr(0, comma) + ", column " + where.substr(comma + 2));
}

TEST(BrokenLine, IsFoundInWindowsTextsToo) {
    for (const char* begin : {"", "\uFEFF", "# größer ∑\r\n", "\r\n\r\n"}) {
        const std::string before = begin;
        const auto lines = 1 + std::ranges::count(before, '\n');
        const Broken row{"", "", "a name of the lines above", "did you mean \"k\""};
        expect_refused(before + "z = exp(q) @ kk.T\r\nweights = z\r\n", row,
                       "line " + std::to_string(lines) + ", column 14");
    }
}

INSTANTIATE_TEST_SUITE_P(
    SignsAndWords, BrokenLine,
    testing::Values(Broken{"z = ~q", "1, 5", "not", R"("~")"},
                    Broken{"z = !q", "1, 5", "not, or != to compare", R"("!")"},
                    Broken{"z = {q}", "1, 5", R"("(" or "[")", R"("{")"},
                    Broken{"z = q; y1 = k", "1, 6", "one value a line", R"(";")"},
                    Broken{"z = q'", "1, 6", "a transpose is x.T", R"("'")"},
                    Broken{R"(z = "q")", "1, 5", "there are no texts", R"(""")"},
                    Broken{"z = q · k", "1, 7", R"("*" number by number, or "@" of matrices)", R"("·")"},
                    Broken{"z = q / √d", "1, 9", "sqrt(...)", R"("√")"},
                    Broken{"z = ∑ q", "1, 5", "sum(...)", R"("∑")"},
                    Broken{"z = −‖q‖", "1, 6", "normalize(...)", R"("‖")"},
                    Broken{"z = -‖q - k‖", "1, 6", "sqrt(sum((q[:, None] - k[None, :]) ** 2))", R"("‖")"},
                    Broken{"z = -∥q - k∥", "1, 6", "sqrt(sum((q[:, None] - k[None, :]) ** 2))", R"("∥")"},
                    Broken{"z = q ⋅ k", "1, 7", R"("*" number by number, or "@" of matrices)", R"("⋅")"},
                    Broken{"z = q ∙ k", "1, 7", R"("*" number by number, or "@" of matrices)", R"("∙")"},
                    Broken{"z = q • k", "1, 7", R"("*" number by number, or "@" of matrices)", R"("•")"},
                    Broken{"z = q ⊗ k", "1, 7", "a.T @ b of two rows", R"("⊗")"},
                    Broken{"z = q * ½", "1, 9", "0.5", R"("½")"},
                    Broken{"z = i < 2 && j < 2", "1, 11", R"("and" between two conditions)", R"("&&")"},
                    Broken{"z = i < 2 || j < 2", "1, 11", R"("or" between two conditions)", R"("||")"},
                    Broken{"z = where(i => j, 1, 0)", "1, 13", R"(">=" to compare)", R"("=>")"},
                    Broken{"z = where(i =< j, 1, 0)", "1, 13", R"("<=" to compare)", R"("=<")"},
                    Broken{"z = where(i <> j, 1, 0)", "1, 13", R"("!=" to compare)", R"("<>")"},
                    Broken{"z = k’", "1, 6", "a transpose is x.T", R"("’")"},
                    Broken{"z = softmax(-|q|)", "1, 14", "norm(x) of a row", R"("|")"},
                    Broken{"z = softmax(<q, k>)", "1, 13", "the products of all pairs", R"("<")"},
                    Broken{"z ∝ exp(q)", "1, 3", "which is softmax(x)", R"("∝")"},
                    Broken{"γ = 2", "1, 1", "such as alpha", R"("γ")"},
                    Broken{"z = q # ö\nz2 = ö", "2, 6", "the letters a to z", R"("ö")"},
                    Broken{"z = 𝛼", "1, 5", "the letters a to z", R"("𝛼")"},
                    Broken{"z = q \\\n  + k", "1, 7", "an open bracket where a line goes on", "\"\\\""},
                    Broken{R"(z = q \ k)", "1, 7", "inv(x) @ y", R"("\")"},
                    Broken{R"(z = \frac{q}{2})", "1, 5", "(a) / (b)", R"("\frac")"},
                    Broken{R"(z = q / \sqrt{d})", "1, 9", "sqrt(x)", R"("\sqrt")"},
                    Broken{R"(z = k^\top)", "1, 7", "x.T, for a transpose", R"("\top")"},
                    Broken{R"(z = \softmax(q))", "1, 5", "softmax, without", R"("\softmax")"},
                    Broken{R"(z = \sum_j q)", "1, 5", "sum(x)", R"("\sum")"},
                    Broken{R"(z = \alpha * q)", "1, 5", "alpha, without", R"("\alpha")"},
                    Broken{"z = 2q", "1, 5", R"(a product has a "*")", R"("2q")"},
                    Broken{"z = 1e999", "1, 5", "a number that a computer has", R"("1e999")"},
                    Broken{"z = 1.5.2", "1, 8", "a sign between two values", R"(".2")"}));

INSTANTIATE_TEST_SUITE_P(
    Lines, BrokenLine,
    testing::Values(Broken{"3 = q", "1, 1", R"(a line "name = ...")", R"("3")"},
                    Broken{"softmax(q)", "1, 8", R"("=" after the name)", R"("(")"},
                    Broken{"z : q", "1, 3", R"("=" after the name)", R"(":")"},
                    Broken{"z = q\nz += 1", "2, 3", R"("more = z + 1")", R"("+" before "=")"},
                    Broken{"z[0] = q", "1, 2", "its extents follow from what it is", R"("[")"},
                    Broken{"z[i, j] = q @ k.T", "1, 2", "of all places at once", R"("[")"},
                    Broken{"a1, b1 = q, k", "1, 3", "one name a line", R"(",")"},
                    Broken{"z = y1 = q", "1, 8", R"(one "=" a line)", R"("=")"},
                    Broken{"z =", "1, 4", "a value", "the end of the line"},
                    Broken{"z = q @\nz2 = k", "1, 8", "a value", "the end of the line"},
                    Broken{"z = * q", "1, 5", "a value", R"("*")"},
                    Broken{"z = 2 q", "1, 7", "a sign between two values", R"("q")"},
                    Broken{"z = q (2)", "1, 5", "a function that is known", R"("q")"},
                    Broken{"z = (q) 2", "1, 9", "a sign between two values", R"("2")"},
                    Broken{"z = 0,5", "1, 6", "0.5, a number with a point", R"(",")"},
                    Broken{"z = 1, 2", "1, 6", "the end of the line", R"(",")"},
                    Broken{"z == q", "1, 3", R"("=" after the name)", R"("==")"},
                    Broken{"z = sqrt d", "1, 10", R"("(" after the name of a function, sqrt(...))", R"("d")"},
                    Broken{"z = q + (abs q)", "1, 14", "abs(...)", R"("q")"},
                    Broken{"z = q % the query", "1, 13", R"("#" before a comment)", R"("query")"},
                    Broken{"z = q // the query", "1, 14", R"("#" before a comment)", R"("query")"},
                    Broken{"z = sum_j q", "1, 11", R"("@", which adds up over j)", R"("q")"},
                    Broken{"z = q\n  z2 = k", "2, 3", "begins where the first one does", "elsewhere"},
                    Broken{"  z = q\nz2 = k", "2, 1", "begins where the first one does", "elsewhere"}));

INSTANTIATE_TEST_SUITE_P(
    Brackets, BrokenLine,
    testing::Values(Broken{"z = exp(q", "1, 8", "a bracket that is closed", R"("(" without its end)"},
                    Broken{"z = (q + (k\nz2 = q", "1, 10", "a bracket that is closed",
                           R"("(" without its end)"},
                    Broken{"z = q[0\nz2 = q", "1, 6", "a bracket that is closed", R"("[" without its end)"},
                    Broken{"z = exp(q))", "1, 11", "a bracket that was opened", R"-(")")-"},
                    Broken{"z = q]", "1, 6", "a bracket that was opened", R"("]")"},
                    Broken{"z = [1, 2)", "1, 10", R"("," or "]")", R"-(")")-"},
                    Broken{"z = (1, 2)", "1, 7", R"(closes the "(" of column 5)", R"(",")"},
                    Broken{"z = exp(2 q)", "1, 11", R"-("," or ")")-", R"("q")"},
                    Broken{"z = exp(, q)", "1, 9", "a value", R"(",")"},
                    Broken{"z = sum(q, axis=)", "1, 17", "a value", R"-(")")-"}));

INSTANTIATE_TEST_SUITE_P(
    Methods, BrokenLine,
    testing::Values(Broken{"z = q.3", "1, 6", "a sign between two values", R"(".3")"},
                    Broken{"z = q.foo", "1, 10", R"("(" after ".foo")", "the end of the line"},
                    Broken{"z = q.+", "1, 7", R"("T" or the name of a function)", R"("+")"},
                    Broken{"z = k^T", "1, 7", "a transpose is x.T", R"("T")"},
                    Broken{"z = k.t", "1, 8", R"("(" after ".t")", "the end of the line"},
                    Broken{"z = k.transpose(0, 2)", "1, 7", "transpose(x)", "3 values"},
                    Broken{"z = np.foo(q)", "1, 8", "a function that is known", R"("foo")"}));

INSTANTIATE_TEST_SUITE_P(
    OfPyTorch, BrokenLine,
    testing::Values(
        Broken{"import torch", "1, 1", "functions are there", R"("import")"},
        Broken{"def f(q): return q", "1, 1", "the body of a function", R"("def")"},
        Broken{"return q @ k.T", "1, 1", R"("context = ...")", R"("return")"},
        Broken{"for t in range(n):", "1, 1", R"("repeat 3:")", R"("for")"},
        Broken{"for t in range(n):", "1, 1", "scan(...) goes from token to token", R"("for")"},
        Broken{"z = q @ k.T\nprint(z)", "2, 1", "each is a stage", R"("print")"},
        Broken{"z = q if causal else k", "1, 7", "where(condition, a, b)", R"("if")"},
        Broken{"z = torch.topk(q @ k.T, 2)", "1, 11", "where(rank(x) < 2, x, -inf)", R"("topk")"},
        Broken{"z = (q @ k.T).argmax(-1)", "1, 15", "where(rank(x) == 0, 1, 0)", R"("argmax")"},
        Broken{"z = torch.triu(q @ k.T, 1)", "1, 11", "where(j <= i, a, b)", R"("triu")"},
        Broken{"z = q.view(4, 2, 4)", "1, 7", "split_heads(x, heads)", R"("view")"},
        Broken{"z = k.permute(0, 2, 1)", "1, 7", "x.T", R"("permute")"},
        Broken{"z = q / q.shape[-1]", "1, 11", "the width of a head", R"(".shape")"},
        Broken{"z = dropout(q, 0.1)", "1, 5", "nothing is dropped", R"("dropout")"},
        Broken{"z = nn.Linear(8, 4)", "1, 8", "x @ W[d, 16]", R"("Linear")"},
        Broken{"z = F.cosine_similarity(q, k)", "1, 7", "normalize(q) @ normalize(k).T",
               R"("cosine_similarity")"},
        Broken{"z = nn.Linear(d, d)(q)", "1, 8", "q @ W[d, d]", R"-("Linear(...)(")-"},
        Broken{"z = exp(q)(k)", "1, 5", "one bracket behind the name of a function", R"-("exp(...)(")-"},
        Broken{"z = self.softmax(q @ k.T)", "1, 5", R"(softmax, without "self.")", R"("self.softmax")"},
        Broken{"z = q / self.scale", "1, 9", R"(scale, without "self.")", R"("self.scale")"},
        Broken{"z = self.W_q(q)", "1, 5", "q @ W[d, d]", R"("self.W_q")"},
        Broken{"z = self.dropout(q)", "1, 5", "nothing is dropped", R"("self.dropout")"},
        Broken{"z = [q for h in heads]", "1, 8", "no loop", R"("for")"},
        Broken{"z = lambda x: x", "1, 12", "no function of its own", R"("x")"},
        Broken{"z = q is k", "1, 7", R"("==" to compare)", R"("is")"},
        Broken{"z = q.max(-1, keepdim=True)[0]", "1, 28", "no places come with them", R"("[")"},
        Broken{"z = exp(q if causal else k)", "1, 11", "where(condition, a, b)", R"("if")"},
        Broken{"z = torch.max(q, -1)[0]", "1, 21", "no places come with them", R"("[")"},
        Broken{"z = q.max(dim=-1).values", "1, 19", "no places come with them", R"(".values")"},
        Broken{"z = q.clamp(min=0)", "1, 7", "maximum(x, low)", R"("clamp")"},
        Broken{"z = F.normalize(q, 1)", "1, 7", "normalize(x)", "2 values"},
        Broken{"z = torch.einsum('id,jd->ij', q, k)", "1, 11", R"("id,jd->ij" is a @ b.T)", R"("einsum")"},
        Broken{R"(z = einsum("id,jd->ij", q, k))", "1, 5", R"(a product with "@")", R"("einsum")"},
        Broken{"z = rearrange(softmax(q), 'n d -> d n')", "1, 5", "x.T", R"("rearrange")"},
        Broken{"z = exp((q), 'one')", "1, 14", "sums of einsum", R"("'")"},
        Broken{"z = float('2')", "1, 5", "the number alone", R"("float")"},
        Broken{"z = where(j <= i, q @ k.T, '-inf')", "1, 28", "the number alone, -inf", "'-inf'"},
        Broken{R"(z = where(j <= i, q @ k.T, "-Inf"))", "1, 28", "the number alone, -inf", R"("-Inf")"},
        Broken{"z = where(j <= i, q @ k.T, np.float32('inf'))", "1, 39", "the number alone, inf", "'inf'"},
        Broken{"z = where(j <= i, q @ k.T, np.NINF)", "1, 31", "a name of the lines above",
               R"(did you mean "-inf")"},
        Broken{"z = where(j <= i, q @ k.T, torch.finfo(q.dtype).min)", "1, 42", "is -inf", R"(".dtype")"},
        Broken{"z = torch.finfo(torch.float32).min", "1, 11", "-inf for the least", R"("finfo")"}));

INSTANTIATE_TEST_SUITE_P(
    Repeats, BrokenLine,
    testing::Values(
        Broken{"repeat 2\n  z = q", "1, 9", R"(":" after how many times)", "the end of the line"},
        Broken{"repeat 2: z = q", "1, 11", "each indented", R"("z")"},
        Broken{"repeat 2:\nz = q", "2, 1", "each indented", R"("z")"},
        Broken{"repeat 2:\n  repeat 3:\n    z = q", "2, 3", "in what is repeated", R"(a second "repeat")"},
        Broken{"repeat 0:\n  z = q", "1, 8", "a whole number from 1", "0"},
        Broken{"repeat 1.5:\n  z = q", "1, 8", "a whole number from 1", "1.5"},
        Broken{"repeat q:\n  z = q", "1, 8", "how many times", R"("q")"},
        Broken{"z = q\nrepeat 2:\n    z = sum(z)", "3, 9", "z to keep its extents", "[4, 8], then [4, 1]"}));

INSTANTIATE_TEST_SUITE_P(
    Names, BrokenLine,
    testing::Values(
        Broken{"z = q / sqrt(d_k)", "1, 14", "a name of the lines above", R"("d_k" (did you mean "d"?))"},
        Broken{"z = q / sqrt(d_head)", "1, 14", "a name of the lines above", R"(did you mean "d")"},
        Broken{"z = q / sqrt(dim)", "1, 14", "a name of the lines above", R"(did you mean "d")"},
        Broken{"z = zeros(d_head, d)", "1, 11", "a whole number from 1", R"(did you mean "d")"},
        Broken{"z = q @ kT", "1, 9", "a name of the lines above", R"(did you mean "k.T")"},
        Broken{"z = q @ k_T", "1, 9", "a name of the lines above", R"(did you mean "k.T")"},
        Broken{"z = q_i @ k.T", "1, 5", "a name of the lines above", R"(did you mean "q")"},
        Broken{"z = q @ k_t.T", "1, 9", "a name of the lines above", R"(did you mean "k")"},
        Broken{"z = softmax(q @ k.T) @ values", "1, 24", "a name of the lines above", R"(did you mean "v")"},
        Broken{"z = queries @ keys.T", "1, 5", "a name of the lines above", R"(did you mean "q")"},
        Broken{"z = q @ keys.T", "1, 9", "a name of the lines above", R"(did you mean "k")"},
        Broken{"z = q @ W(d, d)", "1, 9", "W[d, d], a parameter with its extents", R"-("W(")-"},
        Broken{"z = softmax[q @ k.T]", "1, 12", R"-("(" after the name of a function, softmax(...))-",
               R"("[")"},
        Broken{"z = qq @ k.T", "1, 5", "a name of the lines above", R"("qq" (did you mean "q"?))"},
        Broken{"scores = q @ k.T\nz = softmax(scorse)", "2, 13", "a name of the lines above",
               R"(did you mean "scores")"},
        Broken{"z = softmax(q @ k.T) @ V", "1, 24", "a parameter with its extents, V[d, 16]",
               R"(did you mean "v")"},
        Broken{"z = y1\ny1 = q", "1, 5", "line 2 gives this one its value", R"("y1")"},
        Broken{"z = softmax(q @ k.T / temperature)", "1, 23", R"(a line of its own, "temperature = 2")",
               R"("temperature")"},
        Broken{"z = softmax(qk.T)", "1, 13", "a name of the lines above", R"(did you mean "q @ k.T")"},
        Broken{"z = softmax(q @ k.T) / num_heads", "1, 24", "a name of the lines above",
               R"(did you mean "heads")"},
        Broken{"z = softmax(scores)", "1, 13", R"-("scores = q @ k.T / sqrt(d)")-", R"("scores")"},
        Broken{"scorse = q @ k.T\nz = softmax(scores)", "2, 13", "a name of the lines above",
               R"(did you mean "scorse")"},
        Broken{"z = weights @ v", "1, 5", "line 2 gives this one its value", R"("weights")"},
        Broken{"z = softmax(q @ k.T + mask)", "1, 23", "where(allowed, scores, -inf)", R"("mask")"},
        Broken{"z = mask(q @ k.T)", "1, 5", "where(allowed, scores, -inf)", R"("mask")"},
        Broken{"z = softmax(q @ k.T, mask=allowed)", "1, 27", "where(allowed, scores, -inf)", R"("mask =")"},
        Broken{"z = z + 1", "1, 5", "another name than that of the line", R"("z")"},
        Broken{"z = exp", "1, 5", R"("(" after the name of a function)", "the name alone"},
        Broken{"z = t", "1, 5", "a scan around t", "t by itself"},
        Broken{"z = Softmax(q)", "1, 5", "a function that is known", R"(did you mean "softmax")"},
        Broken{"z = sqrtt(d)", "1, 5", "a function that is known", R"(did you mean "sqrt")"},
        Broken{"q = k", "1, 1", "this one is known without a line", R"("q")"},
        Broken{"q = x @ W[d_x, d]", "1, 1", R"(without a line, "q_2" is free)", R"("q")"},
        Broken{"m = 3", "1, 1", "this one is known without a line", R"("m")"},
        Broken{"allowed = q", "1, 1", "this one is known without a line", R"("allowed")"},
        Broken{"and = q", "1, 1", "a meaning of its own", R"("and")"},
        Broken{"lambda = q", "1, 1", R"("lambda_" has none)", R"("lambda")"},
        Broken{"repeat = 3", "1, 1", "a meaning of its own", R"("repeat")"},
        Broken{"inf = 3", "1, 1", "a meaning of its own", R"("inf")"},
        Broken{"z = q\nz = k", "2, 1", "a line has this one, line 1, column 1", R"("z")"},
        Broken{"z = q\nz = z + 1", "2, 1", R"("z_2" has none)", R"("z")"},
        Broken{"gate = q", "1, 1", "what comes after the formula, or before it", R"("gate")"},
        Broken{"gate = q", "1, 1", R"("gate_2" is free)", R"("gate")"},
        Broken{"concatenation = q", "1, 1", "what comes after the formula, or before it",
               R"("concatenation")"},
        Broken{"tokens = q", "1, 1", "what comes after the formula, or before it", R"("tokens")"},
        Broken{"energy = q", "1, 1", R"("energy" is a stage of the axes)", "[4, 8]"},
        Broken{"row_sum = q @ k.T", "1, 1", R"("row_sum" is a stage of the axes)", "[4, 4]"},
        Broken{"position = i", "1, 1", R"(another name, such as "position_2")", "[4, 1]"}));

INSTANTIATE_TEST_SUITE_P(
    Outputs, BrokenLine,
    testing::Values(
        Broken{"output = q", "1, 1", R"(a line "context = ..." above it)", R"("output" without one)"},
        Broken{"output = q\ncontext = v", "1, 1", R"(a line "context = ..." above it)", R"("output")"},
        Broken{"z = concatenation", "1, 5", R"(a line "output = ...")",
               R"("concatenation" without an output)"},
        Broken{"z = concatenation + 1\ncontext = v\noutput = z", "1, 5", R"(a line behind "context")",
               R"("concatenation" before there is a context)"},
        Broken{"repeat 2:\n    context = concatenation\noutput = q", "2, 15", R"(a line behind "context")",
               R"("concatenation" before there is a context)"},
        Broken{"context = v\nconcatenation = q\noutput = q", "2, 1", "this one is known without a line",
               R"("concatenation")"},
        Broken{"context = 3\noutput = q", "1, 1", "context [4, 8]", "a number"},
        Broken{"context = v.T\noutput = q", "1, 1", "context [4, 8]", "[8, 4]"},
        Broken{"context = v\noutput = 3", "2, 1", "an output that is made of the contexts",
               "written numbers"},
        Broken{"context = v\noutput = [[1, 2], [3, 4]]", "2, 1", "an output that is made of the contexts",
               "written numbers"},
        Broken{"context = v\noutput = sum(concatenation, axis=-2)", "2, 1", "output [4, 8]", "[1, 8]"},
        Broken{"context = v\noutput = concatenation > 0", "2, 1", "numbers", "true or false"},
        Broken{"context = v\noutput = context", "2, 1", "one matrix for all heads", "[2, 4, 4]",
               R"({"heads": {"type": "multi", "heads": 2}})"}));

INSTANTIATE_TEST_SUITE_P(
    Extents, BrokenLine,
    testing::Values(
        Broken{"z = q @ k", "1, 7", R"(as many columns before "@" as rows after it)",
               R"(q [4, 8] @ k [4, 8] (with ".T" they meet))"},
        Broken{"z = q @ k.T @ k.T", "1, 13", R"(as many columns before "@" as rows after it)",
               R"([4, 4] @ k.T [8, 4] (without ".T" they meet))"},
        Broken{"z = elu(q) + 1 @ elu(k).T", "1, 16", R"(as many columns before "@" as rows after it)",
               "a sum stands in brackets"},
        Broken{"z = q @ W[5, 2]", "1, 7", R"(as many columns before "@" as rows after it)",
               "q [4, 8] @ W [5, 2] (with 8 rows it meets)"},
        Broken{"z = q @ k.T - s[heads] * abs(i - j)", "1, 24", "extents that meet",
               "s [1, 2] * [4, 4] (a number for each head is [heads, 1, 1]",
               R"({"heads": {"type": "multi", "heads": 2}})"},
        Broken{"z = softmax(q @ k.T) * (x @ W[d_x, heads])", "1, 22", "extents that meet",
               "of each token x @ W[heads, d_x, 1]", R"({"heads": {"type": "multi", "heads": 2}})"},
        Broken{"z = inverse(q)", "1, 5", "inv(x)", R"("inverse")"},
        Broken{"z = rope(q) @ k.T", "1, 5", "position.type=rope", R"("rope")"},
        Broken{"z = where(j <= i, q @ k.T, -infinity)", "1, 29", "a name of the lines above",
               R"(did you mean "inf")"},
        Broken{"z = q @ W[3, 8]", "1, 7", R"(as many columns before "@" as rows after it)",
               R"(q [4, 8] @ W [3, 8] (with ".T" they meet))"},
        Broken{"z = tanh(W[d, d] @ q)", "1, 18", R"(as many columns before "@" as rows after it)",
               "W [8, 8] @ q [4, 8] (tokens are rows: q @ W)"},
        Broken{"z = w[d] @ tanh(q + k)", "1, 10", R"(as many columns before "@" as rows after it)",
               "w [1, 8] @ [4, 8] (tokens are rows: ... @ w.T)"},
        Broken{"w1 = softmax(q @ k.T)\nz = v @ w1", "2, 7", R"(as many columns before "@" as rows after it)",
               "v [4, 8] @ w1 [4, 4] (turned round they meet: w1 @ v)"},
        Broken{"z = q * k.T", "1, 7", "extents that meet: equal, or 1", R"((a product of matrices is "@"))"},
        Broken{"z = q @ k.T + q", "1, 13", "extents that meet: equal, or 1", "[4, 4] + q [4, 8]"},
        Broken{"z = q @ k.T / q", "1, 13", "extents that meet: equal, or 1",
               R"([4, 4] / q [4, 8] ("/" divides number by number: by one, by a row)"},
        Broken{"z = q / W[d, d]", "1, 7", "extents that meet: equal, or 1", "is undone by inv(x)"},
        Broken{"z = maximum(q, k.T)", "1, 5", "extents that meet: equal, or 1", "q [4, 8] and k.T [8, 4]"},
        Broken{"z = where(j <= i, q, 0)", "1, 5", "extents that meet", "[4, 4] and [4, 8]"},
        Broken{"z = inv(q)", "1, 5", "a square matrix", "q [4, 8]"},
        Broken{"z = split_heads(q, 3)", "1, 5", "which divide its columns", "q [4, 8]"},
        Broken{"z = split_rows(q, 3)", "1, 5", "which divide its rows", "q [4, 8]"},
        Broken{"z = concat([q, k.T])", "1, 18", "as many heads and rows as the first part",
               "k.T [8, 4] beside [4, 8]"},
        Broken{"z = concat([q, k[:, 0:1]], axis=-2)", "1, 17", "as many heads and columns as the first part",
               "[4, 1] beside [4, 8]"},
        Broken{"z = concat(q, k)", "1, 5", "concat([a, b])", "no list in brackets"},
        Broken{"z = mix_heads(P[3, 3], q)", "1, 5", "extents that meet", "[3, 3]"}));

INSTANTIATE_TEST_SUITE_P(
    ValuesOfFunctions, BrokenLine,
    testing::Values(
        Broken{"z = softmax(q, k)", "1, 5", "softmax(x)", "2 values"},
        Broken{"z = sum(q, j)", "1, 5", "with axis=-2 along each column", "2 values"},
        Broken{"z = sum_j(q)", "1, 5", "sum(x), along each row, over j", R"("sum_j")"},
        Broken{"z = softmax()", "1, 5", "softmax(x)", "0 values"},
        Broken{"z = where(j <= i, q)", "1, 5", "where(condition, a, b)", "2 values"},
        Broken{"z = pick(q, 0)", "1, 5", "pick(x, rows, columns)", "2 values"},
        Broken{"z = zeros(3)", "1, 5", "zeros(rows, columns)", "1 value"},
        Broken{"z = softmax(q, temperature=2)", "1, 28", R"(only axis has a "=")", R"("temperature =")"},
        Broken{"z = softmax(q, temperature=2)", "1, 28", "softmax(x / 2)", R"("temperature =")"},
        Broken{"z = softmax(where(i = j, 0, q @ k.T))", "1, 23", R"("==" to compare)", R"("i =")"},
        Broken{"z = exp(q, axis=-1)", "1, 17", "values alone", R"("axis=")"},
        Broken{"z = sum(q, axis=-3)", "1, 17", "axis=-1, along each row", "-3"},
        Broken{"z = softmax(q @ k.T / 0,5)", "1, 25", "axis=-1, along each row",
               "5 (a number has a point, as in 0.5)"},
        Broken{"z = softmax(q @ k.T, dim=2)", "1, 26", "axis=-1, along each row",
               "2 (without a batch, the last axis is -1)"},
        Broken{"z = softmax(q @ k.T, j <= i)", "1, 24", "softmax(where(condition, x, -inf))",
               "a condition beside what it is to mask"},
        Broken{"z = softmax(q @ k.T, mask)", "1, 22", "where(allowed, scores, -inf)", R"("mask")"},
        Broken{"z = sum(q, axis=q)", "1, 17", "axis=-1, along each row", "no number"},
        Broken{"z = where(q, 1, 0)", "1, 11", "true or false", "numbers"},
        Broken{"z = not q", "1, 9", "true or false", "numbers"},
        Broken{"z = where(j <= i and 1, q @ k.T, 0)", "1, 22", "true or false", "numbers"}));

INSTANTIATE_TEST_SUITE_P(
    Indices, BrokenLine,
    testing::Values(
        Broken{"z = q[9]", "1, 7", "a row up to 3", "9"},
        Broken{"z = q[i]", "1, 7", "a row up to 3", "q @ k.T has every pair"},
        Broken{"z = q[k]", "1, 7", "a row up to 3", "no number by itself"},
        Broken{"z = q[:, ::2]", "1, 11", "columns may be listed", R"(a second ":")"},
        Broken{"z = q[t]", "1, 7", "t is the token that a scan is at", "t outside of a scan"},
        Broken{"z = q[0:9]", "1, 7", "some of the 4 rows", "0:9"},
        Broken{"z = q[0:n / 8]", "1, 11", "a whole number", R"(0.5 ("//" divides without a remainder))"},
        Broken{"z = q[n / 8]", "1, 9", "a row up to 3", R"(0.5 ("//" divides without a remainder))"},
        Broken{"z = q[2:1]", "1, 7", "some of the 4 rows", "2:1"},
        Broken{"z = q[:, 9]", "1, 10", "at most 7, the last of the columns", "9"},
        Broken{"z = q[:, [0, 8]]", "1, 14", "at most 7, the last of the columns", "8"},
        Broken{"z = q[0:4:2]", "1, 10", "without steps", R"(a second ":")"},
        Broken{"z = q[0, 0, 0]", "1, 6", "rows, or rows and columns", "3 indices"},
        Broken{"z = q[]", "1, 6", "rows, or rows and columns", "0 indices"},
        Broken{"z = pick(q, i, 0)", "1, 13", "whole numbers from 0 to 3, the last of the rows", "4"},
        Broken{"z = pick(q, i / 2, 0)", "1, 15", "whole numbers from 0 to 3", R"(0.5 ("//")"},
        Broken{"z = pick(b[1, 32], 0, minimum(arange(0, 2000).T + arange(0, 2000), 31))", "1, 23",
               "places of at most 1048576 pairs", "[2000, 2000]"},
        Broken{"z = pick(q, q, 0)", "1, 13", "follow from i, j and numbers alone",
               "the tokens or parameters"},
        Broken{"z = pick(q, head - 1, 0)", "1, 18", "the same for all heads", "[2, 1, 1]",
               R"({"heads": {"type": "multi", "heads": 2}})"},
        Broken{"z = pick(b[1, 32], 0, head - 1)", "1, 28", "a parameter b[heads, 1, 32]", "[2, 1, 1]",
               R"({"heads": {"type": "multi", "heads": 2}})"},
        Broken{"z = q @ k.T + b[i - j]", "1, 19", "pick(b[1, 32], 0, abs(i - j))", "another value"},
        Broken{"z = q @ k.T * s[head]", "1, 17", "one for each head is s[heads, 1, 1]", R"("head")",
               R"({"heads": {"type": "multi", "heads": 2}})"},
        Broken{"z = pick(q, [0, 1, 2], [[0, 1], [1, 0]])", "1, 5", "places whose extents meet",
               "[3, 1] rows and [2, 2] columns"},
        Broken{"z = take_heads(q, [0, 2])", "1, 23", "at most 1, the last of the heads", "2",
               R"({"heads": {"type": "multi", "heads": 2}})"}));

INSTANTIATE_TEST_SUITE_P(
    Pairs, BrokenLine,
    testing::Values(Broken{"z = q[:, None] + k[None, :]", "1, 16", "sum(...) around what has [:, None]",
                           "a line without it"},
                    Broken{"z = w[d] * tanh(q[:, None] + k[None, :])", "1, 10", "as in sum(w[d] * tanh(",
                           "a line without it"},
                    Broken{"z = mean(q[:, None] * k[None, :])", "1, 21", "sum(...) around what has [:, None]",
                           "of each pair and each feature"},
                    Broken{"z = norm(q[:, None] - k[None, :])", "1, 21",
                           "sqrt(sum((q[:, None] - k[None, :]) ** 2))", "of each pair and each feature"},
                    Broken{"z = sum(tanh(q[:, None] + k[None, :]) @ w[d, 1])", "1, 9",
                           "sum(...) around what has [:, None]", "of each pair and each feature"},
                    Broken{"z = sum(q[:, None] * k[None, :], axis=-2)", "1, 5",
                           "axis=-1, along the features of each pair", "axis=-2"},
                    Broken{"z = sum(q[:, None] * k)", "1, 20", "rows of the query x[:, None]", "[4, 8]"}));

INSTANTIATE_TEST_SUITE_P(
    NumbersAndParameters, BrokenLine,
    testing::Values(Broken{"z = []", "1, 5", "numbers in brackets", "an empty list"},
                    Broken{"z = [[1, 2], [3]]", "1, 14", "rows of 2", "one of 1"},
                    Broken{"z = [[1, 2], 3]", "1, 14", "a row in brackets", "a value"},
                    Broken{"z = [1, q]", "1, 9", "a number", "another value"},
                    Broken{"z = [True, 1]", "1, 12", "numbers alone, or True and False alone", "both"},
                    Broken{"z = [[[[1]]]]", "1, 5", "numbers in brackets", "more brackets"},
                    Broken{"z = q / 0", "1, 9", "a number other than 0", "0"},
                    Broken{"z = 1 / (d - 8)", "1, 12", "a number other than 0", "0"},
                    Broken{"z = zeros(0, 2)", "1, 11", "a whole number from 1", "0"},
                    Broken{"z = arange(5, 1)", "1, 15", "a whole number from 6", "1"},
                    Broken{"z = eye(2000)", "1, 1", "numbers in a constant", "4000000"},
                    Broken{"z = q @ W[d, 0]", "1, 14", "an extent of the parameter W", "0"},
                    Broken{"z = q @ W[d, 2.5]", "1, 14", "an extent of the parameter W", "2.5"},
                    Broken{"z = q @ W[d, r]", "1, 14", "an extent of the parameter W", R"("r")"},
                    Broken{"z = x @ W[d_x, 1]\nz2 = x @ W[d_x, 2]", "2, 11",
                           "such as W_2: W has the extents [8, 1] of line 1", "W [8, 2]"},
                    Broken{"z = b[16]\nz2 = b[8]", "2, 7", "b has the extents [16] of line 1", "b [8]"},
                    Broken{"z = q @ W[heads, 2, d, d]", "1, 10", "at most three extents", "4"},
                    Broken{"z = x @ W_k[d_x, d]", "1, 9",
                           R"(a projection has this one, which makes "k", "W_k_2" is free)", "W_k"},
                    Broken{"z = q @ W_q[d, d]", "1, 9", "a projection has this one", "W_q"}));

INSTANTIATE_TEST_SUITE_P(
    Scans, BrokenLine,
    testing::Values(
        Broken{"z = scan(S + k[t], S)", "1, 5", "scan(S = how it begins", "0 states and 2 values"},
        Broken{"z = scan(S = 0, S + k[t])", "1, 5", "scan(S = how it begins", "1 state and 1 value"},
        Broken{"z = scan(S = 0, S + k[t], S @ S.T, S)", "1, 5", "scan(S = how it begins",
               "1 state and 3 values"},
        Broken{"z = scan(S = 0, S = S + k[t], S)", "1, 23", R"(without its name and "=")", R"("S =" again)"},
        Broken{"z = scan(S = 0, S + k[i], S)", "1, 23", "t is the token that a scan is at", "all places"},
        Broken{"z = scan(q = 0, q + k[t], q)", "1, 14", "a new name for a state", R"("q")"},
        Broken{"z = scan(t = 0, t + k[t], t)", "1, 14", "a new name for a state", R"("t")"},
        Broken{"z = scan(S = 0, S + k[t + 1], S)", "1, 25", "a row up to 3", "4"},
        Broken{"z = scan(S = zeros(d, d), S[t - 1] + k[t].T @ v[t], q[t] @ S)", "1, 28",
               "S alone: it is what the token before has left", "S at a token"},
        Broken{"z = scan(S = 0, S + k[t].T @ v[t], S)", "1, 36", "one row for each token", "[8, 8]"},
        Broken{"z = scan(S = zeros(d, d), S + k[t] @ v[t], q[t] @ S)", "1, 36",
               R"(as many columns before "@" as rows after it)",
               "[1, 8] @ [1, 8] (of two rows, a.T @ b is a matrix and a @ b.T a number)"},
        Broken{"z = scan(S = zeros(d, d), S + v[t] @ k[t].T, q[t] @ S)", "1, 36",
               "a matrix to add to the state [8, 8]: v[t].T @ k[t] is one", "v[t] @ k[t].T, a number"},
        Broken{"z = scan(S = zeros(d, d), 2 * v[t] @ k[t].T + S, q[t] @ S)", "1, 36", "a.T @ b, of two rows",
               "a number"},
        Broken{"z = scan(S = zeros(d, d), S + k_t.T @ v[t], q[t] @ S)", "1, 31", "a name of the lines above",
               R"(did you mean "k[t]")"},
        Broken{"z = scan(S = zeros(d, d), S_t + k[t].T @ v[t], q[t] @ S)", "1, 27",
               "a name of the lines above", R"(did you mean "S")"},
        Broken{"z = scan(S = zeros(d, d), S + k.T @ v, q[t] @ S)", "1, 31", "k[t], the row of the token",
               R"("k" of all tokens)"},
        Broken{"z = scan(S = zeros(d, d), S + k[t].T @ v[t], q @ S)", "1, 46", "q[t], the row of the token",
               R"("q" of all tokens)"},
        Broken{"z = scan(S = zeros(d, d), S / (t + 1) + k.T @ v, q[t] @ S)", "1, 45", "k[t].T @ v[t]",
               "k.T @ v, of all tokens together"},
        Broken{"b1 = sum(q)\nz = scan(S = zeros(d, d), b1 * S + k[t].T @ v[t], q[t] @ S)", "2, 30",
               "extents that meet", "b1 [4, 1] * S [8, 8] (b1[t] is the row of a token)"},
        Broken{"z = scan(S = zeros(d, d), S + k[t].T @ v[t], S @ q[t].T)", "1, 48", "one row for each token",
               "[8, 1], a column (q[t] @ S is a row)"},
        Broken{"z = scan(S = 0, scan(T = 0, T, T), S)", "1, 17", "no scan within a scan", "one"}));

INSTANTIATE_TEST_SUITE_P(
    PlacesThatAreExtents, BrokenLine,
    testing::Values(Broken{"z = sum(v[d] * tanh(q[:, None] + k[None, :]))", "1, 10",
                           "v is the values: a parameter has another name, such as v_a[d]", "v[d]"},
                    Broken{"z = q @ x[d, d]", "1, 10", "such as x_a[d, d]", "x[d, d]"},
                    Broken{"z = k[n - 1] + k[n]", "1, 17", "k is the keys", "k[n]"},
                    Broken{"z = q[head]", "1, 7", "q alone: it is of each head already", R"("q[head]")"},
                    Broken{"z = x[head]", "1, 7", "x alone, which is the same for all heads", R"("x[head]")",
                           R"({"heads": {"type": "multi", "heads": 2}})"},
                    Broken{"z = x @ W[head, d, d]", "1, 11", "a matrix W[heads, d, 16]", R"("head")"},
                    Broken{"table = b[32]\nz = table[abs(i - j)]", "2, 11",
                           "pick(table, 0, minimum(abs(i - j), 31))", "i and j, which stand for all places"},
                    Broken{"z = pick(b[32], 0, abs(i - j))\nz2 = b[i - j]", "2, 10",
                           "pick(b, 0, minimum(abs(i - j), 31))", "b[...]"},
                    Broken{"slope = [0.5, 0.25]\nz = slope * abs(i - j)", "2, 11", "extents that meet",
                           "a number for each head is [[[0.5]], [[0.25]]]",
                           R"({"heads": {"type": "multi", "heads": 2}})"}));

INSTANTIATE_TEST_SUITE_P(
    OneRow, BrokenLine,
    testing::Values(Broken{"p1 = arange(0, n)\nz = abs(p1[:, None] - p1[None, :])", "2, 11",
                           "p1.T - p1, and those of places i - j", "p1, one row"},
                    Broken{"p1 = arange(0, n)\nz = sum(abs(p1[:, None] - p1[None, :]))", "2, 15",
                           "p1.T - p1, and those of places i - j", "p1, one row"},
                    Broken{"z = tanh(q[:, None] + k[None, :]) @ w[d, 1]", "1, 5",
                           "sum(w[d] * tanh(q[:, None] + k[None, :]))", "of each pair and each feature"},
                    Broken{"z = q.unsqueeze(1) + k.unsqueeze(0)", "1, 7", "q[:, None]", R"("unsqueeze")"},
                    Broken{"z = scan(S = zeros(d, d), S + k[t].T @ v[t], q[t] @ S / i)", "1, 55",
                           "t + 1 is the place of the token", "[4, 8]"},
                    Broken{"z = softmax(q @ k.T + (j > i) * -inf)", "1, 31", "where(j <= i, scores, -inf)",
                           "a product with -inf"},
                    Broken{"z = softmax(q @ k.T + float('-inf') * (1 - (j <= i)))", "1, 37",
                           "where(j <= i, scores, -inf)", "a product with -inf"}));

INSTANTIATE_TEST_SUITE_P(
    OfOtherLibraries, BrokenLine,
    testing::Values(
        Broken{"z = q * rsqrt(d)", "1, 9", "1 / sqrt(x)", R"("rsqrt")"},
        Broken{"z = q * rsqrt[d]", "1, 9", "1 / sqrt(x)", R"("rsqrt")"},
        Broken{"z = q @ k.T + randn[n, m]", "1, 15", "a parameter, such as W[n, m]", R"("randn")"},
        Broken{"z = q + round[2.5]", "1, 9", "floor(x + 0.5)", R"("round")"},
        Broken{"z = log2(exp(q))", "1, 5", "log(x) / log(2)", R"("log2")"},
        Broken{"z = np.log10(exp(q))", "1, 8", "log(x) / log(10)", R"("log10")"},
        Broken{"z = ln(exp(q))", "1, 5", "log(x), the natural logarithm", R"("ln")"},
        Broken{"z = tan(q)", "1, 5", "sin(x) / cos(x)", R"("tan")"},
        Broken{"z = torch.sinh(q)", "1, 11", "(exp(x) - exp(-x)) / 2", R"("sinh")"},
        Broken{"z = torch.sgn(q)", "1, 11", "sign(x)", R"("sgn")"},
        Broken{"z = q.square()", "1, 7", "x ** 2", R"("square")"},
        Broken{"z = F.leaky_relu(q)", "1, 7", "maximum(x, 0.01 * x)", R"("leaky_relu")"},
        Broken{"z = torch.ceil(q)", "1, 11", "-floor(-x)", R"("ceil")"},
        Broken{"z = expm1(q)", "1, 5", "exp(x) - 1", R"("expm1")"},
        Broken{"z = torch.stack([q, k])", "1, 11", "concat([a, b], axis=-2)", R"("stack")"},
        Broken{"z = np.hstack([q, k])", "1, 8", "concat([a, b]), side by side", R"("hstack")"},
        Broken{"z = q.std()", "1, 7", "sum((x - mean(x)) ** 2) / (d - 1)) as in PyTorch", R"("std")"},
        Broken{"z = torch.norm(q, 1)", "1, 11", "norm(x)", "2 values"},
        Broken{"z = F.normalize(q, p=2, dim=-1)", "1, 22", "the length of each row, which is p = 2",
               R"("p =")"},
        Broken{"z = cumsum(q, reverse=True)", "1, 23", "sum(x) - cumsum(x) + x", R"("reverse =")"},
        Broken{"z = softmax(q, blocks=2)", "1, 23", "leave the rest out", R"("blocks =")"},
        Broken{"z = F.gelu(q, approximate='tanh')", "1, 15", "which is by tanh", R"("approximate =")"},
        Broken{"z = F.layer_norm(q, (d,))", "1, 21", "layer_norm(x) * g[d] + b[d]", R"("(")"},
        Broken{"z = q.detach()", "1, 7", "leave this out", R"("detach")"},
        Broken{"z = e ** q", "1, 5", R"(exp(x), for "e ** x")", R"("e")"},
        Broken{"z = where(True, q, 0)", "1, 11", "1; a condition that always holds", R"("True")"},
        Broken{"z = where(j <= i, q @ k.T, None)", "1, 28", "in an index alone", R"("None")"}));

INSTANTIATE_TEST_SUITE_P(
    LinesThatGoOn, BrokenLine,
    testing::Values(Broken{"z = q @ k.T\n  + 2", "2, 3", "an open bracket in the line above",
                           R"("+" at the beginning of a line)"},
                    Broken{"z = q @ k.T\n- 2", "2, 1", "an open bracket in the line above",
                           R"("-" at the beginning of a line)"},
                    Broken{"z = q\n  .sum()", "2, 3", "an open bracket in the line above",
                           R"("." at the beginning of a line)"},
                    Broken{"z = j <= i\n  and i - j < 3", "2, 3", "an open bracket in the line above",
                           R"("and" at the beginning of a line)"},
                    Broken{"repeat 2:\n  z = q\n  * 2", "3, 3", "an open bracket in the line above",
                           R"("*" at the beginning of a line)"},
                    Broken{"z = q @ k.T +\n  2", "1, 14", "only within an open bracket",
                           "the end of the line"},
                    Broken{"// the scores", "1, 1", R"("#" before a comment)", R"("//")"},
                    Broken{"z = q\n% größer", "2, 1", R"("#" before a comment)", R"("%")"},
                    Broken{R"("""the scores""")", "1, 1", R"("#" before a comment)", R"(""")"},
                    Broken{R"(\begin{align})", "1, 1", R"(without "\begin")", R"("\begin")"}));

}  // namespace

}  // namespace headlight::formula_errors_test
