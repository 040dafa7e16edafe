#include "core/attention/algorithms/points.h"
#include "core/tensor/random.h"

#include <algorithm>

namespace headlight {
namespace {

/// Queries that are no padding: where one sequence asks and is asked, it ends for both.
Index real_queries(const Plan& plan) {
    const bool is_one_sequence = plan.spec.source.type == SourceType::self;
    return is_one_sequence ? std::max<Index>(plan.allowed.end(0), 1) : plan.queries;
}

/// No more than there are queries.
Index agents_of(const Plan& plan) { return std::min(plan.algorithm().count("agents"), real_queries(plan)); }

bool picks_queries(const Plan& plan) { return plan.algorithm().word("points") == "orthogonal"; }

/// One drawn query of each head, [h, 1, n]: 1 in its place.
Expression write_first_choice(Composer& composer) {
    const Plan& plan = composer.plan;
    const auto count = static_cast<double>(real_queries(plan));
    return composer.constant("choice_1", {composer.heads, 1, plan.queries}, "a drawn query",
                             [count, seed = plan.seed](Index head, Index, Index column) {
                                 const auto of_head = substream(seed, static_cast<std::uint64_t>(head));
                                 const double share = uniform(substream(of_head, std::uint64_t(1)));
                                 return static_cast<Index>(share * count) == column ? 1.0 : 0.0;
                             });
}

/// Assigns `chosen_queries` [h, s, n], a 1 in each row: after a drawn one always that whose largest cosine,
/// of either sign, with those before it is the smallest (Patrick et al. 2021).
Expression write_orthogonal_choices(Composer& composer) {
    constexpr double out_of_question = 10;  // no cosine is so large
    const Plan& plan = composer.plan;
    const Expression directions = direction_of(composer, "candidate", composer.query);
    std::vector<Expression> choices{write_first_choice(composer)};
    Expression nearest =
        composer.constant("nearest_0", {0, 1, plan.queries}, "padding is out of the question",
                          [real = real_queries(plan)](Index, Index, Index column) {
                              return column < real ? 0.0 : out_of_question;
                          });
    for (Index point = 1; point < agents_of(plan); ++point) {
        const Expression cosines =
            absolute_of(product_transposed(product(choices.back(), directions), directions));
        nearest = composer.let(numbered("nearest_", point),
                               larger_of(nearest, cosines + out_of_question * choices.back()),
                               "the largest cosine of each query with a chosen one");
        choices.push_back(composer.let(numbered("choice_", point + 1),
                                       as_number(is_equal(rank_of(-nearest), 0)), "where it is smallest"));
    }
    return composer.let("chosen_queries", choices.size() > 1 ? join_rows(choices) : choices.front(),
                        "the queries that are points");
}

/// The points are means of neighbouring queries or some of the queries themselves, which look at the keys as
/// queries do and are looked at as keys are.
Expression define_agent(Composer& composer) {
    const Plan& plan = composer.plan;
    const Expression pooling = picks_queries(plan)
                                   ? write_orthogonal_choices(composer)
                                   : means_of_segments(composer, "query_segments", agents_of(plan),
                                                       real_queries(plan), plan.queries);
    const Expression agents =
        composer.let("agents", product(pooling, composer.query),
                     picks_queries(plan) ? "the chosen queries" : "means of neighbouring queries");
    write_packed_values(composer, agents);
    return write_unpacked_values(composer, agents);
}

}  // namespace

AlgorithmComponent declare_algorithms_agent() {
    AlgorithmComponent component;
    component.meaning =
        "softmax(Q aᵀ / √d) softmax(a Kᵀ / √d) V: agents a, means of neighbouring queries, look at all keys, "
        "and queries look at the agents (Han et al. 2024); orthogonal: queries chosen one after another, "
        "each "
        "as nearly at right angles to those before it as there is one (Patrick et al. 2021, Orthoformer)";
    component.options = {
        count_option("agents", "Agents s", 4, logarithmic_range(1, 1024),
                     "How many points stand for the queries; no more than there are."),
        word_option("points", "Points", {"means", "orthogonal"},
                    "Whether the points are means of neighbouring queries, or queries that are as nearly at "
                    "right angles as there are, after a first one that is drawn.")};
    component.needs_one_end = true;
    component.declared_stages =
        declared_point_stages({{"agents"}, times_keys_of("key")}, "÷ √d\n→", "agents", "agent");
    append(component.declared_stages,
           {made_stage("chosen_queries", "Chosen queries",
                       {"1 where a query is the point of the row", {{"query"}}, "smallest\ncosines\n→"},
                       {.lights = "agents", .is_of_features = true, .row = "agent", .is_share = true}),
            made_stage("agents", "Agents",
                       {"what stands for the queries",
                        {{"query"}, optional_stage("chosen_queries", "and")},
                        "means or\nsome of them\n→"},
                       {.lights = "weights", .is_of_features = true, .row = "agent"})});
    component.cost = [](const Plan& plan) {
        AlgorithmCost cost = cost_of_points(plan, agents_of(plan));
        if (picks_queries(plan))  // each point with every query
            cost.multiply_adds +=
                work({plan.heads, agents_of(plan) - 1, plan.queries, plan.head_query_width()});
        return cost;
    };
    component.define = define_agent;
    return component;
}

}  // namespace headlight
