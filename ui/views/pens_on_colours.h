#pragma once

#include <QColor>
#include <QPen>

#include <array>

namespace headlight {

/// Pens for one line after another along the same way: white beside black, which is seen on every colour of
/// every map and of every photograph, and in their middle the line itself, `width` pixels wide.
inline std::array<QPen, 3> pens_on_any_colour(const QColor& colour, qreal width,
                                              Qt::PenStyle style = Qt::SolidLine) {
    constexpr qreal edge = 1;  // each, on both sides
    const auto around = [&](const QColor& beside, int edges) {
        return QPen(beside, width + 2 * edges * edge, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin);
    };
    return {around(Qt::black, 2), around(Qt::white, 1), QPen(colour, width, style)};
}

}  // namespace headlight
