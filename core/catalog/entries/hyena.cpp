#include "core/catalog/knob.h"

#include <string>

namespace headlight {

Mechanism declare_hyena() {
    Mechanism mechanism;
    mechanism.name = "Hyena";
    mechanism.also_known_as = {"implicit long convolution", "Hyena hierarchy", "gated long convolution"};
    mechanism.family = "Linear and recurrent";
    mechanism.order = 3417;
    mechanism.formula =
        R"(@output{@context{o_{ic}} = @query{q_{ic}} \sum_{j \le i} @channel_filters{h_c(i - j)}\,)"
        R"(@key{k_{jc}}\,@value{v_{jc}}},\quad )"
        R"(h_c(t) = e^{-\delta_c t / (L - 1)} \left[W_3 \sin(\omega (W_2 \sin(\omega (W_1 z_t + b_1)) + )"
        R"(b_2))\right]_c + D_c [t = 0],\quad )"
        R"(@weights{A_{ij} = \frac{1}{d} \sum_c q_{ic}\,h_c(i - j)\,k_{jc}})";
    mechanism.papers = {{"Poli et al., Hyena Hierarchy: Towards Larger Convolutional Language Models", 2023}};
    mechanism.explanation =
        "Attention is a matrix that depends on the text, applied to values. Hyena makes such a matrix of two "
        "simpler ones: diagonals, which depend on the text, and a convolution, which does not. Keys multiply "
        "the values feature by feature; each feature is convolved with a filter as long as the text; queries "
        "multiply what comes out. So the map of a channel is q_i h(i − j) k_j. A filter of as many numbers "
        "as there are places would have too many; so a small network is asked for each of them. It gets the "
        "distance, as a number and as waves, and answers for all channels; its hidden layers are sines, so "
        "that the filter can be rough. A window that closes faster in some channels than in others lets them "
        "look at different distances. All is computed by Fourier transforms, in n log n, and nothing is "
        "compared pair by pair.";
    mechanism.cost = "n log n multiply-adds for each channel, and the network once for n distances. As "
                     "computed here, with all maps, n² d_v.";
    mechanism.correction =
        "q and k are not compared: no product over the features is taken, each channel has a map of its own, "
        "and the mean of these is shown. This is Hyena of order 2; set `order` to put further gates and "
        "filters between, which makes the map of a channel a product of such maps. The short convolutions of "
        "q, k and v are left out, and so are biases that shift the window. The network has two hidden layers "
        "here, the authors’ code three, with a frequency of its own for each unit. L is a number and not the "
        "length of the text, which would change every filter with each new token. H3 is the same with "
        "filters of states: set `filter`.";
    mechanism.related = {"s4d", "mamba2", "aft", "dynamic_convolution"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::long_convolution;
    spec.algorithm.options["filter"] = std::string("network");
    spec.mask.rule = CausalMask{};
    compose(mechanism, spec, without(component_knobs(spec), {"gates"}) + projections_knob());

    mechanism.example.query = "the door was red and then the door was blue";
    mechanism.example.look_for =
        "On the diagonal both “door” have the same number, and both “the”: there the distance is 0, and the "
        "gates are those of the word. Step back to the filters, which no word has a say in.";
    mechanism.example.beside = "s4d";
    mechanism.properties = signed_causal_mixer;
    return mechanism;
}

}  // namespace headlight
