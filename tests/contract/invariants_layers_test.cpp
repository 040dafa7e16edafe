// What a few layers promise of which each reads something of those below it, two streams, points in blocks
// and layers, and the memory of an earlier segment.

#include "core/tensor/error.h"
#include "tests/support/attention_runs.h"
#include "tests/support/map_rows.h"

#include <numeric>

namespace headlight::invariants_layers_test {

using namespace test;

namespace {

constexpr double exact = 1e-12;
constexpr Index tokens = 6, width = 4;

AttentionSpec of(Json algorithm, const Json& rest = Json::object()) {
    Json whole = rest;
    whole["algorithm"] = std::move(algorithm);
    return spec(whole.dump());
}
Json stack(const std::string& link, Index layers = 2) {
    return {{"type", "layer_stack"}, {"link", link}, {"layers", layers}};
}
const Json learned{{"projections", {{"type", "learned"}}}, {"heads", {{"type", "multi"}, {"heads", 2}}}};
const Json cross{{"source", {{"type", "cross"}}}};
const Json causal{{"mask", {{"type", "causal"}}}};

struct Layers : testing::Test {
    RandomEngine random{141};
    Inputs inputs{.query = random_tensor({tokens, width}, random)};
    Inputs both{.query = random_tensor({3, width}, random),
                .key = random_tensor({tokens, width}, random),
                .value = random_tensor({tokens, width}, random)};

