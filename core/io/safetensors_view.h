#pragma once

#include "core/io/stored_bytes.h"
#include "core/io/stored_types.h"
#include "core/tensor/tensor.h"

#include <map>
#include <span>
#include <string>
#include <string_view>

namespace headlight {

inline constexpr std::size_t safetensors_length_bytes = 8;  ///< before the header, its length
inline constexpr const char* safetensors_metadata = "__metadata__";

/// What a safetensors file says it has, checked: no number has been read.
class SafetensorsHeader {
public:
    struct Entry {
        Shape shape;
        const StoredNumber* type = nullptr;
        std::size_t begin = 0, end = 0;  ///< behind the header
    };
    /// How many bytes of a file of `file_bytes` its header takes, by its first ones. Throws Error.
    static std::size_t bytes_of(std::string_view first, std::size_t file_bytes);

    SafetensorsHeader() = default;
    /// Reads a header of as many bytes as bytes_of() says. Checks as the reference implementation does:
    /// length, JSON, dtypes, offsets without gap or overlap, shapes whose product matches, nothing behind the
    /// last tensor. Throws Error otherwise.
    SafetensorsHeader(std::string_view bytes, std::size_t file_bytes);

    /// Bytes of the header: behind them the tensors begin.
    std::size_t bytes() const { return bytes_; }
    const std::map<std::string, Entry>& entries() const { return entries_; }
    const Entry* find(const std::string& name) const;
    const std::map<std::string, std::string>& metadata() const { return metadata_; }
    /// Throws Error, as one of `operation`, when the field is not there.
    const std::string& metadata(const char* operation, const char* name) const;

private:
    std::size_t bytes_ = 0;
    std::map<std::string, Entry> entries_;
    std::map<std::string, std::string> metadata_;
};

/// The header of a file. Throws Error as SafetensorsHeader does.
SafetensorsHeader read_safetensors_header(const StoredBytes& file);

/// The bytes of a safetensors file with its header. As doubles, numbers of I8 or BOOL take eight times the
/// file, so readers check names and shapes first. The bytes must outlive the view.
class SafetensorsView : public SafetensorsHeader {
public:
    /// Throws Error as SafetensorsHeader does.
    explicit SafetensorsView(std::string_view bytes);

    /// What all tensors take as doubles, for require_memory().
    double expanded_bytes() const;
    /// `to` has as many elements as the entry.
    void read(const Entry& entry, std::span<double> to) const;
    Tensor tensor(const Entry& entry) const;

private:
    std::string_view data_;
};

}  // namespace headlight
