#include "core/attention/defined_rows.h"

#include "core/attention/component.h"
#include "core/attention/options.h"
#include "core/kernels/draw_key.h"
#include "core/tensor/random.h"

#include <cstdint>
#include <limits>
#include <utility>

namespace headlight {
namespace {

/// Enough halvings of an interval of 1 for every bit of a double.
constexpr Index threshold_halvings = 60;

Expression define_hard_weights(DefinedRows& rows) {
    const Plan& plan = rows.composer.plan;
    if (plan.spec.normalizer.mode == HardMode::argmax)
        return rows.first_largest(rows.scores);
    const Expression soft = rows.let("soft_weights", rows.softmax(), "the row that a key is drawn from");
    const Expression drawn = rows.composer.constant(
        "uniform_numbers" + rows.suffix, {rows.composer.heads, plan.queries, 1},
        "a number between 0 and 1 for each query", [seed = rows.seed()](Index head, Index row, Index) {
            return kernels::chance_of_draw(substream(seed, static_cast<std::uint64_t>(head)), row, 0);
        });
    const Expression until =
        rows.let("soft_weights_so_far", cumulative_sum(soft), "the chance of this key or one before");
    const Expression passes = rows.let("has_passed", as_number(is_above(until, drawn)));
    return as_number(is_equal(passes * cumulative_sum(passes), 1));
}

}  // namespace

DefinedRows::DefinedRows(Composer& the_composer, const Expression& the_scores, std::string the_suffix)
    : composer(the_composer), scores(the_scores), suffix(std::move(the_suffix)),
      temperature(composer.plan.spec.normalizer.temperature),
      has_forbidden(composer.mask_excludes() || composer.plan.spec.selection.type != SelectionType::none),
      may_be_empty(composer.plan.spec.selection.type != SelectionType::none ||
                   (composer.mask_excludes() && !composer.plan.allowed.fully_masked_queries().empty())) {}

std::uint64_t DefinedRows::seed() const {
    const std::uint64_t seed = composer.plan.seed;
    if (map == 0)
        return seed;
    constexpr std::uint64_t of_maps = std::numeric_limits<std::uint64_t>::max();  // no head has this number
    return substream(substream(seed, of_maps), static_cast<std::uint64_t>(map));
}

double DefinedRows::number(const char* name) const { return options().number(name); }

Expression DefinedRows::of_head(const char* name, double learned, const char* parameter) {
    return number(name) == learned ? composer.parameter_of_heads(parameter) : Expression(number(name));
}

Expression DefinedRows::open_over_temperature(const Expression& x) const {
    return temperature == 1 || !has_forbidden ? over_temperature(x)
                                              : choose(is_open(), x / temperature, minus_infinity());
}

Expression DefinedRows::open_scores() {
    return let("open_scores", over_temperature(open_only(scores)), "scores of the pairs that may meet");
}

Expression DefinedRows::row_maximum() {
    return finite_largest(let("row_maximum", maximum_of_columns(scores), "the largest score of each row"));
}

Expression DefinedRows::below_largest() {
    return let("below_largest", open_over_temperature(scores - row_maximum()),
               "scores less the largest of the row");
}

Expression DefinedRows::key_counts() {
    if (!has_forbidden)
        return static_cast<double>(composer.plan.keys);
    return let("key_counts", larger_of(sum_of_columns(as_number(is_open())), 1),
               "keys that each query may look at");
}

Expression DefinedRows::zero_column() {
    return composer.zeros("column_of_zeros" + suffix, {composer.heads, scores.extent().rows, 1},
                          "where the search begins");
}

Expression DefinedRows::between_keys(const std::string& name, const std::string& note,
                                     std::function<bool(Index row, Index column)> holds) {
    const Index m = composer.plan.keys;
    return composer.of_places(name, {0, m, m}, note, [holds = std::move(holds)](Place at) {
        return holds(at.row, at.column) ? 1.0 : 0.0;
    });
}

Expression DefinedRows::exponentials() {
    const Expression below = scores - row_maximum();
    return let("exponentials", exp_of(open_over_temperature(below)), "exp(score − largest score)");
}

Expression DefinedRows::softmax() {
    const Expression each = exponentials();
    return divided(each, let("row_sum", sum_of_columns(each), "the sum of each row"));
}

Expression DefinedRows::sparsemax(const Expression& z) {
    const Expression sorted = let("descending_scores", descending(z), "each row, the largest first");
    const Index columns = scores.extent().columns;  // keys, or blocks of them
    const Expression counts = composer.constant(
        columns == composer.plan.keys ? "counts" : "counts" + suffix, {0, 1, columns}, "1, 2, 3, ...",
        [](Index, Index, Index column) { return static_cast<double>(column + 1); });
    // The largest of all means less 1 is the threshold: it grows as long as a key belongs to the support.
    const Expression threshold =
        let("tau", maximum_of_columns((cumulative_sum(sorted) - 1) / counts), "what every score loses");
    return open_only(relu_of(z - threshold));
}

Expression DefinedRows::first_largest(const Expression& x) {
    const Expression is_largest = let("is_largest", as_number(is_equal(x, maximum_of_columns(x))));
    return open_only(as_number(is_equal(is_largest * cumulative_sum(is_largest), 1)));
}

Expression DefinedRows::bisected(const Expression& low, const Expression& high, double level,
                                 const std::function<Expression(const Expression&)>& falling) {
    const Expression lower = let("lower", low, "the threshold lies between these two");
    const Expression upper = let("upper", high);
    composer.program.repeat(threshold_halvings, [&] {
        const Expression middle = let("middle", (lower + upper) / 2);
        const Expression higher = let("is_higher", as_number(is_above(falling(middle), level)));
        let("lower", choose(is_above(higher, 0), middle, lower));
        let("upper", choose(is_above(higher, 0), upper, middle));
    });
    const Expression found = (lower + upper) / 2;
    return let("tau", solution_of(found, falling(found) - level));
}

Expression DefinedRows::log_sums_of_columns(const Expression& logs) {
    const Expression largest = let("largest_of_column", maximum_of_rows(logs), "of each key");
    const Expression reach = finite_maximum(largest);
    const Expression sum = let("column_sum", sum_of_rows(exp_of(logs - reach)), "the sum of each column");
    return reach + log_of(not_zero(sum));
}

Expression DefinedRows::log_sums_of_rows(const Expression& logs) {
    const Expression largest = let("largest_of_row", maximum_of_columns(logs), "of each query");
    const Expression reach = finite_maximum(largest);
    const Expression sum =
        let("balanced_row_sum", sum_of_columns(exp_of(logs - reach)), "the sum of each row");
    return reach + log_of(not_zero(sum));
}

Expression define_weights(DefinedRows& rows) {
    const NormalizerType type = rows.composer.plan.spec.normalizer.type;
    if (const NormalizerComponent* component = component_of(type))
        return component->define(rows);
    return type == NormalizerType::hard ? define_hard_weights(rows) : rows.softmax();
}

}  // namespace headlight
