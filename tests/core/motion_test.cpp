// How a stage comes about, moment by moment: what is drawn follows from the numbers of the run alone.
#include "core/attention/arithmetic_text.h"
#include "core/figure/build_figure.h"
#include "core/figure/motion.h"
#include "core/figure/motion_words.h"
#include "tests/support/sample_traces.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace headlight::motion_test { namespace {

constexpr Index head = 1, query = 2, key = 1, feature = 3;

struct Shown {
    std::shared_ptr<const Figure> still;
    Motion motion;

    const Panel& result() const { return still->panels.back(); }
};

Shown shown(const Trace& trace, const std::string& stage) {
    ViewSettings settings;
    settings.view = ViewKind::stages;
    settings.selection.stage = stage;
    settings.selection.head = head;
    settings.selection.query = query;
    settings.selection.key = key;
    settings.selection.feature = feature;
    const auto still = std::make_shared<const Figure>(build_figure(trace, settings));
    return {still, Motion(still, trace, settings.selection)};
}

/// The motion of a stage of the first head.
Motion shown_of_one(const Trace& trace, const std::string& stage) {
    ViewSettings settings;
    settings.view = ViewKind::stages;
    settings.selection.stage = stage;
    const auto still = std::make_shared<const Figure>(build_figure(trace, settings));
    return Motion(still, trace, settings.selection);
}

/// Every moment that a film of a thousand pictures has.
std::vector<double> moments() {
    std::vector<double> all;
    for (int at = 0; at <= 1000; ++at)
        all.push_back(at / 1000.0);
    return all;
}

Index count_of(const MotionMoment& moment, MotionMark::Kind kind) {
    Index cells = 0;
    for (const MotionMark& mark : moment.marks)
        cells += mark.kind == kind ? mark.rows * mark.columns : 0;
    return cells;
}

const MotionMark* mark_of(const MotionMoment& moment, MotionMark::Kind kind) {
    const auto found = std::ranges::find(moment.marks, kind, &MotionMark::kind);
    return found == moment.marks.end() ? nullptr : &*found;
}

/// The moment at which that cell, or in a step of rows its row, has just got its number; nothing if none is.
std::optional<MotionMoment> moment_of(const Motion& motion, Index row, Index column) {
    for (double at = 0; at < 1; at = motion.stop_after(at)) {
        const MotionMoment moment = motion.at(at);
        const MotionMark* written = mark_of(moment, MotionMark::Kind::written);
        if (written && written->first_row == row && (written->columns > 1 || written->first_column == column))
            return moment;
    }
    return std::nullopt;
}

struct Row {
    std::string stage;
    MotionWork work;
};
void PrintTo(const Row& row, std::ostream* out) { *out << row.stage; }

class MotionOf : public testing::TestWithParam<Row> {};

TEST_P(MotionOf, IsTheWorkThatGivesTheNumbers) {
    EXPECT_EQ(shown(samples::sentence(), GetParam().stage).motion.work(), GetParam().work);
}

TEST_P(MotionOf, BeginsWithoutANumberAndEndsWithAll) {
    const Shown here = shown(samples::sentence(), GetParam().stage);
    const auto all = static_cast<Index>(here.result().values.size());
    if (here.motion.is_empty()) {
        EXPECT_TRUE(here.motion.at(0.5).marks.empty());
        EXPECT_NE(here.motion.at(0.5).words, "");
        return;
    }
    EXPECT_EQ(count_of(here.motion.at(0), MotionMark::Kind::unwritten), all);
    EXPECT_EQ(here.motion.written_at(0), 0);
    EXPECT_TRUE(here.motion.at(1).marks.empty());
    EXPECT_TRUE(here.motion.at(1).numbers.empty());
    EXPECT_TRUE(here.motion.at(1).partial.empty());
    EXPECT_EQ(here.motion.written_at(1), all);
}

