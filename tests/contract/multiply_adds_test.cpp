// What run_cost() says of scores and algorithms, against formulas that count their multiplications as they go
// and give the engine's numbers.

#include "core/analysis/run_cost.h"
#include "core/attention/component.h"
#include "core/attention/trace_program.h"
#include "core/graph/graph_cost.h"
#include "tests/support/counted_formulas.h"

#include <map>
#include <numeric>
#include <set>

namespace headlight::multiply_adds_test {

using namespace test;

namespace {

/// Lengths, single factors of a pair and the like may be counted or not.
constexpr double tolerance = 0.05;

using Formula = std::function<std::vector<double>(CountedFormulas&)>;

double activated(const Plan& plan, double x) {
    return plan.spec.score.activation == Activation::tanh ? std::tanh(x) : std::max(x, 0.0);
}

/// v . act(left_i + right_j + more(i, j))
std::vector<double> energies(CountedFormulas& f, const Tensor& left, const Tensor& right,
                             std::span<const double> v, const std::function<double(double)>& act,
                             const std::function<double(Index, Index, Index)>& more = {}) {
    const Tensor* b = f.plan().spec.score.bias ? &f.parameter("b") : nullptr;
    return f.of_pairs([&](Index i, Index j) {
        double sum = 0;
        for (Index a = 0; a < left.cols(); ++a)
            sum += f.times(v[static_cast<std::size_t>(a)],
                           act(left(i, a) + right(j, a) + (b ? (*b)[a] : 0) + (more ? more(i, j, a) : 0)));
        return sum;
    });
}

std::vector<double> additive(CountedFormulas& f,
                             const std::function<double(Index, Index, Index)>& more = {}) {
    return energies(
        f, f.product(f.matrix("query"), f.parameter("W_1")), f.product(f.matrix("key"), f.parameter("W_2")),
        f.parameter("v").values(), [&](double x) { return activated(f.plan(), x); }, more);
}

std::vector<double> dots(CountedFormulas& f, const Tensor& q, const Tensor& k) {
    return f.of_pairs([&](Index i, Index j) { return f.dot(q.row(i), k.row(j)); });
}
std::vector<double> dots(CountedFormulas& f) { return dots(f, f.matrix("query"), f.matrix("key")); }

/// w_q . q_i + w_k . k_j + b + more(i, j)
std::vector<double> linear(CountedFormulas& f, const std::function<double(double, Index, Index)>& more) {
    const auto w = f.parameter("w").values();
    const Tensor q = f.matrix("query"), k = f.matrix("key");
    const auto d = static_cast<std::size_t>(q.cols());
    std::vector<double> of_query, of_key;
    for (Index i = 0; i < q.rows(); ++i)
        of_query.push_back(f.dot(q.row(i), w.first(d)) + (f.plan().spec.score.bias ? f.number("b") : 0));
    for (Index j = 0; j < k.rows(); ++j)
        of_key.push_back(f.dot(k.row(j), w.subspan(d, d)));
    return f.of_pairs([&](Index i, Index j) {
        return more(of_query[static_cast<std::size_t>(i)] + of_key[static_cast<std::size_t>(j)], i, j);
    });
}

std::vector<double> distances(CountedFormulas& f) {
    const Tensor q = f.matrix("query"), k = f.matrix("key");
    return f.of_pairs([&](Index i, Index j) {
        double sum = 0;
        for (Index c = 0; c < q.cols(); ++c)
            sum -= f.times(q(i, c) - k(j, c), q(i, c) - k(j, c));
        return sum;
    });
}

/// Each difference counts as a product does: it takes as many steps.
std::vector<double> amounts(CountedFormulas& f) {
    const Tensor q = f.matrix("query"), k = f.matrix("key");
    return f.of_pairs([&](Index i, Index j) {
        double sum = 0;
        for (Index c = 0; c < q.cols(); ++c)
            sum -= f.times(1, std::abs(q(i, c) - k(j, c)));
        return sum;
    });
}

/// Lengths and what is done to a sum are not counted.
std::vector<double> hyperbolic(CountedFormulas& f) {
    const Tensor q = f.matrix("query"), k = f.matrix("key");
    const auto length = [](std::span<const double> x) {
        return std::sqrt(std::inner_product(x.begin(), x.end(), x.begin(), 0.0));
    };
    return f.of_pairs([&](Index i, Index j) {
        const double a = length(q.row(i)), b = length(k.row(j));
        double chord = 0;
        for (Index c = 0; c < q.cols(); ++c)
            chord += f.times(q(i, c) / a - k(j, c) / b, q(i, c) / a - k(j, c) / b);
        return -std::acosh(std::cosh(a - b) + std::sinh(a) * std::sinh(b) * chord / 2);
    });
}

/// Each bell of a pair counts once.
std::vector<double> gaussian_window(CountedFormulas& f) {
    const Tensor said = f.product(f.matrix("query"), f.parameter("W_window"));
    const Index bells = said.cols() / 3;
    Tensor centres({said.rows(), bells});
    for (Index i = 0; i < said.rows(); ++i)
        for (Index k = 0; k < bells; ++k)
            centres(i, k) = (i > 0 ? centres(i - 1, k) : 0) + std::exp(said(i, 2 * bells + k));
    return f.of_pairs([&](Index i, Index j) {
        double sum = 0;
        for (Index k = 0; k < bells; ++k) {
            const double away = centres(i, k) - static_cast<double>(j + 1);
            sum += f.times(std::exp(said(i, k)), std::exp(-std::exp(said(i, bells + k)) * away * away));
        }
        return sum;
    });
}

std::vector<double> elementwise(CountedFormulas& f, std::span<const double> v, double scale) {
    const Tensor q = f.matrix("query"), k = f.matrix("key");
    return f.of_pairs([&](Index i, Index j) {
        double sum = 0;
        for (Index c = 0; c < q.cols(); ++c)
            sum += f.times(v.empty() ? 1 : v[static_cast<std::size_t>(c)],
                           activated(f.plan(), scale * (q(i, c) + k(j, c))));
        return sum;
    });
}

/// Each score with what its stage `scores` must be.
const std::map<std::string, Formula>& scores() {
    static const std::map<std::string, Formula> all{
        {"dot", [](auto& f) { return dots(f); }},
        {"scaled_dot", [](auto& f) { return dots(f); }},
        {"learned_scale", [](auto& f) { return dots(f); }},
        {"self_similarity", [](auto& f) { return dots(f); }},
        {"general",
         [](auto& f) { return dots(f, f.product(f.matrix("query"), f.parameter("W")), f.matrix("key")); }},
        {"concat",
         [](auto& f) {
             const Tensor& W = f.parameter("W");
             const Index d = f.plan().head_query_width();
             std::vector<Index> upper, lower;
             for (Index r = 0; r < W.rows(); ++r)
                 (r < d ? upper : lower).push_back(r);
             return energies(f, f.product(f.matrix("query"), rows_of(W, upper)),
                             f.product(f.matrix("key"), rows_of(W, lower)), f.parameter("v").values(),
                             [&](double x) { return activated(f.plan(), x); });
         }},
        {"additive", [](auto& f) { return additive(f); }},
        {"normalized_additive",
         [](auto& f) {
             const Tensor v = f.directions(as_matrix(f.parameter("v")));
             return energies(f, f.product(f.matrix("query"), f.parameter("W_1")),
                             f.product(f.matrix("key"), f.parameter("W_2")), v.values(),
                             [&](double x) { return activated(f.plan(), x); });
         }},
        {"dynamic_graph",
         [](auto& f) {
             const double slope = f.plan().spec.score.options.number("slope");
             return energies(f, f.product(f.matrix("query"), f.parameter("W_1")),
                             f.product(f.matrix("key"), f.parameter("W_2")), f.parameter("v").values(),
                             [&](double x) { return x > 0 ? x : slope * x; });
         }},
        {"coverage",
         [](auto& f) {
             const Tensor seen = f.matrix("coverage");
             return additive(
                 f, [&](Index i, Index j, Index a) { return f.times(seen(i, j), f.parameter("w_c")[a]); });
         }},
        {"location_aware",
         [](auto& f) {
             const Tensor before = f.matrix("previous_weights");
             const Tensor &F = f.parameter("F"), &U = f.parameter("U");
             const Index centre = (F.cols() - 1) / 2;
             std::vector<Tensor> found;
             for (Index i = 0; i < before.rows(); ++i) {
                 Tensor features({before.cols(), F.rows()});
                 for (Index j = 0; j < before.cols(); ++j)
                     for (Index r = 0; r < F.rows(); ++r)
                         for (Index t = 0; t < F.cols(); ++t) {
                             const Index at = j + t - centre;
                             const bool is_inside = at >= 0 && at < before.cols();
                             features(j, r) += f.times(F(r, t), is_inside ? before(i, at) : 0);
                         }
                 found.push_back(f.product(features, U));
             }
             return additive(
                 f, [&](Index i, Index j, Index a) { return found[static_cast<std::size_t>(i)](j, a); });
         }},
        {"cosine",
         [](auto& f) { return dots(f, f.directions(f.matrix("query")), f.directions(f.matrix("key"))); }},
        {"scaled_cosine",
         [](auto& f) { return dots(f, f.directions(f.matrix("query")), f.directions(f.matrix("key"))); }},
        {"gaussian", [](auto& f) { return distances(f); }},
        {"euclidean", [](auto& f) { return distances(f); }},
        {"manhattan", [](auto& f) { return amounts(f); }},
        {"dimension_scale",
         [](auto& f) {
             Tensor q = f.matrix("query");
             for (Index i = 0; i < q.rows(); ++i)
                 for (Index c = 0; c < q.cols(); ++c)
                     q(i, c) *= std::log1p(std::exp(f.parameter("w_dimension")[c])) / std::log(2.0);
             return dots(f, q, f.matrix("key"));
         }},
        {"hyperbolic", [](auto& f) { return hyperbolic(f); }},
        {"bilinear_pooling",
         [](auto& f) {
             const auto factors = [&](const char* vectors, const char* matrix) {
                 Tensor x = f.product(f.matrix(vectors), f.parameter(matrix));
                 for (double& each : x.values())
                     each = activated(f.plan(), each);
                 return x;
             };
             Tensor q = factors("query", "W_1");
             for (Index i = 0; i < q.rows(); ++i)
                 for (Index a = 0; a < q.cols(); ++a)
                     q(i, a) *= f.parameter("v")[a];
             return dots(f, q, factors("key", "W_2"));
         }},
        {"gaussian_window", [](auto& f) { return gaussian_window(f); }},
        {"linear", [](auto& f) { return linear(f, [](double sum, Index, Index) { return sum; }); }},
        {"graph",
         [](auto& f) {
             const double slope = f.plan().spec.score.options.number("slope");
             return linear(f, [&](double sum, Index, Index) { return sum > 0 ? sum : slope * sum; });
         }},
        {"trilinear",
         [](auto& f) {
             Tensor q = f.matrix("query");
             const Tensor k = f.matrix("key");
             for (Index i = 0; i < q.rows(); ++i)
                 for (Index c = 0; c < q.cols(); ++c)
                     q(i, c) = f.times(q(i, c), f.parameter("w")[2 * q.cols() + c]);
             return linear(f, [&](double sum, Index i, Index j) { return sum + f.dot(q.row(i), k.row(j)); });
         }},
        {"elementwise_additive", [](auto& f) { return elementwise(f, f.parameter("v").values(), 1); }},
        {"elementwise_concat", [](auto& f) { return elementwise(f, {}, f.number("s")); }},
        {"location", [](auto& f) { return dots(f, f.matrix("query"), transposed(f.parameter("W_slots"))); }},
        {"dense_synthesizer",
         [](auto& f) {
             Tensor hidden = f.product(f.matrix("query"), f.parameter("W_1"));
             for (Index i = 0; i < hidden.rows(); ++i)
                 for (Index a = 0; a < hidden.cols(); ++a)
                     hidden(i, a) =
                         std::max(0.0, hidden(i, a) + (f.plan().spec.score.bias ? f.parameter("b")[a] : 0));
             return dots(f, hidden, transposed(f.parameter("W_slots")));
         }},
        {"random_synthesizer",
         [](auto& f) { return f.of_pairs([&](Index i, Index j) { return f.parameter("R")(i, j); }); }},
        {"multi_token",
         [](auto& f) {
             const Tensor q = f.matrix("query"), k = f.matrix("key"), &theta = f.parameter("theta");
             const double scale = 1 / std::sqrt(static_cast<double>(q.cols()));
             Tensor tokens({q.rows(), k.rows()},
                           f.of_pairs([&](Index i, Index j) { return scale * f.dot(q.row(i), k.row(j)); }));
             return f.of_pairs([&](Index i, Index j) {
                 double sum = 0;
                 for (Index a = 0; a < theta.rows(); ++a)
                     for (Index b = 0; b < theta.cols(); ++b) {
                         const Index key = j + theta.cols() / 2 - b;
                         const bool is_inside = i >= a && key >= 0 && key < k.rows();
                         sum += f.times(theta(a, b), is_inside ? tokens(i - a, key) : 0);
                     }
                 return sum;
             });
         }},
        {"selective",
         [](auto& f) {
             const Tensor q = f.matrix("query"), k = f.matrix("key"), erased = f.matrix("erased");
             const double scale = 1 / std::sqrt(static_cast<double>(q.cols()));
             return f.of_pairs(
                 [&](Index i, Index j) { return scale * f.dot(q.row(i), k.row(j)) - erased(i, j); });
         }},
        {"mlp",
         [](auto& f) {
             const Tensor q = f.matrix("query"), k = f.matrix("key"), &W = f.parameter("W"),
                          &v = f.parameter("v");
             const Index d = q.cols(), d_a = W.cols();
             const auto part = [&](Index first, double sign, Index other) {  // (q - k) W is q W - k W
                 Tensor rows({d, d_a});
                 for (Index r = 0; r < d; ++r)
                     for (Index a = 0; a < d_a; ++a)
                         rows(r, a) = W(first + r, a) + sign * W(other + r, a);
                 return rows;
             };
             Tensor both({q.rows() * k.rows(), d});
             for (Index query = 0, pair = 0; query < q.rows(); ++query)
                 for (Index key = 0; key < k.rows(); ++key, ++pair)
                     for (Index c = 0; c < d; ++c)
                         both(pair, c) = f.times(q(query, c), k(key, c));
             const Tensor left = f.product(q, part(0, 1, 2 * d)), right = f.product(k, part(d, -1, 2 * d));
             return energies(
                 f, left, right, v.values(), [&](double x) { return activated(f.plan(), x); },
                 [&](Index i, Index j, Index a) {
                     double sum = 0;
                     for (Index c = 0; c < d; ++c)
                         sum += f.times(both(i * k.rows() + j, c), W(3 * d + c, a));
                     return sum;
                 });
         }},
    };
    return all;
}

Inputs sequences(bool is_self) {
    RandomEngine random(5);
    Inputs inputs{.query = random_tensor({9, 6}, random)};
    if (!is_self) {
        inputs.key = random_tensor({9, 6}, random);
        inputs.value = random_tensor({9, 6}, random);
    }
    return inputs;
}

class CountedScore : public testing::TestWithParam<std::string> {};

TEST_P(CountedScore, TakesWhatRunCostSays) {
    const bool is_self = GetParam() == "self_similarity" || GetParam() == "selective";
    AttentionSpec each = spec(R"({"source": {"type": ")" + std::string(is_self ? "self" : "cross") +
                              R"("}, "score": {"type": ")" + GetParam() + R"("}})");
    if (GetParam() == "mlp")
        each.score.options["layers"] = Index(1);
    const auto plan = planned(each, sequences(is_self));
    CountedFormulas formulas(plan);
    EXPECT_TRUE(near(scores().at(GetParam())(formulas), formulas.numbers("scores"), 1e-12));
    const double of_values = static_cast<double>(plan->allowed.count() * plan->head_value_width());
    const double counted = formulas.count + of_values;
    EXPECT_NEAR(run_cost(*plan).multiply_adds, counted, tolerance * counted);
}

