#include "core/figure/view.h"

#include "core/figure/declarations.h"
#include "core/figure/stage_chain.h"

#include <algorithm>
#include <cassert>
#include <vector>

namespace headlight {
namespace {

/// The declared views, and the words for them.
class Registry {
public:
    Registry() {
        for (const Declaration<View>& each : view_declarations())
            views_.push_back(each.declare());
        arrange();
    }

    void add(View view) {
        views_.push_back(std::move(view));
        arrange();
    }
    std::span<const View> views() const { return views_; }
    std::span<const Word<ViewKind>> words() const { return words_; }

private:
    void arrange() {
        std::ranges::stable_sort(views_, {}, &View::order);
        words_.clear();
        for (const View& view : views_)
            words_.push_back({view.kind, view.kind.word(), view.shows});
    }

    std::vector<View> views_;
    std::vector<Word<ViewKind>> words_;
};

Registry& registry() {
    static Registry all;
    return all;
}

}  // namespace

std::span<const View> views() { return registry().views(); }

const View& view(ViewKind kind) {
    const auto found = std::ranges::find(views(), kind, &View::kind);
    assert(found != views().end());
    return *found;
}

WeightLens drawn_lens(ViewKind kind, const FigureSettings& figure) {
    WeightLens lens = figure;
    const View& shown = view(kind);
    if (!shown.pools_heads)
        lens.pooled.reset();
    // A view that shows every layer by itself, and a rollout through them, pool no layers.
    if (!shown.pools_heads || shown.reads_every_head || shown.all_sites ||
        lens.pooled == PooledHeads::rollout)
        lens.pooled_layers.reset();
    return lens;
}

std::optional<PoolingMismatch> pooling_mismatch(const ViewSettings& settings) {
    if (!settings.pooled && !settings.pooled_layers)
        return std::nullopt;
    const View& shown = view(settings.view);
    if (!shown.pools_heads || shown.reads_every_head)
        return PoolingMismatch{"a view of maps, such as heatmap or lines",
                               std::string(to_word(settings.view))};
    const bool is_rollout = settings.pooled == PooledHeads::rollout;
    if (settings.pooled_layers && is_rollout)
        return PoolingMismatch{"mean or maximum of the layers, or rollout through them", "both"};
    if (settings.pooled_layers && shown.all_sites)
        return PoolingMismatch{"a view of one layer at a time, such as heatmap or lines",
                               std::string(to_word(settings.view))};
    const std::string& stage = settings.selection.stage;
    if (is_rollout || settings.pooled_layers ? stage == "weights" : is_weight_stage(stage))
        return std::nullopt;
    return PoolingMismatch{"weights", stage};
}

void add_view(View view) { registry().add(std::move(view)); }

std::string missing_for(ViewKind kind, const ViewSubject& subject) {
    const View& asked = view(kind);
    return asked.lacks ? asked.lacks(subject) : std::string();
}

template <>
std::span<const Word<ViewKind>> words() {
    return registry().words();
}

}  // namespace headlight
