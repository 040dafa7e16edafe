#include "ui/render/text_reach.h"

#include <QFont>
#include <QFontInfo>
#include <QHash>

#include <algorithm>

namespace headlight {

ReachMeasure::ReachMeasure(const QFont& font)
    : metrics_(font), key_(QStringLiteral("%1,%2,%3\n")
                               .arg(font.toString())
                               .arg(QFontInfo(font).pixelSize())
                               .arg(font.hintingPreference())) {}

TextReach ReachMeasure::of(const QString& text) const {
    constexpr qsizetype most_reaches = 1 << 12;
    thread_local QHash<QString, TextReach> known;
    const QString asked = key_ + text;
    if (const auto found = known.constFind(asked); found != known.cend())
        return *found;
    if (known.size() >= most_reaches)
        known.clear();
    const QRectF ink = metrics_.tightBoundingRect(text);
    return known[asked] = {metrics_.horizontalAdvance(text), std::max(0.0, -ink.top()),
                           std::max(0.0, ink.bottom())};
}

}  // namespace headlight
