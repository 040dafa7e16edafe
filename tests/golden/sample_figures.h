#pragma once

#include "core/figure/build_figure.h"

#include <string>
#include <vector>

namespace headlight::sample_figures {

inline constexpr FigureTheme themes[] = {FigureTheme::paper, FigureTheme::light, FigureTheme::dark,
                                         FigureTheme::projector, FigureTheme::contrast};

inline Figure figure_of(const Trace& trace, ViewKind view, FigureTheme theme = FigureTheme::light,
                        const std::string& stage = "weights", const std::vector<Index>& heads = {}) {
    ViewSettings settings;
    settings.options.heads = heads;
    settings.view = view;
    settings.theme = theme;
    settings.selection.stage = stage;
    return build_figure(trace, settings);
}

}  // namespace headlight::sample_figures
