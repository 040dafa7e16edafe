#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_outlook() {
    Mechanism mechanism;
    mechanism.name = "Outlook attention";
    mechanism.also_known_as = {"VOLO", "Outlooker"};
    mechanism.family = "Images";
    mechanism.order = 3947;
    mechanism.formula =
        R"(@output{o_i} = \sum_j @weights{A_{ij}}\,@value{v_j},\quad )"
        R"(@weights{A_{ij} = \sum_{q \in N(i)} P_{q,\,i-q,\,j-q}},\quad )"
        R"(@outlook_weights{P_q = \operatorname{softmax}\left(@outlook_scores{\frac{@query{x_q}\,W}{)"
        R"(\sqrt{d}}}\right)})";
    mechanism.papers = {
        {"Yuan, Hou, Jiang, Feng and Yan, VOLO: Vision Outlooker for Visual Recognition", 2021}};
    mechanism.explanation =
        "Does a place have to ask its neighbours how to weigh them? The authors say that it knows by "
        "itself. From its own features alone, by one matrix, each place makes a small attention map "
        "for the window around it: for each of the k² places of the window a row of k² weights, a "
        "softmax, by which the values of the window are mixed. So it speaks for its neighbours too, "
        "not for itself alone. Windows overlap, and each place lies in k² of them; what all of these "
        "windows found for it is added up. In the map shown this is put together: how much a place "
        "takes from another, through all windows that have both. No query meets a key, so that the "
        "cost grows with the number of places, and fine detail can be looked at where a map of all "
        "pairs would be too large. Here words stand for the patches, four in a row.";
    mechanism.cost =
        "n d k⁴ multiply-adds for the scores and n k⁴ d_v for the values of each head, and n k⁴ "
        "numbers of maps, for a window of k × k. Here the map of n² pairs is made, of k² pieces.";
    mechanism.correction =
        "Rows of the map do not sum to 1: each window gives a place a row that does, and the rows of up to "
        "k² windows are added. At the edge a window lies partly outside, where values are 0, and its share "
        "is lost. The authors’ code for windows that move by one place takes all rows from the window of the "
        "place itself, and is then another formula; unfold and fold, as described in the paper, are what is "
        "computed here. In place of W on the whole token each head has one on its query.";
    mechanism.related = {"dynamic_convolution", "neighbourhood", "halo", "dense_synthesizer"};

    AttentionSpec spec;
    spec.algorithm = {AlgorithmType::outlook, {{"columns", Index(4)}}};
    compose(mechanism, spec, component_knobs(spec) + projection_knobs());

    mechanism.example.query = "red blue cat dog green black horse cow music sheep pig goat";
    mechanism.example.look_for =
        "Each word sees as far as two rows and two columns on the grid, through the windows between: red, in "
        "the first column, takes nothing from dog, cow and goat in the last. Horse, in the middle, lies in "
        "nine windows, and its row sums to more than that of red, which lies in four. With a window of 1x1 "
        "each word sees itself alone, with a weight of 1.";
    mechanism.properties = {.row_stochastic = false, .sparse = true, .needs_whole_text = true};
    return mechanism;
}

}  // namespace headlight
