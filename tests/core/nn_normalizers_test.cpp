// The normalisers on the tape: weights as the engine has them, gradients as differences have them.

#include "core/attention/component.h"
#include "core/nn/normalize.h"
#include "core/tensor/parallel.h"
#include "core/tensor/random.h"
#include "core/tensor/sanitizers.h"
#include "tests/support/differences.h"
#include "tests/support/long_tests.h"

#include <set>

namespace headlight::nn_normalizers_test {

using namespace nn;
using namespace test;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::uint64_t seed = 5;

struct Case {
    std::string name;
    std::string normalizer;  ///< JSON
};
void PrintTo(const Case& each, std::ostream* out) { *out << each.name; }

const std::vector<Case>& cases() {
    static const std::vector<Case> all{
        {"softmax", R"({"type": "softmax"})"},
        {"softmax_at_two", R"({"type": "softmax", "temperature": 2})"},
        {"length_scaled", R"({"type": "length_scaled", "strength": 0.7, "temperature": 1.5})"},
        {"length_scaled_learned", R"({"type": "length_scaled", "strength": 0, "temperature": 1.5})"},
        {"off_by_one", R"({"type": "off_by_one", "temperature": 0.7})"},
        {"sink", R"({"type": "sink", "logit": 0.4})"},
        {"sink_learned", R"({"type": "sink", "logit": -20, "temperature": 1.3})"},
        {"clipped", R"({"type": "clipped", "low": -0.1, "high": 1.2, "temperature": 0.8})"},
        {"sparsemax", R"({"type": "sparsemax"})"},
        {"sparsemax_at_three", R"({"type": "sparsemax", "temperature": 3})"},
        {"entmax_1", R"({"type": "entmax", "alpha": 1, "temperature": 2})"},
        {"entmax_1_25", R"({"type": "entmax", "alpha": 1.25})"},
        {"entmax_1_5", R"({"type": "entmax", "temperature": 1.5})"},
        {"entmax_2", R"({"type": "entmax", "alpha": 2})"},
        {"entmax_3", R"({"type": "entmax", "alpha": 3, "temperature": 3})"},
        {"budget", R"({"type": "budget", "budget": 1.7, "temperature": 2})"},
        {"budget_for_all", R"({"type": "budget", "budget": 9})"},
        {"normmax", R"({"type": "normmax", "temperature": 2})"},
        {"normmax_1_5", R"({"type": "normmax", "alpha": 1.5})"},
        {"normmax_4", R"({"type": "normmax", "alpha": 4, "temperature": 3})"},
        {"sigmoid", R"({"type": "sigmoid", "temperature": 2})"},
        {"sigmoid_biased", R"({"type": "sigmoid", "bias": -0.3})"},
        {"relu", R"({"type": "relu", "temperature": 2})"},
        {"relu_squared", R"({"type": "relu", "power": "2", "temperature": 2})"},
        {"softpick", R"({"type": "softpick", "temperature": 0.8})"},
        {"gumbel", R"({"type": "gumbel", "temperature": 0.7})"},
        {"monotonic", R"({"type": "monotonic", "bias": -0.5, "temperature": 2})"},
        {"chunkwise", R"({"type": "chunkwise", "width": 2, "bias": -0.4, "temperature": 1.5})"},
        {"chunkwise_of_three", R"({"type": "chunkwise"})"},
        {"chunkwise_all_before", R"({"type": "chunkwise", "width": 0, "bias": -0.4, "temperature": 1.5})"},
        {"stick_breaking", R"({"type": "stick_breaking", "temperature": 0.7})"},
        {"stick_breaking_of_others", R"({"type": "stick_breaking", "own_key": false})"},
        {"sinkhorn", R"({"type": "sinkhorn", "temperature": 0.8})"},
        {"sinkhorn_once", R"({"type": "sinkhorn", "iterations": 1})"},
        {"sinkhorn_twice", R"({"type": "sinkhorn", "iterations": 2})"},
        {"sinkhorn_beside_a_dustbin",
         R"({"type": "sinkhorn", "iterations": 3, "dustbin": true, "bin_score": 0.3, "temperature": 0.8})"},
        {"slot", R"({"type": "slot", "temperature": 1.4})"},
        {"signed_softmax", R"({"type": "signed_softmax", "temperature": 0.7})"},
        {"taylor", R"({"type": "taylor", "temperature": 1.5})"},
        {"taylor_4", R"({"type": "taylor", "degree": "4"})"},
        {"none", R"({"type": "none", "temperature": 2})"},
    };
    return all;
}
/// They choose: there is no derivative, but the same weights.
const std::vector<Case>& hard_cases() {
    static const std::vector<Case> all{
        {"hard", R"({"type": "hard"})"},
        {"hard_sample", R"({"type": "hard", "mode": "sample", "temperature": 2})"},
        {"gumbel_hard", R"({"type": "gumbel", "hard": true})"},
        {"monotonic_hard", R"({"type": "monotonic", "alignment": "hard", "bias": -0.2})"},
        {"chunkwise_hard", R"({"type": "chunkwise", "alignment": "hard"})"},
    };
    return all;
}

Normalizer normalizer_of(const Case& each) {
    return complete_normalizer(spec_from_json({{"normalizer", Json::parse(each.normalizer)}}).normalizer);
}

enum class Masked { none, padding, cells };
struct Shape4 {
    Pairing pairing;
    Masked masked;
};
const std::vector<Shape4>& shapes() {
    static const std::vector<Shape4> all{
        {{.batch = 1, .heads = 1, .queries = 1, .keys = 5}, Masked::none},
        {{.batch = 2, .heads = 2, .queries = 3, .keys = 4}, Masked::padding},
        {{.batch = 3, .heads = 2, .queries = 4, .keys = 6}, Masked::cells},
    };
    return all;
}

/// Returns the pairs of a sequence, [n][m]. Padding leaves nothing of the last sequence; of the cells a query
/// in the middle has none, and a key is seen by nobody.
std::vector<std::vector<bool>> allowed_pairs(const Shape4& shape, Index sequence) {
    const Pairing& p = shape.pairing;
    std::vector<std::vector<bool>> allowed;
    for (Index i = 0; i < p.queries; ++i) {
        allowed.emplace_back();
        for (Index j = 0; j < p.keys; ++j)
            allowed.back().push_back(shape.masked == Masked::none ? true
                                     : shape.masked == Masked::padding
                                         ? j < p.keys - 1 && sequence + 1 < p.batch
                                         : i != 1 && j != 3 && (i + 2 * j + sequence) % 3 != 0);
    }
    return allowed;
}

/// A normaliser with scores and parameters that are the weights of a tape.
struct Setting {
    Setting(const Case& each, const Shape4& given) : shape(given), normalizer(normalizer_of(each)) {
        const Pairing& p = shape.pairing;
        scores = layout.add("scores", p.map_rows(), p.keys);
        learned = add_normalizer(layout, "", normalizer, p.heads);
        weights = random_numbers(layout.size(), 6, 1.2);  // none so near to a kink as a step
    }

