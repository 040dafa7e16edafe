#include "core/io/axis_names.h"

#include "core/io/stored_maps.h"

#include <algorithm>

namespace headlight {
namespace {

bool count_from_one(const std::vector<std::string>& labels) {
    std::size_t number = 0;
    return std::ranges::all_of(labels,
                               [&](const std::string& label) { return label == std::to_string(++number); });
}

}  // namespace

const std::vector<std::string>* texts_called(const std::vector<FoundArray>& arrays, const std::string& name) {
    const auto found = std::ranges::find(arrays, name, &FoundArray::name);
    return found == arrays.end() || found->texts.empty() ? nullptr : &found->texts;
}

std::vector<double> numbers_called(const std::vector<FoundArray>& arrays, const std::string& name) {
    const auto found = std::ranges::find(arrays, name, &FoundArray::name);
    if (found == arrays.end() || !found->type || found->shape.size() != 1 || found->shape[0] == 0)
        return {};
    const MapAxes one_row{{MapAxis::key}};
    const auto stored =
        stored_maps(layout_of(found->shape, one_row, found->order), found->bytes, found->begin, *found->type);
    std::vector<double> numbers(static_cast<std::size_t>(found->shape[0]));
    stored->read_rows({}, 0, 1, numbers);
    return numbers;
}

TokenLabels labels_read(const std::vector<std::string>& rows, const std::vector<std::string>& columns) {
    TokenLabels labels;
    if (count_from_one(rows) && count_from_one(columns))
        return labels;
    labels.query = rows;
    if (rows != columns)
        labels.key = columns;
    return labels;
}

}  // namespace headlight
