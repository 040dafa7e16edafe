#pragma once

#include "core/figure/view_settings.h"
#include "core/tensor/words.h"

#include <span>
#include <vector>

namespace headlight {

/// How large what a figure draws is, in points.
struct FigureLengths {
    double title, panel_title, subtitle, label, axis_title, value, tick, operation, caption;
    double least_label;    ///< labels that do not fit shrink to this size, then are thinned
    double largest_text;   ///< no text grows larger with the cells; 0 where text stays as it is
    double margin;         ///< around everything
    double gap;            ///< between panels
    double frame_line;     ///< around a matrix
    double grid_line;      ///< between cells that are large enough for it
    double mark_line;      ///< around the newest row and the selection
    double bar_width;      ///< of the colour bar
    double hatch_spacing;  ///< between the lines over forbidden cells
    double thumbnail;      ///< height of the strip's matrices
    double natural_cell;   ///< a comfortable side of a cell that holds a number

    /// Where cells are smaller, in points, labels of rows that lie level are drawn at the first matrix only.
    double cramped_cell;
};

/// Colours of a figure, as "#rrggbb".
struct FigureTones {
    const char *background, *text, *quiet_text, *frame, *grid, *accent;
    const char* mark;  ///< frames over cells: beside the background seen on every colour of every map
    const char *forbidden, *hatch;  ///< cells that the mask forbids
    const char* missing;            ///< cells without a number (NaN)
};

/// Colours of the window, as "#rrggbb".
struct WindowTones {
    const char *window, *base, *raised, *text, *dim_text, *line, *accent, *on_accent;
    const char *problem, *notice;  ///< grounds of messages
    const char* faint;             ///< ground of what is on
    const char* thumb;             ///< of scroll bars; sliders and progress bars up to where they stand
    const char* field_edge;        ///< around what is typed in or chosen from: 3:1 beside each ground
};

/// How figures and the window look, declared once. Its word in files and on the command line, its entry in
/// the menu of themes and in the dialog of exports, and every colour and size follow.
struct ThemeRow {
    enum class Medium {
        paper,      ///< for print: on no ground, and no theme of a window
        screen,     ///< of one who sits before it
        projector,  ///< of a class: panels make way, what is read is large, and no text becomes smaller
    };

    const char* word;       ///< in files and on the command line
    const char* meaning;    ///< there
    const char* name;       ///< "&Dark": in menus
    const char* tip = "";   ///< what choosing it does; none on paper
    const char* keys = "";  ///< the standard ones, in Qt's portable words
    Medium medium = Medium::screen;
    FigureLengths lengths;
    /// All text shrinks to this share of its size where matrices have too little room.
    double least_scale = 0.55;
    /// What every colour of a map has at least beside the ground, by WCAG 2; 0 where all are shown.
    double least_cell_contrast = 0;
    /// What numbers that read as zero and step back keep beside their cell, by WCAG 2.
    double least_zero_contrast = 4.5;
    FigureTones figure;
    WindowTones window;
    /// Buttons, fields, lists and menus have an edge in the colour of lines: beside black the darker ground
    /// that they have else is not seen.
    bool has_edges = false;
    /// In points: type of what a class reads in the window, and of the bars beside it; 0 where both have the
    /// window's.
    double picture_type = 0, bar_type = 0;
};

/// Every theme; a FigureTheme is the number of its row.
std::span<const ThemeRow> theme_rows();
const ThemeRow& theme_row(FigureTheme theme);
/// Those that a window can have: every one but those for paper.
std::vector<FigureTheme> window_themes();

/// Those of print: one column of a journal, thin lines, type that is legible at 85 mm and no larger.
const FigureLengths& print_lengths();

inline bool is_for_paper(FigureTheme theme) { return theme_row(theme).medium == ThemeRow::Medium::paper; }
inline bool is_for_class(FigureTheme theme) { return theme_row(theme).medium == ThemeRow::Medium::projector; }

/// One more, whose word must be new. For programs and tests that bring themes of their own, at their start:
/// before anything is drawn or a menu is made. What it points to stays.
FigureTheme add_theme_row(const ThemeRow& row);

template <>
std::span<const Word<FigureTheme>> words();

}  // namespace headlight
