#include "core/figure/panel_maker.h"

#include "core/analysis/pooled_layers.h"
#include "core/figure/build_figure.h"
#include "core/figure/fitted_scale.h"
#include "core/figure/view.h"
#include "core/figure/words.h"
#include "core/map/site_name.h"
#include "core/map/trace_maps.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

/// One matrix of a stage and what its axes count.
struct Matrix {
    Storage<const double> values;
    std::optional<LargeMap> large{};  ///< in place of values
    Index rows = 1, columns = 1;
    Axis row_axis = Axis::query, column_axis = Axis::feature;
};

Matrix matrix_of(const Trace& trace, const Stage& stage, Index head, Index query) {
    Matrix matrix;
    if (stage.is_large()) {
        const MapOrigin& origin = trace.lazy_maps(stage).origin();
        matrix.large = {.tiles = origin.tiles, .place = {origin.layer, head}};
    } else {
        matrix.values = trace.shared_matrix(stage, head);
    }
    const auto& axes = stage.axes;
    const auto& shape = stage.shape;
    if (axes.empty())
        return matrix;
    matrix.row_axis = axes.size() == 1 ? axes[0] : axes[axes.size() - 2];
    matrix.rows = axes.size() == 1 ? shape[0] : shape[shape.size() - 2];
    if (axes.size() > 1) {
        matrix.column_axis = axes.back();
        matrix.columns = shape.back();
    }
    const auto size = static_cast<std::size_t>(matrix.rows * matrix.columns);
    if (matrix.values.size() > size)  // the energy of every pair: one query's keys are a matrix
        matrix.values = matrix.values.part(static_cast<std::size_t>(query) * size, size);
    return matrix;
}

std::vector<double> transposed(const Matrix& matrix) {
    std::vector<double> values;
    values.reserve(matrix.values.size());
    for (Index column = 0; column < matrix.columns; ++column)
        for (Index row = 0; row < matrix.rows; ++row)
            values.push_back(matrix.values[static_cast<std::size_t>(row * matrix.columns + column)]);
    return values;
}

/// NaN where a weight of the row is missing.
std::vector<double> sums_of_rows(const Panel& panel) {
    std::vector<double> sums;
    for (Index row = 0; row < panel.rows; ++row) {
        double sum = 0;
        for (Index column = 0; column < panel.columns; ++column)
            sum += panel.values[static_cast<std::size_t>(row * panel.columns + column)];
        sums.push_back(sum);
    }
    return sums;
}

/// With the two digits that are printed: half-precision weights sum to 1.0004.
bool all_one(const std::vector<double>& sums) {
    return std::ranges::all_of(sums, [](double sum) { return std::abs(sum - 1) < 0.005; });
}

AxisLabels labels_of(const std::string& title, const TokenLabels& tokens, Axis axis, Index extent) {
    return {title, axis_labels(tokens, axis, extent), axis_marks(tokens, axis, extent)};
}

Index clamp_index(Index index, Index extent) {
    return std::clamp<Index>(index, 0, std::max<Index>(extent, 1) - 1);
}

}  // namespace

PanelMaker::PanelMaker(const Trace& trace, const ViewSettings& settings,
                       std::shared_ptr<const HeadOverview> overview)
    : trace_(trace), settings_(settings), chain_(trace, find_site(trace, settings.selection.site)),
      overview_(std::move(overview)) {
    Index queries = 1;
    static_cast<WeightLens&>(settings_) = drawn_lens(settings.view, settings);
    for (const Stage& stage : trace.stages()) {
        if (stage.site != chain_.site())
            continue;
        heads_ = std::max(heads_, stage.extent(Axis::head));
        queries = std::max(queries, stage.extent(Axis::query));
    }
    head_ = clamp_index(settings.selection.head, heads_);
    query_ = clamp_index(settings.selection.query, queries);
}

const std::shared_ptr<const HeadOverview>& PanelMaker::shared_overview() const {
    if (!overview_) {
        // The trace outlives its maps, which nobody keeps.
        const auto maps = seen_maps(std::shared_ptr<const Trace>(std::shared_ptr<const Trace>(), &trace_),
                                    nullptr, settings_);
        overview_ = std::make_shared<const HeadOverview>(with_statistics(pictured_heads(maps), maps));
    }
    return overview_;
}

std::string PanelMaker::stage() const {
    if (trace_.stages().empty())
        throw Error({"draw a figure", "", "a trace with at least one stage", "an empty trace"});
    for (const std::string& wanted : {settings_.selection.stage, std::string("weights")})
        if (const Stage* found = trace_.find(wanted, chain_.site()); found && found->size() > 0)
            return wanted;
    return chain_.visible().empty() ? trace_.stages().back().name : chain_.visible().back();
}

Index PanelMaker::heads_of(const std::string& stage) const {
    return is_pooled(stage) ? 1 : recorded_heads(stage);
}

