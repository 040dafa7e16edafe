#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_tropical() {
    Mechanism mechanism;
    mechanism.name = "Tropical attention";
    mechanism.also_known_as = {"max-plus attention", "Hilbert projective metric attention"};
    mechanism.family = "Scores";
    mechanism.order = 5251;
    mechanism.formula =
        R"(@context{o_{ic} = \max_j @offers{\left(@scores{s_{ij}} + @value{v_{jc}}\right)}},\quad )"
        R"(@scores{s_{ij} = \min_c (@query{q_{ic}} - @key{k_{jc}}) - \max_c (q_{ic} - k_{jc})},\quad )"
        R"(@weights{A_{ij} = \frac{1}{d} \sum_c [\,j \text{ has the maximum of } c\,]})";
    mechanism.papers = {{"Hashemi, Pasque, Teska and Yoshida, Tropical Attention: Neural Algorithmic "
                         "Reasoning for Combinatorial Algorithms",
                         2025}};
    mechanism.explanation =
        "Algorithms for shortest paths or knapsacks add lengths and take the best of several sums. A "
        "softmax blurs such a choice: the more candidates there are, the less of the weight has the best. "
        "In tropical arithmetic these two steps are the arithmetic itself: the sum of two numbers is the "
        "larger one, and their product is what is called their sum elsewhere. Attention in it has three "
        "changes. The score is a distance, how far the differences of query and key are spread, from the "
        "largest feature to the smallest; a vector whose numbers are all larger by the same amount counts as "
        "the same vector, as a multiple does for the cosine. Weighing a value by a score means "
        "adding the score to it. And the sum over the keys is the maximum: every feature of the output "
        "comes from one key, the one that offers most. There is no exponential, and the output is made of "
        "pieces of planes. Since each feature has a winner of its own, the map shown counts: in what share "
        "of the features does this key win?";
    mechanism.cost =
        "n m (3 d + 2 d_v) additions and comparisons per head, and no multiplication but those of the "
        "projections. Here differences and offers of all pairs are kept, n m (d + d_v) numbers.";
    mechanism.correction =
        "The map is not what values are multiplied by: nothing is. It has no slope either; what learns are "
        "the scores of winners and their values. Without projections a token finds nothing but itself, since "
        "another one offers more only if it is larger in every single feature. The paper takes logarithms of "
        "the tokens first, multiplies by tropical matrices, in which a row is a maximum of sums, and takes "
        "the exponential at the end; here projections are ordinary ones and numbers stay as they are.";
    mechanism.related = {"hard", "manhattan", "hyperbolic", "simplicial"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::tropical;
    compose(mechanism, spec,
            component_knobs(spec) + causal_knob() + projections_knob(ProjectionType::learned) +
                source_knob());

    mechanism.example.query = "red blue cat dog green black horse cow";
    mechanism.example.look_for = "Every weight is a number of features, of 64, and rows sum to 1: each "
                                 "feature of a word has one winner. "
                                 "Leave the projections out and the map is a diagonal.";
    mechanism.properties = {.permutation_equivariant = true, .sparse = true};
    return mechanism;
}

}  // namespace headlight
