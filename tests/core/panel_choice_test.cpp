// The words of a panel: read, written, refused; what they ask for; and the file that keeps them.

#include "core/figure/panel_choice.h"
#include "core/figure/view.h"
#include "core/io/figure_options_json.h"
#include "core/io/session.h"
#include "core/io/session_place.h"
#include "tests/support/refusal.h"

#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

#include <set>

namespace headlight::panel_choice_test {

using namespace test;
using nlohmann::json;

namespace {

TEST(PanelWordsText, IsReadAsItIsTypedAndWrittenBack) {
    const PanelWords words = parse_panel_words("view=lines head=2 x-title=\"a \\\"source\\\" text\" new-row");
    EXPECT_EQ(
        words,
        (PanelWords{{"view", "lines"}, {"head", "2"}, {"x_title", "a \"source\" text"}, {"new_row", "yes"}}));
    EXPECT_EQ(parse_panel_words(panel_words_text(words)), words);
    EXPECT_EQ(parse_panel_words("title=\"\""), (PanelWords{{"title", ""}}));
    EXPECT_EQ(parse_panel_words("  view=grid\theads=1,3-5 "),
              (PanelWords{{"view", "grid"}, {"heads", "1,3-5"}}));
}

TEST(PanelWordsText, WhatIsNoneIsRefusedByName) {
    const std::vector<std::pair<const char*, const char*>> rows{{"", "words such as view=lines"},
                                                                {"view=line", "view"},
                                                                {"veiw=lines", "did you mean"},
                                                                {"head=0", "head"},
                                                                {"head=two", "head"},
                                                                {"head=1 head=2", "twice"},
                                                                {"title=\"open", "quotation mark"},
                                                                {"rows=3-4", "rows"},
                                                                {"height=0", "height"},
                                                                {"width=11", "width"},
                                                                {"mark=3", "mark"},
                                                                {"note=3,5", "note"},
                                                                {"cost=money", "cost"},
                                                                {"tokens=8", "tokens"},
                                                                {"new-row=perhaps", "new_row"},
                                                                {"steps=1,1", "steps"},
                                                                {"steps=1 step=2", "steps"},
                                                                {"stages=a stage=b", "stages"},
                                                                {"stages=a,,b", "stages"},
                                                                {"map=rainbow", "map"},
                                                                {"range=high", "range"},
                                                                {"scale=lin", "scale"}};
    for (const auto& [text, message] : rows)
        EXPECT_NE(refusal([words = text] { parse_panel_words(words); }).find(message), std::string::npos)
            << text;
}

TEST(PanelWordsTable, NamesAreUniqueAndAnswersAreYesOrNo) {
    std::set<std::string_view> names;
    for (const PanelWord& word : panel_words()) {
        EXPECT_TRUE(names.insert(word.name).second) << word.name;
        EXPECT_FALSE(word.help.empty()) << word.name;
        EXPECT_FALSE(word.help.ends_with('.')) << word.name;
        PanelChoice choice;
        if (word.expected == "yes or no") {
            EXPECT_TRUE(word.apply(choice, "yes")) << word.name;
            EXPECT_TRUE(word.apply(choice, "no")) << word.name;
            EXPECT_FALSE(word.apply(choice, "true")) << word.name;
        }
    }
}

TEST(PanelChoices, ChangeWhatTheySayAndKeepTheRest) {
    ViewSettings figure;
    figure.colour_map = "magma";
    figure.selection.head = 3;
    figure.selection.site = "encoder.0.self";
    figure.options.title = "of the whole";
    figure.options.x_title = "source";
    figure.options.letters = true;
    const std::vector<PanelChoice> choices =
        panel_choices(parse_panel_words("view=lines title=mine rows=2..4 note=\"1,2>3,4 here\""), figure);
    ASSERT_EQ(choices.size(), 1U);
    const PanelChoice& choice = choices.front();
    EXPECT_EQ(choice.view.view, ViewKind::lines);
    EXPECT_EQ(choice.view.colour_map, "magma");
    EXPECT_EQ(choice.view.selection.head, 3);
    EXPECT_EQ(choice.view.options.x_title, "source");
    EXPECT_EQ(choice.view.options.title, std::nullopt) << "the figure's own title stands once";
    EXPECT_FALSE(choice.view.options.letters);
    EXPECT_EQ(choice.title, "mine");
    EXPECT_EQ(choice.view.options.rows, (AxisSlice{1, 3}));
    EXPECT_EQ(choice.view.options.notes, (std::vector<CellNote>{{{2, 3}, NotedCell{0, 1}, "here"}}));
}

TEST(PanelChoices, AStripIsAPanelForEachStepOrStage) {
    const std::vector<PanelChoice> steps =
        panel_choices(parse_panel_words("view=steps steps=2,4-5 new-row"), {});
    ASSERT_EQ(steps.size(), 3U);
    EXPECT_EQ(steps[0].view.decoding_step, 1);
    EXPECT_EQ(steps[2].view.decoding_step, 4);
    EXPECT_TRUE(steps[0].starts_row);
    EXPECT_FALSE(steps[1].starts_row);
    const std::vector<PanelChoice> stages =
        panel_choices(parse_panel_words("stages=\"scores, weights\""), {});
    ASSERT_EQ(stages.size(), 2U);
    EXPECT_EQ(stages[0].view.selection.stage, "scores");
    EXPECT_EQ(stages[1].view.selection.stage, "weights");
}

TEST(NoteWords, AreATextAtACellOrAnArrow) {
    const std::vector<std::pair<std::string, CellNote>> rows{
        {"3,5 the verb", {{2, 4}, {}, "the verb"}},
        {"1,9>3,5", {{2, 4}, NotedCell{0, 8}, ""}},
        {"1,9>3,5 the verb", {{2, 4}, NotedCell{0, 8}, "the verb"}}};
    for (const auto& [word, note] : rows) {
        EXPECT_EQ(note_from_word(word), note) << word;
        EXPECT_EQ(note_word(note), word);
    }
    for (const char* none :
         {"", "3,5", "3 text", "0,1 text", "1,1>1,1 to itself", ">1,2 text", "1,2> text", "a,b text"})
        EXPECT_EQ(note_from_word(none), std::nullopt) << none;
    EXPECT_EQ(note_from_word("1,1 " + std::string(longest_title + 1, 'x')), std::nullopt);
}

TEST(PanelFiles, AFileHasTheSameWords) {
    const FigureOptions options = parse_figure_options(R"({
        "letters": true, "letters_at": "outside", "one_scale": true, "panel_columns": 2,
        "notes": [{"at": {"row": 2, "column": 4}, "from": {"row": 0, "column": 8}, "text": "the verb"}],
        "panels": [{"view": "heatmap", "head": 2}, {"view": "lines", "new_row": true, "width": 1.5}]})");
    ASSERT_EQ(options.panels.size(), 2U);
    EXPECT_EQ(options.panels[0], parse_panel_words("view=heatmap head=2"));
    EXPECT_EQ(options.panels[1], parse_panel_words("view=lines new-row width=1.5"));
    EXPECT_EQ(options.notes, (std::vector<CellNote>{*note_from_word("1,9>3,5 the verb")}));
    EXPECT_EQ(parse_figure_options(figure_options_to_json(options).dump()), options);
    EXPECT_EQ(figure_options_to_json(FigureOptions()), json::object());
}

TEST(PanelFiles, WhatIsNoneIsRefusedWithItsPlace) {
    const std::vector<std::pair<const char*, const char*>> rows{
        {R"({"panels": {}})", "/panels"},
        {R"({"panels": [1]})", "/panels/0"},
        {R"({"panels": [{"view": "lines"}, {"view": "line"}]})", "/panels/1"},
        {R"({"panels": [{"head": [1]}]})", "/panels/0"},
        {R"({"panels": [{"head": 1.5}]})", "/panels/0"},
        {R"({"panels": [{}]})", "/panels/0"},
        {R"({"panel_columns": 0})", "/panel_columns"},
        {R"({"letters_at": "below"})", "/letters_at"},
        {R"({"notes": [{"at": {"row": 1, "column": 1}}]})", "/notes/0/text"},
        {R"({"notes": [{"text": "x"}]})", "/notes/0"},
        {R"({"notes": [{"at": {"row": -1, "column": 1}, "text": "x"}]})", "/notes/0/at/row"}};
    for (const auto& [text, place] : rows)
        EXPECT_NE(refusal([file = text] { parse_figure_options(file); }).find(place), std::string::npos)
            << text;
    json many = json::array();
    for (std::size_t i = 0; i <= most_panels; ++i)
        many.push_back({{"view", "lines"}});
    EXPECT_NE(refusal([&] {
                  parse_figure_options(json{{"panels", many}}.dump());
              }).find("at most 64"),
              std::string::npos);
}

TEST(PanelFiles, ASessionKeepsThemAndFindsTheirFiles) {
    Session session = example_session();
    session.figure.options.panels = {
        parse_panel_words("view=heatmap head=1"),
        {{"view", "heatmap"}, {"file", "/papers/maps/other.json"}},
        {{"view", "learning"}, {"file", "/papers/a.safetensors;/papers/b.safetensors"}}};
    EXPECT_EQ(parse_session(write_session(session)), session);
    const Session stored = stored_in(session, "/papers/figures/f.json");
    EXPECT_EQ(stored.figure.options.panels[1].at("file"), "../maps/other.json");
    EXPECT_EQ(stored.figure.options.panels[2].at("file"), "../a.safetensors;../b.safetensors");
    EXPECT_EQ(found_in(stored, "/papers/figures/f.json"), session);
}

}  // namespace

}  // namespace headlight::panel_choice_test
