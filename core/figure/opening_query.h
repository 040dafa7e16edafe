#pragma once

#include "core/attention/trace.h"

#include <string>

namespace headlight {

/// The query of maps that were computed elsewhere, or by a model, that is looked at before a person chooses
/// one: of a causal site the last one, since its first query can only look at itself, whose row is a single
/// 1; else the first. As far as two rows of its first head tell; the first too where they cannot be read.
Index opening_query(const Trace& trace, const std::string& site);

}  // namespace headlight
