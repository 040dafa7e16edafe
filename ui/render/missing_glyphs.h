#pragma once

#include "core/figure/figure.h"

#include <QString>

namespace headlight {

/// The characters of `text`, each once, that neither the interface font nor any other that is installed can
/// draw: boxes stand in their place. White space, control characters and marks that combine are passed over.
QString missing_characters(const QString& text);

/// What is missing and which font has it: "No installed font has “न”, “म” (Devanagari): boxes stand in their
/// place. Noto Sans Devanagari is a font that has them." Empty where everything can be drawn.
QString missing_font_text(const QString& text);

/// Everything that is written in a figure.
QString text_of(const Figure& figure);

}  // namespace headlight
