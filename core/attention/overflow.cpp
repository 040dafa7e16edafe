#include "core/attention/overflow.h"

#include "core/attention/component.h"
#include "core/attention/explained_cell.h"
#include "core/attention/finite.h"
#include "core/attention/formula_causes.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace headlight {
namespace {

/// Without a branch, so that it runs as fast as memory is read: x - x is 0 for finite numbers, else NaN.
bool all_finite(std::span<const double> values) {
    double differences = 0;
    for (const double value : values)
        differences += value - value;
    return differences == 0;
}

/// What the axes count at element `index` of a stage.
class Cell {
public:
    Cell(const Stage& stage, Index index) : stage_(stage) {
        for (std::size_t axis = stage.shape.size(); axis-- > 0; index /= stage.shape[axis])
            places_[axis] = index % stage.shape[axis];
    }

    Index at(Axis axis) const {
        return places_[static_cast<std::size_t>(std::ranges::find(stage_.axes, axis) - stage_.axes.begin())];
    }

    /// "scores, head 1, query 2, key 3"
    std::string place() const {
        std::string text = stage_.name;
        for (std::size_t axis = 0; axis < stage_.axes.size(); ++axis) {
            const bool is_unit = stage_.axes[axis] == Axis::feature || stage_.axes[axis] == Axis::attention;
            text += (is_unit ? ", column " : ", " + std::string(to_string(stage_.axes[axis])) + ' ') +
                    std::to_string(places_[axis] + 1);
        }
        return text;
    }

private:
    const Stage& stage_;
    std::array<Index, 4> places_{};  ///< no stage has more axes
};

/// Stages that hold what was given, padding and all.
bool is_given(const Stage& stage) {
    constexpr std::array<std::string_view, 3> given{"tokens", "key_tokens", "value_tokens"};
    return std::ranges::find(given, stage.name) != given.end();
}

/// Whether the mask keeps the cell out of the output: what stands there, minus infinity included, is no
/// overflow.
bool is_excluded(const Plan& plan, const Stage& stage, const Cell& cell,
                 std::span<const std::uint8_t> used_keys) {
    if (plan.spec.mask_value)
        return false;
    const bool has_query = stage.extent(Axis::query) == plan.queries;
    const bool has_key = stage.extent(Axis::key) == plan.keys;  // and not the landmarks of an algorithm
    if (has_query && has_key)
        return !plan.allowed.allowed(cell.at(Axis::query), cell.at(Axis::key));
    if (has_key && !has_query)
        return used_keys[static_cast<std::size_t>(cell.at(Axis::key))] == 0;
    return stage.name == "row_maximum" &&
           std::ranges::count(plan.allowed.row(cell.at(Axis::query)), std::uint8_t(1)) == 0;
}

/// Minus infinity says "left out" in the scores that are normalised, and where components record what they
/// found (a running maximum before its first key). Had a finite score become one, an earlier stage would show
/// it.
bool may_leave_out(const Stage& stage) {
    constexpr std::array<std::string_view, 16> never{
        "query",         "key",         "value",         "energy", "scores",  "scaled_scores",
        "biased_scores", "pack_scores", "unpack_scores", "gate",   "context", "gated_context",
        "concatenation", "output",      "row_sum",       "weights"};
    return std::ranges::find(never, stage.name) == never.end();
}

/// Selections leave keys out of the scores; components may of their stages.
bool says_left_out(const Plan& plan, const Stage& stage, double value) {
    const bool has_component = plan.spec.selection.type != SelectionType::none ||
                               plan.spec.algorithm.type != AlgorithmType::composed ||
                               component_of(plan.spec.normalizer.type) ||
                               component_of(plan.spec.score.type) || component_of(plan.spec.position.type) ||
                               component_of(plan.spec.position.second);
    // Lines that a person typed have the names that they were given.
    const bool is_typed = plan.spec.algorithm.type == AlgorithmType::formula && stage.has_axis(Axis::query) &&
                          stage.has_axis(Axis::key);
    return value < 0 && std::isinf(value) && (is_typed || (has_component && may_leave_out(stage)));
}

/// The largest power of two in each row of a stage [head, token, feature]; of zeros, which no product loses,
/// one that is beyond all others.
std::vector<int> exponents(const Trace& trace, const Stage& stage) {
    const auto values = trace.values(stage);
    const auto width = static_cast<std::size_t>(stage.shape.back());
    std::vector<int> result;
    for (std::size_t row = 0; row < values.size(); row += width) {
        double largest = 0;
        for (const double value : values.subspan(row, width))
            largest = std::max(largest, std::abs(value));
        result.push_back(largest == 0 ? 4096 : std::ilogb(largest));
    }
    return result;
}

/// Refuses products of queries and keys so small that doubles no longer tell them apart, where somebody must.
void require_no_underflow(const Plan& plan, const Trace& trace) {
    constexpr int smallest = -960;  // below, a product and its last digits are at the end of the range
    const Stage* scores = trace.find("scores");
    if (!scores || scores->is_lazy || !orders_scores(plan) || !has_product_scores(plan.spec.score.type))
        return;
    const ExplainedCell vectors(plan, trace, *scores, 0, 0, 0);
    const Stage *query = trace.find(vectors.compared_query()), *key = trace.find(vectors.compared_key());
    if (!query || !key)
        return;
    const std::vector<int> of_query = exponents(trace, *query), of_key = exponents(trace, *key);
    const auto values = trace.values(*scores);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const Cell cell(*scores, static_cast<Index>(i));
        const Index head = cell.at(Axis::head), row = cell.at(Axis::query), column = cell.at(Axis::key);
        if (!plan.spec.mask_value && !plan.allowed.allowed(row, column))
            continue;
        const int product = of_query[static_cast<std::size_t>(head * plan.queries + row)] +
                            of_key[static_cast<std::size_t>(plan.kv_head(head) * plan.keys + column)];
        if (product < smallest)
            throw Error({"underflow", cell.place(),
                         "scores above 1e-289, for the weights go by their order (larger token vectors)",
                         "a product of about 2^" + std::to_string(product)});
    }
}

/// What was expected in the place of NaN or infinity.
std::string finite_number(const Plan& plan, const Stage& stage, bool is_nan) {
    const auto formula = typed_formula(plan.spec);
    const std::string causes = formula ? infinite_by(*formula, stage.name) : std::string();
    if (!causes.empty())
        return "numbers that are finite: no " + causes;
    return is_nan ? "numbers that doubles can hold and tell apart at every stage (token vectors or "
                    "parameters nearer "
                    "to 1)"
                  : "numbers below 1.8e308 at every stage (smaller token vectors or parameters)";
}

}  // namespace

void require_no_overflow(const Plan& plan, const Trace& trace) {
    require_no_underflow(plan, trace);
    const std::vector<std::uint8_t> used_keys = plan.allowed.used_keys();
    for (const Stage& stage : trace.stages()) {
        if (stage.is_lazy)
            continue;  // what overflows there is in the context too
        const auto values = trace.values(stage);
        if (is_given(stage) || all_finite(values))
            continue;
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (std::isfinite(values[i]) || says_left_out(plan, stage, values[i]))
                continue;
            const Cell cell(stage, static_cast<Index>(i));
            if (!is_excluded(plan, stage, cell, used_keys))
                throw Error({"overflow", cell.place(), finite_number(plan, stage, std::isnan(values[i])),
                             word_for_infinite(values[i])});
        }
    }
}

}  // namespace headlight
