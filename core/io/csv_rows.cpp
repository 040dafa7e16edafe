#include "core/io/csv_rows.h"

#include "core/tensor/error.h"

#include <algorithm>
#include <charconv>

namespace headlight {
namespace {

constexpr std::size_t widest_row = std::size_t(1) << 20;  ///< cells

/// The next line, which is taken from `text`.
std::string_view take_line(std::string_view& text) {
    const std::size_t end = text.find_first_of("\r\n");
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    return line;
}

/// A line without what stands in quotes: there a separator is a letter like others.
std::string outside_quotes(std::string_view line) {
    std::string outside;
    bool is_quoted = false;
    for (const char c : line) {
        is_quoted ^= c == '"';
        if (!is_quoted)
            outside += c;
    }
    return outside;
}

/// "le 0.1 0.2": several words between blanks, and the last one is a number.
bool has_blanks_between_numbers(std::string_view line) {
    const std::size_t end = line.find_last_not_of(' ');
    const std::size_t blank = end == std::string_view::npos ? end : line.find_last_of(' ', end);
    if (blank == std::string_view::npos || line.find_first_not_of(' ') > blank)
        return false;
    return csv_number_in(line.substr(blank + 1, end - blank)).has_value();
}

char separator_of(std::string_view text) {
    std::string_view line;
    do
        line = take_line(text);
    while (!text.empty() && (line.empty() || line.front() == '#'));
    const std::string first = outside_quotes(line), second = outside_quotes(take_line(text));
    for (const char candidate : {'\t', ';', ','})
        if (first.find(candidate) != std::string::npos)
            return candidate;
    const bool is_of_commas = second.find_first_of("\t;,") != std::string::npos;
    const bool is_of_blanks = has_blanks_between_numbers(first) || has_blanks_between_numbers(second);
    return !is_of_commas && is_of_blanks ? ' ' : ',';
}

}  // namespace

std::string csv_place(const CsvCell& cell) {
    return "line " + std::to_string(cell.line) + ", column " + std::to_string(cell.column);
}

std::optional<double> csv_number_in(std::string_view text) {
    if (text.starts_with('+'))
        text.remove_prefix(1);
    double value = 0;
    const auto [behind, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool is_number = !text.empty() && error == std::errc() && behind == text.data() + text.size();
    return is_number ? std::optional(value) : std::nullopt;
}

CsvRows::CsvRows(std::string_view text) : rest_(text) {
    constexpr std::string_view said = "sep=";
    std::string_view behind = text, line = take_line(behind);
    if (line.size() > 1 && line.front() == '"' && line.back() == '"')
        line = line.substr(1, line.size() - 2);
    if (line.size() != said.size() + 1 || !line.starts_with(said)) {
        separator_ = separator_of(rest_);
        return;
    }
    separator_ = line.back();
    rest_ = rest_.substr(std::min(rest_.size(), rest_.find_first_of("\r\n")));
    take_end_of_line();
    ++line_;
}

bool CsvRows::next(CsvRow& row) {
    is_after_blank_ = false;
    for (;;) {
        row.clear();
        if (rest_.empty())
            return false;
        const bool is_comment = separator_ == ' ' && rest_.front() == '#';
        read_line(row);
        const bool is_blank = row.size() == 1 && row.front().text.empty() && !row.front().is_quoted;
        if (!is_blank && !is_comment)
            return true;
        is_after_blank_ |= is_blank;
    }
}

std::size_t CsvRows::most_cells() const {
    return static_cast<std::size_t>(1 + std::ranges::count_if(rest_, [this](char c) {
                                        return c == separator_ || c == '\n' || c == '\r';
                                    }));
}

void CsvRows::read_line(CsvRow& row) {
    while (separator_ == ' ' && take(' ')) {
    }
    do {
        if (row.size() == widest_row)
            throw Error({"read CSV", "line " + std::to_string(line_),
                         "at most " + std::to_string(widest_row) + " cells", "more"});
        row.push_back(next_cell(row.size() + 1));
    } while (take_separator());
    if (!rest_.empty() && !take_end_of_line())
        throw Error({"read CSV", "line " + std::to_string(line_) + ", column " + std::to_string(row.size()),
                     "a separator after the closing quote",
                     '"' + excerpt(std::string(rest_.substr(0, 20))) + '"'});
    ++line_;
}

bool CsvRows::take(char expected) {
    const bool is_next = rest_.starts_with(expected);
    if (is_next)
        rest_.remove_prefix(1);
    return is_next;
}

bool CsvRows::take_end_of_line() {
    const bool has_return = take('\r');
    return take('\n') || has_return;
}

/// Any number of blanks is one separator, and none stands before the end of a line.
bool CsvRows::take_separator() {
    if (!take(separator_))
        return false;
    while (separator_ == ' ' && take(' ')) {
    }
    return separator_ != ' ' || !(rest_.empty() || rest_.starts_with('\r') || rest_.starts_with('\n'));
}

CsvCell CsvRows::next_cell(std::size_t column) {
    CsvCell cell{{}, line_, column};
    if (take('"')) {
        cell.is_quoted = true;
        while (!take_closing_quote(cell)) {
            const bool is_end =
                rest_.front() == '\n' || (rest_.front() == '\r' && !rest_.starts_with("\r\n"));
            line_ += is_end ? 1 : 0;
            cell.text += rest_.front();
            rest_.remove_prefix(1);
        }
        return cell;
    }
    const char ends[] = {separator_, '\n', '\r', '\0'};
    std::string_view text = rest_.substr(0, rest_.find_first_of(ends));
    rest_.remove_prefix(text.size());
    while (text.starts_with(' '))
        text.remove_prefix(1);
    while (text.ends_with(' '))
        text.remove_suffix(1);
    cell.text = text;
    return cell;
}

/// Two quotes inside a quoted cell stand for one.
bool CsvRows::take_closing_quote(CsvCell& cell) {
    while (take('"')) {
        if (!take('"'))
            return true;
        cell.text += '"';
    }
    if (rest_.empty())
        throw Error({"read CSV", csv_place(cell), "a closing quote", "the end of the file"});
    return false;
}

}  // namespace headlight
