// The scores on the tape: the numbers that the engine has, gradients as differences have them.

#include "core/attention/component.h"
#include "core/attention/kernel_scores.h"
#include "core/nn/coverage.h"
#include "core/nn/normalize.h"
#include "core/nn/score.h"
#include "core/tensor/error.h"
#include "tests/support/differences.h"
#include "tests/support/scores_without_places.h"

#include <set>

namespace headlight::nn_scores_test {

using namespace nn;
using namespace test;

namespace {

struct Case {
    std::string name;
    std::string score;    ///< JSON
    Index key_width = 3;  ///< of a head; the query's is 3
};
void PrintTo(const Case& each, std::ostream* out) { *out << each.name; }

const std::vector<Case>& cases() {
    static const std::vector<Case> all{
        {"dot", R"({"type": "dot"})"},
        {"scaled_dot", R"({"type": "scaled_dot"})"},
        {"scaled_dot_capped", R"({"type": "scaled_dot", "softcap": 0.8})"},
        {"dot_of_directions", R"({"type": "dot", "vector_norm": "l2"})"},
        {"scaled_dot_after_layer_norm", R"({"type": "scaled_dot", "vector_norm": "layer"})"},
        {"general_after_rms_norm", R"({"type": "general", "vector_norm": "rms"})"},
        {"learned_scale", R"({"type": "learned_scale"})"},
        {"general", R"({"type": "general"})", 2},
        {"concat", R"({"type": "concat", "attention_dimension": 4})", 2},
        {"concat_biased", R"({"type": "concat", "bias": true, "activation": "sigmoid"})", 2},
        {"additive", R"({"type": "additive", "attention_dimension": 4})", 2},
        {"additive_biased_capped", R"({"type": "additive", "bias": true, "softcap": 1.5})"},
        {"additive_relu", R"({"type": "additive", "activation": "relu", "bias": true})", 2},
        {"additive_sigmoid", R"({"type": "additive", "activation": "sigmoid"})"},
        {"additive_identity", R"({"type": "additive", "activation": "identity"})"},
        {"self_similarity", R"({"type": "self_similarity"})"},
        {"cosine", R"({"type": "cosine", "beta": 2})"},
        {"cosine_of_groups", R"({"type": "cosine", "beta": 2, "groups": 3})"},
        {"cosine_of_keys", R"({"type": "cosine", "beta": 0.5, "divided": "keys"})"},
        {"scaled_cosine", R"({"type": "scaled_cosine"})"},
        {"gaussian", R"({"type": "gaussian", "sigma": 1.4})"},
        {"euclidean", R"({"type": "euclidean"})"},
        {"linear", R"({"type": "linear"})", 2},
        {"linear_biased", R"({"type": "linear", "bias": true})"},
        {"trilinear", R"({"type": "trilinear"})"},
        {"trilinear_biased", R"({"type": "trilinear", "bias": true})"},
        {"normalized_additive", R"({"type": "normalized_additive", "attention_dimension": 4})", 2},
        {"elementwise_additive", R"({"type": "elementwise_additive"})"},
        {"elementwise_concat", R"({"type": "elementwise_concat"})"},
        {"mlp", R"({"type": "mlp", "attention_dimension": 4, "bias": true})"},
        {"mlp_of_pairs", R"({"type": "mlp", "features": "pair", "layers": 1})"},
        {"mlp_deep", R"({"type": "mlp", "layers": 3, "activation": "sigmoid"})"},
        {"location", R"({"type": "location"})", 2},
        {"location_aware", R"({"type": "location_aware", "bias": true, "sharpening": 1.5})", 2},
        {"location_aware_cumulative",
         R"({"type": "location_aware", "cumulative": true, "width": 4, "filters": 2})"},
        {"coverage", R"({"type": "coverage", "attention_dimension": 4})", 2},
        {"coverage_biased", R"({"type": "coverage", "bias": true})"},
        {"dense_synthesizer", R"({"type": "dense_synthesizer", "bias": true})", 2},
        {"random_synthesizer", R"({"type": "random_synthesizer"})"},
        {"random_synthesizer_of_rank_2", R"({"type": "random_synthesizer", "rank": 2})"},
        {"graph", R"({"type": "graph", "bias": true})", 2},
        {"dynamic_graph", R"({"type": "dynamic_graph", "bias": true})", 2},
        {"multi_token", R"({"type": "multi_token"})"},
        {"multi_token_wide", R"({"type": "multi_token", "query_width": 3, "key_width": 4})"},
        {"multi_token_of_one_query", R"({"type": "multi_token", "query_width": 1})"},
        {"selective", R"({"type": "selective"})"},
    };
    return all;
}

Score score_of(const Case& each) {
    return complete_score(spec_from_json({{"score", Json::parse(each.score)}}).score);
}

struct Shape4 {
    Pairing pairing;
    std::vector<Index> key_lengths;
    bool causal;
};
const std::vector<Shape4>& shapes() {
    static const std::vector<Shape4> all{
        {{.batch = 1, .heads = 1, .queries = 2, .keys = 3}, {}, false},
        {{.batch = 2, .heads = 2, .queries = 3, .keys = 4}, {3, 0}, false},
        {{.batch = 3, .heads = 2, .queries = 4, .keys = 4}, {4, 2, 3}, true},
    };
    return all;
}

/// A score with vectors and parameters that are the weights of a tape.
struct Setting {
    Setting(const Case& each, const Shape4& given) : shape(given), score(score_of(each)) {
        const Pairing& p = shape.pairing;
        query = layout.add("query", p.queries * p.batch, p.heads * 3);
        key = layout.add("key", p.keys * p.batch, p.heads * each.key_width);
        parameters = add_score(layout, "attention.", score,
                               {.heads = p.heads,
                                .query_width = 3,
                                .key_width = each.key_width,
                                .queries = p.queries,
                                .keys = p.keys});
        none = add_normalizer(layout, "", normalizer(), p.heads);
        weights = random_numbers(layout.size(), 4);  // none so near to a kink as a step
        // A row's first query sees few keys: nothing of what a score remembers may come from those after it.
        is_causal = shape.causal && !remembers(score);
    }

