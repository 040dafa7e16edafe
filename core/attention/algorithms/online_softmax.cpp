#include "core/attention/arithmetic_text.h"
#include "core/attention/component.h"
#include "core/attention/explained_cell.h"
#include "core/attention/softmax_rows.h"
#include "core/attention/spec_words.h"
#include "core/tensor/error.h"
#include "core/tensor/interruption.h"

#include <utility>

namespace headlight {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

Index tile_of(const Plan& plan) { return plan.algorithm().count("tile"); }
Index tiles_of(const Plan& plan) { return parts_of_size(plan.keys, tile_of(plan)); }
Index query_tile_of(const Plan& plan) {
    return std::max<Index>(std::min(plan.algorithm().count("query_tile"), plan.queries), 1);
}

/// A tile of queries and keys, of those that there are.
struct SweptTile {
    SweptTile(const Plan& plan, Index query, Index tile)
        : first_query(query / query_tile_of(plan) * query_tile_of(plan)),
          queries(std::min(query_tile_of(plan), plan.queries - first_query)), first_key(tile * tile_of(plan)),
          keys(std::min(tile_of(plan), plan.keys - first_key)) {}
    Index first_query, queries, first_key, keys;

    Index allowed_pairs(const Plan& plan) const {
        Index count = 0;
        for (Index query = first_query; query < first_query + queries; ++query)
            for (Index key = first_key; key < first_key + keys; ++key)
                count += plan.allowed.allowed(query, key) ? 1 : 0;
        return count;
    }
};

/// Which tiles the mask leaves empty, which it fills, and which have to be tested pair by pair.
void record_tiles(const Plan& plan, const Recorder& record) {
    const Index tiles = tiles_of(plan);
    for (Index begin = 0; begin < plan.queries && record.wants("tile_kinds"); begin += query_tile_of(plan))
        for (Index t = 0; t < tiles; ++t) {
            Interruption::check();
            const SweptTile tile(plan, begin, t);
            const Index pairs = tile.allowed_pairs(plan);
            const double kind = pairs == 0 ? 0 : pairs == tile.queries * tile.keys ? 2 : 1;
            for (Index query = begin; query < begin + tile.queries; ++query)
                record.write("tile_kinds", query * tiles + t, &kind, 1);
        }
}

/// What one query knows of the scores that have passed: when a tile is done it is all that is kept of them.
template <class Real>
struct RunningSoftmax {
    const SoftmaxRows<Real>& by;
    Real maximum = forbidden<Real>;
    Real sum = 0;
    Real correction = 0;  ///< what the last tile multiplied sum and context by

