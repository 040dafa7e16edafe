// A session builds a spec and inputs, and runs.

#include "core/attention/executor.h"
#include "core/attention/spec_json.h"
#include "core/io/json_text.h"
#include "core/io/mechanism_example.h"
#include "core/io/session_for_spec.h"
#include "tests/support/refusal.h"

namespace headlight::session_inputs_test {

using namespace test;

namespace {

TEST(Session, TheWorkedExampleRunsAndShowsSomething) {
    const Session session = example_session();
    const Trace trace = record(
        std::make_shared<const Plan>(plan(session_spec(session), session_inputs(session), {session.seed})));
    EXPECT_TRUE(trace.tokens.query_unknown.empty());
    const auto token = [&](const char* word) {
        return std::ranges::find(trace.tokens.query, word) - trace.tokens.query.begin();
    };
    const auto weights = trace.matrix(*trace.find("weights"), 0);
    const auto weight = [&](const char* query, const char* key) {
        return weights[static_cast<std::size_t>(token(query) * std::ssize(trace.tokens.query) + token(key))];
    };
    EXPECT_GT(weight("doctor", "nurse"), 2 * weight("doctor", "coffee"));
    EXPECT_GT(weight("coffee", "tea"), 2 * weight("coffee", "nurse"));
}

TEST(Session, EveryMechanismRunsOnItsExample) {
    for (const Mechanism& mechanism : mechanisms()) {
        Session session = mechanism_example(mechanism);
        for (const ParameterOrigin origin :
             {ParameterOrigin::xavier, ParameterOrigin::identity, ParameterOrigin::file}) {
            session.origin = origin;
            EXPECT_NO_THROW(plan(session_spec(session), session_inputs(session), {session.seed}))
                << mechanism.id;
        }
    }
}

TEST(Session, ItsSettingsOverrideTheMechanisms) {
    Session session;
    session.mechanism = "causal";
    session.position = PositionType::sinusoidal;
    session.mask_order = MaskOrder::before_scale;
    session.mask_value = -4;
    const AttentionSpec spec = session_spec(session);
    EXPECT_EQ(spec.position.type, PositionType::sinusoidal);
    EXPECT_EQ(spec.mask_order, MaskOrder::before_scale);
    EXPECT_EQ(spec.mask_value, -4);
    EXPECT_TRUE(is_masked(spec.mask));
}

TEST(Session, AMechanismOfOnesOwnStandsInPlaceOfTheCatalogues) {
    AttentionSpec spec;
    spec.score.type = ScoreType::dot;
    spec.position.type = PositionType::sinusoidal;
    spec.mask = {CausalMask{}};
    spec.mask_order = MaskOrder::before_scale;
    spec.mask_value = -2;
    Session session = example_session();
    session.drawn_mask = std::make_shared<const MatrixMask>();
    adopt(session, {"Mine", spec});
    EXPECT_EQ(session_spec(session), spec);
    // What stands beside a mechanism can still be changed there.
    session.position = PositionType::none;
    session.mask_value.reset();
    EXPECT_EQ(session_spec(session).position.type, PositionType::none);
    EXPECT_FALSE(session_spec(session).mask_value);
}

TEST(Session, ADrawnMaskStandsInPlaceOfTheMechanisms) {
    Session session = example_session();
    session.mechanism = "causal";
    session.sequence.query_text = "a b";
    session.drawn_mask = std::make_shared<const MatrixMask>(MatrixMask{{{false, true}, {true, true}}});
    const Plan planned = plan(session_spec(session), session_inputs(session));
    EXPECT_FALSE(planned.allowed.allowed(0, 0));
    EXPECT_TRUE(planned.allowed.allowed(0, 1));
    session.sequence.query_text = "a b c";
    expect_refusal([&] { plan(session_spec(session), session_inputs(session)); }, {"mask", "2 rows"});
}

TEST(Session, AKeyInTheFileIsPassedOverInSelfAttention) {
    Inputs file;
    file.query = Tensor({{1, 2}, {3, 4}});
    file.key = Tensor({{1, 2, 3}});
    Session session;
    session.mechanism = "self_attention";
    session.origin = ParameterOrigin::identity;
    session.sequence.file = std::make_shared<const Inputs>(file);
    EXPECT_FALSE(session_inputs(session).key);
    EXPECT_NO_THROW(plan(session_spec(session), session_inputs(session)));
}

struct Spec {
    const char* text;
    const char* mechanism;  ///< "" when none can build it
};

class SessionForSpec : public testing::TestWithParam<Spec> {};

TEST_P(SessionForSpec, BuildsExactlyThatSpec) {
    const AttentionSpec spec = spec_from_json(parse_json(GetParam().text));
    const auto session = session_for_spec(spec);
    EXPECT_EQ(session ? session->mechanism : "", GetParam().mechanism);
    if (session) {
        EXPECT_EQ(session_spec(*session), spec);
    }
}

INSTANTIATE_TEST_SUITE_P(
    All, SessionForSpec,
    testing::Values(
        Spec{"{}", "scaled_dot_product"},
        Spec{R"({"source": {"type": "cross"}, "score": {"type": "dot"}})", "dot"},
        Spec{
            R"({"score": {"type": "additive", "activation": "relu", "bias": true, "attention_dimension": 5}})",
            "additive"},
        Spec{R"({"position": {"type": "sinusoidal"}, "mask": {"type": "causal", "align": "bottom_right"},
                 "mask_value": -3, "mask_order": "before_scale"})",
             "causal"},
        Spec{R"({"projections": {"type": "learned", "bias": true}, "heads": {"type": "multi", "heads": 4},
                 "mask": {"all": [{"type": "causal"}, {"type": "padding", "key_lengths": 6}]}})",
             "multi_head"},
        Spec{R"({"normalizer": {"type": "softmax", "temperature": 0.25}})", "self_attention"},
        Spec{R"({"mask": {"type": "matrix", "allowed": [[1, 0], [1, 1]]}})", ""},
        Spec{R"({"mask": {"not": {"type": "causal"}}})", ""}));

