// Steps of the undo history: what they bring back, where they look, and when two become one.

#include "core/workbench/edit_step.h"
#include "core/workbench/merge_keys.h"
#include "core/workbench/sequence_edits.h"

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <set>
#include <vector>

namespace headlight::workbench_history_test { namespace {

using namespace std::chrono_literals;

Session reading(const std::string& text) {
    Session session = example_session();
    session.sequence.query_text = text;
    return session;
}

Session looking_at(Session session, ViewKind view, Index query = 0) {
    session.view.view = view;
    session.view.selection.query = query;
    return session;
}

TEST(TypedTexts, ChangeWhereTheyDiffer) {
    struct Row {
        const char *before, *after;
        std::size_t from;
        const char *removed, *inserted;
    };
    for (const Row& row : {Row{"the cat", "the cart", 6, "", "r"}, Row{"the cart", "the cat", 6, "r", ""},
                           Row{"aa", "aaa", 2, "", "a"}, Row{"", "new", 0, "", "new"},
                           Row{"all of it", "", 0, "all of it", ""}, Row{"same", "same", 4, "", ""}}) {
        const TextChange change = TextChange::between(row.before, row.after);
        EXPECT_EQ(change.from, row.from) << row.before;
        EXPECT_EQ(change.removed, row.removed);
        EXPECT_EQ(change.inserted, row.inserted);
        EXPECT_EQ(change.done(row.before), row.after);
        EXPECT_EQ(change.undone(row.after), row.before);
    }
}

TEST(EditSteps, LeadThereAndBack) {
    const Session before = reading("one"), after = reading("one two");
    const EditStep step(before, {"Type", after});
    EXPECT_EQ(step.name(), "Type");
    EXPECT_TRUE(step.done(before) == after);
    EXPECT_TRUE(step.undone(after) == before);
}

TEST(EditSteps, LeaveAloneWhereOneLooks) {
    const Session before = reading("one two"), after = reading("one");
    const EditStep step(before, {"Type", after});
    const Session back = step.undone(looking_at(after, ViewKind::lines, 1));
    EXPECT_TRUE(back == looking_at(before, ViewKind::lines, 1));
    EXPECT_TRUE(step.done(looking_at(before, ViewKind::grid)) == looking_at(after, ViewKind::grid));
}

TEST(EditSteps, ComeBackFromWhereTheyLed) {
    const Session before = looking_at(reading("one"), ViewKind::stages);
    const Session after = looking_at(reading("two"), ViewKind::compare);
    const EditStep step(before, {"Compare", after});
    EXPECT_EQ(step.undone(looking_at(after, ViewKind::grid)).view.view, ViewKind::stages);
    EXPECT_EQ(step.done(looking_at(before, ViewKind::grid)).view.view, ViewKind::compare);
}

TEST(EditSteps, KeepTheLightOfNow) {
    const Session before = looking_at(reading("one"), ViewKind::stages);
    Session after = looking_at(reading("two"), ViewKind::compare);
    const EditStep step(before, {"Compare", after});
    after.view.theme = FigureTheme::projector;
    EXPECT_EQ(step.undone(after).view.theme, FigureTheme::projector);
}

TEST(EditSteps, BecomeOneWithOneKey) {
    Session now = reading("o");
    EditStep typed(now, type_query(now, "on"));
    const Session begun = now;
    now = typed.done(now);
    const EditStep next(now, type_query(now, "one"));
    now = next.done(now);
    ASSERT_TRUE(typed.may_merge());
    ASSERT_TRUE(typed.merge(next, now));
    EXPECT_FALSE(typed.changes_nothing());
    EXPECT_TRUE(typed.undone(now) == begun);
    EXPECT_TRUE(typed.done(begun) == now);

    const EditStep word(now, type_query(now, "one "));
    now = word.done(now);
    EXPECT_FALSE(typed.merge(word, now)) << "a space begins another step";
}

TEST(EditSteps, ThatBecameOneAreCalledAsTheLast) {
    const Session begun = example_session();
    EditStep drag(begun, set_dimension(begun, 9, 1));
    const Session nine = drag.done(begun);
    const EditStep on(nine, set_dimension(nine, 16, 1));
    ASSERT_TRUE(drag.merge(on, on.done(nine)));
    EXPECT_EQ(drag.name(), "Dimension 16");
}

TEST(EditSteps, WithoutAKeyStayApart) {
    const Session first = reading("a"), second = reading("b"), third = reading("c");
    EditStep step(first, {"Paste", second});
    EXPECT_FALSE(step.may_merge());
    EXPECT_FALSE(step.merge(EditStep(second, {"Paste", third}), third));
    EXPECT_TRUE(step.undone(second) == first);
}

TEST(EditSteps, ThatComeBackToTheirBeginningChangeNothing) {
    const Session first = reading("a"), second = reading("ab");
    EditStep there(first, {"Type", second, "text"});
    ASSERT_TRUE(there.merge(EditStep(second, {"Type", first, "text"}), first));
    EXPECT_TRUE(there.changes_nothing());
}

TEST(EditKeys, ChangeWithEveryWordAndGesture) {
    EXPECT_EQ(typing_key("query_text", "the"), typing_key("query_text", "thee"));
    EXPECT_NE(typing_key("query_text", "the"), typing_key("query_text", "the "));
    EXPECT_NE(typing_key("query_text", "the"), typing_key("query_text", "the\n"));
    EXPECT_NE(typing_key("query_text", "the"), typing_key("key_text", "the"));
    EXPECT_NE(gesture_key("dimension", 1), gesture_key("dimension", 2));
    EXPECT_TRUE(is_gesture_key(gesture_key("dimension", 1)));
    EXPECT_FALSE(is_gesture_key(typing_key("query_text", "the cat")));
}

/// A person with a watch, who edits.
struct Editor {
    MergeKeys keys;
    MergeKeys::Time now = MergeKeys::Time(1h);

