#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_shuffle() {
    Mechanism mechanism;
    mechanism.name = "Shuffle attention";
    mechanism.also_known_as = {"SA-Net", "SA"};
    mechanism.family = "Images";
    mechanism.order = 3969;
    mechanism.formula =
        R"(@output{o = \operatorname{shuffle}(@query{x} \circ @feature_gates{g})},\quad )"
        R"(@channel_gate{g_{ic} = \sigma(w_c\,@squeeze{\bar{x}_c} + b_c)} \text{ in the first half of a )"
        R"(group},\quad )"
        R"(@place_gates{g_{ic} = \sigma(w'_c\,@normalized_image{\frac{x_{ic} - \mu_c}{\sigma_c}} + b'_c)} )"
        R"(\text{ in the second},\quad @weights{A_{ii} = \frac{1}{d} \sum_c g_{ic}})";
    mechanism.papers = {
        {"Zhang and Yang, SA-Net: Shuffle Attention for Deep Convolutional Neural Networks", 2021}};
    mechanism.explanation =
        "Gates of channels ask what is in the image, gates of places ask where. Convolutional block "
        "attention sends the whole image through one and then through the other. Shuffle attention splits "
        "the work: the channels are cut into groups, and of each group one half gets gates of channels and "
        "the other half gates of places. Both are as small as gates can be. A gate of a channel is a "
        "sigmoid of its mean, times one number and plus another; a gate of a place is a sigmoid of what "
        "stands there, normalised over the image, times one number and plus another. All groups share "
        "these numbers, so that a layer of 512 channels in 64 groups learns 16 of them. But groups never "
        "hear of each other. So at the end the channels are shuffled like two piles of cards, the first half "
        "of all channels and the second, and every group of the next layer gets channels of two groups that "
        "lay far apart.";
    mechanism.cost = "about 4 n d multiply-adds, and 4 numbers to learn for each two channels of a group; no "
                     "map of tokens by tokens.";
    mechanism.correction =
        "The shuffle deals out the halves of all channels, not those of the groups: two neighbours in what "
        "comes out had the same kind of gate if the number of groups is even. At the start of training the "
        "factors are 0 and what is added is 1, and every gate is σ(1) = 0.73; the factor and shift that the "
        "paper’s normalisation has besides are left out, since w′ and b′ do the same. The map shows gates "
        "alone, whatever place their channels move to. In the paper groups are equal and even; here those of "
        "a number that does not divide the channels differ by one channel, and the first half may be larger "
        "by one.";
    mechanism.related = {"cbam", "group_enhance", "bam", "squeeze_excitation"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::shuffle;
    compose(mechanism, spec, component_knobs(spec) + projections_knob());

    mechanism.example.query = "cat dog horse cow pig music sheep goat";
    mechanism.example.stage = "feature_gates";
    mechanism.example.look_for =
        "A row for each word, and channels in groups of eight: four columns are the same in all rows, the "
        "next four are not. Step on to the output, where columns of the first half of all channels and of "
        "the second take turns, and then leave out the shuffle.";
    mechanism.properties = {
        .row_stochastic = false, .permutation_equivariant = true, .sparse = true, .needs_whole_text = true};
    return mechanism;
}

}  // namespace headlight
