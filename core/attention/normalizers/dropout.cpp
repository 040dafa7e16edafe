#include "core/attention/component.h"
#include "core/attention/defined_rows.h"
#include "core/tensor/random.h"

namespace headlight {
namespace {

/// Pairs that the draw leaves, [h, n, m]: each by itself.
Expression undropped_pairs(DefinedRows& rows, double rate) {
    const Plan& plan = rows.composer.plan;
    return rows.composer.truth_of_places(
        rows.of_map("undropped"), {rows.composer.heads, plan.queries, plan.keys},
        "pairs that the draw leaves", [rate, seed = rows.seed()](Place at) {
            const auto of_head = substream(seed, static_cast<std::uint64_t>(at.head));
            const auto of_query = substream(of_head, static_cast<std::uint64_t>(at.row));
            return uniform(substream(of_query, static_cast<std::uint64_t>(at.column))) >= rate;
        });
}

/// Keys that the draw leaves for all queries, heads and maps, [1, m]: the first one always.
Expression undropped_keys(DefinedRows& rows, double rate) {
    const Plan& plan = rows.composer.plan;
    return rows.composer.truth_of_places(
        "undropped", {0, 1, plan.keys}, "keys that the draw leaves for all queries",
        [rate, seed = plan.seed](Place at) {
            const double drawn = uniform(substream(seed, static_cast<std::uint64_t>(at.column)));
            return at.column == 0 || drawn >= rate;
        });
}

Expression define_dropout_weights(DefinedRows& rows) {
    const double rate = rows.number("rate");
    const auto& what = rows.options().word("what");
    if (what == "weights") {
        const Expression weights =
            rows.let("undropped_weights", rows.softmax(), "the softmax before anything is dropped");
        return choose(undropped_pairs(rows, rate), weights, 0) / (1 - rate);
    }
    const Expression left = what == "pairs" ? undropped_pairs(rows, rate) : undropped_keys(rows, rate);
    rows.scores = rows.let("undropped_scores", choose(left, rows.scores, minus_infinity()),
                           "scores of what the draw leaves");
    rows.has_forbidden = rows.may_be_empty = true;
    return rows.softmax();
}

}  // namespace

NormalizerComponent declare_normalizers_dropout() {
    NormalizerComponent component;
    component.phrase = "softmax with dropout";
    component.meaning =
        "A ∘ B / (1 − p), B = 0 with chance p: weights are dropped at random (Srivastava et al. 2014), or "
        "scores before the softmax (Li et al. 2023, DropKey), or whole keys (Liu et al. 2022, FCM)";
    component.options = {
        word_option("what", "What is dropped", {"weights", "pairs", "keys"},
                    "Weights after the softmax, the others growing by 1 / (1 − p); pairs before the softmax, "
                    "which then shares all weight among those that are left (DropKey); or keys for all "
                    "queries and heads, but the first (forgetful masks)."),
        number_option("rate", "Chance", 0.3, {0, 0.95},
                      "The chance p to be dropped, as training has it. The seed decides what is: it is the "
                      "same in every run.")};
    component.gives_shares = false;
    component.reads_place = true;
    component.declared_stages = {
        declared_shares_stage("undropped_weights", "Weights before the dropout", {"softmax of each row"}),
        made_stage("undropped_scores", "Scores that are left", {"what is dropped is forbidden"},
                   {.lights = "weights", .role = StageRole::scores})};
    component.define = define_dropout_weights;
    return component;
}

}  // namespace headlight
