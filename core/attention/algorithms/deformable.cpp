#include "core/attention/algorithms/image_points.h"

#include <algorithm>

namespace headlight {
namespace {

Index points_of_query(const Plan& plan) { return plan.algorithm().count("points"); }
Index sizes_of_image(const Plan& plan) { return plan.algorithm().count("levels"); }
/// A query's, through all sizes of the image.
Index all_points(const Plan& plan) { return sizes_of_image(plan) * points_of_query(plan); }

/// What a query says of its points, [h, n, numbers]: q W + b.
Expression said_of_points(Composer& composer, const std::string& what) {
    return product(composer.query, composer.matrices_of_heads("W_" + what)) +
           composer.matrices_of_heads("b_" + what);
}

/// The image `side` times smaller: a place of it is the mean of a patch, and where the places of the large
/// one lie there.
struct SmallerImage {
    SmallerImage(Composer& composer, const ImageGrid& grid, Index level)
        : side(Index(1) << level), own_row(of_grid(composer, grid, level, true, false)),
          own_column(of_grid(composer, grid, level, false, false)),
          key_row(of_grid(composer, grid, level, true, true)),
          key_column(of_grid(composer, grid, level, false, true)) {
        if (level > 0)
            key_shares =
                composer.of_places(named("patch_shares", level), {0, 1, grid.places()},
                                   "one over the places of each patch", [grid, patch = side](Place at) {
                                       const Index top = grid.row(at.column) / patch * patch,
                                                   left = grid.column(at.column) / patch * patch;
                                       Index places = 0;
                                       for (Index row = top; row < std::min(top + patch, grid.rows()); ++row)
                                           places +=
                                               std::clamp<Index>(grid.places_in_row(row) - left, 0, patch);
                                       return 1 / static_cast<double>(places);
                                   });
    }

    Index side;
    Expression own_row, own_column;  ///< [n, 1], of the queries, between the places of the smaller image
    Expression key_row, key_column;  ///< [1, n], of the patch that each place lies in
    std::optional<Expression> key_shares;  ///< [1, n], what each place has of its patch

private:
    static std::string named(const std::string& name, Index level) {
        return level == 0 ? name : name + "_of_size_" + std::to_string(level + 1);
    }
    static Expression of_grid(Composer& composer, const ImageGrid& grid, Index level, bool is_row,
                              bool is_key) {
        const Index places = grid.places(), patch = Index(1) << level;
        const std::string name =
            std::string(is_row ? "grid_rows" : "grid_columns") + (is_key ? "_of_keys" : "");
        return composer.of_places(named(name, level), is_key ? Extent{0, 1, places} : Extent{0, places, 1},
                                  "where each place lies on the grid", [=](Place at) {
                                      const Index place = is_key ? at.column : at.row;
                                      const Index line = is_row ? grid.row(place) : grid.column(place);
                                      if (is_key)
                                          return static_cast<double>(line / patch);
                                      // The middles of places lie half a place from the edge, whatever their
                                      // size.
                                      return (static_cast<double>(line) + 0.5) / static_cast<double>(patch) -
                                             0.5;
                                  });
    }
};

/// Each query looks at a few points of the image, between the places, which it chooses alone (Zhu et al.
/// 2021, equations 2 and 3).
Expression define_deformable(Composer& composer) {
    const ImageGrid grid(composer.plan);
    const Index points = points_of_query(composer.plan);
    const Expression offsets = composer.let("sampling_offsets", said_of_points(composer, "offsets"),
                                            "steps down and to the right, point by point");
    const Expression shares =
        write_point_weights(composer, said_of_points(composer, "points"), "a number for each point");
    std::optional<Expression> weights;
    for (Index level = 0; level < sizes_of_image(composer.plan); ++level) {
        const SmallerImage image(composer, grid, level);
        for (Index point = level * points; point < (level + 1) * points; ++point) {
            const Expression rows =
                                 nearness(image.own_row + some_columns(offsets, {2 * point}), image.key_row),
                             columns = nearness(image.own_column + some_columns(offsets, {2 * point + 1}),
                                                image.key_column);
            const Expression around = some_columns(shares, {point}) * (rows * columns);
            const Expression taken = composer.let(numbered("through_point_", point + 1),
                                                  image.key_shares ? around * *image.key_shares : around,
                                                  "what the four places around the point give");
            weights = weights ? *weights + taken : taken;
        }
    }
    return write_attended_values(composer, composer.let("weights", *weights, "through all points"));
}

}  // namespace

AlgorithmComponent declare_algorithms_deformable() {
    AlgorithmComponent component;
    component.meaning =
        "oᵢ = Σ_k a_ik v(pᵢ + Δp_ik), a = softmax(q W_A + b_A), Δp = q W_Δ + b_Δ: the query alone says at "
        "which few points of the grid it looks and how much at each, and values between the places are "
        "those of the four around, bilinearly (Zhu et al. 2021, Deformable DETR); the tokens fill a grid row "
        "by row, and what lies outside is zero; of several sizes of the image, each half as large as the one "
        "before, v is that of the mean of each patch, and one softmax is over the points of all";
    component.options = {
        columns_option(),
        count_option("points", "Points", 4, {1, 64},
                     "How many points each head of a query looks at, in each size of the image."),
        count_option("levels", "Sizes of the image", 1, {1, 6},
                     "How many sizes of the image there are points in: the image, one of the means of 2 × 2 "
                     "places, one of 4 × 4, and so on.",
                     "the image alone")};
    component.known_parameters = {
        {"W_offsets", "[h d_k, 2 levels points], head below head",
         "makes the steps down and to the right from a place to its points, those of the first size before "
         "those of the next"},
        {"b_offsets", "[h, 2 levels points]", "the same steps for all queries"},
        {"W_points", "[h d_k, levels points], head below head", "makes the scores of the points"},
        {"b_points", "[h, levels points]", "the same scores for all queries"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        const Index points = all_points(plan);
        list.add("W_offsets", {plan.query_width, 2 * points});
        list.add("b_offsets", {plan.heads, 2 * points});
        list.add("W_points", {plan.query_width, points});
        list.add("b_points", {plan.heads, points});
    };
    component.check = [](const Plan& plan) {
        require_one_sequence(plan, "deformable", "the points lie around the token’s own place");
        refuse_turned_vectors(plan, "deformable", "no query meets a key");
        refuse_masked_image(plan, "deformable");
    };
    component.declared_stages = {
        made_stage("sampling_offsets", "Steps to the points",
                   {"down and to the right, point by point", {{"query"}}, "× W, +\n→"},
                   {.lights = "weights", .has_features = true})};
    append(
        component.declared_stages,
        declared_image_point_stages({{"query"}}, "× W, +\n→", {"sampling_offsets", "at"}, "shared\nout\n→"));
    component.define = define_deformable;
    return component;
}

}  // namespace headlight
