#include "core/io/capture_arrays.h"

#include "core/attention/json_object.h"
#include "core/io/json_text.h"
#include "core/io/numpy_array.h"
#include "core/io/packed_numbers.h"
#include "core/io/safetensors_view.h"
#include "core/io/zip_archive.h"
#include "core/tensor/error.h"
#include "core/tensor/memory.h"
#include "core/text/utf8_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <iterator>
#include <optional>
#include <utility>

namespace headlight {

using nlohmann::json;

namespace {

using Bytes = std::shared_ptr<const StoredBytes>;

// Archives of NumPy

/// As somebody names tokens, or Headlight the labels in its own archives (figure_npz.h, all_maps.h).
bool is_named_as_labels(const std::string& name) {
    constexpr std::array names{"queries", "keys", "titles"};
    return labelled_axis(name) || std::ranges::find(names, name) != names.end() ||
           name.ends_with("_queries") || name.ends_with("_keys") || name.starts_with("rows_") ||
           name.starts_with("columns_");
}

FoundArray found_numpy_array(std::string name, Bytes bytes, std::size_t begin, std::size_t size) {
    const NumpyArray array = read_numpy_header(*bytes, begin, size);
    FoundArray found{std::move(name),
                     array.shape,
                     array.type_name,
                     array.type,
                     std::move(bytes),
                     array.begin,
                     array.is_by_columns ? ArrayOrder::fortran : ArrayOrder::c};
    if (is_named_as_labels(found.name))
        found.texts = read_numpy_texts(*found.bytes, array).value_or(std::vector<std::string>());
    return found;
}

/// What macOS puts beside each file of a folder that it packs.
bool is_left_by_macos(const std::string& name) {
    const std::size_t slash = name.rfind('/');
    return name.starts_with("__MACOSX/") || name.compare(slash + 1, 2, "._") == 0;
}

/// The entries that are arrays.
std::vector<ZipArchive::Entry> arrays_in(const ZipArchive& archive, Compressed compressed) {
    std::vector<ZipArchive::Entry> arrays;
    for (const ZipArchive::Entry& entry : archive.entries())
        if (entry.name.ends_with(".npy") && !is_left_by_macos(entry.name) &&
            (entry.is_stored || compressed == Compressed::unpacked))
            arrays.push_back(entry);
    return arrays;
}

/// The folder that somebody packed, "run/": an archive that NumPy writes has no entry for one.
std::string packed_folder(const ZipArchive& archive) {
    for (const ZipArchive::Entry& entry : archive.entries())
        if (entry.name.ends_with('/') && !is_left_by_macos(entry.name))
            return entry.name;
    return {};
}

std::vector<FoundArray> arrays_of_npz(const Bytes& file, Compressed compressed) {
    const ZipArchive archive(file);
    const std::vector<ZipArchive::Entry> entries = arrays_in(archive, compressed);
    double unpacked_bytes = 0;
    for (const ZipArchive::Entry& entry : entries)
        unpacked_bytes += entry.is_stored ? 0 : static_cast<double>(entry.size);
    require_memory("read ZIP archive", "all entries", unpacked_bytes);
    const std::string folder = packed_folder(archive);
    std::vector<FoundArray> arrays;
    for (const ZipArchive::Entry& entry : entries) {
        std::string name = entry.name.substr(0, entry.name.size() - std::strlen(".npy"));
        if (!folder.empty() && name.starts_with(folder))
            name.erase(0, folder.size());
        try {
            if (entry.is_stored)
                arrays.push_back(found_numpy_array(name, file, entry.begin, entry.size));
            else
                arrays.push_back(found_numpy_array(
                    name, std::make_shared<const HeldBytes>(archive.unpacked(entry)), 0, entry.size));
        } catch (const Error& error) {
            throw error.within("array \"" + excerpt(name) + '"');
        }
    }
    return arrays;
}

// Tensors

/// "layers.2" before "layers.10".
bool is_before(const std::string& a, const std::string& b) {
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    const auto digits = [&](const std::string& text, std::size_t at) {
        const std::size_t first = std::min(text.find_first_not_of('0', at), text.size());
        std::size_t end = first;
        while (end < text.size() && is_digit(text[end]))
            ++end;
        return std::string_view(text).substr(first, end - first);
    };
    std::size_t i = 0, j = 0;
    while (i < a.size() && j < b.size()) {
        if (is_digit(a[i]) && is_digit(b[j])) {
            const std::string_view of_a = digits(a, i), of_b = digits(b, j);
            if (of_a != of_b)
                return std::pair(of_a.size(), of_a) < std::pair(of_b.size(), of_b);
            i = static_cast<std::size_t>(of_a.data() - a.data()) + of_a.size();
            j = static_cast<std::size_t>(of_b.data() - b.data()) + of_b.size();
        } else if (a[i] != b[j]) {
            return a[i] < b[j];
        } else {
            ++i;
            ++j;
        }
    }
    return a.size() - i < b.size() - j;
}

std::vector<FoundArray> arrays_of_safetensors(const Bytes& file) {
    const SafetensorsHeader header = read_safetensors_header(*file);
    const std::size_t begin = header.bytes();
    std::vector<FoundArray> arrays;
    for (const auto& [name, entry] : header.entries())
        arrays.push_back(
            {name, entry.shape, std::string(entry.type->name), entry.type, file, begin + entry.begin});
    std::ranges::stable_sort(arrays, is_before, &FoundArray::name);
    return arrays;
}

// Lists in lists

constexpr std::size_t fewest_lists = 2, most_lists = 8;

/// Lists in lists: the inner two are packed, those around them are counted here.
class NestedNumbers {
public:
    explicit NestedNumbers(const json& document) { take(document, 0, ""); }

