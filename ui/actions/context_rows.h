#pragma once

#include "ui/actions/action_table.h"

#include <span>

namespace headlight {

/// The rows of the menus over a thing or below a button, and of other windows, after those of the menus in
/// the bar.
std::span<const ActionRow> context_rows();

constexpr ActionRow menu_row(const char* id, const char* in, const char* text) {
    return {.id = id, .menu = in, .text = text, .kind = ActionRow::Kind::menu};
}

constexpr ActionRow context_menu_row(const char* id, const char* text) {
    return {.id = id, .menu = "", .text = text, .kind = ActionRow::Kind::context_menu};
}

constexpr ActionRow window_row(const char* id, const char* text) {
    return {.id = id, .menu = "", .text = text, .kind = ActionRow::Kind::window};
}

constexpr ActionRow line_in(const char* menu) {
    return {.id = "", .menu = menu, .kind = ActionRow::Kind::line};
}

constexpr ActionRow place_in(const char* menu, const char* id) {
    return {.id = id, .menu = menu, .kind = ActionRow::Kind::place};
}

constexpr ActionRow again_in(const char* menu, const char* id) {
    return {.id = id, .menu = menu, .kind = ActionRow::Kind::again};
}

constexpr ActionRow own_in(const char* menu, const char* id, const char* text, const char* tip) {
    return {.id = id, .menu = menu, .text = text, .tip = tip, .kind = ActionRow::Kind::own};
}

constexpr ActionRow each_in(const char* menu, const char* id, const char* text, const char* tip) {
    return {.id = id, .menu = menu, .text = text, .tip = tip, .kind = ActionRow::Kind::each};
}

}  // namespace headlight
