#include "ui/views/role.h"

#include <QFrame>
#include <QVariant>

namespace headlight {
namespace {

constexpr const char* role_property = "headlight_role";

}  // namespace

void give_role(QWidget& widget, Role role) {
    widget.setProperty(role_property, static_cast<int>(role));
    widget.update();
}

void give_role(QFrame& frame, Role role) {
    give_role(static_cast<QWidget&>(frame), role);
    frame.setFrameStyle(QFrame::StyledPanel);  // asks the style how wide the frame is, once it has its role
}

Role role_of(const QWidget* widget) {
    return widget ? static_cast<Role>(widget->property(role_property).toInt()) : Role::none;
}

void make_note(QWidget& label) { label.setForegroundRole(QPalette::PlaceholderText); }

void make_title(QWidget& label) {
    QFont font;
    font.setBold(true);
    label.setFont(font);
}

}  // namespace headlight
