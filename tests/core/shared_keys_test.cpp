// Layers that attend to the keys and values of an earlier one: what they say is what plain loops say, and
// what a model says that has keys and values of its own when these are the same. They have fewer weights by
// just those that are tied, and their traces show the keys and values that they used.

#include "core/catalog/mechanism.h"
#include "core/model/generation_trace.h"
#include "core/model/model_spec.h"
#include "core/model/shared_keys.h"
#include "core/tensor/random.h"
#include "tests/support/refusal.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace headlight::shared_keys_test {

using namespace test;

namespace {

constexpr Index words = 5, width = 8;
const std::vector<Index> text{0, 3, 1, 4, 2, 3};

AttentionSpec causal() {
    AttentionSpec spec;
    spec.mask.rule = CausalMask{};
    return spec;
}

/// A GPT of these layers. It has no places: those of a mechanism are its own.
TransformerConfiguration gpt(const std::vector<AttentionSpec>& layers, const SharedKeys& shares) {
    TransformerConfiguration c;
    c.kind = TransformerKind::decoder;
    c.target_vocabulary = words;
    c.width = width;
    c.heads = 1;
    c.feed_forward = 6;
    c.places = PositionEncoding::none;
    c.longest = 8;
    c.decoder.clear();
    for (std::size_t i = 0; i < layers.size(); ++i)
        c.decoder.push_back({.mechanism = layers[i], .shares = shares.empty() ? std::nullopt : shares[i]});
    return c;
}

const SharedKeys second_shares{std::nullopt, 0};

/// Numbers large enough that everything makes a difference.
template <class Real>
std::vector<Real> lively(const nn::ParameterLayout& layout) {
    std::vector<Real> weights(static_cast<std::size_t>(layout.size()));
    for (std::size_t i = 0; i < weights.size(); ++i)
        weights[i] = static_cast<Real>(2 * uniform(substream(1, i)) - 1);
    return weights;
}

/// [n, words], row by row.
std::vector<double> said_by(const TransformerModel& model, const std::vector<double>& weights) {
    nn::Tape<double> tape(weights);
    const std::vector<Index> nothing;
    auto memory = model.remember<double>(tape, {}, side_by_side(std::span(&nothing, 1)));
    const nn::Variable<double> logits =
        model.logits(tape, model.decode(tape, memory, side_by_side(std::span(&text, 1))));
    return {logits.values().begin(), logits.values().end()};
}

// The oracle: loops over rows of numbers.

using Row = std::vector<double>;
using Rows = std::vector<Row>;

struct Numbers {
    const nn::ParameterLayout& layout;
    const std::vector<double>& weights;