TEST_P(MotionOf, NumbersComeAndNeverGo) {
    const Shown here = shown(samples::sentence(), GetParam().stage);
    const auto all = static_cast<Index>(here.result().values.size());
    Index before = 0;
    for (const double at : moments()) {
        const MotionMoment moment = here.motion.at(at);
        EXPECT_NE(moment.words, "") << at;
        if (here.motion.is_empty())
            continue;
        const Index written = here.motion.written_at(at);
        EXPECT_GE(written, before) << at;
        EXPECT_EQ(count_of(moment, MotionMark::Kind::unwritten), all - written) << at;
        before = written;
    }
}

TEST_P(MotionOf, MarksLieInTheirMatrices) {
    const Shown here = shown(samples::sentence(), GetParam().stage);
    for (const double at : moments()) {
        const MotionMoment moment = here.motion.at(at);
        for (const MotionMark& mark : moment.marks) {
            const Panel& panel = here.still->panels[static_cast<std::size_t>(mark.panel)];
            EXPECT_FALSE(panel.thumbnail);
            EXPECT_TRUE(mark.first_row >= 0 && mark.first_row + mark.rows <= panel.rows) << at;
            EXPECT_TRUE(mark.first_column >= 0 && mark.first_column + mark.columns <= panel.columns) << at;
        }
        for (const MotionNumber& number : moment.numbers)
            EXPECT_TRUE(number.way >= 0 && number.way <= 1 && !number.text.empty()) << at;
    }
}

TEST_P(MotionOf, TheSameMomentIsTheSamePicture) {
    const Shown here = shown(samples::sentence(), GetParam().stage),
                again = shown(samples::sentence(), GetParam().stage);
    EXPECT_EQ(here.motion.seconds(), again.motion.seconds());
    for (const double at : {0.0, 0.123, 0.5, 0.77, 1.0})
        EXPECT_EQ(here.motion.at(at), again.motion.at(at)) << at;
}

TEST_P(MotionOf, StopsLeadThroughItForwardsAndBack) {
    const Motion motion = shown(samples::sentence(), GetParam().stage).motion;
    std::vector<double> stops{0};
    while (stops.back() < 1 && stops.size() < 1000)
        stops.push_back(motion.stop_after(stops.back()));
    ASSERT_EQ(stops.back(), 1);
    EXPECT_TRUE(std::ranges::is_sorted(stops));
    for (std::size_t at = stops.size() - 1; at > 0 && !motion.is_empty(); --at) {
        EXPECT_EQ(motion.stop_before(stops[at]), stops[at - 1]);
        EXPECT_EQ(motion.nearest_stop(stops[at]), stops[at]);
        for (const MotionNumber& number : motion.at(stops[at]).numbers)
            EXPECT_EQ(number.way, 1) << "nothing is on its way at a stop";
    }
}

INSTANTIATE_TEST_SUITE_P(
    Sentence, MotionOf,
    testing::Values(Row{"tokens", MotionWork::none}, Row{"query", MotionWork::projection},
                    Row{"scores", MotionWork::product}, Row{"scaled_scores", MotionWork::scaling},
                    Row{"masked_scores", MotionWork::mask}, Row{"exponentials", MotionWork::exponential},
                    Row{"weights", MotionWork::share}, Row{"context", MotionWork::mixture},
                    Row{"concatenation", MotionWork::none}),
    [](const auto& row) { return row.param.stage; });

struct Beginning {
    std::string stage, words;
};
void PrintTo(const Beginning& row, std::ostream* out) { *out << row.stage; }

class BeginningOf : public testing::TestWithParam<Beginning> {};

TEST_P(BeginningOf, SaysWhatIsDone) {
    EXPECT_EQ(shown(samples::sentence(), GetParam().stage).motion.at(0).words, GetParam().words);
}

INSTANTIATE_TEST_SUITE_P(
    Sentence, BeginningOf,
    testing::Values(Beginning{"scores", "Scores: each row of Query meets each column of Keyᵀ"},
                    Beginning{"scaled_scores", "Scaled scores: each number of Scores ÷ √4"},
                    Beginning{"masked_scores",
                              "Masked scores: Scaled scores, but −∞ where a pair may not meet"},
                    Beginning{"weights", "Weights: each row of Exponentials is divided by its sum"},
                    Beginning{"context", "Context: rows of Value, weighted by a row of Weights and added"}),
    [](const auto& row) { return row.param.stage; });

