// A generator says what its model says, remembers it, and lets a person decide words and change weights.

#include "core/io/session_model.h"
#include "core/model/generator.h"
#include "core/model/prompt.h"
#include "core/tensor/interruption.h"
#include "tests/support/greedy.h"
#include "tests/support/refusal.h"
#include "tests/support/small_models.h"

#include <atomic>

namespace headlight::generator_test {

using namespace test;

namespace {

std::shared_ptr<const TrainedModel> copier() {
    static const auto model = std::make_shared<const TrainedModel>(
        small_trained({"copier", "copy", HostType::gru, "additive"}, 20));
    return model;
}

GenerationRequest source(const std::string& text) {
    GenerationRequest request;
    request.source = text;
    return request;
}

std::vector<std::string> said(const Transcript& transcript) {
    std::vector<std::string> words;
    for (const TranscriptStep& step : transcript.steps)
        words.push_back(step.said);
    return words;
}

/// Every number of every site: two transcripts with the same ones came about alike.
std::vector<double> numbers(const std::vector<SiteRecord>& sites) {
    std::vector<double> all;
    for (const SiteRecord& site : sites)
        for (const Stage& stage : site.trace->stages())
            for (const double value : site.trace->values(stage))
                all.push_back(value);
    return all;
}

std::vector<double> numbers(const Transcript& transcript) { return numbers(transcript.sites); }

TEST(Generator, CountsWhatARequestTakesBeforeItBegins) {
    Generator generator(copier());
    const GenerationRequest four = source("abca");
    const GenerationCost before = generator.cost(four);
    Index rounds = 0;
    const Transcript transcript = *generator.generate(four, [&] {
        ++rounds;
        return false;
    });
    EXPECT_GE(before.rounds, rounds);
    EXPECT_GE(rounds, std::ssize(transcript.steps));
    const auto weights = static_cast<double>(copier()->weights.size());
    EXPECT_GE(before.multiply_adds, weights * static_cast<double>(4 + transcript.steps.size()));
    EXPECT_GT(before.bytes, weights * sizeof(float));
    EXPECT_LT(generator.cost(four).multiply_adds, before.multiply_adds - 4 * weights + 1);  // what is known
    GenerationRequest longer = four;
    longer.chosen = std::vector<std::string>(100, "b");
    const auto kept_by_a_step = static_cast<double>(copier()->model->host->numbers_of_step()) * sizeof(float);
    EXPECT_GT(generator.cost(longer).bytes, before.bytes + 50 * kept_by_a_step);
    GenerationRequest beams = four;
    beams.choice.way = WordChoice::Way::beam;
    EXPECT_GT(generator.cost(beams).multiply_adds, before.multiply_adds);
    EXPECT_GT(generator.cost(beams).rounds, before.rounds);
    expect_refusal([&] { generator.cost(source("")); }, {"source text"});
}

TEST(Generator, SaysTheLikeliestWords) {
    Generator generator(copier());
    const Transcript transcript = *generator.generate(source("abca"));
    EXPECT_EQ(transcript.source, (std::vector<std::string>{"a", "b", "c", "a"}));
    const TaskModel& model = *copier()->model;
    const std::vector<std::vector<Index>> given{{Vocabulary::begin}};
    const std::vector<std::vector<Index>> sources{model.source.numbers(transcript.source)};
    const auto greedy = decode_greedily(*model.host, copier()->weights, side_by_side(sources), given,
                                        Vocabulary::end, std::ssize(transcript.steps));
    EXPECT_EQ(transcript.words, model.target.words(greedy.front()));
    for (const TranscriptStep& step : transcript.steps) {
        ASSERT_EQ(step.choices.size(), 8u);
        EXPECT_EQ(step.choices.front().word, step.said);
        EXPECT_EQ(step.choices.front().probability, step.probability);
        EXPECT_FALSE(step.is_chosen);
    }
}

TEST(Generator, OneMoreWordCostsOneStep) {
    Generator generator(copier());
    GenerationRequest request = source("abcdef");
    request.target = "abc";
    generator.generate(request);
    EXPECT_EQ(generator.steps_computed(), 4);  // three letters and the end
    request.target = "abcd";
    generator.generate(request);
    EXPECT_EQ(generator.steps_computed(), 5);
    request.target = "abc";
    generator.generate(request);
    EXPECT_EQ(generator.steps_computed(), 5);
}

TEST(Generator, WhatItRemembersIsWhatItWouldComputeAnew) {
    Generator generator(copier());
    GenerationRequest request = source("abcdef");
    generator.generate(request);
    request.chosen = {"b", "c"};
    const Transcript remembered = *generator.generate(request);
    const Transcript anew = *Generator(copier()).generate(request);
    EXPECT_EQ(said(remembered), said(anew));
    EXPECT_EQ(numbers(remembered), numbers(anew));
}

TEST(Generator, ChosenWordsComeFirst) {
    Generator generator(copier());
    GenerationRequest request = source("abc");
    request.chosen = {"x", "y"};
    const Transcript transcript = *generator.generate(request);
    ASSERT_GE(transcript.steps.size(), 3u);
    EXPECT_EQ(transcript.steps[0].said, "x");
    EXPECT_TRUE(transcript.steps[1].is_chosen);
    EXPECT_EQ(transcript.steps[2].read, "y");
    EXPECT_FALSE(transcript.steps[2].is_chosen);
}

TEST(Generator, AForcedTargetIsTheSameWordsChosen) {
    Generator generator(copier());
    GenerationRequest request = source("abc");
    request.chosen = {"c", "a", "b", "</s>"};
    const Transcript chosen = *generator.generate(request);
    request.chosen.clear();
    request.target = "cab";
    const Transcript forced = *Generator(copier()).generate(request);
    EXPECT_EQ(forced.words, (std::vector<std::string>{"c", "a", "b"}));
    EXPECT_EQ(numbers(forced), numbers(chosen));
    for (std::size_t step = 0; step < forced.steps.size(); ++step)
        EXPECT_EQ(forced.steps[step].choices, chosen.steps[step].choices);
    EXPECT_TRUE(forced.is_over);
}

TEST(Generator, RowsAreDecodingSteps) {
    const Transcript transcript = *Generator(copier()).generate(source("abcd"));
    ASSERT_EQ(transcript.sites.size(), 1u);
    const Trace trace = trace_of(transcript, "/somewhere/copy-additive-gru/");
    EXPECT_EQ(trace.name, "copy-additive-gru");
    const Stage* weights = trace.find("weights", "decoder.cross");
    ASSERT_TRUE(weights);
    EXPECT_EQ(weights->extent(Axis::query), std::ssize(transcript.steps));
    EXPECT_EQ(weights->extent(Axis::key), 4);
    EXPECT_EQ(trace.tokens_at("decoder.cross").query, said(transcript));
    EXPECT_EQ(trace.tokens_at("decoder.cross").key, transcript.source);
}

TEST(Generator, InterventionsChangeWhatFollowsAndTheRestIsKept) {
    Generator generator(copier());
    GenerationRequest request = source("abcd");
    const Transcript before = *generator.generate(request);
    request.interventions = {
        {.kind = Intervention::Kind::zero_column, .site = "decoder.cross", .head = {}, .step = {}, .key = 1}};
    const Transcript after = *generator.generate(request);
    EXPECT_EQ(after.untouched, before.words);
    const Trace& trace = *after.sites.front().trace;
    for (Index step = 0; step < std::ssize(after.steps); ++step)
        EXPECT_EQ(trace.values(*trace.find("weights"))[static_cast<std::size_t>(step * 4 + 1)], 0);
    request.interventions.clear();
    const Transcript again = *generator.generate(request);
    EXPECT_EQ(numbers(again), numbers(before));
    EXPECT_FALSE(again.untouched);
}

TEST(Generator, WhatItDoesUntouchedIsOfTheVerySteps) {
    Generator generator(copier());
    GenerationRequest request = source("abcd");
    request.interventions = {{.kind = Intervention::Kind::mute_head, .site = "decoder.cross"}};
    const Transcript changed = *generator.generate(request);
    ASSERT_EQ(changed.untouched_sites.size(), changed.sites.size());
    GenerationRequest same = source("abcd");
    same.chosen = said(changed);
    const auto weights = [&](const std::vector<SiteRecord>& sites) {
        const Trace& trace = *sites.front().trace;
        const auto all = trace.values(*trace.find("weights"));
        // A text without an end goes on when it is chosen.
        return std::vector<double>(all.begin(), all.begin() + 4 * std::ssize(changed.steps));
    };
    EXPECT_EQ(weights(changed.untouched_sites), weights(Generator(copier()).generate(same)->sites));
    EXPECT_NE(weights(changed.untouched_sites), weights(changed.sites));
}

TEST(Generator, SearchesTheLikeliestTextAndFollowsAnyOfTheTree) {
    Generator generator(copier());
    GenerationRequest request = source("abcabc");
    request.choice = {.way = WordChoice::Way::beam, .beam_width = 3};
    const Transcript best = *generator.generate(request);
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
    const Transcript followed = *generator.generate(request);
    EXPECT_EQ(said(followed), request.followed);
    EXPECT_EQ(followed.words, best.words);
    EXPECT_EQ(followed.beams->followed, pruned - tree.nodes.begin());
    GenerationRequest same = source("abcabc");
    same.chosen = request.followed;
    EXPECT_EQ(followed.steps.back().choices, Generator(copier()).generate(same)->steps[1].choices);

    request.followed = {"no", "such"};
    EXPECT_EQ(said(*generator.generate(request)), said(best));
    request.chosen = {"x"};
    const Transcript led = *generator.generate(request);
    EXPECT_EQ(led.beams->first_step, 1);
    EXPECT_EQ(led.steps.front().said, "x");
}

TEST(Generator, ABeamOfOneIsGreedyAlsoWhereAPersonIntervenes) {
    GenerationRequest request = source("abcd");
    request.interventions = {
        {.kind = Intervention::Kind::forbid_key, .site = "decoder.cross", .head = {}, .step = {}, .key = 1}};
    const Transcript greedy = *Generator(copier()).generate(request);
    request.choice = {.way = WordChoice::Way::beam, .beam_width = 1};
    const Transcript searched = *Generator(copier()).generate(request);
    EXPECT_EQ(said(searched), said(greedy));
    EXPECT_EQ(searched.untouched, greedy.untouched);
}

TEST(Generator, DrawsTheSameUnderTheSameSeed) {
    GenerationRequest request = source("abcdef");
    request.choice = {.way = WordChoice::Way::sample, .sampling = {.temperature = 2}, .seed = 1};
    const std::vector<std::string> first = said(*Generator(copier()).generate(request));
    EXPECT_EQ(said(*Generator(copier()).generate(request)), first);
    request.choice.seed = 2;
    EXPECT_NE(said(*Generator(copier()).generate(request)), first);
    // As the command line draws.
    const TaskModel& model = *copier()->model;
    const Prompt read = prompt(model, request.source);
    Generation generation(*model.host, copier()->weights, read.source);
    begin(generation, read);
    request.choice.seed = 1;
    EXPECT_EQ(model.target.words(
                  generate(model, generation, longest_answer(model, read), request.choice.sampling, 1)),
              first);
}

TEST(Generator, RefusesWhatItCannotRead) {
    Generator generator(copier());
    expect_refusal([&] { generator.generate(source("")); }, {"source text", "text", "empty text"});
    expect_refusal([&] { generator.generate(source("ab7")); }, {"source text: token 3", "one of a b c", "7"});
    expect_refusal([&] { generator.generate(source(std::string(600, 'a'))); },
                   {"source text", "at most 512 tokens", "600"});
    GenerationRequest request = source("ab");
    request.chosen = {"hello"};
    expect_refusal([&] { generator.generate(request); }, {"chosen words", "words", "hello"});
    request.chosen.clear();
    request.target = "a!";
    expect_refusal([&] { generator.generate(request); }, {"target text: token 2", "one of a b c", "!"});
}

// A change at a place that the model does not have would be passed over: whoever asks for it believes that it
// was carried out.
struct Misplaced {
    const char* name;
    SmallModel model;
    const char* source;
    Intervention intervention;
    std::vector<std::string> refusal;
};

void PrintTo(const Misplaced& row, std::ostream* out) { *out << row.name; }

class MisplacedIntervention : public testing::TestWithParam<Misplaced> {};

TEST_P(MisplacedIntervention, IsRefusedByItsPlace) {
    const Misplaced& row = GetParam();
    GenerationRequest request = source(row.source);
    request.interventions = {row.intervention};
    Generator generator(std::make_shared<const TrainedModel>(small_trained(row.model)));
    expect_refusal([&] { generator.generate(request); }, row.refusal);
    expect_refusal([&] { generator.cost(request); }, row.refusal);
}

constexpr SmallModel small_translator{"transformer", "copy", HostType::transformer},
    small_sorter{"gpt", "sort", HostType::gpt}, small_judge{"classifier", "brackets", HostType::encoder};
using enum Intervention::Kind;

INSTANTIATE_TEST_SUITE_P(
    All, MisplacedIntervention,
    testing::Values(Misplaced{"encoder",
                              small_translator,
                              "abc",
                              {.kind = mute_head, .site = "encoder.0.self"},
                              {"intervention 1: site", "decoder.0.self, decoder.0.cross",
                               "encoder.0.self, of the encoder"}},
                    Misplaced{"unknown_site",
                              small_translator,
                              "abc",
                              {.kind = mute_head, .site = "decoder.9.cross"},
                              {"intervention 1: site", "decoder.0.cross", "decoder.9.cross"}},
                    Misplaced{"program",
                              {"state space", "sort", HostType::gpt, "mamba2"},
                              "312",
                              {.kind = mute_head, .site = "decoder.0.self"},
                              {"intervention 1: site", "decoder.0.self, which a mechanism's program"}},
                    Misplaced{"no_decoder",
                              small_judge,
                              "([)]",
                              {.kind = mute_head, .site = "encoder.0.self"},
                              {"a model with a decoder", "of the encoder"}},
                    Misplaced{"head",
                              small_translator,
                              "abc",
                              {.kind = mute_head, .site = "decoder.0.cross", .head = 7},
                              {"intervention 1: head", "a number from 0 to ", "got 7"}},
                    Misplaced{"other_head",
                              small_translator,
                              "abc",
                              {.kind = copy_head, .site = "decoder.0.cross", .head = 0, .from_head = 7},
                              {"intervention 1: from_head", "got 7"}},
                    Misplaced{"key_of_the_source",
                              small_translator,
                              "abcabc",
                              {.kind = zero_column, .site = "decoder.0.cross", .key = 99},
                              {"intervention 1: key", "from 0 to 5", "got 99"}},
                    Misplaced{
                        "key_behind_the_step",
                        small_sorter,
                        "312",
                        {.kind = set_weight, .site = "decoder.0.self", .step = 2, .key = 3, .weight = 1},
                        {"intervention 1: key", "from 0 to 2", "got 3"}},
                    Misplaced{"key_behind_every_step",
                              small_sorter,
                              "312",
                              {.kind = forbid_key, .site = "decoder.0.self", .key = 100'000},
                              {"intervention 1: key", "got 100000"}},
                    Misplaced{"step",
                              small_translator,
                              "abc",
                              {.kind = uniform_row, .site = "decoder.0.cross", .step = 100'000},
                              {"intervention 1: step", "got 100000"}}),
    [](const auto& row) { return row.param.name; });

// A model that has learned a vector for each of its places has no more of them: the window (Generator) and
// the command line (prompt(), forced_tokens(), most_generated()) refuse the same texts, with the same words.
TEST(Places, AreNoMoreThanTheModelHasLearned) {
    const auto with_places = [](const SmallModel& small) {
        TrainingSettings settings = small_settings(small);
        std::get<TransformerConfiguration>(settings.model).places = PositionEncoding::learned;
        auto made = std::make_shared<TrainedModel>();
        made->model = std::make_shared<const TaskModel>(task(settings.task), settings.model);
        made->weights =
            std::vector<float>(static_cast<std::size_t>(made->model->host->layout().size()), 0.1f);
        return made;
    };
    const auto letters = [](Index count) { return std::string(static_cast<std::size_t>(count), 'a'); };
    const auto at_most = [](Index count) { return "at most " + std::to_string(count) + " tokens"; };
    const auto got = [](Index count) { return "got " + std::to_string(count); };

    const auto copier = with_places({"copier", "copy", HostType::transformer});
    const Index sources = *copier->model->host->most_tokens().source;
    EXPECT_NO_THROW(prompt(*copier->model, letters(sources)));
    expect_refusal([&] { prompt(*copier->model, letters(sources + 1)); },
                   {at_most(sources), got(sources + 1)});
    expect_refusal([&] { Generator(copier).generate(source(letters(sources + 1))); },
                   {"source text", at_most(sources), got(sources + 1)});

    // A beginning, letters and the sign behind them fill every place; then one answer, from the last.
    const auto sorter = with_places({"sorter", "sort", HostType::gpt});
    const Index places = *sorter->model->host->most_tokens().target;
    const std::string full = letters(places - 2);
    const Prompt read = prompt(*sorter->model, full);
    EXPECT_EQ(most_generated(*sorter->model, read), 1);
    EXPECT_EQ(longest_answer(*sorter->model, read), 1);
    EXPECT_EQ(std::ssize(Generator(sorter).generate(source(full))->steps), places);
    for (const auto& refused : {std::function([&] { prompt(*sorter->model, full + "a"); }),
                                std::function([&] { Generator(sorter).generate(source(full + "a")); })})
        expect_refusal(refused, {at_most(places), got(places + 1)});
    expect_refusal([&] { forced_tokens(*sorter->model, read, "12"); }, {at_most(1), got(3)});
    GenerationRequest forced = source(full);
    forced.target = "12";
    expect_refusal([&] { Generator(sorter).generate(forced); }, {"target text", at_most(1), got(3)});
    // And nobody gets round it.
    Generation generation(*sorter->model->host, sorter->weights, {});
    for (Index step = 0; step < places; ++step)
        generation.read(Vocabulary::begin);
    expect_refusal(
        [&] { generation.read(Vocabulary::begin); },
        {"places of 1 to " + std::to_string(places) + ", which the model has learned", got(places + 1)});
}

TEST(Generator, StopsWhenNobodyWaits) {
    EXPECT_FALSE(Generator(copier()).generate(source("abc"), [] { return true; }));
}

/// Generates until so many steps are computed, and is interrupted in the next one.
void generate_in_part(Generator& generator, const GenerationRequest& request, Index steps) {
    std::atomic<bool> wanted = false;
    const Interruption interruption(wanted);
    Index asked = 0;
    const auto between_steps = [&] {
        wanted = asked++ >= steps;
        return false;
    };
    EXPECT_THROW(generator.generate(request, between_steps), Interrupted);
    EXPECT_EQ(generator.steps_computed(), steps);
}

TEST(Generator, GoesOnAfterTheStepsBeforeOneThatWasInterrupted) {
    // Wherever it is interrupted, the next request has the numbers of one that never was, and costs what is
    // left.
    for (const SmallModel& small : small_models) {
        SCOPED_TRACE(small.name);
        const auto model = std::make_shared<const TrainedModel>(small_trained(small));
        const GenerationRequest request = source(example_source(*model->model, 0));
        Generator whole(model);
        const auto expected = numbers(*whole.generate(request));
        for (Index steps = 0; steps < std::min<Index>(3, whole.steps_computed()); ++steps) {
            Generator generator(model);
            generate_in_part(generator, request, steps);
            EXPECT_EQ(numbers(*generator.generate(request)), expected) << steps;
            EXPECT_EQ(generator.steps_computed(), whole.steps_computed()) << steps;
        }
    }
}

TEST(Generator, EveryKindOfModelGenerates) {
    for (const SmallModel& small : small_models) {
        SCOPED_TRACE(small.name);
        const auto model = std::make_shared<const TrainedModel>(small_trained(small));
        const Transcript transcript = *Generator(model).generate(source(example_source(*model->model, 0)));
        ASSERT_FALSE(transcript.steps.empty());
        const SiteRecord& leading = leading_site(transcript.sites);
        EXPECT_EQ(settled_selection(transcript, {}).site, leading.site.name);
        // A classifier has one text but where learned queries ask for the label.
        const bool is_asked = small.host == HostType::set || small.host == HostType::slot_attention ||
                              small.host == HostType::coattention || small.host == HostType::triangles ||
                              small.host == HostType::vision;
        const bool is_one_text =
            model->model->is_one_text || (model->model->host->is_classifier() && !is_asked);
        EXPECT_EQ(leading.site.looks_at_source, !is_one_text);
        if (model->model->host->is_classifier()) {
            ASSERT_EQ(transcript.steps.size(), 1u);
            const bool is_end = transcript.steps.front().said == model->model->target.word(Vocabulary::end);
            EXPECT_EQ(transcript.words.size(), is_end ? 0u : 1u);  // of a model that has not learned
        } else {
            EXPECT_EQ(leading.plan->queries, std::ssize(transcript.steps));
        }
        if (model->model->is_one_text) {
            EXPECT_TRUE(transcript.steps.front().is_given);
            EXPECT_EQ(transcript.steps[0].said, transcript.steps[1].read);
        }
    }
}

}  // namespace

}  // namespace headlight::generator_test
