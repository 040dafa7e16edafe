#pragma once

#include <QFontMetricsF>
#include <QString>

class QFont;

namespace headlight {

/// How far the ink of a text goes from the start of its baseline, and how wide the text is; none less than 0.
struct TextReach {
    double width = 0, ascent = 0, descent = 0;
};

/// Measures texts in a font, in its pixels. What was measured is remembered by the thread: most of a line of
/// arithmetic are the signs and numbers of the line before it.
class ReachMeasure {
public:
    explicit ReachMeasure(const QFont& font);

    /// That of `text` on one line.
    TextReach of(const QString& text) const;

private:
    QFontMetricsF metrics_;
    QString key_;  ///< tells the font from others
};

}  // namespace headlight
