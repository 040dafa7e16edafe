#include "core/figure/catalogue_walk.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <numeric>
#include <utility>

namespace headlight {
namespace {

const NameTable::Name& entry_of(const Panel& panel, Index name) {
    return panel.names->names[static_cast<std::size_t>(name)];
}
const Tree::Node& node_of(const Panel& panel, Index name) {
    return panel.tree->nodes[static_cast<std::size_t>(name)];
}

std::string words_of_entry(const Panel& panel, Index name) {
    const NameTable& table = *panel.names;
    const NameTable::Name& named = entry_of(panel, name);
    std::string words;
    for (const std::string& line : named.lines)
        (words += words.empty() ? "" : " ") += line;
    (words += ", ") += table.column_titles[static_cast<std::size_t>(named.column)];
    return (words += ", ") += table.row_titles[static_cast<std::size_t>(named.row)];
}

std::string words_of_node(const Panel& panel, Index name) {
    const Tree::Node& node = node_of(panel, name);
    if (node.parent < 0)
        return node.word;
    if (node.id.empty())
        return node.word + ", a family";
    const std::string words = node.word + (node.number.empty() ? "" : ", " + node.number);
    const std::string& parent = node_of(panel, node.parent).word;
    switch (node.bond) {
    case Tree::Node::Bond::firm:
        return words + ", equals " + parent + " with some settings";
    case Tree::Node::Bond::loose:
        return words + ", related to " + parent;
    case Tree::Node::Bond::none:
        break;
    }
    return words + ", begins a branch of " + parent;
}

/// Where a name stands among those that up and down lead through: its column, then how far down it is.
std::pair<Index, Index> column_and_line(const Panel& panel, Index name) {
    if (panel.tree)
        return {node_of(panel, name).depth, node_of(panel, name).row};
    const NameTable::Name& named = entry_of(panel, name);
    const auto above = panel.names->lines.begin();
    return {named.column, std::accumulate(above, above + named.row, named.first_line)};
}

/// The nearest name of the same column above or below.
std::optional<Index> beside(const Panel& panel, Index name, bool is_below) {
    const auto [column, line] = column_and_line(panel, name);
    std::optional<Index> nearest;
    Index least = 0;
    for (Index other = 0; other < name_count(panel); ++other) {
        const auto [its_column, its_line] = column_and_line(panel, other);
        const Index distance = is_below ? its_line - line : line - its_line;
        if (its_column == column && distance > 0 && (!nearest || distance < least)) {
            nearest = other;
            least = distance;
        }
    }
    return nearest;
}

/// In the table, of the same family and the nearest year that has any; there the name that is level with it.
std::optional<Index> in_family(const Panel& panel, Index name, bool is_later) {
    const NameTable::Name& from = entry_of(panel, name);
    std::optional<Index> nearest;
    std::pair<Index, Index> least;
    for (Index other = 0; other < name_count(panel); ++other) {
        const NameTable::Name& to = entry_of(panel, other);
        const Index years = is_later ? to.column - from.column : from.column - to.column;
        const std::pair distance(years, std::abs(to.first_line - from.first_line));
        if (to.row == from.row && years > 0 && (!nearest || distance < least)) {
            nearest = other;
            least = distance;
        }
    }
    return nearest;
}

std::optional<Index> first_child(const Panel& panel, Index name) {
    const Index next = name + 1;  // where there is one: nodes stand in the order of reading
    const bool is_child = next < name_count(panel) && node_of(panel, next).parent == name;
    return is_child ? std::optional(next) : std::nullopt;
}

std::optional<Index> parent_of(const Panel& panel, Index name) {
    const Index parent = node_of(panel, name).parent;
    return parent >= 0 ? std::optional(parent) : std::nullopt;
}

}  // namespace

Index name_count(const Panel& panel) {
    return panel.tree ? std::ssize(panel.tree->nodes) : std::ssize(panel.names->names);
}

const std::string& id_of_name(const Panel& panel, Index name) {
    return panel.tree ? node_of(panel, name).id : entry_of(panel, name).id;
}

std::optional<Index> name_with_id(const Panel& panel, const std::string& id) {
    for (Index name = 0; !id.empty() && name < name_count(panel); ++name)
        if (id_of_name(panel, name) == id)
            return name;
    return std::nullopt;
}

std::optional<int> year_of_name(const Panel& panel, Index name) {
    if (panel.tree) {
        const double year = panel.values[static_cast<std::size_t>(name)];
        return year > 0 ? std::optional(static_cast<int>(year)) : std::nullopt;
    }
    const std::string& title =
        panel.names->column_titles[static_cast<std::size_t>(entry_of(panel, name).column)];
    int year = 0;
    const auto read = std::from_chars(title.data(), title.data() + title.size(), year);
    return read.ec == std::errc() ? std::optional(year) : std::nullopt;  // "before 2014" is none
}

std::string name_in_words(const Panel& panel, Index name) {
    return panel.tree ? words_of_node(panel, name) : words_of_entry(panel, name);
}

Index stepped(const Panel& panel, Index name, NameStep step) {
    switch (step) {
    case NameStep::left:
        return (panel.tree ? parent_of(panel, name) : in_family(panel, name, false)).value_or(name);
    case NameStep::right:
        return (panel.tree ? first_child(panel, name) : in_family(panel, name, true)).value_or(name);
    case NameStep::up:
        return beside(panel, name, false).value_or(name);
    case NameStep::down:
        return beside(panel, name, true).value_or(name);
    case NameStep::first:
        return 0;
    case NameStep::last:
        return std::max<Index>(0, name_count(panel) - 1);
    }
    return name;
}

}  // namespace headlight