std::vector<std::string> names(const std::map<std::string, Formula>& formulas) {
    std::vector<std::string> list;
    list.reserve(formulas.size());
    for (const auto& [name, formula] : formulas)
        list.push_back(name);
    return list;
}

INSTANTIATE_TEST_SUITE_P(Scores, CountedScore, testing::ValuesIn(names(scores())),
                         [](const auto& row) { return row.param; });

bool counts_by_hand(const ScoreComponent& score) { return score.steps || score.multiply_adds; }

TEST(CountedScores, AreAllThatCountByHand) {
    for (const ScoreComponent& component : score_components())
        EXPECT_TRUE(scores().contains(component.word) || !counts_by_hand(component)) << component.word;
}

/// So one that is added as a definition needs no formula above: what it takes are the products of its
/// program.
TEST(CountedScores, OfADefinitionTakeWhatItsProgramTakes) {
    for (const ScoreComponent& component : score_components()) {
        if (counts_by_hand(component))
            continue;
        AttentionSpec each = spec(R"({"source": {"type": "cross"}})");
        each.score.type = component.type;
        const auto plan = planned(each, sequences(false));
        const double counted = multiply_adds_of(outline_of(*plan));
        EXPECT_NEAR(run_cost(*plan).multiply_adds, counted, tolerance * counted) << component.word;
    }
}

