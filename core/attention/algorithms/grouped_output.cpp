#include "core/attention/component.h"
#include "core/attention/defined_algorithms.h"
#include "core/attention/work.h"

#include <algorithm>
#include <numeric>

namespace headlight {
namespace {

/// As many groups as part the heads evenly.
Index output_groups(const Plan& plan) { return std::gcd(plan.algorithm().count("groups"), plan.heads); }
/// What the heads of a group find, side by side.
Index output_group_width(const Plan& plan) { return plan.context_width() / output_groups(plan); }
/// Numbers that are left of it.
Index output_rank(const Plan& plan) {
    const Index given = plan.algorithm().count("rank");
    return given > 0 ? given : std::max<Index>(1, output_group_width(plan) / 2);
}

Expression define_grouped_output(Composer& composer, const Expression& output) {
    const Index groups = output_groups(composer.plan) > 1 ? output_groups(composer.plan) : 0;
    const Expression narrow =
        product(split_heads(output, groups), split_rows(composer.parameter("A_output"), groups));
    const Expression joined =
        composer.let("narrowed_output", join_heads(narrow), "a few numbers of each group of heads");
    return composer.projected(joined, "B_output");
}

}  // namespace

AlgorithmComponent declare_algorithms_grouped_output() {
    AlgorithmComponent component;
    component.meaning =
        "o = [O_g A_g]_g B in the place of [O]ₕ W_o: what the heads of each group find passes through few "
        "numbers before all groups are projected to the output (DeepSeek-AI 2026, DeepSeek-V4)";
    component.options = {
        count_option("groups", "Groups of heads", 2, {1, 256},
                     "How many groups the heads are parted into; fewer where these do not part them evenly."),
        count_option("rank", "Rank of a group", 0, logarithmic_range(0, 4096),
                     "How many numbers are left of what a group finds. 0: half as many.", "automatic")};
    component.known_parameters = {
        {"A_output", "[h d_v, r]", "narrows what the heads of each group find, group below group"},
        {"B_output", "[g r, h d_v]", "projects the numbers of all groups to the output"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        list.add("A_output", {plan.context_width(), output_rank(plan)});
        list.add("B_output", {output_groups(plan) * output_rank(plan), plan.output_width});
    };
    component.is_composed = true;
    component.makes_output = always;
    component.takes_any_mask = true;
    component.cost = [](const Plan& plan) -> AlgorithmCost {
        const Index rank = output_rank(plan);
        return {.multiply_adds = work({plan.queries, plan.context_width(), rank}) +
                                 work({plan.queries, output_groups(plan) * rank, plan.output_width})};
    };
    component.declared_stages = {
        made_stage("narrowed_output", "Narrowed output",
                   {"a few numbers of each group of heads", {{"concatenation"}}, "group by group\n× A\n→"},
                   {.lights = "output", .has_features = true, .is_of_all_heads = true}),
        made_stage("output", "Output", {"", {{"narrowed_output"}}, "× B\n→"})};
    component.define_output = define_grouped_output;
    return component;
}

}  // namespace headlight