    Allowed allowed() const { return {.key_lengths = shape.key_lengths, .causal = is_causal}; }
    bool is_allowed(Index sequence, Index i, Index j) const {
        const Pairing& p = shape.pairing;
        return (shape.key_lengths.empty() || j < shape.key_lengths[static_cast<std::size_t>(sequence)]) &&
               (!is_causal || j <= p.keys - p.queries + i);
    }
    /// Weights where a score is made of them, else the scores themselves.
    Normalizer normalizer() const {
        return complete_normalizer(
            {.type = remembers(score) ? NormalizerType::softmax : NormalizerType::none});
    }

    /// The map after the mask and the normaliser, rows in the order of `rows_of_engine`.
    Variable<double> at_once(Tape<double>& tape) const {
        ScoreState<double> state{.allowed = allowed()};
        const auto map = scores_without_places(tape, shape.pairing, score, tape.weight(query),
                                               tape.weight(key), parameters, &state);
        return normalize(tape, shape.pairing, mask_scores(tape, shape.pairing, map, allowed()), normalizer(),
                         none);
    }
    /// Query after query, with keys that are prepared once: the same map.
    Variable<double> one_by_one(Tape<double>& tape) const {
        Pairing one = shape.pairing;
        one.queries = 1;
        const auto keys = prepare_keys(
            tape, one, score, normalized_keys(tape, one, score, tape.weight(key), parameters), parameters);
        auto state = first_state(tape, one, score, {.key_lengths = shape.key_lengths});
        std::vector<Variable<double>> maps;
        for (Index i = 0; i < shape.pairing.queries; ++i) {
            const auto vectors = normalized_queries(
                tape, one, score, tape.weight(query).row_range(i * one.batch, one.batch), parameters);
            const auto map = scores(tape, one, score, vectors, keys, parameters, &state);
            const auto masked = add(tape, map, mask(tape, i));
            maps.push_back(normalize(tape, one, masked, normalizer(), none));
            remember(tape, score, maps.back(), state);
        }
        const auto joined = join_rows(tape, std::span<const Variable<double>>(maps));
        std::vector<Index> rows;
        for (Index of_head = 0; of_head < one.map_rows(); ++of_head)
            for (Index i = 0; i < shape.pairing.queries; ++i)
                rows.push_back(i * one.map_rows() + of_head);
        return take_rows(tape, joined, std::span<const Index>(rows));
    }
    Variable<double> map(Tape<double>& tape) const {
        return remembers(score) ? one_by_one(tape) : at_once(tape);
    }

