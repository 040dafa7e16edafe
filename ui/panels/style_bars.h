#pragma once

#include <QStyle>

class QPainter;
class QStyleOption;
class QStyleOptionSlider;
class QStyleOptionTab;

namespace headlight {

constexpr int scroll_bar_width = 10;
constexpr int shortest_thumb = 28;
constexpr int tab_underline = 2;

/// A part of a scroll bar without arrows, as it lies.
QRect scroll_bar_part(const QStyleOptionSlider& bar, QStyle::SubControl part);
void paint_scroll_bar(QPainter& painter, const QRect& thumb, const QColor& colour);

/// Where the parts of a slider lie.
struct SliderParts {
    QRect groove, handle;
};
struct SliderColours {
    QColor line;  ///< around groove and handle
    QColor fill;  ///< of the handle, and of the groove up to it
};
/// The parts that the option asks for, but for its ticks.
void paint_slider(QPainter& painter, const QStyleOptionSlider& slider, const SliderParts& parts,
                  const SliderColours& colours);

/// Dots in the middle of what parts two widgets, where it is to be taken hold of.
void paint_splitter(QPainter& painter, const QStyleOption& splitter);

/// Around the title of a tab, with the line under the tab in view.
QSize tab_padding(const QWidget* tabs);
/// The accent under the tab in view, and nothing else.
void paint_tab_shape(QPainter& painter, const QStyleOptionTab& tab);
/// The title: those of the other tabs step back.
QStyleOptionTab tab_label(const QStyleOptionTab& tab, const QColor& disabled);

}  // namespace headlight
