#include "core/attention/algorithms/segment_memory.h"

#include <algorithm>

namespace headlight {
namespace {

/// A softmax over the segment, another one over the keys of earlier segments that fit best, and a gate of the
/// head between the two.
Expression define_memorizing(Composer& composer) {
    const Expression scores = write_scaled_products(composer);
    const Expression local = write_local_weights(composer, scores);
    const Index kept = std::min(composer.plan.algorithm().count("neighbours"), composer.plan.keys);
    const Expression stored =
        composer.let("memory_scores", choose(pairs_with_memory(composer), scores, minus_infinity()),
                     "scores of earlier segments");
    // Scores of tiny vectors vanish; beside the largest numbers they keep their order.
    const Expression largest = maximum_of_rows(largest_amount(composer.key));
    const Expression order = composer.let(
        "memory_order",
        choose(pairs_with_memory(composer),
               product_transposed(over_largest(composer.query), composer.key / not_zero(largest)),
               minus_infinity()),
        "scores of earlier segments but for a factor of the query");
    const Expression least = write_least_kept(composer, order, kept);
    const Expression found =
        softmax_of(composer, "found_weights", choose(is_at_least(order, least), stored, minus_infinity()));
    return write_gated_memory(composer, found, local);
}

}  // namespace

AlgorithmComponent declare_algorithms_memorizing() {
    AlgorithmComponent component;
    component.meaning =
        "o = σ(β) softmax(s over the k largest of earlier segments) v + (1 − σ(β)) softmax(s over the own "
        "segment) v, s = q · k / √d: keys and values of earlier segments are kept, and each query looks up "
        "its nearest; ties with the k-th stay (Wu et al. 2022)";
    component.options = {memory_segment_option(),
                         count_option("neighbours", "Neighbours k", 2, token_counts,
                                      "How many keys of the memory each query finds.")};
    component.known_parameters = {memory_gate_name()};
    component.parameters = add_memory_gate;
    component.check = [](const Plan& plan) {
        require_one_sequence(plan, "memorizing", "segments go into the memory that the next ones ask");
    };
    component.declared_stages = {
        declared_scores_stage(), declared_local_weights(),
        made_stage(
            "found_weights", "Weights of what is found",
            {"softmax over the best keys of earlier segments",
             {{"scores"}},
             "earlier ones,\nthe k largest,\nsoftmax\n→"},
            {.lights = "weights", .role = StageRole::weights, .is_share = true, .leaves_out_masked = true}),
        declared_weights_stage({"σ(β) of what is found and 1 − σ(β) of the segment",
                                {{"local_weights"}, {"found_weights", "and"}},
                                "mixed by σ(β)\n→"},
                               {.is_share = true})};
    component.define = define_memorizing;
    return component;
}

}  // namespace headlight
