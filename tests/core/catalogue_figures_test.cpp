#include "core/figure/catalogue_figures.h"

#include "core/catalog/family.h"
#include "core/catalog/family_tree.h"
#include "core/catalog/publications.h"
#include "core/figure/catalogue_walk.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace headlight::catalogue_figures_test { namespace {

Mechanism made(const std::string& id, int year, const std::string& family = "Scores") {
    Mechanism mechanism;
    mechanism.id = id;
    mechanism.name = "The " + id;
    mechanism.family = family;
    mechanism.papers = {{"Somebody et al., Of " + id, year}};
    return mechanism;
}

/// The parent of each, by id, with " equals" behind it where the two do.
std::map<std::string, std::string> parents_in(std::span<const Mechanism> list) {
    std::map<std::string, std::string> parents;
    for (const Descent& each : family_tree(list))
        parents[each.mechanism->id] =
            each.parent ? each.parent->id + (each.is_equal ? " equals" : "") : std::string();
    return parents;
}

TEST(FamilyTree, EveryEdgeIsDeclaredAndLeadsToALaterOneOfTheFamily) {
    std::set<const Mechanism*> known;
    for (const Descent& each : family_tree(mechanisms())) {
        EXPECT_TRUE(known.insert(each.mechanism).second) << each.mechanism->id;
        if (!each.parent)
            continue;
        EXPECT_TRUE(known.contains(each.parent)) << each.mechanism->id << " stands before its parent";
        EXPECT_EQ(each.parent->family, each.mechanism->family);
        EXPECT_LE(std::pair(each.parent->year(), each.parent->month()),
                  std::pair(each.mechanism->year(), each.mechanism->month()))
            << each.mechanism->id;
        const auto declares = [&](const Mechanism& one, const Mechanism& other) {
            return each.is_equal ? std::ranges::count(one.equivalences, other.id, &Equivalence::id) > 0
                                 : std::ranges::count(one.related, other.id) > 0;
        };
        EXPECT_TRUE(declares(*each.mechanism, *each.parent) || declares(*each.parent, *each.mechanism))
            << each.mechanism->id;
    }
    EXPECT_EQ(known.size(), mechanisms().size());
}

TEST(CatalogueYears, AreThoseOfTheFirstVersions) {
    for (const auto& [id, year] :
         {std::pair("rope", 2021), std::pair("rope_interleaved", 2021), std::pair("rope_and_alibi", 2021),
          std::pair("alibi", 2021), std::pair("additive", 2014), std::pair("scaled_dot_product", 2017),
          std::pair("performer", 2020), std::pair("yarn", 2023), std::pair("mamba", 2023),
          std::pair("gated_delta", 2024), std::pair("dropout", 2018), std::pair("window", 2019),
          std::pair("coverage", 2016), std::pair("gated_oja", 2025)})
        EXPECT_EQ(mechanism(id).year(), year) << id;
    for (const Mechanism& each : mechanisms())
        for (const Paper& paper : each.papers) {
            EXPECT_LE(paper.first(), paper.year) << each.id;
            EXPECT_GE(paper.first(), paper.year - 3) << each.id;
        }
}

TEST(CatalogueYears, ABaseIsNoYoungerThanWhatIsBuiltOnIt) {
    for (const auto& [base, built] :
         {std::pair("rope", "xpos"), std::pair("rope", "position_interpolation"),
          std::pair("rope", "ntk_rope"), std::pair("rope", "yarn"), std::pair("alibi", "rope_and_alibi"),
          std::pair("mamba", "mamba2"), std::pair("gla", "gsa"), std::pair("additive", "location_aware")})
        EXPECT_LE(mechanism(base).year(), mechanism(built).year()) << base << ", " << built;
}