    FoundArray array() && {
        return {"", std::move(shape_), "F64", find_stored_number("F64"),
                std::make_shared<const HeldBytes>(std::move(bytes_))};
    }

private:
    void take(const json& value, std::size_t depth, const std::string& pointer) {
        if (const auto packed = PackedNumbers::find(value); packed && packed->columns() > 0) {
            require(depth, packed->size() / packed->columns(), pointer);
            require(depth + 1, packed->columns(), pointer);
            std::vector<double> numbers(static_cast<std::size_t>(packed->size()));
            packed->copy_to(numbers);
            bytes_.append(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(double));
            return;
        }
        if (!value.is_array() || value.empty() || depth + fewest_lists >= most_lists)
            throw Error({"read capture", pointer, "lists of rows of numbers, [layer, head, query, key]",
                         describe(value)});
        require(depth, std::ssize(value), pointer);
        for (std::size_t i = 0; i < value.size(); ++i)
            take(value[i], depth + 1, pointer_to(pointer, i));
    }

    /// Every list of one depth is as long as the first one.
    void require(std::size_t depth, Index extent, const std::string& pointer) {
        if (shape_.size() == depth)
            shape_.push_back(extent);
        else if (shape_.size() < depth || shape_[depth] != extent)
            throw Error({"read capture", pointer,
                         shape_.size() < depth ? "as many lists in lists as before"
                                               : std::to_string(shape_[depth]) + " elements, as before",
                         std::to_string(extent)});
    }

    Shape shape_;
    std::string bytes_;
};

std::string document_text(const StoredBytes& file) {
    if (file.size() > json_text_limit)
        throw Error({"read capture", "", "at most " + memory_text(json_text_limit) + " of JSON",
                     memory_text(static_cast<double>(file.size()))});
    return file.text(0, file.size());
}

/// Lists around the first thing that is none; null stands for a layer that lacks.
std::size_t depth_of(std::string_view text) {
    constexpr std::string_view lacks = "null";
    std::size_t depth = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        if (c == '[')
            ++depth;
        else if (text.substr(at).starts_with(lacks))
            at += lacks.size() - 1;
        else if (c != ' ' && c != '\t' && c != '\r' && c != '\n' && c != ',')
            break;
    }
    return depth;
}

/// Where the matrices are of so many lists in lists, below all others.
std::string matrices_below(std::string place, std::size_t lists) {
    for (std::size_t list = fewest_lists; list < std::min(lists, most_lists); ++list)
        place += "/*";
    return place;
}

/// Lists in lists as an array; where some layers are null, as an array for each layer.
void append_lists(const std::string& name, const json& lists, std::vector<FoundArray>& to) {
    const bool has_layers_apart =
        lists.is_array() && std::ranges::any_of(lists, [](const json& layer) { return layer.is_null(); });
    if (!has_layers_apart) {
        to.push_back(NestedNumbers(lists).array());
        to.back().name = name;
        return;
    }
    for (std::size_t layer = 0; layer < lists.size(); ++layer) {
        to.push_back(lists[layer].is_null() ? FoundArray{"", {}, "null", nullptr, nullptr}
                                            : NestedNumbers(lists[layer]).array());
        to.back().name = (name.empty() ? "" : name + '.') + std::to_string(layer);
    }
}

/// A field of an object that is lists in lists of weights, by its name.
struct WeightLists {
    std::string_view name;
    std::size_t depth = 0;
};

std::vector<WeightLists> weight_lists_in(std::string_view text) {
    static constexpr std::array names{"attentions", "attention", "weights"};
    std::vector<WeightLists> found;
    std::size_t open = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        if (c == '{' || c == '[')
            ++open;
        if (c == '}' || c == ']')
            --open;
        if (c != '"')
            continue;
        const std::size_t begin = at + 1;
        for (++at; at < text.size() && text[at] != '"'; ++at)
            at += text[at] == '\\' ? 1 : 0;
        const std::string_view name = text.substr(begin, at - begin);
        const std::size_t colon = text.find_first_not_of(" \t\r\n", at + 1);
        if (open != 1 || colon == std::string_view::npos || text[colon] != ':' ||
            std::ranges::find(names, name) == names.end())
            continue;
        if (const std::size_t depth = depth_of(text.substr(colon + 1)); depth >= fewest_lists)
            found.push_back({name, depth});
    }
    return found;
}

