#pragma once

#include "core/attention/json_object.h"
#include "core/figure/view_settings.h"

namespace headlight {

// How a session is looked at and how its figure is drawn are one object of its file: a person who reads it
// asks how the figure comes about, not what undo covers.

nlohmann::json view_to_json(const ViewSettings& view);
/// Throws Error that names the field.
ViewSettings view_from_json(JsonObject object);

}  // namespace headlight
