#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_longnet() {
    Mechanism mechanism;
    mechanism.name = "LongNet (dilated attention)";
    mechanism.also_known_as = {"dilated segments", "mixture of dilated patterns"};
    mechanism.family = "Masks";
    mechanism.order = 2622;
    mechanism.formula =
        R"(@output{o_i} = \sum_p @pattern_shares{\frac{z_{ip}}{\sum_r z_{ir}}}\,\operatorname{softmax}_p)"
        R"(\left(@scores{\frac{@query{q_i}\,@key{K}^\top}{\sqrt{d}}}\right) @value{V},\quad )"
        R"(z_{ip} = \sum_{j \in P_p(i)} e^{s_{ij}},\quad )"
        R"(@weights{A_{ij} = \frac{@pattern_counts{c_{ij}}\,e^{s_{ij}}}{\sum_l c_{il}\,e^{s_{il}}}})";
    mechanism.papers = {{"Ding et al., LongNet: Scaling Transformers to 1,000,000,000 Tokens", 2023}};
    mechanism.explanation =
        "Near words deserve a close look and far ones a sparse look. Several patterns say so together: the "
        "first cuts the text into short segments, in which every token sees every other; the next has "
        "segments a times as long, in which only every a-th token takes part, and so on, each at the cost "
        "of the one before. Each pattern has a softmax of its own. To mix them no weights are learned: an "
        "output counts by the denominator of its softmax, so that a pattern which has found nothing that "
        "fits has little to say. Written out, the denominators cancel, and what is left is one softmax in "
        "which a pair counts as often as patterns hold it. A token that a sparse pattern leaves out in one "
        "head begins the count in another one: head h takes the places h, h + a, h + 2 a of each segment.";
    mechanism.cost =
        "about n w (d + d_v) a / (a − 1) multiply-adds per head when only pairs of a pattern are "
        "scored, since each pattern takes 1 / a of the one before.";
    mechanism.correction =
        "The patterns take part by their denominators and not in equal parts, and no number is learned for "
        "them. A query that a pattern leaves out has no answer of it, rather than one of its neighbours. The "
        "paper shifts the head h by h mod a; in the authors’ code heads that take the same places lie side "
        "by side. There the shares count as constants for the gradient; here they do not.";
    mechanism.equivalences = {
        equal_when("scaled_dot_product", "one pattern whose segment is the whole text holds every pair once",
                   {.here = {{"patterns", Index(1)}, {"segment", Index(65536)}, {"heads", Index(1)}}}),
        equal_when("blocks", "one pattern without gaps is attention within blocks",
                   {.here = {{"patterns", Index(1)}, {"heads", Index(1)}}, .there = {{"size", Index(4)}}})};
    mechanism.related = {"dilated", "blocks", "strided", "longformer"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::dilated_segments;
    compose(mechanism, spec, component_knobs(spec) + heads_knob(2) + projections_knob() + causal_knob());

    mechanism.example.query = "once upon a time there lived a wise old king who had three daughters and sons";
    mechanism.example.look_for =
        "Squares of four words, and between two of them a grid: in the first head the first, third, fifth "
        "and seventh word of eight see each other as well, in the second head the words between them. In the "
        "stage of patterns such pairs within a square count 2, for both patterns hold them.";
    mechanism.properties.sparse = true;
    return mechanism;
}

}  // namespace headlight
