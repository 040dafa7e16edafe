#pragma once

#include <QString>

class QWidget;

namespace headlight {

/// Tells a screen reader what `control` is and everybody what it does to the formula; `id` finds it in tests.
void describe(QWidget* control, const QString& id, const QString& name, const QString& effect);

/// The same, with the key of the command `key_of`, else of `id`, after what it does, as long as it has one.
void describe_with_key(QWidget* control, const QString& id, const QString& name, const QString& effect,
                       const QString& key_of = {});

/// `label` with a letter underlined that reaches its control with Alt: the first one that neither a menu nor
/// another control of the left panels uses; without one where all are taken, for a digit behind it would read
/// as its value.
QString with_key(const QString& label, QString& taken);

}  // namespace headlight
