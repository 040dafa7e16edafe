// What a model says of itself, whichever family it is of.

#include "core/model/model_spec.h"
#include "core/model/recipe.h"
#include "core/model/tasks/task.h"

#include <gtest/gtest.h>

namespace headlight::model_spec_test { namespace {

ModelSpec small_model(const char* task, HostType host, const char* attention = "") {
    Recipe recipe;
    recipe.task = task;
    recipe.host = host;
    recipe.attention = attention;
    recipe.width = 8;
    return prepare(recipe).settings.model;
}

TEST(ModelSpec, SaysWhatModelsDo) {
    struct Row {
        const char* task;
        HostType host;
        bool is_recurrent, reads_one_text, says_label, points, quotes;
    };
    for (const Row& row : {Row{"copy", HostType::gru, true, false, false, false, false},
                           Row{"copy", HostType::pointer, true, false, false, true, true},
                           Row{"copy", HostType::transformer, false, false, false, false, false},
                           Row{"copy", HostType::gpt, false, true, false, false, false},
                           Row{"induction", HostType::xl, false, true, false, false, false},
                           Row{"sort", HostType::two_stream, false, true, false, false, false},
                           Row{"brackets", HostType::encoder, false, false, true, false, false},
                           Row{"distinct", HostType::set, false, false, true, false, false},
                           Row{"distinct", HostType::slot_attention, false, false, true, false, false},
                           Row{"reviews", HostType::hierarchical, false, false, true, false, false},
                           Row{"whereabouts", HostType::coattention, false, false, true, false, false},
                           Row{"distances", HostType::triangles, false, false, true, false, false},
                           Row{"race", HostType::vision, false, false, true, false, false}}) {
        SCOPED_TRACE(to_word(row.host));
        const ModelSpec spec = small_model(row.task, row.host);
        EXPECT_EQ(spec.is_recurrent(), row.is_recurrent);
        EXPECT_EQ(spec.reads_one_text(), row.reads_one_text);
        EXPECT_EQ(spec.says_label(), row.says_label);
        EXPECT_EQ(spec.points(), row.points);
        EXPECT_EQ(spec.quotes(), row.quotes);
        EXPECT_EQ(spec.common().width, 8);
        const ModelSpec standard = architecture(row.host).spec();
        EXPECT_EQ(standard.is_recurrent(), row.is_recurrent);
        EXPECT_EQ(standard.reads_one_text(), row.reads_one_text);
        EXPECT_EQ(standard.says_label(), row.says_label);
        EXPECT_EQ(standard.points(), row.points);
    }
}

TEST(ModelSpec, CountsPartsThatItsFamilyHasNoneOf) {
    const ModelCounts gnmt = small_model("copy", HostType::gnmt).counts();
    EXPECT_EQ(gnmt.layers, 3);
    EXPECT_EQ(gnmt.heads, 1);
    EXPECT_EQ(gnmt.turns, 1);
    EXPECT_EQ(gnmt.segment, 0);
    EXPECT_EQ(gnmt.hops, 1);
    const ModelCounts universal = small_model("copy", HostType::universal).counts();
    EXPECT_EQ(universal.layers, 1);
    EXPECT_EQ(universal.heads, 4);
    EXPECT_EQ(universal.turns, 4);
    EXPECT_EQ(universal.hops, 1);
    EXPECT_EQ(small_model("induction", HostType::xl).counts().segment, 16);
}

TEST(ModelSpec, AttendsToItselfWhereItsLayersDo) {
    for (const HostType host : {HostType::transformer, HostType::gpt, HostType::set, HostType::universal})
        EXPECT_TRUE(architecture(host).spec().attends_to_itself()) << to_word(host);
    for (const HostType host : {HostType::gru, HostType::pointer, HostType::convolutional})
        EXPECT_FALSE(architecture(host).spec().attends_to_itself()) << to_word(host);
}

TEST(ModelSpec, ReadsInAnyOrderWithTwoStreamsAlone) {
    for (const Word<HostType>& host : words<HostType>())
        EXPECT_EQ(architecture(host.value).spec().reads_in_any_order(), host.value == HostType::two_stream)
            << host.word;
    EXPECT_TRUE(small_model("sort", HostType::two_stream).reads_in_any_order());
}

TEST(ModelSpec, LooksEverywhereUnlessSaidOtherwise) {
    EXPECT_EQ(small_model("copy", HostType::gru).window(), LocalWindow());
    EXPECT_EQ(small_model("copy", HostType::transformer).window(), LocalWindow());
    EXPECT_EQ(small_model("copy", HostType::gru, "local_p").window().kind, LocalWindow::Kind::predicted);
}

TEST(ModelSpec, TellsAWordOfTheSourceFromOneOfTheTargetWhereItQuotes) {
    ModelSpec pointer = small_model("copy", HostType::pointer), plain = small_model("copy", HostType::gru);
    for (ModelSpec* each : {&pointer, &plain})
        each->quote_words_as({2, 1, 0});
    EXPECT_EQ(std::get<RecurrentConfiguration>(pointer).copied_as, std::vector<Index>({2, 1, 0}));
    EXPECT_TRUE(std::get<RecurrentConfiguration>(plain).copied_as.empty());
}

TEST(ModelSpec, AddsToAStateWhatItsStepsKeep) {
    const ModelSpec gru = small_model("copy", HostType::gru);
    EXPECT_EQ(gru.numbers_of_step(), 3 * 8);
    const ModelSpec gpt = small_model("copy", HostType::gpt);
    EXPECT_EQ(gpt.numbers_of_step(), 2 * gpt.counts().layers * 8);
    EXPECT_EQ(small_model("brackets", HostType::encoder).numbers_of_step(), 0);
}

// A task is fitted to a model through what all models say of themselves: places for its longest text too.
TEST(ModelSpec, HasTheWordsOfItsTaskOnceItIsMade) {
    for (const HostType host : {HostType::gru, HostType::transformer}) {
        ModelSpec spec = small_model("copy", host);
        spec.common().longest = 1;
        const TaskModel model(task("copy"), spec);
        EXPECT_EQ(model.configuration.common().source_vocabulary, model.source.size());
        EXPECT_EQ(model.configuration.common().target_vocabulary, model.target.size());
        EXPECT_GT(model.configuration.common().longest, 1);
    }
}

}}  // namespace headlight::model_spec_test