TEST(MotionWords, NameAMatrixOnceInALine) {
    const Trace trace = samples::sentence();
    const auto weight = moment_of(shown(trace, "weights").motion, query, key);
    ASSERT_TRUE(weight);
    EXPECT_TRUE(weight->words.starts_with("Row 3, “of”, of Weights, column 2, “bank”: ")) << weight->words;
    const Shown context = shown(trace, "context");
    const double first = context.motion.stop_after(context.motion.chosen_moment());
    const std::string words = context.motion.at(context.motion.stop_after(first)).words;
    EXPECT_EQ(words.find("of Value"), words.rfind("of Value")) << words;
    EXPECT_TRUE(words.ends_with("× row 2, “bank”, of Value …")) << words;
}

TEST(MotionWords, EndWithTheNumberOfTheRun) {
    const Trace trace = samples::sentence();
    for (const char* stage : {"scores", "scaled_scores", "exponentials", "weights"}) {
        const Shown here = shown(trace, stage);
        const auto moment = moment_of(here.motion, query, key);
        ASSERT_TRUE(moment) << stage;
        const double number = trace.matrix(*trace.find(stage), head)[query * 8 + key];
        EXPECT_TRUE(moment->words.ends_with(" = " + format_number(number))) << moment->words;
        EXPECT_TRUE(moment->words.starts_with("Row 3, “of”, of ")) << moment->words;
    }
}

TEST(MotionWords, OfAProductNameItsRowAndItsColumn) {
    const auto moment = moment_of(shown(samples::sentence(), "scores").motion, query, key);
    ASSERT_TRUE(moment);
    EXPECT_NE(moment->words.find("Row 3, “of”, of Query × column 2, “bank”, of Keyᵀ: "), std::string::npos)
        << moment->words;
    Index times = 0;
    for (std::size_t at = moment->words.find(" × "); at != std::string::npos;
         at = moment->words.find(" × ", at + 1))
        ++times;
    EXPECT_EQ(times, 1 + 4) << moment->words;
}

TEST(MotionWords, SayWhichPairMayNotMeet) {
    const Motion motion = shown(samples::sentence(), "masked_scores").motion;
    const auto stays = moment_of(motion, query, key), goes = moment_of(motion, query, query + 1);
    ASSERT_TRUE(stays && goes);
    EXPECT_TRUE(stays->words.ends_with(" stays")) << stays->words;
    EXPECT_NE(goes->words.find("becomes −∞"), std::string::npos) << goes->words;
}

TEST(Motion, TheSelectedCellIsShownTermByTerm) {
    const Trace trace = samples::sentence();
    const Shown here = shown(trace, "scores");
    const double begin = here.motion.chosen_moment(), end = here.motion.stop_after(begin);
    EXPECT_GT(end - begin, 0.2) << "most of the time is its";
    std::vector<std::string> sums;
    for (int at = 1; at < 100; ++at) {
        const MotionMoment moment = here.motion.at(begin + (end - begin) * at / 100);
        const MotionMark* written = mark_of(moment, MotionMark::Kind::written);
        ASSERT_TRUE(written);
        EXPECT_EQ(written->first_row, query);
        EXPECT_EQ(written->first_column, key);
        if (sums.empty() || sums.back() != moment.numbers.back().text)
            sums.push_back(moment.numbers.back().text);
    }
    const auto queries = trace.matrix(*trace.find("query"), head),
               keys = trace.matrix(*trace.find("key"), head);
    std::vector<std::string> expected;
    double sum = 0;
    for (std::size_t f = 0; f < 4; ++f) {
        sum += queries[query * 4 + f] * keys[key * 4 + f];
        expected.push_back(format_number(sum, 3));
    }
    EXPECT_EQ(sums, expected);
}

