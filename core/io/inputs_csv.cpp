#include "core/analysis/token_spelling.h"
#include "core/io/csv_rows.h"
#include "core/io/inputs_file.h"
#include "core/io/json_text.h"
#include "core/tensor/error.h"
#include "core/tensor/memory.h"
#include "core/text/utf8_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <utility>
#include <vector>

namespace headlight {
namespace {

/// A cell that is a number or would be one without a slip ("2,5", "1e999"): never taken for a name.
bool looks_like_number(const std::string& text) {
    const std::size_t first = text.find_first_not_of("+-.");
    return csv_number_in(text) || (first != std::string::npos && text[first] >= '0' && text[first] <= '9');
}

bool is_name(const CsvCell& cell) { return !cell.text.empty() && !looks_like_number(cell.text); }

/// A first row of names (its corner may be anything) names the columns, and so does one behind an empty
/// corner. One name among numbers is a mistake that the reading of the cell reports.
bool is_header(const CsvRow& row) {
    if (row.size() > 1 && row.front().text.empty())
        return true;
    return std::ranges::all_of(row.size() > 1 ? std::span(row).subspan(1) : row, is_name);
}

/// The index that pandas gives rows which nobody named: 0, 1, 2, ...
bool are_row_numbers(const std::vector<std::string>& names) {
    std::size_t number = 0;
    return std::ranges::all_of(names,
                               [&](const std::string& name) { return name == std::to_string(number++); });
}

/// Whether a column under this title has what the rows are called, also where all of that are numbers; pandas
/// writes no title, or after reading that again "Unnamed: 0".
bool is_title_of_names(std::string title) {
    constexpr std::array titles{"",     "token", "tokens", "word",  "words", "label",     "labels",
                                "name", "names", "piece",  "index", "id",    "unnamed: 0"};
    std::ranges::transform(title, title.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return std::ranges::find(titles, title) != titles.end();
}

/// Whether only the first cell stands in quotes, as names do.
bool has_quoted_name(const CsvRow& row) {
    return row.front().is_quoted && std::ranges::none_of(std::span(row).subspan(1), &CsvCell::is_quoted);
}

std::string label_in(const CsvCell& cell) {
    if (!is_utf8(cell.text))
        throw Error({"read CSV", csv_place(cell), "UTF-8", "other bytes"});
    return cell.text;
}

/// Reads numbers of one table. Where commas do not separate they may be decimal commas, of all numbers or of
/// none.
class NumberReader {
public:
    explicit NumberReader(char separator) : may_have_commas_(separator != ',') {}

    double operator()(const CsvCell& cell) {
        const bool has_comma = may_have_commas_ && cell.text.find(',') != std::string::npos;
        has_commas_ |= has_comma;
        has_points_ |= cell.text.find('.') != std::string::npos;
        if (has_commas_ && has_points_)
            throw Error({"read CSV", csv_place(cell),
                         "decimal points or decimal commas, one of them in all cells",
                         '"' + excerpt(cell.text) + '"'});
        std::string text = cell.text;
        if (has_comma)
            text[text.find(',')] = '.';
        const auto value = csv_number_in(text);
        if (!value || !std::isfinite(*value))
            throw Error({"read CSV", csv_place(cell), "a finite number, with a decimal point",
                         cell.text.empty() ? "an empty cell" : '"' + excerpt(cell.text) + '"'});
        return *value;
    }

private:
    bool may_have_commas_, has_commas_ = false, has_points_ = false;
};

}  // namespace

Inputs parse_inputs_csv(std::string_view bytes) {
    const std::string text = utf8_text(std::string(bytes));
    CsvRows csv(text);
    CsvRow row;
    if (!csv.next(row))
        throw Error({"read CSV", "line 1", "rows of numbers", "nothing"});
    const std::size_t width = row.size();
    const bool has_header = is_header(row);
    const bool names_rows = has_header && is_title_of_names(row.front().text);
    if (has_header && !csv.next(row))
        throw Error({"read CSV", "line 2", "rows of numbers below the names", "nothing"});
    const bool has_labels = width > 1 && (names_rows || is_name(row.front()) || has_quoted_name(row));

    Inputs inputs;
    const std::size_t most_numbers = row.size() + csv.most_cells();
    require_memory("read CSV", "", static_cast<double>(sizeof(double)) * static_cast<double>(most_numbers),
                   " for " + std::to_string(most_numbers) + " cells");
    std::vector<double> numbers;
    numbers.reserve(most_numbers);
    NumberReader number(csv.separator());
    Index rows = 0;
    do {
        if (row.size() != width)
            throw Error({"read CSV", "line " + std::to_string(row.front().line),
                         std::to_string(width) + " cells, as in the first row", std::to_string(row.size())});
        if (has_labels)
            inputs.tokens.query.push_back(label_in(row.front()));
        for (const CsvCell& cell : std::span(row).subspan(has_labels ? 1 : 0))
            numbers.push_back(number(cell));
        ++rows;
    } while (csv.next(row));
    if (are_row_numbers(inputs.tokens.query))
        inputs.tokens.query.clear();
    inputs.tokens = spelled(std::move(inputs.tokens), TokenSpelling::text);
    inputs.query = Tensor({rows, static_cast<Index>(width - (has_labels ? 1 : 0))}, std::move(numbers));
    return inputs;
}

}  // namespace headlight
