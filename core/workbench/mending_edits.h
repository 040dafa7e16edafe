#pragma once

#include "core/tensor/error.h"
#include "core/workbench/edit.h"

#include <optional>

namespace headlight {

/// The step after which the session's mechanism runs that was refused with `error` for how wide its token
/// vectors are: the next dimension that fits it, or of vectors from a file the number of heads that fits
/// them. Nothing for any other refusal, beside numbers that a person has set, and where no number would do.
std::optional<Edit> mending_edit(Session session, const Error& error);

}  // namespace headlight
