#include "ui/panels/theme.h"

#include "ui/render/typeface.h"

#include <QApplication>
#include <QFont>
#include <QMainWindow>
#include <QProxyStyle>
#include <QPushButton>
#include <QStyleOptionButton>

namespace headlight {
namespace {

constexpr const char* styled = "headlight_styled";
constexpr double interface_points = 10;

struct Tones {
    QColor window, base, raised, text, dim_text, line, accent, on_accent, problem, notice;
    QColor faint;  ///< ground of what is on
    QColor thumb;  ///< of scroll bars and sliders
};

Tones tones(FigureTheme theme) {
    switch (theme) {
    case FigureTheme::dark:
        return {"#1f2229", "#2d313b", "#373c48", "#e6e8ec", "#a3acba", "#4d5463",
                "#5aa2f0", "#0b1220", "#5a2a2e", "#233a5c", "#3a404d", "#6b7485"};
    case FigureTheme::projector:
        return {"#ffffff", "#ffffff", "#f0f0f0", "#000000", "#303030", "#606060",
                "#0040a0", "#ffffff", "#ffd8d2", "#d6e6ff", "#dedede", "#7a7a7a"};
    case FigureTheme::paper:
    case FigureTheme::light:
        break;
    }
    return {"#f5f6f8", "#ffffff", "#ebedf1", "#1c2128", "#5b6472", "#cfd4dc",
            "#1f6fd0", "#ffffff", "#fbe3e0", "#e2edfb", "#e0e4ea", "#a3abb8"};
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
    palette.setColor(QPalette::Link, tone.text);  // underlined; the accent is for what is selected
    palette.setColor(QPalette::LinkVisited, tone.text);
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

QString style_sheet_of(const Tones& tone, FigureTheme theme) {
    QString sheet = QStringLiteral(
        "headlight--Banner, headlight--ScaleHint { border: 1px solid @line; border-radius: 6px; }"
        "headlight--Banner[kind=\"problem\"] { background: @problem; }"
        "headlight--Banner[kind=\"notice\"], headlight--ScaleHint { background: @notice; }"
        "#arithmetic { background: @base; border: 1px solid @line; border-radius: 6px; }"
        "QMainWindow::separator { background: @line; width: 1px; height: 1px; }"
        "#dock_title { padding: 6px 8px; font-weight: bold; color: @dim; }"
        "#mechanism_tree::item { padding: 3px 0; }"
        // Tabs: what is selected has the accent under it, the others step back.
        "#view_tabs::tab { padding: 6px 8px; border: none; border-bottom: 2px solid transparent; "
        "color: @dim; }"
        "#view_tabs::tab:hover, #view_tabs::tab:focus { color: @text; }"
        "#view_tabs::tab:selected { color: @text; border-bottom: 2px solid @accent; }"
        "#view_tabs::tab:disabled { color: @thumb; }"
        "QMainWindow > QTabBar::tab { padding: 4px 5px; border: none; border-bottom: 2px solid transparent; "
        "color: @dim; }"
        "QMainWindow > QTabBar::tab:hover, QMainWindow > QTabBar::tab:focus { color: @text; }"
        "QMainWindow > QTabBar::tab:selected { color: @text; border-bottom: 2px solid @accent; }"
        "headlight--StageStrip QToolButton { border: none; border-bottom: 2px solid transparent; "
        "padding: 3px 4px; color: @dim; }"
        "headlight--StageStrip QToolButton:hover, headlight--StageStrip QToolButton:focus { color: @text; }"
        "headlight--StageStrip QToolButton:checked { color: @text; border-bottom: 2px solid @accent; }"
        // Toggles: a faint ground where they are on.
        "QToolButton[role=\"toggle\"] { border: none; border-radius: 4px; padding: 1px 6px; }"
        "QToolButton[role=\"toggle\"]:hover, QToolButton[role=\"toggle\"]:focus { text-decoration: "
        "underline; }"
        "QToolButton[role=\"toggle\"]:checked { background: @faint; }"
        "QToolButton[role=\"chip\"] { padding: 3px 8px; border: 1px solid @line; border-radius: 10px; }"
        "QToolButton[role=\"chip\"]:hover, QToolButton[role=\"chip\"]:focus { border-color: @dim; }"
        "QToolButton[role=\"chip\"]:checked { background: @faint; }"
        "#compared_chip { border: 1px solid @line; border-radius: 10px; }"
        "#compared_chip QToolButton { border: none; padding: 3px 4px; }"
        "#compared_chip #chip_title { padding-right: 16px; }"
        "#compared_chip[own=\"true\"] #chip_title { padding-right: 4px; }"
        "#compared_chip QToolButton:hover, #compared_chip QToolButton:focus { text-decoration: underline; }"
        "#compared_chip QToolButton::menu-indicator { subcontrol-origin: padding; "
        "subcontrol-position: right center; }"
        "#compared_chip[refused=\"true\"] { background: @problem; }"
        "#compare_bar QToolButton:checked { background: @faint; }"
        "QPushButton[role=\"way\"] { text-align: left; padding: 6px 8px; border: 1px solid transparent; "
        "border-radius: 4px; font-weight: bold; }"
        "QPushButton[role=\"way\"]:hover, QPushButton[role=\"way\"]:focus { background: @faint; }"
        "#view_bar, #fold_bar { spacing: 2px; padding: 0 2px; border: none; }"
        "#view_bar QToolButton, #fold_bar QToolButton { padding: 3px 5px; border: 1px solid transparent; "
        "border-radius: 4px; color: @dim; }"
        "#view_bar QToolButton::menu-indicator { image: none; }"
        "#view_bar QToolButton:hover, #view_bar QToolButton:focus, #fold_bar QToolButton:hover, "
        "#fold_bar QToolButton:focus { border-color: @line; color: @text; }"
        "#view_bar QToolButton:checked { background: @faint; }"
        "#player_bar, #strip_left, #strip_right { spacing: 0; padding: 0; border: none; }"
        // Scroll bars: a thumb on nothing.
        "QScrollBar:vertical { width: 10px; background: transparent; }"
        "QScrollBar:horizontal { height: 10px; background: transparent; }"
        "QScrollBar::handle { background: @thumb; border-radius: 3px; margin: 2px; }"
        "QScrollBar::handle:vertical { min-height: 24px; }"
        "QScrollBar::handle:horizontal { min-width: 24px; }"
        "QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }"
        "QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }"
        "#mechanism_notes { border-top: 1px solid @line; }"
        "#mechanism_notes QLabel { font-size: 9pt; }"
        "QLabel[role=\"note\"] { color: @dim; }"
        "QLabel[role=\"problem\"] { background: @problem; padding: 4px 6px; }"
        "QLabel[role=\"badge\"] { background: @notice; border-radius: 4px; padding: 3px 6px; }"
        "QLabel[role=\"title\"] { font-weight: bold; }");
    // For the last row: what belongs to the picture, and the player. Menus, panels and what a run took are
    // for the teacher.
    if (theme == FigureTheme::projector)
        sheet += QStringLiteral("#view_page QWidget, #player_bar QWidget, #arithmetic { font-size: 14pt; }"
                                "#player_bar #run_status, #player_bar #train_status { font-size: 10pt; }");
    const std::pair<const char*, QColor> colours[] = {
        {"@line", tone.line},     {"@problem", tone.problem}, {"@notice", tone.notice},
        {"@base", tone.base},     {"@dim", tone.dim_text},    {"@text", tone.text},
        {"@accent", tone.accent}, {"@faint", tone.faint},     {"@thumb", tone.thumb}};
    for (const auto& [word, colour] : colours)
        sheet.replace(QLatin1String(word), colour.name());
    return sheet;
}

/// Fusion, but with boxes that can be seen where they are not checked: it draws their frame a little darker
/// than the window, which on a dark window is nothing. With tabs of panels that leave their titles whole in a
/// narrow column. And with drop-down lists that show where their text is cut.
class HeadlightStyle : public QProxyStyle {
public:
    HeadlightStyle() : QProxyStyle(QStringLiteral("fusion")) {}

    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override {
        if (element == PE_IndicatorArrowDown && qobject_cast<const QPushButton*>(widget)) {
            QStyleOption level(*option);  // with the words; a style sheet puts it into the corner
            level.rect.moveCenter({level.rect.center().x(), widget->rect().center().y()});
            return QProxyStyle::drawPrimitive(element, &level, painter, widget);
        }
        const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option);
        if (!button || (element != PE_IndicatorCheckBox && element != PE_IndicatorRadioButton))
            return QProxyStyle::drawPrimitive(element, option, painter, widget);
        QStyleOptionButton framed(*button);
        constexpr int fusion_darkens = 140;  // the frame is so much darker than what is said to be the window
        framed.palette.setColor(QPalette::Window,
                                option->palette.color(QPalette::PlaceholderText).lighter(fusion_darkens));
        QProxyStyle::drawPrimitive(element, &framed, painter, widget);
    }

    void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override {
        const auto* combo = qstyleoption_cast<const QStyleOptionComboBox*>(option);
        if (!combo || element != CE_ComboBoxLabel)
            return QProxyStyle::drawControl(element, option, painter, widget);
        QStyleOptionComboBox ended(*combo);
        const int icon = combo->currentIcon.isNull() ? 0 : combo->iconSize.width() + 4;
        const int room = subControlRect(CC_ComboBox, combo, SC_ComboBoxEditField, widget).width() - icon;
        ended.currentText = combo->fontMetrics.elidedText(combo->currentText, Qt::ElideRight, room);
        QProxyStyle::drawControl(element, &ended, painter, widget);
    }

    int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override {
        constexpr int beside_panel_titles = 10;
        // As the style sheet has them: between two themes there is none, nor where a tool bar is made, and
        // nothing must grow meanwhile.
        constexpr int scroll_bar = 10;
        if (metric == PM_ScrollBarExtent)
            return scroll_bar;
        if (metric == PM_ToolBarFrameWidth || metric == PM_ToolBarItemMargin)
            return 0;
        if (metric == PM_TabBarTabHSpace && widget && qobject_cast<QMainWindow*>(widget->parentWidget()))
            return beside_panel_titles;
        return QProxyStyle::pixelMetric(metric, option, widget);
    }
};

}  // namespace

Theme window_theme(FigureTheme theme) {
    const Tones tone = tones(theme);
    return {palette_of(tone), tone.thumb, style_sheet_of(tone, theme)};
}

void apply_theme(FigureTheme theme) {
    const Theme look = window_theme(theme);
    // Where a sheet replaces another, Qt gives every widget its palette and font once for each widget that it
    // lies in. Where one is taken away or given, it goes over them once: twice that is a third of the time.
    qApp->setStyleSheet(QString());
    if (!qApp->property(styled).toBool()) {
        QApplication::setStyle(new HeadlightStyle);
        qApp->setProperty(styled, true);
    }
    // The family that figures have, so that a label looks the same beside a figure and in it.
    QFont font(figure_font(interface_points, Face::regular).family());
    font.setPointSizeF(interface_points);
    QApplication::setFont(font);
    QApplication::setPalette(look.palette);
    // The part of a slider before its handle, and of a progress bar, is filled with the colour of what is
    // selected, which it is not.
    QPalette quiet = look.palette;
    quiet.setColor(QPalette::Highlight, look.filled);
    for (const char* control : {"QSlider", "QProgressBar"})
        QApplication::setPalette(quiet, control);
    qApp->setStyleSheet(look.style_sheet);
}

}  // namespace headlight
