#include "core/io/maps_in_lines.h"

#include "core/io/axis_names.h"
#include "core/io/capture_file.h"
#include "core/io/csv_rows.h"
#include "core/io/json_text.h"
#include "core/io/numpy_array.h"
#include "core/map/site_name.h"
#include "core/tensor/error.h"
#include "core/tensor/extents.h"
#include "core/tensor/memory.h"
#include "core/text/utf8_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <span>
#include <string>

namespace headlight {
namespace {

constexpr const char* reading_lines = "read weights";
/// Behind a column for the kind, where there are several.
constexpr std::array<std::string_view, 7> titles_of_lines{"layer",       "head",      "query", "key",
                                                          "query token", "key token", "weight"};

bool are_titles(const CsvRow& row) {
    const auto is_titled = [&](std::size_t first) {
        return row.size() == first + titles_of_lines.size() &&
               std::ranges::equal(std::span(row).subspan(first), titles_of_lines, {}, &CsvCell::text);
    };
    return is_titled(0) || (is_titled(1) && row.front().text == "kind");
}

/// The maps of one kind, as far as they have been read.
class KindInLines {
public:
    explicit KindInLines(std::string name) : name_(std::move(name)) {}

    const std::string& name() const { return name_; }

    /// Takes the line whose cells behind the kind these are.
    void take(std::span<const CsvCell> cells) {
        const Counts next{count_in(cells[0]), count_in(cells[1]), count_in(cells[2]), count_in(cells[3])};
        const auto weight = csv_number_in(cells[6].text);
        if (!follows(next) || !weight || !is_utf8(cells[4].text) || !is_utf8(cells[5].text))
            throw Error({reading_lines, "line " + std::to_string(cells[0].line),
                         "the next number of all, by layer, head, query and key, as --all-maps writes them",
                         "another line"});
        if (layers_.empty() || layers_.back() != next.layer)
            layers_.push_back(next.layer);
        if (layers_.size() == 1 && next.head == 1 && next.key == 1)
            queries_.push_back(cells[4].text);
        if (layers_.size() == 1 && next.head == 1 && next.query == 1)
            keys_.push_back(cells[5].text);
        heads_ = std::max(heads_, next.head);
        last_ = next;
        weights_.push_back(*weight);
    }

    /// Throws Error where a map has fewer numbers than another one.
    LabelledMaps maps() const {
        const Shape shape{std::ssize(layers_), heads_, std::ssize(queries_), std::ssize(keys_)};
        if (elements(shape[0], shape[1], shape[2], shape[3]) != static_cast<double>(weights_.size()))
            throw Error({reading_lines, name_, "a line for each number of " + to_string(shape),
                         std::to_string(weights_.size())});
        LabelledMaps maps =
            parse_capture(std::make_shared<HeldBytes>(numpy_array_of(shape, weights_)), ".npy").front();
        maps.name = name_;
        maps.tokens = labels_read(queries_, keys_);
        for (const Index layer : layers_)
            maps.sites.push_back(site_of(name_, layer - 1));
        return maps;
    }

private:
    struct Counts {
        Index layer = 0, head = 0, query = 0, key = 0;
    };

    /// From 1; 0 of what is none.
    static Index count_in(const CsvCell& cell) {
        constexpr double largest = 1e9;
        const double number = csv_number_in(cell.text).value_or(0);
        return number >= 1 && number <= largest && number == std::floor(number) ? static_cast<Index>(number)
                                                                                : 0;
    }

    /// Whether a line may stand behind the last one. Where all do and none is missing, each stands in its
    /// place.
    bool follows(const Counts& next) const {
        if (next.layer == last_.layer && next.head == last_.head && next.query == last_.query)
            return next.key == last_.key + 1;
        if (next.layer == last_.layer && next.head == last_.head)
            return next.key == 1 && next.query == last_.query + 1;
        if (next.layer == last_.layer)
            return next.key == 1 && next.query == 1 && next.head == last_.head + 1;
        return next.key == 1 && next.query == 1 && next.head == 1 && next.layer > last_.layer;
    }

    std::string name_;
    std::vector<Index> layers_;
    Index heads_ = 0;
    std::vector<std::string> queries_, keys_;
    std::vector<double> weights_;
    Counts last_;
};

}  // namespace

bool are_maps_in_lines(std::string_view csv) try {
    constexpr std::size_t most_titles = 256;
    const std::string text = utf8_text(std::string(csv.substr(0, most_titles)));
    CsvRow row;
    return CsvRows(text).next(row) && are_titles(row);
} catch (const Error&) {  // of what is cut off, as inside quotes
    return false;
}

std::vector<LabelledMaps> maps_in_lines(std::string_view csv) {
    const std::string text = utf8_text(std::string(csv));
    CsvRows rows(text);
    CsvRow row;
    if (!rows.next(row) || !are_titles(row))
        throw Error({reading_lines, "", "a line for each number, behind the titles", "another table"});
    const std::size_t columns = row.size();
    const bool are_named = columns > titles_of_lines.size();
    const auto lines = static_cast<double>(rows.most_cells()) / static_cast<double>(columns);
    require_memory(reading_lines, "", 2 * sizeof(double) * lines);  // the numbers and their array
    std::vector<KindInLines> kinds;
    while (rows.next(row)) {
        if (row.size() != columns)
            throw Error({reading_lines, "line " + std::to_string(row.front().line),
                         std::to_string(columns) + " cells, as the titles are", std::to_string(row.size())});
        const std::string name = are_named ? row.front().text : "";
        if (kinds.empty() || kinds.back().name() != name)
            kinds.emplace_back(name);
        kinds.back().take(std::span(row).subspan(are_named ? 1 : 0));
    }
    if (kinds.empty())
        throw Error({reading_lines, "", "a line for each number behind the titles", "none"});
    std::vector<LabelledMaps> maps;
    for (const KindInLines& kind : kinds)
        maps.push_back(kind.maps());
    return maps;
}

}  // namespace headlight
