#include "core/io/safetensors.h"

#include "core/io/safetensors_view.h"
#include "core/io/stored_types.h"
#include "core/tensor/memory.h"

#include <nlohmann/json.hpp>

#include <cstdint>

namespace headlight {

namespace {

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
    const SafetensorsView view(bytes);
    require_memory("read safetensors", "", view.expanded_bytes());
    SafetensorsFile file;
    file.metadata = view.metadata();
    for (const auto& [name, entry] : view.entries())
        file.tensors.emplace(name, view.tensor(entry));
    return file;
}

std::string write_safetensors(const SafetensorsFile& file, StoredType type) {
    const StoredNumber& stored = *find_stored_number(type == StoredType::f64   ? "F64"
                                                     : type == StoredType::f32 ? "F32"
                                                                               : "F16");
    nlohmann::ordered_json header = nlohmann::ordered_json::object();
    if (!file.metadata.empty())
        header[safetensors_metadata] = file.metadata;
    std::size_t offset = 0;
    for (const auto& [name, tensor] : file.tensors) {
        const std::size_t end = offset + static_cast<std::size_t>(tensor.size()) * stored.bytes;
        header[name] = {{"dtype", stored.name}, {"shape", tensor.shape()}, {"data_offsets", {offset, end}}};
        offset = end;
    }
    std::string text = header.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
    text.resize(parts_of_size(text.size(), safetensors_length_bytes) * safetensors_length_bytes, ' ');

    const std::uint64_t length = text.size();
    std::string bytes(reinterpret_cast<const char*>(&length), safetensors_length_bytes);
    bytes.reserve(safetensors_length_bytes + text.size() + offset);
    bytes += text;
    for (const auto& [name, tensor] : file.tensors)
        append_values(bytes, tensor, type);
    return bytes;
}

}  // namespace headlight
