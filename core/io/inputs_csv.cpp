#include "core/io/inputs_file.h"
#include "core/io/json_text.h"
#include "core/tensor/error.h"
#include "core/tensor/memory.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <vector>

namespace headlight {
namespace {

std::string place(std::size_t line, std::size_t column) {
    return "line " + std::to_string(line) + ", column " + std::to_string(column);
}

struct Cell {
    std::string text;
    std::size_t line = 1;    ///< where it begins; a quoted cell may go on over several lines
    std::size_t column = 1;  ///< counted in cells
};
using Row = std::vector<Cell>;

constexpr std::size_t widest_row = std::size_t(1) << 20;  ///< cells

/// Cuts the text into rows of cells (RFC 4180, with any of the three separators), one row at a time: as cells
/// a file takes up to fifty times its bytes.
class CsvText {
public:
    explicit CsvText(std::string_view text) : rest_(text) {
        constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
        if (rest_.starts_with(byte_order_mark))
            rest_.remove_prefix(byte_order_mark.size());
        const std::string_view first_line = rest_.substr(0, rest_.find('\n'));
        for (const char candidate : {'\t', ';'})
            if (first_line.find(candidate) != std::string_view::npos && separator_ == ',')
                separator_ = candidate;
    }

    /// The next row that is not blank; false at the end.
    bool next(Row& row) {
        do {
            row.clear();
            if (rest_.empty())
                return false;
            read_line(row);
        } while (row.size() == 1 && row.front().text.empty());
        return true;
    }

    /// At most so many cells are left.
    std::size_t most_cells() const {
        return static_cast<std::size_t>(
            1 + std::ranges::count_if(rest_, [this](char c) { return c == separator_ || c == '\n'; }));
    }

private:
    void read_line(Row& row) {
        do {
            if (row.size() == widest_row)
                throw Error({"read CSV", "line " + std::to_string(line_),
                             "at most " + std::to_string(widest_row) + " cells", "more"});
            row.push_back(next_cell(row.size() + 1));
        } while (take(separator_));
        take('\r');
        if (!rest_.empty() && !take('\n'))
            throw Error({"read CSV", place(line_, row.size()), "a separator after the closing quote",
                         '"' + excerpt(std::string(rest_.substr(0, 20))) + '"'});
        ++line_;
    }

    bool take(char expected) {
        const bool is_next = rest_.starts_with(expected);
        if (is_next)
            rest_.remove_prefix(1);
        return is_next;
    }

    Cell next_cell(std::size_t column) {
        Cell cell{{}, line_, column};
        if (take('"')) {
            while (!take_closing_quote(cell)) {
                line_ += rest_.front() == '\n' ? 1 : 0;
                cell.text += rest_.front();
                rest_.remove_prefix(1);
            }
            return cell;
        }
        const char ends[] = {separator_, '\n', '\0'};
        std::string_view text = rest_.substr(0, rest_.find_first_of(ends));
        if (text.ends_with('\r'))
            text.remove_suffix(1);
        rest_.remove_prefix(text.size());
        while (text.starts_with(' '))
            text.remove_prefix(1);
        while (text.ends_with(' '))
            text.remove_suffix(1);
        cell.text = text;
        return cell;
    }

    /// Two quotes inside a quoted cell stand for one.
    bool take_closing_quote(Cell& cell) {
        while (take('"')) {
            if (!take('"'))
                return true;
            cell.text += '"';
        }
        if (rest_.empty())
            throw Error(
                {"read CSV", place(cell.line, cell.column), "a closing quote", "the end of the file"});
        return false;
    }

    std::string_view rest_;
    char separator_ = ',';
    std::size_t line_ = 1;
};

std::optional<double> number_in(const std::string& text) {
    const char* begin = text.data() + (text.starts_with('+') ? 1 : 0);
    const char* end = text.data() + text.size();
    double value = 0;
    const auto result = std::from_chars(begin, end, value);
    if (begin == end || result.ec != std::errc() || result.ptr != end)
        return std::nullopt;
    return value;
}

double finite_number(const Cell& cell) {
    const auto value = number_in(cell.text);
    if (!value || !std::isfinite(*value))
        throw Error({"read CSV", place(cell.line, cell.column), "a finite number, with a decimal point",
                     cell.text.empty() ? "an empty cell" : '"' + excerpt(cell.text) + '"'});
    return *value;
}

/// A cell that is a number or would be one without a slip ("2,5", "1e999"): never taken for a name.
bool looks_like_number(const std::string& text) {
    const std::size_t first = text.find_first_not_of("+-.");
    return number_in(text) || (first != std::string::npos && text[first] >= '0' && text[first] <= '9');
}

bool is_name(const Cell& cell) { return !cell.text.empty() && !looks_like_number(cell.text); }

/// A first row of names (its corner may be anything) names the columns. One name among numbers is a mistake
/// that the reading of the cell reports.
bool is_header(const Row& row) {
    return std::ranges::all_of(row.size() > 1 ? std::span(row).subspan(1) : row, is_name);
}

std::string label_in(const Cell& cell) {
    if (!is_utf8(cell.text))
        throw Error({"read CSV", place(cell.line, cell.column), "UTF-8", "other bytes"});
    return cell.text;
}

}  // namespace

Inputs parse_inputs_csv(std::string_view text) {
    CsvText csv(text);
    Row row;
    if (!csv.next(row))
        throw Error({"read CSV", "line 1", "rows of numbers", "nothing"});
    const std::size_t width = row.size();
    const bool has_header = is_header(row);
    const bool has_empty_corner = has_header && row.front().text.empty();
    if (has_header && !csv.next(row))
        throw Error({"read CSV", "line 2", "rows of numbers below the names", "nothing"});
    const bool has_labels = width > 1 && (has_empty_corner || is_name(row.front()));

    Inputs inputs;
    const std::size_t most_numbers = row.size() + csv.most_cells();
    require_memory("read CSV", "", static_cast<double>(sizeof(double)) * static_cast<double>(most_numbers),
                   " for " + std::to_string(most_numbers) + " cells");
    std::vector<double> numbers;
    numbers.reserve(most_numbers);
    Index rows = 0;
    do {
        if (row.size() != width)
            throw Error({"read CSV", "line " + std::to_string(row.front().line),
                         std::to_string(width) + " cells, as in the first row", std::to_string(row.size())});
        if (has_labels)
            inputs.tokens.query.push_back(label_in(row.front()));
        for (const Cell& cell : std::span(row).subspan(has_labels ? 1 : 0))
            numbers.push_back(finite_number(cell));
        ++rows;
    } while (csv.next(row));
    inputs.query = Tensor({rows, static_cast<Index>(width - (has_labels ? 1 : 0))}, std::move(numbers));
    return inputs;
}

}  // namespace headlight
