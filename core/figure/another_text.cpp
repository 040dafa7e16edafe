#include "core/figure/another_text.h"

namespace headlight {

FigureSettings for_another_text(const FigureSettings& before) {
    FigureSettings figure;
    figure.colour_map = before.colour_map;
    figure.scale = before.scale;
    figure.range = before.range;
    figure.values_in_cells = before.values_in_cells;
    figure.own_scales = before.own_scales;
    figure.options.panel_titles = before.options.panel_titles;
    figure.options.caption = before.options.caption;
    figure.options.letters = before.options.letters;
    figure.options.letters_at = before.options.letters_at;
    figure.options.digits = before.options.digits;
    figure.options.colour_bar = before.options.colour_bar;
    figure.options.transparent = before.options.transparent;
    figure.options.type = before.options.type;
    figure.options.lines = before.options.lines;
    figure.options.one_scale = before.options.one_scale;
    return figure;
}

}  // namespace headlight