bool are_texts(const json& list) {
    return list.is_array() && std::ranges::all_of(list, [](const json& item) { return item.is_string(); });
}

/// The lists of weights in an object and the tokens beside them.
std::vector<FoundArray> arrays_of_object(std::string_view text) {
    const std::vector<WeightLists> lists = weight_lists_in(text);
    std::vector<std::string> places;
    for (const WeightLists& list : lists)
        places.push_back(matrices_below('/' + std::string(list.name), list.depth));
    const std::vector<std::string_view> numbers(places.begin(), places.end());
    const JsonDocument document = parse_json(text, {.numbers = numbers});
    std::vector<FoundArray> arrays;
    for (const auto& [name, value] : document->items()) {
        if (std::ranges::count(lists, std::string_view(name), &WeightLists::name) > 0) {
            append_lists(name, value, arrays);
            continue;
        }
        arrays.push_back({name, {std::ssize(value)}, "JSON", nullptr, nullptr});
        if (labelled_axis(name) && are_texts(value))
            arrays.back().texts = value.get<std::vector<std::string>>();
    }
    return arrays;
}

std::vector<FoundArray> arrays_of_json(const Bytes& file) {
    const std::string bytes = document_text(*file);
    const std::string_view text = without_byte_order_mark(bytes);
    if (is_object_of_weights(text))
        return arrays_of_object(text);
    const std::string matrices = matrices_below("", depth_of(text));
    const std::string_view place = matrices;
    const JsonDocument document = parse_json(text, {.numbers = std::span(&place, 1)});
    std::vector<FoundArray> arrays;
    append_lists("", *document, arrays);
    return arrays;
}

}  // namespace

std::optional<LabelledAxis> labelled_axis(std::string_view array) {
    using enum LabelledAxis;
    // The target of a translation asks, its source is looked at.
    static constexpr std::pair<std::string_view, LabelledAxis> names[] = {
        {"tokens", both},        {"words", both},       {"labels", both},
        {"query_tokens", query}, {"tgt_tokens", query}, {"target_tokens", query},
        {"key_tokens", key},     {"src_tokens", key},   {"source_tokens", key}};
    const auto found = std::ranges::find(names, array, &std::pair<std::string_view, LabelledAxis>::first);
    return found == std::end(names) ? std::nullopt : std::optional(found->second);
}

bool is_object_of_weights(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    return first != std::string_view::npos && text[first] == '{' && !weight_lists_in(text).empty();
}

std::string array_place(const FoundArray& array) {
    return array.name.empty() ? "array" : "array \"" + excerpt(array.name) + '"';
}

std::vector<FoundArray> arrays_of_capture(const Bytes& file, std::string_view extension,
                                          Compressed compressed) {
    if (extension == ".npz")
        return arrays_of_npz(file, compressed);
    if (extension == ".safetensors")
        return arrays_of_safetensors(file);
    if (extension != ".npy")
        return arrays_of_json(file);
    std::vector<FoundArray> arrays;
    arrays.push_back(found_numpy_array("", file, 0, file->size()));
    return arrays;
}

}  // namespace headlight
