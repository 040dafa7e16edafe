#include "core/figure/cell_codes.h"
#include "ui/render/paint_context.h"

#include "core/figure/ticks.h"
#include "ui/render/panel_shape.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace headlight {

namespace {

/// The map's entries from the low end to the high end, upwards or to the right.
QImage gradient(const ColourScale& scale, const FigureStyle& style, bool vertical, int colour_steps) {
    constexpr int steps = 256;
    QImage image(vertical ? 1 : steps, vertical ? steps : 1, QImage::Format_RGB32);
    const ColourLookup lookup(scale);
    const auto colours = shown_colours(scale.map, style);
    for (int i = 0; i < steps; ++i) {
        const std::uint8_t entry = lookup.entry(scale.at_bar((i + 0.5) / steps));
        const Rgb colour = colours[stepped(entry, colour_steps)];
        image.setPixel(vertical ? 0 : i, vertical ? steps - 1 - i : 0,
                       qRgb(colour.red, colour.green, colour.blue));
    }
    return image;
}

void paint_body(const PaintContext& context, const ColourScale& scale, const QRectF& bar, bool vertical) {
    QPainter& painter = context.painter;
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.drawImage(bar, gradient(scale, context.style, vertical, context.options.colour_steps));
    painter.setRenderHint(QPainter::Antialiasing);
    context.set_line(context.scaled(context.style.frame_line), context.style.frame);
    painter.drawRect(bar);
}

struct PlacedTick {
    double value = 0;
    QString label;
    double left = 0, right = 0;
};

/// Moves two labels that touch apart, each as far as it has room.
void move_apart(PlacedTick& low, PlacedTick& high, const QRectF& room, double apart) {
    const double missing = low.right + apart - high.left;
    const double room_left = std::max(0.0, low.left - room.left()),
                 room_right = std::max(0.0, room.right() - high.right);
    const double to_left = std::min(room_left, std::max(0.5 * missing, missing - room_right));
    const double to_right = std::min(room_right, missing - to_left);
    low = {low.value, low.label, low.left - to_left, low.right - to_left};
    high = {high.value, high.label, high.left + to_right, high.right + to_right};
}

/// Whether the colours part at a 0 that no label names: a stub alone then marks it.
template <class Ticks>
bool lacks_its_zero(const ColourScale& scale, const Ticks& ticks) {
    return parts_at_zero(scale) &&
           std::ranges::none_of(ticks, [](const auto& tick) { return tick.value == 0; });
}

/// The two ends of a bar whose 0 has a stub but no number: at the bar's ends, and as far from the stub as the
/// room allows, so that neither reads as the stub's number.
void keep_off_stub(PlacedTick& low, PlacedTick& high, double stub, double off, const QRectF& bar,
                   const QRectF& room) {
    const double low_width = low.right - low.left, high_width = high.right - high.left;
    low.left = std::max(room.left(), std::min(bar.left(), stub - off - low_width));
    low.right = low.left + low_width;
    high.right = std::min(room.right(), std::max(bar.right(), stub + off + high_width));
    high.left = high.right - high_width;
}

/// Moves the ends of a bar off the 0 between them, beyond the bar where they have to. Returns whether the
/// room allows it.
bool spread_ends(std::vector<PlacedTick>& ticks, const QRectF& room, double gap) {
    if (ticks.size() != 3)
        return false;
    PlacedTick &low = ticks.front(), &high = ticks.back();
    const double to_left = std::max(0.0, low.right + gap - ticks[1].left),
                 to_right = std::max(0.0, ticks[1].right + gap - high.left);
    low.left -= to_left;
    low.right -= to_left;
    high.left += to_right;
    high.right += to_right;
    return low.left >= room.left() && high.right <= room.right();
}

/// As many labels as stand clear of each other below a bar, within `room`; those of its ends in any case,
/// with fewer digits, and closer together, where that makes room for the 0 at which the colours part.
std::vector<PlacedTick> ticks_below(const PaintContext& context, const ColourScale& scale, const QRectF& bar,
                                    const QRectF& room, const TextMeasure& text, double size) {
    const double apart = bar_number_gap * size, closer = 0.2 * size;
    const double beyond = std::max(
        0.0, 0.5 * (context.scaled(context.style.gap) - bar_numbers_apart * size));  // as where it is joined
    const auto placed = [&](const Tick& tick) {
        const QString label = QString::fromStdString(tick.label);
        const double width = text.width(label);
        const double middle = bar.left() + scale.along_bar(tick.value) * bar.width();
        const double least = std::max(room.left(), bar.left() - beyond),
                     most = std::max(least, std::min(room.right(), bar.right() + beyond) - width);
        const double left = std::clamp(middle - 0.5 * width, least, most);
        return PlacedTick{tick.value, label, left, left + width};
    };
    std::vector<PlacedTick> ticks;
    const auto stand_clear = [&](const std::vector<Tick>& wanted, double gap) {
        ticks.clear();
        for (const Tick& tick : wanted)
            ticks.push_back(placed(tick));
        const auto touch = [gap](const PlacedTick& one, const PlacedTick& next) {
            return next.left < one.right + gap;
        };
        return !ticks.empty() && std::ranges::adjacent_find(ticks, touch) == ticks.end();
    };
    for (int limit = std::clamp(static_cast<int>(bar.width() / (3.2 * size)), 3, 5); limit > 2; --limit)
        if (stand_clear(bar_ticks(scale, limit), apart))
            return ticks;
    constexpr int most_dropped = 2;
    for (const double gap : {apart, closer})
        for (int dropped = 0; dropped <= most_dropped; ++dropped)
            if (stand_clear(brief_bar_ticks(scale, dropped), gap))
                return ticks;
    // On a screen a narrow bar has its 0 too, where there is room beside it.
    for (int dropped = 0; context.figure.uses_height && dropped <= most_dropped; ++dropped) {
        stand_clear(brief_bar_ticks(scale, dropped), closer);
        if (spread_ends(ticks, room, closer))
            return ticks;
    }
    if (stand_clear(bar_ticks(scale, 2), apart) && !lacks_its_zero(scale, ticks))
        return ticks;
    if (ticks.size() != 2)
        return ticks;
    if (lacks_its_zero(scale, ticks))
        keep_off_stub(ticks.front(), ticks.back(), bar.left() + scale.along_bar(0) * bar.width(),
                      0.5 * text.width(QStringLiteral("0")), bar, room);
    if (ticks.back().left < ticks.front().right + apart)
        move_apart(ticks.front(), ticks.back(), room, apart);
    return ticks;
}

/// The labels beside a bar of that height: with the 0 at which its colours part wherever the line of that
/// number fits between those of the others.
std::vector<Tick> ticks_beside(const ColourScale& scale, double height, double size) {
    std::vector<Tick> ticks = bar_ticks(scale, std::clamp(static_cast<int>(height / (2.2 * size)), 2, 6));
    const double line = 1.2 * size, zero = scale.along_bar(0);
    const bool fits = std::ranges::all_of(ticks, [&](const Tick& tick) {
        return std::abs(scale.along_bar(tick.value) - zero) * height >= line;
    });
    if (lacks_its_zero(scale, ticks) && fits)
        ticks.insert(std::ranges::find_if(ticks, [](const Tick& tick) { return tick.value > 0; }), {0, "0"});
    return ticks;
}

}  // namespace

