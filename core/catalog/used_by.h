#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

/// A published model, and the mechanisms of the catalogue that its layers have.
struct KnownModel {
    std::string_view name;  ///< "Qwen3-Next"
    int year = 0;           ///< in which it came out, of the conference or journal where there was one
    std::vector<std::string_view> mechanisms;  ///< ids
};

/// By year, then by name. Complete neither in models nor in what each has: what is in it is known from its
/// paper or from the code that runs it.
std::span<const KnownModel> known_models();

/// Those that have the mechanism, in the same order.
std::vector<const KnownModel*> used_by(std::string_view mechanism);

/// "Falcon", "Falcon and StarCoder", "Falcon, PaLM and 3 others": at most `most` names.
std::string list_of_models(std::span<const KnownModel* const> models, std::size_t most);

}  // namespace headlight
