#include "core/attention/component.h"
#include "core/attention/defined_algorithms.h"

#include <array>
#include <cmath>

namespace headlight {
namespace {

Index met_points(const Plan& plan) { return plan.position().count("points"); }
Index given_points(const Plan& plan) { return plan.position().count("value_points"); }

/// Numbers of a pair; 0: pairs have none.
Index pair_numbers(const Plan& plan) { return plan.position().count("pairs"); }

/// The terms of a score count the same: the products, the distances, and the pairs where there are some.
double weight_of_terms(const Plan& plan) { return std::sqrt(pair_numbers(plan) > 0 ? 1.0 / 3 : 0.5); }

/// What a token says as the first and as the second of a pair, [n, pairs]: the numbers of a pair are their
/// products.
Expression write_side_of_pairs(Composer& composer, const std::string& side) {
    const std::string name = "pairs_" + side;
    if (composer.program.has(name))
        return composer.program.tensor(name);
    return composer.let(name, composer.projected(composer.query_tokens, "W_pair_" + side),
                        "what a token says as the " + side + " of a pair");
}

/// Where each token is and how it is turned, by its columns: a rotation of nine numbers and a place of three,
/// [n, 1] each.
struct Frames {
    std::array<std::array<Expression, 3>, 3> turn;
    std::array<Expression, 3> place;
};

/// A quaternion, 1 and what the token adds to it, over its length; and a place (algorithm 23).
Frames write_frames(Composer& composer) {
    const std::string name = "frames";
    if (!composer.program.has(name)) {
        const Expression start =
            composer.constant("no_turn", {0, 1, 7}, "the quaternion of no turn, and no step",
                              [](Index, Index, Index column) { return column == 0 ? 1.0 : 0.0; });
        composer.let(name, composer.projected(composer.query_tokens, "W_frame", "b_frame") + start,
                     "four numbers of a turn and three of a place");
        direction_of(composer, "quaternions", some_columns(composer.program.tensor(name), {0, 1, 2, 3}));
    }
    const Expression frames = composer.program.tensor(name);
    const Expression unit = composer.program.tensor("quaternions_direction");
    const Expression a = some_columns(unit, {0}), b = some_columns(unit, {1}), c = some_columns(unit, {2}),
                     d = some_columns(unit, {3});
    return {.turn = {{{1 - 2 * (c * c + d * d), 2 * (b * c - a * d), 2 * (b * d + a * c)},
                      {2 * (b * c + a * d), 1 - 2 * (b * b + d * d), 2 * (c * d - a * b)},
                      {2 * (b * d - a * c), 2 * (c * d + a * b), 1 - 2 * (b * b + c * c)}}},
            .place = {some_columns(frames, {4}), some_columns(frames, {5}), some_columns(frames, {6})}};
}

/// The first, second or third coordinates of points that lie so: all first ones, all second ones, all third.
Expression coordinates(const Expression& points, Index axis) {
    const Index count = points.extent().columns / 3;
    return some_columns(points, counted(axis * count, count));
}

/// Points that a token makes in its own frame, where they are for all: [h, n, 3 points].
Expression write_points_in_space(Composer& composer, const std::string& what, const Frames& frames) {
    const Expression own = composer.let(
        "own_points_" + what, composer.projected_by_heads(composer.query_tokens, "W_points_" + what),
        "in the frame of each token");
    std::vector<Expression> parts;
    for (std::size_t axis = 0; axis < 3; ++axis)
        parts.push_back(frames.turn[axis][0] * coordinates(own, 0) +
                        frames.turn[axis][1] * coordinates(own, 1) +
                        frames.turn[axis][2] * coordinates(own, 2) + frames.place[axis]);
    return composer.let("points_in_space_" + what, join_columns(parts), "turned and moved by its frame");
}

Expression define_bias_of_points(Composer& composer, const Expression&) {
    const Frames frames = write_frames(composer);
    const Expression asked = write_points_in_space(composer, "q", frames),
                     offered = write_points_in_space(composer, "k", frames);
    const Expression apart = left_row(asked) - right_row(offered);
    const Expression distances =
        composer.let("point_distances", sum_of_pairs(apart * apart), "squared, added over the points");
    const double of_points = std::sqrt(2.0 / (9.0 * static_cast<double>(met_points(composer.plan))));
    const Expression rates = split_rows(transposed(composer.parameter("g_points")), composer.heads);
    const double weight = weight_of_terms(composer.plan);
    const Expression bias = -(weight * of_points / 2) * softplus_of(rates) * distances;
    if (pair_numbers(composer.plan) == 0)
        return bias;
    const Expression first = write_side_of_pairs(composer, "first"),
                     second = write_side_of_pairs(composer, "second"),
                     reads = composer.matrices_of_heads("W_pair_bias");
    return bias + weight * product_transposed(first * reads, second);
}

Expression define_context_of_points(Composer& composer, const Expression& weights,
                                    const Expression& context) {
    const Frames frames = write_frames(composer);
    const Expression values = write_points_in_space(composer, "v", frames);
    const Expression found =
        composer.let("found_points", product(weights, values), "the means of the points of the values");
    std::array<Expression, 3> away{0, 0, 0};
    for (std::size_t axis = 0; axis < 3; ++axis)
        away[axis] = coordinates(found, static_cast<Index>(axis)) - frames.place[axis];
    std::vector<Expression> parts;
    Expression squares = 1e-8;  // as the released code adds it: a length of 0 has no slope
    for (std::size_t axis = 0; axis < 3; ++axis) {
        // Back into the frame: by the transposed turn.
        parts.push_back(frames.turn[0][axis] * away[0] + frames.turn[1][axis] * away[1] +
                        frames.turn[2][axis] * away[2]);
        squares = squares + away[axis] * away[axis];
    }
    parts.push_back(root_of(squares));
    const Expression own = composer.let("points_of_query", join_columns(parts),
                                        "in the frame of the query, and how far they are");
    const Expression with_points = context + product(own, composer.matrices_of_heads("W_points_o"));
    if (pair_numbers(composer.plan) == 0)
        return with_points;
    const Expression means = product(weights, write_side_of_pairs(composer, "second"));
    const Expression pairs = composer.let("pairs_of_query", write_side_of_pairs(composer, "first") * means,
                                          "the means of the numbers of the query’s pairs");
    return with_points + product(pairs, composer.matrices_of_heads("W_pair_o"));
}

}  // namespace

PositionComponent declare_positions_invariant_points() {
    PositionComponent component;
    component.meaning =
        "w (q · k / √d − γ_h c / 2 Σ_p |T_i q_p − T_j k_p|²), w = 1 / √2, c = √(2 / (9 points)); with pairs "
        "+ w b_ij and w = 1 / √3, T the turn and the place of each token in space; T_i⁻¹ Σ_j a_ij T_j v_p "
        "and their lengths are added through a matrix: nothing changes where all frames are turned and "
        "moved as one (Jumper et al. 2021, AlphaFold 2: invariant point attention)";
    component.options = {
        count_option("points", "Points of queries and keys", 4, {1, 64},
                     "How many points each head of a token has that meet those of others."),
        count_option("value_points", "Points of values", 8, {1, 64},
                     "How many points each head of a token gives."),
        count_option("pairs", "Numbers of a pair", 0, logarithmic_range(0, 512),
                     "How many numbers each pair of tokens has, products of what both say. Each head adds a "
                     "sum of them to the score, and their means to what is found.",
                     "no pairs")};
    component.known_parameters = {
        {"W_frame", "[d, 7]", "makes the turn of a token, a quaternion beside 1, and its place"},
        {"b_frame", "[7]", "is added to both"},
        {"W_points_q", "[d, 3 h points]",
         "makes points of a query, of each head all first coordinates, then all second ones, then all third"},
        {"W_points_k", "[d, 3 h points]", "makes points of a key"},
        {"W_points_v", "[d, 3 h value_points]", "makes points of a value"},
        {"g_points", "[h]", "softplus of it is how much distances count"},
        {"W_pair_first", "[d, pairs]", "what a token says as the first of a pair"},
        {"W_pair_second", "[d, pairs]", "what a token says as the second of a pair"},
        {"W_pair_bias", "[h, pairs]", "what a pair adds to a score"},
        {"W_pair_o", "[h pairs, d_v], head below head", "projects the means of the pairs"},
        {"W_points_o", "[4 h value_points, d_v], head below head",
         "projects coordinates and lengths of what is found"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        const Index width = plan.tokens.query_width, heads = plan.heads, values = given_points(plan);
        list.add_with_bias("W_frame", {width, 7});
        list.add("W_points_q", {width, 3 * heads * met_points(plan)});
        list.add("W_points_k", {width, 3 * heads * met_points(plan)});
        list.add("g_points", {heads}, std::log(std::exp(1.0) - 1));
        list.add("W_points_v", {width, 3 * heads * values});
        list.add("W_points_o", {4 * heads * values, plan.head_value_width()});
        if (const Index pairs = pair_numbers(plan); pairs > 0) {
            list.add("W_pair_first", {width, pairs});
            list.add("W_pair_second", {width, pairs});
            list.add("W_pair_bias", {heads, pairs});
            list.add("W_pair_o", {heads * pairs, plan.head_value_width()});
        }
    };
    component.check = [](const Plan& plan) {
        require_one_sequence(plan, "invariant_points positions", "tokens lie in one space");
    };
    component.has_bias = true;
    component.changes_context = always;
    component.declared_stages = {
        made_stage("scaled_scores", "Scaled scores", {"", {{"scores"}}, "× w ÷ √d\n→"}),
        made_stage("context", "Context", {"", {{"weights"}, keys_of("value", "×")}, "and points\n→"})};
    component.define_scale = [](Composer& composer, const Expression& scale) {
        return scale * weight_of_terms(composer.plan);
    };
    component.define_bias = define_bias_of_points;
    component.define_context = define_context_of_points;
    return component;
}

}  // namespace headlight
