// The trained models inside the program: each is as good as was promised, and shows what it is there to show.

#include "core/io/files.h"
#include "core/io/json_text.h"
#include "core/io/model_json.h"
#include "core/io/model_title.h"
#include "core/io/shipped_models.h"
#include "core/model/tasks/english_french/translation.h"
#include "tests/support/long_tests.h"
#include "tests/support/shipped_maps.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <regex>
#include <set>
#include <string_view>
#include <tuple>

namespace headlight::shipped_models_test { namespace {

using test::said, test::shipped, test::Weights;

TEST(ShippedModels, AreThoseThatTheScriptTrains) {
    const std::string script = read_file(HEADLIGHT_SOURCE_DIR "/scripts/train_models.sh");
    const std::regex line("\ntrain ([a-z-]+) ");
    std::set<std::string> trained, there;
    for (std::sregex_iterator found(script.begin(), script.end(), line), end; found != end; ++found)
        trained.insert((*found)[1].str());
    std::size_t bytes = 0;
    for (const ShippedFiles& model : shipped_files()) {
        there.emplace(model.name);
        bytes += model.config.size() + model.weights.size() + model.tokenizer.size() +
                 model.target_tokenizer.size();
    }
    EXPECT_EQ(there, trained);
    EXPECT_LT(bytes, 12'000'000u);
}

struct Promise {
    const char* name;
    double exact_match;
};
void PrintTo(const Promise& row, std::ostream* out) { *out << row.name; }

constexpr Promise promises[] = {
    {"dates-additive-gru", 0.99},
    {"dates-luong", 0.99},
    {"hard-attention-dates", 0.9},
    {"translate-additive-gru", 0.97},
    {"translate-transformer", 0.97},
    {"reverse-transformer", 0.99},
    {"sort-gpt", 0.99},
    {"induction-gpt", 0.99},
    {"brackets-encoder", 0.99},
    {"reverse-pointer", 0.99},
    {"copy-universal", 0.99},
    {"reverse-convolutional", 0.99},
    {"copy-gnmt", 0.99},
    {"copy-dense", 0.99},
    {"copy-hops", 0.99},
    {"induction-xl", 0.99},
    {"reverse-two-streams", 0.99},
    {"distinct-set", 0.99},
    {"distinct-slots", 0.99},
    {"reviews-hierarchical", 0.99},
    {"whereabouts-coattention", 0.99},
    {"distances-triangles", 0.99},
    {"race-vit", 0.99},
};

TEST(ShippedModels, AreListedForPeopleThoseThatReadWordsFirst) {
    std::vector<std::string_view> names;
    for (const ShippedModel& model : shipped_models())
        names.push_back(model.name);
    EXPECT_EQ(std::set(names.begin(), names.end()).size(), shipped_files().size());
    const auto place = [&](std::string_view name) { return std::ranges::find(names, name) - names.begin(); };
    EXPECT_EQ(place("translate-additive-gru"), 0);
    EXPECT_EQ(place("translate-transformer"), 1);
    EXPECT_LT(place("copy-hops"), place("dates-luong")) << "the easier task comes first";
    EXPECT_EQ(std::abs(place("dates-luong") - place("hard-attention-dates")), 1) << "of one task";
}

// The window has them in this order and by these titles without reading one of their files.
TEST(ShippedModels, HaveTheTitlesAndTheOrderThatTheirSettingsSay) {
    using Place = std::tuple<bool, int, bool, std::string>;  // words first, task, Transformers last, title
    std::optional<Place> before;
    for (const ShippedModel& model : shipped_models()) {
        const TrainingSettings settings =
            training_settings_from_json(parse_json(model.config, {.place = std::string(model.name)}));
        const Task& learned = task(settings.task);
        EXPECT_EQ(model.title, model_title(settings)) << model.name;
        const Place place{learned.source_writing == Writing::characters, learned.order,
                          !settings.model.is_recurrent(), model.title};
        EXPECT_TRUE(!before || *before < place) << model.name << " comes too late";
        before = place;
    }
    EXPECT_EQ(shipped_models().size(), shipped_files().size())
        << "a row of shipped_models.cpp lacks its folder";
}

TEST(ShippedModels, AreFoundByTheirNamesAlone) {
    for (const ShippedModel& model : shipped_models())
        EXPECT_EQ(find_shipped_model(model.name), &model);
    EXPECT_EQ(find_shipped_model("mine"), nullptr);
    EXPECT_EQ(find_shipped_model(""), nullptr);
}

TEST(ShippedModels, AreAllPromisedSomething) { EXPECT_EQ(shipped_models().size(), std::size(promises)); }

class Promised : public testing::TestWithParam<Promise> {
protected:
    const Promise& row() const { return GetParam(); }
};

TEST_P(Promised, IsKept) {
    const auto model = shipped(row().name);
    EXPECT_GE(model->exact_match.share, row().exact_match);
    EXPECT_GE(model->exact_match.examples, 2000);
    EXPECT_EQ(model->steps, model->settings.steps) << "trained to the end";
    const bool is_long = test::is_long();
    const Index examples = is_long ? 500 : 50;  // of which chance may spoil a few more
    EXPECT_GE(exact_match_rate(*model->model, model->weights, model->settings.seed, examples, 2),
              row().exact_match - (is_long ? 0.02 : 0.05));
}

TEST_P(Promised, AnswersWhatPeopleAreShown) {
    const auto model = shipped(row().name);
    const Task& task = model->model->task;
    const Example shown = task.shown ? *task.shown : example(task, 1, 0, Split::held_out);
    EXPECT_EQ(said(row().name, example_source(*model->model, 0)).words, model->model->expected(shown));
}

INSTANTIATE_TEST_SUITE_P(Models, Promised, testing::ValuesIn(promises));

// What they are there to show

TEST(ShippedModels, TranslateSentencesThatTrainingNeverSaw) {
    const Task& translate = task("translate");
    for (const char* english :
         {"the black cat does not sleep", "the white mouse does not eat", "the queen sees the red dress",
          "where is the king's black hat?", "we never see the red cars", "does the grey bird love her?"}) {
        Example asked;
        asked.source = tokens_of(translate, english);
        asked.target = english_french::translations(asked.source).front();
        EXPECT_EQ(split_of(translate, asked), Split::held_out) << english;
        for (const char* name : {"translate-additive-gru", "translate-transformer"})
            EXPECT_EQ(said(name, english).words, asked.target) << name;
    }
}

TEST(ShippedModels, LookAtTheAdjectiveAcrossTheNoun) {
    const Transcript transcript = said("translate-additive-gru", "the black cat does not sleep");
    const Weights weights(transcript, "decoder.cross");
    const auto looked_at = [&](const std::string& word) {
        const auto step = std::ranges::find(transcript.steps, word, &TranscriptStep::said);
        const Index key = weights.brightest_key(0, step - transcript.steps.begin());
        return transcript.source[static_cast<std::size_t>(key)];
    };
    EXPECT_EQ(looked_at("chat"), "cat");
    EXPECT_EQ(looked_at("noir"), "black");
    EXPECT_EQ(looked_at("ne"), "not");
    EXPECT_EQ(looked_at("dort"), "sleep");
}

TEST(ShippedModels, LookAtTheDigitsOfTheDay) {
    const Transcript transcript = said("dates-luong", "3rd of May 1979");
    const Weights weights(transcript, "decoder.cross");
    constexpr Index day = 9;
    EXPECT_EQ(weights.brightest_key(0, day), 0) << "the 3";
}

// A model could as well let the encoder carry everything to one letter, and stare at that.
TEST(ShippedModels, LookAboutWhenTheyDrawWhere) {
    const Transcript transcript = said("hard-attention-dates", "3rd of May 1979");
    const Weights weights(transcript, "decoder.cross");
    std::set<Index> looked_at;
    for (Index step = 0; step < std::ssize(transcript.steps); ++step)
        looked_at.insert(weights.brightest_key(0, step));
    EXPECT_GE(looked_at.size(), 6u);
}

TEST(ShippedModels, KeepTheRunBeforeWhereAChangeMakesThemSayOtherWords) {
    GenerationRequest request;
    request.source = "tue 13 aug 1918";
    const Transcript before = *Generator(shipped("dates-luong")).generate(request);
    request.interventions = {{.kind = Intervention::Kind::mute_head, .site = "decoder.cross"}};
    const Transcript changed = *Generator(shipped("dates-luong")).generate(request);
    ASSERT_NE(changed.words, before.words);
    EXPECT_EQ(changed.untouched, before.words);
    ASSERT_EQ(changed.sites_before.size(), before.sites.size());
    for (std::size_t site = 0; site < before.sites.size(); ++site) {
        const Trace &kept = *changed.sites_before[site].trace, &was = *before.sites[site].trace;
        EXPECT_TRUE(std::ranges::equal(kept.values(*kept.find("weights")), was.values(*was.find("weights"))));
    }
    // What is said either way is the run before already.
    for (const TranscriptStep& step : before.steps)
        request.chosen.push_back(step.said);
    EXPECT_TRUE(Generator(shipped("dates-luong")).generate(request)->sites_before.empty());
}

// What people do first: take its favourite from a step. The others share in the proportions that they had, to
// the last bit that a float of theirs has.
TEST(ShippedModels, ShareWhatAStepsFavouriteHad) {
    Generator generator(shipped("dates-luong"));
    GenerationRequest request;
    request.source = "tue 13 aug 1918";
    const Transcript before = *generator.generate(request);
    const Weights were(before, "decoder.cross");
    const Index keys = std::ssize(before.source), steps = std::ssize(before.steps);
    ASSERT_EQ(steps, 11);
    for (Index step = 0; step < steps; ++step) {
        const Index favourite = were.brightest_key(0, step);
        request.interventions = {{.kind = Intervention::Kind::zero_column,
                                  .site = "decoder.cross",
                                  .step = step,
                                  .key = favourite,
                                  .renormalizes = true}};
        const Transcript after = *generator.generate(request);
        const Weights are(after, "decoder.cross");
        double others = 0, sum = 0;
        for (Index key = 0; key < keys; ++key) {
            others += key == favourite ? 0 : were(0, step, key);
            sum += are(0, step, key);
        }
        EXPECT_NEAR(sum, 1, 1e-6) << "step " << step;
        for (Index key = 0; key < keys; ++key)
            EXPECT_NEAR(are(0, step, key), key == favourite ? 0 : were(0, step, key) / others, 1e-6)
                << "step " << step << ", key " << key;
        if (step == 9) {
            EXPECT_EQ(favourite, 5);
            std::vector<double> largest;
            for (Index key = 0; key < keys; ++key)
                largest.push_back(are(0, step, key));
            std::ranges::sort(largest, std::greater());
            EXPECT_NEAR(largest[0], 0.9097, 5e-5);
            EXPECT_NEAR(largest[1], 0.0903, 5e-5);
        }
    }
}

// From each repeated letter to the one behind its earlier occurrence (Olsson et al. 2022).
TEST(ShippedModels, HaveAnInductionHead) {
    const Transcript transcript = said("induction-gpt", "raowsktejzpqr");
    constexpr Index period = 12;
    const Weights weights(transcript, "decoder.1.self");
    double best = 0;
    for (Index head = 0; head < weights.heads(); ++head) {
        double sum = 0;
        Index count = 0;
        for (Index query = period + 1; query < std::ssize(transcript.steps); ++query, ++count)
            sum += weights(head, query, query - period + 1);
        best = std::max(best, sum / static_cast<double>(count));
    }
    EXPECT_GT(best, 0.6);
}

// The writer's own sentence has nearly all weight among the sentences (Yang et al. 2016).
TEST(ShippedModels, WeighTheSentenceOfTheWriter) {
    const Transcript transcript =
        said("reviews-hierarchical",
             "anna finds this very dull. i call this not silly. tom calls that quite awful.");
    const Trace& trace = *transcript.sites.back().trace;
    const auto sentences = trace.values(*trace.find("sentence_weights"));
    ASSERT_EQ(sentences.size(), 3u);
    EXPECT_GT(sentences[1], 0.5);
}

// The one row over the text marks the answer.
TEST(ShippedModels, MarkTheSentenceThatIsAskedFor) {
    const Transcript transcript = said("whereabouts-coattention",
                                       "where is paul? anna goes to the garden. paul is in the kitchen. emma "
                                       "sleeps in the park.");
    const Weights weights(transcript, "decoder.0.cross");
    double asked = 0;
    constexpr Index first = 6, behind = 12;
    for (Index head = 0; head < weights.heads(); ++head)
        for (Index key = first; key < behind; ++key)
            asked += weights(head, 0, key) / static_cast<double>(weights.heads());
    EXPECT_GT(asked, 0.5);
}

// From 1 to 3 over 2, where 4 is told of, too: pairs on the way have most of the one row, either way round.
TEST(ShippedModels, MarkThePairsThatLeadFromOnePointToTheOther) {
    const Transcript transcript = said("distances-triangles", "0 +5 x +7 -5 0 -2 _ _ +2 0 _ -7 _ _ 0");
    EXPECT_EQ(transcript.words, Tokens{"+3"});
    EXPECT_EQ(transcript.source[6], "2→3 -2");
    const Weights weights(transcript, "decoder.0.cross");
    double on_the_way = 0;
    for (Index head = 0; head < weights.heads(); ++head)
        for (const Index pair : {1, 4, 6, 9})
            on_the_way += weights(head, 0, pair) / static_cast<double>(weights.heads());
    EXPECT_GT(on_the_way, 0.5);
}

// What three steps lead to, and the same where the points have other numbers, the last one the first.
TEST(ShippedModels, FindADistanceOfThreeStepsWhicheverNumbersPointsHave) {
    for (const char* pairs :
         {"0 +5 _ x -5 0 -2 _ _ +2 0 +4 _ _ -4 0", "0 -4 _ _ +4 0 +2 _ _ -2 0 -5 x _ +5 0"})
        EXPECT_EQ(said("distances-triangles", pairs).words, Tokens{"+7"}) << pairs;
}

// The class token looks at the runner who is ahead, in whichever lane (row and column of its patch from 0).
TEST(ShippedModels, LookAtWhoIsAhead) {
    struct Race {
        const char *text, *ahead;
        Index lane, place;
    };
    for (const Race& race : {Race{".c.... ...s.. ....t. x..... ..c... ...x..", "triangle", 2, 4},
                             Race{".c.... ...s.. ....t. x..... .....c ...x..", "circle", 4, 5}}) {
        const Transcript transcript = said("race-vit", race.text);
        EXPECT_EQ(transcript.words, Tokens{race.ahead});
        const Weights weights(transcript, "decoder.0.cross");
        for (Index head = 0; head < weights.heads(); ++head)
            EXPECT_GT(weights(head, 0, 6 * race.lane + race.place), 0.5) << race.text;
        EXPECT_TRUE(transcript.picture);
    }
}

TEST(ShippedModels, TranslateWithTwoLayersOfFourHeads) {
    const auto model = shipped("translate-transformer");
    const auto& host = std::get<TransformerConfiguration>(model->settings.model);
    EXPECT_GE(host.heads, 4);
    EXPECT_EQ(host.encoder.size(), 2u);
    EXPECT_EQ(host.decoder.size(), 2u);
}

}}  // namespace headlight::shipped_models_test
