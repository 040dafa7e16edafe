#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_focal_modulation() {
    Mechanism mechanism;
    mechanism.name = "Focal modulation";
    mechanism.also_known_as = {"FocalNet", "Focal Modulation Networks"};
    mechanism.family = "Images";
    mechanism.order = 3985;
    mechanism.formula =
        R"(@output{o_i = @query{q_i} \odot @modulator{(m_i\,W + b)}},\quad )"
        R"(@gathered_contexts{m_i = \sum_{l=1}^{L} @focal_gates{g_{il}}\,z^l_i + @focal_gates{g_{i,L+1}}\,)"
        R"(@focal_image{\operatorname{gelu}(\frac{1}{n} \sum_j z^L_j)}},\quad )"
        R"(@focal_level_1{z^l = \operatorname{gelu}(K_l * z^{l-1})},\quad )"
        R"(@focal_features{z^0 = x\,W_z},\ @focal_gates{g = x\,W_g},\quad )"
        R"(@weights{A_{ii} = \frac{1}{C} \sum_c (m_i\,W + b)_c})";
    mechanism.papers = {{"Yang et al., Focal Modulation Networks", 2022}};
    mechanism.explanation =
        "Attention first compares a query with every key and then gathers the values. Focal modulation turns "
        "this round: first it gathers, then the query meets what was gathered, once. Small convolutions, one "
        "behind the other and each wider than the one before, make of the image a context of its nearest "
        "neighbourhood, of a wider one and so on, and last the mean of the whole image. A place has a gate "
        "for each of these levels, made of its own features: a place in the middle of a sky needs the wide "
        "ones, one at an edge the near ones. The gated levels are added up, a matrix mixes their channels, "
        "and the query is multiplied by that, number by number. No query meets a key, there is no softmax, "
        "and the price grows with the number of places. Here words stand for the patches, four in a row.";
    mechanism.cost =
        "n d (2 C + L + 1) multiply-adds for query, features and gates, n C Σ k_l² for the kernels and n C² "
        "for the matrix, with C features of a head; no map of tokens by tokens.";
    mechanism.correction =
        "The gates have no sigmoid and need not sum to 1, nor has what the query is multiplied by any "
        "bounds: the map shown may be below 0. Heads are not in the paper; here they share kernels and "
        "matrix. The authors’ code can also divide the sum by the number of levels, and normalise the "
        "product, in its largest models. The focal attention of the same authors is another one: windows "
        "whose keys are patches nearby and means of patches farther off.";
    mechanism.related = {"large_kernel", "involution", "selective_kernel", "hyena"};

    AttentionSpec spec;
    spec.algorithm = {AlgorithmType::focal_modulation, {{"columns", Index(4)}}};
    compose(mechanism, spec, component_knobs(spec) + projections_knob());

    mechanism.example.query = "red blue cat dog green black red cow";
    mechanism.example.stage = "focal_gates";
    mechanism.example.look_for =
        "A row for each word, a column for each level and one for the image: both “red” have the same gates, "
        "for these are made of the word alone. What they gather differs, for other words stand around them, "
        "and so do their numbers on the diagonal of the map; with one level and a kernel of 1 × 1 they are "
        "the same.";
    mechanism.properties = {
        .row_stochastic = false, .sparse = true, .is_signed = true, .needs_whole_text = true};
    return mechanism;
}

}  // namespace headlight