TEST(Motion, ARowOfTheContextIsSummedUpValueByValue) {
    const Trace trace = samples::sentence();
    const Shown here = shown(trace, "context");
    double at = here.motion.chosen_moment();
    const auto weights = trace.matrix(*trace.find("weights"), head),
               values = trace.matrix(*trace.find("value"), head);
    std::array<double, 4> sum{};
    for (std::size_t source = 0; source < 8; ++source) {
        at = here.motion.stop_after(at);
        for (std::size_t f = 0; f < 4; ++f)
            sum[f] += weights[query * 8 + source] * values[source * 4 + f];
        const MotionMoment moment = here.motion.at(at);
        if (source == 7) {
            EXPECT_TRUE(moment.partial.empty()) << "the row has its own numbers";
            break;
        }
        ASSERT_EQ(moment.partial.size(), 1u);
        EXPECT_EQ(moment.partial.front().row, query);
        for (std::size_t f = 0; f < 4; ++f)
            EXPECT_DOUBLE_EQ(moment.partial.front().values[f], sum[f]);
    }
}

TEST(Motion, AProjectedRowComesFromItsFirstFeatureToItsLast) {
    const Shown here = shown(samples::sentence(), "query");
    const double begin = here.motion.chosen_moment(), end = here.motion.stop_after(begin);
    const Index columns = here.result().columns, before = here.motion.written_at(begin);
    for (Index written = 1; written < columns; ++written) {
        const double share = (static_cast<double>(written) + 0.5) / static_cast<double>(columns);
        EXPECT_EQ(here.motion.written_at(begin + share * (end - begin)), before + written);
    }
    EXPECT_EQ(here.motion.written_at(end), before + columns);
}

/// Every number that is not at its end, from moment to moment.
std::vector<MotionNumber> numbers_on_their_way(const Motion& motion) {
    std::vector<MotionNumber> all;
    for (const double at : moments())
        for (const MotionNumber& number : motion.at(at).numbers)
            if (number.from != number.to)
                all.push_back(number);
    return all;
}

TEST(Motion, WhatIsAddedMeetsTheOtherAndGoesOnAsTheirSum) {
    Figure figure;
    const auto add = [&](const char* sign, std::vector<double> values) {
        Panel panel;
        panel.title = "Scores";
        panel.rows = 1;
        panel.columns = 2;
        panel.values = std::move(values);
        panel.operator_before = sign;
        figure.panels.push_back(panel);
    };
    add("", {1, 2});
    add("+", {0.5, 0.25});
    add("=", {1.5, 2.25});
    figure.panels.back().in_focus = true;
    const Motion motion(std::make_shared<const Figure>(figure), samples::sentence(), {});
    ASSERT_EQ(motion.work(), MotionWork::sum);
    const std::vector<MotionNumber> all = numbers_on_their_way(motion);
    ASSERT_FALSE(all.empty());
    for (const MotionNumber& number : all) {
        const bool is_first_half = number.from.panel == 0;
        EXPECT_EQ(number.to.panel, is_first_half ? 1 : 2);
        EXPECT_EQ(number.to.column, number.from.column);
        EXPECT_EQ(number.text,
                  number.from.column == 0 ? (is_first_half ? "1" : "1.5") : (is_first_half ? "2" : "2.25"));
    }
}

TEST(Motion, WhatIsDividedMeetsTheSumOfItsRow) {
    const Shown here = shown(samples::sentence(), "weights");
    const std::vector<MotionNumber> all = numbers_on_their_way(here.motion);
    ASSERT_FALSE(all.empty());
    const auto result = std::ssize(here.still->panels) - 1;
    for (const MotionNumber& number : all) {
        EXPECT_NE(number.from.is_sum, number.to.is_sum);
        EXPECT_EQ(number.from.is_sum, number.to.panel == result);
    }
}

/// How many rows of the panel have no sum yet.
Index unsummed(const MotionMoment& moment, Index panel) {
    Index rows = 0;
    for (const MotionMark& mark : moment.marks)
        rows += mark.kind == MotionMark::Kind::unsummed && mark.panel == panel ? mark.rows : 0;
    return rows;
}

