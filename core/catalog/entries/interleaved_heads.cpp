#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_interleaved_heads() {
    Mechanism mechanism;
    mechanism.name = "Interleaved heads";
    mechanism.also_known_as = {"IHA", "interleaved head attention", "pseudo-heads"};
    mechanism.family = "Heads";
    mechanism.order = 5707;
    mechanism.formula = R"(@output{o = \left[@context{\sum_p R_{hp}\,@pseudo_context{@weights{)"
                        R"(@pseudo_weights{\operatorname{softmax}\left(@pseudo_scores{\frac{@pseudo_query{)"
                        R"(\tilde q_{hp}}\,@pseudo_key{\tilde K_h}^\top}{\sqrt{d}}}\right)}}\,)"
                        R"(@pseudo_value{\tilde V_h}}}\right]_h W_o},\quad )"
                        R"(\tilde q_{hp} = \sum_g \alpha_{hpg}\,@query{q_g})";
    mechanism.papers = {{"Duvvuri et al., Interleaved Head Attention", 2026}};
    mechanism.explanation =
        "Heads work apart: H heads have H maps, and what one has found another can only use a layer later. "
        "Here every token becomes P tokens in each head, whose queries, keys and values are learned mixtures "
        "of those of all heads. They are put into one longer text, the P of a token one after another, and "
        "each head attends within that as usual: a question that two heads ask together can meet a key that "
        "two others answer together, so that a head has up to P² patterns and not one. What the P queries of "
        "a token found is added up again, each times a learned number. Nothing is done to scores or weights, "
        "so that fast kernels of plain attention serve as they are; the price is a text that is P times as "
        "long, which the paper pays by windows in most layers.";
    mechanism.cost = "P² n m (d + d_v) multiply-adds per head, (n + 2 m) P H d for the mixtures; memory "
                     "P² n m. 3 P H² numbers mix, P H put together again.";
    mechanism.correction =
        "The paper has two ways to put the results together: in its algorithm 1 a head adds up those of its "
        "own pseudo-heads, in its definition 3 those of all heads. A causal mask over the longer text also "
        "orders the P tokens of one token, which plain causality does not ask for. The map shown for tokens "
        "is the mean over the pseudo-queries, and the context is not this map times the values: look at the "
        "weights of pseudo-tokens for what is multiplied.";
    mechanism.equivalences = {
        equal_when("multi_head", "with one pseudo-head that takes its own head alone nothing is mixed",
                   {.here = {{"pseudo", Index(1)}},
                    .parameters = {{"M_pseudo_query", "identity"},
                                   {"M_pseudo_key", "identity"},
                                   {"M_pseudo_value", "identity"},
                                   {"R_collapse", "ones"}}})};
    mechanism.related = {"multi_head", "talking_heads", "dcmha", "collaborative", "simplicial"};

    AttentionSpec spec;
    spec.projections.type = ProjectionType::learned;
    spec.heads = {.type = HeadsType::multi, .heads = 8};
    spec.algorithm.type = AlgorithmType::interleaved_heads;
    compose(mechanism, spec,
            component_knobs(spec) + heads_knob() + causal_knob() + projection_bias_knob() + source_knob());

    mechanism.example.query = "two cats chased three small mice";
    mechanism.example.look_for =
        "Each word is two rows and two columns. Along the diagonal the first row of a word does not see its "
        "second column: the two have an order, as if they were two words.";
    mechanism.example.stage = "pseudo_weights";
    mechanism.example.values = {{"causal", true}, {"strict", true}};
    mechanism.properties.permutation_equivariant = true;
    return mechanism;
}

}  // namespace headlight
