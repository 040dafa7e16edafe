#pragma once

#include "core/io/stored_types.h"
#include "core/tensor/tensor.h"

#include <map>
#include <span>
#include <string>
#include <string_view>

namespace headlight {

inline constexpr std::size_t safetensors_length_bytes = 8;  ///< before the header, its length
inline constexpr const char* safetensors_metadata = "__metadata__";

/// The bytes of a safetensors file whose header has been checked. No number has been read: as doubles, those
/// of I8 or BOOL take eight times the file, so readers check names and shapes first. The bytes must outlive
/// the view.
class SafetensorsView {
public:
    struct Entry {
        Shape shape;
        const StoredNumber* type = nullptr;
        std::size_t begin = 0, end = 0;  ///< behind the header
    };

    /// Checks as the reference implementation does: length, JSON, dtypes, offsets without gap or overlap,
    /// shapes whose product matches, nothing behind the last tensor. Throws Error otherwise.
    explicit SafetensorsView(std::string_view bytes);

    const std::map<std::string, Entry>& entries() const { return entries_; }
    const Entry* find(const std::string& name) const;
    const std::map<std::string, std::string>& metadata() const { return metadata_; }
    /// Throws Error, as one of `operation`, when the field is not there.
    const std::string& metadata(const char* operation, const char* name) const;

    /// What all tensors take as doubles, for require_memory().
    double expanded_bytes() const;
    /// `to` has as many elements as the entry.
    void read(const Entry& entry, std::span<double> to) const;
    Tensor tensor(const Entry& entry) const;

private:
    std::string_view data_;
    std::map<std::string, Entry> entries_;
    std::map<std::string, std::string> metadata_;
};

}  // namespace headlight
