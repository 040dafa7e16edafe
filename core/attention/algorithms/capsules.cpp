#include "core/attention/component.h"
#include "core/attention/defined_algorithms.h"

#include <algorithm>

namespace headlight {
namespace {

/// So many parents have a matrix of their own.
Index capsule_types(const Plan& plan) { return plan.algorithm().count("types"); }

/// Rows that were made type by type, in the order of the parents.
Expression in_order_of_parents(const Composer& composer, const std::vector<Expression>& of_types) {
    const Index parents = composer.plan.queries, types = std::ssize(of_types);
    std::vector<Index> rows, first{0};
    for (Index type = 0; type < types; ++type)
        first.push_back(first.back() + of_types[static_cast<std::size_t>(type)].extent().rows);
    for (Index parent = 0; parent < parents; ++parent)
        rows.push_back(first[static_cast<std::size_t>(parent % types)] + parent / types);
    return some_rows(types == 1 ? of_types.front() : join_rows(of_types), rows);
}

/// |s|² / (1 + |s|²) s / |s| of each row: its direction, and a length below 1.
Expression squashed(Composer& composer, const std::string& suffix, const Expression& sums) {
    const Expression direction = direction_of(composer, "capsule_sum" + suffix, sums);
    const Expression length =
        composer.let("capsule_length" + suffix, sum_of_columns(sums * direction), "of each sum");
    // Squares of numbers up to 1 do not overflow.
    const Expression inverse = 1 / larger_of(length, 1), small = smaller_of(length, 1);
    const Expression share =
        choose(is_above(length, 1), 1 / (1 + inverse * inverse), small * small / (1 + small * small));
    return composer.let("capsules" + suffix, direction * share, "each sum, its length squashed below 1");
}

/// Routing by agreement (Sabour et al. 2017, procedure 1): each child is shared out among the parents, and a
/// parent that says what the child has told it gets more of it.
Expression define_capsules(Composer& composer) {
    const Plan& plan = composer.plan;
    const Index types = std::min(capsule_types(plan), plan.queries),
                rounds = composer.plan.algorithm().count("rounds"), width = plan.head_value_width(),
                block = plan.heads * width;
    const Expression matrices = composer.parameter("W_votes"),
                     children = of_seen_keys(composer, composer.value);
    std::vector<Expression> votes;
    std::vector<std::vector<Index>> parents(static_cast<std::size_t>(types));
    for (Index type = 0; type < types; ++type) {
        const Expression matrix =
            split_rows(some_rows(matrices, counted(type * block, block)), composer.heads);
        votes.push_back(composer.let(numbered("votes_", type + 1), product(children, matrix),
                                     "what each child says to parents of the type"));
        for (Index parent = type; parent < plan.queries; parent += types)
            parents[static_cast<std::size_t>(type)].push_back(parent);
    }
    const auto of_types = [&](const auto& make) {
        std::vector<Expression> made;
        for (std::size_t type = 0; type < votes.size(); ++type)
            made.push_back(make(votes[type], parents[type]));
        return in_order_of_parents(composer, made);
    };
    Expression logits = composer.of_places("routing_begin", {composer.heads, plan.queries, plan.keys},
                                           "no parent is preferred", [](Place) { return 0.0; });
    std::optional<Expression> capsules;
    std::vector<Expression> all_weights;
    for (Index round = 1; round <= rounds; ++round) {
        const std::string suffix = round == rounds ? "" : numbered("_", round);
        const Expression shares =
            softmax_along(AlongAxis::rows, logits, [&](const char* part, const Expression& value) {
                return composer.let("routing_" + (part + suffix), value);
            });
        const Expression weights = composer.let("weights" + suffix, composer.where_open(shares, 0),
                                                "softmax of each column: a child among the parents");
        all_weights.push_back(weights);
        const Expression sums = composer.let(
            "capsule_sums" + suffix, of_types([&](const Expression& vote, const std::vector<Index>& rows) {
                return product(some_rows(weights, rows), vote);
            }),
            "of the votes by these shares");
        capsules = squashed(composer, suffix, sums);
        if (round == rounds)
            break;
        logits = composer.let("routing_logits" + suffix,
                              logits + of_types([&](const Expression& vote, const std::vector<Index>& rows) {
                                  return product_transposed(some_rows(*capsules, rows), vote);
                              }),
                              "and the product of each vote with what the parent says");
    }
    if (rounds > 1)
        composer.let("round_weights", join_columns(all_weights), "of all rounds, side by side");
    return composer.let("context", *capsules, "the parents after the last round");
}

}  // namespace

AlgorithmComponent declare_algorithms_capsules() {
    AlgorithmComponent component;
    component.meaning =
        "v_i = squash(Σ_j A_ij û_j), û = V W_i, A the softmax over the parents i of b, b ← b + û · v, "
        "several times from b = 0, squash(s) = |s|² / (1 + |s|²) s / |s|: children are shared out among "
        "parents that agree with them (capsules, Sabour et al. 2017)";
    component.options = {count_option("rounds", "Rounds", 3, {1, 20},
                                      "How often the children are shared out; the paper has 3. In the first "
                                      "round every parent gets the same share."),
                         count_option("types", "Matrices of parents", 4, {1, 64},
                                      "How many parents have a matrix of their own; further ones have those "
                                      "of the first again, and stay the same as these.")};
    component.known_parameters = {{"W_votes", "[types h d_v, d_v], for each parent head below head",
                                   "makes of a value what it says to a parent"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        list.add("W_votes", {capsule_types(plan) * plan.context_width(), plan.head_value_width()});
    };
    component.needs_one_end = true;
    component.check = [](const Plan& plan) {
        refuse_turned_vectors(plan, "capsules", "no query meets a key");
    };
    component.changes_context = always;
    component.declared_stages = {
        made_stage(
            "weights", "Weights",
            {"softmax of each column: a child among the parents", {keys_of("value")}, "round by\nround\n→"},
            {.lights = "capsule_sums",
             .role = StageRole::weights,
             .is_share = true,
             .leaves_out_masked = true}),
        made_stage("round_weights", "Weights of all rounds",
                   {"the first round’s columns first", {keys_of("value")}, "round by\nround\n→"},
                   {.lights = "weights", .has_features = true, .column = "child", .is_share = true}),
        made_stage("capsule_sums", "Sums of the votes",
                   {"of what the children say, by their shares",
                    {{"weights"}, keys_of("value", "and")},
                    "× W of the\nparent\n→"},
                   {.colours_of = "value", .lights = "output", .has_features = true}),
        declared_own_context_stage(
            {"the sums, their length squashed below 1", {{"capsule_sums"}}, "squash\n→"})};
    component.define = define_capsules;
    return component;
}

}  // namespace headlight
