// What holds for every task: its examples, its vocabularies, and what is held out. What the answers of each
// should be is in task_answers_test.cpp.

#include "core/model/tasks/documentation.h"

#include "core/tensor/error.h"
#include "tests/support/task_examples.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <set>
#include <sstream>

namespace headlight::tasks_test { namespace {

using test::joined, test::task_draws;

/// So many meet every word of the largest vocabulary.
const Index draws_that_meet_every_word = is_sanitized ? task_draws : 60'000;

/// What the split goes by.
Tokens key_of(const Task& task, const Example& example) {
    if (task.split_by != nullptr)
        return task.split_by(example);
    return example.source.empty() ? example.target : example.source;
}

class EveryTask : public testing::TestWithParam<std::string> {
protected:
    const Task& its() const { return task(GetParam()); }
};

TEST_P(EveryTask, DrawsTheSameExampleForTheSameSeedAndNumber) {
    for (const Split split : {Split::training, Split::held_out})
        for (Index number = 0; number < 200; ++number)
            EXPECT_EQ(example(its(), 7, number, split), example(its(), 7, number, split));
    int same = 0;
    for (Index number = 0; number < 200; ++number)
        same += example(its(), 7, number, Split::training) == example(its(), 8, number, Split::training);
    EXPECT_LT(same, 20) << "another seed task_draws other examples";
}

TEST_P(EveryTask, NeverTrainsOnWhatIsHeldOut) {
    std::set<Tokens> trained, trained_sources;
    for (Index number = 0; number < task_draws; ++number) {
        const Example drawn = example(its(), 1, number, Split::training);
        trained.insert(key_of(its(), drawn));
        trained_sources.insert(drawn.source.empty() ? drawn.target : drawn.source);
    }
    std::set<Tokens> held_out;
    for (Index number = 0; number < task_draws; ++number) {
        const Example drawn = example(its(), 2, number, Split::held_out);
        held_out.insert(key_of(its(), drawn));
        EXPECT_FALSE(trained.contains(key_of(its(), drawn))) << joined(drawn.source);
        EXPECT_FALSE(trained_sources.contains(drawn.source.empty() ? drawn.target : drawn.source));
    }
    EXPECT_GT(held_out.size(), 100u) << "enough different ones to measure on";
}

TEST_P(EveryTask, SaysWhetherItsAnswersAreMadeOfWordsOfTheirSource) {
    if (its().kind != TaskKind::translation) {
        EXPECT_FALSE(its().quotes_source);
        return;
    }
    bool quotes = true;
    for (Index number = 0; number < 200; ++number) {
        const Example each = example(its(), 1, number, Split::training);
        quotes = quotes && std::ranges::all_of(each.target, [&](const std::string& word) {
                     return std::ranges::find(each.source, word) != each.source.end();
                 });
    }
    EXPECT_EQ(its().quotes_source, quotes);
}

TEST_P(EveryTask, HoldsOutWhatPeopleAreShown) {
    if (!its().shown)
        return;
    const Example& shown = *its().shown;
    EXPECT_EQ(split_of(its(), shown), Split::held_out);
    EXPECT_EQ(tokens_of(its(), text_of(its(), shown.source, Side::source)), shown.source);
    EXPECT_EQ(tokens_of(its(), text_of(its(), shown.target, Side::target), Side::target), shown.target);
}

TEST_P(EveryTask, HoldsOutAboutTheShareThatItSays) {
    int held_out = 0;
    Random random(3);
    for (Index number = 0; number < task_draws; ++number)
        held_out += split_of(its(), its().make(random)) == Split::held_out;
    EXPECT_NEAR(100.0 * held_out / static_cast<double>(task_draws), its().held_out_percent, 2.0);
}

TEST_P(EveryTask, SaysExactlyTheWordsOfItsVocabulariesWithinItsLengths) {
    std::set<std::string> source, target;
    Index longest_source = 0, longest_target = 0;
    for (Index number = 0; number < draws_that_meet_every_word; ++number) {
        const Example drawn = example(its(), 5, number, Split::training);
        source.insert(drawn.source.begin(), drawn.source.end());
        target.insert(drawn.target.begin(), drawn.target.end());
        longest_source = std::max(longest_source, std::ssize(drawn.source));
        longest_target = std::max(longest_target, std::ssize(drawn.target));
        ASSERT_FALSE(drawn.target.empty());
        ASSERT_EQ(drawn.source.empty(), its().kind == TaskKind::language_model);
        ASSERT_EQ(drawn.given > 0, its().kind == TaskKind::language_model);
        ASSERT_LT(drawn.given, std::ssize(drawn.target));
    }
    if (is_sanitized)
        return;  // too few to meet every word
    const auto sorted = [](const Tokens& words) { return std::set<std::string>(words.begin(), words.end()); };
    EXPECT_EQ(source, sorted(its().source_vocabulary));
    EXPECT_EQ(target, sorted(its().target_vocabulary));
    EXPECT_EQ(source.size(), its().source_vocabulary.size()) << "no word twice";
    EXPECT_EQ(target.size(), its().target_vocabulary.size());
    EXPECT_LE(longest_source, its().longest_source);
    EXPECT_LE(longest_target, its().longest_target);
    EXPECT_GE(longest_source, its().longest_source - 1) << "the bounds are not far";
    EXPECT_GE(longest_target, its().longest_target - 1);
}

TEST_P(EveryTask, ReadsBackWhatItWrites) {
    for (Index number = 0; number < 500; ++number) {
        const Example drawn = example(its(), 4, number, Split::held_out);
        if (!drawn.source.empty()) {
            EXPECT_EQ(tokens_of(its(), text_of(its(), drawn.source, Side::source)), drawn.source);
        }
        EXPECT_EQ(tokens_of(its(), text_of(its(), drawn.target, Side::target), Side::target), drawn.target);
    }
}

TEST_P(EveryTask, ExplainsItself) {
    EXPECT_GT(its().name.size(), 3u);
    EXPECT_GT(its().meaning.size(), 100u);
    EXPECT_GT(its().what_to_see.size(), 60u);
}

std::vector<std::string> every_id() {
    std::vector<std::string> ids;
    for (const Task& each : tasks())
        ids.push_back(each.id);
    return ids;
}
INSTANTIATE_TEST_SUITE_P(Tasks, EveryTask, testing::ValuesIn(every_id()),
                         [](const auto& row) { return row.param; });

TEST(TasksDocs, SayWhatTheDeclarationsSay) {
    std::ifstream file(HEADLIGHT_SOURCE_DIR "/docs/tasks.md");
    std::stringstream text;
    text << file.rdbuf();
    EXPECT_TRUE(text.str() == tasks_markdown()) << "docs/tasks.md is stale: run scripts/build_docs.sh";
}

TEST(Tasks, AreFifteen) {
    EXPECT_EQ(every_id(),
              (std::vector<std::string>{"copy", "reverse", "sort", "addition", "dates", "speech", "translate",
                                        "induction", "brackets", "distinct", "reviews", "whereabouts",
                                        "distances", "race", "stories"}));
}

std::string refusal(const std::function<void()>& action) {
    try {
        action();
    } catch (const Error& error) {
        return error.what();
    }
    return "no refusal";
}

TEST(Tasks, RefuseWhatTheyDoNotKnow) {
    EXPECT_EQ(refusal([] { task("coppy"); }),
              "find a task: expected \"copy\", \"reverse\", \"sort\", \"addition\", \"dates\", \"speech\", "
              "\"translate\", \"induction\", \"brackets\", \"distinct\", \"reviews\", \"whereabouts\", "
              "\"distances\", \"race\" or \"stories\", got "
              "\"coppy\" (did you mean \"copy\"?)");
    EXPECT_EQ(refusal([] { tokens_of(task("brackets"), "(a)"); }),
              "token 2: read text for task brackets: expected one of ( ) [ ] { }, got \"a\"");
    EXPECT_EQ(refusal([] { tokens_of(task("brackets"), "(a)ba"); }),
              "tokens 2, 4: read text for task brackets: expected one of ( ) [ ] { }, got \"a\", \"b\"");
    const std::string words = std::to_string(task("translate").source_vocabulary.size());
    EXPECT_EQ(refusal([] { tokens_of(task("translate"), "the blakc cat"); }),
              "token 2: read text for task translate: expected one of the " + words +
                  " words that it knows, got \"blakc\" (did you mean \"black\"?)");
    EXPECT_EQ(refusal([] { tokens_of(task("copy"), "  "); }),
              "read text for task copy: expected text, got empty text");
}

TEST(Tasks, WithNothingHeldOutSayThatThereIsNothing) {
    Task all = task("copy");
    all.held_out_percent = 0;
    EXPECT_NO_THROW(example(all, 1, 0, Split::training));
    EXPECT_THROW(example(all, 1, 0, Split::held_out), Error);
}

// A task of ten sources, of which one or two are held out, is a task all the same.
TEST(Tasks, OfFewSourcesWork) {
    Task few = task("copy");
    few.held_out_percent = 30;
    few.make = [](Random& random) {
        const Tokens digit{std::to_string(random.below(10))};
        return Example{digit, digit};
    };
    std::set<Tokens> training, held_out;
    for (Index number = 0; number < 500; ++number) {
        training.insert(example(few, 1, number, Split::training).source);
        held_out.insert(example(few, 1, number, Split::held_out).source);
    }
    EXPECT_EQ(training.size() + held_out.size(), 10u);
    EXPECT_FALSE(held_out.empty());
}

TEST(Tasks, BecomeOneTextForALanguageModel) {
    const Example text = as_one_text({{"b", "a"}, {"a", "b"}});
    EXPECT_EQ(text, (Example{{}, {"b", "a", "=>", "a", "b"}, 3}));
}

TEST(Tasks, ThatHaveSentencesEndEachWhereTheySay) {
    for (const Task& each : tasks())
        for (Index number = 0; each.sentence > 0 && number < 200; ++number) {
            const Example drawn = example(each, 3, number, Split::training);
            const Tokens text(drawn.source.begin() + each.question, drawn.source.end());
            ASSERT_EQ(std::ssize(text) % each.sentence, 0);
            for (Index i = 0; i < std::ssize(text); ++i)
                ASSERT_EQ(text[static_cast<std::size_t>(i)] == ".", (i + 1) % each.sentence == 0)
                    << joined(drawn.source);
        }
}

// Who knows only which pairs there are would know the answer of another numbering of the points.
TEST(Tasks, OfPointsHoldOutAllNumberingsOfThem) {
    for (const Task& each : tasks()) {
        const auto points = static_cast<std::size_t>(each.points);
        for (Index number = 0; points > 0 && number < 200; ++number) {
            const Example drawn = example(each, 3, number, Split::held_out);
            Example renumbered = drawn;
            for (std::size_t from = 0; from < points; ++from)
                for (std::size_t to = 0; to < points; ++to)
                    renumbered.source[from * points + to] =
                        drawn.source[(from + 1) % points * points + (to + 1) % points];
            EXPECT_EQ(split_of(each, renumbered), Split::held_out) << joined(drawn.source);
        }
    }
}

TEST(Sights, HaveInkOfItsOwnForEachTokenAndAPictureOfAWholeSource) {
    for (const Task& each : tasks()) {
        if (!each.sight)
            continue;
        SCOPED_TRACE(each.id);
        const FloatTensor patches = each.sight.patches(each.source_vocabulary);
        ASSERT_EQ(patches.shape(),
                  (std::vector<Index>{std::ssize(each.source_vocabulary), Sight::numbers()}));
        std::set<std::vector<float>> looks;
        for (Index token = 0; token < patches.rows(); ++token) {
            looks.emplace(patches.row(token).begin(), patches.row(token).end());
            for (const float ink : patches.row(token))
                EXPECT_TRUE(ink >= 0 && ink <= 1);
        }
        EXPECT_EQ(looks.size(), each.source_vocabulary.size()) << "no two look alike";
        ASSERT_TRUE(each.shown);
        const PatchedPicture picture = each.sight.picture(each.shown->source);
        ASSERT_TRUE(picture);
        EXPECT_EQ(picture.grid(), each.sight.grid);
        EXPECT_LE(std::max(picture.picture->width, picture.picture->height), most_pixels_across);
        EXPECT_FALSE(each.sight.picture(std::span(each.shown->source).first(5))) << "not a whole picture";
    }
}

// A patch with a circle: no ink at its corner, all of it in its middle, and the same in what people see.
TEST(Sights, DrawWhatIsWrittenInItsPatch) {
    const Sight& sight = task("race").sight;
    const Tokens source = task("race").shown->source;  // a circle in the second patch of the first lane
    const FloatTensor patches = sight.patches(source);
    constexpr Index middle = patch_pixels * patch_pixels / 2 + patch_pixels / 2;
    EXPECT_EQ(patches(0, middle), 0.0F);
    EXPECT_EQ(patches(1, 0), 0.0F);
    EXPECT_EQ(patches(1, middle), 1.0F);
    const Picture picture = *sight.picture(source).picture;
    const Index side = picture.width / sight.grid.columns;
    const auto red_at = [&](Index row, Index column) {
        return int(picture.rgb[static_cast<std::size_t>(3 * (row * picture.width + column))]);
    };
    EXPECT_EQ(red_at(side / 2, side / 2), 255) << "paper";
    EXPECT_LT(red_at(side / 2, side + side / 2), 64) << "ink";
    EXPECT_EQ(red_at(side + side / 2, side + side / 2), 255) << "the next lane";
    EXPECT_EQ(sight.names(Tokens{".", "c", ".", ".", ".", ".", "t"}),
              (Tokens{"1,1 .", "1,2 c", "1,3 .", "1,4 .", "1,5 .", "1,6 .", "2,1 t"}));
}

TEST(Sights, AreWrittenARowAtATimeAndReadWithGapsOrWithout) {
    const Task& race = task("race");
    const std::string text = text_of(race, race.shown->source, Side::source);
    EXPECT_EQ(text, ".c.... ...s.. ....t. x..... ..c... ...x..");
    EXPECT_EQ(tokens_of(race, text), race.shown->source);
    EXPECT_EQ(tokens_of(race, ".c.......s......t.x.......c......x.."), race.shown->source);
    EXPECT_EQ(tokens_of(race, ".C....\n...S.."), tokens_of(race, ".c.......s.."));
    EXPECT_EQ(refusal([&] { tokens_of(race, ".c ?"); }),
              "token 3: read text for task race: expected one of . c s t x, got \"?\"");
}

TEST(Pairs, AreCalledByTheirPoints) {
    EXPECT_EQ(names_of_pairs({"0", "+3", "-3", "x", "_"}, 2),
              (Tokens{"1→1 0", "1→2 +3", "2→1 -3", "2→2 x", "3→1 _"}));
}

TEST(Sounds, AreTheSameForTheSameSourceAndNoisy) {
    const Sound& sound = task("speech").sound;
    const auto heard = [&](const char* text) { return sound.of(tokens_of(task("speech"), text)); };
    const FloatTensor first = heard("AAA-BBB");
    EXPECT_EQ(first.shape(), (std::vector<Index>{7, sound.bands}));
    EXPECT_TRUE(first == heard("AAA-BBB"));
    const FloatTensor other = heard("AAA-CC");
    Index same = 0, noisy = 0;
    float apart = 0;
    for (Index band = 0; band < sound.bands; ++band) {
        same += first(3, band) == other(3, band);
        noisy += first(3, band) != 0;
        apart = std::max(apart, std::abs(first(5, band) - other(5, band)));
    }
    EXPECT_EQ(same, sound.bands) << "what begins alike sounds alike";
    EXPECT_EQ(noisy, sound.bands) << "a pause is not silent";
    EXPECT_GT(apart, 0.3F) << "letters have tones of their own";
    EXPECT_EQ(sound.times(3), (Tokens{"0 ms", "20 ms", "40 ms"}));
}

TEST(Tasks, ThatReadSetsHoldOutAllOrdersOfOne) {
    for (const Task& each : tasks())
        for (Index number = 0; each.reads_set && number < 200; ++number) {
            Example drawn = example(each, 3, number, Split::held_out);
            std::ranges::reverse(drawn.source);
            EXPECT_EQ(split_of(each, drawn), Split::held_out) << joined(drawn.source);
        }
}

}}  // namespace headlight::tasks_test
