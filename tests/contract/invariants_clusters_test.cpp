// What queries promise that share the row of their cluster.

#include "tests/support/attention_runs.h"

#include <numeric>

namespace headlight::invariants_clusters_test {

using namespace test;

namespace {

constexpr double exact = 1e-12;
constexpr Index tokens = 9, width = 6;

struct Clusters : testing::Test {
    RandomEngine random{106};
    Inputs inputs{.query = random_tensor({tokens, width}, random)};

    static AttentionSpec of(Json options, const Json& rest = Json::object()) {
        options["type"] = "clustered";
        Json whole = rest;
        whole["algorithm"] = options;
        return spec(whole.dump());
    }
    std::vector<double> numbers(const char* name, const Json& options) const {
        return stage(record(planned(of(options), inputs)), name);
    }
    static std::span<const double> row(const std::vector<double>& map, Index query) {
        return std::span(map).subspan(static_cast<std::size_t>(query * tokens), tokens);
    }
};

TEST_F(Clusters, ShareOneRow) {
    const auto weights = run(of({{"clusters", 3}}), inputs).weights;
    const auto members = numbers("members", {{"clusters", 3}});
    for (Index a = 0; a < tokens; ++a) {
        const auto cluster = [&](Index query) {
            return std::span(members).subspan(static_cast<std::size_t>(query * 3), 3);
        };
        EXPECT_EQ(std::accumulate(cluster(a).begin(), cluster(a).end(), 0.0), 1);
        for (Index b = 0; b < a; ++b)
            if (std::ranges::equal(cluster(a), cluster(b))) {
                EXPECT_TRUE(near(row(weights, a), row(weights, b), exact)) << a << ", " << b;
            }
    }
}

TEST_F(Clusters, ThatAreFarApartAreFound) {
    const std::vector<Index> group{0, 1, 2, 2, 0, 1, 1, 0, 2};
    for (Index token = 0; token < tokens; ++token)
        inputs.query(token, group[static_cast<std::size_t>(token)]) += 50;
    // They begin in tokens 0, 3 and 6, of one group each.
    const auto members = numbers("members", {{"clusters", 3}, {"steps", 3}});
    const std::vector<std::size_t> cluster_of_group{0, 2, 1};
    for (std::size_t token = 0; token < tokens; ++token)
        EXPECT_EQ(members[token * 3 + cluster_of_group[static_cast<std::size_t>(group[token])]], 1) << token;
}

TEST_F(Clusters, OfOneAttendAsTheMeanQueryDoes) {
    const auto weights = run(of({{"clusters", 1}}), inputs).weights;
    Inputs mean{.query = Tensor({1, width}), .key = inputs.query, .value = inputs.query};
    for (Index token = 0; token < tokens; ++token)
        for (Index c = 0; c < width; ++c)
            mean.query(0, c) += inputs.query(token, c) / static_cast<double>(tokens);
    const auto of_mean = run(spec(R"({"source": {"type": "cross"}})"), mean).weights;
    for (Index query = 0; query < tokens; ++query)
        EXPECT_TRUE(near(row(weights, query), of_mean, exact));
}

TEST_F(Clusters, OfOneQueryEachAreExact) {
    EXPECT_TRUE(near(run(of({{"clusters", 100}, {"steps", 1}}), inputs), run(spec("{}"), inputs), exact));
}

TEST_F(Clusters, KeepTheirRowWhereNoKeyIsExact) {
    const auto shared = run(of({{"clusters", 2}}), inputs).weights,
               improved = run(of({{"clusters", 2}, {"exact_keys", 3}}), inputs).weights,
               plain = run(spec("{}"), inputs).weights;
    for (Index query = 0; query < tokens; ++query) {
        const auto before = row(shared, query), after = row(improved, query), own = row(plain, query);
        std::vector<double> sorted(before.begin(), before.end());
        std::ranges::sort(sorted, std::greater());
        double given = 0, divided = 0, of_own = 0;
        for (std::size_t key = 0; key < tokens; ++key)
            if (before[key] >= sorted[2]) {
                given += before[key];
                divided += after[key];
                of_own += own[key];
            } else {
                EXPECT_NEAR(after[key], before[key], exact);
            }
        EXPECT_NEAR(divided, given, exact);
        for (std::size_t key = 0; key < tokens; ++key)
            if (before[key] >= sorted[2]) {
                EXPECT_NEAR(after[key] / given, own[key] / of_own, exact);
            }
    }
    EXPECT_TRUE(near(run(of({{"exact_keys", 100}}), inputs).weights, plain, exact));
}

TEST_F(Clusters, DoNotLookAtPadding) {
    const Json padding{{"mask", {{"type", "padding"}, {"key_lengths", 4}}}};
    for (const Index kept : {0, 2, 100}) {
        const auto weights = run(of({{"clusters", 3}, {"exact_keys", kept}}, padding), inputs).weights;
        for (Index query = 0; query < tokens; ++query)
            for (Index key = 4; key < tokens; ++key)
                EXPECT_EQ(row(weights, query)[static_cast<std::size_t>(key)], 0);
    }
}

}  // namespace

}  // namespace headlight::invariants_clusters_test
