#pragma once

#include <QIcon>

class QPalette;

namespace headlight {

/// One of the program's line icons (":/headlight/icons/NAME.svg") in the text colours of `palette`, so that
/// it is seen in every theme. Made again when the palette changes.
QIcon line_icon(const QString& name, const QPalette& palette);

}  // namespace headlight
