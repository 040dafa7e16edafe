#pragma once

#include "core/attention/inputs.h"
#include "core/attention/spec.h"
#include "core/tensor/error.h"

#include <functional>
#include <map>
#include <optional>
#include <string>

namespace headlight {

/// Why words cannot stand beside what else a spec says: axis -> word -> the reason in sentences. The parts of
/// a mask are the axes "mask.0" to "mask.2".
using WordReasons = std::map<std::string, std::map<std::string, std::string>>;

/// What to choose instead where the algorithm of `spec` refused it: a sentence. Masks are named that a plan
/// for `tokens` (a few are enough, few_tokens()) takes. `axis` is the one whose word is tried; empty for a
/// spec as it stands. Nothing for any other refusal, and where no other mask would do.
std::optional<std::string> way_out(const Error& error, const AttentionSpec& spec, const Inputs& tokens,
                                   const std::string& axis = {});

/// What masks the algorithm of `spec` takes, in a sentence that names those of mask_words() that it does as
/// they are first chosen. `tokens` tell how wide theirs are. Nothing of an algorithm that takes any.
std::optional<std::string> mask_limits(const AttentionSpec& spec, const Inputs& tokens);

/// Token vectors as wide as those given, but few of them, without parameters: enough to try a plan on.
Inputs few_tokens(const Inputs& inputs);

/// The spec with a number of heads that its rows split into, where its own does not: the next smaller one of
/// several, else the next larger. The spec as it is where none does, or where something else is wrong.
AttentionSpec with_fitting_heads(const AttentionSpec& spec, const Inputs& tokens);

/// Tries every word of every axis in the place of the present one, with as many heads as fit. Where the spec
/// itself cannot run, a word counts as impossible only for a reason that the spec does not already have.
/// Gives up, with what it has, when `cancelled`.
WordReasons impossible_words(const AttentionSpec& spec, const Inputs& tokens,
                             const std::function<bool()>& cancelled = {});

}  // namespace headlight
