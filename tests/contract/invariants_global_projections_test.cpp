// Global tokens that ask with projections of their own.

#include "core/tensor/error.h"
#include "tests/support/attention_runs.h"
#include "tests/support/refusal.h"

namespace headlight::invariants_global_projections_test {

using namespace test;

namespace {

constexpr double exact = 1e-12;
constexpr Index tokens = 7, width = 6;

struct GlobalProjections : testing::Test {
    RandomEngine random{211};
    Inputs inputs{.query = random_tensor({tokens, width}, random)};

    static AttentionSpec of(Json options, const Json& rest = Json::object()) {
        options["type"] = "global_projections";
        Json whole = rest;
        whole["projections"] = {{"type", "learned"}};
        whole["algorithm"] = options;
        return spec(whole.dump());
    }
    static AttentionSpec plain(const Json& rest = Json::object()) {
        Json whole = rest;
        whole["projections"] = {{"type", "learned"}};
        return spec(whole.dump());
    }
    Inputs with(const std::map<std::string, Tensor>& parameters) const {
        Inputs given = inputs;
        given.parameters = parameters;
        return given;
    }
    std::map<std::string, Tensor> one_set(const std::vector<std::string>& pieces) {
        std::map<std::string, Tensor> parameters;
        const Tensor query = random_tensor({width, width}, random),
                     key = random_tensor({width, width}, random),
                     value = random_tensor({width, width}, random);
        parameters = {{"W_q", query}, {"W_k", key}, {"W_v", value}, {"W_global_query", query}};
        for (const std::string& piece : pieces) {
            parameters["W_" + piece + "_key"] = key;
            parameters["W_" + piece + "_value"] = value;
        }
        return parameters;
    }
};

// As Longformer begins its training: the second set is a copy of the first.
TEST_F(GlobalProjections, ThatAreCopiesAreNone) {
    const Json mask{
        {"mask", {{"any", {{{"type", "symmetric_window"}, {"reach", 1}}, {{"type", "global"}}}}}}};
    const auto longformer = with(one_set({"global"})),
               etc = with(one_set({"global", "local_to_global", "global_to_global"}));
    const auto projections = [&](const Inputs& from) {
        Inputs given = inputs;
        for (const char* name : {"W_q", "W_k", "W_v"})
            given.parameters[name] = from.parameters.at(name);
        return given;
    };
    EXPECT_TRUE(
        near(run(of(Json::object(), mask), longformer), run(plain(mask), projections(longformer)), exact));
    EXPECT_TRUE(near(run(of({{"pieces", "pairs"}, {"tokens", Json::array({0, 3})}}, mask), etc),
                     run(plain(mask), projections(etc)), exact));
    EXPECT_FALSE(near(run(of(Json::object(), mask), inputs).output, run(plain(mask), inputs).output, 1e-3));
}

TEST_F(GlobalProjections, ChangeTheRowsOfGlobalTokensAlone) {
    const auto own = run(of({{"tokens", Json::array({2})}}), inputs), shared = run(plain(), inputs);
    for (std::size_t row = 0; row < tokens; ++row) {
        const auto rows = [&](const std::vector<double>& all) {
            return std::vector<double>(all.begin() + static_cast<std::ptrdiff_t>(row * tokens),
                                       all.begin() + static_cast<std::ptrdiff_t>((row + 1) * tokens));
        };
        EXPECT_EQ(bool(near(rows(own.weights), rows(shared.weights), 1e-9)), row != 2) << row;
    }
    // In four pieces the others see the global token by other keys.
    EXPECT_FALSE(near(run(of({{"tokens", Json::array({2})}, {"pieces", "pairs"}}), inputs).weights,
                      own.weights, 1e-3));
}

// As LUKE begins its training: queries of all kinds are copies of one.
TEST_F(GlobalProjections, OfEqualQuestionsAreNone) {
    const Tensor query = random_tensor({width, width}, random);
    const Json some{{"tokens", Json::array({1, 4})}, {"pieces", "questions"}};
    const auto copies = with({{"W_q", query},
                              {"W_global_query", query},
                              {"W_local_to_global_query", query},
                              {"W_global_to_global_query", query}});
    EXPECT_TRUE(near(run(of(some), copies), run(plain(), with({{"W_q", query}})), exact));
    EXPECT_FALSE(near(run(of(some), inputs).weights, run(plain(), inputs).weights, 1e-3));
}

TEST_F(GlobalProjections, AskOfGlobalTokensOtherwiseAndReadTheSameValues) {
    const auto scores = [&](const Json& options) {
        return stage(record(planned(of(options), inputs)), "scores");
    };
    const auto questions = scores({{"tokens", Json::array({2})}, {"pieces", "questions"}}),
               usual = stage(record(planned(plain(), inputs)), "scaled_scores");
    for (std::size_t query = 0; query < tokens; ++query)
        for (std::size_t key = 0; key < tokens; ++key)
            EXPECT_EQ(std::abs(questions[query * tokens + key] - usual[query * tokens + key]) < exact,
                      query != 2 && key != 2)
                << query << ", " << key;
    expect_refusal(
        [&] {
            planned(of({{"pieces", "questions"}, {"labels", 2}}), inputs);
        },
        {"algorithm.labels"});
}

TEST_F(GlobalProjections, LabelsSayHowFarAndToWhichPart) {
    // One feature of each label, and queries of ones.
    Tensor labels({5, width});
    for (Index label = 0; label < 5; ++label)
        labels(label, 0) = static_cast<double>(label);
    Tensor first({width, width});
    Inputs ones = with({{"W_q", first}, {"W_global_query", first}, {"a_label", labels}});
    for (Index token = 0; token < tokens; ++token)
        ones.query(token, 0) = 1;
    for (const char* name : {"W_q", "W_global_query"})
        ones.parameters[name](0, 0) = 1;
    const auto scores = stage(
        record(planned(of({{"tokens", Json::array({0, 1})}, {"labels", 1}, {"segments", Json::array({3})}}),
                       ones)),
        "label_scores");
    const auto label = [&](std::size_t query, std::size_t key) { return scores[query * tokens + key]; };
    EXPECT_NEAR(label(3, 2), 0, exact) << "one before, or more";
    EXPECT_NEAR(label(5, 2), 0, exact);
    EXPECT_NEAR(label(3, 3), 1, exact);
    EXPECT_NEAR(label(0, 1), 2, exact);
    // Tokens 2, 3 and 4 are the part of token 0, and 5 and 6 that of token 1.
    EXPECT_NEAR(label(0, 4), 3, exact);
    EXPECT_NEAR(label(4, 0), 3, exact);
    EXPECT_NEAR(label(0, 5), 4, exact);
    EXPECT_NEAR(label(6, 1), 3, exact);
    EXPECT_NEAR(label(2, 1), 4, exact);
}

TEST_F(GlobalProjections, WithoutGlobalTokensAreThoseOfAll) {
    EXPECT_TRUE(near(run(of({{"tokens", Json::array()}}), inputs), run(plain(), inputs), exact));
    EXPECT_TRUE(near(run(of({{"tokens", Json::array({50})}, {"pieces", "pairs"}}), inputs),
                     run(plain(), inputs), exact));
}

}  // namespace

}  // namespace headlight::invariants_global_projections_test
