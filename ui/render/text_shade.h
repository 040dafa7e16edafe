#pragma once

#include "ui/render/figure_style.h"

namespace headlight {

/// Two colours that also colour-blind people tell apart (Okabe and Ito): behind a token that is looked at,
/// and below one that looks.
struct TextInks {
    QColor looks, seen;
    explicit TextInks(const FigureStyle& style);
};

/// From nothing to the ink as a weight grows to the largest one.
QColor text_shade(QColor ink, double weight, double largest);

/// In what colour a token is written on such a shade: the text's wherever that can be read.
QColor letters_on(const QColor& shade, const FigureStyle& style);

}  // namespace headlight
