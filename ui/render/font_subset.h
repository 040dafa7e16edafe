#pragma once

#include "ui/render/typeface.h"

#include <QByteArray>
#include <QSet>

#include <vector>

namespace headlight {

/// The glyphs that some characters need, as an OpenType font of their own.
struct FontSubset {
    QByteArray bytes;
    std::vector<uint> characters;  ///< sorted
};

/// One subset per font that draws some of the characters: that of the family, of FigureStyle, and for what it
/// lacks the system's. A font that cannot be cut is left out.
std::vector<FontSubset> subset_fonts(const QSet<uint>& characters, Face face, const QString& family);

}  // namespace headlight
