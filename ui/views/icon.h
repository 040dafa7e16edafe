#pragma once

#include <QIcon>

class QAbstractButton;
class QPalette;
class QWidget;

namespace headlight {

/// One of the program's line icons (":/headlight/icons/NAME.svg") in the text colours of `palette`, so that
/// it is seen in every theme. Made again when the palette changes.
QIcon line_icon(const QString& name, const QPalette& palette);
/// Gives a button of a bar that icon, one and a half times as high as the bar's letters. Drawing one takes a
/// millisecond: only where it has another one, or another palette.
void show_line_icon(QAbstractButton& button, const QString& name, const QWidget& bar);

}  // namespace headlight