    /// 0, or minus infinity where the mask forbids: [b h n, m]
    Variable<double> mask(Tape<double>& tape) const {
        const Pairing& p = shape.pairing;
        const auto mask = tape.constant(p.map_rows(), p.keys);
        for (Index s = 0; s < p.batch; ++s) {
            const auto allowed = allowed_pairs(shape, s);
            for (Index h = 0; h < p.heads; ++h)
                for (Index i = 0; i < p.queries; ++i)
                    for (Index j = 0; j < p.keys; ++j)
                        mask.row(p.map_row(s, h, i))[j] =
                            allowed[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] ? 0 : -infinity;
        }
        return mask;
    }
    Variable<double> masked(Tape<double>& tape) const { return add(tape, tape.weight(scores), mask(tape)); }

    Variable<double> at_once(Tape<double>& tape) const {
        NormalizerState<double> state{.stream = seed};
        return normalize(tape, shape.pairing, masked(tape), normalizer, learned, &state);
    }

    /// Query after query, as a decoder asks for them: the maps of all, [n b h, m].
    Variable<double> one_by_one(Tape<double>& tape) const {
        const Pairing& p = shape.pairing;
        const auto whole = masked(tape);
        NormalizerState<double> state{.stream = seed};
        std::vector<Variable<double>> maps;
        for (Index i = 0; i < p.queries; ++i) {
            std::vector<Index> rows;
            for (Index row = i; row < whole.rows; row += p.queries)
                rows.push_back(row);
            Pairing one = p;
            one.queries = 1;
            maps.push_back(normalize(tape, one, take_rows(tape, whole, std::span<const Index>(rows)),
                                     normalizer, learned, &state));
        }
        const auto joined = join_rows(tape, std::span<const Variable<double>>(maps));
        std::vector<Index> rows;  // back to the order of a map
        for (Index of_head = 0; of_head < p.batch * p.heads; ++of_head)
            for (Index i = 0; i < p.queries; ++i)
                rows.push_back(i * p.batch * p.heads + of_head);
        return take_rows(tape, joined, std::span<const Index>(rows));
    }

