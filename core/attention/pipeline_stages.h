#pragma once

#include "core/attention/declared_stage.h"
#include "core/attention/spec.h"
#include "core/attention/trace.h"

#include <memory>
#include <span>
#include <string_view>

namespace headlight {

/// The stages that the pipeline records itself, whatever components it is made of.
std::span<const DeclaredStage> pipeline_stages();

/// What the spec's components declare of a stage, the last in the order of the formula, else the pipeline;
/// null where none of them does.
std::shared_ptr<const DeclaredStage> declared_stage(const AttentionSpec& spec, std::string_view stage);
/// What a component of the spec declares of it, beside the pipeline.
std::shared_ptr<const DeclaredStage> declared_by_component(const AttentionSpec& spec, std::string_view stage);
/// What the pipeline or any component declares: a file may hold stages that its spec does not have.
const DeclaredStage* declared_stage(std::string_view stage);
/// The same of a stage where it is known whose it is: several components may have one of the name, which
/// lights other terms or goes on from other numbers in each. `spec` is what ran there, null where nobody
/// knows.
std::shared_ptr<const DeclaredStage> declared_stage(const AttentionSpec* spec, std::string_view stage);

/// The last recorded form of a stage at the site: "rotated_query" of "query", `name` itself where nothing
/// else is.
std::string last_form(const Trace& trace, std::string_view name, std::string_view site = {});

}  // namespace headlight
