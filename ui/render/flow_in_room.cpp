// In which form a flow is drawn, and how large.

#include "ui/render/figure_style.h"
#include "ui/render/flow_plan.h"
#include "ui/render/typeface.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace headlight {

namespace {

FlowPlan largest_flow(const Flow& flow, const std::shared_ptr<const FlowExtents>& extents, const QSizeF& room,
                      double most, FlowForm form) {
    constexpr double step = 0.98;
    std::optional<FlowPlan> plan(std::in_place, flow, extents, most, form);
    const double share = std::min(room.width() / plan->width(), room.height() / plan->height());
    // All of it grows with the type: what is smaller by that share fits, but for rounding.
    for (double size = std::floor(share * most); share < 1;
         size = std::floor(std::min(size - 1, step * size))) {
        size = std::max(1.0, size);
        plan.emplace(flow, extents, size, form);
        if (size == 1 || plan->fits(room))
            break;
    }
    return *plan;
}

/// In the order in which they are tried.
std::vector<FlowForm> forms_of(const Flow& flow, bool has_shapes) {
    std::vector<FlowForm> forms;
    if (has_shapes)
        forms.push_back({.has_shapes = has_shapes});
    forms.push_back({.has_shapes = has_shapes, .is_dense = true});
    if (flow.pitch == 0) {
        forms.push_back({.has_shapes = has_shapes, .is_dense = true, .is_tight = true});
        return forms;
    }
    constexpr Index most_rows = 4, least_columns = 2;  // of a row
    for (Index rows = 2; rows <= most_rows && least_columns * rows <= std::ssize(flow.gaps); ++rows)
        for (const bool is_dense : {false, true})
            forms.push_back({.has_shapes = has_shapes, .is_dense = is_dense, .rows = rows});
    for (const bool is_dense : {false, true})
        forms.push_back({.goes_down = true, .has_shapes = has_shapes, .is_dense = is_dense});
    return forms;
}

}  // namespace

double largest_flow_type(const FigureStyle& style, double unit) {
    constexpr double grown = 1.4;  // of labels: the words are the picture, where there is room for it
    return type_size(style.largest_text > 0 ? std::min(grown * style.label, style.largest_text) : style.label,
                     unit);
}

FlowPlan flow_in_room(const Flow& flow, const QSizeF& room, const FigureStyle& style, double unit,
                      const std::optional<FlowForm>& decided) {
    constexpr double nearly = 0.9;  // of labels: to be read without effort
    constexpr double much = 1.25;   // larger type, for which a flow may be folded that can be read as it is
    const double least = type_size(style.least_label, unit), most = largest_flow_type(style, unit);
    const bool may_fold = flow.pitch > 0;
    const double enough = std::max(least, nearly * type_size(style.label, unit));
    const auto extents = std::make_shared<const FlowExtents>(flow, style.family);
    if (decided)
        return largest_flow(flow, extents, room, most, *decided);
    std::optional<FlowPlan> best;
    for (const bool has_shapes : {true, false}) {
        for (const FlowForm& form : forms_of(flow, has_shapes)) {
            FlowPlan plan = largest_flow(flow, extents, room, most, form);
            const double worth = best && best->size() >= enough ? much : 1;
            if (!best || plan.size() > worth * best->size())
                best.emplace(std::move(plan));
            if (best->size() >= enough && (!may_fold || much * best->size() >= most))
                return *best;
        }
        if (best->size() >= least)
            break;
    }
    return *best;
}

}  // namespace headlight
