#pragma once

#include "core/tensor/tensor.h"

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

/// A safetensors file read whole. Numbers of any stored type (F64, F32, F16, BF16, I64 ... U8, BOOL) become
/// double.
struct SafetensorsFile {
    std::map<std::string, Tensor> tensors;
    std::map<std::string, std::string> metadata;
};

enum class StoredType { f16, f32, f64 };

/// Checks the header as SafetensorsView does, then the memory that the tensors take. Throws Error.
SafetensorsFile parse_safetensors(std::string_view bytes);

/// Tensors sorted by name, 8-byte aligned: the same content gives the same bytes.
std::string write_safetensors(const SafetensorsFile& file, StoredType type = StoredType::f64);

}  // namespace headlight
