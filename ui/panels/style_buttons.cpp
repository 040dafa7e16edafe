#include "ui/panels/style_buttons.h"

#include "ui/panels/recoloured_palette.h"
#include "ui/panels/style_frames.h"

#include <QPainter>
#include <QToolBar>

namespace headlight {
namespace {

constexpr double underline = 2;

}  // namespace

std::optional<ButtonLook> button_look(const QWidget* button) {
    using Line = ButtonLook::Line;
    switch (role_of(button)) {
    case Role::toggle:
        return ButtonLook{.padding = {7, 2, 8, 3}, .radius = 4, .underlined = true};
    case Role::option:
        return ButtonLook{.padding = {4, 3, 4, 4}, .line = Line::around, .radius = 3};
    case Role::chip:
        return ButtonLook{.padding = {10, 5, 11, 6}, .line = Line::around, .radius = 10};
    case Role::chip_part:
        return ButtonLook{.padding = {5, 4, 6, 5}, .underlined = true, .arrow = true};
    case Role::stage:
        return ButtonLook{.padding = {5, 4, 6, 7}, .line = Line::below_checked, .dim = true};
    default:
        break;
    }
    if (button && qobject_cast<const QToolBar*>(button->parentWidget()))
        return ButtonLook{.padding = {7, 5, 8, 6}, .line = Line::around_pointed_at, .radius = 4, .dim = true};
    return std::nullopt;
}

bool is_in_hand(const QStyleOption& option) {
    return option.state.testFlag(QStyle::State_Enabled) &&
           (option.state & (QStyle::State_MouseOver | QStyle::State_HasFocus));
}

void paint_button_ground(QPainter& painter, const QStyleOption& button, const ButtonLook& look,
                         const Theme& theme) {
    using Line = ButtonLook::Line;
    const bool on = button.state.testFlag(QStyle::State_On);
    if (look.line == Line::below_checked) {
        if (on)
            painter.fillRect(QRectF(button.rect.left(), button.rect.bottom() + 1 - underline,
                                    button.rect.width(), underline),
                             button.palette.color(QPalette::Highlight));
        return;
    }
    QColor line;
    if (on)  // the ground alone is hardly seen beside that of what is off
        line = button.palette.color(QPalette::PlaceholderText);
    else if (look.line == Line::around)
        line = button.palette.color(is_in_hand(button) ? QPalette::PlaceholderText : QPalette::Mid);
    else if (look.line == Line::around_pointed_at && is_in_hand(button))
        line = button.palette.color(QPalette::Mid);
    paint_ground(painter, button.rect, look.radius, on ? theme.faint : QColor(), line);
    if (on)
        paint_ground(painter, button.rect.adjusted(1, 1, -1, -1), look.radius - 1, {}, line);
}

QStyleOptionToolButton button_label(const QStyleOptionToolButton& button, const ButtonLook& look) {
    QStyleOptionToolButton label(button);
    label.rect = button.rect.marginsRemoved(look.padding);
    if (look.arrow && button.features.testFlag(QStyleOptionToolButton::HasMenu))
        label.rect.setRight(label.rect.right() - arrow_side);
    const bool is_marked =
        look.line == ButtonLook::Line::below_checked && button.state.testFlag(QStyle::State_On);
    if (look.dim && !is_marked && !is_in_hand(button))
        label.palette =
            recoloured(button.palette, QPalette::ButtonText, button.palette.color(QPalette::PlaceholderText));
    // Words that do not step back have no other colour to tell by.
    label.font.setUnderline((look.underlined || is_marked) && is_in_hand(button));
    return label;
}

QRect button_arrow(const QRect& button) {
    constexpr int side = 8, from_edge = 5;
    return {button.right() - from_edge - side, button.top() + (button.height() - side) / 2 + 1, side, side};
}

}  // namespace headlight
