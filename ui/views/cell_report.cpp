#include "ui/views/cell_report.h"

#include "core/analysis/displayed_weights.h"
#include "core/analysis/pooled_layers.h"
#include "core/attention/component.h"
#include "core/figure/build_figure.h"
#include "core/figure/view_titles.h"
#include "core/map/map_tiles.h"
#include "core/map/trace_maps.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

namespace headlight {
namespace {

const Stage& require_stage(const Trace& trace, const std::string& name, const std::string& site) {
    if (const Stage* stage = trace.find(name, site))
        return *stage;
    throw Error({"explain a cell", "trace", "a recorded stage", "'" + excerpt(name) + "'"});
}

Index last_extent(const Stage& stage) { return stage.shape.back(); }
Index row_extent(const Stage& stage) {
    return stage.shape.size() < 2 ? 1 : stage.shape[stage.shape.size() - 2];
}

bool is_unknown(const TokenLabels& tokens, Axis axis, Index index) {
    const std::vector<bool>* marks = axis == Axis::query ? &tokens.query_unknown
                                     : axis == Axis::key ? &tokens.key_unknown
                                                         : nullptr;
    const auto at = static_cast<std::size_t>(index);
    return marks && at < marks->size() && (*marks)[at];
}

/// Places of the weights, the largest first; ties stay in order.
std::vector<Index> by_size(const std::vector<double>& weights) {
    std::vector<Index> order(weights.size());
    std::iota(order.begin(), order.end(), Index(0));
    std::ranges::stable_sort(order, std::greater<>(), [&](Index i) {
        const double weight = weights[static_cast<std::size_t>(i)];
        return std::isnan(weight) ? -std::numeric_limits<double>::infinity() : weight;
    });
    return order;
}

/// Whether there is a mask that says something about such a matrix.
bool concerns(const Plan* plan, Index queries, Index keys) {
    return plan && plan->allowed.queries() == queries && plan->allowed.keys() == keys &&
           !plan->allowed.all_allowed();
}

/// Says it for a pair that is not among the plan's.
ForbiddenBy who_forbids(const Plan& plan, Index query, Index key) {
    if (is_dropped(plan, query, key))
        return {.cache = newest_keys(plan.spec)};
    return {.mask = true};
}

/// Outside of what the mask of a capture lets the query look at.
bool is_masked_in_capture(const Trace& trace, const Stage& stage, const CellPlace& place) {
    if (stage.name != "weights" || !stage.is_lazy || place.rows_are_keys)
        return false;
    const MapOrigin& origin = trace.lazy_maps(stage).origin();
    if (!origin.tiles)
        return false;
    const KeyRange keys = origin.tiles->maps()->allowed_keys({origin.layer, place.head}, *place.row);
    return *place.column < keys.begin || *place.column >= keys.end;
}

Index count_unknown(const std::vector<double>& weights) {
    return std::ranges::count_if(weights, [](double weight) { return std::isnan(weight); });
}

/// 0 where weights of both signs leave no more than a rest of rounding.
double sum_of_known(const std::vector<double>& weights) {
    double sum = 0, magnitude = 0;
    for (const double weight : weights)
        if (!std::isnan(weight)) {
            sum += weight;
            magnitude += std::abs(weight);
        }
    return std::abs(sum) <= 1e-12 * magnitude ? 0 : sum;
}

/// Sum and entropy of the weights.
void sum_up(RowReport& report, const std::vector<double>& weights) {
    report.entropy_bits = report.effective_keys = 0;
    report.sum = sum_of_known(weights);
    report.unknown = count_unknown(weights);
    report.is_shares = report.unknown == 0 && report.sum > 0 && report.sum <= 1 + 1e-6 &&
                       std::ranges::none_of(weights, [](double weight) { return weight < 0; });
    if (!report.is_shares)
        return;
    for (const double weight : weights)
        if (const double p = weight / report.sum; p > 0)
            report.entropy_bits -= p * std::log2(p);
    report.effective_keys = std::exp2(report.entropy_bits);
}

/// Adds what the lens shows of the row or the column that is reported.
void add_drawn(CellReport& report, const Trace& trace, const Stage& weights, Index head,
               const WeightLens& lens) {
    const std::string& site = report.place.site;
    const bool has_norms = lens.weights == DrawnWeights::value_norms;
    const bool is_rollout = lens.pooled == PooledHeads::rollout;
    if (lens == WeightLens() || is_sparse(trace, weights) ||
        (has_norms && (is_rollout || !value_norms_lack(trace, site).empty())) ||
        (is_rollout && !rollout_lack(trace, site).empty()) ||
        (lens.pooled_layers && !layers_lack(trace, site).empty()))
        return;  // then there is no such picture
    const DisplayedWeights seen(trace, site, lens);
    if (report.row) {
        const DisplayedWeights::Rows row = seen.rows(weights, head, report.row->query, 1);
        report.row->drawn = row.weights.copy();
        report.row->hidden_mass = row.hidden_mass;
        report.row->by_weight = by_size(report.row->drawn);
        if (lens.pooled || lens.pooled_layers) {
            std::vector<double> of_all = report.row->drawn;
            std::erase_if(of_all, [](double weight) { return std::isnan(weight); });
            sum_up(*report.row, of_all);
        }
    }
    if (report.column) {
        const Storage<const double> all = seen.map(weights, head).weights;
        for (Index query = 0; query < row_extent(weights); ++query)
            report.column->drawn.push_back(
                all[static_cast<std::size_t>(query * last_extent(weights) + report.column->key)]);
        report.column->by_weight = by_size(report.column->drawn);
    }
}

}  // namespace

RowReport report_row(const Plan* plan, const Trace& trace, const std::string& site, Index head, Index query) {
    const Stage& stage = require_stage(trace, "weights", site);
    const Index keys = last_extent(stage), queries = row_extent(stage);
    if (query < 0 || query >= queries)
        throw Error(
            {"explain a row", "weights", "a query below " + std::to_string(queries), std::to_string(query)});

    RowReport report;
    report.query = query;
    if (stage.is_large()) {
        report.weights = large_numbers(trace, stage, head, {query, 1, 0, keys});
    } else {
        const auto all = trace.matrix(stage, head)
                             .subspan(static_cast<std::size_t>(query * keys), static_cast<std::size_t>(keys));
        report.weights.assign(all.begin(), all.end());
    }
    if (concerns(plan, queries, keys)) {
        const AllowedRow allowed = plan->allowed.row(query);
        for (Index key = 0; key < keys; ++key)
            report.forbidden.push_back(
                allowed[static_cast<std::size_t>(key)] ? ForbiddenBy() : who_forbids(*plan, query, key));
    }
    report.by_weight = by_size(report.weights);
    sum_up(report, report.weights);
    const auto& masked = trace.fully_masked_queries;
    report.fully_masked = std::find(masked.begin(), masked.end(), query) != masked.end();
    if (const Stage* context = trace.find("context", site)) {
        const Index width = last_extent(*context);
        const auto row =
            trace.matrix(*context, head)
                .subspan(static_cast<std::size_t>(query * width), static_cast<std::size_t>(width));
        report.context.assign(row.begin(), row.end());
    }
    return report;
}

ColumnReport report_column(const Plan* plan, const Trace& trace, const std::string& site, Index head,
                           Index key) {
    const Stage& stage = require_stage(trace, "weights", site);
    const Index keys = last_extent(stage), queries = row_extent(stage);
    if (key < 0 || key >= keys)
        throw Error(
            {"explain a column", "weights", "a key below " + std::to_string(keys), std::to_string(key)});
    ColumnReport report;
    report.key = key;
    const auto all = trace.matrix(stage, head);
    for (Index query = 0; query < queries; ++query)
        report.weights.push_back(all[static_cast<std::size_t>(query * keys + key)]);
    if (concerns(plan, queries, keys))
        for (Index query = 0; query < queries; ++query)
            report.forbidden.push_back(plan->allowed.allowed(query, key) ? ForbiddenBy()
                                                                         : who_forbids(*plan, query, key));
    report.by_weight = by_size(report.weights);
    report.sum = sum_of_known(report.weights);
    report.unknown = count_unknown(report.weights);
    return report;
}

CellReport report_cell(const Plan* plan, const Trace& trace, const CellPlace& place,
                       const Selection& selection, const WeightLens& lens) {
    const Stage& stage = require_stage(trace, place.stage, place.site);
    CellReport report;
    report.place = place;
    report.axes = matrix_axes(stage, place.rows_are_keys);
    if (is_of_pairs(stage))
        report.query_label =
            index_label(trace.tokens_at(place.site), Axis::query,
                        std::clamp<Index>(selection.query, 0, stage.extent(Axis::query) - 1));
    report.row_word = side_word(trace, place, report.axes.rows, MatrixSide::rows);
    report.column_word = side_word(trace, place, report.axes.columns, MatrixSide::columns);
    if (place.row) {
        report.row_label = index_label(trace.tokens_at(place.site), report.axes.rows, *place.row);
        report.row_unknown = is_unknown(trace.tokens_at(place.site), report.axes.rows, *place.row);
    }
    if (place.column) {
        report.column_label = index_label(trace.tokens_at(place.site), report.axes.columns, *place.column);
        report.column_unknown = is_unknown(trace.tokens_at(place.site), report.axes.columns, *place.column);
    }
    if (place.is_cell()) {
        // The way to the weights of a mechanism that was joined for comparison is not in this trace.
        const bool is_joined = trace.joined_specs.contains(place.site);
        if (plan && !is_joined)
            report.steps = explain_cell(*plan, trace, place.stage, place.head,
                                        recorded_row(stage, *place.row, selection.query), *place.column);
        const bool is_forbidden = concerns(plan, row_extent(stage), last_extent(stage)) &&
                                  !plan->allowed.allowed(*place.row, *place.column);
        if (report.axes == MatrixAxes{} && is_forbidden)
            report.forbidden = who_forbids(*plan, *place.row, *place.column);
        else if (report.axes == MatrixAxes{} && is_masked_in_capture(trace, stage, place))
            report.forbidden.mask = true;
    }
    const bool names_query = report.axes.rows == Axis::query && place.row;
    constexpr Index none = -1;
    Index key_alone = none;
    if (report.axes.columns == Axis::key && !place.row)
        key_alone = place.column.value_or(none);
    else if (report.axes.rows == Axis::key && !place.column)
        key_alone = place.row.value_or(none);
    if (const Stage* weights = trace.find("weights", place.site)) {
        const Index head = std::clamp<Index>(stage.has_axis(Axis::head) ? place.head : selection.head, 0,
                                             weights->heads() - 1);
        const Index query = names_query ? *place.row : selection.query;
        // A column of a large map takes a pass over all of it.
        if (key_alone != none && key_alone < last_extent(*weights) && !weights->is_large())
            report.column = report_column(plan, trace, place.site, head, key_alone);
        else
            report.row = report_row(plan, trace, place.site, head,
                                    std::clamp<Index>(query, 0, row_extent(*weights) - 1));
        add_drawn(report, trace, *weights, head, lens);
    }
    return report;
}

std::string side_word(const Trace& trace, const CellPlace& place, Axis axis, MatrixSide side) {
    return axis == Axis::feature ? declared_side(trace, place.stage, place.site, side) : std::string();
}

void name_steps_at(CellReport& report, const std::string& site) {
    const std::string& stage = report.place.stage;
    const std::string title = stage_title_at(stage, site);
    if (title == stage_title(stage))
        return;
    // "Encoder states (keys)": one of them is a state, and no vector that was given.
    const auto replaced = [](std::string text, const std::string& from, const std::string& to) {
        if (const std::size_t at = text.find(from); at != std::string::npos)
            text.replace(at, from.size(), to);
        return text;
    };
    for (ArithmeticStep& step : report.steps)
        if (step.stage == stage) {
            step.name = replaced(replaced(in_a_sentence(title), "states", "state"), "s)", ")");
            step.expression = replaced(step.expression, "as given", "computed by the encoder");
        }
}

}  // namespace headlight
