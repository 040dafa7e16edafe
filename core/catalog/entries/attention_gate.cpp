#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_attention_gate() {
    Mechanism mechanism;
    mechanism.name = "Attention gate";
    mechanism.also_known_as = {"Attention U-Net", "additive attention gate"};
    mechanism.family = "Images";
    mechanism.order = 3964;
    mechanism.formula =
        R"(@output{o_i} = @spatial_gate{\alpha_i}\,@query{x_i},\quad )"
        R"(@spatial_gate{\alpha_i = \sigma(\psi \cdot @gate_hidden{\operatorname{relu}(x_i W_x + )"
        R"(@gating_signal{g_i} W_g + b)} + b_\psi)},\quad )"
        R"(@gating_signal{g_i = \frac{1}{|P(i)|} \sum_{j \in P(i)} x_j},\quad @weights{A_{ii} = \alpha_i})";
    mechanism.papers = {{"Oktay et al., Attention U-Net: Learning Where to Look for the Pancreas", 2018}};
    mechanism.explanation =
        "A U-Net first makes an image coarser and coarser, to find what is in it, and then finer again, to "
        "draw where. On the way up it gets the fine features of the way down across, all of them, whether "
        "they belong to what was found or not. An attention gate stands in this crossing. It looks at two "
        "things at each place: the fine features there, and the gating signal, what the coarse layer has at "
        "the same place. Both are projected, added and sent through relu, and a dot product with ψ makes a "
        "single number of them, as additive attention does; but in the place of a softmax over all places "
        "stands a sigmoid. So several organs may be lit at once, or none. The features of each place are "
        "multiplied by its gate. Here there is one image, and the signal is that image seen more coarsely: "
        "the mean of the patch that each place lies in. Where keys are of another source (source.type "
        "cross) the signal is a second sequence, a coarser image with one place for each patch and features "
        "of its own, as another layer "
        "has them. Words stand for the places, four in a row.";
    mechanism.cost = "2 n d h multiply-adds for h hidden units, h = d / 2 in a common form; no map of tokens "
                     "by tokens.";
    mechanism.correction =
        "The gating signal decides together with the place, and not for it: with W_g alone all places of a "
        "patch would have one gate. In the network the signal comes from another layer, after more "
        "convolutions; W_x brings the fine features to its coarse grid, and the gates that are made there "
        "are interpolated to the fine one. Others bring the signal to the fine grid first. The mean of a "
        "patch, repeated, is the plainest case of that, chosen here so that one picture is enough. Batch "
        "normalisation, and the convolution behind the gate, are left out.";
    mechanism.related = {"additive", "cbam", "bam", "spatial_reduction"};

    AttentionSpec spec;
    spec.algorithm = {AlgorithmType::attention_gate, {{"columns", Index(4)}}};
    compose(mechanism, spec, component_knobs(spec) + projections_knob());

    mechanism.example.query = "red blue cat dog green black red cow";
    mechanism.example.look_for =
        "Two patches of four words: red, blue, green and black have one signal, cat, dog, the other red and "
        "cow have another. So the two “red” have different gates. With patches of 4 all words share one "
        "signal, and with patches of 1 each has its own: either way both “red” are gated alike.";
    mechanism.properties = {.row_stochastic = false, .sparse = true, .needs_whole_text = true};
    return mechanism;
}

}  // namespace headlight
