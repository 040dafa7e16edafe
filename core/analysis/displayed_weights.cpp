#include "core/analysis/displayed_weights.h"

#include "core/analysis/pooled_layers.h"
#include "core/analysis/value_norms.h"
#include "core/attention/component.h"
#include "core/attention/widths.h"
#include "core/map/derived_maps.h"
#include "core/map/hidden_keys.h"
#include "core/map/site_name.h"
#include "core/map/trace_maps.h"
#include "core/tensor/error.h"
#include "core/tensor/interruption.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <utility>

namespace headlight {
namespace {

/// The matrix whose rows are the numbers of the heads' values; null where nobody knows one that fits.
const Tensor* output_matrix(const Trace& trace, const std::string& site) {
    const Tensor* matrix = trace.parameter_at(site, "W_o");
    const Stage *weights = trace.find("weights", site), *value = trace.find("value", site);
    const bool fits = matrix && weights && value && matrix->rows() == weights->heads() * value->shape.back();
    return fits ? matrix : nullptr;
}

}  // namespace

/// |f(x_j)| of the keys of a site, worked out when somebody first asks, on any thread.
class ValueNorms {
public:
    ValueNorms(const Trace& trace, const std::string& site) {
        const Stage &weights = *trace.find("weights", site), &value = *trace.find("value", site);
        heads_ = weights.heads();
        keys_ = weights.shape.back();
        if (value.is_lazy && trace.lazy_maps(value).origin().tiles) {
            const MapOrigin& origin = trace.lazy_maps(value).origin();
            captured_ = origin.tiles->maps();
            layer_ = origin.layer;
            layer_in_model_ = parse_site(site).layer.value_or(layer_);
            return;
        }
        for (Index head = 0; head < value.heads(); ++head)
            values_.push_back(trace.shared_matrix(value, head));
        if (const Tensor* matrix = output_matrix(trace, site))
            output_matrix_ = {trace.parameters.find(site)->second, matrix};
    }

    /// [key]
    std::span<const double> of_head(Index head) const {
        const std::lock_guard lock(mutex_);
        if (norms_.empty())
            norms_ = captured_ ? norms_of_captured() : worked_out();
        return std::as_const(norms_).row(head);
    }

private:
    Tensor worked_out() const {
        const Index width = std::ssize(values_.front()) / keys_, groups = std::ssize(values_);
        // Where nothing follows the values, each query head has those of its group.
        const Index stacked = output_matrix_ ? groups : heads_;
        Tensor vectors({stacked, keys_, width});
        for (Index head = 0; head < stacked; ++head)
            std::ranges::copy(values_[static_cast<std::size_t>(head / (stacked / groups))],
                              vectors.values().begin() + head * keys_ * width);
        return norms_of_keys(output_matrix_ ? transformed_values(vectors, *output_matrix_) : vectors);
    }

    /// Computes the norms of values that lie in a file, some rows at a time: they may be larger than memory.
    Tensor norms_of_captured() const {
        const Index groups = captured_->extents().heads, width = captured_->extents().keys;
        constexpr Index most_at_once = Index(1) << 18;
        const Index at_once = std::clamp<Index>(most_at_once / width, 1, keys_);
        Tensor norms({heads_, keys_});
        for (Index group = 0; group < groups; ++group) {
            const Index first_head = group * (heads_ / groups);
            for (Index first = 0; first < keys_; first += at_once) {
                Interruption::check();
                const Index count = std::min(at_once, keys_ - first);
                Tensor vectors({1, count, width});
                captured_->read_rows({layer_, group}, first, count, vectors.values());
                const Tensor of_rows = norms_of_keys(vectors);
                for (Index key = 0; key < count; ++key) {
                    require_finite(of_rows[key], group, first + key);
                    norms(first_head, first + key) = of_rows[key];
                }
            }
            for (Index head = 1; head < heads_ / groups; ++head)
                std::ranges::copy(std::as_const(norms).row(first_head), norms.row(first_head + head).begin());
        }
        return norms;
    }

    void require_finite(double norm, Index group, Index key) const {
        if (!std::isfinite(norm))
            throw Error({"draw value-weighted norms",
                         "values of layer " + std::to_string(layer_in_model_ + 1) + ", head " +
                             std::to_string(group + 1) + ", key " + std::to_string(key + 1),
                         "finite numbers", "others"});
    }

