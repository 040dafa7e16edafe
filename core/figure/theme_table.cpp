#include "core/figure/theme_table.h"

#include <cassert>
#include <string_view>

namespace headlight {
namespace {

using Medium = ThemeRow::Medium;

constexpr FigureLengths on_screen{
    .title = 11.5,
    .panel_title = 10,
    .subtitle = 8.5,
    .label = 9,
    .axis_title = 8.5,
    .value = 8,
    .tick = 8,
    .operation = 12,
    .caption = 8.5,
    .least_label = 6.5,
    .largest_text = 21,  // 28 pixels of 1/96 inch
    .margin = 10,
    .gap = 14,
    .frame_line = 0.75,
    .grid_line = 0.75,
    .mark_line = 1.5,
    .bar_width = 9,
    .hatch_spacing = 5,
    .thumbnail = 30,
    .natural_cell = 30,
    .cramped_cell = 18,
};

constexpr FigureLengths with_strong_lines(FigureLengths lengths) {
    lengths.frame_line = 1.25;
    lengths.mark_line = 2.25;
    return lengths;
}

constexpr FigureLengths in_print{
    .title = 8.5,
    .panel_title = 8,
    .subtitle = 7,
    .label = 7.5,
    .axis_title = 7.5,
    .value = 7,
    .tick = 7,
    .operation = 10,
    .caption = 6.5,
    .least_label = 6,  // below it, print is hard to read: labels are left out instead
    .largest_text = 0,
    .margin = 2,
    .gap = 9,
    .frame_line = 0.5,
    .grid_line = 0.4,
    .mark_line = 1,
    .bar_width = 6.5,
    .hatch_spacing = 4,
    .thumbnail = 18,
    .natural_cell = 22,
    .cramped_cell = 0,
};

/// No text for the last row of a classroom is smaller: 18 pixels of 1/96 inch.
constexpr double least_projected = 13.5;

constexpr FigureLengths projected{
    .title = 17,
    .panel_title = 15,
    .subtitle = least_projected,
    .label = 14.5,
    .axis_title = least_projected,
    .value = 14,
    .tick = least_projected,
    .operation = 20,
    .caption = least_projected,
    .least_label = least_projected,
    .largest_text = 21,
    .margin = 10,
    .gap = 16,
    .frame_line = 1.5,
    .grid_line = 1.25,
    .mark_line = 3,
    .bar_width = 14,
    .hatch_spacing = 9,
    .thumbnail = 44,
    .natural_cell = 48,
    .cramped_cell = 28,
};

constexpr WindowTones light_window{
    .window = "#f5f6f8",
    .base = "#ffffff",
    .raised = "#ebedf1",
    .text = "#1c2128",
    .dim_text = "#5b6472",
    .line = "#cfd4dc",
    .accent = "#1f6fd0",
    .on_accent = "#ffffff",
    .problem = "#fbe3e0",
    .notice = "#e2edfb",
    .faint = "#e0e4ea",
    .thumb = "#7e8897",
    .field_edge = "#737d8b",
};

// In the order of FigureTheme.
constexpr ThemeRow theme_table[] = {
    {.word = "paper",
     .meaning = "black on white, for print",
     .name = "Paper",
     .medium = Medium::paper,
     .lengths = in_print,
     .figure = {.background = "#ffffff",
                .text = "#000000",
                .quiet_text = "#4a4a4a",
                .frame = "#000000",
                .grid = "#ffffff",
                .accent = "#b3360a",
                .mark = "#882300",
                .forbidden = "#f4f4f4",
                .hatch = "#bdbdbd",
                .missing = "#dcdfe3"},
     .window = light_window},
    {.word = "light",
     .meaning = "light window",
     .name = "&Light",
     .tip = "Dark on light",
     .lengths = on_screen,
     .figure = {.background = "#ffffff",
                .text = "#1d2127",
                .quiet_text = "#626b78",
                .frame = "#9aa3af",
                .grid = "#ffffff",
                .accent = "#c2410c",
                .mark = "#882300",
                .forbidden = "#f1f2f4",
                .hatch = "#c3c8cf",
                .missing = "#dcdfe3"},
     .window = light_window},
    {.word = "dark",
     .meaning = "dark window",
     .name = "&Dark",
     .tip = "Light on dark",
     .lengths = on_screen,
     .figure = {.background = "#181a1f",
                .text = "#e7e9ec",
                .quiet_text = "#98a1ad",
                .frame = "#5b6370",
                .grid = "#181a1f",
                .accent = "#ffa24c",
                .mark = "#ffb066",
                .forbidden = "#22252b",
                .hatch = "#454b55",
                .missing = "#363b43"},
     .window = {.window = "#1f2229",
                .base = "#2d313b",
                .raised = "#373c48",
                .text = "#e6e8ec",
                .dim_text = "#a3acba",
                .line = "#4d5463",
                .accent = "#5aa2f0",
                .on_accent = "#0b1220",
                .problem = "#5a2a2e",
                .notice = "#233a5c",
                .faint = "#3a404d",
                .thumb = "#808a9b",
                .field_edge = "#808a9b"}},
    // Where room is short, labels are left out instead of shrinking.
    {.word = "projector",
     .meaning = "large and high in contrast, readable from the last row",
     .name = "&Projector",
     .tip = "Large and with strong contrast, for the last row; its key leads back as well",
     .keys = "Ctrl+Shift+J",
     .medium = Medium::projector,
     .lengths = projected,
     .least_scale = 1,
     .least_zero_contrast = 7,
     .figure = {.background = "#ffffff",
                .text = "#000000",
                .quiet_text = "#33383f",
                .frame = "#000000",
                .grid = "#ffffff",
                .accent = "#b00020",
                .mark = "#900018",
                .forbidden = "#f1f2f4",
                .hatch = "#a5abb3",
                .missing = "#dcdfe3"},
     .window = {.window = "#ffffff",
                .base = "#ffffff",
                .raised = "#f0f0f0",
                .text = "#000000",
                .dim_text = "#303030",
                .line = "#606060",
                .accent = "#0040a0",
                .on_accent = "#ffffff",
                .problem = "#ffd8d2",
                .notice = "#d6e6ff",
                .faint = "#dedede",
                .thumb = "#7a7a7a",
                .field_edge = "#606060"},
     .picture_type = 14,
     .bar_type = 12},
    // For eyes that need it: all text has 7:1 beside its ground, and lines have 3:1 (WCAG 2, 1.4.6
    // and 1.4.11).
    {.word = "contrast",
     .meaning = "white on black with the strongest contrast, 7:1 for all text",
     .name = "&High contrast",
     .tip = "White on black, with the strongest contrast",
     .lengths = with_strong_lines(on_screen),
     .least_cell_contrast = 3,
     .least_zero_contrast = 7,
     .figure = {.background = "#000000",
                .text = "#ffffff",
                .quiet_text = "#e2e2e2",
                .frame = "#ffffff",
                .grid = "#000000",
                .accent = "#ffe14d",
                .mark = "#ffe14d",
                .forbidden = "#1c1c1c",
                .hatch = "#9a9a9a",
                .missing = "#666666"},
     .window = {.window = "#000000",
                .base = "#000000",
                .raised = "#1c1c1c",
                .text = "#ffffff",
                .dim_text = "#e2e2e2",
                .line = "#b4b4b4",
                .accent = "#ffe14d",
                .on_accent = "#000000",
                .problem = "#6b0014",
                .notice = "#00337a",
                .faint = "#3a3a3a",
                .thumb = "#d0d0d0",
                .field_edge = "#b4b4b4"},
     .has_edges = true},
};

constexpr bool has_word(FigureTheme theme, std::string_view word) {
    return theme_table[static_cast<std::size_t>(theme)].word == word;
}
static_assert(has_word(FigureTheme::paper, "paper") && has_word(FigureTheme::light, "light") &&
              has_word(FigureTheme::dark, "dark") && has_word(FigureTheme::projector, "projector") &&
              has_word(FigureTheme::contrast, "contrast"));

/// The declared themes, and the words for them.
class ThemeRegistry {
public:
    ThemeRegistry() {
        for (const ThemeRow& row : theme_table)
            add(row);
    }

