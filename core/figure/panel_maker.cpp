#include "core/figure/panel_maker.h"

#include "core/analysis/pooled_layers.h"
#include "core/figure/allowed_cells.h"
#include "core/figure/build_figure.h"
#include "core/figure/fitted_scale.h"
#include "core/figure/view.h"
#include "core/figure/words.h"
#include "core/map/site_name.h"
#include "core/map/trace_maps.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace headlight {

namespace {

/// The stage whose colours `stage` has: its own, or those of one that readers compare it with.
std::string colours_of(const StageChain& chain, const std::string& stage) {
    const DeclaredStage* declared = any_declaration(stage);
    if (!declared || declared->colours_of.empty())
        return stage;
    const std::string shown = chain.shown_by(declared->colours_of);
    // With the mask inside the scale the masked scores are those before the scale.
    const bool comes_later = is_score_stage(stage) && !chain.is_before(declared->colours_of, stage);
    if (comes_later || shown.empty())
        return chain.is_recorded("scores") && is_score_stage(stage) ? "scores" : stage;
    return shown == stage ? stage : colours_of(chain, shown);
}

/// Stages with one scale: their numbers are of one kind, and differences between them are the point of the
/// picture.
std::vector<std::string> scale_group(const StageChain& chain, const std::string& stage) {
    const std::string leader = colours_of(chain, stage);
    std::vector<std::string> group;
    for (const std::string& other : chain.recorded())
        if (colours_of(chain, other) == leader)
            group.push_back(other);
    return group;
}

constexpr double infinity = std::numeric_limits<double>::infinity();

NumberRange finite_range(const Trace& trace, const std::vector<std::string>& stages,
                         const std::string& site) {
    // In lanes that the processor works on together: the stages of 512 tokens are millions of numbers, and a
    // picture of them must not keep a person waiting.
    constexpr std::size_t lanes = 8;
    double low[lanes], high[lanes], smallest_positive[lanes];
    std::fill_n(low, lanes, infinity);
    std::fill_n(high, lanes, -infinity);
    std::fill_n(smallest_positive, lanes, infinity);
    const auto include = [&](double value, std::size_t lane) {
        // Comparisons that NaN and the infinities fail.
        const double above = value > -infinity ? value : infinity;
        const double below = value < infinity ? value : -infinity;
        const double positive = value > 0 ? value : infinity;
        low[lane] = above < low[lane] ? above : low[lane];
        high[lane] = below > high[lane] ? below : high[lane];
        smallest_positive[lane] = positive < smallest_positive[lane] ? positive : smallest_positive[lane];
    };
    for (const std::string& name : stages) {
        const Stage* stage = trace.find(name, site);
        if (!stage || stage->is_large())
            continue;
        const std::span<const double> values = trace.values(*stage);
        std::size_t i = 0;
        for (; i + lanes <= values.size(); i += lanes)
            for (std::size_t lane = 0; lane < lanes; ++lane)
                include(values[i + lane], lane);
        for (; i < values.size(); ++i)
            include(values[i], 0);
    }
    return {*std::min_element(low, low + lanes), *std::max_element(high, high + lanes),
            *std::min_element(smallest_positive, smallest_positive + lanes)};
}

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

AxisLabels labels_of(std::string_view stage, const TokenLabels& tokens, Axis axis, Index extent, bool hint) {
    return {axis_title(stage, axis, hint), axis_labels(tokens, axis, extent),
            axis_marks(tokens, axis, extent)};
}

/// A forbidden pair has no number any more.
bool shows_mask(const std::string& stage) {
    const DeclaredStage* declared = any_declaration(stage);
    return declared && declared->leaves_out_masked;
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

namespace {

/// What both forbid; nothing where one forbids nothing.
std::vector<std::uint8_t> forbidden_in_both(std::vector<std::uint8_t> one,
                                            const std::vector<std::uint8_t>& other) {
    if (other.size() != one.size())
        return {};
    std::ranges::transform(one, other, one.begin(), std::bit_and());
    return one;
}

}  // namespace

std::vector<std::uint8_t> PanelMaker::forbidden(Index head) const {
    return forbidden_at(chain_.site(), head);
}

std::vector<std::uint8_t> PanelMaker::forbidden_at(const std::string& site, Index head) const {
    const Stage* weights = trace_.find("weights", site);
    if (weights && weights->is_lazy && !weights->is_large())
        if (const MapOrigin& origin = trace_.lazy_maps(*weights).origin(); origin.tiles)
            return forbidden_pairs({.tiles = origin.tiles, .place = {origin.layer, head}},
                                   weights->extent(Axis::query), weights->extent(Axis::key));
    return forbidden_.try_emplace(site, trace_, site).first->second.of_head(head);
}

std::vector<std::uint8_t> PanelMaker::forbidden_to_all(const std::string& site, Index heads) const {
    std::vector<std::uint8_t> all = forbidden_at(site, 0);
    for (Index head = 1; head < heads && !all.empty(); ++head)
        all = forbidden_in_both(std::move(all), forbidden_at(site, head));
    return all;
}

std::vector<std::uint8_t> PanelMaker::forbidden(const std::string& stage, Index head) const {
    if (is_rollout(stage))
        return {};  // what a layer forbids may come through another
    const auto at = [&](const std::string& site) {
        return is_pooled(stage) ? forbidden_to_all(site, recorded_heads(stage)) : forbidden_at(site, head);
    };
    std::vector<std::uint8_t> all = at(chain_.site());
    if (pools_layers(stage))
        for (const Stage* weights : weights_of_layers(trace_, chain_.site()))
            if (weights->site != chain_.site() && !all.empty())
                all = forbidden_in_both(std::move(all), at(weights->site));
    return all;
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

DisplayedWeights::Rows PanelMaker::rows(const std::string& stage, Index head, Index first, Index count) const {
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

ColourScale PanelMaker::scale(const std::string& stage) const {
    if (const auto known = scales_.find(stage); known != scales_.end())
        return known->second;
    const std::vector<std::string> group = scale_group(chain_, stage);
    std::vector<std::string> ranged = group;
    if (trace_.spec.mask_value && group.size() > 1)
        std::erase(ranged, "masked_scores");  // where a finite mask value would drown every score
    const NumberRange range =
        is_seen_otherwise(stage) ? seen_range(stage) : finite_range(trace_, ranged, chain_.site());
    const bool is_ranked = settings_.range.kind == RangeKind::percentiles;
    if (has_norms(stage))
        return scales_[stage] =
                   norm_scale(settings_, range, is_ranked ? sample_of({stage}) : std::vector<double>());
    const DeclaredStage* declared = any_declaration(stage);
    const bool exceeds_1 = !is_weight_stage(stage) && range.high > 1;
    const Stage* found = trace_.find(stage, chain_.site());
    const bool is_signed = range.low < 0 || (found && found->is_large() && may_be_negative(trace_, *found));
    const bool is_share = declared && declared->is_share && !is_signed && !exceeds_1;
    ColourScale scale;
    scale.map = settings_.colour_map;
    if (is_share) {
        // Weights that are no shares of 1 may exceed it: the colour of 1 would hide by how much.
        scale.high = range.high > 1 + 1e-9 ? range.high : 1;
        if (settings_.scale == ScaleKind::logarithmic) {
            scale.kind = ScaleKind::logarithmic;
            scale.low = 1e-4;
        }
    } else {
        // Signed numbers need a middle that means zero, also when this run happens to have no negative one.
        scale.high = range.empty() ? 1 : std::max(std::abs(range.low), std::abs(range.high));
        scale.high = scale.high > 0 ? scale.high : 1;
        scale.low = -scale.high;
        if (settings_.colour_map != "greys")
            scale.map = "diverging";
    }
    if (is_share || is_ranked || settings_.range.kind == RangeKind::numbers)
        scale = ranged_scale(scale, settings_.range, range,
                             is_ranked ? sample_of(ranged) : std::vector<double>());
    for (const std::string& member : group)
        if (!has_norms(member))
            scales_[member] = scale;
    return scales_[stage] = scale;
}

std::vector<double> PanelMaker::sample_of(const std::vector<std::string>& stages) const {
    std::vector<const Stage*> sampled;
    std::size_t count = 0;
    for (const std::string& name : stages)
        if (const Stage* stage = trace_.find(name, chain_.site()); stage && !stage->is_large()) {
            sampled.push_back(stage);
            count += static_cast<std::size_t>(stage->size());
        }
    EvenSample sample(count);
    for (const Stage* stage : sampled) {
        const bool is_masked = is_query_by_key(stage->name) && shows_mask(stage->name);
        for (Index head = 0; head < heads_of(stage->name); ++head) {
            // All that there is of the head: of the energy, that of every query.
            const Storage<const double> numbers = is_seen_otherwise(stage->name)
                                                      ? seen().map(*stage, head).weights
                                                      : trace_.shared_matrix(*stage, head);
            const auto left_out = is_masked ? forbidden(head) : std::vector<std::uint8_t>();
            sample.take({numbers.data(), numbers.size()}, left_out);
        }
    }
    return sample.numbers();
}

NumberRange PanelMaker::seen_range(const std::string& stage) const {
    NumberRange range;
    const Stage& found = *trace_.find(stage, chain_.site());
    for (Index head = 0; !is_large(stage) && head < heads_of(stage); ++head)
        for (const double weight : seen().map(found, head).weights)
            range.include(weight);
    return range;
}

std::vector<std::uint8_t> PanelMaker::fully_masked(const Panel& panel) const {
    std::vector<std::uint8_t> flags(static_cast<std::size_t>(panel.rows), 0);
    const auto& forbidden = panel.forbidden;
    if (!trace_.joined_specs.contains(panel.site)) {
        for (const Index row : trace_.fully_masked_queries)
            if (row >= 0 && row < panel.rows)
                flags[static_cast<std::size_t>(row)] = 1;
    } else if (!forbidden.empty()) {
        for (Index row = 0; row < panel.rows; ++row) {
            const auto first = forbidden.begin() + row * panel.columns;
            flags[static_cast<std::size_t>(row)] =
                std::find(first, first + panel.columns, 0) == first + panel.columns;
        }
    }
    if (std::ranges::find(flags, 1) == flags.end())
        flags.clear();
    return flags;
}

std::vector<std::uint8_t> PanelMaker::set_by_hand(const Panel& panel) const {
    std::vector<std::uint8_t> cells;
    for (const ChangedByHand& change : trace_.by_hand) {
        if (change.site != panel.site || change.stage != panel.stage)
            continue;
        cells.resize(panel.values.size());
        const Index heads = is_pooled(panel.stage) ? recorded_heads(panel.stage) : 1;
        const auto is_set = [&](const ChangedByHand& set, Index row, Index column) {
            for (Index head = 0; head < heads; ++head)
                if (set.is_at(panel.site, panel.stage, heads > 1 ? head : panel.head, row, column))
                    return true;
            return false;
        };
        for (Index row = 0; row < panel.rows; ++row)
            for (Index column = 0; column < panel.columns; ++column)
                if (is_set(change, row, column))
                    cells[static_cast<std::size_t>(row * panel.columns + column)] = 1;
    }
    return std::ranges::find(cells, 1) == cells.end() ? std::vector<std::uint8_t>() : cells;
}

std::string PanelMaker::subtitle(const std::string& stage, Index head) const {
    const AttentionSpec* spec = trace_.known_spec_at(chain_.site());
    std::string text = spec                ? stage_subtitle(*spec, stage)
                       : is_implied(stage) ? "what the layer’s state implies, without a softmax"
                                           : "";
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
    panel.transposed = options.transposed;
    const TokenLabels& tokens = trace_.tokens_at(panel.site);
    panel.rows = matrix.rows;
    panel.columns = matrix.columns;
    panel.scale = scale(stage);
    panel.row_axis = labels_of(stage, tokens, matrix.row_axis, matrix.rows, options.axis_hints);
    panel.column_axis = labels_of(stage, tokens, matrix.column_axis, matrix.columns, options.axis_hints);
    panel.values_in_cells = settings_.values_in_cells && !options.thumbnail;
    if (options.transposed) {
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
