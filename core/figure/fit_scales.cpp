#include "core/figure/fit_scales.h"

#include "core/figure/fitted_scale.h"
#include "core/figure/notes.h"
#include "core/figure/panel_part.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <span>

namespace headlight {
namespace {

/// How finely a large map is read, in cells: which number they have at most is the same at any size, how many
/// have it is not.
Index fine_enough(const ColourRange& range) { return range.kind == RangeKind::percentiles ? 512 : 256; }

std::size_t number_count(const Panel& panel, const ColourRange& range) {
    const Index most = fine_enough(range);
    return panel.large ? static_cast<std::size_t>(std::min(panel.rows, most) * std::min(panel.columns, most))
                       : panel.values.size();
}

void include(NumberRange& all, EvenSample& sample, const Panel& panel, const ColourRange& range) {
    std::vector<double> seen;
    std::span<const double> numbers(panel.values.data(), panel.values.size());
    if (panel.large) {
        const Index most = fine_enough(range);
        const SeenMap map = seen_map(*panel.large, panel.rows, panel.columns, most, most);
        seen.assign(map.largest.begin(), map.largest.end());
        numbers = seen;
    }
    for (const double number : numbers)
        all.include(number);
    if (range.kind == RangeKind::percentiles)
        sample.take(numbers, panel.forbidden);
}

}  // namespace

void fit_scales(Figure& figure, const std::vector<bool>& is_fitted, const ColourRange& wanted) {
    const ColourRange range = wanted.kind == RangeKind::unit ? RangeKind::fitted : wanted;
    struct Shared {
        ColourScale before, after;
    };
    std::vector<Shared> scales;
    const auto of_scale = [&](const ColourScale& scale) {
        return std::ranges::find(scales, scale, &Shared::before);
    };
    for (std::size_t i = 0; i < figure.panels.size(); ++i)
        if (is_fitted[i] && of_scale(figure.panels[i].scale) == scales.end())
            scales.push_back({figure.panels[i].scale, {}});
    for (Shared& shared : scales) {
        std::vector<const Panel*> panels;
        std::size_t count = 0;
        for (const Panel& panel : figure.panels)
            if (panel.scale == shared.before) {
                panels.push_back(&panel);
                count += number_count(panel, range);
            }
        NumberRange all;
        EvenSample sample(count);
        for (const Panel* panel : panels)
            include(all, sample, *panel, range);
        shared.after = ranged_scale(shared.before, range, all, sample.numbers());
    }
    for (Panel& panel : figure.panels)
        if (const auto shared = of_scale(panel.scale); shared != scales.end())
            panel.scale = shared->after;
}

ColourRange range_of(const LargeMap& map, const ColourRange& range) {
    const bool has_own_range = map.has_own_range || map.is_implied();
    return range.kind == RangeKind::unit && has_own_range ? RangeKind::fitted : range;
}

ColourRange drawn_range(const Figure& figure, const ColourRange& asked) {
    const auto first = std::ranges::find_if(figure.panels, [](const Panel& panel) {
        return !panel.thumbnail && !panel.blank && panel.kind != Panel::Kind::text;
    });
    if (first == figure.panels.end())
        throw Error({"take a range", "", "a figure with colours", "one without"});
    const ColourScale& scale = first->scale;
    const bool is_unit = asked.kind == RangeKind::unit && scale.high == 1 && scale.low >= 0;
    return is_unit ? ColourRange(RangeKind::unit) : ColourRange(RangeKind::numbers, scale.low, scale.high);
}

void complete_large_maps(Figure& figure, const ColourRange& range) {
    std::vector<bool> is_fitted;
    for (Panel& panel : figure.panels) {
        if (panel.large)
            panel.large->waits = true;
        is_fitted.push_back(panel.large && range_of(*panel.large, range).follows_numbers());
        if (panel.large && !figure.hidden_tokens.empty())  // what they had is known when all has been read
            seen_map(*panel.large, panel.rows, panel.columns, 1, 1);
    }
    fit_scales(figure, is_fitted, range);
    tell_hidden_mass(figure);
    for (Panel& panel : figure.panels)
        if (panel.of_rows > 0)
            take_numbers(panel);
}

}  // namespace headlight