    /// m' = max(m, s) of the first tile of `scores`, and its correction e^(m - m') (Milakov and Gimelshein
    /// 2018, algorithm 3). Returns the length of the tiles up to the next one that raises the maximum.
    Index rise(const Real* scores, Index size, Index tile) {
        const Real largest = std::max(by.kernels().maximum(scores, std::min(tile, size)), maximum);
        if (largest != forbidden<Real>)
            correction = 1;
        if (maximum != largest) {  // minus infinity before the first key that counts, and its exponential 0
            correction = std::exchange(maximum, largest);
            by.kernels().exponentials(&correction, 1, largest, Real(1));
        }
        Index end = std::min(tile, size);
        while (end < size && !(scores[end] > maximum))
            ++end;
        return end < size ? end / tile * tile : size;
    }
    /// l' = l e^(m - m') + sum e^(s - m') of the tiles that rise() has counted, whose scores become the
    /// exponentials; done(tile) after each.
    template <class Done>
    void add(Real* scores, Index size, Index tile, const Done& done) {
        if (maximum == forbidden<Real>)
            std::fill_n(scores, size, Real(0));
        else
            by.kernels().exponentials(scores, size, maximum, Real(1));
        for (Index first = 0; first < size; first += tile) {
            sum = sum * correction + by.arithmetic().sum(scores + first, std::min(tile, size - first));
            done(first / tile);
            correction = sum > 0 ? Real(1) : Real(0);
        }
    }
    /// A tile that the mask leaves empty changes nothing.
    void skip() { correction = sum > 0 ? Real(1) : Real(0); }
    void record(const Plan& plan, Index head, Index query, Index tile, const Recorder& to) const {
        const Index at = (head * plan.queries + query) * tiles_of(plan) + tile;
        to.write("running_maximum", at, &maximum, 1);
        to.write("running_sum", at, &sum, 1);
        to.write("corrections", at, &correction, 1);
    }
};

template <class Real>
void run_online_softmax(const Plan& plan, const HeadTask<Real>& task, const Recorder& record) {
    const Index m = plan.keys, width = plan.head_value_width(), tile = tile_of(plan);
    const Real scale = static_cast<Real>(plan.scale);
    const SoftmaxRows<Real> rows;
    std::vector<Real> exponentials(static_cast<std::size_t>(m));
    for (Index i = 0; i < plan.queries; ++i) {
        Interruption::check();
        rows.score_allowed(plan.allowed, i, task.query.row(i), task.key, scale, exponentials.data());
        record.write("masked_scores", (task.head * plan.queries + i) * m, exponentials.data(), m);
        if (task.wants_weights())
            std::ranges::copy(exponentials, task.weights.row(i));
        Real* const context = task.context.row(i);
        std::fill_n(context, width, Real(0));
        RunningSoftmax<Real> softmax{rows};
        for (Index first = 0, count = 0; first < m; first += count) {
            Real* const part = exponentials.data() + first;
            count = softmax.rise(part, m - first, tile);
            if (softmax.correction != Real(1))
                for (Index c = 0; c < width; ++c)
                    context[c] *= softmax.correction;
            softmax.add(part, count, tile,
                        [&](Index done) { softmax.record(plan, task.head, i, first / tile + done, record); });
            rows.add_mixed(part, task.value.row_range(first, count), context);
        }
        const bool is_masked = softmax.maximum == forbidden<Real>;
        if (!is_masked)
            divide(context, width, softmax.sum);
        if (!task.wants_weights())
            continue;
        Real* const row = task.weights.row(i);
        if (is_masked) {
            std::fill_n(row, m, Real(0));
            continue;
        }
        // Never formed by the pass: e^(s - m) / l with its last m and l.
        rows.kernels().exponentials(row, m, softmax.maximum, Real(1));
        divide(row, m, softmax.sum);
    }
    if (task.head == 0)
        record_tiles(plan, record);
}

/// Takes the final scores of a row, which other parts of the spec have made and go on with.
template <class Real>
void record_passes(const Plan& plan, const ScoreRow<Real>& row, const Recorder& record) {
    const SoftmaxRows<Real> rows;
    RunningSoftmax<Real> softmax{rows};
    const Index tile = tile_of(plan);
    std::vector<Real> exponentials(row.values, row.values + row.size);
    Index tiles = 0;
    const auto record_next = [&](Index) { softmax.record(plan, row.head, row.query, tiles++, record); };
    for (Index first = 0, count = 0; first < row.size; first += count) {
        count = softmax.rise(exponentials.data() + first, row.size - first, tile);
        softmax.add(exponentials.data() + first, count, tile, record_next);
    }
    while (tiles < tiles_of(plan)) {
        softmax.skip();
        record_next(tiles);
    }
}

template <class Real>
void add_online_softmax_steps(const Plan& plan, Pipeline<Real>& pipeline) {
    if (!is_composed(plan.spec)) {
        pipeline.algorithm = [&plan](const HeadTask<Real>& task, const Recorder& record) {
            run_online_softmax(plan, task, record);
        };
        return;
    }
    pipeline.prepare.push_back([&plan](Index head, const Recorder& record) {
        if (head == 0)
            record_tiles(plan, record);
    });
    pipeline.select.push_back([&plan](const ScoreRow<Real>& row, const Recorder& record) {
        if (record)
            record_passes(plan, row, record);
    });
}

/// Other parts act before the running softmax, or beside its sum.
void check_online_softmax(const Plan& plan) {
    const AttentionSpec& spec = plan.spec;
    if (!is_composed(spec))
        return;
    const auto refuse = [](const std::string& part, const std::string& expected, const std::string& got) {
        throw Error({"online_softmax algorithm", part, expected, got});
    };
    const Normalizer& normalizer = spec.normalizer;
    const bool has_sum = normalizer.type == NormalizerType::softmax ||
                         normalizer.type == NormalizerType::off_by_one ||
                         normalizer.type == NormalizerType::sink;
    if (!has_sum)
        refuse("normalizer", "softmax, off_by_one or sink: what runs along is a sum of exponentials",
               to_word(normalizer.type));
    if (normalizer.temperature != 1)
        refuse("normalizer.temperature", "1: a factor of the scores comes before the tiles",
               std::to_string(normalizer.temperature));
    if (spec.selection.type != SelectionType::none)
        refuse("selection", "none: which keys are chosen is known when all tiles have passed",
               to_word(spec.selection.type));
    if (spec.heads.type == HeadsType::talking)
        refuse("heads", "heads that do not mix their maps, which no head has", to_word(spec.heads.type));
    if (spec.mask_value)
        refuse("mask_value", "none: tiles that the mask leaves empty are passed over",
               std::to_string(*spec.mask_value));
    if (const ScoreComponent* score = component_of(spec.score.type); score && score->is_ordered)
        refuse("score", "one that is known before any weight", score->word);
    if (const PositionComponent* position = position_with(spec, &PositionComponent::define_context))
        refuse("position", "one that leaves the context as it is", position->word);
}

Arithmetic explain_online_softmax(const ExplainedCell& cell, std::string_view stage) {
    const Index tile = tile_of(cell.plan), t = cell.column;
    if (stage == "tile_kinds") {
        const SweptTile pairs(cell.plan, cell.row, t);
        return std::to_string(static_cast<int>(cell.here(stage))) + ": the mask leaves " +
               std::to_string(pairs.allowed_pairs(cell.plan)) + " of " +
               std::to_string(pairs.queries * pairs.keys) + " pairs of this tile";
    }
    if (stage != "running_maximum" && stage != "corrections" && stage != "running_sum")
        return {};
    const auto before = [&](std::string_view name, double at_first) {
        return t > 0 ? cell.at(name, cell.head, cell.row, t - 1) : at_first;
    };
    const auto scores = cell.row_of(final_scores(cell.plan.spec), cell.head, cell.row);
    const auto of_tile = scores.subspan(static_cast<std::size_t>(t * tile),
                                        static_cast<std::size_t>(std::min(tile, cell.plan.keys - t * tile)));
    const std::string keys =
        "keys " + std::to_string(t * tile + 1) + " to " + std::to_string(t * tile + std::ssize(of_tile));
    if (stage == "running_maximum") {
        std::vector<double> numbers{before(stage, -infinity)};
        numbers.insert(numbers.end(), of_tile.begin(), of_tile.end());
        return maximum_of(numbers) + ": the maximum so far and the scores of " + keys;
    }
    if (stage == "corrections")
        return before("running_sum", 0) > 0
                   ? "exp(" + minus(before("running_maximum", -infinity), cell.here("running_maximum")) +
                         "): what the sum so far has to be multiplied by"
                   : "0, for nothing was summed before";
    if (std::isinf(cell.here("running_maximum")))
        return "0, for the mask forbids every key so far";
    std::vector<double> parts{before(stage, 0) * cell.here("corrections")};
    for (const double score : of_tile)
        if (!std::isinf(score))
            parts.push_back(std::exp(score - cell.here("running_maximum")));
    return sum_of(parts) + ": the sum so far times its correction, then exp(s − maximum) of " + keys;
}

}  // namespace

