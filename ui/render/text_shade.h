#pragma once

#include "ui/render/figure_style.h"

namespace headlight {

/// Two colours that also colour-blind people tell apart (Okabe and Ito): behind a token that is looked at,
/// and below one that looks. The text's own colour is read on every shade of `looks`: on one that is darker
/// by a hair, letters would change from black to white.
struct TextInks {
    QColor looks, seen;
    explicit TextInks(const FigureStyle& style);
};

/// From nothing to the ink as a weight grows to the largest one.
QColor text_shade(QColor ink, double weight, double largest);

}  // namespace headlight
