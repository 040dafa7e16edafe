#pragma once

#include "ui/panels/theme.h"

#include <QProxyStyle>
#include <QStyleOption>

namespace headlight {

/// Fusion, but for what Headlight has of its own: flat tabs and tool bars, the roles of ui/views/role.h,
/// scroll bars that are a thumb on nothing, fields, boxes, sliders and splitters that can be seen, a frame
/// around what has the keys, drop-down lists that show where their text is cut, dialogs whose buttons are
/// words alone.
///
/// Sizes are the same in every theme: a change of theme paints anew, and lays nothing out. There is no style
/// sheet for the same reason: Qt gives every widget a style of its own below one, and each drop-down list its
/// hidden window whenever that changes.
class HeadlightStyle : public QProxyStyle {
    Q_OBJECT
public:
    HeadlightStyle();

    /// Sets the theme of what is painted from now on; whoever changes the palette too has everything painted.
    void set_theme(const Theme& theme) { theme_ = theme; }

    using QProxyStyle::polish;
    void polish(QWidget* widget) override;
    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override;
    void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override;
    /// Where a theme has edges, words of what cannot be used are struck out: they have as much contrast as
    /// all others.
    void drawItemText(QPainter* painter, const QRect& rect, int flags, const QPalette& palette, bool enabled,
                      const QString& text, QPalette::ColorRole role) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                            const QWidget* widget) const override;
    QRect subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl part,
                         const QWidget* widget) const override;
    QRect subElementRect(SubElement element, const QStyleOption* option,
                         const QWidget* widget) const override;
    QSize sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                           const QWidget* widget) const override;
    int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override;
    int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                  QStyleHintReturn* more) const override;

private:
    /// What Fusion draws, with the theme's edge.
    void draw_edged(PrimitiveElement element, const QStyleOption& option, QPainter* painter,
                    const QWidget* widget) const;
    /// Whether it cannot be used, in a theme in which no paler colour says so.
    bool is_struck_out(const QStyleOption& option) const;
    /// The palette of what is drawn with an edge. Fields are found by it as long as they can be used.
    QPalette edged(const QStyleOption& option, bool is_field) const;
    void draw_check(PrimitiveElement element, const QStyleOptionButton& button, QPainter* painter,
                    const QWidget* widget) const;
    /// A check box or a radio button with its words, around which the frame of the keys lies.
    void draw_checkable(ControlElement element, const QStyleOptionButton& button, QPainter* painter,
                        const QWidget* widget) const;
    void draw_combo_label(const QStyleOptionComboBox& combo, QPainter* painter, const QWidget* widget) const;
    void draw_tool_button(const QStyleOptionToolButton& button, QPainter* painter,
                          const QWidget* widget) const;
    void draw_slider(const QStyleOptionSlider& slider, QPainter* painter, const QWidget* widget) const;
    /// A way into the program: its words at the left, where it has a menu an arrow at the right.
    void draw_way(const QStyleOptionButton& button, QPainter* painter, const QWidget* widget) const;

    Theme theme_;
};

}  // namespace headlight