AlgorithmComponent declare_algorithms_online_softmax() {
    AlgorithmComponent component;
    component.meaning = "the softmax tile by tile, with a running maximum and sum: the same numbers as all "
                        "at once, and no row of "
                        "weights is ever kept (Milakov and Gimelshein 2018; Dao et al. 2022)";
    component.options = {
        count_option("tile", "Tile", 4, logarithmic_range(1, 512),
                     "How many keys are taken at a time; the result does not depend on it."),
        count_option("query_tile", "Queries at a time", 1, logarithmic_range(1, 512),
                     "How many queries meet each tile of keys, as in FlashAttention; tiles in which the mask "
                     "leaves no pair are passed over. The result does not depend on it.")};
    component.takes_any_mask = true;
    component.leaves_other_parts = true;
    component.check = check_online_softmax;
    component.stages = [](const Plan& plan, StageList& list) {
        const Index tiles = tiles_of(plan);
        if (!is_composed(plan.spec))
            list.add_map("masked_scores");
        for (const char* name : {"running_maximum", "running_sum", "corrections"})
            list.add_vectors(name, Axis::query, tiles);
        list.add_rows("tile_kinds", Axis::query, tiles);
    };
    component.memory = [](const Plan& plan, const RunNeeds& needs) {
        return StepMemory{.working = elements(plan.keys) * needs.real};
    };
    component.declared_stages = {made_stage("running_maximum", "Running maximum", {}, {.column = "tile"}),
                                 made_stage("running_sum", "Running sum", {}, {.column = "tile"}),
                                 made_stage("corrections", "Corrections", {}, {.column = "tile"}),
                                 made_stage("tile_kinds", "Tiles of the mask",
                                            {"0: no pair may meet, 2: all may, 1: some"},
                                            {.lights = "masked_scores", .column = "tile"})};
    component.steps = [](const Plan& plan, auto& pipeline) { add_online_softmax_steps(plan, pipeline); };
    component.cost = [](const Plan& plan) -> AlgorithmCost {
        if (is_composed(plan.spec))
            return {};
        const double pairs = static_cast<double>(plan.allowed.count() * plan.heads);
        return {.multiply_adds = pairs * static_cast<double>(plan.head_key_width() + plan.head_value_width()),
                .map_numbers = static_cast<double>(plan.heads * plan.queries * tile_of(plan)),
                .cache_numbers = static_cast<double>(plan.key_width + plan.value_width)};
    };
    component.explain = explain_online_softmax;
    return component;
}

}  // namespace headlight
