#pragma once

#include "core/attention/spec.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>

namespace headlight {

/// A mechanism that a person composed: in no catalogue, but in a session, a file or a library of one's own.
struct CustomMechanism {
    std::string name;
    AttentionSpec spec;
    bool operator==(const CustomMechanism&) const = default;
};

inline constexpr std::size_t longest_mechanism_name = 200;  ///< bytes

/// `{"format": "headlight-mechanism/1", "name", "spec"}`, the spec with every field.
std::string write_mechanism(const CustomMechanism& mechanism);
/// Throws Error for anything else, with the place in the document.
CustomMechanism parse_mechanism(std::string_view text);

/// The end of the names of files that have the text of a formula. Where other things stand around it than
/// learned projections and one head, the first line is a comment that says so:
///     # around: {"heads": {"heads": 8, "type": "multi"}}
inline constexpr const char* formula_extension = ".formula";
/// The bytes of such a file (docs/formula.md; see utf8_text()) as a mechanism called `name`, or what of the
/// name fits into a line: queries, keys and values are projected, and there is one head. Throws
/// Error{"formula", "line 2, column 15", ...} for what is none. What its first line says of the spec around
/// it is in the spec, and no longer in the text.
CustomMechanism formula_mechanism(std::string bytes, const std::string& name);
/// Lines of a formula as such a file, with what the spec has around them that is no default.
std::string write_formula(const AttentionSpec& spec, const std::string& lines);

/// Whether a document says that it is one; then parse_mechanism() is the one to read it.
bool is_mechanism(const nlohmann::json& document);

/// The same as an object of a larger document, at `pointer`. There, `format` may be left out.
nlohmann::json to_json(const CustomMechanism& mechanism);
CustomMechanism mechanism_from_json(const nlohmann::json& document, const std::string& pointer = {});

}  // namespace headlight
