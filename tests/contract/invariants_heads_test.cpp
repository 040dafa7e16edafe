// Invariant 21: what several heads are, and what they are not; and of invariant 32 what seeds pool.

#include "tests/support/attention_runs.h"

namespace headlight::invariants_heads_test {

using namespace test;

namespace {

constexpr double exact = 1e-12;
constexpr Index n = 5, width = 6, heads = 3, head_width = width / heads;

struct Invariant21 : testing::Test {
    RandomEngine random{21};
    AttentionSpec multi =
        spec(R"({"projections": {"type": "learned"}, "heads": {"type": "multi", "heads": 3}})");
    AttentionSpec single = spec(R"({"projections": {"type": "learned"}})");
    Inputs inputs{.query = random_tensor({n, width}, random)};

    Invariant21() {
        for (const std::string name : {"W_q", "W_k", "W_v", "W_o"})
            inputs.parameters[name] = random_tensor({width, width}, random);
    }
    const Tensor& parameter(const std::string& name) const { return inputs.parameters.at(name); }

    /// One head on its own: its block of columns of the fused matrices.
    Inputs alone(Index head) const {
        Inputs one{.query = inputs.query};
        for (const std::string name : {"W_q", "W_k", "W_v"})
            one.parameters[name] = columns_of(parameter(name), head * head_width, head_width);
        return one;
    }
};

std::vector<Index> range(Index first, Index count) {
    std::vector<Index> list;
    for (Index i = 0; i < count; ++i)
        list.push_back(first + i);
    return list;
}

TEST_F(Invariant21, FusedMatricesAreTheHeadsSideBySide) {
    const Numbers all = run(multi, inputs);
    for (Index head = 0; head < heads; ++head)
        EXPECT_TRUE(near(std::span(all.weights).subspan(static_cast<std::size_t>(head * n * n), n * n),
                         run(single, alone(head)).weights, exact))
            << head;
}

TEST_F(Invariant21, OutputIsTheSumOfTheHeadsThroughTheirRowsOfWo) {
    Tensor sum({n, width});
    for (Index head = 0; head < heads; ++head) {
        const Tensor context({n, head_width}, run(single, alone(head)).output);
        const Tensor part = product(context, rows_of(parameter("W_o"), range(head * head_width, head_width)));
        for (Index i = 0; i < sum.size(); ++i)
            sum[i] += part[i];
    }
    EXPECT_TRUE(near(run(multi, inputs).output, sum.values(), exact));
}

// O_h = A_h X (W_v W_o): the value and output matrices of a head act as one.
TEST_F(Invariant21, ValuesAndOutputActAsOneMatrix) {
    const Numbers all = run(multi, inputs);
    Tensor sum({n, width});
    for (Index head = 0; head < heads; ++head) {
        const Tensor A({n, n}, std::vector(all.weights.begin() + head * n * n,
                                           all.weights.begin() + (head + 1) * n * n));
        const Tensor circuit = product(columns_of(parameter("W_v"), head * head_width, head_width),
                                       rows_of(parameter("W_o"), range(head * head_width, head_width)));
        const Tensor part = product(product(A, inputs.query), circuit);
        for (Index i = 0; i < sum.size(); ++i)
            sum[i] += part[i];
    }
    EXPECT_TRUE(near(all.output, sum.values(), exact));
}

TEST_F(Invariant21, PermutingHeadsWithTheirRowsOfWoChangesNothing) {
    std::vector<Index> order;
    for (const Index head : {2, 0, 1})
        for (const Index column : range(head * head_width, head_width))
            order.push_back(column);
    Inputs permuted = inputs;
    for (const std::string name : {"W_q", "W_k", "W_v"})
        permuted.parameters[name] = transposed(rows_of(transposed(parameter(name)), order));
    permuted.parameters["W_o"] = rows_of(parameter("W_o"), order);
    EXPECT_TRUE(near(run(multi, permuted).output, run(multi, inputs).output, exact));
}

TEST_F(Invariant21, PermutingTokensPermutesWeightsAndOutput) {
    const std::vector<Index> order{3, 0, 4, 1, 2};
    Inputs permuted = inputs;
    permuted.query = rows_of(inputs.query, order);
    const Numbers before = run(multi, inputs);
    const Numbers after = run(multi, permuted);
    EXPECT_TRUE(near(after.output, rows_of(Tensor({n, width}, before.output), order).values(), exact));
    for (Index head = 0; head < heads; ++head)
        for (Index i = 0; i < n; ++i)
            for (Index j = 0; j < n; ++j)
                EXPECT_NEAR(after.weights[static_cast<std::size_t>((head * n + i) * n + j)],
                            before.weights[static_cast<std::size_t>((head * n + order[i]) * n + order[j])],
                            exact);
}

TEST_F(Invariant21, OneHeadOfManyIsASingleHead) {
    AttentionSpec one = multi;
    one.heads.heads = 1;
    Inputs without_output = inputs;
    without_output.parameters["W_o"] = identity(width);
    EXPECT_TRUE(near(run(one, without_output), run(single, inputs), exact));
}

// A bias of the keys adds q . b_k to every score of a row; a bias of the values comes out as b_v W_o.
TEST_F(Invariant21, BiasOfKeysIsInvisibleAndBiasOfQueriesIsNot) {
    AttentionSpec biased = multi;
    biased.projections.bias = true;
    Inputs with_bias = inputs;
    for (const std::string name : {"b_q", "b_k", "b_v", "b_o"})
        with_bias.parameters[name] = Tensor({width});
    const Numbers plain = run(multi, inputs);
    EXPECT_TRUE(near(run(biased, with_bias), plain, exact));
    with_bias.parameters["b_k"] = random_tensor({width}, random);
    EXPECT_TRUE(near(run(biased, with_bias), plain, exact));
    with_bias.parameters["b_q"] = random_tensor({width}, random);
    EXPECT_FALSE(near(run(biased, with_bias).weights, plain.weights, 0.001));
}

// Learned seeds as queries over a set of any order (pooling by multi-head attention, Lee et al. 2019).
using Invariant32OfSeeds = Invariant21;

TEST_F(Invariant32OfSeeds, SeedsPoolASetWhateverItsOrder) {
    AttentionSpec pooling = multi;
    pooling.source.type = SourceType::cross;
    const std::vector<Index> order{3, 0, 4, 1, 2};
    Inputs set = inputs, permuted = inputs;
    set.query = permuted.query = random_tensor({2, width}, random);
    set.key = set.value = inputs.query;
    permuted.key = permuted.value = rows_of(inputs.query, order);
    const Numbers before = run(pooling, set), after = run(pooling, permuted);
    EXPECT_TRUE(near(after.output, before.output, exact));
    for (Index row = 0; row < heads * 2; ++row)
        for (Index j = 0; j < n; ++j)
            EXPECT_NEAR(after.weights[static_cast<std::size_t>(row * n + j)],
                        before.weights[static_cast<std::size_t>(row * n + order[j])], exact);
}

}  // namespace

}  // namespace headlight::invariants_heads_test
