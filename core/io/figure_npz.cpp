#include "core/io/figure_npz.h"

#include "core/figure/panel_numbers.h"
#include "core/io/axis_names.h"
#include "core/io/numpy_array.h"
#include "core/io/stored_maps.h"
#include "core/io/zip_archive.h"
#include "core/map/joined_maps.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

namespace headlight {
namespace {

void append_table_arrays(std::vector<ZipFile>& files, const NumberTable& table) {
    std::vector<double> numbers;
    for (const std::optional<double>& number : table.numbers)
        numbers.push_back(number.value_or(std::numeric_limits<double>::quiet_NaN()));
    const auto lines = static_cast<Index>(table.names.size()), columns = static_cast<Index>(table.columns());
    files.push_back({"table.npy", numpy_array_of({lines, columns}, numbers)});
    files.push_back({"table_names.npy", numpy_array_of(table.names)});
    files.push_back({"table_titles.npy", numpy_array_of(table.titles)});
}

/// A panel as to_npz() wrote it.
struct WrittenPanel {
    std::string title;
    const FoundArray* numbers = nullptr;
    const std::vector<std::string>*rows = nullptr, *columns = nullptr;

    bool has_labels_of(const WrittenPanel& other) const {
        return *rows == *other.rows && *columns == *other.columns;
    }
    bool is_of_weights() const {
        return title.starts_with("Weights") || title.starts_with("Implied weights");
    }
};

/// Empty where the archive is no figure's.
std::vector<WrittenPanel> written_panels(const std::vector<FoundArray>& arrays) {
    const std::vector<std::string>* titles = texts_called(arrays, "titles");
    std::vector<WrittenPanel> panels;
    for (std::size_t at = 0; titles && at < titles->size(); ++at) {
        const std::string end = '_' + std::to_string(at + 1);
        const auto numbers = std::ranges::find(arrays, "values" + end, &FoundArray::name);
        const WrittenPanel panel{(*titles)[at], numbers == arrays.end() ? nullptr : &*numbers,
                                 texts_called(arrays, "rows" + end), texts_called(arrays, "columns" + end)};
        const bool is_panel =
            panel.numbers && panel.numbers->is_of_fractions() && panel.rows && panel.columns &&
            panel.numbers->shape == Shape{std::ssize(*panel.rows), std::ssize(*panel.columns)};
        if (!is_panel)
            return {};
        panels.push_back(panel);
    }
    return panels;
}

std::shared_ptr<const MapSource> one_map(const FoundArray& array) {
    const MapAxes axes{{MapAxis::query, MapAxis::key}};
    return stored_maps(layout_of(array.shape, axes, array.order), array.bytes, array.begin, *array.type);
}

}  // namespace

std::string to_npz(const Figure& figure) {
    std::vector<ZipFile> files;
    std::vector<std::string> titles;
    for (const Panel* panel : panels_with_numbers(figure, "write NPZ")) {
        titles.push_back(own_title(*panel));
        const std::string end = '_' + std::to_string(titles.size()) + ".npy";
        files.push_back({"values" + end, numpy_array_of({panel->rows, panel->columns},
                                                        {panel->values.data(), panel->values.size()})});
        files.push_back({"rows" + end, numpy_array_of(labels_without_spaces(panel->row_axis, panel->rows))});
        files.push_back(
            {"columns" + end, numpy_array_of(labels_without_spaces(panel->column_axis, panel->columns))});
    }
    files.push_back({"titles.npy", numpy_array_of(titles)});
    if (!figure.table.titles.empty())
        append_table_arrays(files, figure.table);
    return zip_archive_of(files);
}

std::optional<Capture> maps_in_figure_npz(const std::vector<FoundArray>& arrays) {
    std::vector<WrittenPanel> panels = written_panels(arrays);
    if (std::ranges::any_of(panels, &WrittenPanel::is_of_weights))
        std::erase_if(panels, [](const WrittenPanel& panel) { return !panel.is_of_weights(); });
    if (panels.empty())
        return std::nullopt;
    Capture capture;
    for (auto first = panels.cbegin(), end = first; first != panels.cend(); first = end) {
        end = std::find_if_not(first, panels.cend(),
                               [&](const WrittenPanel& panel) { return panel.has_labels_of(*first); });
        std::vector<std::shared_ptr<const MapSource>> heads;
        std::transform(first, end, std::back_inserter(heads),
                       [](const WrittenPanel& panel) { return one_map(*panel.numbers); });
        LabelledMaps maps;
        maps.maps = std::make_shared<JoinedMaps>(std::move(heads), JoinedMaps::Axis::head);
        maps.tokens = labels_read(*first->rows, *first->columns);
        if (first != panels.cbegin() || end != panels.cend()) {
            const std::string& title = first->title;
            const bool is_taken = std::ranges::count(capture.maps, title, &LabelledMaps::name) > 0;
            maps.name = is_taken ? title + ", panel " + std::to_string(first - panels.cbegin() + 1) : title;
        }
        const FoundArray &array = *first->numbers, &last = *std::prev(end)->numbers;
        const std::string shape = ' ' + to_string(array.shape);
        capture.add(std::move(maps), end - first == 1
                                         ? '"' + array.name + '"' + shape + " is [query, key]"
                                         : '"' + array.name + "\" to \"" + last.name + '"' + shape +
                                               " are heads of one layer, each [query, key]");
    }
    return capture;
}

}  // namespace headlight
