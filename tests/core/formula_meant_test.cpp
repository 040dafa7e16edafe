// What broken lines of formulas were probably meant to be, said with the error.

#include "tests/support/broken_formulas.h"

namespace headlight::formula_meant_test {

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
        Meant{"+ 2", ""}, Meant{"@ v", ""}, Meant{"phi(x) = elu(x) + 1", ""},
        Meant{"weights = nn.Softmax(dim=-1)(q @ k.T)", ""}, Meant{"W[d, d]", ""}, Meant{"```", ""},
        Meant{"weights = softmax(where(i - j in [0, 1, 2], q @ k.T, -inf))", ""},
        Meant{"scores = q @ W[d by d] @ k.T", ""},
        Meant{"scores = q @ W[d x d] @ k.T", "scores = q @ W[d, d] @ k.T"}));

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
                    Meant{"weights = softmax(q @ k.T where j <= i)", ""},
                    Meant{"weights = softmax(-||q - k||)", ""}));

}  // namespace

}  // namespace headlight::formula_meant_test