Tensor column(const std::vector<double>& numbers) { return Tensor({std::ssize(numbers), 1}, numbers); }

Tensor features(CountedFormulas& f, const std::string& vectors, const std::function<double(double)>& change) {
    Tensor x = f.matrix(vectors);
    for (double& each : x.values())
        each = change(each);
    return x;
}

/// A token's vector times a parameter: the numbers are the engine's, the products are counted.
void project(CountedFormulas& f, const std::string& parameter) {
    f.product(f.plan().inputs.key_tokens(), f.parameter(parameter));
}

/// All products of two entries.
Tensor squares(CountedFormulas& f, const Tensor& x, double scale, const std::vector<double>& ahead) {
    Tensor result({x.rows(), std::ssize(ahead) + (ahead.empty() ? 0 : x.cols()) + x.cols() * x.cols()});
    for (Index t = 0; t < x.rows(); ++t) {
        Index at = 0;
        for (const double number : ahead)
            result(t, at++) = number;
        for (Index c = 0; !ahead.empty() && c < x.cols(); ++c)
            result(t, at++) = x(t, c);
        for (Index a = 0; a < x.cols(); ++a)
            for (Index b = 0; b < x.cols(); ++b)
                result(t, at++) = scale * f.times(x(t, a), x(t, b));
    }
    return result;
}

