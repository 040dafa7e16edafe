#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_rela() {
    Mechanism mechanism;
    mechanism.name = "Rectified linear attention (ReLA)";
    mechanism.also_known_as = {"sparse attention with linear units"};
    mechanism.family = "Normalisers";
    mechanism.order = 5522;
    mechanism.formula =
        R"(@context{o_i = @normalized_values{\frac{g \odot z_i}{\sqrt{\frac{1}{d} \sum_c z_{ic}^2}}} \odot )"
        R"(@value_gate{\sigma(w \odot z_i)}},\quad )"
        R"(@attended{z_i = \sum_j @weights{\max\left(0,\,@scores{\frac{@query{q_i} \cdot @key{k_j}}{)"
        R"(\sqrt{d}}}\right)}\,@value{v_j}})";
    mechanism.papers = {{"Zhang, Titov and Sennrich, Sparse Attention with Linear Units", 2021}};
    mechanism.explanation =
        "Softmax gives every key something. Sparsemax and its kin give exact zeros, but have to sort, or to "
        "search for a threshold. The simplest thing that has zeros is relu: a negative score counts as 0, a "
        "positive one as itself. What is lost is the sum: rows add up to anything, and a long text would "
        "make large outputs. Here that is not mended at the weights but behind them. What all heads have "
        "found, side by side, is divided by the root of its mean square, so that it has one size however "
        "much was added up. And since the size may have said something, each number is multiplied by a "
        "sigmoid of what it was before, a gate with one learned factor for each feature. A head that finds "
        "no key says nothing at all, and the authors see heads use that: where nothing in the source fits a "
        "word, whole rows are 0.";
    mechanism.cost = "n m (d + d_v) multiply-adds per head, and no exponential but in the gate; 4 n h d_v "
                     "for norm and gate.";
    mechanism.correction =
        "The weights are not divided by the number of keys, as in the later ReLU attention of Wortsman and "
        "others, and the norm is taken over all heads together, not head by head. A row in which every head "
        "found nothing stays 0: 1e-8 is added under the root, as in the authors’ code and not in the paper’s "
        "formula.";
    mechanism.related = {"relu", "gated", "sparsemax", "softpick"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::rectified;
    compose(mechanism, spec, component_knobs(spec) + causal_knob() + token_knobs());

    mechanism.example.query = "the government raises the tax while my kitten sleeps";
    mechanism.example.look_for =
        "“kitten” has a score below 0 with “government” and “tax”, and so a weight of exactly 0. Row sums "
        "differ from word to word; step on to the normalised values, in which every row has the same length.";
    mechanism.properties = {.row_stochastic = false, .permutation_equivariant = true, .sparse = true};
    return mechanism;
}

}  // namespace headlight
