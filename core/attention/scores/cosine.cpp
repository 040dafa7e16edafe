#include "core/attention/scores/cosine.h"
#include "core/attention/scores/defined_scores.h"
#include "core/attention/work.h"

#include <numeric>

namespace headlight {
namespace {

/// As many groups as part the features of a head evenly.
ComparedDirections compared_directions(const Plan& plan) {
    const Options& options = plan.score();
    return {.groups = std::gcd(options.count("groups"), plan.head_key_width()),
            .keeps_queries = options.word("divided") == "keys"};
}

/// The directions of the groups of features, side by side.
Expression directions_of_groups(Composer& composer, const std::string& name, const Expression& x,
                                Index groups) {
    if (groups == 1)
        return direction_of(composer, name, x);
    const Index size = x.extent().columns / groups;
    std::vector<Expression> parts;
    for (Index group = 0; group < groups; ++group) {
        const std::string of_group = name + numbered("_group_", group + 1);
        parts.push_back(direction_of(composer, of_group,
                                     composer.let(of_group, some_columns(x, counted(group * size, size)))));
    }
    return composer.let(name + "_directions", join_columns(parts), "each group divided by its length");
}

Expression define_cosines_of_groups(Composer& composer) {
    const ComparedDirections compared = compared_directions(composer.plan);
    const Expression query = compared.keeps_queries
                                 ? composer.query
                                 : directions_of_groups(composer, "query", composer.query, compared.groups);
    return product_transposed(query, directions_of_groups(composer, "key", composer.key, compared.groups));
}

}  // namespace

ScoreComponent declare_scores_cosine() {
    ScoreComponent component;
    component.meaning = "β q · k / (|q| |k|), the cosine of the angle times a key strength; 0 for a vector "
                        "of zeros (Graves, Wayne and Danihelka 2014, equations 5 and 6); of groups of "
                        "features the sum of their cosines, or with keys alone divided by their length";
    component.options = {
        number_option("beta", "Key strength β", 5.0, {0, 100},
                      "What the cosine is multiplied by: 0 makes every row uniform, large numbers leave only "
                      "the nearest key."),
        count_option("groups", "Groups of features", 1, {1, 256},
                     "How many groups the features are parted into, each divided by a length of its own; the "
                     "score is the sum of their cosines. Fewer where they do not part a head evenly."),
        word_option(
            "divided", "Divided by their length", {"both", "keys"},
            "Queries and keys, or keys alone, as Reformer has it: then a longer query looks more sharply."),
    };
    component.scale = [](const Plan& plan) { return plan.score().number("beta"); };
    component.multiply_adds = [](const Plan& plan) {
        return work_of_pairs(plan, plan.head_query_width()) + work_of_tokens(plan, plan.head_query_width());
    };
    component.memory = directions_memory;
    component.steps = [](const Plan& plan, auto& pipeline) {
        compare_directions(plan, pipeline, compared_directions(plan));
    };
    component.define = define_cosines_of_groups;
    return component;
}

}  // namespace headlight