TEST(FamilyTree, TheFirstThatAnEntryNamesComesBeforeOthers) {
    std::vector<Mechanism> list{made("oldest", 2000), made("equal", 2001),  made("newest", 2002),
                                made("child", 2003),  made("second", 2004), made("alone", 2005),
                                made("found", 2006),  made("later", 2007),  made("stranger", 2006, "Masks")};
    list[1].equivalences = {{.id = "found", .here = {}, .there = {}, .when = "always"}};
    list[2].related = {"alone"};
    list[3].related = {"later", "stranger", "newest", "oldest"};
    list[3].equivalences = {{.id = "oldest", .here = {}, .there = {}, .when = "always"}};
    list[4].equivalences = {{.id = "equal", .here = {}, .there = {}, .when = "always"}};
    list[8].related = {"child"};
    auto parents = parents_in(list);
    EXPECT_EQ(parents["child"], "newest");
    EXPECT_EQ(parents["second"], "equal equals");
    EXPECT_EQ(parents["found"], "equal equals") << "which only the older one declares";
    for (const char* founder : {"oldest", "equal", "newest", "alone", "later", "stranger"})
        EXPECT_EQ(parents[founder], "") << founder;
}

TEST(FamilyTree, OfOneYearTheEarlierMonthComesBefore) {
    std::vector<Mechanism> list{made("october", 2020), made("january", 2020),  made("june", 2020),
                                made("unknown", 2020), made("sometime", 2020), made("appendix", 2020)};
    list[0].papers.front().first_month = 10;
    list[1].papers.front().first_month = 1;
    list[2].papers.front().first_month = list[5].papers.front().first_month = 6;
    list[5].papers.front().citation = list[2].papers.front().citation;
    list[5].order = 1;
    list[0].related = {"unknown", "january"};
    list[1].related = {"october", "june"};
    list[2].related = {"appendix"};
    list[3].related = {"january", "sometime"};
    list[5].related = {"june"};
    auto parents = parents_in(list);
    EXPECT_EQ(parents["october"], "january");
    EXPECT_EQ(parents["appendix"], "june") << "of one paper in teaching order";
    for (const char* founder : {"january", "june", "unknown", "sometime"})
        EXPECT_EQ(parents[founder], "") << founder;
}

TEST(FamilyTree, KnowsWhoCameFromWhom) {
    auto parents = parents_in(mechanisms());
    const std::pair<const char*, const char*> rows[] = {
        {"smyrf", "reformer"},
        {"seer_attention", "minference"},
        {"cosformer", "linear"},
        {"differential_2", "differential"},
        {"kda", "gated_delta"},
        {"scaled_dot_product", "dot"},
        {"mamba", "s4d"},
        {"infini", "linear"},
        {"expert_choice", "routing"},
        {"rope", "sinusoidal"},
        {"reformer", ""},
        {"dot", ""},
        {"rwkv4", ""},
        {"minference", ""},
        {"non_local", ""},
        {"streaming_sinks", "window equals"},
    };
    for (const auto& [child, parent] : rows)
        EXPECT_EQ(parents[child], parent) << child;
}

TEST(CatalogueYears, TheMonthOfAFirstVersionIsThatOfItsArxivNumber) {
    using enum Publication::Kind;
    EXPECT_EQ(first_month({"A", "B", other, "arXiv:2006.04768", 2020}), 6);
    EXPECT_EQ(first_month({"A", "B", other, "arXiv:2006.04768", 2021}), 0) << "not of that year";
    EXPECT_EQ(first_month({"A", "B", other, "arXiv:", 2020}), 0);
    EXPECT_EQ(first_month({"A", "B", proceedings, "A Conference", 2021, 2020, 9}), 9);
    EXPECT_EQ(first_month({"A", "B", proceedings, "A Conference", 2021, 2020}), 0);
    for (const Publication& each : publications()) {
        EXPECT_GE(each.first_month, 0) << each.title;
        EXPECT_LE(each.first_month, 12) << each.title;
    }
    for (const auto& [id, month] : {std::pair("reformer", 1), std::pair("smyrf", 10), std::pair("mamba", 12),
                                    std::pair("linformer", 6), std::pair("hybrid_heads", 11)})
        EXPECT_EQ(mechanism(id).month(), month) << id;
}

