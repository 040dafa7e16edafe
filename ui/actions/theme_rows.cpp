#include "ui/actions/theme_rows.h"

#include <deque>
#include <vector>

namespace headlight {

std::string theme_action(const ThemeRow& theme) { return std::string("theme_") + theme.word; }

std::span<const ActionRow> theme_rows_in(const char* menu) {
    static std::deque<std::string> ids;  // which rows point into
    static const std::vector<ActionRow> rows = [menu] {
        std::vector<ActionRow> all;
        for (const FigureTheme each : window_themes()) {
            const ThemeRow& theme = theme_row(each);
            all.push_back({.id = ids.emplace_back(theme_action(theme)).c_str(),
                           .menu = menu,
                           .text = theme.name,
                           .tip = theme.tip,
                           .keys = theme.keys});
        }
        return all;
    }();
    return rows;
}

}  // namespace headlight
