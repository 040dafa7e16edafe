#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_drop_head() {
    Mechanism mechanism;
    mechanism.name = "DropHead";
    mechanism.also_known_as = {"head dropout", "Scheduled DropHead"};
    mechanism.family = "Heads";
    mechanism.order = 5727;
    mechanism.formula =
        R"(@output{o = \sum_{h} @context{\frac{H\,\xi_h}{\sum_{h'} \xi_{h'}}\,@attended{@weights{)"
        R"(\operatorname{softmax}\left(@scores{\frac{@query{Q_h}\,@key{K_h}^\top}{\sqrt{d}}}\right)}\,)"
        R"(@value{V_h}}}\,W_h},\quad \xi_h \sim \operatorname{Bernoulli}(1 - p))";
    mechanism.papers = {
        {"Zhou et al., Scheduled DropHead: A Regularization Method for Transformer Models", 2020}};
    mechanism.explanation =
        "Trained multi-head attention often leans on one or two heads, and the others can be cut out without "
        "much loss. DropHead is a remedy for training: in every step each head is dropped, whole, with "
        "chance p, and what the others give is multiplied by H over the number that is left, so that the sum "
        "keeps its size. No head can rely on another, and all learn to be of use. When the model is used, "
        "all heads are there. Here one such step is shown; the seed draws the heads, and the same seed drops "
        "the same ones.";
    mechanism.cost = "as multi-head attention; a training step may leave out the heads that it dropped.";
    mechanism.correction =
        "A head is dropped for all words of a text at once, and for its whole output, while dropout of "
        "weights takes single cells from a map. The factor is H over the heads that are left and not "
        "1 / (1 − p), which would be right on average alone. If the draw drops every head, nothing is left "
        "and the output is 0. “Scheduled” is the p: high in the first steps, low in the middle, and high "
        "again at the end.";
    mechanism.equivalences = {
        equal_when("head_scale", "with p = 0 no head is dropped", {.here = {{"dropped", 0.0}}})};
    mechanism.related = {"head_scale", "multi_head", "head_mixture"};

    AttentionSpec spec;
    spec.projections.type = ProjectionType::learned;
    spec.heads = {.type = HeadsType::multi, .heads = 8};
    spec.algorithm.type = AlgorithmType::head_scale;
    spec.algorithm.options["dropped"] = 0.5;
    compose(mechanism, spec,
            std::vector<Knob>{heads_knob()} +
                without(component_knobs(spec), {"gates", "drawn", "concrete_temperature", "normed_values"}) +
                causal_knob() + source_knob());

    mechanism.example.query = "two boys played football and three girls played music";
    mechanism.example.look_for = "Look at the context of one head after another: that of a dropped head is "
                                 "0, though its map is there, and the others are larger than what they "
                                 "fetched. Another seed drops others.";
    mechanism.properties = {.permutation_equivariant = true, .random = true};
    return mechanism;
}

}  // namespace headlight
