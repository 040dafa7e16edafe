#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_large_kernel() {
    Mechanism mechanism;
    mechanism.name = "Large kernel attention";
    mechanism.also_known_as = {"LKA", "Visual Attention Network", "VAN"};
    mechanism.family = "Images";
    mechanism.order = 3983;
    mechanism.formula = R"(@output{o_i = @query{x_i} \odot @feature_factors{f_i\,W}},\quad )"
                        R"(f = @far_convolved{K_2^{(d)} * @near_convolved{(K_1 * x)}},\quad )"
                        R"(@weights{A_{ii} = \frac{1}{C} \sum_c (f_i\,W)_c})";
    mechanism.papers = {{"Guo, Lu, Liu, Cheng and Hu, Visual Attention Network", 2023}};
    mechanism.explanation =
        "A convolution sees what is near, attention sees everything and pays for every pair. Between the two "
        "lies a kernel so large that it meets far places, and its price can be cut in three: each channel is "
        "convolved with its neighbours, then once more by a kernel whose taps lie d places apart, and a "
        "matrix mixes the channels of a place. With 5 × 5, 7 × 7 and d = 3 that meets 23 × 23 places at the "
        "price of 74 taps. What comes out is multiplied onto the image, number by number, and that is why "
        "it is called attention: the factor depends on what stands around. No softmax, and no sigmoid "
        "either. Here words stand for the patches, four in a row.";
    mechanism.cost = "n C ((2 d − 1)² + k²) multiply-adds for kernels of k × k taps, n C² for the matrix and "
                     "n C for the factors; no map of tokens by tokens.";
    mechanism.correction =
        "The factors have no bounds and may be below 0: they are no gates. The paper speaks of a kernel of "
        "21 × 21, of which its parts are ⌈21/3⌉ × ⌈21/3⌉ taps; the parts as chosen reach from −11 to 11. "
        "Convolutions of the authors’ code have biases, and stand between two layers of one place and a "
        "GELU, which are not here.";
    mechanism.related = {"convolutional", "outlook", "squeeze_excitation", "selective_kernel",
                         "focal_modulation"};

    AttentionSpec spec;
    spec.algorithm = {AlgorithmType::large_kernel, {{"columns", Index(4)}, {"dilation", Index(2)}}};
    compose(mechanism, spec, component_knobs(spec) + projections_knob());

    mechanism.example.query = "red blue cat dog green black red cow";
    mechanism.example.look_for =
        "A diagonal of numbers of either sign. Both “red” have different ones, for other words stand around "
        "them. With a kernel of 1 × 1 and a dilation of 1 no place knows of its neighbours, and both have "
        "the same.";
    mechanism.properties = {
        .row_stochastic = false, .sparse = true, .is_signed = true, .needs_whole_text = true};
    return mechanism;
}

}  // namespace headlight
