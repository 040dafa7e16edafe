#include "core/attention/component.h"
#include "core/attention/defined_rows.h"

namespace headlight {
namespace {

constexpr double learned_root = -20;  // the smallest: by itself it would be next to no root at all
/// The share of the root in each row, at least: words that choose one another and never the root would have
/// no tree, and the system no inverse.
constexpr double least_of_root = 1e-5;

bool root_is_learned(const Plan& plan) { return plan.normalizer().number("root") == learned_root; }

/// Choices of one sequence among themselves can run in a circle; those of another sequence cannot.
bool may_run_in_circles(const Plan& plan) {
    return plan.spec.source.type == SourceType::self && plan.queries == plan.keys;
}

/// What each query would choose by itself, the keys and the root: softmax of the row and the root.
struct Choices {
    Expression heads, root;
};

Choices define_choices(DefinedRows& rows) {
    const Expression root = rows.zero_column() + rows.of_head("root", learned_root, "b_root");
    const Expression most = rows.let(
        "row_maximum",
        larger_of(maximum_of_columns(rows.scores), rows.temperature == 1 ? root : root * rows.temperature),
        "the largest score of each row and the root");
    const Expression exponentials = rows.let(
        "exponentials", exp_of(rows.open_over_temperature(rows.scores - most)), "exp(score − largest)");
    const Expression of_root =
        rows.let("root_exponential", exp_of(root - rows.over_temperature(most)), "that of the root");
    const Expression sum =
        rows.let("row_sum", sum_of_columns(exponentials) + of_root, "the sum of each row and the root");
    return {rows.let("head_shares", exponentials / sum, "what each query would choose by itself"),
            rows.let("root_shares", of_root / sum)};
}

Expression define_tree(DefinedRows& rows) {
    if (!may_run_in_circles(rows.composer.plan)) {
        const Choices choices = define_choices(rows);
        rows.let("root_weights", choices.root, "the chance of being the root’s");
        return choices.heads;
    }
    const Expression itself = rows.between_keys("is_itself", "1 for a token and itself",
                                                [](Index row, Index column) { return row == column; });
    rows.scores = rows.let("scores_of_others", choose(is_above(itself, 0), minus_infinity(), rows.scores),
                           "no token is its own head");
    rows.has_forbidden = true;
    const Choices choices = define_choices(rows);
    const Expression root = rows.let("root_floor", larger_of(choices.root, least_of_root),
                                     "the share of the root, which every row leaves some");
    // The Laplacian: what leaves a token on the diagonal, less what goes to each other one.
    const Expression laplacian =
        rows.let("laplacian", itself * (root + sum_of_columns(choices.heads)) - choices.heads,
                 "its rows sum to the root’s");
    const Expression visits =
        rows.let("visits", inverse_of(laplacian), "how often a walk up to the root passes each token");
    const Expression own = rows.let("own_visits", sum_of_columns(itself * visits), "its diagonal");
    rows.let("root_weights", root * own, "the chance of being the root’s");
    return choices.heads * relu_of(own - transposed(visits));
}

}  // namespace

NormalizerComponent declare_normalizers_tree() {
    NormalizerComponent component;
    component.phrase = "chances of the arcs of trees";
    component.meaning =
        "A_ij (M_ii − M_ji), A the softmax of the row and a root, M the inverse of its Laplacian: the chance "
        "that j is the head of i in a tree, by the matrix-tree theorem (Koo et al. 2007; Kim et al. 2017; "
        "Liu and Lapata 2018)";
    component.options = {number_option("root", "Score of the root", 0.0, {learned_root, 100},
                                       "The higher, the more tokens hang on the root and not on one another.",
                                       "learned for each head")};
    component.known_parameters = {{"b_root", "[h]", "the score of each head’s root"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        if (root_is_learned(plan))
            list.add("b_root", {plan.heads});
    };
    component.couples_rows = true;
    component.declared_stages = {
        declared_shares_stage("head_shares", "Choices of the rows", {"softmax of the row and the root"}),
        made_stage("laplacian", "Laplacian", {"what leaves a token, less where it goes", {{"head_shares"}}},
                   {.lights = "weights", .role = StageRole::scores}),
        made_stage("visits", "Inverse of the Laplacian",
                   {"how often a walk to the root passes each token", {{"laplacian"}}, "inverse\n→"},
                   {.lights = "weights", .role = StageRole::scores}),
        made_stage("root_weights", "Weight of the root", {},
                   {.lights = "weights", .role = StageRole::row, .is_share = true})};
    component.define = define_tree;
    component.reads_one_sequence = [](const AttentionSpec&) { return "the arcs of one have no circle here"; };
    return component;
}

}  // namespace headlight