Tensor scaled(CountedFormulas& f, double power) {
    const double width = static_cast<double>(f.plan().head_query_width());
    return features(f, "query", [&](double x) { return x * std::pow(width, power); });
}

/// Each mixer with what the stage `output` must be.
const std::map<std::string, Formula>& mixers() {
    static const std::map<std::string, Formula> all{
        {"linear",
         [](auto& f) {
             const auto phi = [](double x) { return x > 0 ? x + 1 : std::exp(x); };
             return f.mixed({.query = features(f, "query", phi),
                             .key = features(f, "key", phi),
                             .value = f.matrix("value"),
                             .divides = true});
         }},
        {"based",
         [](auto& f) {
             const double shrink = std::pow(static_cast<double>(f.plan().head_query_width()), -0.25);
             const auto change = [&](double x) { return x * shrink; };
             const double root = 1 / std::sqrt(2.0);
             return f.mixed({.query = squares(f, features(f, "query", change), root, {1}),
                             .key = squares(f, features(f, "key", change), root, {1}),
                             .value = f.matrix("value"),
                             .divides = true});
         }},
        {"rebased",  // gamma 1, beta 0
         [](auto& f) {
             return f.mixed({.query = squares(f, f.matrix("query"), 1, {}),
                             .key = squares(f, f.matrix("key"), 1, {}),
                             .value = f.matrix("value"),
                             .divides = true});
         }},
        {"cosformer",
         [](auto& f) {
             const Tensor key = f.matrix("key_features");
             f.count +=
                 static_cast<double>((f.plan().queries + key.rows()) * key.cols());  // relu(x) cos, sin
             return f.mixed({.query = f.matrix("query_features"),
                             .key = key,
                             .value = f.matrix("value"),
                             .divides = true});
         }},
        {"performer",
         [](auto& f) {
             const double r = static_cast<double>(f.matrix("key_features").cols());
             const double tokens = static_cast<double>(f.plan().queries + f.plan().keys);
             f.count += tokens * r * static_cast<double>(f.plan().head_query_width());  // w . x
             // The running maximum of the keys' exponents acts as a gate; here it is told by the sums.
             return f.mixed({.query = f.matrix("query_features"),
                             .key = f.matrix("key_features"),
                             .value = f.matrix("value"),
                             .gates = column(std::vector<double>(static_cast<std::size_t>(f.plan().keys), 1)),
                             .divides = true});
         }},
        {"retention",
         [](auto& f) {
             return f.mixed({.query = scaled(f, -0.5),
                             .key = f.matrix("key"),
                             .value = f.matrix("value"),
                             .gates = column(f.numbers("gates"))});
         }},
        {"gated_linear",
         [](auto& f) {
             project(f, "W_alpha");
             return f.mixed({.query = scaled(f, -0.5),
                             .key = f.matrix("key"),
                             .value = f.matrix("value"),
                             .gates = f.matrix("gates")});
         }},
        {"state_space",
         [](auto& f) {
             project(f, "W_dt");
             return f.mixed({.query = f.matrix("query"),
                             .key = f.matrix("key"),
                             .value = f.matrix("value"),
                             .gates = column(f.numbers("gates")),
                             .strengths = column(f.numbers("write_strengths"))});
         }},
        {"delta",
         [](auto& f) {
             project(f, "W_beta");
             return f.mixed({.query = scaled(f, -0.5),
                             .key = f.directions(f.matrix("key")),
                             .value = f.matrix("value"),
                             .strengths = column(f.numbers("write_strengths")),
                             .is_delta = true});
         }},
        {"gated_delta",
         [](auto& f) {
             project(f, "W_beta");
             project(f, "W_dt");
             return f.mixed({.query = scaled(f, -0.5),
                             .key = f.directions(f.matrix("key")),
                             .value = f.matrix("value"),
                             .gates = column(f.numbers("gates")),
                             .strengths = column(f.numbers("write_strengths")),
                             .is_delta = true});
         }},
        {"kimi_delta",
         [](auto& f) {
             project(f, "W_beta");
             project(f, "W_alpha");
             return f.mixed({.query = scaled(f, -0.5),
                             .key = f.directions(f.matrix("key")),
                             .value = f.matrix("value"),
                             .gates = f.matrix("gates"),
                             .strengths = column(f.numbers("write_strengths")),
                             .is_delta = true});
         }},
    };
    return all;
}

