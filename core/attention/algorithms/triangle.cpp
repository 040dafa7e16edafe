#include "core/attention/algorithms/image_grid.h"

#include <utility>

namespace headlight {
namespace {

bool is_around_start(const Plan& plan) { return plan.algorithm().word("node") == "starting"; }

/// Edge (i, j) looks at the edges (i, k), and the third side of the triangle, (j, k), has a say; around the
/// ending node at (k, j), with (k, i) (Jumper et al. 2021, algorithms 13 and 14).
Expression define_triangle(Composer& composer) {
    const ImageGrid grid(composer.plan);
    const Index edges = grid.places();
    const bool is_start = is_around_start(composer.plan);
    const auto shares_a_node = [=](Index edge, Index other) {
        return is_start ? grid.row(edge) == grid.row(other) : grid.column(edge) == grid.column(other);
    };
    const auto third_side = [=](Index edge, Index other) {
        const Index from = is_start ? grid.column(edge) : grid.row(other),
                    to = is_start ? grid.column(other) : grid.row(edge);
        return std::pair(grid.has(from, to), grid.place(from, to));
    };
    const Expression scores = write_scaled_products(composer);
    const Expression sides =
        composer.let("side_biases", composer.projected_by_heads(composer.query_tokens, "W_sides"),
                     "what each edge says as the third side");
    const auto has_side = [=](Index edge, Index other) {
        return shares_a_node(edge, other) && third_side(edge, other).first;
    };
    const auto side = [=](Index edge, Index other) {
        return has_side(edge, other) ? third_side(edge, other).second : 0;
    };
    const Expression is_there = composer.truth_of_places(
        "has_third_side", {0, edges, edges}, "pairs that share the node and whose third side is in the grid",
        [=](Place at) { return has_side(at.row, at.column); });
    const Expression biases =
        composer.let("triangle_biases", choose(is_there, from_column(sides, edges, edges, side), 0),
                     "what the third side of each triangle says");
    const Expression is_met =
        composer.truth_of_places("shares_a_node", {0, edges, edges}, "edges that share the node",
                                 [=](Place at) { return shares_a_node(at.row, at.column); });
    return write_attended_values(
        composer, softmax_of(composer, "weights", choose(is_met, scores + biases, minus_infinity())));
}

}  // namespace

AlgorithmComponent declare_algorithms_triangle() {
    AlgorithmComponent component;
    component.meaning =
        "tokens are edges between nodes, a grid row by row: o_ij = Σ_k softmax_k(q_ij · k_ik / √d + b_jk) "
        "v_ik, b = x W_b a number for each head from the third side of the triangle; around the ending node "
        "v_kj, k_kj and b_ki (Jumper et al. 2021, AlphaFold 2)";
    Option columns = columns_option();
    columns.label = "Nodes";
    columns.help = "How many nodes there are, the columns of the grid: token t is the edge from node ⌊t / "
                   "columns⌋ to node t mod columns. Edges that the text is too short for have no say.";
    component.options = {columns, word_option("node", "Node", {"starting", "ending"},
                                              "Which node an edge shares with those that it looks at: where "
                                              "they start, a row of the grid, or where they end, a column.")};
    component.known_parameters = {
        {"W_sides", "[d_q, h]", "what an edge says as the third side of a triangle"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        list.add("W_sides", {plan.tokens.query_width, plan.heads});
    };
    component.check = [](const Plan& plan) {
        require_one_sequence(plan, "triangle", "edges look at edges of the same graph");
        refuse_masked_image(plan, "triangle");
    };
    component.declared_stages = {
        declared_scores_stage(),
        made_stage("side_biases", "Biases of the edges",
                   {"what each edge says as the third side", token_operands(), "× W\n→"},
                   {.lights = "triangle_biases", .has_features = true}),
        made_stage("triangle_biases", "Biases of the triangles",
                   {"what the third side of each triangle says", {{"side_biases"}}, "at their\nplaces\n→"},
                   {.lights = "weights", .role = StageRole::scores}),
        declared_weights_stage({"softmax over the edges that share the node",
                                {{"scores"}, {"triangle_biases", "+"}},
                                "softmax\n→"},
                               {.is_share = true})};
    component.define = define_triangle;
    return component;
}

}  // namespace headlight
