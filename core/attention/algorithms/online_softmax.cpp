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

Index tile_of(const Plan& plan) { return option<Index>(plan.spec.algorithm.options, "tile"); }
Index tiles_of(const Plan& plan) { return (plan.keys + tile_of(plan) - 1) / tile_of(plan); }
Index query_tile_of(const Plan& plan) {
    return std::max<Index>(std::min(option<Index>(plan.spec.algorithm.options, "query_tile"), plan.queries),
                           1);
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
    const kernels::Table<Real>& kernels;
    Real maximum = forbidden<Real>;
    Real sum = 0;
    Real correction = 0;  ///< what the last tile multiplied sum and context by

    /// A tile that the mask leaves empty changes nothing.
    void skip() { correction = sum > 0 ? Real(1) : Real(0); }
    /// m' = max(m, s), l' = l e^(m - m') + sum e^(s - m') (Milakov and Gimelshein 2018, algorithm 3). The
    /// `scores` of the tile become the powers, but where every key so far is forbidden: returns false then.
    bool take(Real* scores, Index size) {
        const Real largest = std::max(kernels.maximum(scores, size), maximum);
        if (largest == forbidden<Real>)
            return false;
        correction = 1;
        if (maximum != largest) {  // minus infinity before the first key that counts, and its power 0
            correction = std::exchange(maximum, largest);
            kernels.exponentials(&correction, 1, largest, Real(1));
        }
        sum = sum * correction + kernels.exponentials(scores, size, largest, Real(1));
        return true;
    }
    void record(const Plan& plan, Index head, Index query, Index tile, const Recorder& to) const {
        const Index at = (head * plan.queries + query) * tiles_of(plan) + tile;
        to.write("running_maximum", at, &maximum, 1);
        to.write("running_sum", at, &sum, 1);
        to.write("corrections", at, &correction, 1);
    }
};

/// One query's pass over the keys, with the context.
template <class Real>
struct Pass {
    const SoftmaxRows<Real>& by;
    RunningSoftmax<Real> softmax{by.kernels()};

    void take(Real* scores, MatrixView<const Real> values, Real* context) {
        if (!softmax.take(scores, values.rows))
            return;
        if (softmax.correction != Real(1))
            for (Index c = 0; c < values.columns; ++c)
                context[c] *= softmax.correction;
        by.add_mixed(scores, values, context);
    }
};

template <class Real>
void run_online_softmax(const Plan& plan, const HeadTask<Real>& task, const Recorder& record) {
    const Index m = plan.keys, width = plan.head_value_width(), tile = tile_of(plan), tiles = tiles_of(plan);
    const Index most = query_tile_of(plan);
    const Real scale = static_cast<Real>(plan.scale);
    const SoftmaxRows<Real> rows;
    std::vector<Real> scratch, scores(static_cast<std::size_t>(most * m)),
        powers(static_cast<std::size_t>(std::min(tile, m)));
    for (Index begin = 0; begin < plan.queries; begin += most) {
        const Index count = std::min(most, plan.queries - begin);
        for (Index i = 0; i < count; ++i) {
            Interruption::check();
            Real* row = scores.data() + i * m;
            rows.score_allowed(plan.allowed, begin + i, task.query.row(begin + i), task.key, scale, row);
            record.write("masked_scores", (task.head * plan.queries + begin + i) * m, row, m);
            std::fill_n(task.context.row(begin + i), width, Real(0));
        }
        std::vector<Pass<Real>> passes(static_cast<std::size_t>(count), Pass<Real>{rows});
        for (Index t = 0; t < tiles; ++t) {
            const Index first = t * tile, taken = std::min(tile, m - first);
            const bool is_empty = plan.allowed.has_none(begin, count, first, taken);
            for (Index i = 0; i < count; ++i) {
                Pass<Real>& pass = passes[static_cast<std::size_t>(i)];
                if (is_empty) {
                    pass.softmax.skip();
                } else {
                    std::copy_n(scores.data() + i * m + first, taken, powers.data());
                    pass.take(powers.data(), task.value.row_range(first, taken), task.context.row(begin + i));
                }
                pass.softmax.record(plan, task.head, begin + i, t, record);
            }
        }
        for (Index i = 0; i < count; ++i) {
            const RunningSoftmax<Real>& pass = passes[static_cast<std::size_t>(i)].softmax;
            const bool is_masked = pass.maximum == forbidden<Real>;
            if (!is_masked)
                divide(task.context.row(begin + i), width, pass.sum);
            if (!task.wants_weights())
                continue;
            Real* row = weights_row(task, begin + i, scratch);
            if (is_masked) {
                std::fill_n(row, m, Real(0));
                continue;
            }
            // Never formed by the pass: e^(s - m) / l with its last m and l.
            std::copy_n(scores.data() + i * m, m, row);
            rows.kernels().exponentials(row, m, pass.maximum, Real(1));
            divide(row, m, pass.sum);
        }
    }
    if (task.head == 0)
        record_tiles(plan, record);
}

