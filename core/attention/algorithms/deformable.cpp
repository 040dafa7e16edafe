#include "core/attention/algorithms/image_grid.h"

#include <optional>

namespace headlight {
namespace {

Index points_of_query(const Plan& plan) { return option<Index>(plan.spec.algorithm.options, "points"); }

/// What a query says of its points, [h, n, numbers]: q W + b.
Expression said_of_points(Composer& composer, const std::string& what) {
    return product(composer.query, split_rows(composer.parameter("W_" + what), composer.heads)) +
           split_rows(composer.parameter("b_" + what), composer.heads);
}

/// How much of each place [h, n, m] a point has that lies `from` [h, n, 1] along rows or columns: 1 at a
/// place, less in a line up to the next one.
Expression nearness(const Expression& from, const Expression& places) {
    return relu_of(1 - absolute_of(from - places));
}

/// Each query looks at a few points of the image, between the places, which it chooses alone (Zhu et al.
/// 2021, equation 2).
Expression define_deformable(Composer& composer) {
    const ImageGrid grid(composer.plan);
    const Index places = grid.places(), points = points_of_query(composer.plan);
    const auto of_grid = [&](const std::string& name, bool is_row, bool is_key) {
        return composer.of_places(name, is_key ? Extent{0, 1, places} : Extent{0, places, 1},
                                  "where each place lies on the grid", [=](Place at) {
                                      const Index place = is_key ? at.column : at.row;
                                      return static_cast<double>(is_row ? grid.row(place)
                                                                        : grid.column(place));
                                  });
    };
    const Expression offsets = composer.let("sampling_offsets", said_of_points(composer, "offsets"),
                                            "steps down and to the right, point by point");
    const Expression shares = softmax_of(
        composer, "point_weights",
        composer.let("point_scores", said_of_points(composer, "points"), "a number for each point"));
    const Expression own_row = of_grid("grid_rows", true, false),
                     own_column = of_grid("grid_columns", false, false),
                     key_row = of_grid("grid_rows_of_keys", true, true),
                     key_column = of_grid("grid_columns_of_keys", false, true);
    std::optional<Expression> weights;
    for (Index point = 0; point < points; ++point) {
        const Expression rows = nearness(own_row + some_columns(offsets, {2 * point}), key_row),
                         columns = nearness(own_column + some_columns(offsets, {2 * point + 1}), key_column);
        const Expression taken = composer.let(numbered("through_point_", point + 1),
                                              some_columns(shares, {point}) * (rows * columns),
                                              "what the four places around the point give");
        weights = weights ? *weights + taken : taken;
    }
    return write_attended_values(composer, composer.let("weights", *weights, "through all points"));
}

}  // namespace

AlgorithmComponent declare_algorithms_deformable() {
    AlgorithmComponent component;
    component.type = AlgorithmType::deformable;
    component.word = "deformable";
    component.meaning =
        "oᵢ = Σ_k a_ik v(pᵢ + Δp_ik), a = softmax(q W_A + b_A), Δp = q W_Δ + b_Δ: the query alone says at "
        "which few points of the grid it looks and how much at each, and values between the places are "
        "those of the four around, bilinearly (Zhu et al. 2021, Deformable DETR); the tokens fill a grid row "
        "by row, and what lies outside is zero";
    component.options = {columns_option(),
                         {.name = "points",
                          .label = "Points",
                          .standard = Index(4),
                          .minimum = 1,
                          .maximum = 64,
                          .help = "How many points each head of a query looks at."}};
    component.known_parameters = {
        {"W_offsets",
         {},
         "[h d_k, 2 points], head below head: makes the steps down and to the right from a place to its "
         "points (deformable)"},
        {"b_offsets", {}, "[h, 2 points]: the same steps for all queries (deformable)"},
        {"W_points", {}, "[h d_k, points], head below head: makes the scores of the points (deformable)"},
        {"b_points", {}, "[h, points]: the same scores for all queries (deformable)"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        const Index points = points_of_query(plan);
        list.add("W_offsets", {plan.query_width, 2 * points}, "makes the steps from a place to its points");
        list.add("b_offsets", {plan.heads, 2 * points}, "the same steps for all queries");
        list.add("W_points", {plan.query_width, points}, "makes the scores of the points");
        list.add("b_points", {plan.heads, points}, "the same scores for all queries");
    };
    component.check = [](const Plan& plan) {
        require_one_sequence(plan, "deformable", "the points lie around the token’s own place");
        refuse_turned_vectors(plan, "deformable", "no query meets a key");
        refuse_masked_image(plan, "deformable");
    };
    component.declared_stages = {
        {.name = "sampling_offsets",
         .title = "Steps to the points",
         .subtitle = "down and to the right, point by point",
         .operands = {{"query"}},
         .operation = "× W, +\n→",
         .lights = "weights",
         .has_features = true},
        {.name = "point_scores",
         .title = "Scores of the points",
         .operands = {{"query"}},
         .operation = "× W, +\n→",
         .lights = "point_weights",
         .has_features = true},
        declared_softmax_stage("point_scores", {.name = "point_weights",
                                                .title = "Weights of the points",
                                                .subtitle = "what each point has of the query",
                                                .lights = "weights",
                                                .has_features = true}),
        {.name = "weights",
         .title = "Weights",
         .subtitle = "each point shared out among the four places around it",
         .operands = {{"point_weights"}, {"sampling_offsets", "at"}},
         .operation = "shared\nout\n→",
         .lights = "output",
         .role = StageRole::weights,
         .is_share = true,
         .leaves_out_masked = true}};
    component.define = define_deformable;
    return component;
}

}  // namespace headlight
