#pragma once

#include "app/cli/spec_path.h"
#include "core/attention/spec_words.h"
#include "core/tensor/error.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <vector>

namespace headlight {

// The document of a spec, field by field, as --set changes it.

const std::vector<SpecField>& known_fields();
/// nullptr where none is called so.
const SpecField* find_field(const std::string& path);
/// "mask" of "mask.size".
std::string part_of(const std::string& path);
/// Where the field stands in the document.
nlohmann::json::json_pointer pointer_of(const std::string& path);

/// With another type in a part what only the type `before` it had goes, and with masks in place of a type
/// that type; what was typed, alone or with its part, stays, to be refused.
void leave_other_types(nlohmann::json& document, const nlohmann::json& before,
                       const std::vector<Assignment>& fields);

/// What a field would be read with, and what stands there; nothing where it is read, or may be by words that
/// the document leaves out. Only words are named that the algorithm of the document takes.
std::optional<ErrorDetail> why_unread(const std::string& field, const nlohmann::json& document);

/// Throws Error for a field that the words beside it do not read: who sets it believes that it does
/// something.
void refuse_unread(const std::vector<Assignment>& fields, const nlohmann::json& document);

/// The fields that are not read and have another value than their default, each with why_unread() in words.
std::vector<std::string> unread_fields(const AttentionSpec& spec);

}  // namespace headlight
