// Heads of every kind, with every sharing and gate, run, equal the scalar oracle and are not changed by being
// traced; what cannot be is refused with a reason.

#include "tests/oracle/oracle.h"
#include "tests/support/attention_runs.h"
#include "tests/support/refusal.h"

namespace headlight::combinations_heads2_test {

using namespace test;

namespace {

const std::vector<std::string> kinds{
    R"("type": "single")",
    R"("type": "multi", "heads": 4)",
    R"("type": "multi_query", "heads": 4)",
    R"("type": "grouped_query", "heads": 4, "kv_heads": 2)",
    R"("type": "grouped_query", "heads": 4, "kv_heads": 4)",
    R"("type": "talking", "heads": 2)",
};
const std::vector<std::string> sharings{"none", "query_key", "key_value"};
const std::vector<std::string> gates{"none", "elementwise", "headwise"};
const std::vector<std::string> projections{
    R"({"type": "none"})",
    R"({"type": "identity"})",
    R"({"type": "learned"})",
    R"({"type": "learned", "bias": true, "dimension": 12})",
};
const std::vector<std::string> rests{
    R"({})",
    R"({"mask": {"type": "causal"}})",
    R"({"mask": {"type": "matrix", "allowed": [[0,1,1,0,0],[0,0,0,0,0],[1,0,0,1,0],[1,1,1,1,0],[1,0,0,0,1]]}})",
    R"({"mask": {"type": "causal"}, "mask_order": "before_scale", "score": {"type": "general"}})",
    R"({"score": {"type": "additive", "activation": "relu"}, "normalizer": {"type": "hard"}})",
    R"({"score": {"type": "scaled_dot", "vector_norm": "rms", "softcap": 2}, "position": {"type": "alibi"}})",
    R"({"score": {"type": "dot", "vector_norm": "l2"}, "normalizer": {"type": "sparsemax"}})",
};

Inputs inputs_of(bool cross) {
    RandomEngine random(31);
    Inputs inputs;
    inputs.query = random_tensor({5, 8}, random);
    if (cross) {
        inputs.key = random_tensor({5, 8}, random);
        inputs.value = random_tensor({5, 8}, random);
    }
    return inputs;
}

class EveryKindOfHeads
    : public testing::TestWithParam<std::tuple<std::string, std::string, std::string, bool>> {
protected:
    AttentionSpec spec_with(const std::string& projection, const std::string& rest) const {
        const auto& [kind, sharing, gate, cross] = GetParam();
        Json json = Json::parse(rest);
        json["source"] = {{"type", cross ? "cross" : "self"}};
        json["projections"] = Json::parse(projection);
        json["heads"] =
            Json::parse("{" + kind + R"(, "sharing": ")" + sharing + R"(", "gate": ")" + gate + "\"}");
        return spec_from_json(json);
    }
};

TEST_P(EveryKindOfHeads, RunsAndEqualsTheOracle) {
    const Inputs inputs = inputs_of(std::get<3>(GetParam()));
    int plans = 0;
    for (const std::string& projection : projections)
        for (const std::string& rest : rests) {
            const AttentionSpec each = spec_with(projection, rest);
            SCOPED_TRACE(to_json(each).dump());
            std::shared_ptr<const Plan> plan;
            try {
                plan = planned(each, inputs, 5);
            } catch (const Error& error) {
                EXPECT_FALSE(error.detail().expected.empty()) << error.what();
                EXPECT_FALSE(error.detail().got.empty()) << error.what();
                continue;
            }
            ++plans;
            const OracleResult oracle = scalar_oracle(plan->spec, plan->inputs, plan->seed);
            const Numbers numbers = run(plan);
            ASSERT_TRUE(near(numbers, {oracle.weights, oracle.output}, 1e-12));
            if (plan->spec.normalizer.type != NormalizerType::hard) {
                ASSERT_TRUE(near(run<float>(plan), {oracle.weights, oracle.output}, 1e-5));
            }
            const Trace trace = record(plan);
            ASSERT_EQ(stage(trace, "weights"), numbers.weights);
            ASSERT_EQ(stage(trace, "output"), numbers.output);
            Executor<double> discarding(plan, Executor<double>::Weights::discard);
            discarding.run();
            ASSERT_TRUE(std::ranges::equal(discarding.output(), numbers.output));
        }
    const auto& [kind, sharing, gate, cross] = GetParam();
    const bool is_grouped =
        kind.find("query") != std::string::npos && kind.find(R"("kv_heads": 4)") == std::string::npos;
    const bool is_impossible = is_grouped && sharing == "query_key";
    EXPECT_EQ(plans > 0, !is_impossible);
}

INSTANTIATE_TEST_SUITE_P(Heads, EveryKindOfHeads,
                         testing::Combine(testing::ValuesIn(kinds), testing::ValuesIn(sharings),
                                          testing::ValuesIn(gates), testing::Bool()));

struct Refusal {
    std::string spec;
    std::vector<std::string> says;
};

TEST(HeadsThatCannotBe, AreRefusedWithAReason) {
    const std::vector<Refusal> rows{
        {R"({"heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2}})",
         {"one width in each of 4 and 2 heads", "8"}},
        {R"({"projections": {"type": "learned"}, "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 3}})",
         {"heads.kv_heads", "divides the 4 heads", "3"}},
        {R"({"projections": {"type": "learned"}, "heads": {"type": "multi_query", "heads": 3}})",
         {"3 heads", "8"}},
        {R"({"projections": {"type": "learned"}, "heads": {"type": "multi_query", "heads": 4, "sharing": "query_key"}})",
         {"heads.sharing", "as many heads of keys as of queries"}},
        {R"({"projections": {"type": "learned"}, "heads": {"type": "talking", "heads": 2},
             "algorithm": {"type": "online_softmax"}})",
         {"heads", "talking"}},
        {R"({"projections": {"type": "learned"}, "heads": {"type": "talking", "heads": 2},
             "selection": {"type": "top_k"}})",
         {"selection", "top_k"}},
        {R"({"algorithm": {"type": "latent"}})", {"learned projections"}},
        {R"({"projections": {"type": "learned"}, "mask": {"type": "window", "size": 2},
             "algorithm": {"type": "latent", "merged": 2}})",
         {"latent", "mask", "merged"}},
        {R"({"projections": {"type": "learned"}, "selection": {"type": "indexer"},
             "algorithm": {"type": "latent", "merged": 2}})",
         {"latent", "selection", "indexer"}},
        {R"({"projections": {"type": "learned"}, "heads": {"type": "multi_query", "heads": 4},
             "algorithm": {"type": "latent"}})",
         {"each head makes keys and values of its own"}},
        {R"({"projections": {"type": "learned", "dimension": 9}, "algorithm": {"type": "differential"}})",
         {"even width", "9"}},
        {R"({"mask": {"type": "causal"}, "algorithm": {"type": "external_memory"}})", {"mask"}},
        {R"({"mask": {"type": "causal"}, "algorithm": {"type": "cross_covariance"}})", {"mask"}},
        {R"({"mask": {"type": "causal"}, "algorithm": {"type": "fastformer"}})", {"mask"}},
        {R"({"mask": {"type": "causal"}, "algorithm": {"type": "efficient_additive"}})", {"mask"}},
        {R"({"mask": {"type": "causal"}, "algorithm": {"type": "involution"}})", {"mask"}},
        {R"({"mask": {"type": "causal"}, "algorithm": {"type": "outlook"}})", {"mask"}},
        {R"({"position": {"type": "rope"}, "algorithm": {"type": "coordinate"}})", {"position", "rope"}},
        {R"({"position": {"type": "rope"}, "algorithm": {"type": "contextual"}})", {"position", "rope"}},
        {R"({"mask": {"type": "causal"}, "algorithm": {"type": "shuffle"}})", {"mask"}},
        {R"({"position": {"type": "rope"}, "algorithm": {"type": "attention_gate"}})", {"position", "rope"}},
        {R"({"position": {"type": "rope"}, "algorithm": {"type": "tropical"}})", {"position", "rope"}},
        {R"({"position": {"type": "rope"}, "algorithm": {"type": "global_projections"}})",
         {"position", "rope"}},
        {R"({"source": {"type": "cross"}, "algorithm": {"type": "global_projections"}})", {"source"}},
        {R"({"mask": {"type": "causal"}, "algorithm": {"type": "quantized_cache"}})", {"mask"}},
        {R"({"mask": {"type": "causal"}, "algorithm": {"type": "clustered"}})", {"mask"}},
        {R"({"mask": {"type": "causal"}, "algorithm": {"type": "attention_pooling"}})", {"mask"}},
        {R"({"algorithm": {"type": "attention_pooling", "query": "mean", "seeds": 3}})", {"seeds", "3"}},
        {R"({"algorithm": {"type": "attention_pooling", "norms": true}})", {"norms", "block"}},
        {R"({"mask": {"type": "causal"}, "algorithm": {"type": "pooled_queries"}})", {"mask", "ask as one"}},
        {R"({"mask": {"type": "causal"}, "algorithm": {"type": "token_sampling"}})", {"mask", "are kept"}},
        {R"({"position": {"type": "rope"}, "algorithm": {"type": "pooled_queries"}})", {"position", "rope"}},
        {R"({"mask": {"type": "causal"}, "algorithm": {"type": "additive_pooling"}})", {"mask"}},
        {R"({"position": {"type": "rope"}, "algorithm": {"type": "hierarchical_pooling"}})",
         {"position", "rope"}},
        {R"({"mask": {"type": "causal"}, "algorithm": {"type": "class_residual"}})", {"mask"}},
        {R"({"position": {"type": "rope"}, "algorithm": {"type": "memory_hops"}})", {"position", "rope"}},
        {R"({"mask": {"type": "causal"}, "algorithm": {"type": "memory_tokens"}})", {"mask"}},
        {R"({"mask": {"type": "causal"}, "algorithm": {"type": "energy_descent"}})", {"mask"}},
        {R"({"mask": {"type": "causal"}, "algorithm": {"type": "product_keys"}})", {"mask"}},
        {R"({"position": {"type": "rope"}, "algorithm": {"type": "token_parameters"}})",
         {"position", "rope"}},
        {R"({"position": {"type": "rope"}, "algorithm": {"type": "merged_sources"}})", {"position", "rope"}},
        {R"({"mask": {"type": "causal"}, "algorithm": {"type": "token_merging"}})", {"mask"}},
        {R"({"mask": {"type": "causal"}, "algorithm": {"type": "slot_attention"}})", {"mask"}},
        {R"({"mask": {"type": "causal"}, "algorithm": {"type": "capsules"}})", {"mask"}},
        {R"({"position": {"type": "rope"}, "algorithm": {"type": "capsules"}})", {"position", "rope"}},
        {R"({"source": {"type": "cross"}, "algorithm": {"type": "two_stream"}})", {"source", "self"}},
        {R"({"position": {"type": "convolutional"}, "algorithm": {"type": "two_stream"}})", {"position"}},
        {R"({"position": {"type": "rope"}, "algorithm": {"type": "mamba3"}})", {"position", "rope"}},
        {R"({"position": {"type": "rope"}, "algorithm": {"type": "hgrn"}})", {"position", "rope"}},
        {R"({"position": {"type": "rope"}, "algorithm": {"type": "mega"}})", {"position", "rope"}},
        {R"({"position": {"type": "rope"}, "algorithm": {"type": "retention", "silu": "all"}})",
         {"position", "rope"}},
        {R"({"algorithm": {"type": "retention", "layer": 9}})", {"layer", "9"}},
        {R"({"algorithm": {"type": "yoso", "convolution": 4}})", {"convolution", "4"}},
        {R"({"algorithm": {"type": "long_convolution", "order": 3}})", {"order", "3"}},
        {R"({"position": {"type": "rope"}, "algorithm": {"type": "long_convolution"}})",
         {"position", "rope"}},
        {R"({"position": {"type": "rope"}, "algorithm": {"type": "spatial_gating"}})", {"position", "rope"}},
        {R"({"mask": {"type": "causal"}, "algorithm": {"type": "h_transformer"}})", {"mask"}},
        {R"({"mask": {"type": "causal"}, "algorithm": {"type": "sorted_blocks"}})", {"mask"}},
        {R"({"algorithm": {"type": "sorted_blocks", "among": "earlier", "cut": 1}})", {"cut", "1"}},
        {R"({"source": {"type": "cross"}, "algorithm": {"type": "turing", "memory": "written"}})",
         {"source", "self"}},
        {R"({"algorithm": {"type": "turing", "memory": "written", "addressing": "content"}})",
         {"addressing", "content"}},
        {R"({"mask": {"type": "padding", "key_lengths": 1},
             "algorithm": {"type": "turing", "memory": "written"}})",
         {"mask", "hides a token from itself"}},
        {R"({"mask": {"type": "causal"}, "algorithm": {"type": "video_sparse"}})", {"mask"}},
        {R"({"mask": {"type": "causal"}, "algorithm": {"type": "sparse_linear"}})", {"mask"}},
        {R"({"mask": {"type": "window", "size": 2}, "algorithm": {"type": "delta_correction"}})", {"mask"}},
        {R"({"mask": {"type": "window", "size": 2}, "algorithm": {"type": "cyclic_slots"}})", {"mask"}},
        {R"({"mask": {"type": "causal"}, "selection": {"type": "frame_heads"}})", {"mask"}},
        {R"({"position": {"type": "rope"}, "algorithm": {"type": "compressed_entries"}})",
         {"position", "rope"}},
        {R"({"algorithm": {"type": "compressed_entries", "rotated": 3}})", {"rotated", "3"}},
        {R"({"mask": {"type": "causal"}, "selection": {"type": "hashing", "chunk": 2},
             "algorithm": {"type": "kv_cache"}})",
         {"selection", "hashing"}},
        {R"({"selection": {"type": "balanced_hashing", "merge": "sums"}, "normalizer": {"type": "entmax"}})",
         {"normalizer", "entmax"}},
        {R"({"selection": {"type": "balanced_hashing", "hash": "signs", "rounds": 2}})", {"rounds", "2"}},
        {R"({"mask": {"type": "causal"}, "algorithm": {"type": "multiresolution"}})", {"mask"}},
        {R"({"position": {"type": "rope"}, "algorithm": {"type": "deformable"}})", {"position", "rope"}},
        {R"({"mask": {"type": "causal"}, "algorithm": {"type": "global_filter"}})", {"mask"}},
        {R"({"mask": {"type": "causal"}, "algorithm": {"type": "shared_points"}})", {"mask"}},
        {R"({"mask": {"type": "causal"}, "algorithm": {"type": "convolution_mix"}})", {"mask"}},
        {R"({"mask": {"type": "causal"}, "algorithm": {"type": "autocorrelation"}})", {"mask"}},
        {R"({"heads": {"type": "multi", "heads": 2}, "projections": {"type": "learned"},
             "algorithm": {"type": "co_attention"}})",
         {"heads", "a single one"}},
        {R"({"position": {"type": "rope"}, "algorithm": {"type": "pyramid_split"}})", {"position", "rope"}},
        {R"({"mask": {"type": "causal"}, "algorithm": {"type": "dual"}})", {"mask"}},
        {R"({"mask": {"type": "causal"}, "algorithm": {"type": "triangle"}})", {"mask"}},
        {R"({"position": {"type": "rope"}, "algorithm": {"type": "multi_dimensional"}})",
         {"position", "rope"}},
        {R"({"mask": {"type": "causal"}, "algorithm": {"type": "spatial_reduction"}})", {"mask"}},
        {R"({"position": {"type": "rope"}, "algorithm": {"type": "hgrn2"}})", {"position", "rope"}},
        {R"({"position": {"type": "rope"}, "algorithm": {"type": "infini"}})", {"position", "rope"}},
        {R"({"mask": {"type": "window", "size": 2}, "algorithm": {"type": "landmark"}})", {"mask"}},
        {R"({"mask": {"type": "causal"}, "algorithm": {"type": "lambda_layer"}})", {"mask"}},
        {R"({"position": {"type": "rope"}, "algorithm": {"type": "persistent_memory"}})",
         {"position", "rope"}},
        {R"({"position": {"type": "rope"}, "algorithm": {"type": "key_value_shift"}})", {"position", "rope"}},
        {R"({"projections": {"type": "learned"}, "heads": {"type": "multi_query", "heads": 2},
             "algorithm": {"type": "collaborative"}})",
         {"heads", "all features of the keys", "1 heads"}},
        {R"({"projections": {"type": "learned"}, "heads": {"type": "multi_query", "heads": 2},
             "algorithm": {"type": "interleaved_heads"}})",
         {"heads", "mixed into those of each", "1 heads"}},
        {R"({"position": {"type": "rope"}, "algorithm": {"type": "interleaved_heads", "rotary": true}})",
         {"position", "rope"}},
        {R"({"position": {"type": "alibi"}, "algorithm": {"type": "differential_2"}})",
         {"position", "alibi"}},
        {R"({"position": {"type": "rope"}, "algorithm": {"type": "simplicial"}})", {"position", "rope"}},
        {R"({"normalizer": {"type": "sparsemax"}, "algorithm": {"type": "local_linear"}})",
         {"normalizer", "sparsemax"}},
        {R"({"position": {"type": "rotary_values"}, "algorithm": {"type": "online_softmax"}})",
         {"position", "rotary_values"}},
        {R"({"position": {"type": "wall"}, "score": {"type": "gaussian"}})", {"wall", "score"}},
        {R"({"normalizer": {"temperature": 2}, "algorithm": {"type": "online_softmax"}})",
         {"normalizer.temperature", "2"}},
    };
    for (const Refusal& row : rows) {
        SCOPED_TRACE(row.spec);
        expect_refusal([&] { planned(spec(row.spec), inputs_of(false)); }, row.says);
    }
}

// Keys are given with another width than queries.
TEST(HeadsThatCannotBe, SharedQueriesAndKeysNeedTokensOfOneWidth) {
    RandomEngine random(3);
    Inputs inputs;
    inputs.query = random_tensor({3, 8}, random);
    inputs.key = random_tensor({4, 6}, random);
    expect_refusal(
        [&] {
            planned(spec(R"({"source": {"type": "cross"}, "projections": {"type": "learned"},
                             "heads": {"type": "multi", "heads": 2, "sharing": "query_key"}})"),
                    inputs);
        },
        {"one width", "8 and 6"});
}

}  // namespace

}  // namespace headlight::combinations_heads2_test
