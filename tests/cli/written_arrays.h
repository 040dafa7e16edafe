#pragma once

// Arrays as NumPy, PyTorch and others write them, whose numbers say where they are from.

#include "core/io/safetensors.h"
#include "core/io/zip_archive.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace headlight::written_arrays {

/// An axis of a written array, and how long it is: {'l', 3} are three layers. Others are 'b'atch, 'w'indow,
/// 'h'ead, 'q'uery and 'k'ey.
using Axes = std::vector<std::pair<char, Index>>;

/// Rows that sum to 1, whose first weight says where they are from; the others rise.
inline double weight_at(const std::map<char, Index>& place, Index keys) {
    static const std::map<char, double> steps{
        {'l', 0.1}, {'h', 0.01}, {'b', 0.001}, {'w', 0.002}, {'q', 1e-4}};
    double first = 0.2;
    for (const auto& [axis, index] : place)
        if (axis != 'k')
            first += steps.at(axis) * static_cast<double>(index);
    const Index key = place.at('k');
    return key == 0 ? first
                    : (1 - first) * static_cast<double>(2 * key) / static_cast<double>(keys * (keys - 1));
}

enum class Order { c, fortran };
enum class Bytes { little, big };

inline std::vector<float> weights(const Axes& axes, Order order = Order::c) {
    Index count = 1, keys = 1;
    for (const auto& [axis, extent] : axes) {
        count *= extent;
        keys = axis == 'k' ? extent : keys;
    }
    std::vector<float> numbers;
    for (Index i = 0; i < count; ++i) {
        std::map<char, Index> place;
        Index rest = i;
        for (std::size_t at = 0; at < axes.size(); ++at) {
            const auto& [axis, extent] = axes[order == Order::c ? axes.size() - 1 - at : at];
            place[axis] = rest % extent;
            rest /= extent;
        }
        numbers.push_back(static_cast<float>(weight_at(place, keys)));
    }
    return numbers;
}

inline std::string npy_of(const std::string& dictionary, const std::string& data) {
    std::string bytes = "\x93NUMPY\x01";
    bytes += '\0';
    bytes += static_cast<char>(dictionary.size() + 1);
    bytes += '\0';
    return bytes + dictionary + '\n' + data;
}

inline std::string npy(const Axes& axes, Order order = Order::c, Bytes bytes = Bytes::little) {
    std::string shape, data;
    for (const auto& [axis, extent] : axes)
        shape += std::to_string(extent) + ", ";
    for (const float number : weights(axes, order)) {
        char raw[sizeof number];
        std::memcpy(raw, &number, sizeof number);
        if (bytes == Bytes::big)
            std::reverse(std::begin(raw), std::end(raw));
        data.append(raw, sizeof raw);
    }
    return npy_of("{'descr': '" + std::string(bytes == Bytes::big ? ">" : "<") + "f4', 'fortran_order': " +
                      (order == Order::fortran ? "True" : "False") + ", 'shape': (" + shape + "), }",
                  data);
}

/// A map of two queries and three keys, [query, key], whose first key has `first` of each row.
inline std::string npy_map(double first) {
    std::string data;
    for (int row = 0; row < 2; ++row)
        for (const double weight : {first, (1 - first) / 2, (1 - first) / 2}) {
            char raw[sizeof weight];
            std::memcpy(raw, &weight, sizeof weight);
            data.append(raw, sizeof raw);
        }
    return npy_of("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }", data);
}

/// What np.savez() writes for a None.
inline std::string none() {
    return npy_of("{'descr': '|O', 'fortran_order': False, 'shape': (), }", "\x80\x04N.");
}

/// An array of texts of three ASCII characters each, in UTF-32.
inline std::string npy_texts(const std::vector<std::string>& texts) {
    std::string data;
    for (const std::string& text : texts)
        for (std::size_t i = 0; i < 3; ++i)
            data += {i < text.size() ? text[i] : '\0', '\0', '\0', '\0'};
    return npy_of(
        "{'descr': '<U3', 'fortran_order': False, 'shape': (" + std::to_string(texts.size()) + ",), }", data);
}

inline std::string npz(std::vector<ZipFile> files) {
    for (ZipFile& file : files)
        if (!file.name.ends_with('/') && file.name.find('.') == std::string::npos)
            file.name += ".npy";
    return zip_archive_of(files);
}

inline std::string tensors(const std::vector<std::string>& names, const Axes& axes) {
    SafetensorsFile file;
    Shape shape;
    for (const auto& [axis, extent] : axes)
        shape.push_back(extent);
    for (const std::string& name : names) {
        Tensor tensor(shape);
        std::ranges::copy(weights(axes), tensor.values().begin());
        file.tensors.emplace(name, std::move(tensor));
    }
    return write_safetensors(file);
}

inline const Axes layer{{'h', 2}, {'q', 2}, {'k', 3}}, layer_of_batch{{'b', 1}, {'h', 2}, {'q', 2}, {'k', 3}},
    two_texts{{'b', 2}, {'h', 2}, {'q', 2}, {'k', 3}}, windows{{'w', 4}, {'h', 2}, {'q', 3}, {'k', 3}};

}  // namespace headlight::written_arrays
