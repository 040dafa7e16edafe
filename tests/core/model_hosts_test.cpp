// What every host does: trained and spoken alike, traced by the engine as it is, open to those who intervene.

#include "core/model/architecture.h"
#include "core/model/generation_trace.h"
#include "tests/support/greedy.h"
#include "tests/support/refusal.h"
#include "tests/support/told_hosts.h"

#include <gtest/gtest.h>

#include <cmath>

namespace headlight::model_hosts_test {

using namespace test;

namespace {

const std::vector<std::vector<Index>> labels{{2, 6, 3, 1}, {5, 1}, {4, 4, 1}};

class Hosts : public ToldHost {};

double surprise(std::span<const float> logits, Index label) {
    double sum = 0;
    for (const float each : logits)
        sum += std::exp(static_cast<double>(each));
    // What a pointer network cannot say has a price in training (copy_logits).
    return std::log(sum) -
           std::max(std::log(1e-30), static_cast<double>(logits[static_cast<std::size_t>(label)]));
}

// The loss of a batch, every step at once beside longer sequences, is that of each text word by word from a
// cache: teacher forcing is free running on the same words, and padding is not seen.
TEST_P(Hosts, SayAloneWhatTheyLearnTogether) {
    if (GetParam().draws)
        GTEST_SKIP() << "learns from what it draws";
    double expected = 0;
    std::vector<std::vector<Index>> told;
    // Which stream a sequence draws from is its place in the batch: of those that draw only the first.
    const std::size_t count = GetParam().name == "gumbel" ? 1 : host_sources.size();
    for (std::size_t i = 0; i < count; ++i) {
        told.push_back(GetParam().is_classifier ? std::vector<Index>{labels[i][0]} : labels[i]);
        const Generation generation = said(i);
        for (std::size_t t = 0; t < told[i].size(); ++t)
            expected += surprise(generation.steps()[t].logits, told[i][t]);
    }
    std::vector<std::vector<Index>> read;
    for (std::size_t i = 0; i < count; ++i)
        read.push_back(source(i));
    const Batch batch{side_by_side(read), side_by_side(std::span(told_texts).first(count)),
                      side_by_side(told)};
    nn::Tape<float> tape(weights);
    EXPECT_NEAR(static_cast<double>(*host->loss(tape, batch, 1, 0).value), expected, 2e-5 * expected);
}

// What is read at once is what is read token by token, and either can be gone on from.
TEST_P(Hosts, ReadAtOnceWhatTheyReadTokenByToken) {
    if (GetParam().is_classifier)
        GTEST_SKIP() << "reads no text that it says";
    std::vector<std::vector<Index>> sources;
    for (std::size_t i = 0; i < host_sources.size(); ++i)
        sources.push_back(source(i));
    const std::vector<std::vector<Index>> texts{{0, 2, 6, 3}, {0, 5, 4, 2}, {0, 4, 4, 6}};
    const Sequences all = side_by_side(texts), read = side_by_side(sources);
    const auto at_once = host->read(weights, read, nullptr), by_tokens = host->read(weights, read, nullptr);
    DecodingState one = at_once->start(), other = by_tokens->start();
    const FloatTensor logits = at_once->read(one, step_range(all, 0, 3));
    const auto expect_alike = [&](const FloatTensor& found, Index first, const FloatTensor& expected) {
        for (Index i = 0; i < expected.rows(); ++i)
            for (Index token = 0; token < expected.cols(); ++token)
                EXPECT_NEAR(found(first + i, token), expected(i, token), 2e-5) << i << ' ' << token;
    };
    for (Index step = 0; step < 3; ++step)
        expect_alike(logits, step * all.batch, by_tokens->next(other, all.at(step), nullptr));
    EXPECT_EQ(one.steps, other.steps);
    expect_alike(at_once->next(one, all.at(3), nullptr), 0, by_tokens->next(other, all.at(3), nullptr));
}

TEST(PointerNetworks, SayNothingButWordsOfTheirSource) {
    RecurrentConfiguration c = small_recurrent(DecoderStyle::luong, ScoreType::additive);
    c.points = true;
    const auto host = make_host(c);
    const std::vector<float> weights = lively_weights(host->layout());
    const std::vector<Index> source{3, 5};
    Generation generation(*host, weights, source);
    const GenerationStep& step = generation.read(0);
    const auto possible = [](Index word) { return word == 1 || word == 3 || word == 5; };
    EXPECT_EQ(candidates(step.logits, 6).size(), 3u);
    for (int draw = 0; draw < 50; ++draw)
        EXPECT_TRUE(possible(choose(step.logits, {.temperature = 30}, draw / 50.0)));
    const BeamTree tree =
        search_beam(*host, weights, source, std::vector<Index>{0}, 1, {.width = 6, .longest = 3});
    for (std::size_t node = 1; node < tree.nodes.size(); ++node)
        EXPECT_TRUE(possible(tree.nodes[node].token));
}

TEST(SetTransformers, SayTheSameOfAnyOrder) {
    TransformerConfiguration c = small_transformer(TransformerKind::encoder, PositionEncoding::learned);
    const auto said = [&c](const std::vector<Index>& source) {
        const auto host = make_host(c);
        const std::vector<float> weights = lively_weights(host->layout());
        Generation generation(*host, weights, source);
        return generation.read(0).logits;
    };
    const auto difference = [&said] {
        const std::vector<float> one = said({3, 2, 5, 4, 2}), other = said({2, 5, 2, 3, 4});
        float largest = 0;
        for (std::size_t i = 0; i < one.size(); ++i)
            largest = std::max(largest, std::abs(one[i] - other[i]));
        return largest;
    };
    EXPECT_GT(difference(), 1e-2f);
    architecture(HostType::set).configure(c);
    EXPECT_LT(difference(), 1e-5f);
}

// The engine, given what each site was asked with and its parameters, computes the weights and the context
// that the model went on with.
TEST_P(Hosts, AreTracedAsTheyAre) {
    const Generation generation = said(0);
    GeneratedWords words;
    words.source.resize(generation.source().size(), "s");
    words.read.resize(generation.steps().size(), "r");
    words.said = words.read;
    std::size_t number = 0;
    for (const SiteDescription& site : host->sites()) {
        const auto trace = engine_trace(site, weights, generation, words);
        ASSERT_TRUE(trace) << site.name;
        ++number;
        const Stage *map = trace->find("weights"), *context = trace->find("context");
        ASSERT_TRUE(map && context);
        const Index heads = map->extent(Axis::head), queries = map->extent(Axis::query),
                    keys = map->extent(Axis::key), width = context->size() / (heads * queries);
        Index query = 0;
        const auto compare = [&](const SiteStep& step) {
            const Index rows = step.context.rows();
            for (Index h = 0; h < heads; ++h)
                for (Index i = 0; i < rows; ++i) {
                    const Index at = h * queries + query + i;
                    for (Index j = 0; j < keys; ++j) {
                        const float used = j < step.weights.cols() ? step.weights(h * rows + i, j) : 0.0f;
                        EXPECT_NEAR(trace->values(*map)[static_cast<std::size_t>(at * keys + j)],
                                    static_cast<double>(used), 1e-5)
                            << site.name << " head " << h << " query " << query + i << " key " << j;
                    }
                    for (Index c = 0; c < width; ++c)
                        EXPECT_NEAR(trace->values(*context)[static_cast<std::size_t>(at * width + c)],
                                    static_cast<double>(step.context(i, h * width + c)), 2e-5)
                            << site.name << " head " << h << " query " << query + i;
                }
            query += rows;
        };
        if (site.in_encoder)
            for (const SiteStep& step : generation.encoder_sites())
                if (step.site == site.name)
                    compare(step);
        for (const GenerationStep& step : generation.steps())
            for (const SiteStep& each : step.sites)
                if (each.site == site.name)
                    compare(each);
        EXPECT_EQ(query, queries);
    }
    const Trace whole = generation_trace(*host, weights, generation, words, {});
    EXPECT_EQ(whole.joined_specs.size(), number);
}

TEST_P(Hosts, LookAtTheOnlyWordThereIs) {
    // Normalisers whose rows sum to less leave some of it.
    const std::string& name = GetParam().name;
    if (!GetParam().has_source || name == "sink" || name == "monotonic" || name == "stick_breaking" ||
        name == "local_p" || name == "transformer_monotonic")
        GTEST_SKIP();
    const Generation generation = said(1);
    for (const GenerationStep& step : generation.steps())
        for (const SiteStep& site : step.sites)
            for (const float weight : site.weights.values())
                EXPECT_TRUE(site.site.ends_with("self") || std::abs(weight - 1) < 1e-6f) << weight;
}

TEST_P(Hosts, SayGreedilyWhatABeamOfOneFinds) {
    if (GetParam().is_classifier)
        GTEST_SKIP();
    const std::vector<Index> begin{0};
    for (std::size_t i = 0; i < host_sources.size(); ++i) {
        const std::vector<std::vector<Index>> one{source(i)}, given{begin};
        const auto greedy = decode_greedily(*host, weights, side_by_side(one), given, 1, 6).front();
        const BeamTree tree = search_beam(*host, weights, source(i), begin, 1, {.width = 1, .longest = 6});
        std::vector<Index> found = tree.text(tree.best);
        if (!found.empty() && found.back() == 1)
            found.pop_back();
        EXPECT_EQ(found, greedy);
    }
}

TEST_P(Hosts, ChangeWhatTheySayWhenTheirAttentionIsChanged) {
    if (host->sites().back().in_encoder)
        GTEST_SKIP() << "looks before one can intervene";
    const std::string site = host->sites().back().name;
    const Generation alone = said(0);
    const std::vector<float> before = alone.steps().back().logits;
    const auto row = alone.steps().back().sites.back().weights.row(0);
    const Index key = std::ranges::max_element(row) - row.begin();
    for (const auto kind :
         {Intervention::Kind::set_weight, Intervention::Kind::zero_column, Intervention::Kind::mute_head}) {
        const Generation generation = said(0, {{.kind = kind, .site = site, .key = key, .weight = 0.37}});
        const GenerationStep& last = generation.steps().back();
        EXPECT_NE(last.logits, before) << static_cast<int>(kind);
        if (kind == Intervention::Kind::set_weight) {
            EXPECT_FLOAT_EQ(last.sites.back().weights(0, key), 0.37f);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(All, Hosts, testing::ValuesIn(host_cases()),
                         [](const auto& row) { return row.param.name; });

// When a decoder asks, and what for (catalogue R2-R4).

TEST(DecoderStyle, DecidesWhetherTheNewWordIsInTheQuery) {
    for (const auto& [style, knows_word] : {std::pair{DecoderStyle::bahdanau, false},
                                            {DecoderStyle::luong, true},
                                            {DecoderStyle::wrapper, true}}) {
        const auto host = make_host(small_recurrent(style, ScoreType::additive));
        const std::vector<float> weights = lively_weights(host->layout());
        const auto query_after = [&](Index token) {
            Generation generation(*host, weights, host_sources[0]);
            return generation.read(token).sites.front().query;
        };
        EXPECT_EQ(query_after(2) != query_after(3), knows_word) << static_cast<int>(style);
    }
}

TEST(DecoderStyle, TakesTheMeanWhenEveryKeyScoresTheSame) {
    for (const auto style : {DecoderStyle::bahdanau, DecoderStyle::luong, DecoderStyle::wrapper}) {
        const auto host = make_host(small_recurrent(style, ScoreType::additive));
        std::vector<float> weights = lively_weights(host->layout());
        const nn::Weight v = host->layout().find("attention.v");
        std::fill_n(weights.begin() + v.offset, v.size(), 0.0f);
        Generation generation(*host, weights, host_sources[0]);
        const FloatTensor states = generation.source_states();
        const SiteStep& site = generation.read(0).sites.front();
        for (Index c = 0; c < states.cols(); ++c) {
            float mean = 0;
            for (Index j = 0; j < states.rows(); ++j)
                mean += states(j, c) / static_cast<float>(states.rows());
            EXPECT_NEAR(site.context(0, c), mean, 1e-6);
        }
    }
}

struct Refused {
    std::string name;
    std::function<void()> make;
    std::vector<std::string> parts;
};
void PrintTo(const Refused& each, std::ostream* out) { *out << each.name; }

class RefusedHosts : public testing::TestWithParam<Refused> {};

TEST_P(RefusedHosts, SayWhy) { expect_refusal(GetParam().make, GetParam().parts); }

std::vector<Refused> refused_hosts() {
    const auto recurrent = [](const auto& change) {
        return [change] {
            RecurrentConfiguration c = small_recurrent(DecoderStyle::luong, ScoreType::additive);
            change(c);
            make_host(c);
        };
    };
    const auto transformer = [](const auto& change) {
        return [change] {
            TransformerConfiguration c =
                small_transformer(TransformerKind::encoder_decoder, PositionEncoding::sinusoidal);
            change(c);
            make_host(c);
        };
    };
    return {
        {"dot_of_unequal_widths", recurrent([](auto& c) { c.score.type = ScoreType::dot; }), {"6", "12"}},
        {"selective_recurrent",
         recurrent([](auto& c) {
             c.score.type = ScoreType::selective;
             c.bidirectional = false;
         }),
         {"score", "selective"}},
        {"slot_recurrent", recurrent([](auto& c) { c.normalizer.type = NormalizerType::slot; }), {"slot"}},
        {"sinkhorn_transformer",
         transformer([](auto& c) { c.normalizer.type = NormalizerType::sinkhorn; }),
         {"sinkhorn"}},
        {"selective_decoder",
         transformer([](auto& c) { c.score.type = ScoreType::selective; }),
         {"selective"}},
        {"coverage_transformer",
         transformer([](auto& c) { c.score.type = ScoreType::coverage; }),
         {"coverage"}},
        {"heads", transformer([](auto& c) { c.heads = 3; }), {"heads", "3"}},
        {"window",
         recurrent([](auto& c) {
             c.window = {LocalWindow::Kind::monotonic, 0};
         }),
         {"radius", "0"}},
        {"copied_as",
         recurrent([](auto& c) {
             c.copies = true;
             c.copied_as = {1, 2};
         }),
         {"copied_as", "6", "2"}},
        {"mechanism_with_a_mask",
         recurrent([](auto& c) { c.mechanism.emplace().mask.rule = CausalMask{}; }),
         {"attend to a source", "mask"}},
        {"mechanism_that_counts_queries",
         recurrent([](auto& c) { c.mechanism.emplace().position.type = PositionType::sinusoidal; }),
         {"step by step", "the place of the first", "sinusoidal"}},
        {"mechanism_that_draws_for_each_query",
         recurrent([](auto& c) { c.mechanism.emplace().normalizer.type = NormalizerType::gumbel; }),
         {"asked one at a time", "asked alone"}},
        {"mechanism_that_remembers",
         recurrent([](auto& c) { c.mechanism.emplace().score.type = ScoreType::coverage; }),
         {"the weights of the step before", "coverage"}},
        {"mechanism_that_balances_queries",
         recurrent([](auto& c) { c.mechanism.emplace().normalizer.type = NormalizerType::sinkhorn; }),
         {"from its own scores", "sinkhorn"}},
        {"mechanism_that_copies",
         recurrent([](auto& c) {
             c.mechanism.emplace();
             c.copies = true;
         }),
         {"copies", "no gradient"}},
        {"mechanism_with_coverage_loss",
         recurrent([](auto& c) {
             c.mechanism.emplace();
             c.coverage_loss = 1;
         }),
         {"coverage_loss", "no gradient"}},
        {"too_long_for_a_mechanism",
         [] {
             RecurrentConfiguration c = small_recurrent(DecoderStyle::luong, ScoreType::additive);
             c.mechanism.emplace();
             const auto host = make_host(c);
             const std::vector<float> weights = lively_weights(host->layout());
             Generation(*host, weights, std::vector<Index>(11, 2));
         },
         {"keys", "10", "11"}},
        {"too_long",
         [] {
             const auto host = make_host(small_recurrent(DecoderStyle::luong, ScoreType::location));
             const std::vector<float> weights = lively_weights(host->layout());
             Generation(*host, weights, std::vector<Index>(11, 2));
         },
         {"keys", "10", "11"}},
    };
}

INSTANTIATE_TEST_SUITE_P(All, RefusedHosts, testing::ValuesIn(refused_hosts()),
                         [](const auto& row) { return row.param.name; });

}  // namespace

}  // namespace headlight::model_hosts_test