TEST(SessionForSpec, FindsWhatEveryMechanismBuilds) {
    for (const Mechanism& mechanism : mechanisms()) {
        const auto session = session_for_spec(build_spec(mechanism, {}), mechanism.id);
        ASSERT_TRUE(session) << mechanism.id;
        EXPECT_EQ(session->mechanism, mechanism.id);
        EXPECT_EQ(session->values, ParameterValues()) << "nothing was turned";
    }
}

TEST(Session, TextBecomesTokensVectorsAndMarks) {
    Session session;
    session.sequence.query_text = "the qwzrtl sat";
    const Inputs inputs = session_inputs(session);
    EXPECT_EQ(inputs.tokens.query, (std::vector<std::string>{"the", "qwzrtl", "sat"}));
    EXPECT_EQ(inputs.tokens.query_unknown, (std::vector<bool>{false, true, false}));
    EXPECT_EQ(inputs.query.shape(), (Shape{3, 64}));
    EXPECT_FALSE(inputs.key);
    EXPECT_TRUE(inputs.tokens.key.empty()) << "the key text counts for cross attention alone";

    session.mechanism = "cross";
    session.sequence.key_text = "a cat";
    const Inputs cross = session_inputs(session);
    EXPECT_EQ(cross.key->shape(), (Shape{2, 64}));
    EXPECT_EQ(cross.tokens.key, (std::vector<std::string>{"a", "cat"}));
    EXPECT_TRUE(cross.tokens.key_unknown.empty());
}

TEST(Session, EmptyTextIsRefused) {
    Session session;
    expect_refusal([&] { session_inputs(session); }, {"query text"});
    session.mechanism = "cross";
    session.sequence.query_text = "words";
    session.sequence.key_text = "  ";
    expect_refusal([&] { session_inputs(session); }, {"key text"});
}

TEST(Session, ParametersComeFromTheirOriginAndEditsWin) {
    Inputs file;
    file.query = Tensor({{1, 2}, {3, 4}});
    file.parameters["W_q"] = Tensor({{5, 6}, {7, 8}});
    file.parameters["W_k"] = Tensor({{1, 1}, {1, 1}});
    Session session;
    session.mechanism = "self_attention";
    session.sequence.file = std::make_shared<const Inputs>(file);
    session.edited["W_k"] = std::make_shared<const Tensor>(Tensor({{9, 9}, {9, 9}}));

    session.origin = ParameterOrigin::file;
    EXPECT_EQ(session_inputs(session).parameters.at("W_q"), file.parameters.at("W_q"));
    EXPECT_EQ(session_inputs(session).parameters.at("W_k"), *session.edited.at("W_k"));

    session.origin = ParameterOrigin::xavier;
    EXPECT_FALSE(session_inputs(session).parameters.contains("W_q")) << "drawn by the plan";
    EXPECT_EQ(session_inputs(session).parameters.at("W_k"), *session.edited.at("W_k"));

    session.origin = ParameterOrigin::identity;
    EXPECT_EQ(session_inputs(session).parameters.at("W_q"), Tensor({{1, 0}, {0, 1}}));
    EXPECT_EQ(session_inputs(session).parameters.at("W_k"), *session.edited.at("W_k"));
}

