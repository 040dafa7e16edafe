#include "ui/panels/theme.h"

#include "ui/render/typeface.h"

#include <QApplication>
#include <QFont>
#include <QProxyStyle>
#include <QStyleOptionButton>

namespace headlight {
namespace {

constexpr const char* styled = "headlight_styled";

struct Tones {
    QColor window, base, raised, text, dim_text, line, accent, on_accent, problem, notice;
};

Tones tones(FigureTheme theme) {
    switch (theme) {
    case FigureTheme::dark:
        return {"#1f2229", "#2d313b", "#373c48", "#e6e8ec", "#a3acba",
                "#4d5463", "#5aa2f0", "#0b1220", "#5a2a2e", "#233a5c"};
    case FigureTheme::projector:
        return {"#ffffff", "#ffffff", "#f0f0f0", "#000000", "#303030",
                "#606060", "#0040a0", "#ffffff", "#ffd8d2", "#d6e6ff"};
    case FigureTheme::paper:
    case FigureTheme::light:
        break;
    }
    return {"#f5f6f8", "#ffffff", "#ebedf1", "#1c2128", "#5b6472",
            "#cfd4dc", "#1f6fd0", "#ffffff", "#fbe3e0", "#e2edfb"};
}

QPalette palette_of(const Tones& tone) {
    QPalette palette;
    palette.setColor(QPalette::Window, tone.window);
    palette.setColor(QPalette::WindowText, tone.text);
    palette.setColor(QPalette::Base, tone.base);
    palette.setColor(QPalette::AlternateBase, tone.raised);
    palette.setColor(QPalette::Text, tone.text);
    palette.setColor(QPalette::Button, tone.raised);
    palette.setColor(QPalette::ButtonText, tone.text);
    palette.setColor(QPalette::BrightText, tone.on_accent);
    palette.setColor(QPalette::ToolTipBase, tone.base);
    palette.setColor(QPalette::ToolTipText, tone.text);
    palette.setColor(QPalette::PlaceholderText, tone.dim_text);
    palette.setColor(QPalette::Highlight, tone.accent);
    palette.setColor(QPalette::HighlightedText, tone.on_accent);
    palette.setColor(QPalette::Link, tone.accent);
    palette.setColor(QPalette::LinkVisited, tone.accent);
    palette.setColor(QPalette::Light, tone.base);
    palette.setColor(QPalette::Midlight, tone.raised);
    palette.setColor(QPalette::Mid, tone.line);
    palette.setColor(QPalette::Dark, tone.line.darker(120));
    palette.setColor(QPalette::Shadow, tone.line.darker(160));
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, tone.dim_text);
    palette.setColor(QPalette::Disabled, QPalette::Highlight, tone.line);
    palette.setColor(QPalette::Disabled, QPalette::HighlightedText, tone.text);
    return palette;
}

QString style_sheet_of(const Tones& tone) {
    return QStringLiteral("headlight--Banner { border: none; border-bottom: 1px solid %1; }"
                          "headlight--Banner[kind=\"problem\"] { background: %2; }"
                          "headlight--Banner[kind=\"notice\"] { background: %3; }"
                          "QMainWindow::separator { background: %1; width: 1px; height: 1px; }"
                          "#dock_title { padding: 6px 8px; background: %4; font-weight: bold; }"
                          "#mechanism_tree::item { padding: 3px 0; }"
                          "QToolButton[role=\"chip\"] { padding: 3px 8px; border: 1px solid %1; "
                          "border-radius: 10px; }"
                          "QToolButton[role=\"chip\"]:hover, QToolButton[role=\"chip\"]:focus { "
                          "border-color: %6; }"
                          "QToolButton[role=\"chip\"]:checked { background: %6; color: %7; }"
                          "#compared_chip { border: 1px solid %1; border-radius: 10px; }"
                          "#compared_chip QToolButton { border: none; padding: 3px 4px; }"
                          "#compared_chip #chip_title { padding-right: 16px; }"
                          "#compared_chip[own=\"true\"] #chip_title { padding-right: 4px; }"
                          "#compared_chip QToolButton:hover, #compared_chip QToolButton:focus "
                          "{ color: %6; text-decoration: underline; }"
                          "#compared_chip QToolButton::menu-indicator { subcontrol-origin: padding; "
                          "subcontrol-position: right center; }"
                          "#compared_chip[refused=\"true\"] { background: %2; }"
                          "#compare_bar QToolButton:checked { background: %6; color: %7; }"
                          "QStatusBar::item { border: none; }"
                          "#view_bar { spacing: 4px; padding: 4px 8px; border: none; }"
                          "#view_bar QToolButton { padding: 4px 6px; border: 1px solid transparent; "
                          "border-radius: 4px; }"
                          "#view_bar QToolButton:hover { border-color: %1; }"
                          "#view_bar QToolButton:focus { border-color: %6; }"
                          "#view_bar #qt_toolbar_ext_button { padding: 0; }"
                          "#view_bar QToolButton:checked { background: %6; color: %7; }"
                          "QLabel[role=\"note\"] { color: %5; }"
                          "QLabel[role=\"problem\"] { background: %2; padding: 4px 6px; }"
                          "QLabel[role=\"title\"] { font-weight: bold; }")
        .arg(tone.line.name(), tone.problem.name(), tone.notice.name(), tone.raised.name(),
             tone.dim_text.name(), tone.accent.name(), tone.on_accent.name());
}

/// Fusion, but with boxes that can be seen where they are not checked: it draws their frame a little darker
/// than the window, which on a dark window is nothing.
class HeadlightStyle : public QProxyStyle {
public:
    HeadlightStyle() : QProxyStyle(QStringLiteral("fusion")) {}

    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override {
        const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option);
        if (!button || (element != PE_IndicatorCheckBox && element != PE_IndicatorRadioButton))
            return QProxyStyle::drawPrimitive(element, option, painter, widget);
        QStyleOptionButton framed(*button);
        constexpr int fusion_darkens = 140;  // the frame is so much darker than what is said to be the window
        framed.palette.setColor(QPalette::Window,
                                option->palette.color(QPalette::PlaceholderText).lighter(fusion_darkens));
        QProxyStyle::drawPrimitive(element, &framed, painter, widget);
    }
};

}  // namespace

Theme window_theme(FigureTheme theme) {
    const Tones tone = tones(theme);
    return {palette_of(tone), theme == FigureTheme::projector ? 14.0 : 10.0, style_sheet_of(tone)};
}

void apply_theme(FigureTheme theme) {
    const Theme look = window_theme(theme);
    if (!qApp->property(styled).toBool()) {
        QApplication::setStyle(new HeadlightStyle);
        qApp->setProperty(styled, true);
    }
    // The family that figures have, so that a label looks the same beside a figure and in it.
    QFont font(figure_font(look.font_points, Face::regular).family());
    font.setPointSizeF(look.font_points);
    QApplication::setFont(font);
    QApplication::setPalette(look.palette);
    qApp->setStyleSheet(look.style_sheet);
}

}  // namespace headlight
