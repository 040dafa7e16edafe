#include "core/io/safetensors_view.h"

#include "core/attention/json_object.h"
#include "core/io/json_text.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <tuple>

namespace headlight {

using nlohmann::json;

namespace {

// The format and its limits: https://github.com/huggingface/safetensors, safetensors/src/tensor.rs.
constexpr std::size_t longest_header = 100'000'000;

[[noreturn]] void refuse(const std::string& where, const std::string& expected, const std::string& got) {
    throw Error({"read safetensors", where, expected, got});
}

std::string place_of(const std::string& name) { return "tensor \"" + excerpt(name) + '"'; }

Index natural_number(const json& value, const std::string& where, const char* field) {
    constexpr auto largest = static_cast<std::uint64_t>(std::numeric_limits<Index>::max());
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() > largest)
        refuse(where + ' ' + field, "a whole number of 0 or more", describe(value));
    return value.get<Index>();
}

const json& field(const json& tensor, const char* name, const std::string& where) {
    const auto found = tensor.find(name);
    if (found == tensor.end())
        refuse(where, std::string("the field \"") + name + '"', "none");
    return *found;
}

SafetensorsHeader::Entry entry_from(const json& tensor, const std::string& where) {
    if (!tensor.is_object())
        refuse(where, "an object with dtype, shape and data_offsets", describe(tensor));
    SafetensorsHeader::Entry entry;
    const json& type = field(tensor, "dtype", where);
    entry.type = type.is_string() ? find_stored_number(type.get_ref<const std::string&>()) : nullptr;
    if (!entry.type)
        refuse(where + " dtype", list_of(stored_number_names()), describe(type));

    const json& shape = field(tensor, "shape", where);
    if (!shape.is_array())
        refuse(where + " shape", "a list of extents", describe(shape));
    for (const json& extent : shape)
        entry.shape.push_back(natural_number(extent, where, "shape"));

    const json& offsets = field(tensor, "data_offsets", where);
    if (!offsets.is_array() || offsets.size() != 2)
        refuse(where + " data_offsets", "two offsets", describe(offsets));
    entry.begin = static_cast<std::size_t>(natural_number(offsets[0], where, "data_offsets"));
    entry.end = static_cast<std::size_t>(natural_number(offsets[1], where, "data_offsets"));
    return entry;
}

std::size_t byte_count(const SafetensorsHeader::Entry& entry, const std::string& where) try {
    // element_count() refuses what does not fit in memory as doubles, so this product does not overflow.
    return static_cast<std::size_t>(element_count(entry.shape)) * entry.type->bytes;
} catch (const Error& error) {
    throw error.within(where);
}

std::map<std::string, std::string> metadata_from(const json& value) {
    std::map<std::string, std::string> metadata;
    if (value.is_null())
        return metadata;
    if (!value.is_object())
        refuse(safetensors_metadata, "an object of strings", describe(value));
    for (const auto& [name, text] : value.items()) {
        if (!text.is_string())
            refuse(std::string(safetensors_metadata) + " \"" + excerpt(name) + '"', "a string",
                   describe(text));
        metadata[name] = text.get<std::string>();
    }
    return metadata;
}

/// Every tensor begins where the one before it ended, has the bytes of its shape, and the last ends with the
/// file.
void require_exact_cover(const std::map<std::string, SafetensorsHeader::Entry>& entries,
                         std::size_t data_bytes) {
    std::vector<const std::pair<const std::string, SafetensorsHeader::Entry>*> by_place;
    by_place.reserve(entries.size());
    for (const auto& each : entries)
        by_place.push_back(&each);
    std::ranges::sort(by_place, {},
                      [](const auto* each) { return std::tuple(each->second.begin, each->second.end); });
    std::size_t end = 0;
    for (const auto* each : by_place) {
        const SafetensorsHeader::Entry& entry = each->second;
        if (entry.begin != end || entry.end < entry.begin)
            refuse(place_of(each->first) + " data_offsets",
                   "bytes from " + std::to_string(end) + " on, without gap or overlap",
                   to_string(Shape{static_cast<Index>(entry.begin), static_cast<Index>(entry.end)}));
        const std::size_t needed = byte_count(entry, place_of(each->first));
        if (entry.end - entry.begin != needed)
            refuse(place_of(each->first) + " data_offsets",
                   std::to_string(needed) + " bytes for shape " + to_string(entry.shape),
                   std::to_string(entry.end - entry.begin));
        end = entry.end;
    }
    if (end != data_bytes)
        refuse("data", std::to_string(end) + " bytes after the header", std::to_string(data_bytes));
}

}  // namespace

