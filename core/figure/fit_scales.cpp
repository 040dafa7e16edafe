#include "core/figure/fit_scales.h"

#include "core/figure/fitted_scale.h"
#include "core/figure/notes.h"

#include <algorithm>
#include <utility>

namespace headlight {
namespace {

void include(NumberRange& range, const Panel& panel) {
    constexpr Index fine_enough = 256;  // cells: which number they have at most is the same at any size
    if (panel.large)
        for (const float value :
             seen_map(*panel.large, panel.rows, panel.columns, fine_enough, fine_enough).largest)
            range.include(value);
    else
        for (const double value : panel.values)
            range.include(value);
}

}  // namespace

void fit_scales(Figure& figure, const std::vector<bool>& is_fitted) {
    std::vector<std::pair<ColourScale, NumberRange>> fitted;
    const auto range_of = [&](const ColourScale& scale) {
        return std::ranges::find(fitted, scale, &std::pair<ColourScale, NumberRange>::first);
    };
    for (std::size_t i = 0; i < figure.panels.size(); ++i)
        if (is_fitted[i] && range_of(figure.panels[i].scale) == fitted.end())
            fitted.emplace_back(figure.panels[i].scale, NumberRange());
    for (const Panel& panel : figure.panels)
        if (const auto range = range_of(panel.scale); range != fitted.end())
            include(range->second, panel);
    for (Panel& panel : figure.panels)
        if (const auto range = range_of(panel.scale); range != fitted.end())
            panel.scale = fitted_scale(panel.scale, range->second);
}

void complete_large_maps(Figure& figure, RangeKind range) {
    std::vector<bool> is_fitted;
    for (Panel& panel : figure.panels) {
        if (panel.large)
            panel.large->waits = true;
        is_fitted.push_back(panel.large && (range == RangeKind::fitted || panel.large->has_own_range));
        if (panel.large && !figure.hidden_tokens.empty())  // what they had is known when all has been read
            seen_map(*panel.large, panel.rows, panel.columns, 1, 1);
    }
    fit_scales(figure, is_fitted);
    tell_hidden_mass(figure);
}

}  // namespace headlight