    FigureTheme add(const ThemeRow& row) {
        const auto theme = static_cast<FigureTheme>(rows_.size());
        rows_.push_back(row);
        words_.push_back({theme, row.word, row.meaning});
        return theme;
    }
    std::span<const ThemeRow> rows() const { return rows_; }
    std::span<const Word<FigureTheme>> words() const { return words_; }

private:
    std::vector<ThemeRow> rows_;
    std::vector<Word<FigureTheme>> words_;
};

ThemeRegistry& theme_registry() {
    static ThemeRegistry all;
    return all;
}

}  // namespace

std::span<const ThemeRow> theme_rows() { return theme_registry().rows(); }

const ThemeRow& theme_row(FigureTheme theme) {
    const auto number = static_cast<std::size_t>(theme);
    assert(number < theme_rows().size());
    return theme_rows()[number];
}

std::vector<FigureTheme> window_themes() {
    std::vector<FigureTheme> themes;
    for (const Word<FigureTheme>& each : theme_registry().words())
        if (!is_for_paper(each.value))
            themes.push_back(each.value);
    return themes;
}

const FigureLengths& print_lengths() { return in_print; }

FigureTheme add_theme_row(const ThemeRow& row) { return theme_registry().add(row); }

template <>
std::span<const Word<FigureTheme>> words() {
    return theme_registry().words();
}

}  // namespace headlight