TEST(Motion, SumsOfRowsAreThereOnceTheyAreAddedUp) {
    for (const char* stage : {"exponentials", "weights"}) {
        const Shown here = shown(samples::sentence(), stage);
        const bool is_share = here.motion.work() == MotionWork::share;
        const auto result = std::ssize(here.still->panels) - 1, summed = is_share ? result - 1 : result;
        const Panel& panel = here.still->panels[static_cast<std::size_t>(summed)];
        ASSERT_FALSE(panel.row_sums.empty()) << stage;
        Index before = panel.rows;
        EXPECT_EQ(unsummed(here.motion.at(0), summed), panel.rows) << stage;
        for (const double at : moments()) {
            const MotionMoment moment = here.motion.at(at);
            EXPECT_LE(unsummed(moment, summed), before) << stage << at;
            before = unsummed(moment, summed);
            if (!is_share) {
                EXPECT_EQ(before, panel.rows - here.motion.written_at(at) / panel.columns) << at;
            }
        }
        EXPECT_EQ(before, 0) << stage;
    }
}

TEST(Motion, WhatARowIsSummedUpToGrowsInTheColumnOfSums) {
    const Shown exponentials = shown(samples::sentence(), "weights");
    Index sums = 0;
    for (const double at : moments())
        for (const MotionNumber& number : exponentials.motion.at(at).numbers)
            if (number.from.is_sum && number.from == number.to) {
                ++sums;
                EXPECT_EQ(number.text.find("Σ"), std::string::npos) << "the column is called so";
            }
    EXPECT_GT(sums, 0);
    const std::array<std::string_view, 2> kept{"masked_scores", "weights"};
    const Shown softmax = shown(samples::sentence().only(kept), "weights");
    Index at_the_end = 0;
    for (const double at : moments())
        for (const MotionNumber& number : softmax.motion.at(at).numbers) {
            EXPECT_FALSE(number.from.is_sum) << "scores have no column of sums";
            at_the_end += number.text.starts_with("Σ ");
        }
    EXPECT_GT(at_the_end, 0);
}

TEST(Motion, WhereNoExponentialsWereRecordedTheSoftmaxIsShownAsAWhole) {
    const Trace whole = samples::sentence();
    const std::array<std::string_view, 2> kept{"masked_scores", "weights"};
    const Shown here = shown(whole.only(kept), "weights");
    ASSERT_EQ(here.motion.work(), MotionWork::softmax);
    const auto moment = moment_of(here.motion, query, key);
    ASSERT_TRUE(moment);
    EXPECT_NE(moment->words.find("exp("), std::string::npos) << moment->words;
}

TEST(Motion, ASingleRowIsDividedByItsSumToo) {
    const Trace trace = samples::band(1, 6);
    EXPECT_EQ(shown_of_one(trace, "exponentials").work(), MotionWork::exponential);
    Trace weights = trace;
    const auto exponentials = trace.matrix(*trace.find("exponentials"), 0);
    double sum = 0;
    for (const double number : exponentials)
        sum += number;
    const auto shares = weights.values(*weights.find("weights"));  // band() has changed one
    for (std::size_t at = 0; at < shares.size(); ++at)
        shares[at] = exponentials[at] / sum;
    EXPECT_EQ(shown_of_one(weights, "weights").work(), MotionWork::share);
}

// In this head: where no head is forbidden anything, the stage is not drawn.
TEST(Motion, AMaskThatForbidsNothingIsNoMotion) {
    Trace trace = samples::sentence();
    const auto scores = trace.matrix(*trace.find("scaled_scores"), head);
    std::ranges::copy(scores, trace.values(*trace.find("masked_scores")).begin() +
                                  head * static_cast<Index>(scores.size()));
    const Shown here = shown(trace, "masked_scores");
    EXPECT_EQ(here.motion.work(), MotionWork::unchanged);
    EXPECT_TRUE(here.motion.is_empty());
    EXPECT_NE(here.motion.at(0.5).words.find("nothing is forbidden here"), std::string::npos)
        << here.motion.at(0.5).words;
}