    std::string edit(const std::string& key, std::chrono::milliseconds after = 100ms) {
        now += after;
        return keys.key_of(key, now);
    }
};

TEST(MergeKeys, AreOneAsLongAsOneGoesOn) {
    Editor editor;
    const std::string first = editor.edit("seed");
    for (int more = 0; more < 10; ++more)
        EXPECT_EQ(editor.edit("seed", MergeKeys::longest_pause), first) << more;
}

TEST(MergeKeys, AreNeverThoseOfAnEarlierGo) {
    const std::string drag = gesture_key("dimension", 1);
    struct Parting {
        const char* by;
        std::function<void(Editor&)> part;
    };
    const std::vector<Parting> partings{
        {"a pause", [](Editor& editor) { editor.now += MergeKeys::longest_pause; }},
        {"another control", [](Editor& editor) { editor.edit("mask_value"); }},
        {"an edit without a key", [](Editor& editor) { editor.edit(""); }},
        {"a drag", [&](Editor& editor) { editor.edit(drag); }},
        {"undo or a look", [](Editor& editor) { editor.keys.part(); }},
    };
    Editor editor;
    std::set<std::string> had{editor.edit("seed")};
    for (const Parting& parting : partings) {
        parting.part(editor);
        const std::string begun = editor.edit("seed");
        EXPECT_TRUE(had.insert(begun).second) << parting.by;
        EXPECT_EQ(editor.edit("seed"), begun) << parting.by << " parts once";
    }
}

TEST(MergeKeys, OfAGestureStayHoweverLongItTakes) {
    Editor editor;
    const std::string drag = gesture_key("dimension", 1);
    EXPECT_EQ(editor.edit(drag), drag);
    EXPECT_EQ(editor.edit(drag, 1h), drag);
    editor.keys.part();
    EXPECT_EQ(editor.edit(drag), drag);
}

TEST(MergeKeys, AreNoneWhereAnEditHasNone) {
    Editor editor;
    EXPECT_EQ(editor.edit(""), "");
    EXPECT_EQ(editor.edit(""), "");
}

TEST(EditNames, HaveWordsInLowerCase) {
    EXPECT_EQ(in_lower_case("Identity"), "identity");
    EXPECT_EQ(in_lower_case("Ärger"), "ärger");
}

}}  // namespace headlight::workbench_history_test
