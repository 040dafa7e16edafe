#pragma once

#include "core/attention/spec.h"

#include <string>
#include <vector>

namespace headlight {

class Arguments;

/// One `--set NAME=VALUE`.
struct Assignment {
    std::string name;
    std::string value;
};

/// Throws UsageError for one without "=" or a name that is set twice.
std::vector<Assignment> parse_assignments(const std::vector<std::string>& texts);

/// Whether `name` is a field of the spec ("score.activation") or a group of fields ("mask").
bool is_spec_path(const std::string& name);

/// How --set says what was typed as an option, "heads" of "--heads", to `headlight run`: of the mechanism, or
/// of any where none is named, else of the spec; empty where nothing that is called so can be set.
std::string hint_of_run(const std::string& name, const Arguments& others);
/// The same to `headlight train`, which sets parameters of mechanisms alone.
std::string hint_of_training(const std::string& name, const Arguments& others);

/// `spec` with fields set by their paths; a value is JSON, or a word without its quotes. A field that the
/// types beside it do not read is refused, though files may carry it. Throws UsageError.
AttentionSpec with_fields(const AttentionSpec& spec, const std::vector<Assignment>& fields);

}  // namespace headlight
