#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_mega() {
    Mechanism mechanism;
    mechanism.name = "MEGA";
    mechanism.also_known_as = {"moving average equipped gated attention", "single-head gated attention",
                               "damped exponential moving average"};
    mechanism.family = "Linear and recurrent";
    mechanism.order = 3419;
    mechanism.formula =
        R"(@moving_average{M = \operatorname{silu}(\operatorname{EMA}(@query{X}) + \omega \circ X)},\quad )"
        R"(h^s_t = (1 - \alpha_s \delta_s)\,h^s_{t-1} + \alpha_s \beta_s\,x_t,\quad )"
        R"(@weights{A = \operatorname{softmax}\left(@scores{\frac{@offset_query{Q}\,@offset_key{K}^\top}{)"
        R"(\sqrt{d}} + b}\right)},\quad )"
        R"(@candidate{H = \operatorname{silu}(M W_h + (@attended{A\,@unit_values{V}} \circ @reset_gate{R}))"
        R"(\,U)},\quad @output{@context{O = X + @update_gate{\Phi} \circ (H - X)}})";
    mechanism.papers = {{"Ma et al., Mega: Moving Average Equipped Gated Attention", 2023}};
    mechanism.explanation =
        "Attention has no sense of what is near: every pair is equal until positions tell. A moving average "
        "has nothing but that. MEGA puts one before the other. Each feature of the tokens is averaged over "
        "the tokens so far, by a few averages that fade at learned rates; what a token gives to one so many "
        "places later is the same everywhere, so that the average is a convolution. A damped average takes α "
        "of what comes and loses α δ of what it holds, two numbers where plain averages have one. Queries "
        "and keys are made of the average, values of the token itself. One head is enough, for behind it "
        "stand the gates of a recurrent cell: one closes features of what attention found, another decides "
        "how far the token moves to the new candidate and how far it stays what it was.";
    mechanism.cost =
        "n log n multiply-adds for each average of each feature, n² 2 d for the head, and 6 n d² for the "
        "layers; in chunks of c tokens n c 2 d. As computed here, with the maps of all averages, n² d more.";
    mechanism.correction =
        "The context is not a mean of values: the token itself is in it, behind the update gate. The map "
        "shown is the softmax alone, and does not say what the average brought in before: a token that is "
        "looked at has parts of those before it. The layer norm around the block is left out, as is the "
        "average from behind that encoders add. In the place of a softmax the paper has a smooth step as "
        "well, each score by itself, which knows no sum of a row: of it weights are not shares. MEGA-chunk "
        "attends within blocks: choose a mask of blocks, which the average crosses.";
    mechanism.related = {"gau", "s4d", "hgrn", "convolutional"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::mega;
    spec.mask.rule = CausalMask{};
    compose(mechanism, spec, component_knobs(spec) + projections_knob());

    mechanism.example.query = "the door was red and then the door was blue";
    mechanism.example.look_for =
        "A row for each word: the average of the words so far, which queries and keys are made of. The rows "
        "of both “door” differ, although nothing else says where they stand, for each has the words before "
        "in it. Step on to the weights.";
    mechanism.example.stage = "moving_average";
    mechanism.properties.row_stochastic = false;  // weights of a smooth step are no shares
    mechanism.properties.causal = true;
    return mechanism;
}

}  // namespace headlight
