// A speaker says what its model says, remembers it, and lets a person decide words and change weights.

#include "core/io/session_model.h"
#include "core/model/conversation.h"
#include "core/model/decoding.h"
#include "core/model/speaker.h"
#include "tests/support/refusal.h"
#include "tests/support/small_models.h"

using namespace headlight;
using namespace headlight::test;

namespace {

std::shared_ptr<const TrainedModel> copier() {
    static const auto model = std::make_shared<const TrainedModel>(
        small_trained({"copier", "copy", HostType::gru, "additive"}, 20));
    return model;
}

SpeechRequest source(const std::string& text) {
    SpeechRequest request;
    request.source = text;
    return request;
}

std::vector<std::string> said(const Utterance& utterance) {
    std::vector<std::string> words;
    for (const UtteredStep& step : utterance.steps)
        words.push_back(step.said);
    return words;
}

/// Every number of every site: two utterances with the same ones came about alike.
std::vector<double> numbers(const std::vector<SpokenSite>& sites) {
    std::vector<double> all;
    for (const SpokenSite& site : sites)
        for (const Stage& stage : site.trace->stages())
            for (const double value : site.trace->values(stage))
                all.push_back(value);
    return all;
}

std::vector<double> numbers(const Utterance& utterance) { return numbers(utterance.sites); }

TEST(Speaker, SaysTheLikeliestWords) {
    Speaker speaker(copier());
    const Utterance utterance = *speaker.say(source("abca"));
    EXPECT_EQ(utterance.source, (std::vector<std::string>{"a", "b", "c", "a"}));
    const TaskModel& model = *copier()->model;
    const std::vector<std::vector<Index>> given{{Vocabulary::begin}};
    const std::vector<std::vector<Index>> sources{model.source.numbers(utterance.source)};
    const auto greedy = decode_greedily(*model.host, copier()->weights, side_by_side(sources), given,
                                        Vocabulary::end, std::ssize(utterance.steps));
    EXPECT_EQ(utterance.words, model.target.words(greedy.front()));
    for (const UtteredStep& step : utterance.steps) {
        ASSERT_EQ(step.choices.size(), 8u);
        EXPECT_EQ(step.choices.front().word, step.said);
        EXPECT_EQ(step.choices.front().probability, step.probability);
        EXPECT_FALSE(step.is_chosen);
    }
}

TEST(Speaker, OneMoreWordCostsOneStep) {
    Speaker speaker(copier());
    SpeechRequest request = source("abcdef");
    request.target = "abc";
    speaker.say(request);
    EXPECT_EQ(speaker.steps_computed(), 4);  // three letters and the end
    request.target = "abcd";
    speaker.say(request);
    EXPECT_EQ(speaker.steps_computed(), 5);
    request.target = "abc";
    speaker.say(request);
    EXPECT_EQ(speaker.steps_computed(), 5);
}

TEST(Speaker, WhatItRemembersIsWhatItWouldComputeAnew) {
    Speaker speaker(copier());
    SpeechRequest request = source("abcdef");
    speaker.say(request);
    request.chosen = {"b", "c"};
    const Utterance remembered = *speaker.say(request);
    const Utterance anew = *Speaker(copier()).say(request);
    EXPECT_EQ(said(remembered), said(anew));
    EXPECT_EQ(numbers(remembered), numbers(anew));
}

TEST(Speaker, ChosenWordsComeFirst) {
    Speaker speaker(copier());
    SpeechRequest request = source("abc");
    request.chosen = {"x", "y"};
    const Utterance utterance = *speaker.say(request);
    ASSERT_GE(utterance.steps.size(), 3u);
    EXPECT_EQ(utterance.steps[0].said, "x");
    EXPECT_TRUE(utterance.steps[1].is_chosen);
    EXPECT_EQ(utterance.steps[2].read, "y");
    EXPECT_FALSE(utterance.steps[2].is_chosen);
}

TEST(Speaker, AForcedTargetIsTheSameWordsChosen) {
    Speaker speaker(copier());
    SpeechRequest request = source("abc");
    request.chosen = {"c", "a", "b", "</s>"};
    const Utterance chosen = *speaker.say(request);
    request.chosen.clear();
    request.target = "cab";
    const Utterance forced = *Speaker(copier()).say(request);
    EXPECT_EQ(forced.words, (std::vector<std::string>{"c", "a", "b"}));
    EXPECT_EQ(numbers(forced), numbers(chosen));
    for (std::size_t step = 0; step < forced.steps.size(); ++step)
        EXPECT_EQ(forced.steps[step].choices, chosen.steps[step].choices);
    EXPECT_TRUE(forced.is_over);
}

TEST(Speaker, RowsAreDecodingSteps) {
    const Utterance utterance = *Speaker(copier()).say(source("abcd"));
    ASSERT_EQ(utterance.sites.size(), 1u);
    const Trace trace = trace_of(utterance, "/somewhere/copy-additive-gru/");
    EXPECT_EQ(trace.name, "copy-additive-gru");
    const Stage* weights = trace.find("weights", "decoder.cross");
    ASSERT_TRUE(weights);
    EXPECT_EQ(weights->extent(Axis::query), std::ssize(utterance.steps));
    EXPECT_EQ(weights->extent(Axis::key), 4);
    EXPECT_EQ(trace.tokens_at("decoder.cross").query, said(utterance));
    EXPECT_EQ(trace.tokens_at("decoder.cross").key, utterance.source);
}

TEST(Speaker, InterventionsChangeWhatFollowsAndTheRestIsKept) {
    Speaker speaker(copier());
    SpeechRequest request = source("abcd");
    const Utterance before = *speaker.say(request);
    request.interventions = {
        {.kind = Intervention::Kind::zero_column, .site = "decoder.cross", .head = {}, .step = {}, .key = 1}};
    const Utterance after = *speaker.say(request);
    EXPECT_EQ(after.untouched, before.words);
    const Trace& trace = *after.sites.front().trace;
    for (Index step = 0; step < std::ssize(after.steps); ++step)
        EXPECT_EQ(trace.values(*trace.find("weights"))[static_cast<std::size_t>(step * 4 + 1)], 0);
    request.interventions.clear();
    const Utterance again = *speaker.say(request);
    EXPECT_EQ(numbers(again), numbers(before));
    EXPECT_FALSE(again.untouched);
}

TEST(Speaker, WhatItDoesUntouchedIsOfTheVerySteps) {
    Speaker speaker(copier());
    SpeechRequest request = source("abcd");
    request.interventions = {{.kind = Intervention::Kind::mute_head, .site = "decoder.cross"}};
    const Utterance changed = *speaker.say(request);
    ASSERT_EQ(changed.untouched_sites.size(), changed.sites.size());
    SpeechRequest same = source("abcd");
    same.chosen = said(changed);
    const auto weights = [&](const std::vector<SpokenSite>& sites) {
        const Trace& trace = *sites.front().trace;
        const auto all = trace.values(*trace.find("weights"));
        // A text without an end goes on when it is chosen.
        return std::vector<double>(all.begin(), all.begin() + 4 * std::ssize(changed.steps));
    };
    EXPECT_EQ(weights(changed.untouched_sites), weights(Speaker(copier()).say(same)->sites));
    EXPECT_NE(weights(changed.untouched_sites), weights(changed.sites));
}

TEST(Speaker, SearchesTheLikeliestTextAndFollowsAnyOfTheTree) {
    Speaker speaker(copier());
    SpeechRequest request = source("abcabc");
    request.choice = {.way = WordChoice::Way::beam, .beam_width = 3};
    const Utterance best = *speaker.say(request);
    ASSERT_TRUE(best.beams);
    const BeamTree& tree = best.beams->tree;
    EXPECT_EQ(best.beams->followed, tree.best);
    EXPECT_EQ(best.beams->first_step, 0);
    EXPECT_EQ(copier()->model->target.words(tree.text(tree.best)), said(best));

    // A place of the tree that is not on the way to the best.
    const auto pruned = std::ranges::find_if(
        tree.nodes, [](const BeamNode& node) { return !node.is_kept && node.length == 2; });
    ASSERT_NE(pruned, tree.nodes.end());
    request.followed = copier()->model->target.words(tree.text(pruned - tree.nodes.begin()));
    const Utterance followed = *speaker.say(request);
    EXPECT_EQ(said(followed), request.followed);
    EXPECT_EQ(followed.words, best.words);
    EXPECT_EQ(followed.beams->followed, pruned - tree.nodes.begin());
    SpeechRequest same = source("abcabc");
    same.chosen = request.followed;
    EXPECT_EQ(followed.steps.back().choices, Speaker(copier()).say(same)->steps[1].choices);

    request.followed = {"no", "such"};
    EXPECT_EQ(said(*speaker.say(request)), said(best));
    request.chosen = {"x"};
    const Utterance led = *speaker.say(request);
    EXPECT_EQ(led.beams->first_step, 1);
    EXPECT_EQ(led.steps.front().said, "x");
}

TEST(Speaker, ABeamOfOneIsGreedyAlsoWhereAPersonIntervenes) {
    SpeechRequest request = source("abcd");
    request.interventions = {
        {.kind = Intervention::Kind::forbid_key, .site = "decoder.cross", .head = {}, .step = {}, .key = 1}};
    const Utterance greedy = *Speaker(copier()).say(request);
    request.choice = {.way = WordChoice::Way::beam, .beam_width = 1};
    const Utterance searched = *Speaker(copier()).say(request);
    EXPECT_EQ(said(searched), said(greedy));
    EXPECT_EQ(searched.untouched, greedy.untouched);
}

TEST(Speaker, DrawsTheSameUnderTheSameSeed) {
    SpeechRequest request = source("abcdef");
    request.choice = {.way = WordChoice::Way::sample, .sampling = {.temperature = 2}, .seed = 1};
    const std::vector<std::string> first = said(*Speaker(copier()).say(request));
    EXPECT_EQ(said(*Speaker(copier()).say(request)), first);
    request.choice.seed = 2;
    EXPECT_NE(said(*Speaker(copier()).say(request)), first);
    // As the command line draws.
    const TaskModel& model = *copier()->model;
    const Prompt read = prompt(model, request.source);
    Speech speech(*model.host, copier()->weights, read.source);
    begin(speech, read);
    request.choice.seed = 1;
    EXPECT_EQ(
        model.target.words(speak(model, speech, longest_answer(model, read), request.choice.sampling, 1)),
        first);
}

TEST(Speaker, RefusesWhatItCannotRead) {
    Speaker speaker(copier());
    expect_refusal([&] { speaker.say(source("")); }, {"source text", "text", "empty text"});
    expect_refusal([&] { speaker.say(source("ab7")); }, {"source text: token 3", "one of a b c", "7"});
    expect_refusal([&] { speaker.say(source(std::string(600, 'a'))); },
                   {"source text", "at most 512 tokens", "600"});
    SpeechRequest request = source("ab");
    request.chosen = {"hello"};
    expect_refusal([&] { speaker.say(request); }, {"chosen words", "words", "hello"});
    request.chosen.clear();
    request.target = "a!";
    expect_refusal([&] { speaker.say(request); }, {"target text: token 2", "one of a b c", "!"});
}

TEST(Speaker, StopsWhenNobodyWaits) {
    EXPECT_FALSE(Speaker(copier()).say(source("abc"), [] { return true; }));
}

TEST(Speaker, EveryKindOfModelSpeaks) {
    for (const SmallModel& small : small_models) {
        SCOPED_TRACE(small.name);
        const auto model = std::make_shared<const TrainedModel>(small_trained(small));
        const Utterance utterance = *Speaker(model).say(source(example_source(*model->model, 0)));
        ASSERT_FALSE(utterance.steps.empty());
        const SpokenSite& leading = leading_site(utterance.sites);
        EXPECT_EQ(settled_selection(utterance, {}).site, leading.site.name);
        EXPECT_EQ(leading.site.looks_at_source,
                  !model->model->is_one_text && !model->model->host->is_classifier());
        if (model->model->host->is_classifier()) {
            EXPECT_EQ(utterance.words.size(), 1u);
        } else {
            EXPECT_EQ(leading.plan->queries, std::ssize(utterance.steps));
        }
        if (model->model->is_one_text) {
            EXPECT_TRUE(utterance.steps.front().is_given);
            EXPECT_EQ(utterance.steps[0].said, utterance.steps[1].read);
        }
    }
}

}  // namespace
