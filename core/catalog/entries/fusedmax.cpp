#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_fusedmax() {
    Mechanism mechanism;
    mechanism.name = "Fusedmax";
    mechanism.also_known_as = {"oscarmax", "structured sparse attention", "total variation"};
    mechanism.family = "Normalisers";
    mechanism.order = 5614;
    mechanism.formula = R"(@output{o_i} = \sum_j @weights{\max\left(0,\,@fused_scores{y_{ij}} - \tau_i)"
                        R"(\right)}\,@value{v_j},\quad )"
                        R"(y_i = \arg\min_y\,\tfrac{1}{2} \sum_j \left(y_j - @scaled_scores{s_{ij}})"
                        R"(\right)^2 + \lambda \sum_j \left|y_{j+1} - y_j\right|)";
    mechanism.papers = {
        {"Niculae and Blondel, A Regularized Framework for Sparse and Structured Neural Attention", 2017}};
    mechanism.explanation =
        "Words come in phrases, and weights that jump from word to word are hard to read. Fusedmax is "
        "sparsemax with a price λ on every difference between neighbours. The scores are first drawn "
        "together: where they are near, whole stretches become equal, and what stands out is lowered. Then "
        "all lose one threshold, and what falls below 0 is cut off. So a row has few stretches of equal "
        "weights, and zeros. Oscarmax has a price on the larger of any two weights instead: keys with like "
        "scores get the same weight wherever they stand. The gradient that comes to a stretch is shared by "
        "its keys.";
    mechanism.cost =
        "n m (d + d_v) multiply-adds per head, and for each row time in proportion to m, or m ln m "
        "for oscarmax; memory n m. As computed here, by its formula, m² for each row.";
    mechanism.correction =
        "The weights of a stretch are equal, not only near: the price is on the difference itself and not on "
        "its square. Neighbours are those that the query may see, so that a mask closes gaps. The gradient "
        "is not that of sparsemax: a score also moves the others of its stretch.";
    mechanism.equivalences = {
        equal_when("sparsemax", "without a price nothing is drawn together", {.here = {{"fusing", 0.0}}}),
        equal_when("sparsemax", "without a price nothing is drawn together",
                   {.here = {{"fusing", 0.0}, {"which", std::string("all")}}})};
    mechanism.related = {"sparsemax", "linear_chain", "constrained", "entmax"};

    AttentionSpec spec;
    spec.normalizer.type = NormalizerType::fused;
    compose(mechanism, spec, component_knobs(spec) + temperature_knob() + token_knobs());

    mechanism.example.query = "the cat and the dog play with the ball";
    mechanism.example.look_for =
        "“with” gives one weight to the stretch “with the”, and “and” to “and the” and to “with the ball”; "
        "sparsemax beside it jumps from word to word.";
    mechanism.example.beside = "sparsemax";
    mechanism.properties.sparse = true;
    return mechanism;
}

}  // namespace headlight
