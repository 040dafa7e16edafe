#pragma once

#include "core/figure/figure.h"

#include <optional>
#include <span>
#include <string>

namespace headlight {

/// The figure as it may be looked at while a question about it is open: without the sentences that say in
/// words what it shows and, where `newest` is a decoding step, without the tokens of `written` behind it. A
/// map of parts keeps no arrow of a weight.
Figure unanswered_figure(Figure figure, std::span<const std::string> written, std::optional<Index> newest);

}  // namespace headlight
