#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_token_parameters() {
    Mechanism mechanism;
    mechanism.name = "Token-parameter attention (TokenFormer)";
    mechanism.also_known_as = {"Pattention", "parameter tokens"};
    mechanism.family = "Memory";
    mechanism.order = 5744;
    mechanism.formula = R"(@output{O = @weights{\operatorname{softmax}\left(@scores{\frac{Q\,K^\top}{)"
                        R"(\sqrt{d}}}\right)}\,V},\quad )"
                        R"(@queries_vectors{Q = @queries_parameter_weights{\Theta\left(X P_{K}^{Q\top})"
                        R"(\right)} P_{V}^{Q}},\quad )"
                        R"(@keys_vectors{K = @keys_parameter_weights{\Theta\left(X P_{K}^{K\top}\right)} )"
                        R"(P_{V}^{K}},\quad )"
                        R"(@values_vectors{V = @values_parameter_weights{\Theta\left(X P_{K}^{V\top})"
                        R"(\right)} P_{V}^{V}},\quad )"
                        R"(\Theta(s) = \operatorname{GELU}\left(\sqrt{p}\,\frac{s}{|s|}\right))";
    mechanism.papers = {
        {"Wang et al., TokenFormer: Rethinking Transformer Scaling with Tokenized Model Parameters "
         "(equations 3 to 6)",
         2025}};
    mechanism.explanation =
        "A projection x W is a fixed product. Here a token asks in its place: p learned parameter tokens "
        "each have a key, which the token is compared with, and a value, and what it gets is the sum of the "
        "values by these comparisons. Queries, keys and values come about so, each from parameter tokens of "
        "its own; then tokens look at one another as ever. The point is growth: more parameter tokens can be "
        "added below the others, and where their keys are zeros nothing has changed yet, so that a trained "
        "model becomes a larger one without beginning anew. For that a softmax will not do, which shares out "
        "1 among all: a row of scores is brought to one length, and GELU lets what is above 0 through.";
    mechanism.cost = "3 n p · 2 d multiply-adds for p parameter tokens in the place of 3 n d², then n m (d + "
                     "d_v) per head; memory n m.";
    mechanism.correction =
        "Weights of parameter tokens are no shares: some are a little below 0 and their sum is anything. The "
        "paper brings rows to one length before GELU, its code has the other order as well: both are here. "
        "In the paper W_o is made of parameter tokens as well, and so is the feed-forward layer. Where p "
        "grows, √p grows with it: nothing changes exactly only when p is kept in the root.";
    mechanism.related = {"external_memory", "product_keys", "persistent_memory", "multi_head"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::token_parameters;
    compose(mechanism, spec, component_knobs(spec) + source_knob() + projections_knob());

    mechanism.example.query = "the dog chased the cat and the cat ran";
    mechanism.example.stage = "queries_parameter_weights";
    mechanism.example.look_for =
        "Eight columns in the place of a matrix: what each word takes of each parameter token for its query. "
        "Copies of a word have one row, and none of a row is below −0.17, where GELU is lowest.";
    mechanism.properties.permutation_equivariant = true;
    return mechanism;
}

}  // namespace headlight
