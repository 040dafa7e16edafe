// Encoders that make a label of their tokens in a way of their own: words and sentences, slots, a question,
// pairs of points, patches of a picture.

#include "core/model/architecture.h"
#include "core/model/generation_trace.h"
#include "core/model/sentence_layers.h"
#include "core/model/triangle_layers.h"
#include "core/nn/optimizer.h"
#include "tests/support/hosts.h"
#include "tests/support/refusal.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace headlight::label_pooling_test {

using namespace test;

namespace {

constexpr Index sentence = 3, question = 2, points = 3;

struct Pools {
    const char* name;
    HostType host;
    const char* site;                 ///< that pools
    std::vector<const char*> stages;  ///< that its trace has beside the weights
};
void PrintTo(const Pools& row, std::ostream* out) { *out << row.name; }

/// Whether a learned query asks what the site has made, so that the label is not made of its mean.
bool asks_output(HostType host) {
    return host == HostType::coattention || host == HostType::triangles || host == HostType::vision;
}

TransformerConfiguration configuration_of(HostType host) {
    TransformerConfiguration c = small_transformer(TransformerKind::encoder, PositionEncoding::sinusoidal);
    architecture(host).configure(c);
    const bool has_layers = host == HostType::triangles || host == HostType::vision;
    if (!has_layers)  // of triangles one goes around each node
        c.encoder.resize(1);
    if (host == HostType::triangles)
        read_pairs_of(c, points);
    else if (host == HostType::vision)
        c.frames = small_patches();
    else if (host == HostType::slot_attention)
        c.seeds = 4;
    else if (host == HostType::coattention)
        keep_question_apart(c, question);
    else
        keep_to_sentences(c, sentence, c.longest);
    return c;
}

const std::vector<std::vector<Index>> read{{3, 2, 5, 4, 2, 1, 0}, {4, 2, 0, 1, 1}, {5, 3, 3}, {1, 1, 2, 0}};

const SiteRecord& record_at(const std::vector<SiteRecord>& records, std::string_view site) {
    return *std::ranges::find_if(records, [&](const SiteRecord& each) { return each.site.name == site; });
}
const std::vector<std::vector<Index>> labels{{2}, {5}, {4}, {0}};

class LabelPooling : public testing::TestWithParam<Pools> {
protected:
    Generation said(const std::vector<Index>& source) const {
        Generation generation(*host, weights, source);
        generation.read(0);
        return generation;
    }
    const TransformerConfiguration configuration = configuration_of(GetParam().host);
    const std::unique_ptr<Host> host = make_host(configuration);
    const std::vector<float> weights = lively_weights(host->layout());
};

TEST_P(LabelPooling, SaysAloneWhatItLearnsBesideLongerTexts) {
    double expected = 0;
    for (std::size_t i = 0; i < read.size(); ++i) {
        const Generation generation = said(read[i]);
        const std::vector<float>& logits = generation.steps().back().logits;
        double sum = 0;
        for (const float each : logits)
            sum += std::exp(static_cast<double>(each));
        expected += std::log(sum) - static_cast<double>(logits[static_cast<std::size_t>(labels[i][0])]);
    }
    nn::Tape<float> tape(weights);
    const Batch batch{side_by_side(read), {}, side_by_side(labels)};
    EXPECT_NEAR(*host->loss(tape, batch, 1, 0).value, expected, 1e-4);
}

TEST_P(LabelPooling, IsTracedWithItsStagesAndTheWeightsThatItUsed) {
    const Generation generation = said(read[0]);
    GeneratedWords words{
        .source = std::vector<std::string>(read[0].size(), "s"), .read = {"r"}, .said = {"l"}};
    const std::vector<SiteRecord> records = site_records(*host, weights, generation, words);
    ASSERT_EQ(records.size(), asks_output(GetParam().host) ? 3u : 2u);
    EXPECT_EQ(records.front().site.name, "encoder.0.self");
    EXPECT_TRUE(std::ranges::count(records, std::string(GetParam().site),
                                   [](const SiteRecord& each) { return each.site.name; }));
    const SiteRecord& pooled = record_at(records, GetParam().site);
    for (const char* stage : GetParam().stages)
        EXPECT_TRUE(pooled.trace->find(stage)) << stage;
    const auto steps = steps_of(pooled.site, generation);
    ASSERT_EQ(steps.size(), 1u);
    const Stage* stage = pooled.trace->find("weights");
    ASSERT_TRUE(stage);
    const auto traced = pooled.trace->values(*stage);
    const FloatTensor& used = steps.front()->weights;
    ASSERT_EQ(std::ssize(traced), std::ssize(used.values()));
    for (std::size_t i = 0; i < traced.size(); ++i)
        EXPECT_NEAR(traced[i], static_cast<double>(used.values()[i]), 1e-5);
    if (GetParam().host == HostType::slot_attention) {
        EXPECT_EQ(pooled.trace->tokens.query,
                  (std::vector<std::string>{"slot 1", "slot 2", "slot 3", "slot 4"}));
    }
    EXPECT_NO_THROW(generation_trace(*host, weights, generation, words, {}));
}

// The label is made of what the trace ends with: of the mean of the rows of its output.
TEST_P(LabelPooling, SaysTheLabelByTheMeanOfTheOutput) {
    if (asks_output(GetParam().host))
        GTEST_SKIP() << "a learned query asks its output";
    const Generation generation = said(read[0]);
    GeneratedWords words{
        .source = std::vector<std::string>(read[0].size(), "s"), .read = {"r"}, .said = {"l"}};
    const std::vector<SiteRecord> records = site_records(*host, weights, generation, words);
    const Trace& trace = *leading_site(records).trace;
    const Stage* output = trace.find("output");
    ASSERT_TRUE(output);
    const auto rows = trace.values(*output);
    const Index width = configuration.width, count = std::ssize(rows) / width;
    const nn::Weight matrix = host->layout().find("W_output"), bias = host->layout().find("b_output");
    const std::vector<float>& logits = generation.steps().back().logits;
    for (Index label = 0; label < matrix.columns; ++label) {
        double expected = static_cast<double>(weights[static_cast<std::size_t>(bias.offset + label)]);
        for (Index i = 0; i < std::ssize(rows); ++i)
            expected +=
                rows[static_cast<std::size_t>(i)] / static_cast<double>(count) *
                static_cast<double>(
                    weights[static_cast<std::size_t>(matrix.offset + i % width * matrix.columns + label)]);
        EXPECT_NEAR(logits[static_cast<std::size_t>(label)], expected, 1e-4);
    }
}

TEST_P(LabelPooling, Learns) {
    const Batch batch{side_by_side(read), {}, side_by_side(labels)};
    std::vector<float> learned = host->layout().initial_values<float>(1), gradient(learned.size());
    nn::Adam<float> adam(std::ssize(learned), {});
    nn::Tape<float> tape(learned, gradient);
    float first = 0, last = 0;
    for (int step = 0; step <= 40; ++step) {
        tape.clear();
        std::ranges::fill(gradient, 0.0f);
        const nn::Variable<float> loss = host->loss(tape, batch, 4, 0);
        last = *loss.value;
        first = step == 0 ? last : first;
        ASSERT_TRUE(std::isfinite(last)) << "step " << step;
        tape.backward(loss);
        adam.step(learned, gradient, 0.01);
    }
    EXPECT_LT(last, 0.9f * first);
}

TEST_P(LabelPooling, IsRefusedTextsThatItsProgramHasNoNumbersFor) {
    EXPECT_EQ(host->most_tokens().source, configuration.longest);
    EXPECT_TRUE(host->is_classifier());
}

INSTANTIATE_TEST_SUITE_P(
    All, LabelPooling,
    testing::Values(Pools{"sentences",
                          HostType::hierarchical,
                          "encoder.1.self",
                          {"word_weights", "sentence_vectors", "sentence_weights"}},
                    Pools{"slots", HostType::slot_attention, "decoder.0.cross", {"scores", "round_weights"}},
                    Pools{"question",
                          HostType::coattention,
                          "encoder.1.self",
                          {"scores", "most_asked_shares", "merged", "output"}},
                    Pools{"triangles",
                          HostType::triangles,
                          "encoder.1.self",
                          {"scores", "side_biases", "triangle_biases", "gate", "output"}},
                    Pools{"patches", HostType::vision, "decoder.0.cross", {"scores", "context", "output"}}),
    [](const auto& row) { return row.param.name; });

/// The numbers of a stage of the encoder's last site.
std::vector<double> stage_of_text(const std::vector<Index>& source, const char* stage) {
    const auto host = make_host(configuration_of(HostType::hierarchical));
    const std::vector<float> weights = lively_weights(host->layout());
    Generation generation(*host, weights, source);
    generation.read(0);
    const GeneratedWords words{
        .source = std::vector<std::string>(source.size(), "s"), .read = {"r"}, .said = {"l"}};
    const std::vector<SiteRecord> records = site_records(*host, weights, generation, words);
    const Trace& trace = *records.back().trace;
    const auto values = trace.values(*trace.find(stage));
    return {values.begin(), values.end()};
}

TEST(SentencesOfATextThatIsPooled, KnowNothingOfOneAnother) {
    const std::vector<Index> source{3, 2, 5, 4, 2, 1}, other{3, 2, 5, 1, 2, 1};
    const std::vector<double> one = stage_of_text(source, "sentence_vectors"),
                              two = stage_of_text(other, "sentence_vectors");
    const Index width = std::ssize(one) / 2;
    ASSERT_EQ(width, 8);
    double apart = 0;
    for (Index i = 0; i < width; ++i) {
        EXPECT_NEAR(one[static_cast<std::size_t>(i)], two[static_cast<std::size_t>(i)], 1e-6);
        apart = std::max(apart, std::abs(one[static_cast<std::size_t>(width + i)] -
                                         two[static_cast<std::size_t>(width + i)]));
    }
    EXPECT_GT(apart, 1e-2);
    EXPECT_NE(stage_of_text(source, "sentence_weights"), stage_of_text(other, "sentence_weights"));
}

TEST(SentencesOfATextThatIsPooled, HaveAllWeightOfTheirWords) {
    const std::vector<double> words = stage_of_text({3, 2, 5, 4, 2, 1, 0}, "word_weights");
    ASSERT_EQ(words.size(), 3u * 7u);
    for (std::size_t row = 0; row < 3; ++row) {
        double sum = 0;
        for (std::size_t word = 0; word < 7; ++word) {
            const double weight = words[row * 7 + word];
            EXPECT_EQ(weight > 0, word / 3 == row) << row << ' ' << word;
            sum += weight;
        }
        EXPECT_NEAR(sum, 1, 1e-9);
    }
}

TEST(SlotsOfASet, SayTheSameOfAnyOrder) {
    const auto host = make_host(configuration_of(HostType::slot_attention));
    const std::vector<float> weights = lively_weights(host->layout());
    const auto said = [&](const std::vector<Index>& source) {
        Generation generation(*host, weights, source);
        return generation.read(0).logits;
    };
    const std::vector<float> one = said({3, 2, 5, 4, 2}), other = said({2, 5, 2, 3, 4}),
                             another = said({2, 5, 2, 3, 3});
    float apart = 0;
    for (std::size_t i = 0; i < one.size(); ++i) {
        EXPECT_NEAR(one[i], other[i], 1e-4f);
        apart = std::max(apart, std::abs(one[i] - another[i]));
    }
    EXPECT_GT(apart, 1e-2f);
}

// The place that asks for the label sees what the text was given, under the words of the text alone.
TEST(TextsWithAQuestion, AreLookedAtWithoutIt) {
    const auto host = make_host(configuration_of(HostType::coattention));
    const std::vector<float> weights = lively_weights(host->layout());
    Generation generation(*host, weights, {3, 2, 5, 4, 2});
    generation.read(0);
    const GeneratedWords words{.source = {"where", "?", "a", "b", "c"}, .read = {"r"}, .said = {"l"}};
    const std::vector<SiteRecord> records = site_records(*host, weights, generation, words);
    const Trace &looking = *record_at(records, "encoder.1.self").trace,
                &asked = *record_at(records, "decoder.0.cross").trace,
                &read_apart = *record_at(records, "encoder.0.self").trace;
    EXPECT_EQ(looking.tokens.query, (std::vector<std::string>{"a", "b", "c"}));
    EXPECT_EQ(looking.tokens.key, (std::vector<std::string>{"where", "?"}));
    EXPECT_EQ(asked.tokens.query, (std::vector<std::string>{"l"}));
    EXPECT_EQ(asked.tokens.key, (std::vector<std::string>{"a", "b", "c"}));
    EXPECT_EQ(asked.find("weights")->extent(Axis::key), 3);
    const Stage& weights_apart = *read_apart.find("weights");
    for (Index query = 0; query < 5; ++query)
        for (Index key = 0; key < 5; ++key)
            EXPECT_EQ(read_apart.matrix(weights_apart, 0)[static_cast<std::size_t>(query * 5 + key)] > 0,
                      (query < question) == (key < question))
                << query << ' ' << key;
    const auto output = looking.values(*looking.find("output"));
    const FloatTensor states = generation.source_states();
    ASSERT_EQ(std::ssize(states.values()), std::ssize(output));
    for (std::size_t i = 0; i < output.size(); ++i)
        EXPECT_NEAR(static_cast<double>(states.values()[i]), output[i], 1e-4);
}

TEST(TextsWithAQuestion, MustBeMoreThanTheQuestion) {
    const auto host = make_host(configuration_of(HostType::coattention));
    const std::vector<float> weights = lively_weights(host->layout());
    expect_refusal([&] { Generation(*host, weights, {3, 2}); }, {"question", "2 tokens", "2"});
}

// A layer without a mechanism may stand beside one that has its own, and keeps to its sentence as well.
TEST(TextsOfSentences, AreReadApartByEveryLayerOfAList) {
    TransformerConfiguration c = configuration_of(HostType::hierarchical);
    c.encoder = {LayerSpec{.mechanism = c.encoder.front().mechanism}, LayerSpec{}};
    keep_to_sentences(c, sentence, c.longest);
    for (const LayerSpec& each : c.encoder)
        EXPECT_TRUE(each.lists_mechanism() && is_masked(each.mechanism->mask));
    EXPECT_NO_THROW(make_host(c));
}

/// Pairs of three points, row by row.
const std::vector<Index> pairs{0, 3, 2, 4, 0, 5, 1, 2, 0};

/// All that a host of pairs makes of them.
struct ReadPairs {
    explicit ReadPairs(const std::vector<Index>& source) {
        const auto host = make_host(configuration_of(HostType::triangles));
        const std::vector<float> weights = lively_weights(host->layout());
        Generation generation(*host, weights, source);
        logits = generation.read(0).logits;
        const GeneratedWords words{
            .source = std::vector<std::string>(source.size(), "s"), .read = {"r"}, .said = {"l"}};
        records = site_records(*host, weights, generation, words);
    }
    /// What a pair gives to another in a head of a layer.
    double weight(Index layer, Index head, Index pair, Index other) const {
        const Trace& trace = *records[static_cast<std::size_t>(layer)].trace;
        return trace.matrix(*trace.find("weights"),
                            head)[static_cast<std::size_t>(pair * points * points + other)];
    }
    std::vector<float> logits;
    std::vector<SiteRecord> records;
};

TEST(PairsOfPoints, LookAtThoseWithWhichTheyShareOne) {
    const ReadPairs read_pairs(pairs);
    for (Index pair = 0; pair < points * points; ++pair)
        for (Index other = 0; other < points * points; ++other) {
            EXPECT_EQ(read_pairs.weight(0, 0, pair, other) > 0, pair / points == other / points)
                << "around the starting node, " << pair << ' ' << other;
            EXPECT_EQ(read_pairs.weight(1, 0, pair, other) > 0, pair % points == other % points)
                << "around the ending node, " << pair << ' ' << other;
        }
}

// Another word for (1, 2) is seen where its row is, and has a say as the third side where (i, 1) looks at
// (i, 2); (0, 0), (0, 2), (2, 0) and (2, 2) know nothing of it in the first layer.
TEST(PairsOfPoints, HaveASayAsTheThirdSide) {
    std::vector<Index> changed = pairs;
    constexpr Index side = 1 * points + 2;
    changed[side] = 1;
    const ReadPairs one(pairs), other(changed);
    for (Index pair = 0; pair < points * points; ++pair) {
        double apart = 0;
        for (Index head = 0; head < 2; ++head)
            for (Index met = 0; met < points * points; ++met)
                apart = std::max(apart,
                                 std::abs(one.weight(0, head, pair, met) - other.weight(0, head, pair, met)));
        if (pair / points == 1 || pair % points == 1) {
            EXPECT_GT(apart, 1e-4) << pair;
        } else {
            EXPECT_NEAR(apart, 0, 1e-12) << pair;
        }
    }
}

TEST(PairsOfPoints, SayTheSameWhicheverNumbersThePointsHave) {
    std::vector<Index> renumbered(pairs.size()), turned(pairs.size());
    for (Index from = 0; from < points; ++from)
        for (Index to = 0; to < points; ++to) {
            const auto at = static_cast<std::size_t>(from * points + to);
            renumbered[at] =
                pairs[static_cast<std::size_t>((from + 1) % points * points + (to + 1) % points)];
            turned[at] = pairs[static_cast<std::size_t>(from * points + (to + 1) % points)];
        }
    const std::vector<float> one = ReadPairs(pairs).logits, same = ReadPairs(renumbered).logits,
                             other = ReadPairs(turned).logits;
    float apart = 0;
    for (std::size_t i = 0; i < one.size(); ++i) {
        EXPECT_NEAR(one[i], same[i], 1e-4f);
        apart = std::max(apart, std::abs(one[i] - other[i]));
    }
    EXPECT_GT(apart, 1e-3f) << "of the same tokens in other pairs";
}

struct RefusedPooling {
    const char* name;
    HostType host;
    std::function<void(TransformerConfiguration&)> change;
    std::vector<std::string> parts;
};
void PrintTo(const RefusedPooling& row, std::ostream* out) { *out << row.name; }

class LabelPoolingRefused : public testing::TestWithParam<RefusedPooling> {};

TEST_P(LabelPoolingRefused, SaysWhy) {
    TransformerConfiguration c = configuration_of(GetParam().host);
    GetParam().change(c);
    expect_refusal([&] { make_host(c); }, GetParam().parts);
}

INSTANTIATE_TEST_SUITE_P(All, LabelPoolingRefused,
                         testing::Values(RefusedPooling{"of_a_decoder",
                                                        HostType::hierarchical,
                                                        [](auto& c) {
                                                            const AttentionSpec own = *c.mechanism();
                                                            c.kind = TransformerKind::decoder;
                                                            c.set_mechanism(own);
                                                        },
                                                        {"pooling_mechanism", "says a label", "decoder"}},
                                         RefusedPooling{"a_question_that_nobody_asks_about",
                                                        HostType::coattention,
                                                        [](auto& c) { c.pooling = Pooling::mean; },
                                                        {"asked_text", "is asked for a label", "2 tokens"}},
                                         RefusedPooling{"a_question_without_a_text",
                                                        HostType::coattention,
                                                        [](auto& c) { c.asked_text->question = c.longest; },
                                                        {"asked_text", "1 to 9", "10"}},
                                         RefusedPooling{"seeds_without_a_mechanism",
                                                        HostType::slot_attention,
                                                        [](auto& c) { c.pooling_mechanism.reset(); },
                                                        {"seeds", "ask by a mechanism", "4"}},
                                         RefusedPooling{"seeds_that_nobody_asks",
                                                        HostType::hierarchical,
                                                        [](auto& c) { c.seeds = 2; },
                                                        {"seeds", "2"}},
                                         RefusedPooling{"too_many_seeds",
                                                        HostType::slot_attention,
                                                        [](auto& c) { c.seeds = most_seeds + 1; },
                                                        {"seeds", "1 to 64", "65"}},
                                         RefusedPooling{"triangles_of_a_text_that_is_said",
                                                        HostType::triangles,
                                                        [](auto& c) {
                                                            c.pooling = Pooling::mean;
                                                            c.kind = TransformerKind::decoder;
                                                            c.decoder = c.encoder;
                                                        },
                                                        {"layer 1", "triangle"}},
                                         RefusedPooling{"what_takes_no_second_sequence",
                                                        HostType::slot_attention,
                                                        [](auto& c) {
                                                            c.pooling_mechanism->algorithm = {
                                                                AlgorithmType::hierarchical_pooling};
                                                        },
                                                        {"pooling_mechanism", "hierarchical_pooling"}}),
                         [](const auto& row) { return row.param.name; });

}  // namespace

}  // namespace headlight::label_pooling_test
