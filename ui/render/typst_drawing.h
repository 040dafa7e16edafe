#pragma once

#include "ui/render/drawn_items.h"

#include <QByteArray>

namespace headlight {

/// The items as one box of Typst (0.13), which `name` is bound to: text in the document's font, images
/// inside.
QByteArray typst_drawing(const std::vector<DrawnItem>& items, QSizeF points, const QByteArray& name);

}  // namespace headlight