void paint_vertical_bar(const PaintContext& context, const ColourScale& scale, const QString& title,
                        const QRectF& area) {
    const FigureStyle& style = context.style;
    const QRectF bar = on_pixels(context.painter, area);
    paint_body(context, scale, bar, true);
    const double size = context.type(style.tick), stub = 0.25 * size;
    const TextMeasure text(size, Face::regular, style.family);
    const std::vector<Tick> ticks = ticks_beside(scale, bar.height(), size);
    double widest = 0;
    QList<QLineF> stubs;
    context.set_type(size, Face::regular, style.text);
    for (const Tick& tick : ticks) {
        const QString label = QString::fromStdString(tick.label);
        const double y = bar.bottom() - scale.along_bar(tick.value) * bar.height();
        context.draw_plain(QPointF(bar.right() + 2 * stub, y + text.middle_to_baseline()), label);
        stubs.append(QLineF(bar.right(), y, bar.right() + stub, y));
        widest = std::max(widest, text.width(label));
    }
    if (lacks_its_zero(scale, ticks)) {
        const double y = bar.bottom() - scale.along_bar(0) * bar.height();
        stubs.append(QLineF(bar.right(), y, bar.right() + stub, y));
    }
    context.set_line(context.scaled(style.frame_line), style.frame);
    context.painter.drawLines(stubs);
    const bool is_given = context.figure.bar_titled == Figure::BarTitle::given;
    const QString shown = is_given ? text.elided(title, bar.height()) : title;
    if (shown.isEmpty() || text.width(shown) > bar.height())
        return;
    context.set_type(size, Face::regular, style.quiet_text, shown);
    const QTransform before = context.painter.worldTransform();
    context.painter.translate(bar.right() + 2 * stub + widest + 1.2 * size,
                              bar.center().y() + 0.5 * text.width(shown));
    context.painter.rotate(-90);
    context.draw_text({QPointF(0, 0), shown, 0.5});
    context.painter.setWorldTransform(before);
}

void paint_horizontal_bar(const PaintContext& context, const ColourScale& scale, const QString& title,
                          const QRectF& area, const QRectF& numbers) {
    const FigureStyle& style = context.style;
    const QRectF bar = on_pixels(context.painter, area);
    paint_body(context, scale, bar, false);
    const double size = context.type(style.tick);
    const TextMeasure text(size, Face::regular, style.family);
    context.set_type(size, Face::regular, style.quiet_text);
    const std::vector<PlacedTick> ticks = ticks_below(context, scale, bar, numbers, text, size);
    for (const PlacedTick& tick : ticks)
        context.draw_plain(QPointF(tick.left, bar.bottom() + 0.35 * size + text.cap_height()), tick.label,
                           0.5);
    if (lacks_its_zero(scale, ticks)) {
        const double x = bar.left() + scale.along_bar(0) * bar.width();
        context.set_line(context.scaled(style.frame_line), style.frame);
        context.painter.drawLine(QLineF(x, bar.bottom(), x, bar.bottom() + 0.25 * size));
    }
    if (title.isEmpty())
        return;
    const QString shown = text.elided(title, bar.width() + context.scaled(style.gap));
    context.set_type(size, Face::regular, style.quiet_text, shown);
    context.draw_sentence(
        QPointF(bar.center().x() - 0.5 * text.width(shown), bar.bottom() + 1.65 * size + text.cap_height()),
        shown, 0.5);
}

}  // namespace headlight
