#include "core/figure/figure_options.h"

#include <algorithm>
#include <charconv>

namespace headlight {
namespace {

constexpr Index largest_number = 1'000'000'000;

/// From 1 in the word, from 0 here.
std::optional<Index> counted_number(std::string_view text) {
    Index number = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool is_whole = failure == std::errc() && end == text.data() + text.size();
    return is_whole && number >= 1 && number <= largest_number ? std::optional(number - 1) : std::nullopt;
}

/// "3", or "3-5" with `between` "-".
std::optional<AxisSlice> counted_slice(std::string_view text, std::string_view between) {
    const std::size_t middle = text.find(between);
    const auto first = counted_number(text.substr(0, middle));
    const auto last =
        middle == std::string_view::npos ? first : counted_number(text.substr(middle + between.size()));
    return first && last && *first <= *last ? std::optional(AxisSlice{*first, *last - *first + 1})
                                            : std::nullopt;
}

std::string counted_word(const AxisSlice& slice) {
    const std::string first = std::to_string(slice.first + 1);
    return slice.count == 1 ? first : first + '-' + std::to_string(slice.first + slice.count);
}

}  // namespace

std::string heads_word(const std::vector<Index>& heads) {
    std::string word;
    for (std::size_t at = 0, last = 0; at < heads.size(); at = last + 1) {
        last = at;
        while (last + 1 < heads.size() && heads[last + 1] == heads[last] + 1)
            ++last;
        word.append(word.empty() ? "" : ",").append(counted_word({heads[at], heads[last] - heads[at] + 1}));
    }
    return word;
}

std::optional<std::vector<Index>> heads_from_word(std::string_view word) {
    std::vector<Index> heads;
    while (true) {
        const std::size_t comma = word.find(',');
        const auto slice = counted_slice(word.substr(0, comma), "-");
        if (!slice || static_cast<std::size_t>(slice->count) > most_listed - heads.size())
            return std::nullopt;
        for (Index head = slice->first; head < slice->first + slice->count; ++head) {
            if (std::ranges::count(heads, head) > 0)
                return std::nullopt;
            heads.push_back(head);
        }
        if (comma == std::string_view::npos)
            return heads;
        word.remove_prefix(comma + 1);
    }
}

std::string slice_word(const AxisSlice& slice) {
    return std::to_string(slice.first + 1) + ".." + std::to_string(slice.first + slice.count);
}

std::optional<AxisSlice> slice_from_word(std::string_view word) {
    return word.find("..") == std::string_view::npos ? std::nullopt : counted_slice(word, "..");
}

std::string mark_word(const MarkedCells& mark) {
    return counted_word(mark.rows) + ',' + counted_word(mark.columns);
}

std::optional<MarkedCells> mark_from_word(std::string_view word) {
    const std::size_t comma = word.find(',');
    if (comma == std::string_view::npos)
        return std::nullopt;
    const auto rows = counted_slice(word.substr(0, comma), "-"),
               columns = counted_slice(word.substr(comma + 1), "-");
    return rows && columns ? std::optional(MarkedCells{*rows, *columns}) : std::nullopt;
}

namespace {

std::optional<NotedCell> noted_cell(std::string_view text) {
    const std::size_t comma = text.find(',');
    if (comma == std::string_view::npos)
        return std::nullopt;
    const auto row = counted_number(text.substr(0, comma)), column = counted_number(text.substr(comma + 1));
    return row && column ? std::optional(NotedCell{*row, *column}) : std::nullopt;
}

std::string noted_word(const NotedCell& cell) {
    return std::to_string(cell.row + 1) + ',' + std::to_string(cell.column + 1);
}

}  // namespace

std::string note_word(const CellNote& note) {
    return (note.from ? noted_word(*note.from) + '>' : "") + noted_word(note.cell) +
           (note.text.empty() ? "" : ' ' + note.text);
}

std::optional<CellNote> note_from_word(std::string_view word) {
    const std::size_t blank = word.find(' ');
    std::string_view place = word.substr(0, blank);
    CellNote note;
    if (blank != std::string_view::npos)
        note.text = word.substr(blank + 1);
    if (const std::size_t arrow = place.find('>'); arrow != std::string_view::npos) {
        note.from = noted_cell(place.substr(0, arrow));
        if (!note.from)
            return std::nullopt;
        place.remove_prefix(arrow + 1);
    }
    const auto cell = noted_cell(place);
    const bool says_something = note.from ? note.from != cell : !note.text.empty();
    if (!cell || !says_something || note.text.size() > longest_title)
        return std::nullopt;
    note.cell = *cell;
    return note;
}

std::optional<bool> answer_from_word(std::string_view word) {
    return word == "yes" ? std::optional(true) : word == "no" ? std::optional(false) : std::nullopt;
}

template <>
std::span<const Word<LetterPlace>> words() {
    static const Word<LetterPlace> table[] = {
        {LetterPlace::title, "title", "before the title, or in its place"},
        {LetterPlace::outside, "outside", "left of the matrix, level with its title"},
        {LetterPlace::inside, "inside", "in the first corner of the matrix"}};
    return table;
}

namespace {

std::optional<double> number_within(std::string_view word, double least, double most) {
    double number = 0;
    const auto [end, failure] = std::from_chars(word.data(), word.data() + word.size(), number);
    const bool is_number = failure == std::errc() && end == word.data() + word.size();
    return is_number && number >= least && number <= most ? std::optional(number) : std::nullopt;
}

std::optional<double> points_within(std::string_view word, double least, double most) {
    if (word.ends_with("pt"))
        word.remove_suffix(2);
    return number_within(word, least, most);
}

}  // namespace

std::optional<double> points_from_word(std::string_view word) {
    return points_within(word, smallest_type, largest_type);
}

std::optional<double> least_line_from_word(std::string_view word) {
    return number_within(word, 0, largest_least_line);
}

std::optional<double> line_width_from_word(std::string_view word) {
    return points_within(word, thinnest_line, thickest_line);
}

}  // namespace headlight