class CountedMixer : public testing::TestWithParam<std::string> {};

TEST_P(CountedMixer, TakesWhatRunCostSays) {
    const auto plan =
        planned(spec(R"({"source": {"type": "cross"}, "mask": {"type": "causal"}, "algorithm": {"type": ")" +
                     GetParam() + R"("}})"),
                sequences(false));
    CountedFormulas formulas(plan);
    const std::vector<double> output = mixers().at(GetParam())(formulas);
    if (GetParam() != "performer") {  // its features carry the running maximum
        EXPECT_TRUE(near(output, formulas.numbers("output"), 1e-11));
    }
    EXPECT_NEAR(run_cost(*plan).multiply_adds, formulas.count, tolerance * formulas.count);
}

INSTANTIATE_TEST_SUITE_P(Mixers, CountedMixer, testing::ValuesIn(names(mixers())),
                         [](const auto& row) { return row.param; });

/// A composed algorithm adds to the parts of the spec, which its program has as well.
TEST(RunCost, CountsThePartsBesideADefinitionOnce) {
    const auto plan = planned(spec(R"({"algorithm": {"type": "co_attention"}})"), sequences(true));
    const double counted = multiply_adds_of(outline_of(*plan));
    EXPECT_NEAR(run_cost(*plan).multiply_adds, counted, 1e-9 * counted);
}

/// What a person counts by hand (11 tokens of 3 numbers): the energies of every pair, and both sides once.
TEST(RunCost, CountsTheSidesOfAdditiveScores) {
    Inputs inputs{.query = Tensor({11, 3}, 0.5)};
    EXPECT_EQ(run_cost(*planned(spec(R"({"score": {"type": "additive"}})"), inputs)).multiply_adds, 924);
}

}  // namespace

}  // namespace headlight::multiply_adds_test
