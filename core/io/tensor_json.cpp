#include "core/io/tensor_json.h"

#include "core/attention/json_object.h"
#include "core/io/json_text.h"
#include "core/io/packed_numbers.h"
#include "core/tensor/error.h"

#include <limits>

namespace headlight {

using nlohmann::json;

namespace {

/// "W_q, row 2, column 3", "v, element 3": counted from 1, as a person looks for it.
std::string counted(const std::string& where, const char* of, std::size_t index) {
    return where + ", " + of + ' ' + std::to_string(index + 1);
}

void append_row(std::vector<double>& numbers, const json& row, const std::string& what,
                const std::string& where, const char* element) {
    std::size_t index = 0;
    for (const json& value : row) {
        // The place is only spelled out for what is refused: most values are numbers, and there are many.
        numbers.push_back(value.is_number() ? value.get<double>()
                                            : number_from_json(value, what, counted(where, element, index)));
        ++index;
    }
}

}  // namespace

std::optional<double> number_from_word(std::string_view word) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (word == "NaN")
        return std::numeric_limits<double>::quiet_NaN();
    if (word == "Infinity" || word == "-Infinity")
        return word == "Infinity" ? infinity : -infinity;
    return std::nullopt;
}

double number_from_json(const json& value, const std::string& what, const std::string& where) {
    if (value.is_number())
        return value.get<double>();
    const auto number =
        value.is_string() ? number_from_word(value.get_ref<const std::string&>()) : std::nullopt;
    if (!number)
        throw Error({what, where, "a number", describe(value)});
    return *number;
}

Tensor matrix_from_json(const json& value, const std::string& what, const std::string& where) {
    if (const auto packed = PackedNumbers::find(value)) {
        if (packed->columns() == 0)
            throw Error(
                {what, counted(where, "row", 0), "a row of numbers", number_to_json((*packed)[0]).dump()});
        return packed->tensor();
    }
    if (!value.is_array())
        throw Error({what, where, "rows of numbers", describe(value)});
    const std::size_t width = !value.empty() && value[0].is_array() ? value[0].size() : 0;
    std::vector<double> numbers;
    std::size_t rows = 0;
    for (const json& row : value) {
        const std::string place = counted(where, "row", rows++);
        if (!row.is_array())
            throw Error({what, place, "a row of numbers", describe(row)});
        if (row.size() != width)
            throw Error({what, place, std::to_string(width) + " numbers, as in the first row",
                         std::to_string(row.size())});
        append_row(numbers, row, what, place, "column");
    }
    return Tensor({static_cast<Index>(rows), static_cast<Index>(width)}, std::move(numbers));
}

Tensor tensor_from_json(const json& value, const std::string& what, const std::string& where) {
    if (const auto packed = PackedNumbers::find(value))
        return packed->tensor();
    if (!value.is_array())
        return Tensor({1}, number_from_json(value, what, where));
    if (!value.empty() && value[0].is_array())
        return matrix_from_json(value, what, where);
    std::vector<double> numbers;
    append_row(numbers, value, what, where, "element");
    const auto length = static_cast<Index>(numbers.size());
    return Tensor({length}, std::move(numbers));
}

json tensor_to_json(const Tensor& tensor) {
    const auto row = [](std::span<const double> values) {
        json list = json::array();
        for (const double value : values)
            list.push_back(number_to_json(value));
        return list;
    };
    if (tensor.rank() != 2)
        return row(tensor.values());
    json rows = json::array();
    for (Index r = 0; r < tensor.rows(); ++r)
        rows.push_back(row(tensor.row(r)));
    return rows;
}

}  // namespace headlight
