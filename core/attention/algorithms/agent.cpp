#include "core/attention/algorithms/points.h"

#include <algorithm>

namespace headlight {
namespace {

/// Queries that are no padding: where one sequence asks and is asked, it ends for both.
Index real_queries(const Plan& plan) {
    const bool is_one_sequence = plan.spec.source.type == SourceType::self;
    return is_one_sequence ? std::max<Index>(plan.allowed.end(0), 1) : plan.queries;
}

/// No more than there are queries.
Index agents_of(const Plan& plan) {
    return std::min(option<Index>(plan.spec.algorithm.options, "agents"), real_queries(plan));
}

/// The points are means of neighbouring queries, which look at the keys as queries do and are looked at as
/// keys are.
Expression define_agent(Composer& composer) {
    const Plan& plan = composer.plan;
    const Expression agents =
        composer.let("agents",
                     product(means_of_segments(composer, "query_segments", agents_of(plan),
                                               real_queries(plan), plan.queries),
                             composer.query),
                     "means of neighbouring queries");
    write_packed_values(composer, agents);
    return write_unpacked_values(composer, agents);
}

}  // namespace

AlgorithmComponent declare_algorithms_agent() {
    AlgorithmComponent component;
    component.meaning =
        "softmax(Q aᵀ / √d) softmax(a Kᵀ / √d) V: agents a, means of neighbouring queries, look at all keys, "
        "and queries look at the agents (Han et al. 2024)";
    component.options = {{.name = "agents",
                          .label = "Agents s",
                          .standard = Index(4),
                          .minimum = 1,
                          .maximum = 1024,
                          .logarithmic = true,
                          .help = "How many means stand for the queries; no more than there are."}};
    component.needs_one_end = true;
    component.declared_stages = declared_point_stages(
        {{"agents"}, {.stage = "key", .operator_before = "×", .transposed = true, .as_keys = true}},
        "÷ √d\n→", "agents", "agent");
    component.declared_stages.push_back({.name = "agents",
                                         .title = "Agents",
                                         .subtitle = "means of neighbouring queries",
                                         .operands = {{"query"}},
                                         .operation = "means\n→",
                                         .lights = "weights",
                                         .is_of_features = true,
                                         .row = "agent"});
    component.cost = [](const Plan& plan) { return cost_of_points(plan, agents_of(plan)); };
    component.define = define_agent;
    return component;
}

}  // namespace headlight