    /// The mask of one query: [b h, m]
    Variable<double> mask(Tape<double>& tape, Index i) const {
        const Pairing& p = shape.pairing;
        const auto mask = tape.constant(p.batch * p.heads, p.keys);
        for (Index row = 0; row < mask.rows; ++row)
            for (Index j = 0; j < p.keys; ++j)
                mask.row(row)[j] =
                    is_allowed(row / p.heads, i, j) ? 0 : -std::numeric_limits<double>::infinity();
        return mask;
    }

    /// What the engine has for one sequence: [h, n, m].
    std::vector<double> by_engine(Index sequence) const {
        const Pairing& p = shape.pairing;
        AttentionSpec spec;
        spec.source.type = SourceType::cross;
        spec.score = score;
        spec.heads = {.type = HeadsType::multi, .heads = p.heads};
        spec.normalizer = normalizer();
        std::vector<std::vector<bool>> pairs;
        for (Index i = 0; i < p.queries; ++i) {
            pairs.emplace_back();
            for (Index j = 0; j < p.keys; ++j)
                pairs.back().push_back(is_allowed(sequence, i, j));
        }
        spec.mask = {MatrixMask{pairs}};
        const auto rows = [&](Weight of, Index tokens) {
            Tensor vectors({tokens, of.columns});
            for (Index token = 0; token < tokens; ++token)
                for (Index c = 0; c < of.columns; ++c)
                    vectors(token, c) = weights[static_cast<std::size_t>(
                        of.offset + (token * p.batch + sequence) * of.columns + c)];
            return vectors;
        };
        Inputs inputs{.query = rows(query, p.queries), .key = rows(key, p.keys)};
        for (const ParameterInfo& info : plan(spec, inputs).parameters) {
            const Weight weight = parameters[info.name];
            inputs.parameters[info.name] =
                Tensor(info.shape, std::vector<double>(weights.begin() + weight.offset,
                                                       weights.begin() + weight.offset + weight.size()));
        }
        return run(spec, inputs).weights;
    }
    void expect_as_engine() const {
        Tape<double> tape(weights);
        expect_maps(map(tape), shape.pairing, [this](Index sequence) { return by_engine(sequence); });
    }

