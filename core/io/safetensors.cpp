#include "core/io/safetensors.h"

#include "core/attention/json_object.h"
#include "core/io/json_text.h"
#include "core/io/stored_types.h"
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
constexpr std::size_t length_bytes = 8;
constexpr std::size_t longest_header = 100'000'000;
constexpr const char* metadata_key = "__metadata__";

[[noreturn]] void refuse(const std::string& where, const std::string& expected, const std::string& got) {
    throw Error({"read safetensors", where, expected, got});
}

/// What the header says of one tensor. Offsets count from the end of the header.
struct Entry {
    std::string name;
    const StoredNumber* type;
    Shape shape;
    std::size_t begin;
    std::size_t end;

    std::string where() const { return "tensor \"" + excerpt(name) + '"'; }

    std::size_t byte_count() const try {
        // element_count() refuses what does not fit in memory as doubles, so this product does not overflow.
        return static_cast<std::size_t>(element_count(shape)) * type->bytes;
    } catch (const Error& error) {
        throw error.within(where());
    }
};

std::size_t natural_number(const json& value, const std::string& where) {
    constexpr auto largest = static_cast<std::uint64_t>(std::numeric_limits<Index>::max());
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() > largest)
        refuse(where, "a whole number of 0 or more", describe(value));
    return value.get<std::size_t>();
}

const json& field(const json& tensor, const char* name, const std::string& where) {
    const auto found = tensor.find(name);
    if (found == tensor.end())
        refuse(where, std::string("the field \"") + name + '"', "none");
    return *found;
}

Entry entry_from(const std::string& name, const json& tensor) {
    Entry entry{name, nullptr, {}, 0, 0};
    if (!tensor.is_object())
        refuse(entry.where(), "an object with dtype, shape and data_offsets", describe(tensor));

    const json& type = field(tensor, "dtype", entry.where());
    entry.type = type.is_string() ? find_stored_number(type.get_ref<const std::string&>()) : nullptr;
    if (!entry.type)
        refuse(entry.where() + " dtype", list_of(stored_number_names()), describe(type));

    const json& shape = field(tensor, "shape", entry.where());
    if (!shape.is_array())
        refuse(entry.where() + " shape", "a list of extents", describe(shape));
    for (const json& extent : shape)
        entry.shape.push_back(static_cast<Index>(natural_number(extent, entry.where() + " shape")));

    const json& offsets = field(tensor, "data_offsets", entry.where());
    if (!offsets.is_array() || offsets.size() != 2)
        refuse(entry.where() + " data_offsets", "two offsets", describe(offsets));
    entry.begin = natural_number(offsets[0], entry.where() + " data_offsets");
    entry.end = natural_number(offsets[1], entry.where() + " data_offsets");
    return entry;
}

std::map<std::string, std::string> metadata_from(const json& value) {
    std::map<std::string, std::string> metadata;
    if (value.is_null())
        return metadata;
    if (!value.is_object())
        refuse(metadata_key, "an object of strings", describe(value));
    for (const auto& [name, text] : value.items()) {
        if (!text.is_string())
            refuse(std::string(metadata_key) + " \"" + excerpt(name) + '"', "a string", describe(text));
        metadata[name] = text.get<std::string>();
    }
    return metadata;
}

/// The header's text. Its length is checked before anything is read or allocated.
std::string_view header_of(std::string_view bytes) {
    if (bytes.size() < length_bytes)
        refuse("header length", std::to_string(length_bytes) + " bytes", std::to_string(bytes.size()));
    std::uint64_t length = 0;
    std::memcpy(&length, bytes.data(), length_bytes);
    if (length > longest_header)
        refuse("header length", "at most " + std::to_string(longest_header) + " bytes",
               std::to_string(length));
    if (length > bytes.size() - length_bytes)
        refuse("header length",
               "at most the " + std::to_string(bytes.size() - length_bytes) + " bytes that follow",
               std::to_string(length));
    const std::string_view header = bytes.substr(length_bytes, length);
    // A byte order mark is skipped by many JSON parsers; the format has no place for one.
    if (header.starts_with("\xEF\xBB\xBF"))
        refuse("header", "JSON", "a byte order mark");
    return header;
}