Index PanelMaker::recorded_heads(const std::string& stage) const {
    const Stage* found = trace_.find(stage, chain_.site());
    return found && found->shape.size() > 2 && found->axes.front() == Axis::head ? found->shape.front() : 1;
}

Index PanelMaker::head_in(const std::string& stage) const {
    const Index heads = heads_of(stage);
    return heads_ % heads == 0 ? head_ / (heads_ / heads) : std::min(head_, heads - 1);
}

bool PanelMaker::is_query_by_key(const std::string& stage) const {
    const Stage* found = trace_.find(stage, chain_.site());
    return found && found->axes.size() >= 2 && found->axes.back() == Axis::key &&
           found->axes[found->axes.size() - 2] == Axis::query;
}

bool PanelMaker::is_of_weights(const std::string& stage) const {
    return is_weight_stage(stage) && is_query_by_key(stage);
}

bool PanelMaker::has_norms(const std::string& stage) const {
    return settings_.weights == DrawnWeights::value_norms && is_of_weights(stage);
}

bool PanelMaker::is_pooled(const std::string& stage) const {
    if (is_rollout(stage))
        return true;
    return settings_.pooled && *settings_.pooled != PooledHeads::rollout && is_of_weights(stage) &&
           !is_sparse(stage) && recorded_heads(stage) > 1;
}

bool PanelMaker::pools_layers(const std::string& stage) const {
    return settings_.pooled_layers && stage == "weights" && !is_sparse(stage);
}

Index PanelMaker::layers_of(const std::string& stage) const {
    return pools_layers(stage) ? std::ssize(weights_of_layers(trace_, chain_.site())) : 0;
}

bool PanelMaker::is_rollout(const std::string& stage) const {
    return settings_.pooled == PooledHeads::rollout && stage == "weights";
}

bool PanelMaker::hides_keys(const std::string& stage) const {
    const Stage* found = trace_.find(stage, chain_.site());
    return found && is_of_weights(stage) && !is_sparse(stage) &&
           std::ranges::any_of(settings_.hidden_keys,
                               [&](Index key) { return key < found->extent(Axis::key); });
}

const DisplayedWeights& PanelMaker::seen() const {
    if (!seen_)
        seen_.emplace(trace_, chain_.site(), settings_);
    return *seen_;
}

DisplayedWeights::Rows PanelMaker::rows(const std::string& stage, Index head, Index first,
                                        Index count) const {
    const Stage& found = *trace_.find(stage, chain_.site());
    if (is_seen_otherwise(stage))
        return seen().rows(found, head, first, count);
    const auto keys = static_cast<std::size_t>(found.extent(Axis::key));
    const std::size_t size = static_cast<std::size_t>(count) * keys;
    if (!found.is_large())
        return {trace_.shared_matrix(found, head).part(static_cast<std::size_t>(first) * keys, size)};
    std::vector<double> numbers(size);
    trace_.read_rows(found, head, first, count, numbers);
    return {std::move(numbers)};
}

DisplayedWeights::Rows PanelMaker::numbers(const std::string& stage) const {
    const Stage& found = *trace_.find(stage, chain_.site());
    std::vector<double> numbers;
    double hidden_mass = 0;
    const Index heads = heads_of(stage);
    for (Index head = 0; head < heads; ++head) {
        const DisplayedWeights::Rows rows = seen().map(found, head);
        numbers.insert(numbers.end(), rows.weights.begin(), rows.weights.end());
        hidden_mass += rows.hidden_mass.value_or(0) / static_cast<double>(heads);
    }
    return {std::move(numbers), hides_keys(stage) ? std::optional(hidden_mass) : std::nullopt};
}

bool PanelMaker::is_large(const std::string& stage) const {
    const Stage* found = trace_.find(stage, chain_.site());
    return found && found->is_large();
}

bool PanelMaker::is_sparse(const std::string& stage) const {
    const Stage* found = trace_.find(stage, chain_.site());
    return found && headlight::is_sparse(trace_, *found);
}

void PanelMaker::require_whole_rows(const std::string& what) const {
    const Stage* weights = trace_.find("weights", chain_.site());
    if (const std::string left_out = weights ? left_out_of(trace_, *weights) : ""; !left_out.empty())
        throw Error({what, "weights", "rows of which every weight is known", "rows without " + left_out});
}

bool PanelMaker::is_implied(const std::string& stage) const {
    const Stage* found = trace_.find(stage, chain_.site());
    return found && headlight::is_implied(trace_, *found);
}

std::string PanelMaker::title(const std::string& stage) const {
    const std::string title =
        has_norms(stage) ? "Value-weighted norms" : stage_title(trace_, stage, chain_.site());
    const Index layer = parse_site(chain_.site()).layer.value_or(0);
    const std::optional<PooledHeads> heads = is_pooled(stage) ? settings_.pooled : std::nullopt;
    if (pools_layers(stage))
        return title + ", " +
               pooled_layers_title(*settings_.pooled_layers, layers_of(stage), heads, recorded_heads(stage));
    return heads ? title + ", " + pooled_title(*heads, recorded_heads(stage), layer) : title;
}