TEST(Motion, EqualRowsThatSumToOneAreNotDividedByTheirSum) {
    Trace trace = samples::sentence();
    const auto weights = trace.values(*trace.find("weights"));
    std::ranges::copy(weights, trace.values(*trace.find("exponentials")).begin());
    const Shown here = shown(trace, "weights");
    EXPECT_EQ(here.motion.work(), MotionWork::unchanged);
    EXPECT_TRUE(here.motion.is_empty());
    EXPECT_NE(here.motion.at(0.5).words.find("stays as it is"), std::string::npos)
        << here.motion.at(0.5).words;
}

TEST(Motion, IsOfTheSameStepWhateverIsSelectedInIt) {
    const Trace trace = samples::sentence();
    const Motion one = shown(trace, "scores").motion;
    EXPECT_TRUE(one.is_of_step(shown_of_one(trace, "scores")));
    EXPECT_FALSE(one.is_of_step(shown(trace, "scaled_scores").motion));
    EXPECT_FALSE(one.is_of_step(Motion()));
}

TEST(MotionWords, WhatIsForbiddenAlreadyStays) {
    Trace trace = samples::sentence();
    const auto masked = trace.matrix(*trace.find("masked_scores"), head);
    const auto at = static_cast<std::size_t>(query * 8 + query + 1);
    trace.values(*trace.find("scaled_scores"))[head * masked.size() + at] = masked[at];
    const Shown here = shown(trace, "masked_scores");
    ASSERT_EQ(here.motion.work(), MotionWork::mask);
    const auto moment = moment_of(here.motion, query, query + 1);
    ASSERT_TRUE(moment);
    EXPECT_TRUE(moment->words.ends_with("−∞ stays")) << moment->words;
}

TEST(MotionWords, DivideByTheDigitsBelowARootAndByNoLetter) {
    const Trace trace = samples::sentence();
    const Shown here = shown(trace, "scaled_scores");
    MotionStep step = motion_step(*here.still);
    step.operation = "÷ √d";
    const std::string words = cell_words(*here.still, step, query, key);
    EXPECT_EQ(words.find("√"), std::string::npos) << words;
    EXPECT_NE(words.find(" × 0.5"), std::string::npos) << words;
    step.operation = "÷ √4";
    EXPECT_NE(cell_words(*here.still, step, query, key).find(" / √4 = "), std::string::npos);
}

TEST(Motion, NothingMovesThatTheNumbersDoNotFollowFrom) {
    Trace trace = samples::sentence();
    trace.values(*trace.find("scores"))[0] += 1;
    EXPECT_TRUE(shown_of_one(trace, "scores").is_empty());
}

TEST(Motion, AFullyMaskedRowComesAbout) {
    const Trace trace = samples::masked_out();
    for (const char* stage : {"exponentials", "weights"}) {
        ViewSettings settings;
        settings.view = ViewKind::stages;
        settings.selection.stage = stage;
        settings.selection.query = 2;
        const auto still = std::make_shared<const Figure>(build_figure(trace, settings));
        const Motion motion(still, trace, settings.selection);
        ASSERT_FALSE(motion.is_empty()) << stage;
        const auto moment = moment_of(motion, 2, 0);
        ASSERT_TRUE(moment) << stage;
        EXPECT_EQ(moment->words.find("0 / 0"), std::string::npos) << moment->words;
        EXPECT_EQ(moment->words.find("−∞ +"), std::string::npos) << moment->words;
    }
}

TEST(Motion, OfMoreTokensThanAnEyeFollowsThereIsNone) {
    for (const Index count : {most_moving_rows, most_moving_rows + 1}) {
        const Trace trace = samples::band(count, 8);
        EXPECT_EQ(shown_of_one(trace, "scores").is_empty(), count > most_moving_rows) << count;
    }
}

}}  // namespace headlight::motion_test