/// With numbers for U, which only a formula can have, and for W_q.
Session with_own_parameters(const std::string& formula) {
    Inputs file;
    file.query = Tensor({{1, 2}, {3, 4}});
    file.parameters["U_own"] = Tensor({{5, 6}, {7, 8}});
    file.parameters["W_q"] = Tensor({{1, 1}, {1, 1}});
    Session session;
    session.mechanism = "self_attention";
    session.sequence.file = std::make_shared<const Inputs>(file);
    session.origin = ParameterOrigin::file;
    session.edited["V_own"] = std::make_shared<const Tensor>(Tensor({{9, 9}, {9, 9}}));
    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::formula;
    spec.algorithm.options["text"] = formula;
    session.custom = CustomMechanism{"Mine", spec};
    return session;
}

TEST(Session, ParametersOfAFormulaWaitForIt) {
    Session session = with_own_parameters("weights = softmax(q @ U_own[d, d] @ V_own[d, d] @ k.T)");
    EXPECT_EQ(own_parameter_names(session), (std::vector<std::string>{"U_own", "V_own"}));
    EXPECT_TRUE(session_inputs(session).parameters.contains("U_own"));
    EXPECT_TRUE(session_inputs(session).parameters.contains("V_own"));
    session.custom.reset();
    const Inputs inputs = session_inputs(session);
    EXPECT_FALSE(inputs.parameters.contains("U_own") || inputs.parameters.contains("V_own"));
    EXPECT_TRUE(inputs.parameters.contains("W_q"));
    EXPECT_NO_THROW(plan(session_spec(session), inputs, {session.seed}));
    EXPECT_TRUE(own_parameter_names(session).empty());
}

TEST(Session, AFileOfItHasTheParametersOfItsFormula) {
    struct Row {
        const char* formula;
        bool has_u, has_v;
    };
    for (const auto& [formula, has_u, has_v] :
         {Row{"weights = softmax(q @ U_own[d, d] @ V_own[d, d] @ k.T)", true, true},
          Row{"weights = softmax(q @ U_own[d, d] @ V_own[d, d @ k.T", true, true},  // half typed
          Row{"weights = softmax(q @ U_own[d, d] @ k.T)", true, false}}) {
        const Session again = parse_session(write_session(with_own_parameters(formula)));
        EXPECT_EQ(again.sequence.file->parameters.contains("U_own"), has_u) << formula;
        EXPECT_EQ(again.edited.contains("V_own"), has_v) << formula;
        EXPECT_TRUE(again.sequence.file->parameters.contains("W_q")) << formula;
    }
    Session left = with_own_parameters("weights = softmax(q @ U_own[d, d] @ k.T)");
    left.custom.reset();
    const Session again = parse_session(write_session(left));
    EXPECT_FALSE(again.sequence.file->parameters.contains("U_own") || again.edited.contains("V_own"));
    EXPECT_EQ(again.sequence.file->query, left.sequence.file->query);
}

TEST(Session, WhatAnEquivalenceSetsHasTheShapeOfEachSpecAndEditsWin) {
    Session session = example_session();
    session.sequence.vectors.dimension = 8;
    session.mechanism = "general";
    session.equated = {{"W", "identity"}};
    EXPECT_EQ(session_inputs(session).parameters.at("W")(3, 3), 1);
    session.mechanism = "concat";
    EXPECT_EQ(session_inputs(session).parameters.at("W").rows(), 16);
    session.mechanism = "dot";
    EXPECT_TRUE(session_inputs(session).parameters.empty());
    session.mechanism = "general";
    session.edited["W"] = std::make_shared<const Tensor>(Tensor({8, 8}, 0.5));
    EXPECT_EQ(session_inputs(session).parameters.at("W"), *session.edited.at("W"));
}

TEST(Session, IdentityScoresAreTheSumOfFeaturesInEveryForm) {
    // With identity matrices, activation identity and v = 1, concat and additive both sum q + k.
    Session session;
    session.origin = ParameterOrigin::identity;
    session.sequence.query_text = "a b";
    session.sequence.vectors.dimension = 4;
    session.values = {{"activation", std::string("identity")}};
    std::vector<std::vector<double>> scores;
    for (const char* mechanism : {"concat", "additive"}) {
        session.mechanism = mechanism;
        const Trace trace =
            record(std::make_shared<const Plan>(plan(session_spec(session), session_inputs(session))));
        const auto values = trace.matrix(*trace.find("scores"), 0);
        scores.emplace_back(values.begin(), values.end());
        const auto tokens = trace.matrix(*trace.find("tokens"), 0);
        double expected = 0;  // of query 0 and key 1
        for (const double feature : tokens)
            expected += feature;
        EXPECT_NEAR(values[1], expected, 1e-12) << mechanism;
    }
    for (std::size_t i = 0; i < scores[0].size(); ++i)
        EXPECT_NEAR(scores[0][i], scores[1][i], 1e-12);
}

}  // namespace

}  // namespace headlight::session_inputs_test
