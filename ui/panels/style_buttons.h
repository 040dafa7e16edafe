#pragma once

#include "ui/panels/theme.h"
#include "ui/views/role.h"

#include <QMargins>
#include <QStyleOption>

#include <optional>

class QPainter;

namespace headlight {

/// How a tool button looks that is not Fusion's.
struct ButtonLook {
    enum class Line { none, around, around_pointed_at, below_checked };

    QMargins padding;  ///< from the edge to the words
    Line line = Line::none;
    double radius = 0;
    bool dim = false;         ///< its words step back until it is pointed at or has the keys
    bool underlined = false;  ///< its words are underlined then
    bool arrow = false;       ///< room for one at the right, where it has a menu
};

/// Nothing for a button that looks as Fusion has it.
std::optional<ButtonLook> button_look(const QWidget* button);

/// What is around and under the words of a button.
void paint_button_ground(QPainter& painter, const QStyleOption& button, const ButtonLook& look,
                         const Theme& theme);
/// The words, in the place and the colour that the look gives them.
QStyleOptionToolButton button_label(const QStyleOptionToolButton& button, const ButtonLook& look);
/// Width that an arrow takes from the words beside it.
constexpr int arrow_side = 12;
/// Place of the arrow that tells of a menu.
QRect button_arrow(const QRect& button);

/// Pointed at, or has the keys.
bool is_in_hand(const QStyleOption& option);

}  // namespace headlight
