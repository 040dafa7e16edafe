#include "core/figure/catalogue_figures.h"

#include "core/catalog/family.h"
#include "core/catalog/family_tree.h"
#include "core/figure/build_figure.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace headlight {
namespace {

/// Earlier papers stand in one column: a year with one name in it would be as wide as the others.
constexpr int first_year = 2014;

/// Letters of UTF-8.
std::size_t letters_in(std::string_view text) {
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

/// A name in lines of at most so many letters, but for longer words.
std::vector<std::string> broken(const std::string& name) {
    constexpr std::size_t longest = 18;
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < name.size();) {
        const std::size_t end = std::min(name.find(' ', at), name.size());
        const std::string word = name.substr(at, end - at);
        if (!lines.empty() && letters_in(lines.back()) + 1 + letters_in(word) <= longest)
            (lines.back() += ' ') += word;
        else
            lines.push_back(word);
        at = end + 1;
    }
    return lines;
}

std::vector<std::string> families_of(std::span<const Mechanism> mechanisms) {
    std::vector<std::string> names;
    for (const Family& family : families())
        if (std::ranges::find(mechanisms, family.name, &Mechanism::family) != mechanisms.end())
            names.push_back(family.name);
    return names;
}

std::vector<const Mechanism*> by_year(std::span<const Mechanism> mechanisms) {
    std::vector<const Mechanism*> list;
    for (const Mechanism& each : mechanisms)
        list.push_back(&each);
    std::ranges::stable_sort(list, {}, [](const Mechanism* each) { return each->year(); });
    return list;
}

NameTable table_by_year(std::span<const Mechanism> mechanisms) {
    NameTable table;
    table.row_titles = families_of(mechanisms);
    table.lines.assign(table.row_titles.size(), 0);
    const std::vector<const Mechanism*> list = by_year(mechanisms);
    const bool has_older = !list.empty() && list.front()->year() < first_year;
    const int last_year = list.empty() ? first_year : std::max(first_year, list.back()->year());
    if (has_older)
        table.column_titles.push_back("before " + std::to_string(first_year));
    for (int year = first_year; year <= last_year; ++year)
        table.column_titles.push_back(std::to_string(year));
    std::map<std::pair<Index, Index>, Index> lines;  // of a cell so far
    for (const Mechanism* each : list) {
        const auto family = std::ranges::find(table.row_titles, each->family);
        if (family == table.row_titles.end())
            continue;
        const Index row = family - table.row_titles.begin();
        const Index column = each->year() < first_year ? 0 : each->year() - first_year + (has_older ? 1 : 0);
        Index& line = lines[{row, column}];
        NameTable::Name name{each->id, row, column, line, broken(each->name)};
        line += std::ssize(name.lines);
        Index& most = table.lines[static_cast<std::size_t>(row)];
        most = std::max(most, line);
        table.names.push_back(std::move(name));
    }
    std::ranges::sort(table.names, {}, [](const NameTable::Name& name) {
        return std::tuple(name.row, name.column, name.first_line);
    });
    return table;
}

/// A node, and those below it, which take the rows from `row` on. Returns the row behind them.
class TreeBuilder {
public:
    explicit TreeBuilder(std::span<const Mechanism> mechanisms) : descents_(family_tree(mechanisms)) {
        const Index root = add_heading(-1, "Attention");
        for (const std::string& family : families_of(mechanisms)) {
            const Index branch = add_heading(root, family);
            for (const Descent& each : descents_)
                if (!each.parent && each.mechanism->family == family)
                    add_descendants(branch, each);
        }
    }

    Tree tree;
    std::vector<double> years;  ///< [node]: of the oldest below one that has none of its own

private:
    /// In the row of its parent where it is the first child, else below everything before it.
    Index add(Tree::Node added) {
        const Index node = std::ssize(tree.nodes);
        if (added.parent >= 0) {
            const bool is_first = node == added.parent + 1;
            last_row_ += is_first ? 0 : 1;
            added.depth = tree.nodes[static_cast<std::size_t>(added.parent)].depth + 1;
        }
        added.row = last_row_;
        tree.nodes.push_back(std::move(added));
        years.push_back(0);
        return node;
    }

    Index add_heading(Index parent, const std::string& word) {
        return add({.parent = parent, .word = word, .number = {}, .bond = Tree::Node::Bond::none});
    }

