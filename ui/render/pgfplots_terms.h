#pragma once

#include "core/figure/figure.h"
#include "ui/render/export_formats.h"

#include <QByteArray>
#include <QColor>

#include <string>

namespace headlight {

// What the figures of pgfplots are written with.

/// Units of the layout to the point: type is measured in whole units.
inline constexpr double layout_units = svg_unit;

/// Words as LaTeX sets them, with what it would take for commands escaped.
QByteArray latex_of(const std::string& text);

/// Writes a length of so many points: "2.5bp".
QByteArray bp(double points);
/// Writes a length of the layout.
QByteArray laid_out(double units);

/// A colour as \definecolor takes one: "{HTML}{1F77B4}".
QByteArray colour_in_html(const QColor& colour);
/// An expression of xcolor, for a colour without a name.
QByteArray xcolor_of(const QColor& colour);

/// What chooses type of that size, in points.
QByteArray type_of(double size);

/// What pgfplots colours by, from a number of the scale: itself, or its logarithm.
struct PlotMeta {
    explicit PlotMeta(const ColourScale& scale);
    double of(double value) const;

    bool is_logarithmic;
    double low, high;
};

}  // namespace headlight
