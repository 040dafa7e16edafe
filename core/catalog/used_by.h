#pragma once

#include "core/attention/spec.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

/// So many layers in a row that have a mechanism.
struct LayerRun {
    std::string_view mechanism;  ///< its id
    int count = 1;
    std::optional<NormalizerType> normalizer = {};  ///< in place of the mechanism's, with nothing set
};

/// A published model, and the mechanisms of the catalogue that its layers have.
struct KnownModel {
    std::string_view name;  ///< "Qwen3-Next"
    int year = 0;           ///< in which it came out, of the conference or journal where there was one
    std::vector<std::string_view> mechanisms;  ///< ids
    /// Where layers differ: how they follow one another, in sentences; empty where they are all alike, or
    /// where it is not known for certain.
    std::string_view layers = {};
    /// The same as the catalogue has it: what comes again and again, each layer by the one mechanism that
    /// tells it from the others. What else it has, shared keys or rotary positions, is left out. Empty also
    /// where a layer is none of the mechanisms.
    std::vector<LayerRun> pattern = {};
};

/// By year, then by name. Complete neither in models nor in what each has: what is in it is known from its
/// paper or from the code that runs it.
std::span<const KnownModel> known_models();

/// Those that have the mechanism, in the same order.
std::vector<const KnownModel*> used_by(std::string_view mechanism);

/// "Qwen3-Next: Three layers of Gated DeltaNet, then …", of a model that says how its layers follow one
/// another.
std::string layers_text(const KnownModel& model);

/// The family of the catalogue that has the mechanism of most layers of a model's pattern, of as many the
/// first; empty without a pattern.
std::string family_of_layers(const KnownModel& model);

/// Those that a list of at most `most` names has.
std::span<const KnownModel* const> named_of(std::span<const KnownModel* const> models, std::size_t most);

/// "Falcon", "Falcon and StarCoder", "Falcon, PaLM and 3 others": at most `most` names, each as `written` has
/// it.
std::string list_of_models(
    std::span<const KnownModel* const> models, std::size_t most,
    const std::function<std::string(std::string_view name)>& written = [](std::string_view name) {
        return std::string(name);
    });

}  // namespace headlight
