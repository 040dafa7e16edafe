#pragma once

#include "core/attention/json_object.h"
#include "core/io/inputs_check.h"
#include "core/io/session.h"

namespace headlight {

// The sequence of a session, an object of its file. `own` are the parameters that the session's formula
// declares.

nlohmann::json sequence_to_json(const SequenceSettings& sequence, const ParameterNames& own);
/// Throws Error that names the field.
SequenceSettings sequence_from_json(JsonObject object, const ParameterNames& own);

}  // namespace headlight
