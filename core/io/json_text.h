#pragma once

#include "core/io/json_document.h"

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace headlight {

struct JsonRules {
    int deepest = 64;              ///< levels of nesting; a document with more is none of ours
    bool repeated_fields = false;  ///< whether a field may stand twice in an object, the last one counting
    std::string place = {};        ///< where the text stands in a larger file, for messages

    /// Where lists and matrices of numbers are packed (packed_numbers.h), as JSON pointers in which "*"
    /// stands for any one step: "/parameters/*". A list that holds anything else is left as it is.
    std::span<const std::string_view> numbers = {};
    std::optional<double> null_number = {};  ///< what null means among packed numbers
};

/// Largest JSON text that is read: more numbers than this belong in a .safetensors file.
constexpr std::size_t json_text_limit = std::size_t(256) << 20;

/// The bytes of a document by its extension: JSON up to json_text_limit, anything else up to largest_file.
std::string read_document(const std::filesystem::path& path);

/// Bytes that a parsed document may take: memory_limit(), at most 1 GiB. A document of empty lists takes
/// twenty times its text.
std::size_t json_memory_limit();

/// Parses strict JSON (RFC 8259) in time proportional to the text, behind a byte order mark if there is one.
/// Throws Error with line and column for anything else, for more than json_memory_limit(), and for what the
/// rules forbid: about a field that stands twice readers would disagree, and deep nesting would exhaust the
/// stack of some.
JsonDocument parse_json(std::string_view document, const JsonRules& rules = {});

/// The document on lines of their own for each of its fields: small enough for a diff, short enough for
/// matrices.
std::string write_json(const nlohmann::json& document);

/// JSON has no word for what is not finite. Our files write "NaN", "Infinity" and "-Infinity" as strings.
nlohmann::json number_to_json(double value);

/// Appends the shortest text that reads back as the same double, not finite ones as number_to_json() has
/// them.
void append_number(std::string& text, double value);

/// Whether JSON could hold the text.
bool is_utf8(const std::string& text);

}  // namespace headlight
