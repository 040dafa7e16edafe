#include "ui/panels/theme.h"

#include "ui/panels/focus_ring.h"
#include "ui/panels/headlight_style.h"
#include "ui/render/typeface.h"

#include <QApplication>

namespace headlight {
namespace {

constexpr double interface_points = 10, projected_points = 14, projected_bar_points = 12;

struct Tones {
    QColor window, base, raised, text, dim_text, line, accent, on_accent, problem, notice, faint, thumb;
};

Tones tones(FigureTheme theme) {
    switch (theme) {
    case FigureTheme::dark:
        return {"#1f2229", "#2d313b", "#373c48", "#e6e8ec", "#a3acba", "#4d5463",
                "#5aa2f0", "#0b1220", "#5a2a2e", "#233a5c", "#3a404d", "#808a9b"};
    case FigureTheme::projector:
        return {"#ffffff", "#ffffff", "#f0f0f0", "#000000", "#303030", "#606060",
                "#0040a0", "#ffffff", "#ffd8d2", "#d6e6ff", "#dedede", "#7a7a7a"};
    case FigureTheme::contrast:
        return {"#000000", "#000000", "#1c1c1c", "#ffffff", "#e2e2e2", "#b4b4b4",
                "#ffe14d", "#000000", "#6b0014", "#00337a", "#3a3a3a", "#d0d0d0"};
    case FigureTheme::paper:
    case FigureTheme::light:
        break;
    }
    return {"#f5f6f8", "#ffffff", "#ebedf1", "#1c2128", "#5b6472", "#cfd4dc",
            "#1f6fd0", "#ffffff", "#fbe3e0", "#e2edfb", "#e0e4ea", "#7e8897"};
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
    const bool are_alike = (tone.line.lightness() < 128) == (tone.text.lightness() < 128);
    palette.setColor(QPalette::Disabled, QPalette::HighlightedText, are_alike ? tone.window : tone.text);
    return palette;
}

HeadlightStyle& program_style() {
    auto* style = qobject_cast<HeadlightStyle*>(QApplication::style());
    if (!style) {
        style = new HeadlightStyle;
        QApplication::setStyle(style);
        new FocusRing(*style);
    }
    return *style;
}

}  // namespace

Theme window_theme(FigureTheme theme) {
    const Tones tone = tones(theme);
    // Fusion darkens the window for its edges, and black becomes no darker.
    const QColor edge = theme == FigureTheme::contrast ? tone.line : QColor();
    return {palette_of(tone), tone.problem, tone.notice, tone.faint, tone.thumb, edge};
}

void apply_theme(FigureTheme theme) {
    const Theme look = window_theme(theme);
    program_style().set_theme(look);
    QApplication::setFont(interface_font());
    QApplication::setPalette(look.palette);
    // Qt tells the widgets later; whoever asks one for its colours now shall not get the old ones.
    QCoreApplication::sendPostedEvents(nullptr, QEvent::ApplicationPaletteChange);
}

QFont interface_font() {
    // The family that figures have, so that a label looks the same beside a figure and in it.
    QFont font(figure_font(interface_points, Face::regular).family());
    font.setPointSizeF(interface_points);
    return font;
}

QFont bar_font(FigureTheme theme) {
    QFont font = interface_font();
    if (theme == FigureTheme::projector)
        font.setPointSizeF(projected_bar_points);
    return font;
}

QFont picture_font(FigureTheme theme) {
    QFont font;
    if (theme == FigureTheme::projector)
        font.setPointSizeF(projected_points);
    return font;
}

}  // namespace headlight
