#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_multi_head() {
    Mechanism mechanism;
    mechanism.name = "Multi-head attention";
    mechanism.also_known_as = {"MHA"};
    mechanism.family = "Heads";
    mechanism.order = 1500;
    mechanism.formula = R"(@context{\text{head}_h = @weights{\operatorname{softmax}\left(@scaled_scores{)"
                        R"(\frac{@scores{@query{Q_h}\,@key{K_h}^\top}}{\sqrt{d_k}}}\right)}\,@value{V_h}},)"
                        R"(\quad@output{[@context{\text{head}_1};\, \ldots;\, @context{\text{head}_H}])"
                        R"(\,W_o})";
    mechanism.papers = {{"Vaswani et al., Attention Is All You Need (section 3.2.2)", 2017}};
    mechanism.explanation =
        "Q, K and V are split into blocks of columns, one for each head; every head attends on its own, and "
        "the contexts, put side by side, go through W_o. Several heads cost no more than one of full width, "
        "since each is narrower: d_k is the model’s width divided by the number of heads, and that is what "
        "the scale divides by. Seen through W_o the heads simply add: the output is the sum of each head’s "
        "context times its own rows of W_o. The paper’s projections have no biases, many implementations "
        "have them. Some libraries hand out the mean over the heads as “the” weights; here every head is "
        "kept.";
    mechanism.cost = "n m (d + d_v) multiply-adds per head and 4 n D² for the projections; memory H n m for "
                     "the weights, and 2 H d numbers per token in a cache.";
    mechanism.correction =
        "Articles often divide the scores by the root of the model’s width; it is the root of the width of "
        "one head. Split into heads means blocks of neighbouring columns, not a reshaping of rows.";
    mechanism.equivalences = {
        equal_when("self_attention", "one head whose output matrix is the identity is a single head",
                   {.here = {{"heads", Index(1)}}, .parameters = {{"W_o", "identity"}}})};
    mechanism.related = {"self_attention", "multi_query",   "grouped_query",
                         "latent",         "talking_heads", "gated"};

    AttentionSpec spec;
    spec.projections.type = ProjectionType::learned;
    spec.score.type = ScoreType::scaled_dot;
    compose(mechanism, spec,
            {heads_knob(), causal_knob(), projections_knob(ProjectionType::learned), projection_bias_knob(),
             source_knob(), temperature_knob(), key_lengths_knob()});

    // Drawn matrices give every head a dark map that says nothing; word vectors have learned something.
    mechanism.example.query = "the king and the queen drink tea";
    mechanism.example.values = {{"heads", Index(4)}, {"projections", std::string("identity")}};
    mechanism.example.look_for =
        "Every head draws its own map from its own quarter of the numbers of trained word vectors: heads 1 "
        "and 2 join “king” and “queen”, head 4 gives every word’s largest part to the two “the”. The "
        "matrices are identities, for nobody has trained them: trained heads are in the lesson “Many heads” "
        "and in the models.";
    mechanism.properties.permutation_equivariant = true;
    return mechanism;
}

}  // namespace headlight
