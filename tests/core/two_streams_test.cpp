// A decoder that learns its texts in any order: orders are drawn as they should be, a guess knows what had
// its turn before and never its own word, and what is learned in the order of a text is what is said word by
// word.

#include "core/attention/component.h"
#include "core/model/generation.h"
#include "core/model/text_order.h"
#include "core/nn/operations.h"
#include "core/tensor/error.h"
#include "core/tensor/random.h"
#include "tests/support/gradients.h"
#include "tests/support/hosts.h"
#include "tests/support/refusal.h"
#include "tests/support/small_traces.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace headlight::two_streams_test {

using namespace nn;
using namespace test;

namespace {

/// Texts of different lengths; of the second "4" is given.
Batch small_batch() {
    const std::vector<std::vector<Index>> none(3), inputs{{0, 2, 6, 3}, {0, 4, 4, 5, 2}, {0, 5}},
        labels{{2, 6, 3, 1}, {Sequences::none, 4, 5, 2, 1}, {5, 1}};
    return {side_by_side(none), side_by_side(inputs), side_by_side(labels)};
}

TransformerConfiguration two_streams(PositionEncoding places = PositionEncoding::sinusoidal) {
    TransformerConfiguration c = small_transformer(TransformerKind::decoder, places);
    c.two_streams = true;
    return c;
}

TextOrder natural(Index places) {
    TextOrder order(static_cast<std::size_t>(places));
    std::iota(order.begin(), order.end(), Index(0));
    return order;
}

/// The only text of a batch.
Batch batch_of(const std::vector<Index>& inputs, const std::vector<Index>& labels) {
    return {side_by_side(std::vector<std::vector<Index>>(1)), side_by_side(std::span(&inputs, 1)),
            side_by_side(std::span(&labels, 1))};
}

std::vector<double> lively(const TransformerModel& model) {
    const std::vector<float> weights = lively_weights(model.layout());
    return {weights.begin(), weights.end()};
}

/// What the model says of each turn but the first, told the text in this order: [turn][word].
std::vector<std::vector<double>> said_in_order(const TransformerModel& model, const Batch& batch,
                                               const TextOrder& order) {
    const OrderedTexts texts = in_orders(batch, std::span(&order, 1));
    const std::vector<double> weights = lively(model);
    Tape<double> tape(weights);
    auto memory = model.remember(tape, Variable<double>(), texts.inputs);
    const Variable<double> logits =
        model.logits(tape, model.decode_in_order<double>(tape, memory, texts.inputs, texts.places));
    std::vector<std::vector<double>> rows;
    for (Index row = 0; row < logits.rows; ++row)
        rows.emplace_back(logits.row(row), logits.row(row) + logits.columns);
    return rows;
}

TEST(TextOrders, BeginWithWhatIsGivenAndHaveEachPlaceOnce) {
    for (std::uint64_t stream = 0; stream < 50; ++stream) {
        const std::vector<TextOrder> orders = drawn_orders(small_batch(), stream);
        ASSERT_EQ(orders.size(), 3u);
        EXPECT_EQ(orders, drawn_orders(small_batch(), stream));
        const Index places[] = {5, 6, 3}, given[] = {0, 1, 0};
        for (std::size_t i = 0; i < orders.size(); ++i) {
            for (Index turn = 0; turn <= given[i]; ++turn)
                EXPECT_EQ(orders[i][static_cast<std::size_t>(turn)], turn);
            EXPECT_TRUE(std::ranges::is_permutation(orders[i], natural(places[i])));
        }
    }
}

TEST(TextOrders, AreAllDrawnAboutAsOften) {
    std::map<TextOrder, int> drawn;
    constexpr int draws = 2400;
    for (std::uint64_t stream = 0; stream < draws; ++stream)
        ++drawn[drawn_orders(small_batch(), stream).front()];
    EXPECT_EQ(drawn.size(), 24u);  // of four places behind the first
    for (const auto& [order, times] : drawn)
        EXPECT_NEAR(times, draws / 24, 50);
}

TEST(TextOrders, MoveWordsWithTheirPlaces) {
    const Batch batch = batch_of({0, 2, 6, 3}, {2, 6, 3, 1});
    const TextOrder order{0, 3, 1, 4, 2};
    const OrderedTexts texts = in_orders(batch, std::span(&order, 1));
    EXPECT_EQ(texts.inputs.tokens, (std::vector<Index>{0, 3, 2, 1}));  // "1" is what ends the text
    EXPECT_EQ(texts.labels.tokens, (std::vector<Index>{3, 2, 1, 6}));
    EXPECT_EQ(texts.places, order);
    const std::vector<TextOrder> as_they_are{natural(5), natural(6), natural(3)};
    const OrderedTexts same = in_orders(small_batch(), as_they_are);
    EXPECT_EQ(same.inputs.tokens, small_batch().inputs.tokens);
    EXPECT_EQ(same.labels.tokens, small_batch().labels.tokens);
}

class TwoStreamModels : public testing::TestWithParam<PositionEncoding> {};

TEST_P(TwoStreamModels, SayAloneWhatTheyLearnTogether) {
    const TransformerModel model(two_streams(GetParam()));
    const std::vector<double> weights = lively(model);
    const std::vector<TextOrder> orders = drawn_orders(small_batch(), 7);
    const auto loss_of = [&](const OrderedTexts& texts) {
        return loss_at(weights, [&](Tape<double>& tape) { return model.loss_in_order(tape, texts, 1.0); });
    };
    double alone = 0;
    const std::vector<std::vector<Index>> inputs{{0, 2, 6, 3}, {0, 4, 4, 5, 2}, {0, 5}},
        labels{{2, 6, 3, 1}, {Sequences::none, 4, 5, 2, 1}, {5, 1}};
    for (std::size_t i = 0; i < inputs.size(); ++i)
        alone += loss_of(in_orders(batch_of(inputs[i], labels[i]), std::span(orders).subspan(i, 1)));
    EXPECT_NEAR(loss_of(in_orders(small_batch(), orders)), alone, 1e-9);
}

TEST_P(TwoStreamModels, LearnInOrdersThatTheStepDraws) {
    const TransformerModel model(two_streams(GetParam()));
    const std::vector<double> weights = lively(model);
    const auto drawn = [&](std::uint64_t stream) {
        return loss_at(weights,
                       [&](Tape<double>& tape) { return model.loss(tape, small_batch(), 1.0, stream); });
    };
    EXPECT_EQ(drawn(3), drawn(3));
    EXPECT_GT(std::abs(drawn(3) - drawn(4)), 1e-6);
    const auto texts = in_orders(small_batch(), drawn_orders(small_batch(), substream(3, "orders")));
    EXPECT_EQ(drawn(3),
              loss_at(weights, [&](Tape<double>& tape) { return model.loss_in_order(tape, texts, 1.0, 3); }));
}

// Word by word, from a cache, in the order of the text.
TEST_P(TwoStreamModels, SayStepByStepWhatTheyLearnInTheOrderOfTheText) {
    const TransformerConfiguration c = two_streams(GetParam());
    const auto host = make_host(c);
    const std::vector<float> weights = lively_weights(host->layout());
    const auto at_once = said_in_order(TransformerModel(c), batch_of({0, 2, 6, 3}, {2, 6, 3, 1}), natural(5));
    Generation generation(*host, weights, {});
    for (std::size_t t = 0; t < at_once.size(); ++t) {
        const GenerationStep& step = generation.read(std::vector<Index>{0, 2, 6, 3}[t]);
        for (std::size_t word = 0; word < at_once[t].size(); ++word)
            EXPECT_NEAR(static_cast<double>(step.logits[word]), at_once[t][word], 1e-4) << t;
    }
}

// What stands at a place changes nothing of what is guessed there, nor of what is guessed before; it changes
// what is guessed after it.
TEST_P(TwoStreamModels, KnowAWordOnlyOnceItHadItsTurn) {
    const TransformerModel model(two_streams(GetParam()));
    const std::vector<Index> words{0, 2, 6, 3}, ends{2, 6, 3, 1};
    for (const TextOrder& order : {natural(5), TextOrder{0, 3, 1, 4, 2}, TextOrder{0, 2, 4, 3, 1}}) {
        const auto before = said_in_order(model, batch_of(words, ends), order);
        for (Index place = 1; place < std::ssize(words); ++place) {
            std::vector<Index> inputs = words, labels = ends;
            inputs[static_cast<std::size_t>(place)] = labels[static_cast<std::size_t>(place) - 1] = 4;
            const auto after = said_in_order(model, batch_of(inputs, labels), order);
            const Index turn = std::ranges::find(order, place) - order.begin();
            for (Index row = 0; row < std::ssize(before); ++row) {
                const auto at = static_cast<std::size_t>(row);
                if (row < turn)  // its own turn is guessed by the row before
                    EXPECT_EQ(before[at], after[at]) << "place " << place << ", row " << row;
                else
                    EXPECT_NE(before[at], after[at]) << "place " << place << ", row " << row;
            }
        }
    }
}

TEST_P(TwoStreamModels, SayAnotherWordAtAnotherPlace) {
    const TransformerModel model(two_streams(GetParam()));
    const Batch batch = batch_of({0, 2, 6, 3}, {2, 6, 3, 1});
    const auto one = said_in_order(model, batch, {0, 1, 2, 3, 4}),
               other = said_in_order(model, batch, {0, 1, 3, 2, 4});
    EXPECT_EQ(one.front(), other.front());
    EXPECT_NE(one[1], other[1]) << "the same words are known, and another place is asked for";
}

INSTANTIATE_TEST_SUITE_P(Places, TwoStreamModels,
                         testing::Values(PositionEncoding::sinusoidal, PositionEncoding::learned),
                         [](const auto& row) {
                             return row.param == PositionEncoding::learned ? std::string("learned")
                                                                           : std::string("sinusoidal");
                         });

// The last token that is read is followed by a place that is guessed.
TEST(TwoStreamsWithLearnedPlaces, HaveOneMoreThanTheyRead) {
    const TransformerConfiguration c = two_streams(PositionEncoding::learned);
    const auto host = make_host(c);
    EXPECT_EQ(host->most_tokens().target, c.longest);
    const std::vector<float> weights = lively_weights(host->layout());
    Generation generation(*host, weights, {});
    for (Index token = 0; token < c.longest; ++token)
        EXPECT_NO_THROW(generation.read(token % target_words)) << token;
    expect_refusal([&] { generation.read(0); }, {"read tokens", "places of 1 to 11", "12"});
}

TEST(TwoStreamsThatWrite, CostTwiceWhatOneDoes) {
    const auto passes = [](HostType host) {
        const auto model = std::make_shared<const TrainedModel>(small_trained({"", "sort", host}));
        GenerationRequest request;
        request.source = example_source(*model->model, 0);
        return Generator(model).cost(request).multiply_adds / static_cast<double>(model->weights.size());
    };
    EXPECT_GT(passes(HostType::gpt), 1);
    EXPECT_NEAR(passes(HostType::two_stream), 2 * passes(HostType::gpt), 1e-9);
}

/// Layers that attend otherwise, of those that two streams can have.
std::vector<TransformerConfiguration> possible_attentions_of_streams() {
    std::vector<TransformerConfiguration> all{two_streams()};
    const auto add = [&](const TransformerConfiguration& c) {
        try {
            TransformerModel{c};
            all.push_back(c);
        } catch (const Error&) {
            return;  // not for a decoder, or not for any order
        }
    };
    for (const ScoreComponent& component : score_components()) {
        TransformerConfiguration c = two_streams();
        c.score.type = component.type;
        if (stands_alone(c.score))
            add(c);
    }
    for (const NormalizerComponent& component : normalizer_components()) {
        TransformerConfiguration c = two_streams();
        c.normalizer.type = component.type;
        if (stands_alone(c.normalizer) && c.normalizer.type != NormalizerType::gumbel)  // draws for each row
            add(c);
    }
    return all;
}

// In a single layer contents know nothing of one another, so that a guess follows from which words are known,
// whatever the order in which they came.
TEST(TwoStreamsOfOneLayer, GuessFromASetOfWordsThatAreKnown) {
    const Batch batch = batch_of({0, 2, 6, 3}, {2, 6, 3, 1});
    std::size_t count = 0;
    for (TransformerConfiguration c : possible_attentions_of_streams()) {
        SCOPED_TRACE(std::to_string(static_cast<int>(c.score.type)) + ", " +
                     std::to_string(static_cast<int>(c.normalizer.type)));
        c.decoder.resize(1);
        const TransformerModel model(c);
        const auto one = said_in_order(model, batch, {0, 1, 2, 3, 4}),
                   other = said_in_order(model, batch, {0, 3, 1, 2, 4});
        for (std::size_t word = 0; word < one.back().size(); ++word)
            EXPECT_NEAR(one.back()[word], other.back()[word], 1e-9);
        ++count;
    }
    EXPECT_GT(count, 15u);
}

TEST(TwoStreamsInATrace, AreTwoSitesOfALayerWithTheSameWeights) {
    const auto host = make_host(two_streams());
    const std::vector<SiteDescription> sites = host->sites();
    ASSERT_EQ(sites.size(), 4u);
    const SiteDescription &content = sites[2], &query = sites[3];
    EXPECT_EQ(content.name, "decoder.1.content");
    EXPECT_EQ(query.name, "decoder.1.query");
    EXPECT_EQ(query.keys_of, content.name);
    EXPECT_TRUE(query.guesses && !content.guesses);
    ASSERT_EQ(content.parameters.size(), query.parameters.size());
    for (std::size_t i = 0; i < content.parameters.size(); ++i) {
        EXPECT_EQ(content.parameters[i].first, query.parameters[i].first);
        EXPECT_EQ(content.parameters[i].second.offset, query.parameters[i].second.offset);
    }
}

// A row of the queries is called by the word that it guesses, a column by a word that is known.
TEST(TwoStreamsInATrace, CallRowsByWhatIsGuessed) {
    const Trace trace =
        trace_of_model(*std::ranges::find(small_models, HostType::two_stream, &SmallModel::host));
    const TokenLabels &content = trace.tokens_at("decoder.0.content"),
                      &query = trace.tokens_at("decoder.0.query");
    EXPECT_TRUE(content.key.empty()) << "one text: the keys are the queries";
    EXPECT_EQ(query.key, content.query);
    ASSERT_GT(query.query.size(), 2u);
    for (std::size_t step = 0; step + 1 < query.query.size(); ++step)
        EXPECT_EQ(query.query[step], content.query[step + 1]) << "what is said is read next";
}

}  // namespace

}  // namespace headlight::two_streams_test
