#pragma once

#include "core/attention/json_object.h"
#include "core/figure/figure_options.h"

#include <string_view>

namespace headlight {

/// What differs from the figure that the program draws by itself.
nlohmann::json figure_options_to_json(const FigureOptions& options);
/// Throws Error that names the field.
FigureOptions figure_options_from_json(JsonObject object);
/// The same of a file that has nothing else; a field that there is none of is refused.
FigureOptions parse_figure_options(std::string_view text);

}  // namespace headlight