    static std::vector<double> numbers(const char* name, const AttentionSpec& of_spec, const Inputs& given) {
        return stage(record(planned(of_spec, given)), name);
    }
    static Tensor sum(const Tensor& a, const std::vector<double>& b) {
        Tensor result = a;
        for (Index at = 0; at < result.size(); ++at)
            result.values()[static_cast<std::size_t>(at)] += b[static_cast<std::size_t>(at)];
        return result;
    }
};

TEST_F(Layers, AreOneAfterAnother) {
    const Json turned{{"position", {{"type", "rope"}}}},
        tempered{{"position", {{"type", "temperature_tuning"}, {"length", 2}}}};
    for (const Json& rest : {Json::object(), causal, turned, tempered}) {
        Inputs each = inputs;
        for (int layer = 1; layer < 3; ++layer)
            each.query = sum(each.query, run(spec(rest.dump()), each).output);
        EXPECT_TRUE(near(run(of(stack("none", 3), rest), inputs), run(spec(rest.dump()), each), exact));
    }
}

TEST_F(Layers, OfASecondSequenceReadItAgain) {
    Inputs each = both;
    each.query = sum(each.query, run(spec(cross.dump()), each).output);
    EXPECT_TRUE(near(run(of(stack("none"), cross), both), run(spec(cross.dump()), each), exact));
}

// Keys and values may be given apart: each layer reads its own of both.
TEST_F(Layers, OfASecondSequenceHaveItsValues) {
    Json rest = learned;
    rest["source"] = {{"type", "cross"}};
    const AttentionSpec two = of(stack("none"), rest);
    both.parameters = planned(two, both)->inputs.parameters;
    const auto of_layer = [&](std::initializer_list<const char*> names, const Tensor& query) {
        Inputs each = both;
        each.query = query;
        for (const char* name : names)
            each.parameters["W_" + std::string(name)] =
                both.parameters.at("W_" + std::string(name) + "_layers");
        return run(spec(rest.dump()), each);
    };
    const Tensor above = sum(both.query, of_layer({"o"}, both.query).output);
    EXPECT_TRUE(near(run(two, both), of_layer({"q", "k", "v"}, above), exact));
}

TEST_F(Layers, AddTheScoresOfTheLayerBelow) {
    const AttentionSpec linked = of(stack("scores"), learned);
    Json plain = learned;
    const auto first = numbers("scaled_scores", spec(plain.dump()), inputs),
               own = numbers("layer_scores", linked, inputs), scores = numbers("scores", linked, inputs);
    ASSERT_EQ(scores.size(), first.size());
    for (std::size_t at = 0; at < scores.size(); ++at)
        EXPECT_NEAR(scores[at], own[at] + first[at], exact);
    // The first layer is as it was.
    const auto maps = numbers("layer_weights", linked, inputs),
               unlinked = numbers("layer_weights", of(stack("none"), learned), inputs);
    for (Index row = 0; row < 2 * tokens; ++row)
        EXPECT_TRUE(near(row_of(maps, row, 2 * tokens).first(tokens),
                         row_of(unlinked, row, 2 * tokens).first(tokens), 0));
}

TEST_F(Layers, MixTheValuesOfTheFirst) {
    inputs.parameters = planned(of(stack("gated_values", 3), learned), inputs)->inputs.parameters;
    const auto shared = [&](double of_first, double own) {
        inputs.parameters["value_shares"] = Tensor({2, 2}, {of_first, own, of_first, own});
        return run(of(stack("learned_values", 3), learned), inputs);
    };
    EXPECT_TRUE(near(shared(0, 1), run(of(stack("none", 3), learned), inputs), exact));
    EXPECT_TRUE(near(shared(0.5, 0.5), run(of(stack("values", 3), learned), inputs), exact));
    const auto gated = [&](double bias) {
        inputs.parameters["b_value_gate"] = Tensor({2, 2}, std::vector<double>(4, bias));
        return run(of(stack("gated_values", 3), learned), inputs);
    };
    EXPECT_TRUE(near(gated(800), shared(0, 1), exact)) << "a token that keeps its own value";
    EXPECT_TRUE(near(gated(-800), shared(1, 0), exact)) << "... and one that has that of the first layer";
}

TEST_F(Layers, ReadTheMeanOfWhatLiesBelowWhenTheyAskForNothing) {
    inputs.parameters["w_depth"] = Tensor({2, width}, std::vector<double>(2 * width, 0.0));
    const AttentionSpec linked = of(stack("outputs", 3));
    for (const double weight : numbers("depth_weights", linked, inputs))
        EXPECT_NEAR(weight, 1.0 / 3, exact);
    const auto map = numbers("depth_map", linked, inputs);
    const std::vector<double> expected{1, 0, 0, 0.5, 0.5, 0, 1.0 / 3, 1.0 / 3, 1.0 / 3};
    EXPECT_TRUE(near(map, expected, exact));
    const Numbers first = run(spec("{}"), inputs);
    Inputs second{.query = sum(inputs.query, first.output)};
    for (double& number : second.query.values())
        number /= 2;
    const Numbers above = run(spec("{}"), second);
    const auto input = numbers("layer_input", linked, inputs);
    for (std::size_t at = 0; at < input.size(); ++at)
        EXPECT_NEAR(input[at], (inputs.query.values()[at] + first.output[at] + above.output[at]) / 3, exact);
}

TEST_F(Layers, ShareOutOneOverTheDepth) {
    const Index layers = 4;
    const auto weights = numbers("depth_weights", of(stack("outputs", layers), learned), inputs);
    ASSERT_EQ(weights.size(), static_cast<std::size_t>(2 * tokens * layers));
    for (Index row = 0; row < 2 * tokens; ++row) {
        const auto shares = row_of(weights, row, layers);
        EXPECT_NEAR(std::accumulate(shares.begin(), shares.end(), 0.0), 1, exact);
    }
    // However loud a layer is.
    Inputs loud = inputs;
    loud.parameters["w_depth"] = random_tensor({layers - 1, width}, random);
    const Numbers before = run(of(stack("outputs", layers)), loud);
    for (const double number : before.output)
        EXPECT_TRUE(std::isfinite(number));
    for (double& number : loud.query.values())
        number *= 1e150;
    loud.parameters["w_depth"] = random_tensor({1, width}, random);
    const auto shares = numbers("depth_weights", of(stack("outputs", 2)), loud);
    for (const double share : shares)
        EXPECT_TRUE(share >= 0 && share <= 1) << share;
}

TEST_F(Layers, OfQueriesAreASet) {
    const AttentionSpec decoder = of({{"type", "layer_stack"}, {"among", true}, {"layers", 3}}, cross);
    const Numbers before = run(decoder, both);
    Inputs turned = both;
    turned.query = rows_of(both.query, {2, 0, 1});
    turned.key = rows_of(*both.key, {5, 3, 1, 0, 2, 4});
    turned.value = rows_of(*both.value, {5, 3, 1, 0, 2, 4});
    const Numbers after = run(decoder, turned);
    const std::vector<Index> order{2, 0, 1};
    for (Index query = 0; query < 3; ++query)
        EXPECT_TRUE(near(row_of(after.output, query, width),
                         row_of(before.output, order[static_cast<std::size_t>(query)], width), exact));
    // Two that are alike find the same.
    turned.query = rows_of(both.query, {0, 1, 0});
    const Numbers twice = run(decoder, turned);
    EXPECT_TRUE(near(row_of(twice.output, 2, width), row_of(twice.output, 0, width), exact));
}

TEST_F(Layers, AreRefusedWhereTheyCannotBe) {
    EXPECT_THROW(planned(of(stack("gated_values"), cross), both), Error);
    EXPECT_THROW(planned(of({{"type", "two_stream"}}, cross), both), Error);
    both.value = random_tensor({tokens, width + 2}, random);
    EXPECT_THROW(planned(of(stack("none"), cross), both), Error);
    EXPECT_NO_THROW(planned(of(stack("none", 1), cross), both));
    EXPECT_THROW(planned(of({{"type", "two_stream"}}, {{"position", {{"type", "convolutional"}}}}), inputs),
                 Error);
}

// In one sequence nobody looks ahead there either.
TEST_F(Layers, OfQueriesKeepToTheMask) {
    const AttentionSpec twice = of({{"type", "layer_stack"}, {"among", true}}, causal);
    const Numbers before = run(twice, inputs);
    for (Index c = 0; c < width; ++c)
        inputs.query(tokens - 1, c) += 1;
    const Numbers after = run(twice, inputs);
    const auto unchanged = static_cast<std::size_t>((tokens - 1) * width);
    EXPECT_TRUE(near(std::span(after.output).first(unchanged), std::span(before.output).first(unchanged), 0));
}

struct TwoStreams : Layers {};

/// Every order, and every way to say a place.
TEST_F(TwoStreams, DoNotKnowTheirOwnWord) {
    for (const char* position : {"sinusoidal", "rope"})
        for (const Json& mask : {Json{{"type", "permutation"}}, Json{{"type", "causal"}}}) {
            Json rest = learned;
            rest["position"] = {{"type", position}};
            rest["mask"] = mask;
            const AttentionSpec streams = of({{"type", "two_stream"}, {"layers", 3}}, rest);
            const Numbers before = run(streams, inputs);
            Index seen = 0;
            for (Index token = 0; token < tokens; ++token) {
                Inputs other = inputs;
                for (Index c = 0; c < width; ++c)
                    other.query(token, c) += 1;
                const Numbers after = run(streams, other);
                EXPECT_TRUE(near(row_of(after.output, token, width), row_of(before.output, token, width), 0))
                    << position << ", token " << token;
                seen += after.output != before.output;
                for (Index head = 0; head < 2; ++head)
                    EXPECT_EQ(row_of(before.weights, head * tokens + token,
                                     tokens)[static_cast<std::size_t>(token)],
                              0);
            }
            EXPECT_EQ(seen, tokens - 1) << "all but the last of the order are seen";
        }
}

TEST_F(TwoStreams, KnowTheirPlace) {
    const auto output = [&](const char* position) {
        return run(of({{"type", "two_stream"}}, {{"position", {{"type", position}}}}), inputs).output;
    };
    // Without a mask all places look at nearly the same tokens; only the place tells them apart.
    Inputs same{.query = Tensor({tokens, width}, std::vector<double>(tokens * width, 0.5))};
    const auto alike = run(of({{"type", "two_stream"}}), same).output,
               placed =
                   run(of({{"type", "two_stream"}}, {{"position", {{"type", "sinusoidal"}}}}), same).output;
    EXPECT_TRUE(near(row_of(alike, 0, width), row_of(alike, 3, width), exact));
    EXPECT_FALSE(near(row_of(placed, 0, width), row_of(placed, 3, width), 1e-3));
    EXPECT_NE(output("rope"), output("sinusoidal"));
}

TEST_F(TwoStreams, HaveTheContentOfAnOrdinaryLayer) {
    Json rest = causal;
    rest["position"] = {{"type", "rope"}};
    const auto content =
        numbers("content_stream_weights", of({{"type", "two_stream"}, {"layers", 1}}, rest), inputs);
    EXPECT_TRUE(near(content, run(spec(rest.dump()), inputs).weights, exact));
    // In two layers it is that of a plain stack.
    const auto above =
        numbers("content_stream_weights", of({{"type", "two_stream"}, {"layers", 2}}, rest), inputs);
    EXPECT_TRUE(near(above, run(of(stack("none"), rest), inputs).weights, exact));
}

struct PointsInLayers : Layers {};

// A Perceiver whose points find nothing in each other reads as if they had not looked.
TEST_F(PointsInLayers, AddWhatTheyFindInEachOther) {
    Inputs silent = inputs;
    silent.parameters["W_o_points"] = Tensor({3 * width, width}, std::vector<double>(3 * width * width, 0.0));
    const auto points = [](Index layers) -> Json {
        return {{"type", "inducing_points"}, {"points", 2}, {"layers", layers}};
    };
    EXPECT_TRUE(near(run(of(points(3)), silent), run(of(points(0)), inputs), exact));
    const Numbers looked = run(of(points(3)), inputs), plain = run(of(points(0)), inputs);
    EXPECT_FALSE(near(looked.output, plain.output, 1e-3));
    for (const double weight : numbers("latent_weights", of(points(1)), inputs))
        EXPECT_TRUE(weight > 0 && weight < 1);
}

// An induced set attention block is equivariant, and its rows are normalised; pooling by a block is invariant
// (Lee et al. 2019, properties 1 and 2).
TEST_F(PointsInLayers, AreASetTransformerInBlocks) {
    const std::vector<Index> order{3, 0, 5, 1, 4, 2};
    Inputs turned{.query = rows_of(inputs.query, order)};
    for (const char* kind : {"plain", "normed"}) {
        const AttentionSpec block =
            of({{"type", "inducing_points"}, {"points", 2}, {"block", kind}, {"layers", 1}});
        const Tensor before({tokens, width}, run(block, inputs).output);
        EXPECT_TRUE(near(run(block, turned).output, rows_of(before, order).values(), exact)) << kind;
        if (kind != std::string("normed"))
            continue;
        for (Index row = 0; row < tokens; ++row) {
            const auto numbers_of_row = before.row(row);
            EXPECT_NEAR(std::accumulate(numbers_of_row.begin(), numbers_of_row.end(), 0.0), 0, exact);
            EXPECT_NEAR(
                std::inner_product(numbers_of_row.begin(), numbers_of_row.end(), numbers_of_row.begin(), 0.0),
                width, 0.05);  // a little is added to the variance
        }
    }
    const AttentionSpec pooling =
        of({{"type", "attention_pooling"}, {"seeds", 2}, {"block", true}, {"norms", true}});
    EXPECT_TRUE(near(run(pooling, turned).output, run(pooling, inputs).output, exact));
    EXPECT_THROW(planned(of({{"type", "attention_pooling"}, {"norms", true}}), inputs), Error);
}

// Transformer-XL (Dai et al. 2019, section 3.2): segment by segment, with the keys and values of the tokens
// before it. All at once it is a mask.
TEST(SegmentsWithAMemory, AreOneMapWithAMask) {
    constexpr Index n = 11, size = 4, d = 6;
    RandomEngine random(142);
    const Tensor x = random_tensor({n, d}, random);
    Json position{{"position", {{"type", "transformer_xl"}}}};
    Inputs parameters;
    for (const char* name : {"W_r", "u_content", "u_position"})
        parameters.parameters[name] =
            random_tensor(name == std::string("W_r") ? Shape{d, d} : Shape{1, d}, random);
    for (const Index memory : {0, 2, 4, 8}) {
        Json whole = position;
        whole["mask"] = {
            {"all",
             {{{"type", "halo"}, {"columns", 1}, {"size", size}, {"halo", memory}}, {{"type", "causal"}}}}};
        Inputs all = parameters;
        all.query = x;
        const Numbers at_once = run(spec(whole.dump()), all);
        Json segment = position;
        segment["mask"] = {{"type", "causal"}};
        for (Index first = 0; first < n; first += size) {
            const Index begin = std::max<Index>(first - memory, 0), end = std::min(first + size, n);
            std::vector<Index> seen(static_cast<std::size_t>(end - begin));
            std::iota(seen.begin(), seen.end(), begin);
            Inputs part = parameters;
            part.query = rows_of(x, seen);
            const Numbers alone = run(spec(segment.dump()), part);
            for (Index token = first; token < end; ++token)
                EXPECT_TRUE(
                    near(row_of(at_once.output, token, d), row_of(alone.output, token - begin, d), exact))
                    << memory << ", token " << token;
        }
    }
}

}  // namespace

}  // namespace headlight::invariants_layers_test
