// Scores and normalisers of the tape against PyTorch's automatic differentiation.

#include "core/attention/component.h"
#include "core/nn/normalize.h"
#include "core/nn/score.h"
#include "tests/support/differences.h"
#include "tests/support/scores_without_places.h"

#include <set>

namespace headlight::nn_pytorch_test {

using namespace nn;
using namespace test;

namespace {

constexpr double tolerance = 1e-10;

const Json& scores_file() {
    static const Json file = read_json(HEADLIGHT_SOURCE_DIR "/tests/support/pytorch_nn/scores.json");
    return file["rows"];
}

/// A row of the file: vectors and parameters as the weights of a tape.
struct ScoreRow {
    explicit ScoreRow(const Json& given)
        : json(given), score(complete_score(spec_from_json({{"score", given["score"]}}).score)) {
        const Tensor q = tensor(json["query"]), k = tensor(json["key"]);
        pairing = {.queries = q.rows(), .keys = k.rows()};
        query = layout.add("query", q.rows(), q.cols());
        key = layout.add("key", k.rows(), k.cols());
        parameters = add_score(
            layout, "", score,
            {.query_width = q.cols(), .key_width = k.cols(), .queries = q.rows(), .keys = k.rows()});
        weights.resize(static_cast<std::size_t>(layout.size()));
        put(query, flat(json["query"]));
        put(key, flat(json["key"]));
        for (const auto& [name, weight] : parameters)
            put(weight, json["parameters"].contains(name) ? flat(json["parameters"][name])
                                                          : std::vector<double>(weight.size(), 0.0));
    }

    void put(Weight weight, const std::vector<double>& numbers) {
        ASSERT_EQ(std::ssize(numbers), weight.size());
        std::ranges::copy(numbers, weights.begin() + weight.offset);
    }

    /// The scores, or the weights of a score that follows them.
    Variable<double> map(Tape<double>& tape) const {
        if (!remembers(score))
            return scores_without_places(tape, pairing, score, tape.weight(query), tape.weight(key),
                                         parameters);
        Pairing one = pairing;
        one.queries = 1;
        const auto keys = prepare_keys(
            tape, one, score, normalized_keys(tape, one, score, tape.weight(key), parameters), parameters);
        auto state = first_state(tape, one, score);
        std::vector<Variable<double>> rows;
        for (Index i = 0; i < pairing.queries; ++i) {
            rows.push_back(softmax(
                tape,
                scores(tape, one, score,
                       normalized_queries(tape, one, score, tape.weight(query).row_range(i, 1), parameters),
                       keys, parameters, &state)));
            remember(tape, score, rows.back(), state);
        }
        return join_rows(tape, std::span<const Variable<double>>(rows));
    }

    const Json& json;
    Score score;
    Pairing pairing;
    ParameterLayout layout;
    Weight query, key;
    ScoreWeights parameters;
    std::vector<double> weights;
};

class NnPyTorchScores : public testing::TestWithParam<std::size_t> {};

TEST_P(NnPyTorchScores, AreTheSameAndSoAreTheirGradients) {
    const ScoreRow row(scores_file()[GetParam()]);
    Tape<double> tape(row.weights);
    EXPECT_TRUE(within(row.map(tape).values(), flat(row.json["scores"]), tolerance));
    const std::vector<double> factors = flat(row.json["factors"]);
    const std::vector<double> found = gradient_at(row.weights, [&](Tape<double>& t) {
        const auto map = row.map(t), of_each = t.constant(map.rows, map.columns);
        std::ranges::copy(factors, of_each.value);
        return sum(t, multiply(t, map, of_each));
    });
    const auto expect = [&](Weight weight, const Json& expected, const std::string& name) {
        const std::span part(found.data() + weight.offset, static_cast<std::size_t>(weight.size()));
        EXPECT_TRUE(within(part, flat(expected), tolerance)) << name;
    };
    expect(row.query, row.json["query_gradient"], "query");
    expect(row.key, row.json["key_gradient"], "key");
    for (const auto& [name, gradient] : row.json["gradients"].items())
        expect(row.parameters[name], gradient, name);
}

INSTANTIATE_TEST_SUITE_P(All, NnPyTorchScores, testing::Range(std::size_t(0), scores_file().size()),
                         [](const auto& index) {
                             return scores_file()[index.param]["name"].template get<std::string>();
                         });

TEST(NnPyTorchScores, AreOfEveryKind) {
    std::set<ScoreType> tried;
    for (const Json& row : scores_file())
        tried.insert(spec_from_json({{"score", row["score"]}}).score.type);
    for (const ScoreComponent& component : score_components())
        EXPECT_EQ(tried.contains(component.type), stands_alone(Score{.type = component.type}))
            << component.word;
}

/// Rows of the normalisers that stand alone.
const Json& jacobians() {
    static const Json rows = [] {
        const Json golden =
            read_json(HEADLIGHT_SOURCE_DIR "/tests/support/pytorch_catalogue/golden/normalizers.json");
        Json of_them = Json::array();
        for (const Json& row : golden["jacobians"])
            if (stands_alone(spec_from_json({{"normalizer", row["normalizer"]}}).normalizer))
                of_them.push_back(row);
        return of_them;
    }();
    return rows;
}

class NnPyTorchNormalizers : public testing::TestWithParam<std::size_t> {};

// Every weight by every score of the map.
TEST_P(NnPyTorchNormalizers, HaveTheSameDerivatives) {
    const Json& row = jacobians()[GetParam()];
    const Tensor scores = tensor(row["scores"]);
    const Pairing pairing{.queries = scores.rows(), .keys = scores.cols()};
    const Normalizer normalizer =
        complete_normalizer(spec_from_json({{"normalizer", row["normalizer"]}}).normalizer);
    ParameterLayout none;
    const NormalizerWeights learned = add_normalizer(none, "", normalizer, 1);
    const std::vector<double> weights(scores.values().begin(), scores.values().end());
    const std::vector<double> expected = flat(row["jacobian"]);  // [weight, score]
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const std::vector<double> found = gradient_at(weights, [&](Tape<double>& tape) {
            const auto map =
                normalize(tape, pairing, tape.weight({0, scores.rows(), scores.cols()}), normalizer, learned);
            const auto chosen = tape.constant(map.rows, map.columns);
            std::fill_n(chosen.value, chosen.size(), 0.0);
            chosen.value[i] = 1;
            return sum(tape, multiply(tape, map, chosen));
        });
        EXPECT_TRUE(within(found, std::span(expected).subspan(i * weights.size(), weights.size()), tolerance))
            << "weight " << i;
    }
}

INSTANTIATE_TEST_SUITE_P(All, NnPyTorchNormalizers, testing::Range(std::size_t(0), jacobians().size()),
                         [](const auto& index) {
                             return jacobians()[index.param]["name"].template get<std::string>();
                         });

}  // namespace

}  // namespace headlight::nn_pytorch_test
