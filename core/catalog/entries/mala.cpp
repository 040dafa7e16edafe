#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_mala() {
    Mechanism mechanism;
    mechanism.name = "Magnitude-aware linear attention";
    mechanism.also_known_as = {"MALA", "MAViT"};
    mechanism.family = "Linear and recurrent";
    mechanism.order = 3307;
    mechanism.formula =
        R"(@weights{A_{ij} = \beta_i\,@similarities{\varphi(q_i) \cdot \varphi(k_j)} - \gamma_i},\quad )"
        R"(\beta_i = 1 + \frac{1}{@row_sum{\sum_l \varphi(q_i) \cdot \varphi(k_l)}},\quad )"
        R"(\gamma_i = \frac{1}{n} @row_sum{\sum_l \varphi(q_i) \cdot \varphi(k_l)},\quad )"
        R"(\varphi(x) = \operatorname{elu}(x) + 1,\quad @context{O = A\,@value{V}})";
    mechanism.papers = {{"Fan et al., Rectifying Magnitude Neglect in Linear Attention", 2025}};
    mechanism.explanation =
        "When a query becomes longer, a softmax becomes sharper; linear attention does not change at all, "
        "for its length is divided away. So its maps stay flat. Here each row is stretched instead of "
        "divided: times 1 + 1/Σ, Σ being its sum, and then so much is taken off every cell that the row sums "
        "to 1 again. What two keys differ by now grows with the query’s length, slowly, in step with it, "
        "where in a softmax it grows with the exponential. Keys below the average get a negative weight. As "
        "in linear attention a state of fixed size is enough.";
    mechanism.cost =
        "n d d_v multiply-adds per head to write the state and as many to read it, and the means "
        "of keys and values. As computed here, with the map, n m (d + d_v).";
    mechanism.correction =
        "The paper has Σ as it stands; in the code products are divided by √d and by n before, also in Σ, "
        "and 1e-6 is added to what is divided by: set `scaled`. Images get a filter over the values beside "
        "the map (`convolution`, along the tokens), a product of both with a projection of the token, "
        "which is not here, and rotary positions: φ(q) and φ(k) are turned, but not those of which Σ is "
        "made, so that rows need not sum to 1. flash-linear-attention’s copy divides the state by √d once "
        "more, so that its rows do not sum to 1.";
    mechanism.related = {"inline", "linear", "cosformer", "retention"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::balanced_linear;
    spec.algorithm.options["rule"] = std::string("magnitude");
    spec.algorithm.options["map"] = std::string("elu");
    compose(mechanism, spec,
            without(component_knobs(spec), {"rule", "map"}) + causal_knob() + source_knob() +
                projections_knob());

    mechanism.example.query = "the cat and the dog sat in the garden";
    mechanism.example.look_for =
        "“Cat” and “dog” give most of their weight to each other and to themselves, where linear attention "
        "with the same features is nearly flat.";
    mechanism.example.beside = "linear";
    mechanism.properties = {.permutation_equivariant = true, .is_signed = true};
    return mechanism;
}

}  // namespace headlight
