#pragma once

class QFrame;
class QWidget;

namespace headlight {

/// What a widget is for, where the style paints it otherwise than others of its class.
enum class Role {
    none,
    toggle,     ///< tool button that turns something on
    option,     ///< the same, with a frame, among other buttons
    chip,       ///< tool button: one of a handful of choices, or something that can be taken back
    chip_part,  ///< tool button inside a frame_of_chip
    stage,      ///< tool button of the strip of stages
    way,        ///< push button: a way into the program
    notice_message,
    problem_message,
    problem,  ///< text that says why something cannot be
    badge,
    overlay,  ///< lies over the picture
    frame_of_chip,
    frame_of_refused_chip
};

void give_role(QWidget& widget, Role role);
/// Also gives it the frame that the style paints for this role.
void give_role(QFrame& frame, Role role);
Role role_of(const QWidget* widget);

/// Text that steps back behind what it belongs to.
void make_note(QWidget& label);
/// Bold, in whatever font its parent has.
void make_title(QWidget& label);

}  // namespace headlight
