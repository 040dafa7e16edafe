#include "core/io/map_table.h"

#include "core/io/axis_names.h"
#include "core/io/capture_file.h"
#include "core/io/csv_rows.h"
#include "core/io/files.h"
#include "core/io/json_text.h"
#include "core/io/maps_in_lines.h"
#include "core/io/numpy_array.h"
#include "core/tensor/error.h"
#include "core/tensor/memory.h"
#include "core/text/utf8_text.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace headlight {
namespace {

constexpr std::string_view corner_of_implied = "implied weights";

struct WeightTable {
    std::vector<std::string> rows, columns;
    std::vector<double> weights;  ///< [row, column], NaN where missing
};

bool names_columns(const CsvRow& row) {
    return row.size() > 1 && (row.front().text.empty() || row.front().text == corner_of_implied);
}

/// Adds a row below the names; false for one that has something else than weights.
bool add_row(WeightTable& table, const CsvRow& row) {
    if (row.size() != table.columns.size() + 1 || !is_utf8(row.front().text))
        return false;
    table.rows.push_back(row.front().text);
    for (const CsvCell& cell : std::span(row).subspan(1)) {
        const bool is_missing = cell.text.empty() || cell.text == "nan";
        const auto weight = is_missing ? std::numeric_limits<double>::quiet_NaN() : csv_number_in(cell.text);
        if (!weight || *weight < 0 || *weight > 1)
            return false;
        table.weights.push_back(*weight);
    }
    return true;
}

bool are_counted(const std::vector<std::string>& names) {
    return std::ranges::all_of(names,
                               [](const std::string& name) { return csv_number_in(name).has_value(); });
}

/// Whether each row shares out a whole among several columns, here or there.
bool shares_out(const WeightTable& table) {
    constexpr double rounding = 1e-3;
    const std::size_t width = table.columns.size();
    bool has_shares = false;
    for (std::size_t begin = 0; begin < table.weights.size(); begin += width) {
        double sum = 0;
        for (std::size_t at = begin; at < begin + width; ++at) {
            const double weight = table.weights[at];
            sum += std::isnan(weight) ? 0 : weight;
            has_shares |= weight > rounding && weight < 1 - rounding;
        }
        if (std::abs(sum - 1) > rounding)
            return false;
    }
    return has_shares;
}

bool is_of_weights(const WeightTable& table) {
    if (table.rows.empty())
        return false;
    const bool is_of_one_text = table.rows == table.columns && !are_counted(table.rows);
    return is_of_one_text || shares_out(table);
}

/// The next table, from its names on; nothing at the end, and for what is none.
class TableReader {
public:
    explicit TableReader(std::string_view text) : csv_(text), has_row_(csv_.next(row_)) {}

    std::optional<WeightTable> next() {
        if (has_row_ && row_.size() == 1)  // a title
            has_row_ = csv_.next(row_);
        if (!has_row_ || !names_columns(row_))
            return std::nullopt;
        WeightTable table;
        for (const CsvCell& cell : std::span(row_).subspan(1)) {
            if (!is_utf8(cell.text))
                return std::nullopt;
            table.columns.push_back(cell.text);
        }
        const std::size_t most = csv_.most_cells();
        require_memory("read CSV", "", static_cast<double>(sizeof(double)) * static_cast<double>(most),
                       " for " + std::to_string(most) + " cells");
        while ((has_row_ = csv_.next(row_)) && !csv_.is_after_blank())
            if (!add_row(table, row_))
                return std::nullopt;
        return table;
    }

private:
    CsvRows csv_;
    CsvRow row_;
    bool has_row_;
};

}  // namespace

std::optional<LabelledMaps> maps_in_table(std::string_view bytes) {
    const std::string text = utf8_text(std::string(bytes));
    TableReader reader(text);
    const std::optional<WeightTable> first = reader.next();
    if (!first || !is_of_weights(*first))
        return std::nullopt;
    std::vector<double> weights = first->weights;
    Index heads = 1;
    for (auto next = reader.next(); next && is_of_weights(*next); next = reader.next(), ++heads) {
        if (next->rows != first->rows || next->columns != first->columns)
            return std::nullopt;
        weights.insert(weights.end(), next->weights.begin(), next->weights.end());
    }
    const Shape shape{heads, std::ssize(first->rows), std::ssize(first->columns)};
    LabelledMaps maps =
        parse_capture(std::make_shared<HeldBytes>(numpy_array_of(shape, weights)), ".npy", {}).front();
    maps.tokens = labels_read(first->rows, first->columns);
    return maps;
}

std::vector<LabelledMaps> read_map_table(const std::filesystem::path& path) {
    const std::string document = read_document(path);
    if (are_maps_in_lines(document))
        return maps_in_lines(document);
    auto maps = maps_in_table(document);
    if (!maps)
        throw Error({"read weights", "", "a table of weights, with the names of the tokens around it",
                     "another table"});
    return {std::move(*maps)};
}

bool is_map_table(const std::filesystem::path& path) try {
    if (extension_of(path) != ".csv")
        return false;
    const std::string document = read_document(path);
    return are_maps_in_lines(document) || maps_in_table(document).has_value();
} catch (const std::exception&) {
    return false;
}

}  // namespace headlight
