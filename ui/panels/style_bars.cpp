#include "ui/panels/style_bars.h"

#include "ui/panels/recoloured_palette.h"
#include "ui/panels/style_frames.h"

#include <QMainWindow>
#include <QPainter>
#include <QStyleOption>

#include <algorithm>

namespace headlight {

QRect scroll_bar_part(const QStyleOptionSlider& bar, QStyle::SubControl part) {
    const bool lies = bar.orientation == Qt::Horizontal;
    const int length = lies ? bar.rect.width() : bar.rect.height();
    const qint64 range = qint64(bar.maximum) - bar.minimum;
    int thumb = length;
    if (range > 0 && bar.pageStep >= 0)
        thumb = std::max(static_cast<int>(qint64(length) * bar.pageStep / (range + bar.pageStep)),
                         std::min(shortest_thumb, length));
    const int start = QStyle::sliderPositionFromValue(bar.minimum, bar.maximum, bar.sliderPosition,
                                                      length - thumb, bar.upsideDown);
    const auto stretch = [&](int from, int to) {
        const QRect rect = lies ? QRect(bar.rect.left() + from, bar.rect.top(), to - from, bar.rect.height())
                                : QRect(bar.rect.left(), bar.rect.top() + from, bar.rect.width(), to - from);
        return QStyle::visualRect(bar.direction, bar.rect, rect);
    };
    switch (part) {
    case QStyle::SC_ScrollBarSlider:
        return stretch(start, start + thumb);
    case QStyle::SC_ScrollBarSubPage:
        return stretch(0, start);
    case QStyle::SC_ScrollBarAddPage:
        return stretch(start + thumb, length);
    case QStyle::SC_ScrollBarGroove:
        return stretch(0, length);
    default:  // arrows
        return {};
    }
}

void paint_scroll_bar(QPainter& painter, const QRect& thumb, const QColor& colour) {
    constexpr int edge = 2;
    constexpr double radius = 3;
    paint_ground(painter, thumb.adjusted(edge, edge, -edge, -edge), radius, colour, {});
}

void paint_slider(QPainter& painter, const QStyleOptionSlider& slider, const SliderParts& parts,
                  const SliderColours& colours) {
    constexpr double radius = 3;
    if (slider.subControls.testFlag(QStyle::SC_SliderGroove)) {
        QRect filled = parts.groove;
        if (slider.orientation == Qt::Horizontal)
            slider.upsideDown ? filled.setLeft(parts.handle.center().x())
                              : filled.setRight(parts.handle.center().x());
        else
            slider.upsideDown ? filled.setTop(parts.handle.center().y())
                              : filled.setBottom(parts.handle.center().y());
        paint_ground(painter, parts.groove, radius, slider.palette.color(QPalette::Base), colours.line);
        paint_ground(painter, filled, radius, colours.fill, colours.line);
    }
    if (slider.subControls.testFlag(QStyle::SC_SliderHandle))
        paint_ground(painter, parts.handle.adjusted(2, 2, -2, -2), radius, colours.fill, colours.line);
}

void paint_splitter(QPainter& painter, const QStyleOption& splitter) {
    constexpr int apart = 7, most_side = 3;
    const QRect& area = splitter.rect;
    const int side = std::min({most_side, area.width(), area.height()});
    const QPoint step = area.width() > area.height() ? QPoint(apart, 0) : QPoint(0, apart);
    for (const int dot : {-1, 0, 1}) {
        QRect place(0, 0, side, side);
        place.moveCenter(area.center() + dot * step);
        painter.fillRect(place, splitter.palette.color(QPalette::PlaceholderText));
    }
}

QSize tab_padding(const QWidget* tabs) {
    // Panels that lie behind one another have a narrow column.
    const bool is_of_panels = tabs && qobject_cast<const QMainWindow*>(tabs->parentWidget());
    return is_of_panels ? QSize(10, 8 + tab_underline) : QSize(16, 12 + tab_underline);
}

void paint_tab_shape(QPainter& painter, const QStyleOptionTab& tab) {
    if (tab.state & QStyle::State_Selected)
        painter.fillRect(
            QRect(tab.rect.left(), tab.rect.bottom() + 1 - tab_underline, tab.rect.width(), tab_underline),
            tab.palette.color(QPalette::Highlight));
}

QStyleOptionTab tab_label(const QStyleOptionTab& tab, const QColor& disabled) {
    constexpr auto stands_out = QStyle::State_Selected | QStyle::State_MouseOver;
    QStyleOptionTab label(tab);
    label.rect.setBottom(tab.rect.bottom() - tab_underline);
    const QColor text = !(tab.state & QStyle::State_Enabled) ? disabled
                        : tab.state & stands_out             ? tab.palette.color(QPalette::WindowText)
                                                             : tab.palette.color(QPalette::PlaceholderText);
    label.palette = recoloured(tab.palette, QPalette::WindowText, text);
    return label;
}

}  // namespace headlight
