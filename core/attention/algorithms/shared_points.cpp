#include "core/attention/algorithms/gated_image.h"
#include "core/attention/algorithms/image_points.h"
#include "core/graph/row_formulas.h"

#include <algorithm>

namespace headlight {
namespace {

Index stride_of_points(const Plan& plan) { return plan.algorithm().count("stride"); }

bool has_place_biases(const Plan& plan) { return plan.algorithm().flag("bias"); }

/// The grid of points, one for each patch of the image.
ImageGrid grid_of_points(const ImageGrid& image, Index stride) {
    const auto patches = [=](Index places) { return parts_of_size(places, stride); };
    return {patches(image.rows()) * patches(image.columns()), patches(image.columns())};
}

/// Differences of places between −(rows − 1) and rows − 1 down, and as many to the right.
struct PlaceDifferences {
    explicit PlaceDifferences(const ImageGrid& grid)
        : down(2 * grid.rows() - 1), right(2 * grid.columns() - 1) {}

    Index count() const { return down * right; }

    Index down, right;
};

/// A convolution of the queries with a kernel for each feature, at the middle of each patch: [h, points, d].
Expression write_around_points(Composer& composer, const ImageGrid& image, const ImageGrid& points) {
    const ImageKernel kernel{kernel_side(composer.plan)};
    const Index stride = stride_of_points(composer.plan), width = composer.plan.head_query_width();
    const auto middle = [=](Index length, Index patch) {
        return std::min(patch * stride + stride / 2, length - 1);
    };
    Expression sum = composer.parameter("b_points_kernel");
    for (Index tap = 0; tap < kernel.taps(); ++tap) {
        const auto place_row = [=](Index point) {
            return middle(image.rows(), points.row(point)) + kernel.down(tap);
        };
        const auto place_column = [=](Index point) {
            return middle(image.columns(), points.column(point)) + kernel.right(tap);
        };
        const auto is_there = [=](Index point) { return image.has(place_row(point), place_column(point)); };
        const auto place = [=](Index point) {
            return is_there(point) ? image.place(place_row(point), place_column(point)) : 0;
        };
        const Expression met = composer.truth_of_places(
            numbered("meets_image_", tap + 1), {0, points.places(), 1}, "1 where the kernel meets the image",
            [=](Place at) { return is_there(at.row); });
        const Expression rows = pick(composer.query, {points.places(), 1, {points.places(), place}},
                                     {1, width, counted(0, width)});
        sum = sum + some_rows(composer.parameter("W_points_kernel"), {tap}) * choose(met, rows, 0);
    }
    return composer.let("around_points", sum, "what the queries around each point say, feature by feature");
}

/// Where the points are, [h, points, 2]: the middles of patches, moved by what the queries around them say.
Expression write_points(Composer& composer, const ImageGrid& image, const ImageGrid& points) {
    const Expression hidden = composer.let(
        "point_hidden",
        gelu_of(layer_normalized(composer, "normal_around", write_around_points(composer, image, points))),
        "of what is around each point");
    const double reach = composer.plan.algorithm().number("reach");
    const Expression steps =
        composer.let("point_steps", reach * tanh_of(composer.projected(hidden, "W_steps")),
                     "steps down and to the right, for all queries");
    const Index stride = stride_of_points(composer.plan);
    const Expression middles = composer.of_places(
        "middles_of_patches", {0, points.places(), 2}, "row and column of the middle of each patch",
        [=](Place at) {
            const bool is_row = at.column == 0;
            const Index first = stride * (is_row ? points.row(at.row) : points.column(at.row));
            const Index end = std::min(first + stride, is_row ? image.rows() : image.columns());
            return static_cast<double>(first + end - 1) / 2;
        });
    return composer.let("point_places", middles + steps, "row and column of each point");
}

/// How much of each place of the image each point has, bilinearly: [h, points, n].
Expression write_point_shares(Composer& composer, const Expression& places, const ImageGrid& image) {
    const auto near_along = [&](Index axis) {
        const Expression keys = composer.of_places(
            axis == 0 ? "rows_of_places" : "columns_of_places", {0, 1, image.places()},
            "where each place lies on the grid", [=](Place at) {
                return static_cast<double>(axis == 0 ? image.row(at.column) : image.column(at.column));
            });
        return nearness(some_columns(places, {axis}), keys);
    };
    const Expression in_rows = near_along(0), in_columns = near_along(1);
    return composer.let("point_shares", in_rows * in_columns, "what each point has of the places around");
}

/// A number for how far each point is from each query, between those of a table: [h, n, points].
Expression write_place_biases(Composer& composer, const Expression& places, const ImageGrid& image) {
    const PlaceDifferences differences(image);
    const Index count = differences.count();
    const Expression ones = composer.constant("one_for_each_difference", {0, 1, count}, "1 for each cell",
                                              [](Index, Index, Index) { return 1.0; });
    // 1 where the difference of query and point is that of the cell, less in a line up to the next one.
    const auto near_along = [&](Index axis) {
        const Expression from = composer.of_places(
            axis == 0 ? "rows_less_differences" : "columns_less_differences", {0, image.places(), count},
            "where a point lies that is so far from the query", [=](Place at) {
                const Index line = axis == 0 ? image.row(at.row) : image.column(at.row);
                const Index difference = axis == 0 ? at.column / differences.right - differences.down / 2
                                                   : at.column % differences.right - differences.right / 2;
                return static_cast<double>(line - difference);
            });
        const Expression to = composer.let(axis == 0 ? "point_rows" : "point_columns",
                                           product(some_columns(places, {axis}), ones), "for each cell");
        return nearness(left_row(from), right_row(to));
    };
    const Expression in_rows = near_along(0), in_columns = near_along(1);
    const Expression of_points =
        composer.constant("one_for_each_point", {0, places.extent().rows, 1}, "1 for each point",
                          [](Index, Index, Index) { return 1.0; });
    const Expression table =
        composer.let("table_of_points", product(of_points, composer.matrices_of_heads("place_bias")),
                     "the table, for each point");
    return composer.let("place_biases", sum_of_pairs(in_rows * in_columns * right_row(table)),
                        "what the distance of each query and point adds");
}

/// All queries of a head look at the same few points, whose keys and values are those between the places
/// (Xia et al. 2022).
Expression define_shared_points(Composer& composer) {
    const ImageGrid image(composer.plan);
    const ImageGrid points = grid_of_points(image, stride_of_points(composer.plan));
    const Expression places = write_points(composer, image, points);
    const Expression shares = write_point_shares(composer, places, image);
    const Expression keys =
        composer.let("point_keys", product(shares, composer.key), "the keys of the points");
    const Expression values =
        composer.let("point_values", product(shares, composer.value), "the values of the points");
    const Expression products = scaled_products(composer, composer.query, keys);
    const Expression weights = write_point_weights(
        composer,
        has_place_biases(composer.plan) ? products + write_place_biases(composer, places, image) : products,
        "what each query asks of each point");
    composer.let("weights", product(weights, shares), "through all points");
    return composer.let("context", product(weights, values), "the values that each query gets of the points");
}

}  // namespace

AlgorithmComponent declare_algorithms_shared_points() {
    AlgorithmComponent component;
    component.meaning =
        "o = softmax(q k̃ᵀ / √d + B) ṽ, k̃ and ṽ the keys and values at points of the image that all "
        "queries of a head share: middles of patches, moved by s tanh(GELU(LN(convolution of the queries)) "
        "W), between places bilinearly; B from a table of distances, between its cells too (Xia et al. "
        "2022, DAT); the tokens fill a grid row by row";
    component.options = {
        columns_option(),
        count_option("stride", "Patch of a point", 2, {1, 64},
                     "The side of the patches in each of which one point begins."),
        number_option("reach", "Reach of a point", 2.0, {0, 1000},
                      "How many places a point may move at most, down and to the right. 0: points stay."),
        kernel_option(
            "The square of places around a patch’s middle whose queries say where its point moves."),
        flag_option("bias", "Bias by distance", true,
                    "Whether the distance of a query and a point adds a learned number to their score.")};
    component.known_parameters = {
        {"W_points_kernel", "[kernel², d_k], shared by the heads",
         "the kernel of each feature, tap below tap"},
        {"b_points_kernel", "[d_k]", "is added to what the kernels make"},
        {"W_steps", "[d_k, 2], shared by the heads", "makes the steps of each point"},
        {"place_bias", "[h, (2 rows − 1) (2 columns − 1)]",
         "what a distance adds, from far up and left to far down and right"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        const Index width = plan.head_query_width(), side = kernel_side(plan);
        list.add_with_bias("W_points_kernel", {side * side, width});
        list.add("W_steps", {width, 2});
        if (has_place_biases(plan))
            list.add("place_bias", {plan.heads, PlaceDifferences(ImageGrid(plan)).count()});
    };
    component.check = [](const Plan& plan) {
        require_one_sequence(plan, "shared_points", "the points lie among the queries’ own places");
        refuse_masked_image(plan, "shared_points");
    };
    component.declared_stages = {
        made_stage("point_steps", "Steps of the points",
                   {"down and to the right, for all queries", {{"query"}}, "around\neach patch\n→"},
                   {.lights = "point_shares", .is_of_features = true, .has_features = true}),
        made_stage("point_shares", "What the points have",
                   {"of the four places around each", {{"point_steps"}}, "between\nplaces\n→"},
                   {.lights = "weights", .is_of_features = true, .is_share = true}),
        made_stage("point_keys", "Keys of the points", {"", {{"point_shares"}, keys_of("key", "×")}, "="},
                   {.lights = "point_scores", .is_of_features = true, .has_features = true}),
        made_stage("point_values", "Values of the points",
                   {"", {{"point_shares"}, keys_of("value", "×")}, "="},
                   {.lights = "output", .is_of_features = true, .has_features = true}),
        made_stage("place_biases", "Biases by distance",
                   {"of each query and point", {{"point_steps"}}, "from the\ntable\n→"},
                   {.lights = "point_scores", .has_features = true})};
    append(component.declared_stages,
           declared_image_point_stages({{"query"},
                                        {.stage = "point_keys", .operator_before = "×", .transposed = true},
                                        optional_stage("place_biases", "+")},
                                       "÷ √d\n→", {"point_shares", "×"}, "="));
    component.declared_stages.push_back(
        declared_own_context_stage({"", {{"point_weights"}, {"point_values", "×"}}, "="}));
    component.define = define_shared_points;
    return component;
}

}  // namespace headlight
