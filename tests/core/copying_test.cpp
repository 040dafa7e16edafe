// A pointer-generator keeps how it came by each word: how much it generated and how much it copied, in its
// steps, in words, and in the trace's files.

#include "core/figure/build_figure.h"
#include "core/io/trace_file.h"
#include "core/model/generator.h"
#include "core/model/prompt.h"
#include "tests/support/hosts.h"
#include "tests/support/refusal.h"
#include "tests/support/small_copier.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace headlight::copying_test {

using namespace test;
using nlohmann::json;

namespace {

std::shared_ptr<const TrainedModel> copier() {
    static const auto model = std::make_shared<const TrainedModel>(small_copier());
    return model;
}

RecurrentConfiguration pointer(DecoderStyle style, ScoreType score) {
    RecurrentConfiguration c = small_recurrent(style, score);
    c.copies = true;
    c.copied_as = {1, Sequences::none, 6, 3, 3, 0};  // one that cannot be said, two that are the same
    return c;
}

class Copying : public testing::TestWithParam<std::pair<DecoderStyle, ScoreType>> {
protected:
    const std::unique_ptr<Host> host = make_host(pointer(std::get<0>(GetParam()), std::get<1>(GetParam())));
    const std::vector<float> weights = lively_weights(host->layout());
};

TEST_P(Copying, IsWhatTheLogitsSay) {
    Generation generation(*host, weights, {0, 3, 1, 4, 5, 3});
    const std::vector<Index> copied_as = pointer(std::get<0>(GetParam()), std::get<1>(GetParam())).copied_as;
    for (const Index token : {0, 4, 2, 6}) {
        const GenerationStep& step = generation.read(token);
        ASSERT_TRUE(step.copying);
        const double generates = step.copying->generates;
        EXPECT_GE(generates, 0);
        EXPECT_LE(generates, 1);

        const std::vector<double> vocabulary(step.copying->vocabulary.begin(),
                                             step.copying->vocabulary.end());
        std::vector<double> expected;  // by equation 9
        for (const double word : vocabulary)
            expected.push_back(generates * word);
        for (std::size_t j = 0; j < generation.source().size(); ++j) {
            const Index word = copied_as[static_cast<std::size_t>(generation.source()[j])];
            if (word == Sequences::none)
                continue;
            expected[static_cast<std::size_t>(word)] +=
                (1 - generates) * static_cast<double>(step.sites.back().weights(0, static_cast<Index>(j)));
        }
        for (std::size_t w = 0; w < expected.size(); ++w) {
            const double mixed =
                generates * vocabulary[w] + (1 - generates) * static_cast<double>(step.copying->copied[w]);
            EXPECT_NEAR(mixed, expected[w], 1e-6) << w;
            EXPECT_NEAR(mixed, std::exp(static_cast<double>(step.logits[w])), 1e-6) << w;
            const double share = step.copying->copied_share(static_cast<Index>(w));
            EXPECT_NEAR(share * mixed, mixed - generates * vocabulary[w], 1e-9) << w;
        }
    }
}

/// Where every word of the source can be said.
TEST_P(Copying, Invariant39WordsSumToOne) {
    RecurrentConfiguration c = pointer(std::get<0>(GetParam()), std::get<1>(GetParam()));
    std::ranges::replace(c.copied_as, Sequences::none, Index(2));
    const std::unique_ptr<Host> all_said = make_host(c);
    const std::vector<float> lively = lively_weights(all_said->layout());
    Generation generation(*all_said, lively, {0, 3, 1, 4, 5, 3});
    for (const Index token : {0, 4, 2, 6}) {
        double sum = 0;
        for (const float logit : generation.read(token).logits)
            sum += std::exp(static_cast<double>(logit));
        EXPECT_NEAR(sum, 1, 1e-6) << token;
    }
}

TEST_P(Copying, FollowsTheWeightsThatAPersonSets) {
    Generation generation(*host, weights, {0, 3, 2});
    generation.set_interventions(
        {{.kind = Intervention::Kind::set_weight, .site = "decoder.cross", .key = 2, .weight = 1}});
    const GenerationStep& step = generation.read(0);
    for (std::size_t w = 0; w < step.copying->copied.size(); ++w)
        EXPECT_NEAR(step.copying->copied[w], w == 6 ? 1 : 0, 1e-6) << w;
}

INSTANTIATE_TEST_SUITE_P(Decoders, Copying,
                         testing::Values(std::pair{DecoderStyle::bahdanau, ScoreType::additive},
                                         std::pair{DecoderStyle::luong, ScoreType::general},
                                         std::pair{DecoderStyle::wrapper, ScoreType::coverage}),
                         [](const auto& row) { return "row" + std::to_string(row.index); });

TEST(Copier, CopiesWhatItHasLearnedToCopy) {
    Generator generator(copier());
    GenerationRequest request;
    request.source = "headlight";
    const Transcript said = *generator.generate(request);
    ASSERT_GE(said.steps.size(), 5u);
    double sum = 0;
    for (std::size_t i = 0; i < 5; ++i) {  // words, not the end of the text, which is no word of the source
        const TranscriptStep& step = said.steps[i];
        ASSERT_TRUE(step.generates);
        sum += *step.generates;
        double of_choices = 0;
        for (const TranscriptStep::Choice& choice : step.choices) {
            EXPECT_GE(choice.copied, 0);
            EXPECT_LE(choice.copied, choice.probability);
            of_choices += choice.copied;
        }
        EXPECT_LE(of_choices, 1 - *step.generates + 1e-6);
        EXPECT_GT(step.choices.front().copied, 0.5 * step.choices.front().probability);
    }
    EXPECT_LT(sum / 5, 0.3) << "mean probability of generating";
}

TEST(Copier, AModelThatDoesNotCopySaysNothingOfIt) {
    const auto host = make_host(small_recurrent(DecoderStyle::luong, ScoreType::general));
    const std::vector<float> weights = lively_weights(host->layout());
    Generation generation(*host, weights, {0, 3, 2});
    EXPECT_FALSE(generation.read(0).copying);
}

// Files

Trace copier_trace() {
    const TaskModel& model = *copier()->model;
    const Prompt read = prompt(model, "abcab");
    Generation generation(*model.host, copier()->weights, read.source);
    begin(generation, read);
    const std::vector<Index> said = generate(model, generation, 6, {}, 1);
    return generation_trace(*model.host, copier()->weights, generation,
                            generated_words(model, generation, said), model.target.words());
}

TEST(CopierTrace, ComesBackFromItsFiles) {
    const Trace trace = copier_trace();
    const std::vector<Trace> read{parse_trace_json(write_trace_json(trace)),
                                  parse_trace_safetensors(write_trace_safetensors(trace))};
    for (const Trace& again : read) {
        for (const Stage& known : output_stages()) {
            const Stage* stage = again.find(known.name, says_in_decoder);
            ASSERT_TRUE(stage) << known.name;
            EXPECT_EQ(stage->axes, known.axes);
            const auto numbers = again.values(*stage);
            const auto expected = trace.values(*trace.find(known.name, says_in_decoder));
            EXPECT_TRUE(std::ranges::equal(numbers, expected)) << known.name;
        }
        const TokenLabels& words = again.tokens_at(says_in_decoder);
        EXPECT_EQ(words.key, copier()->model->target.words());
        EXPECT_EQ(words.query, again.tokens_at("decoder.cross").query);
        EXPECT_FALSE(again.joined_specs.contains(says_in_decoder)) << "nothing attends there";
    }
}

TEST(CopierTrace, IsDrawnAsProbabilitiesOfWords) {
    const Trace trace = copier_trace();
    ViewSettings view;
    view.view = ViewKind::heatmap;
    view.selection.site = says_in_decoder;
    for (const auto& [stage, title] : {std::pair{"copied_distribution", "Words if copied"},
                                       {"vocabulary_distribution", "Words if generated"},
                                       {"generation_probability", "Probability of generating"}}) {
        view.selection.stage = stage;
        const Figure figure = build_figure(trace, view);
        EXPECT_EQ(figure.panels.front().title, title);
        EXPECT_EQ(figure.title, "What the model says");
        EXPECT_EQ(figure.panels.front().row_axis.title, "step");
        EXPECT_EQ(figure.panels.front().scale.low, 0) << stage;
        EXPECT_EQ(figure.panels.front().scale.high, 1) << stage;
    }
}

TEST(CopierTrace, NothingLooksWhereWordsAreSaid) {
    const Trace trace = copier_trace();
    const std::string first = trace.tokens_at(says_in_decoder).query.front();
    ViewSettings view;
    view.selection.site = says_in_decoder;
    view.decoding_step = 0;
    for (const auto& [stage, columns] :
         {std::pair{"copied_distribution", "word"}, {"generation_probability", "p_gen"}}) {
        view.selection.stage = stage;
        view.view = ViewKind::steps;
        EXPECT_TRUE(build_figure(trace, view).panels.front().subtitle.ends_with("“" + first + "” is said"));
        view.view = ViewKind::lines;
        const Figure lines = build_figure(trace, view);
        EXPECT_EQ(lines.panels.front().row_axis.title, "step");
        EXPECT_EQ(lines.panels.front().column_axis.title, columns);
    }
}

struct Wrong {
    const char* stage;
    const char* field;
    const char* value;
    const char* part;
};

TEST(CopierTrace, WhatIsNoProbabilityIsRefused) {
    const json right = json::parse(write_trace_json(copier_trace()));
    for (const Wrong& row :
         {Wrong{"generation_probability", "/data/0", "1.5", "a probability from 0 to 1"},
          Wrong{"generation_probability", "/data/1", "-0.1", "a probability from 0 to 1"},
          Wrong{"generation_probability", "/data/0", "null", "a probability from 0 to 1"},
          Wrong{"generation_probability", "/data/0", "\"NaN\"", "a probability from 0 to 1"},
          Wrong{"generation_probability", "/data/0", "\"much\"", "\"much\""},
          Wrong{"generation_probability", "/axes", "[\"query\", \"key\"]", "query, d"},
          Wrong{"vocabulary_distribution", "/data/2", "-1", "a probability from 0 to 1"},
          Wrong{"copied_distribution", "/data/2", "2", "a probability from 0 to 1"},
          Wrong{"copied_distribution", "/axes", "[\"query\", \"d\"]", "query, key"},
          Wrong{"logits", "/axes", "[\"query\", \"d\"]", "query, key"}}) {
        json document = right;
        std::size_t number = 0;
        while (document["stages"][number]["name"] != row.stage)
            ++number;
        const std::string place = "/stages/" + std::to_string(number);
        document[json::json_pointer(place + row.field)] = json::parse(row.value);
        expect_refusal([&] { parse_trace_json(document.dump()); },
                       {place + (row.field[1] == 'd' ? row.field : "/axes"), row.part});
    }
}

}  // namespace

}  // namespace headlight::copying_test
