#include "core/attention/algorithms/delta_states.h"
#include "core/attention/algorithms/segment_memory.h"

namespace headlight {
namespace {

/// What each token finds of each one that `is_stored`, [h, n, n]: products of features over their sum.
Expression write_memory_shares(Composer& composer, const std::string& name, const Expression& asks,
                               const Expression& keys, const Expression& is_stored) {
    const Expression products =
        composer.let(name + "_products", choose(is_stored, product_transposed(asks, keys), 0),
                     "φ(·) · φ(k) of earlier segments");
    // Parts of the largest, whose sum does not overflow.
    const Expression parts = composer.let(name + "_parts", over_largest(products));
    return composer.let(name + "_shares", parts / not_zero(sum_of_columns(parts)),
                        "over the sum of each row");
}

/// The memory that a segment is asked of holds Σ φ(k)ᵀ u of the segments before, where u is the value or, by
/// the delta rule, the value without the answer that the memory had given to the key: U = V − L U with the
/// shares L of the keys in it, all of its segment alike, so that U = (I + L)⁻¹ V.
Expression define_infini(Composer& composer) {
    const Plan& plan = composer.plan;
    const Index n = plan.queries, size = memory_segment(plan);
    const Expression local = write_local_weights(composer, write_scaled_products(composer));
    const Expression query = composer.let("query_features", positive_features(composer.query), "elu(q) + 1");
    const Expression key = composer.let("key_features", positive_features(composer.key), "elu(k) + 1");
    Expression recalled = write_memory_shares(composer, "memory", query, key, pairs_with_memory(composer));
    if (composer.plan.algorithm().word("update") == "delta") {
        const Expression is_stored =
            composer.truth("is_stored", {0, n, n}, "tokens of earlier segments",
                           [=](Index row, Index column) { return column / size < row / size; });
        const Expression asked = write_memory_shares(composer, "asked", key, key, is_stored);
        recalled =
            composer.let("recalled_weights", product(recalled, write_inverse_of_asked(composer, asked)),
                         "of the values as they were");
    }
    return write_gated_memory(composer, recalled, local);
}

DeclaredStage declared_memory_shares(const std::string& name, const std::string& title,
                                     const std::string& subtitle, const std::string& asks) {
    return made_stage(
        name, title,
        {subtitle, {{asks}, times_keys_of("key_features")}, "over the sum,\nearlier segments\n→"},
        {.lights = "weights", .role = StageRole::weights, .is_share = true});
}

}  // namespace

AlgorithmComponent declare_algorithms_infini() {
    AlgorithmComponent component;
    component.meaning =
        "o = σ(β) φ(q) M / φ(q) z + (1 − σ(β)) softmax(q · k / √d) v over the query’s segment; after each "
        "segment M ← M + Σ φ(k)ᵀ (v − φ(k) M / φ(k) z), z ← z + Σ φ(k), φ(x) = elu(x) + 1: attention "
        "within segments, and a matrix that remembers those before (Munkhdalai et al. 2024)";
    component.options = {memory_segment_option(),
                         word_option("update", "Update", {"delta", "linear"},
                                     "Whether what the memory answers to a key is taken off its value before "
                                     "it is stored, or the value is stored as it is.")};
    component.known_parameters = {memory_gate_name()};
    component.parameters = add_memory_gate;
    component.check = [](const Plan& plan) {
        require_one_sequence(plan, "infini", "segments go into the memory that the next ones ask");
        refuse_turned_vectors(plan, "infini", "the memory is asked by vectors that know no place");
    };
    component.declared_stages = {
        declared_scores_stage(),
        declared_local_weights(),
        made_stage("query_features", "Features of the queries",
                   {"φ(q) = elu(q) + 1", {{"query"}}, "elu + 1\n→"},
                   {.lights = "query", .has_features = true}),
        made_stage("key_features", "Features of the keys", {"φ(k) = elu(k) + 1", {{"key"}}, "elu + 1\n→"},
                   {.lights = "key", .is_of_keys = true, .has_features = true}),
        declared_memory_shares("memory_shares", "Shares in the memory",
                               "what each query finds of each token of earlier segments", "query_features"),
        declared_memory_shares("asked_shares", "Shares that keys find",
                               "what each key finds of each token of earlier segments", "key_features"),
        made_stage("inverse", "Inverse of the system",
                   {"what each stored value has of each value", {{"asked_shares"}}, "(I + L)⁻¹\n→"},
                   {.lights = "weights"}),
        made_stage("recalled_weights", "Weights of the memory",
                   {"of the values as they were", {{"memory_shares"}, {"inverse", "×"}}, "="},
                   {.lights = "weights", .role = StageRole::weights}),
        declared_weights_stage(
            {"σ(β) of the memory and 1 − σ(β) of the segment",
             {{"local_weights"}, optional_stage("recalled_weights", "and"), {"memory_shares", "and"}},
             "mixed by σ(β)\n→"})};
    component.define = define_infini;
    return component;
}

}  // namespace headlight
