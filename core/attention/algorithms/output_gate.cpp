#include "core/attention/algorithms/pointwise.h"
#include "core/attention/algorithms/softmax_heads.h"

namespace headlight {
namespace {

/// What the gate is made of: the query's token, what the heads found, or both.
bool gate_reads(const Plan& plan, const std::string& what) {
    const auto& reads = plan.algorithm().word("reads");
    return reads == what || reads == "both";
}

/// Numbers between two thin matrices; 0: one matrix.
Index gate_rank(const Plan& plan) { return plan.algorithm().count("rank"); }

bool gate_is_silu(const Plan& plan) { return plan.algorithm().word("function") == "silu"; }

/// x W or, of low rank, x D U.
Expression part_of_gate(Composer& composer, const Expression& x, const std::string& of) {
    if (gate_rank(composer.plan) == 0)
        return composer.projected(x, "W_open_" + of);
    const Expression narrow = composer.let("narrow_" + of, composer.projected(x, "D_open_" + of),
                                           "a few numbers that the gate is made of");
    return composer.projected(narrow, "U_open_" + of);
}

Expression define_output_gate(Composer& composer) {
    const Plan& plan = composer.plan;
    const Expression attended = write_attended_by_softmax(composer);
    Expression opening = composer.parameter("b_open");
    if (gate_reads(plan, "token"))
        opening = opening + part_of_gate(composer, composer.query_tokens, "x");
    if (gate_reads(plan, "output")) {
        const Expression found = composer.let("found", join_heads(attended), "the heads side by side");
        opening = opening + part_of_gate(composer, found, "o");
    }
    const Expression raw =
        composer.let("gate_opening", split_heads(opening, composer.heads), "what the gate is made of");
    const Expression gate =
        composer.let("output_gate", gate_is_silu(plan) ? through_silu(raw) : sigmoid_of(raw),
                     "what each feature is multiplied by");
    return composer.let("context", attended * gate, "what the gate lets through");
}

void list_gate_parameters(const Plan& plan, ParameterList& list) {
    const Index width = plan.context_width(), rank = gate_rank(plan);
    const auto add = [&](const std::string& of, Index from) {
        if (rank == 0)
            return list.add("W_open_" + of, {from, width});
        list.add("D_open_" + of, {from, rank});
        list.add("U_open_" + of, {rank, width});
    };
    list.add("b_open", {width}, 0.0);
    if (gate_reads(plan, "token"))
        add("x", plan.tokens.query_width);
    if (gate_reads(plan, "output"))
        add("o", width);
}

}  // namespace

AlgorithmComponent declare_algorithms_output_gate() {
    AlgorithmComponent component;
    component.meaning =
        "O ∘ σ(x W + O U + b) before W_o, O the heads side by side and x the query’s token: a gate that "
        "reads what was found as well as what was asked; with SiLU in the place of σ, and matrices of low "
        "rank";
    component.options = {
        word_option("reads", "The gate reads", {"both", "token", "output"},
                    "The query’s token, what the heads found, or both, which are added up."),
        word_option(
            "function", "Function of the gate", {"sigmoid", "silu"},
            "Numbers between 0 and 1, or x σ(x), which has no upper bound and may be a little below 0."),
        count_option("rank", "Rank of the gate", 0, {0, 4096},
                     "How many numbers stand between the two thin matrices of a gate of low rank.",
                     "one full matrix")};
    component.known_parameters = {
        {"W_open_x", "[d_q, h d_v]", "makes the gate of the query’s token"},
        {"W_open_o", "[h d_v, h d_v]", "makes the gate of what the heads found"},
        {"D_open_x", "[d_q, rank]", "makes a few numbers of the query’s token"},
        {"U_open_x", "[rank, h d_v]", "makes the gate of these numbers"},
        {"D_open_o", "[h d_v, rank]", "makes a few numbers of what the heads found"},
        {"U_open_o", "[rank, h d_v]", "makes the gate of these numbers"},
        {"b_open", "[h d_v]", "is added to the gate before its function"}};
    component.parameters = list_gate_parameters;
    component.takes_any_mask = true;
    component.changes_context = always;
    component.declared_stages = {
        declared_scores_stage(),
        declared_weights_stage(),
        declared_attended_stage(),
        made_stage("gate_opening", "Gate before its function",
                   {"of the query’s token, of what was found, or of both",
                    {{"tokens"}, {"attended", "and"}},
                    "projected,\nadded\n→"},
                   {.lights = "output_gate", .has_features = true}),
        made_stage("output_gate", "Gate of the output", {"σ or SiLU of each number", {{"gate_opening"}}},
                   {.lights = "output", .has_features = true}),
        declared_changed_context("what the gate lets through", {"output_gate", "∘"}, "=")};
    component.define = define_output_gate;
    return component;
}

}  // namespace headlight
