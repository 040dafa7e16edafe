#pragma once

#include <QString>

class QWidget;

namespace headlight {

/// Tells a screen reader what `control` is and everybody what it does to the formula; `id` finds it in tests.
void describe(QWidget* control, const QString& id, const QString& name, const QString& effect);

/// The same, with the key of the command `key_of`, else of `id`, after what it does, as long as it has one.
void describe_with_key(QWidget* control, const QString& id, const QString& name, const QString& effect,
                       const QString& key_of = {});

/// The letters that Alt has a use for wherever the left panels are: those of the menus, and of the controls
/// that stand beside whatever mechanism is shown.
QString letters_of_left_panels();

/// `label` with a letter underlined that reaches its control with Alt: the first one that is not `taken`,
/// which has it then; without one where all are, for a digit behind it would read as its value.
QString with_key(const QString& label, QString& taken);

}  // namespace headlight