    Index heads_ = 1, keys_ = 0;
    std::shared_ptr<const MapSource> captured_;  ///< [layer, head of values, key, d_v] of a file
    Index layer_ = 0, layer_in_model_ = 0;       ///< its place in the file, and what people call it
    std::vector<Storage<const double>> values_;  ///< [head of values], each [key, d_v]; empty where captured
    std::shared_ptr<const Tensor> output_matrix_;
    mutable std::mutex mutex_;
    mutable Tensor norms_;  ///< [head, key]
};

std::string value_norms_lack(const Trace& trace, const std::string& site) {
    const Stage *weights = trace.find("weights", site), *value = trace.find("value", site);
    if (!weights || !value)
        return "the values of the keys are not known here, as in a capture without them or in larger units "
               "than tokens";
    const bool has_both = weights->has_axis(Axis::query) && weights->has_axis(Axis::key);
    const bool has_values = value->shape.size() >= 2 && value->axes.back() == Axis::feature &&
                            value->axes[value->axes.size() - 2] == Axis::key && value->shape.back() > 0;
    if (!has_both || !has_values || value->extent(Axis::key) != weights->extent(Axis::key) ||
        weights->heads() % value->heads() != 0)
        return "there is no value for each head and key here";
    const AttentionSpec* spec = trace.known_spec_at(site);
    if (!spec)  // of a capture: norms of what stands there
        return {};
    if (const std::string changes = changes_of_context(*spec); !changes.empty())
        return "what a key gives is more than its weight times its value here: " + changes + " changes it";
    if (projects_output(*spec) && !output_matrix(trace, site))
        return "the matrix W_o, which the values go through, is not known here, as in a trace that an older "
               "version has written; its session has it";
    return {};
}

bool knows_output_matrix(const Trace& trace, const std::string& site) { return output_matrix(trace, site); }

namespace {

std::shared_ptr<const ValueNorms> norms_at(const Trace& trace, const std::string& site) {
    if (const std::string lacks = value_norms_lack(trace, site); !lacks.empty())
        throw Error(
            {"draw value-weighted norms", site, "a value for each head and key of the weights", lacks});
    return std::make_shared<const ValueNorms>(trace, site);
}

}  // namespace

DisplayedWeights::DisplayedWeights(const Trace& trace, const std::string& site, WeightLens lens)
    : trace_(trace), lens_(std::move(lens)),
      norms_(lens_.weights == DrawnWeights::value_norms ? norms_at(trace, site) : nullptr) {
    if (lens_.pooled_layers) {
        const std::string lacks = lens_.pooled == PooledHeads::rollout
                                      ? "attention rollout, which goes through the layers"
                                      : layers_lack(trace, site);
        if (!lacks.empty())
            throw Error({"draw one map of all layers", site, "layers with maps of one size", lacks});
        WeightLens of_one = lens_;
        of_one.pooled_layers.reset();
        layer_stages_ = weights_of_layers(trace, site);
        for (const Stage* weights : layer_stages_)
            pooled_layers_.emplace_back(trace, weights->site, of_one);
    }
    if (lens_.pooled != PooledHeads::rollout)
        return;
    if (norms_)
        throw Error({"draw attention rollout", site, "weights as they are", "value-weighted norms"});
    layers_ = layers_up_to(trace, site);
}

DisplayedWeights::Rows DisplayedWeights::seen(Storage<const double> numbers, Index head, Index keys) const {
    const Index rows = keys > 0 ? std::ssize(numbers) / keys : 0;
    if (norms_) {
        std::vector<double> sizes = numbers.copy();
        const auto of_keys = norms_->of_head(head);
        for (Index row = 0; row < rows; ++row)
            to_sizes_times(std::span(sizes).subspan(static_cast<std::size_t>(row * keys), of_keys.size()),
                           of_keys);
        numbers = std::move(sizes);
    }
    if (lens_.hidden_keys.empty())
        return {std::move(numbers)};
    MapWithoutKeys left = without_keys(numbers, rows, keys, lens_.hidden_keys);
    return {std::move(left.weights), left.hidden_mass};
}

DisplayedWeights::Rows DisplayedWeights::map(const Stage& stage, Index head) const {
    return rows(stage, head, 0, stage.extent(Axis::query));
}

namespace {

/// One in place of `count` of them, which `rows_of` has.
template <class RowsOf>
DisplayedWeights::Rows reduced(MapReduction reduction, Index count, const RowsOf& rows_of) {
    const DisplayedWeights::Rows of_first = rows_of(Index(0));
    std::vector<double> pooled = of_first.weights.copy();
    double hidden_mass = of_first.hidden_mass.value_or(0);
    ReducedNumbers all(reduction, pooled);
    for (Index next = 1; next < count; ++next) {
        Interruption::check();
        const DisplayedWeights::Rows of_next = rows_of(next);
        all.add({of_next.weights.data(), of_next.weights.size()});
        hidden_mass += of_next.hidden_mass.value_or(0);
    }
    all.finish();
    return {std::move(pooled),
            of_first.hidden_mass ? std::optional(hidden_mass / static_cast<double>(count)) : std::nullopt};
}

}  // namespace

DisplayedWeights::Rows DisplayedWeights::rows(const Stage& stage, Index head, Index first,
                                              Index count) const {
    if (pooled_layers_.empty() || stage.name != "weights")
        return rows_of_own_layer(stage, head, first, count);
    return reduced(*lens_.pooled_layers, std::ssize(pooled_layers_), [&](Index layer) {
        const auto at = static_cast<std::size_t>(layer);
        return pooled_layers_[at].rows(*layer_stages_[at], head, first, count);
    });
}

DisplayedWeights::Rows DisplayedWeights::rows_of_own_layer(const Stage& stage, Index head, Index first,
                                                           Index count) const {
    const Index heads = stage.heads();
    if (!layers_.empty() && stage.name == "weights")
        return rows_of_rollout(stage.extent(Axis::key), first, count);
    if (!lens_.pooled || heads == 1)
        return rows_of_head(stage, head, first, count);
    return reduced(reduction_of(*lens_.pooled), heads,
                   [&](Index next) { return rows_of_head(stage, next, first, count); });
}

DisplayedWeights::Rows DisplayedWeights::rows_of_head(const Stage& stage, Index head, Index first,
                                                      Index count) const {
    const Index keys = stage.extent(Axis::key);
    if (!stage.is_large())
        return seen(trace_.shared_matrix(stage, head)
                        .part(static_cast<std::size_t>(first * keys), static_cast<std::size_t>(count * keys)),
                    head, keys);
    std::vector<double> numbers(static_cast<std::size_t>(count * keys));
    read_block(trace_, stage, head, {first, count, 0, keys}, numbers);
    return seen(std::move(numbers), head, keys);
}

DisplayedWeights::Rows DisplayedWeights::rows_of_rollout(Index keys, Index first, Index count) const {
    const Tensor rows = attention_rollout(layers_, keys, first, count);
    const auto numbers = rows.values();
    return seen(std::vector<double>(numbers.begin(), numbers.end()), 0, keys);
}

std::shared_ptr<const MapTiles> DisplayedWeights::tiles(const Stage& stage) const {
    const MapOrigin& origin = trace_.lazy_maps(stage).origin();
    const bool are_pooled = !pooled_layers_.empty() && stage.name == "weights";
    std::string name = !norms_ ? "weights" : are_pooled ? "norms" : "norms " + std::to_string(origin.layer);
    for (const Index key : lens_.hidden_keys)
        name += " -" + std::to_string(key);
    if (lens_.pooled)
        name += ' ' + to_word(*lens_.pooled);
    if (are_pooled)
        name += " layers " + to_word(*lens_.pooled_layers);
    return origin.tiles->seen_as(name, [&] {
        std::shared_ptr<const MapSource> maps = origin.tiles->maps();
        std::vector<std::shared_ptr<const ValueNorms>> of_layers;
        for (const DisplayedWeights& layer : pooled_layers_)
            of_layers.push_back(layer.norms_);
        if (norms_ && are_pooled)
            maps = sizes_times(std::move(maps), [of_layers](MapPlace place) {
                return of_layers[static_cast<std::size_t>(place.layer)]->of_head(place.head);
            });
        else if (norms_)
            maps = sizes_times(std::move(maps),
                               [norms = norms_](MapPlace place) { return norms->of_head(place.head); });
        if (!lens_.hidden_keys.empty())
            maps = std::make_shared<const MapsWithoutKeys>(std::move(maps), lens_.hidden_keys);
        if (lens_.pooled)
            maps = over_heads(std::move(maps), reduction_of(*lens_.pooled));
        if (are_pooled)
            maps = over_layers(std::move(maps), *lens_.pooled_layers);
        return maps;
    });
}

namespace {

std::shared_ptr<const MapSource> with_norms(const std::shared_ptr<const MapSource>& maps,
                                            const LabelledMaps& labelled, const Trace& trace) {
    std::vector<std::shared_ptr<const ValueNorms>> layers;
    for (Index layer = 0; layer < maps->extents().layers; ++layer)
        layers.push_back(norms_at(trace, site_at(labelled, layer)));
    return sizes_times(maps, [layers = std::move(layers)](MapPlace place) {
        return layers[static_cast<std::size_t>(place.layer)]->of_head(place.head);
    });
}

}  // namespace

std::vector<LabelledMaps> seen_maps(const std::shared_ptr<const Trace>& trace,
                                    const std::shared_ptr<const Trace>& other, const WeightLens& lens) {
    std::vector<LabelledMaps> all = maps_of(trace, other);
    for (LabelledMaps& each : all) {
        each.lens = lens;
        if (!each.maps->left_out().empty())
            each.lens.hidden_keys.clear();
        if (lens.weights != DrawnWeights::value_norms)
            continue;
        each.maps = with_norms(each.maps, each, *trace);
        if (each.other)
            each.other = with_norms(each.other, each, *other);
    }
    return all;
}

}  // namespace headlight
