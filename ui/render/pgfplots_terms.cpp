#include "ui/render/pgfplots_terms.h"

#include "ui/render/latex_text.h"
#include "ui/render/pgf_drawing.h"

#include <QString>

#include <algorithm>
#include <cmath>

namespace headlight {

QByteArray latex_of(const std::string& text) { return latex_text(QString::fromStdString(text)); }

QByteArray bp(double points) { return short_number(points) + "bp"; }

QByteArray laid_out(double units) { return bp(units / layout_units); }

QByteArray colour_in_html(const QColor& colour) {
    return "{HTML}{" + colour.name().mid(1).toUpper().toLatin1() + '}';
}

QByteArray xcolor_of(const QColor& colour) {
    if (colour == Qt::black || colour == Qt::white)
        return colour == Qt::black ? "black" : "white";
    return "{rgb,255:red," + QByteArray::number(colour.red()) + ";green," +
           QByteArray::number(colour.green()) + ";blue," + QByteArray::number(colour.blue()) + '}';
}

QByteArray type_of(double size) { return "\\fontsize{" + bp(size) + "}{" + bp(1.2 * size) + "}\\selectfont"; }

PlotMeta::PlotMeta(const ColourScale& scale)
    : is_logarithmic(scale.kind == ScaleKind::logarithmic && scale.low > 0) {
    const double reach = std::max(std::abs(scale.low), std::abs(scale.high));
    const bool is_diverging = !is_logarithmic && colour_map(scale.map).diverging;
    low = is_logarithmic ? std::log10(scale.low) : is_diverging ? -reach : scale.low;
    high = is_logarithmic ? std::log10(scale.high) : is_diverging ? reach : scale.high;
    if (!(high > low))
        high = low + 1;
}

double PlotMeta::of(double value) const {
    const double meta = is_logarithmic ? value > 0 ? std::log10(value) : low : value;
    return std::isfinite(meta) ? meta : low;
}

}  // namespace headlight
