// What maps promise that are coarse in places, hashes in the mean, keys in parts and in caches that are too
// small.

#include "core/tensor/error.h"
#include "tests/support/attention_runs.h"

#include <numbers>
#include <numeric>
#include <set>

namespace headlight::invariants_coarse_test {

using namespace test;

namespace {

constexpr double exact = 1e-12;
constexpr Index tokens = 13, width = 6;

struct Coarse : testing::Test {
    RandomEngine random{120};
    Inputs inputs{.query = random_tensor({tokens, width}, random)};

    static AttentionSpec of(const Json& part, const Json& rest = Json::object()) {
        Json whole = part;
        whole.update(rest);
        return spec(whole.dump());
    }
    static Json algorithm(const std::string& type, Json options = Json::object()) {
        options["type"] = type;
        return {{"algorithm", options}};
    }
    static Json selection(const std::string& type, Json options = Json::object()) {
        options["type"] = type;
        return {{"selection", options}};
    }
    std::vector<double> numbers(const char* name, const AttentionSpec& whole) const {
        return stage(record(planned(whole, inputs)), name);
    }
    Numbers plain(const Json& rest = Json::object()) const { return run(of(Json::object(), rest), inputs); }
    static double at(const std::vector<double>& map, Index row, Index column) {
        return map[static_cast<std::size_t>(row * tokens + column)];
    }
    static std::span<const double> row(const std::vector<double>& map, Index query) {
        return std::span(map).subspan(static_cast<std::size_t>(query * tokens), tokens);
    }
};

const Json causal{{"mask", {{"type", "causal"}}}};

TEST_F(Coarse, HierarchiesAreExactWhereTokensAreNear) {
    const AttentionSpec whole = of(algorithm("h_transformer", {{"block", 2}}));
    const auto scores = numbers("scores", whole), halvings = numbers("halvings", whole),
               exact_scores = numbers("scaled_scores", of(Json::object()));
    for (Index i = 0; i < tokens; ++i)
        for (Index j = 0; j < tokens; ++j) {
            const bool is_near = std::abs(i / 2 - j / 2) <= 1;
            EXPECT_EQ(at(halvings, i, j) == 0, is_near) << i << ", " << j;
            if (is_near) {
                EXPECT_NEAR(at(scores, i, j), at(exact_scores, i, j), exact);
            }
        }
    EXPECT_EQ(at(halvings, 0, 12), 2);
}

TEST_F(Coarse, HierarchiesShareTheNumberOfMeans) {
    const auto scores = numbers("scores", of(algorithm("h_transformer", {{"block", 2}})));
    // Tokens 0 and 6 are three blocks of two from each other, and neighbours as blocks of four.
    double sum = 0;
    for (const Index i : {0, 1})
        for (const Index j : {6, 7}) {
            EXPECT_NEAR(at(scores, i, j), at(scores, 0, 6), exact);
            for (Index c = 0; c < width; ++c)
                sum += inputs.query(i, c) * inputs.query(j, c);
        }
    EXPECT_NEAR(at(scores, 0, 6), sum / 4 / std::sqrt(static_cast<double>(width)), exact);
}

TEST_F(Coarse, HierarchiesOfLargeBlocksAreExact) {
    EXPECT_TRUE(near(run(of(algorithm("h_transformer", {{"block", 7}})), inputs), plain(), exact));
    Inputs both = inputs;
    both.key = both.value = inputs.query;
    EXPECT_THROW(planned(of(algorithm("h_transformer"), {{"source", {{"type", "cross"}}}}), both), Error);
}

TEST_F(Coarse, ConstantBlocksLoseNothing) {
    for (Index token = 1; token < tokens; token += 2)
        std::ranges::copy(inputs.query.row(token - 1), inputs.query.row(token).begin());
    EXPECT_TRUE(
        near(run(of(algorithm("multiresolution", {{"block", 2}, {"refined", 0}})), inputs), plain(), exact));
    // Blocks of two are one number of the first level, and those of the next are not.
    EXPECT_TRUE(near(run(of(algorithm("h_transformer", {{"block", 4}})), inputs), plain(), exact));
}

TEST_F(Coarse, MapsAreRefinedWhereTheyAreLargest) {
    for (const Index refined : {0, 1, 4, 25}) {
        const AttentionSpec whole = of(algorithm("multiresolution", {{"block", 3}, {"refined", refined}}));
        const auto pairs = numbers("refined_pairs", whole), coarse = numbers("coarse_scores", whole),
                   scores = numbers("scores", whole), all = numbers("scaled_scores", of(Json::object()));
        std::vector<double> kept, left;
        for (Index a = 0; a < 5; ++a)
            for (Index b = 0; b < 5; ++b)
                (at(pairs, 3 * a, 3 * b) > 0 ? kept : left)
                    .push_back(coarse[static_cast<std::size_t>(5 * a + b)]);
        EXPECT_EQ(std::ssize(kept), refined);
        if (!kept.empty() && !left.empty()) {
            EXPECT_GE(*std::ranges::min_element(kept), *std::ranges::max_element(left));
        }
        for (Index i = 0; i < tokens; ++i)
            for (Index j = 0; j < tokens; ++j)
                EXPECT_NEAR(at(scores, i, j),
                            at(pairs, i, j) > 0 ? at(all, i, j)
                                                : coarse[static_cast<std::size_t>(5 * (i / 3) + j / 3)],
                            exact);
    }
    EXPECT_TRUE(near(run(of(algorithm("multiresolution", {{"refined", 100}})), inputs), plain(), exact));
}

TEST_F(Coarse, RowsSumToOneAndOfRefinedBlocksAlone) {
    const auto all = run(of(algorithm("multiresolution")), inputs).weights,
               refined = run(of(algorithm("multiresolution", {{"coarse", false}})), inputs).weights,
               pairs = numbers("refined_pairs", of(algorithm("multiresolution")));
    for (Index query = 0; query < tokens; ++query) {
        EXPECT_NEAR(std::accumulate(row(all, query).begin(), row(all, query).end(), 0.0), 1, exact);
        const bool has_any = std::ranges::any_of(row(pairs, query), [](double pair) { return pair > 0; });
        EXPECT_NEAR(std::accumulate(row(refined, query).begin(), row(refined, query).end(), 0.0), has_any,
                    exact);
        for (Index key = 0; key < tokens; ++key)
            EXPECT_EQ(at(refined, query, key) > 0, at(pairs, query, key) > 0);
    }
}

TEST_F(Coarse, MapsDoNotLookAtPadding) {
    const Json padding{{"mask", {{"type", "padding"}, {"key_lengths", 5}}}};
    for (const char* type : {"h_transformer", "multiresolution"}) {
        const AttentionSpec whole = of(algorithm(type, {{"block", 2}}), padding);
        const auto before = run(whole, inputs).weights;
        Inputs other = inputs;
        for (Index token = 5; token < tokens; ++token)
            std::ranges::fill(other.query.row(token), 3.0);
        const auto after = run(whole, other).weights;
        for (Index query = 0; query < 5; ++query)
            for (Index key = 0; key < tokens; ++key) {
                EXPECT_EQ(at(before, query, key) > 0, key < 5) << type;
                EXPECT_NEAR(at(before, query, key), at(after, query, key), exact) << type;
            }
    }
}

TEST_F(Coarse, HashesDependOnTheAngleAlone) {
    const AttentionSpec whole = of(algorithm("yoso", {{"hashes", 5}}));
    const auto weights = run(whole, inputs).weights;
    Inputs longer = inputs;
    for (Index token = 0; token < tokens; ++token)
        for (double& number : longer.query.row(token))
            number *= std::pow(1e20, static_cast<double>(token - 6));
    EXPECT_TRUE(near(run(whole, longer).weights, weights, exact));
    for (Index i = 0; i < tokens; ++i) {
        EXPECT_EQ(at(weights, i, i), 1);
        for (Index j = 0; j < tokens; ++j)
            EXPECT_NEAR(at(weights, i, j), at(weights, j, i), exact);
    }
}

TEST_F(Coarse, HashesOfKnownAngles) {
    Inputs known{.query = Tensor({1, 2}, {3, 0}), .key = Tensor({5, 2}, {2, 0, 0, 1, -5, 0, 1, 1, 0, 0})};
    known.value = known.key;
    const Json cross{{"source", {{"type", "cross"}}}};
    const auto chances = [&](Index hashes) {
        return run(of(algorithm("yoso", {{"hashes", hashes}}), cross), known).weights;
    };
    EXPECT_TRUE(near(chances(1), std::vector<double>{1, 0.5, 0, 0.75, 0.5}, exact));
    EXPECT_TRUE(near(chances(3), std::vector<double>{1, 0.125, 0, 0.421875, 0.125}, exact));
}

TEST_F(Coarse, HashesGiveContextsOfLengthOne) {
    const Numbers whole = run(of(algorithm("yoso")), inputs),
                  raw = run(of(algorithm("yoso", {{"normalized", false}})), inputs);
    EXPECT_EQ(whole.weights, raw.weights);
    for (Index query = 0; query < tokens; ++query) {
        double square = 0, length = 0;
        for (Index c = 0; c < width; ++c) {
            const auto cell = static_cast<std::size_t>(query * width + c);
            square += whole.output[cell] * whole.output[cell];
            length += raw.output[cell] * raw.output[cell];
        }
        EXPECT_NEAR(square, 1, exact);
        for (Index c = 0; c < width; ++c) {
            const auto cell = static_cast<std::size_t>(query * width + c);
            EXPECT_NEAR(whole.output[cell] * std::sqrt(length), raw.output[cell], exact);
        }
    }
}

// Hyperplanes that are drawn have both on one side as often as the angle says.
TEST_F(Coarse, HashesAreTheMeanOfHyperplanes) {
    const auto weights = run(of(algorithm("yoso", {{"hashes", 1}})), inputs).weights;
    constexpr int planes = 20000;
    std::vector<double> together(static_cast<std::size_t>(tokens * tokens), 0.0);
    for (int plane = 0; plane < planes; ++plane) {
        const Tensor normal = random_tensor({width}, random);
        std::vector<bool> above;
        for (Index token = 0; token < tokens; ++token)
            above.push_back(std::inner_product(inputs.query.row(token).begin(), inputs.query.row(token).end(),
                                               normal.values().begin(), 0.0) > 0);
        for (std::size_t i = 0; i < above.size(); ++i)
            for (std::size_t j = 0; j < above.size(); ++j)
                together[i * above.size() + j] += above[i] == above[j] ? 1.0 / planes : 0.0;
    }
    EXPECT_TRUE(near(together, weights, 0.02));
}

TEST_F(Coarse, PartsMergeToTheWhole) {
    for (const Index parts : {1, 2, 5, 100})
        for (const Json& rest :
             {Json::object(), causal, Json{{"mask", {{"type", "padding"}, {"key_lengths", 4}}}}}) {
            EXPECT_TRUE(
                near(run(of(algorithm("split_keys", {{"parts", parts}}), rest), inputs), plain(rest), exact))
                << parts;
        }
}

TEST_F(Coarse, PartsAreSoftmaxesOfTheirOwn) {
    const AttentionSpec whole = of(algorithm("split_keys", {{"parts", 3}}), causal);
    const auto parts = numbers("part_weights", whole), shares = numbers("part_shares", whole),
               sums = numbers("log_sums", whole), scores = numbers("scores", whole);
    for (Index query = 0; query < tokens; ++query)
        for (Index part = 0; part < 3; ++part) {
            double weight = 0, power = 0;
            for (Index key = 5 * part; key < std::min<Index>(5 * part + 5, query + 1); ++key) {
                weight += at(parts, query, key);
                power += std::exp(at(scores, query, key));
            }
            const auto cell = static_cast<std::size_t>(3 * query + part);
            EXPECT_NEAR(weight, 5 * part <= query, exact);
            EXPECT_NEAR(std::exp(sums[cell]), power, exact * std::max(power, 1.0));
            EXPECT_EQ(shares[cell] > 0, 5 * part <= query);
        }
}

TEST_F(Coarse, ActiveQueriesAreThoseFurthestFromTheMean) {
    const auto of_active = [&](Index active) {
        return of({{"normalizer", {{"type", "prob_sparse"}, {"active", active}}}});
    };
    const auto spread = numbers("sparsity", of_active(4)), active = numbers("active_queries", of_active(4)),
               weights = run(of_active(4), inputs).weights;
    const Numbers soft = plain();
    EXPECT_EQ(std::accumulate(active.begin(), active.end(), 0.0), 4);
    std::vector<double> sorted = spread;
    std::ranges::sort(sorted, std::greater());
    for (Index query = 0; query < tokens; ++query) {
        const auto cell = static_cast<std::size_t>(query);
        EXPECT_EQ(active[cell] > 0, spread[cell] >= sorted[3]);
        for (Index key = 0; key < tokens; ++key)
            EXPECT_NEAR(at(weights, query, key),
                        active[cell] > 0 ? at(soft.weights, query, key) : 1.0 / tokens, exact);
    }
    EXPECT_TRUE(near(run(of_active(100), inputs), soft, exact));
    for (const double weight : run(of_active(0), inputs).weights)
        EXPECT_NEAR(weight, 1.0 / tokens, exact);
}

// So many draws hit every key: the spread is that of all.
TEST_F(Coarse, DrawnKeysEstimateTheSpread) {
    const auto of_drawn = [&](Index drawn) {
        return of({{"normalizer", {{"type", "prob_sparse"}, {"active", 4}, {"drawn", drawn}}}});
    };
    EXPECT_TRUE(near(run(of_drawn(1024), inputs), run(of_drawn(0), inputs), exact));
    const auto one = numbers("sparsity", of_drawn(1)), some = numbers("sparsity", of_drawn(5)),
               all = numbers("sparsity", of_drawn(0));
    for (std::size_t query = 0; query < one.size(); ++query) {
        EXPECT_NEAR(one[query], 0, exact) << "one score is its own mean";
        EXPECT_GE(some[query], 0);
    }
    EXPECT_NE(some, all);
}

TEST_F(Coarse, LazyQueriesGiveTheSameToWhatTheyMaySee) {
    const auto weights =
        run(of({{"normalizer", {{"type", "prob_sparse"}, {"active", 0}}}}, causal), inputs).weights;
    for (Index query = 0; query < tokens; ++query)
        for (Index key = 0; key < tokens; ++key)
            EXPECT_NEAR(at(weights, query, key), key <= query ? 1.0 / static_cast<double>(query + 1) : 0,
                        exact);
}

struct Caches : Coarse {
    static AttentionSpec cache(const std::string& policy, Json options) {
        options["policy"] = policy;
        return of(selection("eviction", options), causal);
    }
};

TEST_F(Caches, ThatHoldEverythingDropNothing) {
    for (const char* policy : {"h2o", "tova", "snapkv"})
        EXPECT_TRUE(near(run(cache(policy, {{"budget", 100}}), inputs), plain(causal), exact)) << policy;
    EXPECT_TRUE(near(run(cache("snapkv", {{"prompt", 100}, {"budget", 1}}), inputs), plain(causal), exact));
}

TEST_F(Caches, AreNeverLargerThanTheirBudget) {
    for (const char* policy : {"h2o", "tova"})
        for (const Index recent : {0, 2, 9}) {
            const auto weights = run(cache(policy, {{"budget", 4}, {"recent", recent}}), inputs).weights;
            for (Index query = 0; query < tokens; ++query) {
                EXPECT_EQ(std::ranges::count_if(row(weights, query), [](double w) { return w > 0; }),
                          std::min<Index>(query + 1, 5));
                for (Index key = 0; key < query; ++key)
                    EXPECT_FALSE(at(weights, query, key) > 0 && at(weights, query - 1, key) == 0)
                        << "what is dropped comes back";
            }
        }
}

TEST_F(Caches, KeepTheNewest) {
    for (const char* policy : {"h2o", "tova"}) {
        const auto weights = run(cache(policy, {{"budget", 4}, {"recent", 2}}), inputs).weights;
        for (Index query = 2; query < tokens; ++query)
            for (Index key = query - 2; key <= query; ++key)
                EXPECT_GT(at(weights, query, key), 0) << policy;
        const auto newest = run(cache(policy, {{"budget", 3}, {"recent", 3}}), inputs);
        EXPECT_TRUE(near(newest, run(spec(R"({"mask": {"type": "window", "size": 4}})"), inputs), exact));
    }
}

TEST_F(Caches, OfHeadsThatDropTogetherHaveTheSameKeys) {
    for (const char* policy : {"h2o", "tova", "snapkv"})
        for (const bool together : {true, false}) {
            AttentionSpec whole =
                cache(policy, {{"budget", 3}, {"recent", 1}, {"prompt", 6}, {"together", together}});
            whole.heads.type = HeadsType::multi;
            whole.heads.heads = 2;
            const auto weights = run(whole, inputs).weights;
            const std::span<const double> second = std::span(weights).subspan(weights.size() / 2);
            bool are_alike = true;
            for (std::size_t pair = 0; pair < second.size(); ++pair)
                are_alike &= (weights[pair] > 0) == (second[pair] > 0);
            EXPECT_EQ(are_alike, together) << policy;
        }
}

TEST_F(Caches, DropWhatWasGivenLeast) {
    for (const bool adds : {true, false}) {
        const AttentionSpec whole = cache(adds ? "h2o" : "tova", {{"budget", 3}, {"recent", 0}});
        const auto weights = run(whole, inputs).weights, votes = numbers("key_votes", whole),
                   cached = numbers("in_cache", whole);
        std::vector<double> given(tokens, 0.0);
        for (Index query = 0; query < tokens; ++query) {
            for (Index key = 0; key < tokens; ++key) {
                double& all = given[static_cast<std::size_t>(key)];
                all = at(weights, query, key) + (adds ? all : 0);
                EXPECT_NEAR(at(votes, query, key), all, exact);
            }
            if (query < 3 || query + 1 == tokens)
                continue;
            Index least = -1;
            for (Index key = 0; key <= query; ++key)
                if (at(cached, query, key) > 0 && (least < 0 || given[static_cast<std::size_t>(key)] <
                                                                    given[static_cast<std::size_t>(least)]))
                    least = key;
            for (Index key = 0; key <= query; ++key)
                EXPECT_EQ(at(cached, query + 1, key), key == least ? 0 : at(cached, query, key))
                    << query << ", " << key;
        }
    }
}

TEST_F(Caches, OfAPromptAreChosenOnceByItsLastQueries) {
    const AttentionSpec whole =
        cache("snapkv", {{"budget", 5}, {"recent", 2}, {"prompt", 9}, {"pooling", 1}});
    const auto weights = run(whole, inputs).weights, cached = numbers("in_cache", whole);
    const auto before = plain(causal).weights;
    std::vector<double> votes;
    for (Index key = 0; key < 7; ++key)
        votes.push_back(at(before, 7, key) + at(before, 8, key));
    std::vector<double> sorted = votes;
    std::ranges::sort(sorted, std::greater());
    for (Index query = 0; query < tokens; ++query)
        for (Index key = 0; key < tokens; ++key) {
            const bool stays = query < 9 || key >= 7 || votes[static_cast<std::size_t>(key)] >= sorted[2];
            EXPECT_EQ(at(cached, query, key), stays) << query << ", " << key;
            EXPECT_EQ(at(weights, query, key) > 0, stays && key <= query);
        }
}

struct Balanced : Coarse {};

TEST_F(Balanced, ClustersHaveOneSize) {
    for (const Index clusters : {2, 3, 5}) {
        const auto weights = run(of(selection("balanced_hashing", {{"clusters", clusters}})), inputs).weights;
        const Index size = (tokens + clusters - 1) / clusters, last = tokens - size * ((tokens - 1) / size);
        std::multiset<Index> sizes;
        for (Index query = 0; query < tokens; ++query)
            sizes.insert(std::ranges::count_if(row(weights, query), [](double w) { return w > 0; }));
        EXPECT_EQ(std::ssize(sizes) - static_cast<Index>(sizes.count(size)), size == last ? 0 : last);
    }
}

TEST_F(Balanced, OneClusterIsEverything) {
    EXPECT_TRUE(near(run(of(selection("balanced_hashing", {{"clusters", 1}})), inputs), plain(), exact));
}

TEST_F(Balanced, LengthsMoveNothingButTheOrder) {
    const AttentionSpec whole = of(selection("balanced_hashing", {{"rounds", 2}}));
    const auto shared = numbers("shared_blocks", whole);
    Inputs larger = inputs;
    for (double& number : larger.query.values())
        number *= 1e150;
    larger.parameters = planned(whole, inputs)->inputs.parameters;
    EXPECT_EQ(stage(record(planned(whole, larger)), "shared_blocks"), shared);
}

// Along a direction that sees one feature of tokens of one length, the order is that of the feature.
TEST_F(Balanced, BlocksFollowTheOrder) {
    inputs.query = Tensor({6, 2});
    const std::vector<double> turns{0.3, 2.9, 1.1, 2.2, 0.7, 1.6};
    for (Index token = 0; token < 6; ++token) {
        inputs.query(token, 0) = std::cos(turns[static_cast<std::size_t>(token)]);
        inputs.query(token, 1) = std::sin(turns[static_cast<std::size_t>(token)]);
    }
    inputs.parameters["hash_directions"] = Tensor({4, 1}, {1, 0, 0, 0});
    const auto shared = numbers("shared_blocks", of(selection("balanced_hashing", {{"clusters", 3}})));
    const std::vector<Index> block{0, 2, 1, 2, 0, 1};  // the largest cosines first
    for (std::size_t i = 0; i < 6; ++i)
        for (std::size_t j = 0; j < 6; ++j)
            EXPECT_EQ(shared[6 * i + j], block[i] == block[j]) << i << ", " << j;
}

}  // namespace

}  // namespace headlight::invariants_coarse_test
