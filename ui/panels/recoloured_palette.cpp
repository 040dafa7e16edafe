#include "ui/panels/recoloured_palette.h"

#include <QColor>

#include <map>
#include <tuple>

namespace headlight {

QPalette recoloured(const QPalette& palette, QPalette::ColorRole role, const QColor& colour) {
    constexpr std::size_t most = 64;  // a theme has some ten; those of themes before it go
    static std::map<std::tuple<qint64, int, QRgb>, QPalette> known;
    const std::tuple key(palette.cacheKey(), static_cast<int>(role), colour.rgba());
    if (const auto found = known.find(key); found != known.end())
        return found->second;
    if (known.size() == most)
        known.clear();
    QPalette changed = palette;
    changed.setColor(role, colour);
    return known.emplace(key, changed).first->second;
}

}  // namespace headlight
