#pragma once

#include <QPalette>

namespace headlight {

/// `palette` with one colour changed: the same one each time. Fusion keeps what it has drawn under the key of
/// the palette, so that a palette made anew for each paint would fill the cache with copies.
QPalette recoloured(const QPalette& palette, QPalette::ColorRole role, const QColor& colour);

}  // namespace headlight