std::size_t SafetensorsHeader::bytes_of(std::string_view first, std::size_t file_bytes) {
    if (first.size() < safetensors_length_bytes)
        refuse("header length", std::to_string(safetensors_length_bytes) + " bytes",
               std::to_string(first.size()));
    std::uint64_t length = 0;
    std::memcpy(&length, first.data(), safetensors_length_bytes);
    if (length > longest_header)
        refuse("header length", "at most " + std::to_string(longest_header) + " bytes",
               std::to_string(length));
    if (const std::size_t rest = file_bytes - safetensors_length_bytes; length > rest)
        refuse("header length", "at most the " + std::to_string(rest) + " bytes that follow",
               std::to_string(length));
    return safetensors_length_bytes + length;
}

SafetensorsHeader::SafetensorsHeader(std::string_view bytes, std::size_t file_bytes) : bytes_(bytes.size()) {
    const std::string_view text = bytes.substr(safetensors_length_bytes);
    // A byte order mark is skipped by many JSON parsers; the format has no place for one.
    if (text.starts_with("\xEF\xBB\xBF"))
        refuse("header", "JSON", "a byte order mark");
    const JsonDocument header = parse_json(text, {.repeated_fields = true, .place = "safetensors header"});
    if (!header->is_object())
        refuse("header", "an object", describe(*header));
    for (const auto& [name, value] : header->items()) {
        if (name == safetensors_metadata)
            metadata_ = metadata_from(value);
        else
            entries_.emplace(name, entry_from(value, place_of(name)));
    }
    require_exact_cover(entries_, file_bytes - bytes.size());
}

const SafetensorsHeader::Entry* SafetensorsHeader::find(const std::string& name) const {
    const auto found = entries_.find(name);
    return found == entries_.end() ? nullptr : &found->second;
}

const std::string& SafetensorsHeader::metadata(const char* operation, const char* name) const {
    const auto found = metadata_.find(name);
    if (found == metadata_.end())
        throw Error({operation, "metadata", "the field \"" + std::string(name) + '"', "none"});
    return found->second;
}

SafetensorsHeader read_safetensors_header(const StoredBytes& file) {
    const std::string first = file.text(0, std::min(file.size(), safetensors_length_bytes));
    return {file.text(0, SafetensorsHeader::bytes_of(first, file.size())), file.size()};
}

SafetensorsView::SafetensorsView(std::string_view bytes)
    : SafetensorsHeader(bytes.substr(0, bytes_of(bytes, bytes.size())), bytes.size()),
      data_(bytes.substr(bytes_of(bytes, bytes.size()))) {}

double SafetensorsView::expanded_bytes() const {
    double sum = 0;
    for (const auto& [name, entry] : entries())
        sum += static_cast<double>(sizeof(double)) * static_cast<double>(element_count(entry.shape));
    return sum;
}

void SafetensorsView::read(const SafetensorsHeader::Entry& entry, std::span<double> to) const {
    const char* place = data_.data() + entry.begin;
    for (double& value : to) {
        value = entry.type->read(place);
        place += entry.type->bytes;
    }
}

Tensor SafetensorsView::tensor(const SafetensorsHeader::Entry& entry) const {
    Tensor tensor(entry.shape);
    read(entry, tensor.values());
    return tensor;
}

}  // namespace headlight