TEST(CatalogueFigures, TheTreeHasEveryMechanismInARowOfItsOwnOrItsParents) {
    const Figure figure = family_tree_figure(mechanisms(), FigureTheme::light);
    EXPECT_EQ(figure.theme, FigureTheme::light);
    const Panel& panel = figure.panels.front();
    ASSERT_EQ(panel.kind, Panel::Kind::tree);
    const std::vector<Tree::Node>& nodes = panel.tree->nodes;
    ASSERT_EQ(nodes.size(), 1 + families().size() + mechanisms().size());
    ASSERT_EQ(panel.rows, std::ssize(nodes));
    EXPECT_EQ(panel.row_axis.labels.size(), nodes.size());
    EXPECT_EQ(panel.values.size(), nodes.size());
    std::set<std::pair<Index, Index>> places;
    for (std::size_t at = 0; at < nodes.size(); ++at) {
        EXPECT_TRUE(places.insert({nodes[at].depth, nodes[at].row}).second) << nodes[at].word;
        EXPECT_GE(panel.values[at], 1964) << nodes[at].word;
        if (at == 0)
            continue;
        ASSERT_LT(nodes[at].parent, static_cast<Index>(at));
        const Tree::Node& parent = nodes[static_cast<std::size_t>(nodes[at].parent)];
        EXPECT_EQ(nodes[at].depth, parent.depth + 1);
        EXPECT_GE(nodes[at].row, parent.row);
        EXPECT_LE(panel.values[static_cast<std::size_t>(nodes[at].parent)], panel.values[at]);
    }
    for (const Family& family : families())
        EXPECT_TRUE(std::ranges::count(nodes, family.name, &Tree::Node::word)) << family.name;
    EXPECT_TRUE(std::ranges::count(nodes, Tree::Node::Bond::firm, &Tree::Node::bond));
    EXPECT_TRUE(std::ranges::count(nodes, Tree::Node::Bond::loose, &Tree::Node::bond));
}

TEST(CatalogueFigures, TheTimelineHasEveryMechanismOnceInItsFamilyAndItsYear) {
    const Figure figure = timeline_figure(mechanisms(), FigureTheme::paper);
    const Panel& panel = figure.panels.front();
    ASSERT_EQ(panel.kind, Panel::Kind::names);
    const NameTable& table = *panel.names;
    ASSERT_EQ(table.names.size(), mechanisms().size());
    ASSERT_EQ(table.row_titles.size(), families().size());
    EXPECT_EQ(table.column_titles.front(), "before 2014");
    EXPECT_EQ(table.column_titles[1], "2014");
    std::set<std::string> ids;
    std::set<std::tuple<Index, Index, Index>> places;  // row, column, line
    for (const NameTable::Name& each : table.names) {
        EXPECT_TRUE(ids.insert(each.id).second);
        const Mechanism& named = mechanism(each.id);
        EXPECT_EQ(table.row_titles[static_cast<std::size_t>(each.row)], named.family);
        const std::string& column = table.column_titles[static_cast<std::size_t>(each.column)];
        EXPECT_EQ(column, named.year() < 2014 ? "before 2014" : std::to_string(named.year()));
        std::string name;
        for (std::size_t line = 0; line < each.lines.size(); ++line) {
            (name += name.empty() ? "" : " ") += each.lines[line];
            const Index place = each.first_line + static_cast<Index>(line);
            EXPECT_TRUE(places.insert({each.row, each.column, place}).second) << each.id;
            EXPECT_LT(place, table.lines[static_cast<std::size_t>(each.row)]) << each.id;
        }
        EXPECT_EQ(name, named.name);
    }
    double sum = 0;
    for (const double count : panel.values)
        sum += count;
    EXPECT_EQ(sum, static_cast<double>(mechanisms().size()));
}

/// Three of a family, the third related to the first, and one of another family.
std::vector<Mechanism> four() {
    std::vector<Mechanism> list{made("one", 2015), made("two", 2017), made("three", 2017),
                                made("four", 2013, "Masks")};
    list[1].equivalences = {{.id = "one", .here = {}, .there = {}, .when = "always"}};
    list[2].related = {"one"};
    return list;
}

Index name_in(const Panel& panel, const char* id) { return name_with_id(panel, id).value_or(-1); }

