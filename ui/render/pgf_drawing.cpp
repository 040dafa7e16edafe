#include "ui/render/pgf_drawing.h"

#include "ui/render/latex_text.h"

#include <zlib.h>

#include <cmath>
#include <limits>

namespace headlight {
namespace {

QByteArray hex_colour(const QColor& colour) { return colour.name().mid(1).toUpper().toLatin1(); }

QByteArray deflated_bytes(const QByteArray& bytes) {
    uLongf size = compressBound(static_cast<uLong>(bytes.size()));
    QByteArray packed(static_cast<qsizetype>(size), Qt::Uninitialized);
    compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
              reinterpret_cast<const Bytef*>(bytes.constData()), static_cast<uLong>(bytes.size()),
              Z_BEST_COMPRESSION);
    return packed.first(static_cast<qsizetype>(size));
}

/// The rows of an image without what aligns them.
QByteArray pixels_of(const QImage& image, qsizetype bytes_per_pixel) {
    QByteArray pixels;
    for (int y = 0; y < image.height(); ++y)
        pixels.append(reinterpret_cast<const char*>(image.constScanLine(y)), image.width() * bytes_per_pixel);
    return pixels;
}

/// Writes items with the y axis upwards, as PGF has it.
class PgfWriter {
public:
    explicit PgfWriter(QSizeF points) : height_(points.height()) {}

    QByteArray pgf;

    void operator()(const DrawnPath& drawn) {
        const bool fills = drawn.fill.isValid() && drawn.fill.alpha() > 0,
                   strokes = drawn.stroke.isValid() && drawn.stroke.alpha() > 0;
        if ((!fills && !strokes) || drawn.path.isEmpty())
            return;
        if (fills)
            set(fill_, "\\hlF{" + hex_colour(drawn.fill) + "}{" +
                           short_number(static_cast<double>(drawn.fill.alphaF())) + "}");
        if (strokes) {
            set(stroke_, "\\hlS{" + hex_colour(drawn.stroke) + "}{" +
                             short_number(static_cast<double>(drawn.stroke.alphaF())) + "}");
            QByteArray dashes;
            for (const double length : drawn.dashes)
                dashes += "{" + short_number(length) + "bp}";
            set(line_, "\\pgfsetlinewidth{" + short_number(drawn.width) + "bp}\\pgfsetdash{" + dashes +
                           "}{0bp}" + (drawn.is_round ? "\\pgfsetroundcap" : "\\pgfsetbuttcap"));
        }
        add(drawn.path);
        pgf += "\\pgfusepath{";
        pgf += fills ? strokes ? "fill,stroke" : "fill" : "stroke";
        pgf += "}%\n";
    }

    void operator()(const DrawnText& drawn) {
        pgf += "\\pgftext[x=" + short_number(drawn.place.x()) + "bp,y=" + y(drawn.place.y()) + "bp,base";
        pgf += drawn.share < 0.25 ? ",left" : drawn.share > 0.75 ? ",right" : "";
        if (drawn.degrees != 0)
            pgf += ",rotate=" + short_number(drawn.degrees);
        pgf += "]{\\hlT{" + hex_colour(drawn.colour) + "}{" + short_number(drawn.size) + "}{";
        pgf += drawn.is_bold ? "\\bfseries" : "";
        pgf += drawn.is_italic ? "\\itshape" : "";
        pgf += "}" + latex_text(drawn.text) + "}%\n";
    }

    /// As an inline image (ISO 32000-1, 8.9.7), its bytes in hexadecimal digits.
    void operator()(const DrawnImage& drawn) {
        const bool has_palette = drawn.image.format() == QImage::Format_Indexed8;
        const QImage image = has_palette ? drawn.image : drawn.image.convertToFormat(QImage::Format_RGB888);
        QByteArray space = "/RGB";
        if (has_palette) {
            space = "[/Indexed /DeviceRGB " + QByteArray::number(image.colorCount() - 1) + " <";
            for (const QRgb colour : image.colorTable())
                space += hex_colour(QColor(colour));
            space += ">]";
        }
        pgf += "\\hlI{" + short_number(drawn.area.width()) + " 0 0 " + short_number(drawn.area.height()) +
               ' ' + short_number(drawn.area.left()) + ' ' + y(drawn.area.bottom()) + " cm BI /W " +
               QByteArray::number(image.width()) + " /H " + QByteArray::number(image.height()) +
               " /BPC 8 /CS " + space + " /F [/AHx /Fl] ID %\n";
        const QByteArray digits = deflated_bytes(pixels_of(image, has_palette ? 1 : 3)).toHex();
        constexpr qsizetype line = 4000;  // TeX's buffer has 200,000, an editor's less
        for (qsizetype at = 0; at < digits.size(); at += line)
            pgf += digits.mid(at, line) + "%\n";
        pgf += "> EI}%\n";
    }

private:
    QByteArray y(double from_top) const { return short_number(height_ - from_top); }
    QByteArray point(QPointF at) const { return "{" + short_number(at.x()) + "}{" + y(at.y()) + "}"; }

