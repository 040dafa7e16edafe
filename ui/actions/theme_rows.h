#pragma once

#include "core/figure/theme_table.h"
#include "ui/actions/action_table.h"

#include <span>
#include <string>

namespace headlight {

/// The id of the row that chooses the theme: "theme_dark".
std::string theme_action(const ThemeRow& theme);

/// An entry of `menu` for each theme that a window can have.
std::span<const ActionRow> theme_rows_in(const char* menu);

}  // namespace headlight