TEST(CatalogueWalk, SaysOfEachNameWhatThePictureShows) {
    const std::vector<Mechanism> list = four();
    const Panel table = timeline_figure(list, FigureTheme::paper).panels.front();
    EXPECT_EQ(name_in_words(table, name_in(table, "two")), "The two, 2017, Scores");
    EXPECT_EQ(name_in_words(table, name_in(table, "four")), "The four, before 2014, Masks");
    EXPECT_EQ(year_of_name(table, name_in(table, "two")), 2017);
    EXPECT_EQ(year_of_name(table, name_in(table, "four")), std::nullopt);
    const Panel tree = family_tree_figure(list, FigureTheme::paper).panels.front();
    EXPECT_EQ(name_in_words(tree, 0), "Attention");
    EXPECT_EQ(name_in_words(tree, 1), "Scores, a family");
    EXPECT_EQ(name_in_words(tree, name_in(tree, "one")), "The one, 2015, begins a branch of Scores");
    EXPECT_EQ(name_in_words(tree, name_in(tree, "two")), "The two, 2017, equals The one with some settings");
    EXPECT_EQ(name_in_words(tree, name_in(tree, "three")), "The three, 2017, related to The one");
    EXPECT_EQ(year_of_name(tree, 0), 2013);  // the oldest
    EXPECT_EQ(name_with_id(tree, ""), std::nullopt);
    EXPECT_EQ(name_with_id(tree, "five"), std::nullopt);
}

TEST(CatalogueWalk, StepsGoAlongFamiliesYearsAndBranches) {
    using Step = NameStep;
    const std::vector<Mechanism> list = four();
    struct Row {
        const char* from;
        Step step;
        const char* in_table;  ///< where it leads
        const char* in_tree;   ///< empty: to a family
    };
    const Row rows[] = {
        {"one", Step::right, "two", "three"}, {"two", Step::left, "one", "one"},
        {"two", Step::down, "three", "two"},  {"three", Step::up, "two", "three"},
        {"three", Step::left, "one", "one"},  {"three", Step::right, "three", "three"},
        {"one", Step::left, "one", ""},       {"four", Step::right, "four", "four"},
        {"one", Step::down, "one", "four"},   {"four", Step::up, "four", "one"},
    };
    const Panel table = timeline_figure(list, FigureTheme::paper).panels.front();
    const Panel tree = family_tree_figure(list, FigureTheme::paper).panels.front();
    for (const Row& row : rows) {
        const std::string place = std::string(row.from) + ", step " + std::to_string(int(row.step));
        EXPECT_EQ(id_of_name(table, stepped(table, name_in(table, row.from), row.step)), row.in_table)
            << place;
        EXPECT_EQ(id_of_name(tree, stepped(tree, name_in(tree, row.from), row.step)), row.in_tree) << place;
    }
    EXPECT_EQ(stepped(table, 3, Step::first), 0);
    EXPECT_EQ(stepped(table, 0, Step::last), 3);
    EXPECT_EQ(stepped(tree, 0, Step::left), 0);
    EXPECT_EQ(stepped(tree, 0, Step::right), 1);
}

TEST(CatalogueWalk, KeysReachEveryNameOfTheCatalogue) {
    for (const CataloguePicture& picture : catalogue_pictures()) {
        const Panel panel = picture.build(mechanisms(), FigureTheme::light).panels.front();
        std::set<Index> reached{0};
        for (std::vector<Index> open{0}; !open.empty();) {
            const Index here = open.back();
            open.pop_back();
            for (const NameStep step : {NameStep::left, NameStep::right, NameStep::up, NameStep::down})
                if (const Index next = stepped(panel, here, step); reached.insert(next).second)
                    open.push_back(next);
        }
        EXPECT_EQ(std::ssize(reached), name_count(panel)) << picture.word;
        for (const Mechanism& each : mechanisms())
            EXPECT_TRUE(name_with_id(panel, each.id)) << picture.word << ' ' << each.id;
    }
}

TEST(CatalogueFigures, AreDrawnOfAFewMechanismsToo) {
    const std::vector<Mechanism> list{made("one", 2017), made("two", 2019, "Masks")};
    const Figure timeline = timeline_figure(list, FigureTheme::dark);
    EXPECT_EQ(timeline.panels.front().names->row_titles, (std::vector<std::string>{"Scores", "Masks"}));
    EXPECT_EQ(timeline.panels.front().names->column_titles.front(), "2014");
    EXPECT_EQ(timeline.panels.front().names->column_titles.back(), "2019");
    EXPECT_EQ(family_tree_figure(list, FigureTheme::dark).panels.front().rows, 5);
    EXPECT_EQ(timeline_figure({}, FigureTheme::paper).panels.front().rows, 0);
    EXPECT_EQ(family_tree_figure({}, FigureTheme::paper).panels.front().rows, 1);
}

}}  // namespace headlight::catalogue_figures_test
