#pragma once

#include "core/figure/figure.h"

#include <QString>

#include <optional>

namespace headlight {

/// The characters of `text`, each once, that neither the interface font nor any other that is installed can
/// draw: boxes stand in their place. White space, control characters and marks that combine are passed over.
QString missing_characters(const QString& text);

/// A font of the Noto family, and the Debian package that brings it.
struct KnownFont {
    QString family, package;
    bool operator==(const KnownFont&) const = default;
};
/// One that has a character; nothing where none is known to.
std::optional<KnownFont> font_with(char32_t character);

/// What is missing and which font has it: "No installed font has “न” (U+928), “म” (U+92E) (Devanagari): boxes
/// stand in their place. They are in Noto Sans Devanagari (Debian package fonts-noto-core)." Empty where
/// everything can be drawn.
QString missing_font_text(const QString& text);

/// Everything that is written in a figure.
QString text_of(const Figure& figure);

}  // namespace headlight