    Index add_mechanism(Index parent, const Mechanism& mechanism, Tree::Node::Bond bond) {
        const int year = mechanism.year();
        const Index node = add({.parent = parent,
                                .word = mechanism.name,
                                .number = year > 0 ? std::to_string(year) : "",
                                .bond = bond,
                                .id = mechanism.id});
        for (Index above = node; year > 0 && above >= 0;
             above = tree.nodes[static_cast<std::size_t>(above)].parent) {
            double& oldest = years[static_cast<std::size_t>(above)];
            oldest = oldest == 0 ? year : std::min<double>(oldest, year);
        }
        return node;
    }

    void add_descendants(Index parent, const Descent& descent) {
        using Bond = Tree::Node::Bond;
        const Bond bond = !descent.parent ? Bond::none : descent.is_equal ? Bond::firm : Bond::loose;
        const Index node = add_mechanism(parent, *descent.mechanism, bond);
        for (const Descent& each : descents_)
            if (each.parent == descent.mechanism)
                add_descendants(node, each);
    }

    std::vector<Descent> descents_;
    Index last_row_ = 0;
};

Figure figure_with(Panel panel, std::string title, FigureTheme theme, std::string caption,
                   std::string description) {
    Figure figure;
    figure.title = std::move(title);
    figure.theme = theme;
    figure.caption = std::move(caption);
    figure.description = std::move(description);
    figure.has_panel_titles = false;
    figure.show_colour_bar = false;
    figure.panels.push_back(std::move(panel));
    return figure;
}

}  // namespace

Figure timeline_figure(std::span<const Mechanism> mechanisms, FigureTheme theme) {
    NameTable table = table_by_year(mechanisms);
    Panel panel;
    panel.kind = Panel::Kind::names;
    panel.rows = std::ssize(table.row_titles);
    panel.columns = std::ssize(table.column_titles);
    panel.row_axis = {"family", table.row_titles, {}};
    panel.column_axis = {"year", table.column_titles, {}};
    std::vector<double> counts(static_cast<std::size_t>(panel.rows * panel.columns), 0.0);
    std::string description = "Mechanisms of attention by family and year.";
    for (const NameTable::Name& each : table.names)
        ++counts[static_cast<std::size_t>(each.row * panel.columns + each.column)];
    for (Index row = 0; row < panel.rows; ++row) {
        double count = 0;
        for (Index column = 0; column < panel.columns; ++column)
            count += counts[static_cast<std::size_t>(row * panel.columns + column)];
        (description += ' ') += table.row_titles[static_cast<std::size_t>(row)];
        description += ": " + std::to_string(static_cast<int>(count)) + '.';
    }
    panel.values = std::move(counts);
    panel.names = std::make_shared<const NameTable>(std::move(table));
    return figure_with(std::move(panel), "Attention by family and year", theme,
                       "The year is that of the first version: of the preprint, where there was one.",
                       std::move(description));
}

Figure family_tree_figure(std::span<const Mechanism> mechanisms, FigureTheme theme) {
    TreeBuilder built(mechanisms);
    built.tree.is_on_one_line = true;
    Index equal = 0, related = 0;
    for (const Tree::Node& node : built.tree.nodes) {
        equal += node.bond == Tree::Node::Bond::firm ? 1 : 0;
        related += node.bond == Tree::Node::Bond::loose ? 1 : 0;
    }
    Panel panel;
    panel.kind = Panel::Kind::tree;
    panel.rows = std::ssize(built.tree.nodes);
    panel.columns = 1;
    panel.row_axis.title = "mechanism";
    for (const Tree::Node& node : built.tree.nodes)
        panel.row_axis.labels.push_back(node.word);
    panel.column_axis.labels = {"year"};
    panel.values = std::move(built.years);
    panel.tree = std::make_shared<const Tree>(std::move(built.tree));
    const std::string description = "The family tree of attention: " + std::to_string(mechanisms.size()) +
                                    " mechanisms, of which " + std::to_string(equal) +
                                    " equal the one that they come from with some settings and " +
                                    std::to_string(related) + " are related to it.";
    return figure_with(
        std::move(panel), "The family tree of attention", theme,
        "A line leads to a mechanism that equals the older one with some settings, a dashed line to one "
        "that is related to it, a pale line to one that begins a branch. Of several older ones it is the "
        "first that its entry names.",
        description);
}

std::span<const CataloguePicture> catalogue_pictures() {
    static constexpr CataloguePicture pictures[] = {{"timeline", "Timeline", timeline_figure},
                                                    {"tree", "Family tree", family_tree_figure}};
    return pictures;
}

}  // namespace headlight