    /// The weights that the engine has for one sequence: [h, n, m].
    std::vector<double> by_engine(Index sequence) const {
        const Pairing& p = shape.pairing;
        AttentionSpec spec;
        spec.source.type = SourceType::cross;
        spec.score.type = ScoreType::dot;
        spec.heads = {.type = HeadsType::multi, .heads = p.heads};
        spec.normalizer = normalizer;
        if (shape.masked != Masked::none)
            spec.mask = {MatrixMask{allowed_pairs(shape, sequence)}};
        // Scores side by side as queries, one-hot keys: each head's products are its scores.
        Inputs inputs{.query = Tensor({p.queries, p.heads * p.keys}),
                      .key = Tensor({p.keys, p.heads * p.keys})};
        for (Index h = 0; h < p.heads; ++h)
            for (Index j = 0; j < p.keys; ++j) {
                (*inputs.key)(j, h * p.keys + j) = 1;
                for (Index i = 0; i < p.queries; ++i)
                    inputs.query(i, h * p.keys + j) = weights[static_cast<std::size_t>(
                        scores.offset + p.map_row(sequence, h, i) * p.keys + j)];
            }
        for (const auto& [name, weight] : learned)
            inputs.parameters[name] =
                Tensor({weight.size()}, std::vector<double>(weights.begin() + weight.offset,
                                                            weights.begin() + weight.offset + weight.size()));
        return run(spec, inputs, substream(seed, static_cast<std::uint64_t>(sequence))).weights;
    }

    void expect_as_engine() const {
        Tape<double> tape(weights);
        expect_maps(at_once(tape), shape.pairing, [this](Index sequence) { return by_engine(sequence); });
    }

