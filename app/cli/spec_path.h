#pragma once

#include "core/attention/spec.h"

#include <string>
#include <vector>

namespace headlight {

/// One `--set NAME=VALUE`.
struct Assignment {
    std::string name;
    std::string value;
};

/// Throws UsageError for one without "=" or a name that is set twice.
std::vector<Assignment> parse_assignments(const std::vector<std::string>& texts);

/// Whether `name` is a field of the spec ("score.activation") or a group of fields ("mask").
bool is_spec_path(const std::string& name);

/// How --set says what "--heads" says of that mechanism, of any where that is none of the catalogue; empty
/// where nothing that is called so can be set.
std::string parameter_hint(const std::string& name, const std::string& mechanism);
/// The same, or how --set says it of the field of the spec.
std::string parameter_or_field_hint(const std::string& name, const std::string& mechanism);

/// `spec` with fields set by their paths; a value is JSON, or a word without its quotes. Throws UsageError.
AttentionSpec with_fields(const AttentionSpec& spec, const std::vector<Assignment>& fields);

}  // namespace headlight
