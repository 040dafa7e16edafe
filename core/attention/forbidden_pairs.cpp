#include "core/attention/forbidden_pairs.h"

#include "core/attention/component.h"
#include "core/attention/plan.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <limits>

namespace headlight {
namespace {

bool is_map(const Stage& stage) {
    return stage.axes.size() >= 2 && stage.axes.back() == Axis::key &&
           stage.axes[stage.axes.size() - 2] == Axis::query;
}

/// Whether both stages have as many queries and keys: others are of blocks or landmarks, not of the weights'
/// pairs.
bool is_alike(const Stage& stage, const Stage& weights) {
    return stage.extent(Axis::query) == weights.extent(Axis::query) &&
           stage.extent(Axis::key) == weights.extent(Axis::key);
}

bool is_forbidden_score(double value) { return value == -std::numeric_limits<double>::infinity(); }

/// Asks for whole blocks at a time, which takes a fraction of asking number by number: it is asked of every
/// map of a run.
bool has_forbidden_score(std::span<const double> values) {
    constexpr std::size_t block = 256;
    for (; !values.empty(); values = values.subspan(std::min(block, values.size()))) {
        std::int64_t found = 0;
        for (const double value : values.first(std::min(block, values.size())))
            found |= is_forbidden_score(value) ? 1 : 0;
        if (found != 0)
            return true;
    }
    return false;
}

/// The numbers of one head; of the only map that there is when all heads share it.
std::span<const double> map_of(const Trace& trace, const Stage& stage, Index head) {
    return trace.matrix(stage, std::min(head, stage.heads() - 1));
}

}  // namespace

ForbiddenPairs::ForbiddenPairs(const Trace& trace, const std::string& site) : trace_(trace) {
    bool has_masked_scores = false;
    if (const Stage* weights = trace.find("weights", site);
        weights && is_map(*weights) && !weights->is_large())
        weights_ = weights;
    for (const Stage& stage : trace.stages()) {
        if (stage.site != site || !is_map(stage) || stage.is_large() ||
            (weights_ && !is_alike(stage, *weights_)))
            continue;
        const bool is_masked = stage.name == "masked_scores";  // before all others, which may know of less
        has_masked_scores = has_masked_scores || is_masked;
        if ((!masked_ || is_masked) && stage.name.ends_with("_scores") &&
            has_forbidden_score(trace.values(stage)))
            masked_ = &stage;
    }
    if (!has_masked_scores && !masked_ && weights_ && trace.known_spec_at(site))
        by_mask_ = from_mask(trace, site);
}

std::vector<std::uint8_t> ForbiddenPairs::from_mask(const Trace& trace, const std::string& site) const {
    const AttentionSpec& spec = trace.spec_at(site);
    if (spec.mask_value)
        return {};
    try {
        AllowedPairs allowed(spec.mask, weights_->extent(Axis::query), weights_->extent(Axis::key));
        if (const Index newest = newest_keys(spec); newest > 0 && allowed.is_prefix())
            allowed = allowed.newest(newest);
        std::vector<std::uint8_t> cells;
        for (Index query = 0; query < allowed.queries(); ++query)
            for (const std::uint8_t cell : allowed.row(query))
                cells.push_back(!cell);
        return cells;
    } catch (const Error&) {
        return {};  // of a file whose mask is for other sequences than its weights
    }
}

std::vector<std::uint8_t> ForbiddenPairs::of_head(Index head) const {
    std::vector<std::uint8_t> cells;
    if (masked_) {
        const auto scores = map_of(trace_, *masked_, head);
        cells.resize(scores.size());
        std::ranges::transform(scores, cells.begin(), is_forbidden_score);
    } else if (!by_mask_.empty()) {
        // A pair that has a weight all the same is shown with it: an algorithm may give its mask a meaning of
        // its own.
        const auto weights = map_of(trace_, *weights_, head);
        cells.resize(weights.size());
        std::ranges::transform(by_mask_, weights, cells.begin(), [](std::uint8_t forbidden, double weight) {
            return forbidden && weight == 0;
        });
    }
    return std::ranges::find(cells, 1) == cells.end() ? std::vector<std::uint8_t>() : cells;
}

}  // namespace headlight