    /// Writes a setting where it is another one than before.
    void set(QByteArray& now, const QByteArray& setting) {
        if (now == setting)
            return;
        now = setting;
        pgf += setting + "%\n";
    }

    void add(const QPainterPath& path) {
        QPointF first;
        for (int i = 0; i < path.elementCount(); ++i) {
            const QPainterPath::Element element = path.elementAt(i);
            switch (element.type) {
            case QPainterPath::MoveToElement:
                first = element;
                pgf += "\\hlM" + point(element);
                break;
            case QPainterPath::LineToElement: {
                const bool ends = i + 1 == path.elementCount() || path.elementAt(i + 1).isMoveTo();
                pgf += ends && QPointF(element) == first ? "\\pgfpathclose" : "\\hlL" + point(element);
                break;
            }
            case QPainterPath::CurveToElement:
                pgf += "\\hlC" + point(element) + point(path.elementAt(i + 1)) + point(path.elementAt(i + 2));
                break;
            case QPainterPath::CurveToDataElement:
                break;
            }
        }
    }

    double height_;
    QByteArray fill_, stroke_, line_;
};

}  // namespace

QByteArray short_number(double number) {
    QByteArray text = QByteArray::number(number, 'f', 3);
    while (text.endsWith('0'))
        text.chop(1);
    if (text.endsWith('.'))
        text.chop(1);
    return text == "-0" ? "0" : text;
}

QByteArray pgf_macros() {
    return latex_sign_macro() +
           "\\def\\hlM#1#2{\\pgfpathmoveto{\\pgfqpoint{#1bp}{#2bp}}}%\n"
           "\\def\\hlL#1#2{\\pgfpathlineto{\\pgfqpoint{#1bp}{#2bp}}}%\n"
           "\\def\\hlC#1#2#3#4#5#6{\\pgfpathcurveto{\\pgfqpoint{#1bp}{#2bp}}{\\pgfqpoint{#3bp}{#4bp}}"
           "{\\pgfqpoint{#5bp}{#6bp}}}%\n"
           "\\def\\hlF#1#2{\\definecolor{hlfill}{HTML}{#1}\\pgfsetfillcolor{hlfill}\\pgfsetfillopacity{#2}}%"
           "\n"
           "\\def\\hlS#1#2{\\definecolor{hlstroke}{HTML}{#1}\\pgfsetstrokecolor{hlstroke}"
           "\\pgfsetstrokeopacity{#2}}%\n"
           "\\def\\hlT#1#2#3{\\pgfsetfillopacity{1}\\color[HTML]{#1}\\fontsize{#2bp}{1.2\\dimexpr#2bp\\relax}"
           "\\selectfont#3}%\n"
           "\\def\\hlI#1{\\begin{pgfscope}\\pgfsetfillopacity{1}\\pgfsys@invoke{#1}\\end{pgfscope}}%\n";
}

QByteArray pgf_drawing(const std::vector<DrawnItem>& items, QSizeF points) {
    PgfWriter writer(points);
    writer.pgf = "\\begin{pgfpicture}%\n\\pgfpathrectangle{\\pgfpointorigin}{\\pgfqpoint{" +
                 short_number(points.width()) + "bp}{" + short_number(points.height()) +
                 "bp}}\\pgfusepath{use as bounding box}%\n\\pgfsetmiterjoin%\n";
    for (const DrawnItem& item : items)
        std::visit(writer, item);
    return writer.pgf + "\\end{pgfpicture}%\n";
}

}  // namespace headlight
