#include "core/attention/composer.h"
#include "core/attention/position_bias.h"
#include "core/attention/rotation.h"

#include <cmath>
#include <numeric>

namespace headlight {
namespace {

/// 8 (h + 1) / H: by how much a head flattens the bias.
double ratio(const Plan& plan, Index head) {
    return 8.0 * static_cast<double>(head + 1) / static_cast<double>(plan.heads);
}

/// The product of two sinusoids of width d at this distance, pair by pair.
std::vector<double> cosines(const Plan& plan, Index distance) {
    const Index pairs = plan.position().count("width") / 2;
    std::vector<double> cosines;
    for (Index pair = 0; pair < pairs; ++pair)
        cosines.push_back(std::cos(static_cast<double>(distance) * pair_frequency(pair, 2 * pairs)));
    return cosines;
}

/// Their sum over the head's ratio.
double sandwich_bias(const Plan& plan, Index head, Index distance) {
    const std::vector<double> terms = cosines(plan, distance);
    return std::accumulate(terms.begin(), terms.end(), 0.0) / ratio(plan, head);
}

void add_sandwich_steps(const Plan& plan, auto& pipeline) {
    add_distance_bias(plan, pipeline,
                      [&](Index head, Index distance) { return sandwich_bias(plan, head, distance); });
}

Expression define_sandwich(Composer& composer, const Expression&) {
    const Plan& plan = composer.plan;
    const Index pairs = plan.position().count("width") / 2;
    const auto angle = [pairs](Index, Index row, Index column) {
        return static_cast<double>(row) * pair_frequency(column, 2 * pairs);
    };
    const Expression of_query =
        composer.constant("angles_of_queries", {0, plan.queries, pairs}, "of their places", angle);
    const Expression of_key =
        composer.constant("angles_of_keys", {0, plan.keys, pairs}, "of their places", angle);
    const Expression flatness =
        composer.constant("flatness", {composer.heads, 1, 1}, "what each head divides by",
                          [&plan](Index head, Index, Index) { return ratio(plan, head); });
    return sum_of_pairs(cos_of(left_row(of_query) - right_row(of_key))) / flatness;
}

}  // namespace

PositionComponent declare_positions_sandwich() {
    PositionComponent component;
    component.meaning =
        "s + Σ cos((i − j) ω) / ratio_h, ratio_h = 8 (h + 1) / H: what sinusoids of two places share, "
        "and nothing else of them (Chi et al. 2023)";
    component.options = {
        count_option("width", "Width of the sinusoids", 128, logarithmic_range(2, 1024),
                     "Half as many frequencies as this, rounded down, are summed; the paper has 128.")};
    component.has_bias = true;
    component.memory = distance_bias_memory;
    component.steps = [](const Plan& plan, auto& pipeline) { add_sandwich_steps(plan, pipeline); };
    component.define_bias = define_sandwich;
    return component;
}

}  // namespace headlight
