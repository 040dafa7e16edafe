#include "core/catalog/masked_entry.h"

namespace headlight {

Mechanism declare_reformer() {
    Mechanism mechanism;
    mechanism.name = "LSH attention";
    mechanism.also_known_as = {"Reformer", "locality-sensitive hashing"};
    mechanism.family = "Selections";
    mechanism.order = 5460;
    mechanism.formula = R"(@query_buckets{b(x) = \arg\max\,[x R;\, -x R]},\quad )" +
                        masked_formula(R"(j \le i \text{ and } b(q_i) = @key_buckets{b(k_j)})");
    mechanism.papers = {
        {"Kitaev, Kaiser and Levskaya, Reformer: The Efficient Transformer (section 2)", 2020}};
    mechanism.explanation =
        "Large weights go to keys whose direction is like the query’s, and vectors of like direction mostly "
        "fall into one bucket of a random hash: the axis of a random rotation, with its sign, that they lie "
        "nearest to. So a query looks only at keys of its bucket. Queries and keys are the same vectors, "
        "otherwise buckets could hold one kind alone. Several rounds with rotations of their own make it "
        "less likely that a near pair is missed: one bucket in common is enough. The rotations R are drawn "
        "by the seed.";
    mechanism.cost = masked_cost("n log n to sort the buckets and n c r (d + d_v) multiply-adds per head for "
                                 "chunks of c keys and r rounds.");
    mechanism.correction =
        "Buckets are of any length, so the paper sorts the tokens by bucket, cuts the order into chunks of "
        "one length and lets a query look into its own chunk and the one before, whatever their buckets "
        "are: set a chunk to have it so. Which chunk a token comes to then depends on the tokens after it "
        "as well. The paper also divides keys by their length (the score `cosine` with `divided` set to "
        "keys), and lets a token look at itself only where there is nothing else: set its own place to "
        "“otherwise”. Implementations let the first chunk look at the last one.";
    mechanism.equivalences = {
        equal_when("causal", "there is one bucket", {.here = {{"directions", Index(0)}}})};
    mechanism.related = {"routing", "causal", "bigbird"};

    AttentionSpec spec;
    spec.score.type = ScoreType::scaled_dot;
    spec.mask.rule = CausalMask{};
    spec.heads.sharing = Sharing::query_key;
    spec.selection.type = SelectionType::hashing;
    compose(mechanism, spec, component_knobs(spec) + projection_knobs());

    mechanism.example.query = "the king and the queen met a man and a woman";
    mechanism.example.look_for = "Equal words always meet, like words mostly do: the same columns stay for "
                                 "“the” and “the”. Turn up the rounds and more pairs come back.";
    mechanism.properties = {.causal = true, .streaming = true, .data_dependent_mask = true, .sparse = true};
    return mechanism;
}

}  // namespace headlight
