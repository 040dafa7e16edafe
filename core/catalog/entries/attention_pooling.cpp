#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_attention_pooling() {
    Mechanism mechanism;
    mechanism.name = "Pooling by learned queries (PMA)";
    mechanism.also_known_as = {"pooling by multihead attention", "attention pooling", "MAP head",
                               "patch merger", "learned queries"};
    mechanism.family = "Sources";
    mechanism.order = 1410;
    mechanism.formula =
        R"(@pooled_values{O = @pooling_weights{\operatorname{softmax}\left(@pooling_scores{\frac{)"
        R"(@pooling_queries{P W_q}\,@key{K}^\top}{\sqrt{d}}}\right)}\,@value{V}},\quad )"
        R"(@output{o_i = \frac{1}{s} \sum_r O_r},\quad )"
        R"(@weights{A_{ij} = \frac{1}{s} \sum_r \operatorname{softmax}(\ldots)_{rj}})";
    mechanism.papers = {{"Lee et al., Set Transformer: A Framework for Attention-based "
                         "Permutation-Invariant Neural Networks (section 3.2)",
                         2019}};
    mechanism.explanation =
        "Whoever classifies a text or a set needs one vector of it, or a few, however many tokens it has. "
        "The mean would do, but counts every token alike. So let learned vectors ask: s seeds take the place "
        "of the tokens as queries, and attention gives a row for each of them. One seed makes one vector, a "
        "mean in which tokens count by what they hold; several look for different things, as the queries of "
        "a detector do, each of which is to find one object. Nothing in it knows of places: shuffle the "
        "tokens and the columns of the map are shuffled, and the rows that come out stay as they are. "
        "Attention in this program has an output for each token, and so every token gets the mean of the "
        "rows here; the rows themselves are a stage, with a row for each seed. In the paper each row also "
        "gets the seed that asked and a layer of both (`block`), and, in a setting of the algorithm that is "
        "not among those "
        "below, a norm behind each (`algorithm.norms`).";
    mechanism.cost = "s m (d + d_v) multiply-adds per head for s seeds, and s d h d to project them once; "
                     "memory s m.";
    mechanism.correction =
        "The map has s rows, not n: what is shown for each token is their mean. A seed is no token, and no "
        "key: it asks and is never found. In the paper’s code scores are divided by the root of the width of "
        "all heads; here it is the width of a head.";
    mechanism.related = {"inducing_points", "object_queries",       "hopfield_pooling",
                         "mean_query",      "structured_embedding", "memory_tokens"};

    AttentionSpec spec;
    spec.algorithm = {AlgorithmType::attention_pooling, {{"seeds", Index(4)}}};
    compose(mechanism, spec,
            without(component_knobs(spec), {"query", "steps", "beta", "norms"}) + source_knob() +
                projections_knob());

    mechanism.example.query = "the storm was terrible but the harbour was safe";
    mechanism.example.stage = "pooling_weights";
    mechanism.example.look_for =
        "Four rows, one for each seed, whatever the length of the text. Both “the” have the same share in "
        "each of them, and both “was”: nothing here knows of places. Step on to the weights: nine rows that "
        "are all one row, the mean of the four.";
    mechanism.properties = {.permutation_equivariant = true, .needs_whole_text = true};
    return mechanism;
}

}  // namespace headlight
