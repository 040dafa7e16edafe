#include "core/map/lazy_run.h"

#include "core/attention/stages.h"
#include "core/map/map_tiles.h"

#include <algorithm>
#include <string>
#include <vector>

namespace headlight {
namespace {

/// The lazy stages of a run, one a layer.
class RunMaps : public MapSource {
public:
    RunMaps(std::shared_ptr<const Executor<double>> run, std::vector<std::string> stages)
        : MapSource({std::ssize(stages), run->plan().heads, run->plan().queries, run->plan().keys}),
          run_(std::move(run)), stages_(std::move(stages)),
          has_growing_prefixes_(run_->plan().allowed.is_prefix() &&
                                std::ranges::is_sorted(run_->plan().allowed.ends())) {}

    bool has_rows_alone() const override { return true; }
    void read_rows(MapPlace place, Index first, Index count, std::span<double> to) const override {
        run_->read_rows(stages_[static_cast<std::size_t>(place.layer)], place.head, first, count, to);
    }
    /// A pair that the mask forbids has no weight, unless a number was added to its score in place of that,
    /// or somebody gave it one.
    bool is_zero(MapPlace place, const MapBlock& block) const override {
        const Plan& plan = run_->plan();
        return stages_[static_cast<std::size_t>(place.layer)] == "weights" && !plan.spec.mask_value &&
               !plan.given &&
               plan.allowed.has_none(block.first_row, block.rows, block.first_column, block.columns);
    }
    /// Where the keys of a query are a prefix that grows; of another mask nothing is said.
    KeyRange allowed_keys(MapPlace place, Index query) const override {
        const Plan& plan = run_->plan();
        const bool is_masked = has_growing_prefixes_ && !plan.spec.mask_value && !plan.given &&
                               stages_[static_cast<std::size_t>(place.layer)] == "weights";
        return {0, is_masked ? plan.allowed.end(query) : plan.keys};
    }
    void read_block(MapPlace place, const MapBlock& block, std::span<double> to) const override {
        if (is_zero(place, block))
            std::fill_n(to.begin(), block.size(), 0.0);
        else
            MapSource::read_block(place, block, to);
    }

private:
    std::shared_ptr<const Executor<double>> run_;
    std::vector<std::string> stages_;
    bool has_growing_prefixes_;
};

}  // namespace

Trace record_as_planned(const std::shared_ptr<const Plan>& plan, const TraceOptions& options) {
    return plan->keeps == Keeps::rows ? record_lazy(plan, options) : record(plan, options);
}

Trace record_lazy(const std::shared_ptr<const Plan>& plan, const TraceOptions& options) {
    std::vector<Stage> stages = recorded_stages(*plan, options).take();
    TraceOptions without_maps = options;
    without_maps.has_maps = false;
    Trace trace = empty_trace(*plan, without_maps);
    trace.parameters[""] = {plan, &plan->inputs.parameters};
    const auto run =
        std::make_shared<Executor<double>>(plan, Executor<double>::Weights::discard, options.threads);
    run->report_to(options.progress);
    run->run(trace);

    std::vector<std::string> lazy;
    for (const Stage& stage : stages) {
        const bool is_map = stage.has_axis(Axis::query) && stage.has_axis(Axis::key);
        if (!is_map && trace.find(stage.name))
            continue;
        if (is_map && stage.shape.size() == 3 && stage.has_axis(Axis::head) && run->has_rows_of(stage.name))
            lazy.push_back(stage.name);
        else
            trace.omitted.push_back(stage.name + ": not kept for maps of this size");
    }
    const auto maps = std::make_shared<const RunMaps>(run, lazy);
    const auto tiles = std::make_shared<const MapTiles>(maps);
    // A stage that repeats another has its lazy maps: views tell by that what not to draw twice.
    std::vector<std::shared_ptr<const LazyMaps>> of_layers;
    for (Index layer = 0; layer < std::ssize(lazy); ++layer) {
        const auto repeated =
            std::ranges::find(lazy, run->repeated_by(lazy[static_cast<std::size_t>(layer)]));
        of_layers.push_back(
            repeated != lazy.end()
                ? of_layers[static_cast<std::size_t>(repeated - lazy.begin())]
                : std::make_shared<const LazyMaps>(
                      plan->heads, plan->queries, plan->keys,
                      [maps, layer](Index head, Index first, Index count, std::span<double> to) {
                          maps->read_rows({layer, head}, first, count, to);
                      },
                      MapOrigin{tiles, layer}, false));
    }
    for (std::size_t at = 0; Stage & stage : stages) {
        const auto found = std::ranges::find(lazy, stage.name);
        if (found != lazy.end())
            trace.add_lazy(at++, std::move(stage), of_layers[static_cast<std::size_t>(found - lazy.begin())]);
        else if (trace.find(stage.name))
            ++at;
    }
    return trace;
}

}  // namespace headlight
