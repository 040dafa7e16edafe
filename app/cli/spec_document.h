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
/// The field of that path; nullptr where there is none.
const SpecField* find_field(const std::string& path);
/// "mask" of "mask.size".
std::string part_of(const std::string& path);
/// Where the field stands in the document.
nlohmann::json::json_pointer pointer_of(const std::string& path);

/// Erases what another type leaves behind: fields that were read in the document `before` and that the types
/// of `document` do not read; and a mask's type where its list (`all`, `any`) was set, or the other way
/// round. What `fields` set is never erased, so that it is refused where nothing reads it.
void leave_other_types(nlohmann::json& document, const nlohmann::json& before,
                       const std::vector<Assignment>& fields);

/// What a field would be read with, and what stands there; nothing where it is read, or may be by words that
/// the document leaves out. Only words are named that the algorithm of the document takes.
std::optional<ErrorDetail> why_unread(const std::string& field, const nlohmann::json& document);

/// Throws Error for a field that the words beside it do not read: silence would suggest that it applies.
void refuse_unread(const std::vector<Assignment>& fields, const nlohmann::json& document);

/// The fields that are not read and have another value than their default, each with why_unread() in words.
std::vector<std::string> unread_fields(const AttentionSpec& spec);

}  // namespace headlight
