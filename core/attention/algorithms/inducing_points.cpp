#include "core/attention/algorithms/points.h"

namespace headlight {
namespace {

Index points_of(const Plan& plan) { return option<Index>(plan.spec.algorithm.options, "points"); }

/// Learned points read the tokens, and the tokens read what the points have found.
Expression define_inducing_points(Composer& composer) {
    const Expression found =
        write_packed_values(composer, split_heads(composer.parameter("points"), composer.heads));
    return write_unpacked_values(
        composer, composer.let("point_keys",
                               split_heads(composer.projected(join_heads(found), "W_point"), composer.heads),
                               "what each point shows the queries"));
}

}  // namespace

AlgorithmComponent declare_algorithms_inducing_points() {
    AlgorithmComponent component;
    component.type = AlgorithmType::inducing_points;
    component.word = "inducing_points";
    component.meaning =
        "softmax(Q (Y W)ᵀ / √d) Y with Y = softmax(P Kᵀ / √d) V: s learned points P look at all tokens, and "
        "tokens look at what the points have found (ISAB, Lee et al. 2019)";
    component.options = {{.name = "points",
                          .label = "Points s",
                          .standard = Index(4),
                          .minimum = 1,
                          .maximum = 512,
                          .logarithmic = true,
                          .help = "How many learned points stand between the tokens: the rank of the map is "
                                  "no larger."}};
    component.known_parameters = {
        {"points", {}, "[s, h d_k]: what each point looks for, the heads side by side"},
        {"W_point", {}, "[h d_v, h d_k]: projects what a point has found to its key"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        list.add("points", {points_of(plan), plan.query_width}, "holds what each point looks for");
        list.add("W_point", {plan.context_width(), plan.query_width},
                 "projects what a point has found to its key");
    };
    component.needs_one_end = true;
    component.check = [](const Plan& plan) {
        refuse_turned_vectors(plan, "inducing_points", "points have no place, and are never turned");
    };
    component.declared_stages =
        declared_point_stages({{.stage = "key", .transposed = true, .as_keys = true}},
                              "asked by the\npoints P,\n÷ √d\n→", "point_keys", "point");
    component.declared_stages.push_back({.name = "point_keys",
                                         .title = "Keys of the points",
                                         .subtitle = "what each point shows the queries",
                                         .operands = {{"packed_values"}},
                                         .operation = "× W_point\n→",
                                         .lights = "weights",
                                         .is_of_features = true,
                                         .row = "point"});
    component.cost = [](const Plan& plan) {
        AlgorithmCost cost = cost_of_points(plan, points_of(plan));
        cost.multiply_adds += work({points_of(plan), plan.context_width(), plan.query_width});
        return cost;
    };
    component.define = define_inducing_points;
    return component;
}

}  // namespace headlight