    Shape4 shape;
    Normalizer normalizer;
    ParameterLayout layout;
    Weight scores;
    NormalizerWeights learned;
    std::vector<double> weights;
};

class NnNormalizers : public testing::TestWithParam<Case> {};
const auto name_of = [](const auto& row) { return row.param.name; };

TEST_P(NnNormalizers, WeighAsTheEngineDoes) {
    for (const Shape4& shape : shapes())
        Setting(GetParam(), shape).expect_as_engine();
}

TEST_P(NnNormalizers, GradientsAreThoseOfDifferences) {
    EXPECT_TRUE(is_differentiable(normalizer_of(GetParam())));
    for (const Shape4& shape : shapes()) {
        const Setting setting(GetParam(), shape);
        // The short form under a sanitizer, which sees the same steps, tries one in seven weights of the
        // largest: some normalisers take seconds for all.
        const bool is_long_for_it = is_sanitized && !is_long() && setting.weights.size() > 100;
        expect_gradients(
            setting.weights, [&](Tape<double>& tape) { return weighted_sum(tape, setting.at_once(tape)); },
            is_long_for_it ? 7 : 1);
    }
}

TEST_P(NnNormalizers, QueriesOneByOneAreTheSame) {
    if (couples_queries(normalizer_of(GetParam())))
        GTEST_SKIP() << "its queries are asked for at once";
    for (const Shape4& shape : shapes()) {
        const Setting setting(GetParam(), shape);
        Tape<double> once(setting.weights), steps(setting.weights);
        const auto expected = setting.at_once(once), found = setting.one_by_one(steps);
        for (Index i = 0; i < expected.size(); ++i)
            EXPECT_NEAR(found.value[i], expected.value[i], 1e-14) << i;
        const auto of_once = gradient_at(
            setting.weights, [&](Tape<double>& tape) { return weighted_sum(tape, setting.at_once(tape)); });
        const auto of_steps = gradient_at(setting.weights, [&](Tape<double>& tape) {
            return weighted_sum(tape, setting.one_by_one(tape));
        });
        for (std::size_t i = 0; i < of_once.size(); ++i)
            EXPECT_NEAR(of_steps[i], of_once[i], 1e-13) << i;
    }
}

INSTANTIATE_TEST_SUITE_P(All, NnNormalizers, testing::ValuesIn(cases()), name_of);

class NnHardNormalizers : public testing::TestWithParam<Case> {};

TEST_P(NnHardNormalizers, ChooseAsTheEngineDoes) {
    EXPECT_FALSE(is_differentiable(normalizer_of(GetParam())));
    for (const Shape4& shape : shapes())
        Setting(GetParam(), shape).expect_as_engine();
}

INSTANTIATE_TEST_SUITE_P(All, NnHardNormalizers, testing::ValuesIn(hard_cases()), name_of);

// A graph has some sequences at once, the last one fewer.
TEST(NnNormalizers, ManySequencesAreAsFew) {
    const Shape4 many{{.batch = 40, .heads = 2, .queries = 4, .keys = 16}, Masked::cells};
    for (const char* type : {R"({"type": "sink"})", R"({"type": "slot"})", R"({"type": "gumbel"})"}) {
        const Setting setting({"", type}, many);
        setting.expect_as_engine();
        expect_slope(setting.weights,
                     [&](Tape<double>& tape) { return weighted_sum(tape, setting.at_once(tape)); });
    }
}

TEST(NnNormalizers, ThreadsShareTheGraphs) {
    const Setting setting({"", R"({"type": "entmax"})"}, shapes().back());
    const auto gradients = [&] {
        return gradient_at(setting.weights,
                           [&](Tape<double>& tape) { return weighted_sum(tape, setting.at_once(tape)); });
    };
    std::vector<std::vector<double>> found(8);
    parallel_for(std::ssize(found), 4,
                 [&](Index i, int) { found[static_cast<std::size_t>(i)] = gradients(); });
    for (const std::vector<double>& each : found)
        EXPECT_EQ(each, gradients());
}

// Straight-through: what is passed back is the derivative of the soft weights, whatever was chosen.
TEST(NnNormalizers, HardGumbelPassesOnTheSoftDerivative) {
    const Shape4& shape = shapes().back();
    const Setting soft({"", R"({"type": "gumbel", "temperature": 0.7})"}, shape);
    const Setting hard({"", R"({"type": "gumbel", "temperature": 0.7, "hard": true})"}, shape);
    const auto gradients = [](const Setting& setting) {
        return gradient_at(setting.weights,
                           [&](Tape<double>& tape) { return weighted_sum(tape, setting.at_once(tape)); });
    };
    const auto expected = gradients(soft), found = gradients(hard);
    for (std::size_t i = 0; i < expected.size(); ++i)
        EXPECT_NEAR(found[i], expected[i], 1e-14) << i;
}

TEST(NnNormalizers, HardOnesPassNothingOn) {
    for (const std::string type : {R"({"type": "hard"})", R"({"type": "monotonic", "alignment": "hard"})"}) {
        const Setting setting({"", type}, shapes().front());
        std::vector<double> gradients(setting.weights.size());
        Tape<double> tape(setting.weights, gradients);
        EXPECT_EQ(setting.at_once(tape).gradient(), nullptr) << type;
    }
}

TEST(NnNormalizers, AreAllOfTheCatalogue) {
    std::set<NormalizerType> tried{NormalizerType::softmax, NormalizerType::hard};
    for (const Case& each : cases())
        tried.insert(normalizer_of(each).type);
    for (const NormalizerComponent& component : normalizer_components())
        EXPECT_EQ(tried.contains(component.type), stands_alone(Normalizer{.type = component.type}))
            << component.word;
}

// Training runs in float.
TEST_P(NnNormalizers, RunInFloat) {
    const Setting setting(GetParam(), shapes().back());
    const std::vector<float> weights(setting.weights.begin(), setting.weights.end());
    std::vector<float> gradients(weights.size());
    Tape<double> exact(setting.weights);
    Tape<float> tape(weights, gradients);
    const auto mask = setting.mask(exact);
    const auto of_mask = tape.constant(mask.rows, mask.columns);
    std::copy_n(mask.value, mask.size(), of_mask.value);
    NormalizerState<float> state{.stream = seed};
    const auto found = normalize(tape, setting.shape.pairing, add(tape, tape.weight(setting.scores), of_mask),
                                 setting.normalizer, setting.learned, &state);
    const auto expected = setting.at_once(exact);
    for (Index i = 0; i < expected.size(); ++i)
        EXPECT_NEAR(found.value[i], expected.value[i], 2e-5) << i;
    tape.backward(sum(tape, multiply(tape, found, found)));
    const auto slopes = gradient_at(setting.weights, [&](Tape<double>& each) {
        const auto weights_there = setting.at_once(each);
        return sum(each, multiply(each, weights_there, weights_there));
    });
    for (std::size_t i = 0; i < slopes.size(); ++i)
        EXPECT_NEAR(gradients[i], slopes[i], 5e-4 * (1 + std::abs(slopes[i]))) << i;
}

}  // namespace

}  // namespace headlight::nn_normalizers_test
