// Invariant 41: the derivatives of the normalisers, in the literature's closed forms and as PyTorch
// differentiated them (tests/support/pytorch_catalogue/normalizers.py), are those that differences of the
// engine's own weights have.

#include "tests/support/normalizer_rows.h"

#include <set>

namespace headlight::invariants_normalizers_gradients_test {

using namespace test;

namespace {

using Vector = std::vector<double>;
/// d weight_j / d score_k from the weights of the row and its scores, [j][k].
using Jacobian = std::function<double(const Vector& p, const Vector& s, std::size_t j, std::size_t k)>;

double delta(std::size_t j, std::size_t k) { return j == k ? 1 : 0; }

/// diag(u) - u u^T / sum(u) with u_j = p_j^(2 - alpha) on the support (Peters et al. 2019, proposition 2).
Jacobian entmax_jacobian(double alpha) {
    return [=](const Vector& p, const Vector&, std::size_t j, std::size_t k) {
        const auto u = [&](std::size_t i) { return p[i] > 0 ? std::pow(p[i], 2 - alpha) : 0; };
        double sum = 0;
        for (std::size_t i = 0; i < p.size(); ++i)
            sum += u(i);
        return u(j) * delta(j, k) - u(j) * u(k) / sum;
    };
}

struct Case {
    std::string name;
    std::string type;
    std::string options;
    Jacobian jacobian;
};
void PrintTo(const Case& each, std::ostream* out) { *out << each.name; }

std::vector<Case> cases() {
    const Jacobian softmax = [](const Vector& p, const Vector&, std::size_t j, std::size_t k) {
        return p[j] * (delta(j, k) - p[k]);
    };
    const Jacobian sparsemax = [](const Vector& p, const Vector&, std::size_t j, std::size_t k) {
        const auto size = static_cast<double>(std::ranges::count_if(p, [](double x) { return x > 0; }));
        return p[j] > 0 && p[k] > 0 ? delta(j, k) - 1 / size : 0;
    };
    return {
        {"softmax", "softmax", "", softmax},
        {"softmax_at_two", "softmax", R"("temperature": 2)",
         [=](const Vector& p, const Vector& s, std::size_t j, std::size_t k) {
             return softmax(p, s, j, k) / 2;
         }},
        {"off_by_one", "off_by_one", "", softmax},  // the same formula: the missing key only holds its share
        {"sink", "sink", R"("logit": 1)", softmax},
        {"length_scaled", "length_scaled", R"("strength": 0.5)",
         [=](const Vector& p, const Vector& s, std::size_t j, std::size_t k) {
             return 0.5 * std::log(static_cast<double>(s.size())) * softmax(p, s, j, k);
         }},
        {"sparsemax", "sparsemax", "", sparsemax},
        {"entmax_1_5", "entmax", "", entmax_jacobian(1.5)},
        {"entmax_1_25", "entmax", R"("alpha": 1.25)", entmax_jacobian(1.25)},
        {"entmax_3", "entmax", R"("alpha": 3)", entmax_jacobian(3)},
        {"budget", "budget", R"("budget": 1.4)",
         [](const Vector& p, const Vector&, std::size_t j, std::size_t k) {
             const auto is_free = [&](std::size_t i) { return p[i] > 0 && p[i] < 1; };
             double count = 0;
             for (std::size_t i = 0; i < p.size(); ++i)
                 count += is_free(i) ? 1 : 0;
             return is_free(j) && is_free(k) ? delta(j, k) - 1 / count : 0;
         }},
        {"sigmoid", "sigmoid", R"("bias": -0.3)",
         [](const Vector& p, const Vector&, std::size_t j, std::size_t k) {
             return delta(j, k) * p[j] * (1 - p[j]);
         }},
        {"relu_squared", "relu", R"("power": "2")",
         [](const Vector&, const Vector& s, std::size_t j, std::size_t k) {
             return delta(j, k) * 2 * std::max(s[j], 0.0) / static_cast<double>(s.size());
         }},
        // Whatever the noise, it is added to the scores.
        {"gumbel_at_a_half", "gumbel", R"("temperature": 0.5)",
         [=](const Vector& p, const Vector& s, std::size_t j, std::size_t k) {
             return softmax(p, s, j, k) / 0.5;
         }},
        // With no weight dropped it is the softmax.
        {"dropout_of_nothing", "dropout", R"("rate": 0)",
         [=](const Vector& p, const Vector& s, std::size_t j, std::size_t k) { return softmax(p, s, j, k); }},
        {"signed_softmax", "signed_softmax", "",
         [](const Vector& p, const Vector& s, std::size_t j, std::size_t k) {
             const double sign = s[k] < 0 ? -1 : 1;  // d|s_k|; p = sign softmax(|s|)
             return sign * p[j] * (delta(j, k) - std::abs(p[k]));
         }},
        // b_j = sigma(s_j): a weight has 1 - b_j for its own score, -b_k for each key k after it.
        {"stick_breaking", "stick_breaking", "",
         [](const Vector& p, const Vector& s, std::size_t j, std::size_t k) {
             const double b = 1 / (1 + std::exp(-s[k]));
             return j == k ? p[j] * (1 - b) : j < k ? -p[j] * b : 0;
         }},
    };
}

class Invariant41Literature : public testing::TestWithParam<Case> {};

TEST_P(Invariant41Literature, JacobianIsThatOfDifferences) {
    constexpr double step = 1e-5;
    const Case& each = GetParam();
    const Vector s{0.3, -0.9, 1.1, 0.83, -0.2, 0.6};
    const Vector p = normalized(each.type, s, each.options);
    for (std::size_t k = 0; k < s.size(); ++k) {
        Vector up = s, down = s;
        up[k] += step;
        down[k] -= step;
        const Vector above = normalized(each.type, up, each.options);
        const Vector below = normalized(each.type, down, each.options);
        for (std::size_t j = 0; j < s.size(); ++j)
            EXPECT_NEAR((above[j] - below[j]) / (2 * step), each.jacobian(p, s, j, k), 1e-7)
                << "weight " << j << " by score " << k;
    }
}

INSTANTIATE_TEST_SUITE_P(Normalizers, Invariant41Literature, testing::ValuesIn(cases()),
                         [](const auto& row) { return row.param.name; });

const Json& differentiated() {
    static const Json file =
        read_json(HEADLIGHT_SOURCE_DIR "/tests/support/pytorch_catalogue/golden/normalizers.json");
    return file["jacobians"];
}

class Invariant41Autograd : public testing::TestWithParam<std::size_t> {};

// Some normalisers couple the rows of a map: every weight by every score of the map.
TEST_P(Invariant41Autograd, DifferencesAreTheDerivatives) {
    constexpr double step = 1e-5;
    const Json& row = differentiated()[GetParam()];
    AttentionSpec spec = normalized_by("softmax");
    spec.normalizer = spec_from_json({{"normalizer", row["normalizer"]}}).normalizer;
    const Tensor scores = tensor(row["scores"]);
    const auto weights = [&](std::size_t moved, double by) {
        Inputs inputs{.query = scores, .key = identity(scores.cols()), .value = identity(scores.cols())};
        inputs.query[static_cast<Index>(moved)] += by;
        return run(spec, inputs).weights;
    };
    const auto size = static_cast<std::size_t>(scores.size());
    const Vector expected = flat(row["jacobian"]);  // [weight, score]
    for (std::size_t k = 0; k < size; ++k) {
        const Vector above = weights(k, step), below = weights(k, -step);
        for (std::size_t j = 0; j < size; ++j)
            EXPECT_NEAR((above[j] - below[j]) / (2 * step), expected[j * size + k], 1e-7)
                << "weight " << j << " by score " << k;
    }
}

INSTANTIATE_TEST_SUITE_P(Normalizers, Invariant41Autograd,
                         testing::Range(std::size_t(0), differentiated().size()), [](const auto& index) {
                             return differentiated()[index.param]["name"].template get<std::string>();
                         });

TEST(Invariant41, IsTriedOnEveryNormalizerWithADerivative) {
    std::set<std::string> tried{"hard"};  // one-hot: no derivative
    for (const Case& each : cases())
        tried.insert(each.type);
    for (const Json& row : differentiated())
        tried.insert(row["normalizer"]["type"]);
    for (const std::string& type : every_normalizer())
        EXPECT_TRUE(tried.contains(type)) << type;
}

}  // namespace

}  // namespace headlight::invariants_normalizers_gradients_test
