#include "ui/panels/theme.h"

#include "core/figure/theme_table.h"
#include "ui/panels/focus_ring.h"
#include "ui/panels/headlight_style.h"
#include "ui/render/typeface.h"

#include <QApplication>

namespace headlight {
namespace {

constexpr double interface_points = 10;

QPalette palette_of(const WindowTones& tone) {
    const QColor line(tone.line), text(tone.text);
    QPalette palette;
    palette.setColor(QPalette::Window, QColor(tone.window));
    palette.setColor(QPalette::WindowText, text);
    palette.setColor(QPalette::Base, QColor(tone.base));
    palette.setColor(QPalette::AlternateBase, QColor(tone.raised));
    palette.setColor(QPalette::Text, text);
    palette.setColor(QPalette::Button, QColor(tone.raised));
    palette.setColor(QPalette::ButtonText, text);
    palette.setColor(QPalette::BrightText, QColor(tone.on_accent));
    palette.setColor(QPalette::ToolTipBase, QColor(tone.base));
    palette.setColor(QPalette::ToolTipText, text);
    palette.setColor(QPalette::PlaceholderText, QColor(tone.dim_text));
    palette.setColor(QPalette::Highlight, QColor(tone.accent));
    palette.setColor(QPalette::HighlightedText, QColor(tone.on_accent));
    palette.setColor(QPalette::Link, text);  // underlined; the accent is for what is selected
    palette.setColor(QPalette::LinkVisited, text);
    palette.setColor(QPalette::Light, QColor(tone.base));
    palette.setColor(QPalette::Midlight, QColor(tone.raised));
    palette.setColor(QPalette::Mid, line);
    palette.setColor(QPalette::Dark, line.darker(120));
    palette.setColor(QPalette::Shadow, line.darker(160));
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, QColor(tone.dim_text));
    palette.setColor(QPalette::Disabled, QPalette::Highlight, line);
    const bool are_alike = (line.lightness() < 128) == (text.lightness() < 128);
    palette.setColor(QPalette::Disabled, QPalette::HighlightedText, are_alike ? QColor(tone.window) : text);
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
    const ThemeRow& row = theme_row(theme);
    const WindowTones& tone = row.window;
    return {.palette = palette_of(tone),
            .problem = QColor(tone.problem),
            .notice = QColor(tone.notice),
            .faint = QColor(tone.faint),
            .thumb = QColor(tone.thumb),
            .edge = row.has_edges ? QColor(tone.line) : QColor(),
            .field_edge = QColor(tone.field_edge)};
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
    if (const double points = theme_row(theme).bar_type; points > 0)
        font.setPointSizeF(points);
    return font;
}

QFont picture_font(FigureTheme theme) {
    QFont font;
    if (const double points = theme_row(theme).picture_type; points > 0)
        font.setPointSizeF(points);
    return font;
}

}  // namespace headlight
