#include "core/figure/fit_scales.h"

#include "core/figure/allowed_cells.h"
#include "core/figure/cell_signs.h"
#include "core/figure/fitted_scale.h"
#include "core/figure/notes.h"
#include "core/figure/panel_part.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>

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

/// Calls take(numbers, forbidden) with what there is of a panel.
template <class Take>
void take_numbers_of(const Panel& panel, const ColourRange& range, const Take& take) {
    if (!panel.large)
        return take(std::span<const double>(panel.values.data(), panel.values.size()), panel.forbidden);
    const Index most = fine_enough(range);
    const SeenMap map = seen_map(*panel.large, panel.rows, panel.columns, most, most);
    take(std::vector<double>(map.furthest.begin(), map.furthest.end()),
         forbidden_cells(*panel.large, panel.rows, panel.columns, map.rows, map.columns));
}

bool is_difference(const Panel& panel) { return panel.large && panel.large->rounding; }

/// Whether a colour means the same number in both.
bool have_one_scale(const Panel& a, const Panel& b) {
    const auto has_own = [](const Panel& panel) { return panel.large && panel.large->has_own_scale; };
    return &a == &b || (a.scale == b.scale && are_of_one_kind(a, b) && is_difference(a) == is_difference(b) &&
                        !has_own(a) && !has_own(b));
}

/// The scale of panels that share one, fitted to the numbers of all of them.
ColourScale fitted_to(const std::vector<const Panel*>& panels, const ColourRange& range) {
    FittedNumbers numbers = fitted_numbers(panels, range);
    const Panel& first = *panels.front();
    const NumberRange& all = numbers.range;
    const bool is_rounding =
        is_difference(first) && std::max(std::abs(all.low), std::abs(all.high)) < *first.large->rounding;
    // What is the same looks the same.
    return is_rounding ? first.scale : ranged_scale(first.scale, range, all, std::move(numbers.sample));
}

}  // namespace

FittedNumbers fitted_numbers(const std::vector<const Panel*>& panels, const ColourRange& range) {
    std::size_t count = 0;
    for (const Panel* panel : panels)
        count += number_count(*panel, range);
    NumberRange all;
    EvenSample sample(range.kind == RangeKind::percentiles ? count : 0);
    for (const Panel* panel : panels)
        take_numbers_of(*panel, range,
                        [&](std::span<const double> numbers, std::span<const std::uint8_t> forbidden) {
                            all.include_divided(range_of_numbers(numbers, forbidden), 1);
                            sample.take(numbers, forbidden);
                        });
    return {all, sample.numbers()};
}

bool are_of_one_kind(const Panel& a, const Panel& b) { return a.site != b.site || a.scale_of == b.scale_of; }

ColourRange range_of(const LargeMap& map, const ColourRange& range) {
    if (range.follows_numbers())
        return range;
    // Numbers that start at 0 or above are no ends for what goes both ways from 0.
    const bool is_of_one_sign = range.kind == RangeKind::unit || range.from >= 0;
    const bool is_fitted = map.rounding || (map.is_signed() && is_of_one_sign) ||
                           ((map.has_own_range || map.has_own_scale) && range.kind == RangeKind::unit);
    return is_fitted ? RangeKind::fitted : range;
}

void show_signs(Figure& figure, const ColourRange& range) {
    bool has_signed = false;
    for (const Panel& panel : figure.panels) {
        if (!panel.large || !panel.large->is_signed())
            continue;
        has_signed = true;
        if (panel.scale.low == -panel.scale.high)
            continue;
        ColourScale around_zero;
        around_zero.map = panel.scale.map == "greys" ? panel.scale.map : "diverging";
        around_zero.low = -1;
        if (range.kind == RangeKind::numbers)
            around_zero = ranged_scale(around_zero, range, {});
        std::vector<bool> are_shared;
        for (const Panel& other : figure.panels)
            are_shared.push_back(have_one_scale(panel, other));
        for (std::size_t i = 0; i < figure.panels.size(); ++i)
            if (are_shared[i])
                figure.panels[i].scale = around_zero;
    }
    if (has_signed)
        tell_furthest_numbers(figure);
}

void fit_scales(Figure& figure, const std::vector<bool>& is_fitted, const ColourRange& wanted) {
    const std::vector<Panel>& panels = figure.panels;
    std::vector<bool> is_done(panels.size());
    std::vector<ColourScale> scales;
    scales.reserve(panels.size());
    for (const Panel& panel : panels)
        scales.push_back(panel.scale);
    for (std::size_t i = 0; i < panels.size(); ++i) {
        if (!is_fitted[i] || is_done[i])
            continue;
        ColourRange range = panels[i].large ? range_of(*panels[i].large, wanted) : wanted;
        if (range.kind == RangeKind::unit)
            range = RangeKind::fitted;
        std::vector<const Panel*> shared;
        for (const Panel& other : panels)
            if (have_one_scale(panels[i], other))
                shared.push_back(&other);
        const ColourScale scale = fitted_to(shared, range);
        for (const Panel* panel : shared) {
            const auto at = static_cast<std::size_t>(panel - panels.data());
            scales[at] = scale;
            is_done[at] = true;
        }
    }
    for (std::size_t i = 0; i < panels.size(); ++i)
        figure.panels[i].scale = scales[i];
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
    for (Panel& panel : figure.panels)
        if (panel.large && !panel.blank) {
            panel.large->waits = true;
            // Whether it has negative numbers, and what hidden keys had, is known when all has been read.
            seen_map(*panel.large, panel.rows, panel.columns, 1, 1);
        }
    show_signs(figure, range);
    std::vector<bool> is_fitted;
    for (const Panel& panel : figure.panels)
        is_fitted.push_back(panel.large && range_of(*panel.large, range).follows_numbers());
    fit_scales(figure, is_fitted, range);
    tell_hidden_mass(figure);
    for (Panel& panel : figure.panels)
        if (panel.of_rows > 0)
            take_numbers(panel);
    tell_cell_signs(figure);
}

}  // namespace headlight
