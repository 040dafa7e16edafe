#include "ui/render/signs_apart.h"

#include <QGlyphRun>
#include <QRawFont>
#include <QTextLayout>

#include <algorithm>

namespace headlight {

namespace {

/// Signs between digits or capitals are what fonts have such glyphs for: most text is done here.
bool may_have_such_signs(const QString& text) {
    return std::ranges::any_of(text, [](QChar c) { return !c.isLetterOrNumber() && !c.isSpace(); });
}

/// Of a script that changes the shape of its letters, another glyph is as it should be.
bool is_sign(QChar c) { return c.script() == QChar::Script_Common && !c.isLetterOrNumber(); }

}  // namespace

bool paint_signs_apart(QPainter& painter, QPointF baseline, const QString& text) {
    if (!may_have_such_signs(text) || text.isRightToLeft())
        return false;
    QTextLayout layout(text, painter.font());
    layout.beginLayout();
    layout.createLine();
    layout.endLayout();
    const QList<QGlyphRun> runs = layout.glyphRuns();
    if (runs.size() != 1)
        return false;
    // A glyph each, or nobody could say which sign a glyph stands for.
    const QList<quint32> glyphs = runs.front().glyphIndexes(),
                         own = runs.front().rawFont().glyphIndexesForString(text);
    const QList<QPointF> places = runs.front().positions();
    if (glyphs.size() != text.size() || own.size() != text.size())
        return false;
    const auto stands_alone = [&](qsizetype at) { return glyphs[at] != own[at] && is_sign(text[at]); };
    qsizetype first = 0;
    bool has_any = false;
    for (qsizetype at = 0; at < text.size() && !has_any; ++at)
        has_any = stands_alone(at);
    if (!has_any)
        return false;
    while (first < text.size()) {
        qsizetype end = first + 1;
        while (!stands_alone(first) && end < text.size() && !stands_alone(end))
            ++end;
        painter.drawText(baseline + QPointF(places[first].x() - places.front().x(), 0),
                         text.mid(first, end - first));
        first = end;
    }
    return true;
}

}  // namespace headlight
