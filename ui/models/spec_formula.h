#pragma once

#include "core/attention/spec.h"

#include <QStringList>

namespace headlight {

/// A line for each part of the spec that decides about weights, "Score: q · k / √d", as its components state
/// it in plain text; in the order in which they are worked out, s the score so far. Parts that do nothing,
/// and those in whose place an algorithm stands, have none.
QStringList spec_formula(const AttentionSpec& spec);

}  // namespace headlight