/// Every tensor begins where the one before it ended, has the bytes of its shape, and the last ends with the
/// file.
void require_exact_cover(std::vector<Entry>& entries, std::size_t data_bytes) {
    std::ranges::sort(entries, {}, [](const Entry& entry) { return std::tuple(entry.begin, entry.end); });
    std::size_t end = 0;
    for (const Entry& entry : entries) {
        if (entry.begin != end || entry.end < entry.begin)
            refuse(entry.where() + " data_offsets",
                   "bytes from " + std::to_string(end) + " on, without gap or overlap",
                   "[" + std::to_string(entry.begin) + ", " + std::to_string(entry.end) + "]");
        const std::size_t needed = entry.byte_count();
        if (entry.end - entry.begin != needed)
            refuse(entry.where() + " data_offsets",
                   std::to_string(needed) + " bytes for shape " + to_string(entry.shape),
                   std::to_string(entry.end - entry.begin));
        end = entry.end;
    }
    if (end != data_bytes)
        refuse("data", std::to_string(end) + " bytes after the header", std::to_string(data_bytes));
}

void append_values(std::string& bytes, const Tensor& tensor, StoredType type) {
    const auto append = [&](auto number) {
        bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
    };
    for (const double value : tensor.values()) {
        if (type == StoredType::f64)
            append(value);
        else if (type == StoredType::f32)
            append(static_cast<float>(value));
        else
            append(to_half(value));
    }
}

}  // namespace

SafetensorsFile parse_safetensors(std::string_view bytes) {
    const std::string_view text = header_of(bytes);
    const std::string_view data = bytes.substr(length_bytes + text.size());
    const json header = parse_json(text, {.repeated_fields = true, .place = "safetensors header"});
    if (!header.is_object())
        refuse("header", "an object", describe(header));

    SafetensorsFile file;
    std::vector<Entry> entries;
    for (const auto& [name, value] : header.items()) {
        if (name == metadata_key)
            file.metadata = metadata_from(value);
        else
            entries.push_back(entry_from(name, value));
    }
    require_exact_cover(entries, data.size());

    for (Entry& entry : entries) {
        Tensor tensor(std::move(entry.shape));
        const char* place = data.data() + entry.begin;
        for (double& value : tensor.values()) {
            value = entry.type->read(place);
            place += entry.type->bytes;
        }
        file.tensors.emplace(entry.name, std::move(tensor));
    }
    return file;
}

std::string write_safetensors(const SafetensorsFile& file, StoredType type) {
    const StoredNumber& stored = *find_stored_number(type == StoredType::f64   ? "F64"
                                                     : type == StoredType::f32 ? "F32"
                                                                               : "F16");
    nlohmann::ordered_json header = nlohmann::ordered_json::object();
    if (!file.metadata.empty())
        header[metadata_key] = file.metadata;
    std::size_t offset = 0;
    for (const auto& [name, tensor] : file.tensors) {
        const std::size_t end = offset + static_cast<std::size_t>(tensor.size()) * stored.bytes;
        header[name] = {{"dtype", stored.name}, {"shape", tensor.shape()}, {"data_offsets", {offset, end}}};
        offset = end;
    }
    std::string text = header.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
    text.resize((text.size() + length_bytes - 1) / length_bytes * length_bytes, ' ');

    const std::uint64_t length = text.size();
    std::string bytes(reinterpret_cast<const char*>(&length), length_bytes);
    bytes.reserve(length_bytes + text.size() + offset);
    bytes += text;
    for (const auto& [name, tensor] : file.tensors)
        append_values(bytes, tensor, type);
    return bytes;
}

}  // namespace headlight