    Rows matrix(const std::string& name) const {
        const nn::Weight place = layout.find(name);
        Rows rows;
        for (Index row = 0; row < place.rows; ++row) {
            const auto first = weights.begin() + place.offset + row * place.columns;
            rows.emplace_back(first, first + place.columns);
        }
        return rows;
    }
    Row vector(const std::string& name) const { return matrix(name).front(); }
};

Rows product(const Rows& x, const Rows& matrix) {
    Rows result;
    for (const Row& row : x) {
        Row& made = result.emplace_back(matrix.front().size(), 0.0);
        for (std::size_t i = 0; i < row.size(); ++i)
            for (std::size_t j = 0; j < made.size(); ++j)
                made[j] += row[i] * matrix[i][j];
    }
    return result;
}

Rows plus(Rows x, const Row& bias) {
    for (Row& row : x)
        for (std::size_t j = 0; j < row.size(); ++j)
            row[j] += bias[j];
    return x;
}

Rows sum(Rows x, const Rows& y) {
    for (std::size_t i = 0; i < x.size(); ++i)
        for (std::size_t j = 0; j < x[i].size(); ++j)
            x[i][j] += y[i][j];
    return x;
}

Rows normal(Rows x, const Row& gain, const Row& bias) {
    for (Row& row : x) {
        const auto count = static_cast<double>(row.size());
        const double mean = std::accumulate(row.begin(), row.end(), 0.0) / count;
        double variance = 0;
        for (const double each : row)
            variance += (each - mean) * (each - mean) / count;
        for (std::size_t j = 0; j < row.size(); ++j)
            row[j] = (row[j] - mean) / std::sqrt(variance + 1e-5) * gain[j] + bias[j];
    }
    return x;
}

Rows causal_attention(const Rows& query, const Rows& key, const Rows& value) {
    Rows result;
    for (std::size_t i = 0; i < query.size(); ++i) {
        Row& context = result.emplace_back(value.front().size(), 0.0);
        double total = 0;
        for (std::size_t j = 0; j <= i; ++j) {
            double score = 0;
            for (std::size_t c = 0; c < query[i].size(); ++c)
                score += query[i][c] * key[j][c];
            const double power = std::exp(score / std::sqrt(static_cast<double>(query[i].size())));
            total += power;
            for (std::size_t c = 0; c < context.size(); ++c)
                context[c] += power * value[j][c];
        }
        for (double& each : context)
            each /= total;
    }
    return result;
}

/// What a GPT of causal layers says, the second of which has no keys and values of its own.
std::vector<double> said_by_loops(const Numbers& of) {
    const Rows embedding = of.matrix("target_embedding");
    Rows x;
    for (const Index token : text) {
        x.push_back(embedding[static_cast<std::size_t>(token)]);
        for (double& each : x.back())
            each *= std::sqrt(static_cast<double>(width));
    }
    Rows key, value;
    for (const int layer : {0, 1}) {
        const std::string name = "decoder." + std::to_string(layer) + ".";
        const std::string self = name + "self.", inner = name + "feed_forward.";
        const Rows asked = normal(x, of.vector(self + "norm.gain"), of.vector(self + "norm.bias"));
        if (layer == 0) {
            key = product(asked, of.matrix(self + "W_k"));
            value = product(asked, of.matrix(self + "W_v"));
        }
        const Rows context = causal_attention(product(asked, of.matrix(self + "W_q")), key, value);
        x = sum(x, plus(product(context, of.matrix(self + "W_out")), of.vector(self + "b_out")));
        Rows hidden = plus(product(normal(x, of.vector(inner + "norm.gain"), of.vector(inner + "norm.bias")),
                                   of.matrix(inner + "W_1")),
                           of.vector(inner + "b_1"));
        for (Row& row : hidden)
            for (double& each : row)
                each = std::max(each, 0.0);
        x = sum(x, plus(product(hidden, of.matrix(inner + "W_2")), of.vector(inner + "b_2")));
    }
    std::vector<double> said;
    const Rows last = normal(x, of.vector("decoder.norm.gain"), of.vector("decoder.norm.bias"));
    for (const Row& row : plus(product(last, of.matrix("W_output")), of.vector("b_output")))
        said.insert(said.end(), row.begin(), row.end());
    return said;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
    EXPECT_EQ(a.size(), b.size());
    double largest = 0;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
        largest = std::max(largest, std::abs(a[i] - b[i]));
    return largest;
}

TEST(SharedKeys, AreWhatPlainLoopsLookAt) {
    const TransformerModel model(gpt({causal(), causal()}, second_shares));
    const std::vector<double> weights = lively<double>(model.layout());
    const std::vector<double> said = said_by(model, weights);
    EXPECT_EQ(said.size(), text.size() * static_cast<std::size_t>(words));
    EXPECT_LT(largest_difference(said, said_by_loops({model.layout(), weights})), 1e-9);
}

/// A first layer that adds nothing hands its own input on, so that the key tokens of a second one that makes
/// keys and values itself are the same where its norm is; then the same matrices make them.
TEST(SharedKeys, AreThoseOfAnUnsharedModelWithTheSameTokensAndMatrices) {
    const TransformerModel shared(gpt({causal(), causal()}, second_shares)),
        unshared(gpt({causal(), causal()}, {}));
    std::vector<double> weights = lively<double>(shared.layout()), others(lively<double>(unshared.layout()));
    const auto part = [](std::vector<double>& all, nn::Weight place) {
        return std::span(all).subspan(static_cast<std::size_t>(place.offset),
                                      static_cast<std::size_t>(place.size()));
    };
    const auto carry_over = [&] {
        for (const auto& entry : shared.layout().entries())
            std::ranges::copy(part(weights, entry.weight),
                              part(others, unshared.layout().find(entry.name)).begin());
        for (const char* name : {"W_k", "W_v"})
            std::ranges::copy(
                part(weights, shared.layout().find(std::string("decoder.0.self.") + name)),
                part(others, unshared.layout().find(std::string("decoder.1.self.") + name)).begin());
    };
    carry_over();
    EXPECT_GT(largest_difference(said_by(shared, weights), said_by(unshared, others)), 1e-3)
        << "the second layer has other key tokens";
    for (const char* name : {"decoder.0.self.W_out", "decoder.0.self.b_out", "decoder.0.feed_forward.W_2",
                             "decoder.0.feed_forward.b_2"})
        std::ranges::fill(part(weights, shared.layout().find(name)), 0.0);
    for (const char* name : {"norm.gain", "norm.bias"})
        std::ranges::copy(part(weights, shared.layout().find(std::string("decoder.0.self.") + name)),
                          part(weights, shared.layout().find(std::string("decoder.1.self.") + name)).begin());
    carry_over();
    EXPECT_LT(largest_difference(said_by(shared, weights), said_by(unshared, others)), 1e-9);
}

TEST(SharedKeys, LeaveOutTheTiedWeightsAndNoOthers) {
    AttentionSpec spec = causal();
    spec.projections = {.type = ProjectionType::learned, .bias = true};
    spec.score.vector_norm = VectorNorm::rms;
    const TransformerModel shared(gpt({spec, spec}, second_shares)), unshared(gpt({spec, spec}, {}));
    std::set<std::string> left_out;
    for (const auto& entry : unshared.layout().entries())
        left_out.insert(entry.name);
    for (const auto& entry : shared.layout().entries())
        EXPECT_EQ(left_out.erase(entry.name), 1u) << entry.name;
    EXPECT_EQ(left_out,
              (std::set<std::string>{"decoder.1.self.W_k", "decoder.1.self.b_k", "decoder.1.self.g_k",
                                     "decoder.1.self.W_v", "decoder.1.self.b_v"}));
    EXPECT_EQ(unshared.layout().size() - shared.layout().size(), 2 * (width * width + width) + width);
    for (const char* name : {"W_k", "b_k", "g_k", "W_v", "b_v"}) {
        const auto place_of = [&](const SiteDescription& site) {
            const auto found =
                std::ranges::find(site.parameters, name, &std::pair<std::string, nn::Weight>::first);
            return found == site.parameters.end() ? nn::Weight() : found->second;
        };
        const std::vector<SiteDescription> sites = shared.sites();
        EXPECT_GT(place_of(sites[0]).size(), 0) << name;
        EXPECT_EQ(place_of(sites[0]), place_of(sites[1])) << name;
    }
}

/// Keys that are turned by their places, of a layer between the two.
TEST(SharedKeys, AreThoseOfTheTrace) {
    AttentionSpec turned = causal();
    turned.position.type = PositionType::rope;
    const auto host = make_host(gpt({turned, turned, turned}, {std::nullopt, std::nullopt, 0}));
    const std::vector<float> weights = lively<float>(host->layout());
    Generation generation(*host, weights, {});
    for (const Index token : text)
        generation.read(token);
    const std::vector<std::string> labels(text.size(), "w");
    const std::vector<SiteRecord> records =
        site_records(*host, weights, generation, {.source = {}, .read = labels, .said = labels});
    ASSERT_EQ(records.size(), 3u);
    const auto numbers = [](const SiteRecord& record, const char* name) {
        const Stage* stage = record.trace->find(name);
        EXPECT_TRUE(stage) << record.site.name << ": " << name;
        if (!stage)
            return std::vector<double>();
        const auto values = record.trace->values(*stage);
        return std::vector<double>(values.begin(), values.end());
    };
    EXPECT_EQ(records[2].site.keys_of, "decoder.0.self");
    EXPECT_EQ(records[2].trace->tokens.key, labels);
    EXPECT_EQ(numbers(records[2], "key_tokens"), numbers(records[0], "tokens"));
    EXPECT_NE(numbers(records[2], "key_tokens"), numbers(records[1], "tokens"));
    for (const char* stage : {"key", "value"}) {
        EXPECT_LT(largest_difference(numbers(records[2], stage), numbers(records[0], stage)), 1e-12) << stage;
        EXPECT_GT(largest_difference(numbers(records[1], stage), numbers(records[0], stage)), 1e-3) << stage;
    }
    const std::vector<double> map = numbers(records[2], "weights");
    ASSERT_EQ(map.size(), text.size() * text.size());
    const std::vector<const SiteStep*> steps = steps_of(records[2].site, generation);
    ASSERT_EQ(steps.size(), text.size());
    for (std::size_t query = 0; query < steps.size(); ++query)
        for (std::size_t key = 0; key < text.size(); ++key) {
            const bool is_known = key <= query;
            EXPECT_NEAR(map[query * text.size() + key],
                        is_known ? static_cast<double>(steps[query]->weights(0, static_cast<Index>(key))) : 0,
                        1e-5)
                << "query " << query << ", key " << key;
        }
}

// Refusals

struct Refused {
    const char* name;
    std::vector<AttentionSpec> layers;
    SharedKeys shares;
    std::vector<std::string> parts;
};
void PrintTo(const Refused& row, std::ostream* out) { *out << row.name; }

class SharedKeysRefusal : public testing::TestWithParam<Refused> {};

TEST_P(SharedKeysRefusal, SaysWhichLayerAndWhatDiffers) {
    const TransformerConfiguration c = gpt(GetParam().layers, GetParam().shares);
    expect_refusal([&] { const TransformerModel made(c); }, GetParam().parts);
}

template <class Change>
AttentionSpec causal_with(const Change& change) {
    AttentionSpec spec = causal();
    change(spec);
    return spec;
}

AttentionSpec turned_by(double base) {
    return causal_with([&](AttentionSpec& spec) { spec.position = {PositionType::rope, {{"base", base}}}; });
}

AttentionSpec grouped(Index kv_heads) {
    return causal_with([&](AttentionSpec& spec) {
        spec.heads = {.type = HeadsType::grouped_query, .heads = 2, .kv_heads = kv_heads};
    });
}

AttentionSpec with_bias() {
    return causal_with(
        [](AttentionSpec& spec) { spec.projections = {.type = ProjectionType::learned, .bias = true}; });
}

AttentionSpec one_matrix(Sharing sharing) {
    return causal_with([&](AttentionSpec& spec) { spec.heads.sharing = sharing; });
}

INSTANTIATE_TEST_SUITE_P(
    Rows, SharedKeysRefusal,
    testing::Values(
        Refused{"of itself",
                {causal(), causal()},
                {std::nullopt, 1},
                {"layer 2: shares: make a Transformer: expected the number of an earlier layer, 1, got 2"}},
        Refused{
            "of a layer before the first", {causal(), causal()}, {std::nullopt, -1}, {"layer 2: shares: "}},
        Refused{"in the first layer",
                {causal(), causal()},
                {1, std::nullopt},
                {"layer 1: shares: ", "no layer is before the first, got 2"}},
        Refused{"of one that shares",
                {causal(), causal(), causal()},
                {std::nullopt, 0, 1},
                {"layer 3: shares: ", "such as 1, whose keys and values layer 2 has, got 2"}},
        Refused{"another position",
                {turned_by(10000), causal()},
                second_shares,
                {"layer 2: position: share keys and values: expected rope, as in layer 1, got none"}},
        Refused{"other options of the position",
                {turned_by(10000), turned_by(500)},
                second_shares,
                {"layer 2: position: ", "rope with the same options, as in layer 1, got rope with others"}},
        Refused{"fewer heads of keys",
                {grouped(2), grouped(1)},
                second_shares,
                {"layer 2: heads: ", "2 heads of keys and values, as in layer 1, got 1"}},
        Refused{
            "normalised keys",
            {causal(), causal_with([](AttentionSpec& spec) { spec.score.vector_norm = VectorNorm::rms; })},
            second_shares,
            {"layer 2: score.vector_norm: ", "expected none, as in layer 1, got rms"}},
        Refused{"a bias",
                {causal(), with_bias()},
                second_shares,
                {"layer 2: b_k: ", "expected none, as in layer 1, got [8]"}},
        Refused{"narrower keys",
                {causal(), causal_with([](AttentionSpec& spec) { spec.projections.dimension = 2; })},
                second_shares,
                {"layer 2: W_k: ", "expected [8, 8], as in layer 1, got [8, 2]"}},
        Refused{"keys that are queries",
                {causal(), one_matrix(Sharing::query_key)},
                second_shares,
                {"layer 2: W_k: share keys and values: ", "got none"}},
        Refused{"values that are keys",
                {one_matrix(Sharing::key_value), causal()},
                second_shares,
                {"layer 2: W_v: share keys and values: ", "got none in layer 1"}},
        Refused{"latent keys",
                {causal(), with_heads(build_spec(mechanism("latent"), {}), 2)},
                second_shares,
                {"layer 2: W_k: ", "got none"}},
        Refused{"blocks of which a query has one of its own",
                {causal(), build_spec(mechanism("moba"), {})},
                second_shares,
                {"layer 2: ", "own block", "got block_means"}}),
    [](const auto& row) {
        std::string name = row.param.name;
        std::ranges::replace(name, ' ', '_');
        return name;
    });

TEST(SharedKeys, AreRefusedInTheStackWhereTheyCannotBe) {
    TransformerConfiguration c = gpt({causal(), causal()}, {});
    c.kind = TransformerKind::encoder_decoder;
    c.source_vocabulary = words;
    c.encoder = {{.mechanism = turned_by(10000)}, {.mechanism = AttentionSpec(), .shares = 0}};
    expect_refusal([&] { const TransformerModel made(c); }, {"layer 2 of the encoder: position: "});
}

// Keys and values are made by a mechanism that a layer lists: nothing else is sure to be at every site.
TEST(SharedKeys, AreThoseOfAMechanismThatTheLayerLists) {
    TransformerConfiguration c = gpt({causal(), causal()}, second_shares);
    const auto expect_refused = [&c] {
        expect_refusal([&c] { const TransformerModel made(c); },
                       {"layer 2: shares: make a Transformer: expected a mechanism of its own"});
    };
    c.decoder[0].mechanism.reset();
    expect_refused();
    std::swap(c.decoder[0].mechanism, c.decoder[1].mechanism);
    expect_refused();
    c.set_mechanism(causal());
    c.decoder[1].shares = 0;
    expect_refused();
}

TEST(SharedKeys, AreNoBusinessOfLayersWithoutAMechanism) {
    TransformerConfiguration c = gpt({causal(), causal()}, {});
    c.decoder[0].mechanism.reset();
    const TransformerModel model(c);
    EXPECT_FALSE(model.sites()[0].is_program);
    EXPECT_TRUE(model.sites()[1].is_program);
}

}  // namespace

}  // namespace headlight::shared_keys_test