    Shape4 shape;
    Score score;
    ParameterLayout layout;
    Weight query, key;
    ScoreWeights parameters;
    NormalizerWeights none;  ///< those of normalizer(), which has none
    std::vector<double> weights;
    bool is_causal = false;
};

class NnScores : public testing::TestWithParam<Case> {};
const auto name_of = [](const auto& row) { return row.param.name; };

TEST_P(NnScores, AreThoseOfTheEngine) {
    for (const Shape4& shape : shapes())
        Setting(GetParam(), shape).expect_as_engine();
}

TEST_P(NnScores, GradientsAreThoseOfDifferences) {
    EXPECT_TRUE(stands_alone(score_of(GetParam())));
    for (const Shape4& shape : shapes()) {
        const Setting setting(GetParam(), shape);
        expect_gradients(setting.weights,
                         [&](Tape<double>& tape) { return weighted_sum(tape, setting.map(tape)); });
    }
}

TEST_P(NnScores, QueriesOneByOneAreTheSame) {
    const Score score = score_of(GetParam());
    if (couples_queries(score) || remembers(score))
        GTEST_SKIP() << "there is only one way to ask for its queries";
    for (const Shape4& shape : shapes()) {
        Setting setting(GetParam(), shape);
        if (score.type ==
            ScoreType::multi_token)  // which reads the mask: for one query it is that of a decoder
            setting.is_causal = false;
        Tape<double> once(setting.weights), steps(setting.weights);
        const auto expected = setting.at_once(once), found = setting.one_by_one(steps);
        for (Index i = 0; i < expected.size(); ++i)
            EXPECT_NEAR(found.value[i], expected.value[i], 1e-13) << i;
    }
}

TEST_P(NnScores, RunInFloat) {
    const Setting setting(GetParam(), shapes()[1]);
    if (remembers(setting.score))
        GTEST_SKIP() << "with the others of its kind";
    const std::vector<float> weights(setting.weights.begin(), setting.weights.end());
    std::vector<float> gradients(weights.size());
    Tape<float> tape(weights, gradients);
    Tape<double> exact(setting.weights);
    const auto found =
        scores_without_places(tape, setting.shape.pairing, setting.score, tape.weight(setting.query),
                              tape.weight(setting.key), setting.parameters);
    const auto expected =
        scores_without_places(exact, setting.shape.pairing, setting.score, exact.weight(setting.query),
                              exact.weight(setting.key), setting.parameters);
    for (Index i = 0; i < expected.size(); ++i)
        EXPECT_NEAR(found.value[i], expected.value[i], 1e-4) << i;
    tape.backward(sum(tape, found));
    const auto slopes = gradient_at(setting.weights, [&](Tape<double>& each) {
        return sum(each, scores_without_places(each, setting.shape.pairing, setting.score,
                                               each.weight(setting.query), each.weight(setting.key),
                                               setting.parameters));
    });
    for (std::size_t i = 0; i < slopes.size(); ++i)
        EXPECT_NEAR(gradients[i], slopes[i], 1e-3 * (1 + std::abs(slopes[i]))) << i;
}

INSTANTIATE_TEST_SUITE_P(All, NnScores, testing::ValuesIn(cases()), name_of);

// A graph has some sequences at once, the last one fewer.
TEST(NnScores, ManySequencesAreAsFew) {
    const Shape4 many{{.batch = 20, .heads = 2, .queries = 3, .keys = 40}, {}, false};
    for (const char* type : {"scaled_cosine", "random_synthesizer", "concat"}) {
        const Setting setting({"", Json{{"type", type}}.dump()}, many);
        setting.expect_as_engine();
        expect_slope(setting.weights,
                     [&](Tape<double>& tape) { return weighted_sum(tape, setting.map(tape)); });
    }
}

TEST(NnScores, AreAllOfTheCatalogue) {
    std::set<ScoreType> tried;
    for (const Case& each : cases())
        tried.insert(score_of(each).type);
    for (const KernelScore& score : kernel_scores())
        EXPECT_TRUE(tried.contains(score.type)) << score.word;
    for (const ScoreComponent& component : score_components())
        EXPECT_EQ(tried.contains(component.type), stands_alone(Score{.type = component.type}))
            << component.word;
}

TEST(NnScores, ParametersStartWhereTheEngineHasConstants) {
    ParameterLayout layout;
    const ScoreWeights weights =
        add_score(layout, "a.", {.type = ScoreType::normalized_additive, .bias = false},
                  {.heads = 2, .query_width = 3, .key_width = 2});
    const auto values = layout.initial_values<double>(1);
    EXPECT_EQ(layout.find("a.W_1"), weights["W_1"]);
    EXPECT_EQ(weights["W_2"].rows, 2);
    EXPECT_EQ(weights["W_2"].columns, 3);
    EXPECT_DOUBLE_EQ(values[static_cast<std::size_t>(weights["g"].offset)], std::sqrt(1.0 / 3));
    EXPECT_DOUBLE_EQ(values[static_cast<std::size_t>(weights["b"].offset)], 0);
    EXPECT_FALSE(weights.has("W"));
}

TEST(NnScores, RefuseWidthsThatDoNotMeet) {
    ParameterLayout layout;
    const auto add = [&](ScoreType type) {
        add_score(layout, "", {.type = type}, {.heads = 2, .query_width = 3, .key_width = 4});
    };
    EXPECT_THROW(add(ScoreType::scaled_dot), Error);
    EXPECT_NO_THROW(add(ScoreType::general));
}

TEST(NnScores, WhichQueriesAreAskedForAtOnce) {
    EXPECT_TRUE(couples_queries({.type = ScoreType::selective}));
    EXPECT_TRUE(couples_queries({.type = ScoreType::multi_token}));
    EXPECT_FALSE(couples_queries({.type = ScoreType::multi_token, .options = {{"query_width", Index(1)}}}));
    EXPECT_FALSE(couples_queries({.type = ScoreType::coverage}));
}

// See et al. 2017, equation 12: what is looked at again costs, in the rows that say something.
TEST(NnScores, CoverageLossIsTheOverlap) {
    const std::vector<double> weights{0.2, 0.7, 0.1, 0.4, 0.4, 0.2, 0.5, 0.3, 0.9, 0.1, 0.1, 0.1};
    const std::vector<Index> labels{4, Index(-1)};
    const auto loss = [&](Tape<double>& tape) {
        return coverage_loss(tape, tape.weight({0, 2, 3}), tape.weight({6, 2, 3}),
                             std::span<const Index>(labels), 0.5);
    };
    Tape<double> tape(weights);
    EXPECT_DOUBLE_EQ(*loss(tape).value, 0.5 * (0.2 + 0.3 + 0.1));
    expect_gradients(weights, loss);
}

}  // namespace

}  // namespace headlight::nn_scores_test
