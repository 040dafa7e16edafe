#include "ui/render/svg_text.h"

#include "ui/render/export_formats.h"
#include "ui/render/font_subset.h"

#include <QXmlStreamReader>

#include <algorithm>
#include <map>

namespace headlight {

namespace {

constexpr char16_t from_right = 0x2067, end_of_isolate = 0x2069;

/// Which no font needs to have.
bool is_isolate(char32_t character) { return character >= 0x2066 && character <= end_of_isolate; }

bool has_letters_from_right(const QString& text) {
    return std::ranges::any_of(text.toUcs4(), [](char32_t character) {
        const QChar::Direction direction = QChar::direction(character);
        return direction == QChar::DirR || direction == QChar::DirAL || direction == QChar::DirAN;
    });
}

/// Letters that the interface font has: Qt draws a text in pieces where fonts change, and which fonts of a
/// system have other signs, even control characters, nobody knows. Nobody types these.
QString placeholder(qsizetype index) { return QStringLiteral("whole-text-5b9e42c07d%1;").arg(index); }

/// The characters that each face draws.
std::map<Face, QSet<uint>> characters_by_face(const QByteArray& svg) {
    std::map<Face, QSet<uint>> characters;
    QXmlStreamReader reader(svg);
    while (!reader.atEnd()) {
        if (reader.readNext() != QXmlStreamReader::StartElement || reader.name() != QLatin1String("text"))
            continue;
        const auto attributes = reader.attributes();
        const bool bold = attributes.value(QLatin1String("font-weight")).toInt() > 500;
        const bool italic = attributes.value(QLatin1String("font-style")) == QLatin1String("italic");
        const Face face = bold ? Face::bold : italic ? Face::italic : Face::regular;
        for (const uint character : reader.readElementText().toUcs4())
            if (!is_isolate(character))
                characters[face].insert(character);
    }
    return characters;
}

QByteArray unicode_range(const std::vector<uint>& characters) {
    QByteArray range;
    for (const uint character : characters)
        range += (range.isEmpty() ? "U+" : ",U+") + QByteArray::number(character, 16);
    return range;
}

/// As a string of CSS inside a document in XML; a name of our own system has none of these characters.
QByteArray family_in_css(const QString& family) {
    QString name = public_family(family);
    name.remove(QLatin1Char('"')).remove(QLatin1Char('\\'));
    const bool is_one_word = !name.contains(QLatin1Char(' '));
    return (is_one_word ? name : QLatin1Char('"') + name + QLatin1Char('"')).toHtmlEscaped().toUtf8();
}

QByteArray font_faces(const QByteArray& svg, const QString& family) {
    QByteArray css;
    for (const auto& [face, characters] : characters_by_face(svg)) {
        for (const FontSubset& subset : subset_fonts(characters, face, family)) {
            css += "@font-face{font-family:" + family_in_css(family) +
                   ";font-weight:" + QByteArray(face == Face::bold ? "700" : "400") +
                   ";font-style:" + (face == Face::italic ? "italic" : "normal") +
                   ";src:url(data:font/otf;base64," + subset.bytes.toBase64() +
                   ") format(\"opentype\");unicode-range:" + unicode_range(subset.characters) + "}\n";
        }
    }
    return css;
}

QByteArray replaced(QByteArray text, const QByteArray& from, const QByteArray& to) {
    return text.replace(from, to);
}

}  // namespace

bool WholeTexts::draw(QPainter& painter, const PlacedText& placed) {
    const QString& text = placed.text;
    const Qt::LayoutDirection direction = painter.layoutDirection();
    if (placed.is_plain || (direction != Qt::RightToLeft && !has_letters_from_right(text)))
        return false;
    const bool is_from_right =
        direction == Qt::LayoutDirectionAuto ? text.isRightToLeft() : direction == Qt::RightToLeft;
    painter.setLayoutDirection(Qt::LeftToRight);
    painter.drawText(placed.baseline, placeholder(texts_.size()));
    painter.setLayoutDirection(direction);
    texts_ += is_from_right ? QChar(from_right) + text + QChar(end_of_isolate) : text;
    return true;
}

QByteArray WholeTexts::put_into(QByteArray svg) const {
    for (qsizetype i = 0; i < texts_.size(); ++i)
        svg.replace(placeholder(i).toUtf8(), texts_[i].toHtmlEscaped().toUtf8());
    return svg;
}

/// Characters that no document in XML may have, not even escaped, as the sign for what cannot be shown.
QByteArray without_forbidden_characters(const QByteArray& svg) {
    const QByteArray replacement = QStringLiteral("\ufffd").toUtf8();
    QByteArray allowed;
    allowed.reserve(svg.size());
    for (const char byte : svg)
        if (static_cast<unsigned char>(byte) >= 0x20 || byte == '\t' || byte == '\n' || byte == '\r')
            allowed += byte;
        else
            allowed += replacement;
    return allowed.replace("\xEF\xBF\xBE", replacement).replace("\xEF\xBF\xBF", replacement);
}

QByteArray finish_svg(const QByteArray& svg, const SvgExtras& extras) {
    QByteArray head = "<defs>\n<style>\n" + font_faces(svg, extras.family) +
                      "text{font-family:" + family_in_css(extras.family) +
                      ",\"Helvetica Neue\",Arial,sans-serif;direction:ltr;font-variant-ligatures:none}\n"
                      "image{image-rendering:pixelated}\n</style>\n</defs>\n";
    if (!extras.session.isEmpty())
        head = "<metadata><" + QByteArray(xml_session_tag) + " xmlns:headlight=\"" + xml_session_namespace +
               "\">" + extras.session.toHtmlEscaped().toUtf8() + "</" + xml_session_tag + "></metadata>\n" +
               head;
    QByteArray finished = svg;
    const auto root = finished.indexOf("<svg "), view_box = finished.indexOf("viewBox", root);
    finished.replace(root, view_box - root,
                     "<svg width=\"" + QByteArray::number(extras.width_mm, 'f', 3) + "mm\" height=\"" +
                         QByteArray::number(extras.height_mm, 'f', 3) + "mm\" ");
    const QString drawn = figure_font(1, Face::regular).family();
    finished = replaced(finished, "font-family=\"" + drawn.toUtf8() + '"',
                        "font-family=\"" + public_family(drawn).toUtf8() + '"');
    finished = replaced(finished, " version=\"1.2\" baseProfile=\"tiny\"", " version=\"1.1\"");
    return without_forbidden_characters(replaced(finished, "<defs>\n</defs>\n", head));
}

}  // namespace headlight
