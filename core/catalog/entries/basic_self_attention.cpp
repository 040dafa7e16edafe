#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_basic_self_attention() {
    Mechanism mechanism;
    mechanism.name = "Basic self-attention";
    mechanism.also_known_as = {"parameter-free self-attention", "self similarity"};
    mechanism.family = "Scores";
    mechanism.order = 200;
    mechanism.formula = R"(@output{@weights{\operatorname{softmax}\left(@scores{@tokens{X}\,)"
                        R"(@tokens{X}^\top}\right)}\,@tokens{X}})";
    mechanism.papers = {
        {"Wang, Girshick, Gupta and He, Non-local Neural Networks (the Gaussian form, equation 2)", 2018}};
    mechanism.explanation =
        "Every token is compared with every token, itself included, by the dot product of their vectors; "
        "the softmax of each row turns these similarities into weights, and the output is the weighted mean "
        "of the vectors. There is nothing to learn. The scores are symmetric, the weights are not, because "
        "each row is divided by its own sum. A token usually finds itself most similar, but it need not: a "
        "longer vector can win, and a token with a very long vector becomes everybody’s favourite. That, "
        "and not that it would be bad, is why the next mechanisms learn what to compare. Without positions "
        "the order of the words plays no part: permuting them permutes the output.";
    mechanism.cost = "n² (2 d) multiply-adds; memory n²; no parameters";
    mechanism.correction =
        "“Parameter-free, therefore not good” is a slogan: it is a mean over similar tokens that does not "
        "care for order, and the clearest first lesson. Attention did not begin with the Transformer either: "
        "Bahdanau’s is of 2014, and 2017 took away the recurrence.";
    mechanism.equivalences = {equal_when(
        "dot", "On one sequence and without projections the dot product compares the same vectors.")};
    mechanism.related = {"dot", "gaussian_kernel", "self_attention", "scaled_dot_product"};

    AttentionSpec spec;
    spec.projections.type = ProjectionType::none;
    spec.score.type = ScoreType::self_similarity;
    compose(mechanism, spec, {});

    mechanism.example.query = "the bank of the river and the bank that lends money";
    mechanism.example.look_for = "Both rows of “bank” are the same: a word is only its vector here, so it "
                                 "cannot know which bank it is. Add positions, and they part.";
    mechanism.properties.permutation_equivariant = true;
    return mechanism;
}

}  // namespace headlight
