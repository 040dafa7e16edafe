#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_value_residual() {
    Mechanism mechanism;
    mechanism.name = "Value residual (ResFormer)";
    mechanism.also_known_as = {"ResFormer", "value residual learning", "learned value residual mix"};
    mechanism.family = "Heads";
    mechanism.order = 5723;
    mechanism.formula =
        R"(@output{o = @context{@weights{\operatorname{softmax}\left(@scores{\frac{q^L \cdot k^L}{)"
        R"(\sqrt{d}}}\right)}\,\tilde v^L}},\quad )"
        R"(@mixed_values{\tilde v^l = (1 - g)\,@value{v^1} + g\,v^l},\quad )"
        R"(g = \tfrac{1}{2} \text{ or } \sigma(x^l W_g + b_g),\quad )"
        R"(@layer_input{x^{l+1} = x^l + @layer_weights{A^l}\,\tilde v^l W_o},\quad )"
        R"(q^1 = @query{Q},\ k^1 = @key{K})";
    mechanism.papers = {{"Zhou et al., Value Residual Learning", 2025}};
    mechanism.explanation =
        "The higher a layer, the more of its values is what other tokens have put there, and the less is "
        "left of the word itself. So every layer above the first mixes its values with those of the first "
        "one, which are as close to the word as values get. Who looks at whom stays the business of the "
        "layer; only what is fetched has an older part. In equal parts nothing is learned; with two learned "
        "numbers for each layer a layer may take more or less of either; with a gate each token decides for "
        "each head, from its own vector, how much of its own value it keeps. There are several layers "
        "inside, since one alone shows nothing: each adds what it finds to its input and hands the sum on, "
        "and the map is that of the last.";
    mechanism.cost = "Per layer n m (d + d_v) multiply-adds per head, as without it, and n d_v for the "
                     "mixture; values of the first layer, n d_v per head, are kept, also in a cache.";
    mechanism.correction =
        "The path goes from the first layer to each of the others, and not from one layer to the next, and "
        "it is the values that have it, after W_v and before the weights: adding the token vectors instead "
        "would change who looks at whom. The paper’s two numbers of a layer need not sum to 1; a gate "
        "shares out 1. Norms and feed-forward layers, which look at each token alone, are left out here.";
    mechanism.equivalences = {equal_when("scaled_dot_product", "one layer has the first layer’s values",
                                         {.here = {{"layers", Index(1)}}})};
    mechanism.related = {"realformer", "attention_residuals", "exclusive"};

    AttentionSpec spec;
    spec.algorithm = {AlgorithmType::layer_stack, {{"layers", Index(3)}, {"link", std::string("values")}}};
    compose(mechanism, spec, without(component_knobs(spec), {"among"}) + projections_knob() + causal_knob());

    mechanism.example.query = "the king and the queen drink tea";
    mechanism.example.stage = "mixed_values";
    mechanism.example.look_for =
        "Each row stands halfway between two: the word’s own vector, which was its value in the first layer, "
        "and the input of the last layer, which has grown by all that was found below. Step to the input of "
        "the last layer to see the other half. Both “the” have one row, for nothing here knows of places.";
    mechanism.properties.permutation_equivariant = true;
    return mechanism;
}

}  // namespace headlight
