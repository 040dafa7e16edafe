#pragma once

#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>
#include <string_view>

namespace headlight {

struct JsonRules {
    int deepest = 64;              ///< levels of nesting; a document with more is none of ours
    bool repeated_fields = false;  ///< whether a field may stand twice in an object, the last one counting
    std::string place = {};        ///< where the text stands in a larger file, for messages
};

/// Largest JSON text that is read. A document takes up to twenty times its text in memory; more numbers than
/// this belong in a .safetensors file.
constexpr std::size_t json_text_limit = std::size_t(256) << 20;

/// The bytes of a document by its extension: JSON up to json_text_limit, anything else up to largest_file.
std::string read_document(const std::filesystem::path& path);

/// Parses strict JSON (RFC 8259). Throws Error with line and column for anything else, and for what the rules
/// forbid: about a field that stands twice readers would disagree, and deep nesting would exhaust the stack
/// of some.
nlohmann::json parse_json(std::string_view text, const JsonRules& rules = {});

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