std::string PanelMaker::subtitle(const std::string& stage, Index head) const {
    const AttentionSpec* spec = trace_.known_spec_at(chain_.site());
    std::string text = spec                ? stage_subtitle(*spec, stage)
                       : is_implied(stage) ? "what the layer’s state implies, without a softmax"
                                           : "";
    // The title says of how many heads and layers it is the mean, which is a softmax no more.
    if (is_pooled(stage) || pools_layers(stage))
        text.clear();
    if (has_norms(stage))
        text = knows_output_matrix(trace_, chain_.site()) ? "norm of weight × value × Wₒ"
                                                          : "norm of weight × value";
    if (is_rollout(stage))
        text = "half the mean of the heads, half the token itself; layers multiplied";
    const bool is_changed = std::ranges::any_of(trace_.by_hand, [&](const ChangedByHand& change) {
        const bool is_of_head = is_pooled(stage) || change.head.value_or(head) == head;
        return change.site == chain_.site() && change.stage == stage && is_of_head;
    });
    if (is_changed)
        text += text.empty() ? "changed by hand" : ", changed by hand";
    return text;
}

bool PanelMaker::is_typed_column(const Stage& stage) const {
    const AttentionSpec* spec = trace_.known_spec_at(stage.site);
    return spec && spec->algorithm.type == AlgorithmType::formula && stage.axes.size() == 2 &&
           stage.axes.front() == Axis::head && stage.axes.back() != Axis::feature;
}

Panel PanelMaker::panel(const std::string& stage, Index head, const Options& options) const {
    const Stage* found = trace_.find(stage, chain_.site());
    if (!found || found->size() == 0)
        throw Error({"draw a stage", "", "a stage that the trace has recorded", stage});
    const Matrix matrix = matrix_of(trace_, *found, std::min(head, heads_of(stage) - 1), query_);
    Panel panel;
    panel.title = title(stage) + (options.transposed ? "ᵀ" : "");
    panel.site = chain_.site();
    panel.stage = stage;
    panel.head = is_pooled(stage) ? head_ : head;
    panel.pooled_heads = is_pooled(stage) && !is_rollout(stage) ? recorded_heads(stage) : 0;
    panel.pooled_layers = layers_of(stage);
    panel.is_implied = is_implied(stage);
    panel.thumbnail = options.thumbnail;
    panel.transposed = options.transposed || (options.stands && is_typed_column(*found));
    const TokenLabels& tokens = trace_.tokens_at(panel.site);
    panel.rows = matrix.rows;
    panel.columns = matrix.columns;
    panel.scale = scale(stage);
    panel.scale_of = colours_of(stage);
    const auto labels = [&](Axis axis, MatrixSide side, Index extent) {
        // Features that are declared to be keys have their words.
        const bool are_keys =
            axis == Axis::feature && declared_side(trace_, stage, panel.site, side) == "key";
        const Axis counted = are_keys ? Axis::key : axis;
        return labels_of(axis_title(trace_, stage, panel.site, axis, side, options.axis_hints), tokens,
                         counted, extent);
    };
    panel.row_axis = labels(matrix.row_axis, MatrixSide::rows, matrix.rows);
    panel.column_axis = labels(matrix.column_axis, MatrixSide::columns, matrix.columns);
    panel.values_in_cells = settings_.values_in_cells && !options.thumbnail;
    if (panel.transposed) {
        panel.values = transposed(matrix);
        std::swap(panel.rows, panel.columns);
        std::swap(panel.row_axis, panel.column_axis);
        return panel;
    }
    panel.values = matrix.values;
    if (matrix.large) {
        panel.large = matrix.large;
        if (is_seen_otherwise(stage))
            panel.large->tiles = seen().tiles(*found);
        if (pools_layers(stage))
            panel.large->place.layer = 0;
        panel.large->has_own_range = has_norms(stage) || panel.scale.low < 0;
        return panel;
    }
    if (is_seen_otherwise(stage)) {
        DisplayedWeights::Rows drawn = seen().map(*found, std::min(head, heads_of(stage) - 1));
        panel.values = std::move(drawn.weights);
        if (hides_keys(stage))
            panel.hidden_mass = drawn.hidden_mass;
    }
    if (!is_query_by_key(stage))
        return panel;
    if (shows_mask(stage))
        panel.forbidden = forbidden(stage, head);
    if (panel.forbidden.size() != panel.values.size())
        panel.forbidden.clear();
    if (!options.thumbnail)
        panel.by_hand = set_by_hand(panel);
    if (options.thumbnail || !is_weight_stage(stage))
        return panel;
    auto sums = sums_of_rows(panel);
    const bool are_known = std::ranges::none_of(sums, [](double sum) { return std::isnan(sum); });
    if (are_known && !all_one(sums) && !is_seen_otherwise(stage) && !is_sparse(stage))
        panel.row_sums = std::move(sums);
    panel.flagged_rows = fully_masked(panel);
    return panel;
}

}  // namespace headlight
