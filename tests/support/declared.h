#pragma once

#include "core/figure/panel_maker.h"
#include "core/figure/theme_table.h"
#include "core/figure/view.h"
#include "ui/render/exporter.h"

namespace headlight::samples {

// A view and a file format as a file of entries/ would declare them, and a theme as a row of its table would.

inline constexpr ViewKind diagonal{"diagonal"};
inline constexpr ExportFormat words{"words"};

/// The selected head again; not over an image.
inline View declared_view() {
    View view{diagonal};
    view.order = 90;
    view.title = "Diagonal";
    view.shows = "What each token gives to itself";
    view.stages = View::Stages::weights;
    view.lacks = [](const ViewSubject& subject) {
        return std::string(subject.has_image ? "Words alone have a diagonal" : "");
    };
    view.build = [](const PanelMaker& maker, const PatchedPicture&, Figure& figure) {
        figure.panels.push_back(maker.panel("weights", maker.head_in("weights")));
        figure.title = "The diagonal";
    };
    return view;
}

inline Exporter declared_exporter() {
    Exporter exporter{words};
    exporter.order = 90;
    exporter.title = "Words, for reading aloud";
    exporter.about = "Words are the description";
    exporter.is_picture = false;
    exporter.session_in = [](const QByteArray& bytes) -> std::optional<std::string> {
        const QByteArray title("The diagonal\n");
        return bytes.startsWith(title) ? std::optional(bytes.mid(title.size()).toStdString()) : std::nullopt;
    };
    exporter.write = [](const Figure& figure, QSizeF, const ExportOptions&) {
        return QByteArray::fromStdString(figure.title + "\n" + figure.session);
    };
    return exporter;
}

/// Brown on cream, else as the light one.
inline ThemeRow declared_theme() {
    ThemeRow theme = theme_row(FigureTheme::light);
    theme.word = "sepia";
    theme.meaning = "brown on cream, as old prints are";
    theme.name = "&Sepia";
    theme.tip = "Brown on cream";
    theme.lengths.label = 9.25;
    theme.figure.background = "#f4ecd8";
    theme.figure.text = "#3b2a1a";
    theme.window.window = "#efe3c8";
    theme.picture_type = 11;
    return theme;
}

}  // namespace headlight::samples
