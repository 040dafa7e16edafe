#include "ui/render/typst_drawing.h"

#include "ui/render/pgf_drawing.h"

#include <QBuffer>

namespace headlight {
namespace {

QByteArray typst_number(double number) { return short_number(number) + "pt"; }

QByteArray typst_point(QPointF at) { return '(' + typst_number(at.x()) + ", " + typst_number(at.y()) + ')'; }

QByteArray typst_colour(const QColor& colour) {
    const QByteArray opacity =
        colour.alpha() == 255 ? QByteArray() : QByteArray::number(colour.alpha(), 16).rightJustified(2, '0');
    return "rgb(\"" + colour.name().toLatin1() + opacity + "\")";
}

/// A string, on one line.
QByteArray typst_string(const QString& text) {
    QString escaped;
    for (const QChar sign : text) {
        if (sign == QChar('"') || sign == QChar('\\'))
            escaped += QChar('\\');
        escaped += sign.category() == QChar::Other_Control ? QChar(' ') : sign;
    }
    return '"' + escaped.toUtf8() + '"';
}

class TypstWriter {
public:
    QByteArray typst;

    void operator()(const DrawnPath& drawn) {
        const bool fills = drawn.fill.isValid() && drawn.fill.alpha() > 0,
                   strokes = drawn.stroke.isValid() && drawn.stroke.alpha() > 0;
        if ((!fills && !strokes) || drawn.path.isEmpty())
            return;
        typst += "  hl-draw(";
        if (fills)
            typst += "fill: " + typst_colour(drawn.fill) + ", ";
        typst += "stroke: " + (strokes ? stroke_of(drawn) : QByteArray("none"));
        for (int i = 0; i < drawn.path.elementCount(); ++i) {
            const QPainterPath::Element element = drawn.path.elementAt(i);
            const bool ends = i + 1 == drawn.path.elementCount() || drawn.path.elementAt(i + 1).isMoveTo();
            switch (element.type) {
            case QPainterPath::MoveToElement:
                first_ = element;
                typst += ", curve.move(" + typst_point(element) + ')';
                break;
            case QPainterPath::LineToElement:
                typst += ends && QPointF(element) == first_ ? ", curve.close(mode: \"straight\")"
                                                            : ", curve.line(" + typst_point(element) + ')';
                break;
            case QPainterPath::CurveToElement:
                typst += ", curve.cubic(" + typst_point(element) + ", " +
                         typst_point(drawn.path.elementAt(i + 1)) + ", " +
                         typst_point(drawn.path.elementAt(i + 2)) + ')';
                break;
            case QPainterPath::CurveToDataElement:
                break;
            }
        }
        typst += ")\n";
    }

    void operator()(const DrawnText& drawn) {
        typst += "  hl-text(" + typst_number(drawn.place.x()) + ", " + typst_number(drawn.place.y()) + ", " +
                 (drawn.share < 0.25   ? "left"
                  : drawn.share > 0.75 ? "right"
                                       : "center") +
                 ", " + typst_number(drawn.size) + ", " + typst_colour(drawn.colour) + ", " +
                 typst_string(drawn.text);
        if (drawn.degrees != 0)
            typst += ", angle: -" + short_number(drawn.degrees) + "deg";
        typst += drawn.is_bold ? ", weight: \"bold\"" : "";
        typst += drawn.is_italic ? ", style: \"italic\"" : "";
        typst += ")\n";
    }

    /// Typst reads base64 inside an SVG alone, and there keeps the edges of pixels.
    void operator()(const DrawnImage& drawn) {
        QByteArray png;
        QBuffer buffer(&png);
        buffer.open(QIODevice::WriteOnly);
        drawn.image.save(&buffer, "PNG");
        const QByteArray size = "width='" + QByteArray::number(drawn.image.width()) + "' height='" +
                                QByteArray::number(drawn.image.height()) + '\'';
        typst += "  place(dx: " + typst_number(drawn.area.left()) +
                 ", dy: " + typst_number(drawn.area.top()) +
                 ", image(format: \"svg\", width: " + typst_number(drawn.area.width()) +
                 ", height: " + typst_number(drawn.area.height()) +
                 ", fit: \"stretch\", bytes(\"<svg xmlns='http://www.w3.org/2000/svg' " + size +
                 " preserveAspectRatio='none'><image " + size +
                 " image-rendering='optimizeSpeed' href='data:image/png;base64," + png.toBase64() +
                 "'/></svg>\")))\n";
    }

private:
    static QByteArray stroke_of(const DrawnPath& drawn) {
        QByteArray stroke =
            "(paint: " + typst_colour(drawn.stroke) + ", thickness: " + typst_number(drawn.width);
        if (drawn.is_round)
            stroke += ", cap: \"round\"";
        if (!drawn.dashes.empty()) {
            stroke += ", dash: (";
            for (const double length : drawn.dashes)
                stroke += typst_number(length) + ", ";
            stroke += ')';
        }
        return stroke + ')';
    }

    QPointF first_;
};

}  // namespace

QByteArray typst_drawing(const std::vector<DrawnItem>& items, QSizeF points, const QByteArray& name) {
    TypstWriter writer;
    // A text has a box that is wider than any of them, so that it stays on its line.
    writer.typst = "#let " + name + " = box(width: " + typst_number(points.width()) +
                   ", height: " + typst_number(points.height()) + R"(, {
  set place(top + left)
  let hl-draw(..parts) = place(curve(..parts))
  let hl-text(x, y, side, size, fill, words, angle: 0deg, ..style) = place(
    dx: x - 2000pt * (if side == left { 0 } else if side == right { 1 } else { 0.5 }), dy: y,
    rotate(angle, origin: top + side, box(width: 2000pt, align(side, text(
      size: size, fill: fill, top-edge: "baseline", bottom-edge: "baseline",
      ligatures: false, features: (calt: 0), ..style, words)))))
)";
    for (const DrawnItem& item : items)
        std::visit(writer, item);
    return writer.typst + "})\n";
}

}  // namespace headlight