/// Takes the final scores of a row, which other parts of the spec have made and go on with.
template <class Real>
void record_passes(const Plan& plan, const ScoreRow<Real>& row, const Recorder& record) {
    const SoftmaxRows<Real> rows;
    RunningSoftmax<Real> softmax{rows.kernels()};
    const Index tile = tile_of(plan);
    std::vector<Real> powers(row.values, row.values + row.size);
    for (Index t = 0; t < tiles_of(plan); ++t) {
        if (const Index known = std::min(tile, row.size - t * tile); known > 0)
            softmax.take(powers.data() + t * tile, known);
        else
            softmax.skip();
        softmax.record(plan, row.head, row.query, t, record);
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
    component.options = {{.name = "tile",
                          .label = "Tile",
                          .standard = Index(4),
                          .minimum = 1,
                          .maximum = 512,
                          .logarithmic = true,
                          .help = "How many keys are taken at a time; the result does not depend on it."},
                         {.name = "query_tile",
                          .label = "Queries at a time",
                          .standard = Index(1),
                          .minimum = 1,
                          .maximum = 512,
                          .logarithmic = true,
                          .help = "How many queries meet each tile of keys, as in FlashAttention; tiles in "
                                  "which the mask leaves no pair are passed over. The result does not "
                                  "depend on it."}};
    component.takes_any_mask = true;
    component.leaves_other_parts = true;
    component.check = check_online_softmax;
    component.stages = [](const Plan& plan, StageList& list) {
        const Index tiles = tiles_of(plan);
        if (!is_composed(plan.spec))
            list.add_map("masked_scores");
        for (const char* name : {"running_maximum", "running_sum", "corrections"})
            list.add(name, {Axis::head, Axis::query, Axis::feature}, {plan.heads, plan.queries, tiles});
        list.add("tile_kinds", {Axis::query, Axis::feature}, {plan.queries, tiles});
    };
    component.memory = [](const Plan& plan, const RunNeeds& needs) {
        if (is_composed(plan.spec))
            return StepMemory{.working = elements(plan.keys) * needs.real};
        const double numbers =
            elements(query_tile_of(plan) + 1, plan.keys) + elements(std::min(tile_of(plan), plan.keys));
        return StepMemory{.working =
                              numbers * needs.real + elements(query_tile_of(plan), sizeof(Pass<double>))};
    };
    component.declared_stages = {{.name = "running_maximum", .title = "Running maximum", .column = "tile"},
                                 {.name = "running_sum", .title = "Running sum", .column = "tile"},
                                 {.name = "corrections", .title = "Corrections", .column = "tile"},
                                 {.name = "tile_kinds",
                                  .title = "Tiles of the mask",
                                  .subtitle = "0: no pair may meet, 2: all may, 1: some",
                                  .lights = "masked_scores",
                                  .column = "tile"}};
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
