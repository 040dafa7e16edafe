#include "ui/render/panel_grid.h"
#include "ui/render/panel_shape.h"
#include "ui/render/text_flow.h"
#include "ui/render/typeface.h"

#include <algorithm>
#include <cmath>

namespace headlight {

bool PanelGrid::is_of_texts(Index row) const {
    for (Index column = 0; column < columns_ && exists(row, column); ++column)
        if (item(row, column).panel->kind != Panel::Kind::text)
            return false;
    return exists(row, 0);
}

/// Whether the text has pages in its cells, or in those that rounding in another unit may leave of them.
bool PanelGrid::may_be_parted(const Item& item) const {
    constexpr double rounding = 0.95;
    const double height =
        std::max(unit_, rounding * cells_height(item) - 0.5 * type(style_.tick));  // as in settle()
    return flow_text(*item.panel, QRectF(0, 0, height * item.shape, height), style_, unit_).pages > 1;
}

/// Whether the figure is of texts, below one another where there are several.
bool PanelGrid::are_texts_alone() const {
    bool are_texts = columns_ == 1 && !figure_.is_composed;
    for (Index row = 0; row < rows(); ++row)
        are_texts = are_texts && is_of_texts(row);
    return are_texts;
}

/// Where the height is what there is too little of, lines are as long as the figure is wide.
void PanelGrid::widen_texts(double width, double height) {
    if (!are_texts_alone())
        return;
    constexpr int rounds = 3;  // titles and legends have fewer lines then, which leaves more height
    for (int round = 0; round < rounds; ++round) {
        const double cells = (height - fixed_height() - 0.5 * type(style_.tick)) / row_shares();
        for (std::size_t i = 0; cells > unit_ && i < items_.size(); ++i) {
            Item& here = items_[i];
            const double filling = (width - fixed_width(static_cast<Index>(i))) / (cells * here.tall);
            here.shape = std::max(shape_of(*here.panel), filling);
        }
        plan(std::max(cells, unit_));
        settle(width, height);
    }
}

void PanelGrid::fit_texts() {
    if (!are_texts_alone())
        return;
    constexpr double rounding = 1.03;  // as in give_texts_room()
    for (Item& here : items_) {
        const double height = cells_height(here), width = height * here.shape;
        const TextFlow flow = flow_text(*here.panel, QRectF(0, 0, width, height), style_, unit_);
        if (flow.pages > 1 || flow.tokens.empty())
            continue;
        constexpr double spare = 0.4;  // of a line, which is more than that of a short text
        const double needed = rounding * text_height(*here.panel, width, flow.size, style_) +
                              spare * flow.size + 0.5 * type(style_.tick);  // the latter as in settle()
        here.tall *= needed / height;
        here.shape = width / needed;
    }
    plan(cells_height_);
}

void PanelGrid::give_texts_room(double spare) {
    bool are_parted = false;
    std::vector<double> widest(static_cast<std::size_t>(rows()), 0);  // [row], 0 where it has other panels
    for (Index row = 0; row < rows(); ++row) {
        if (!is_of_texts(row))
            continue;
        for (Index column = 0; column < columns_ && exists(row, column); ++column) {
            const Item& here = item(row, column);
            are_parted = are_parted || may_be_parted(here);
            widest[static_cast<std::size_t>(row)] =
                std::max(widest[static_cast<std::size_t>(row)], cells_height(here) * here.shape);
        }
    }
    if (!are_parted || !(spare > 0))
        return;
    // Texts alone below one another are as wide as the widest of them.
    if (columns_ == 1 && std::ranges::all_of(widest, [](double width) { return width > 0; }))
        std::ranges::fill(widest, *std::ranges::max_element(widest));
    const auto width_of = [&](Index row, const Item& here) {
        return columns_ == 1 ? widest[static_cast<std::size_t>(row)] : cells_height(here) * here.shape;
    };
    // [row], what its lines need in type of a size, and what it has where that is more.
    const auto heights = [&](double size) {
        std::vector<double> all;
        for (Index row = 0; row < rows(); ++row) {
            all.push_back(cells_height(item(row, 0)));
            if (widest[static_cast<std::size_t>(row)] <= 0)
                continue;
            for (Index column = 0; column < columns_ && exists(row, column); ++column) {
                const Item& here = item(row, column);
                constexpr double rounding = 1.03;
                all.back() = std::max(all.back(),
                                      rounding * text_height(*here.panel, width_of(row, here), size, style_));
            }
        }
        return all;
    };
    const auto more = [&](const std::vector<double>& all) {
        double sum = 0;
        for (Index row = 0; row < rows(); ++row)
            sum += all[static_cast<std::size_t>(row)] - cells_height(item(row, 0));
        return sum;
    };
    constexpr double step = 0.94;
    const double least = type_size(style_.least_label, unit_);
    double size = std::max(least, type_size(style_.label, unit_));
    std::vector<double> wanted = heights(size);
    while (more(wanted) > spare && size > least) {
        size = std::max(least, step * size);
        wanted = heights(size);
    }
    const double share = std::min(1.0, spare / std::max(unit_, more(wanted)));
    for (Index row = 0; row < rows(); ++row) {
        if (widest[static_cast<std::size_t>(row)] <= 0)
            continue;
        const double before = cells_height(item(row, 0)),
                     after = before + share * (wanted[static_cast<std::size_t>(row)] - before);
        for (Index column = 0; column < columns_ && exists(row, column); ++column) {
            Item& here = items_[static_cast<std::size_t>(row * columns_ + column)];
            here.shape = width_of(row, here) / after;
        }
        for (Index column = 0; column < columns_ && exists(row, column); ++column)
            items_[static_cast<std::size_t>(row * columns_ + column)].tall *= after / before;
    }
    plan(cells_height_);
}

}  // namespace headlight
