#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_adaptive_span() {
    Mechanism mechanism;
    mechanism.name = "Adaptive span";
    mechanism.also_known_as = {"adaptive attention span", "adaptive masking"};
    mechanism.family = "Masks";
    mechanism.order = 2608;
    mechanism.formula = R"(@output{o_i} = \sum_j @weights{A_{ij}}\,@value{v_j},\quad )"
                        R"(@weights{A_{ij} = \frac{@spanned_exponentials{@span_mask{m(i - j)}\,e^{)"
                        R"(@scaled_scores{s_{ij}}}}}{@row_sum{\sum_{k \le i} m(i - k)\,e^{s_{ik}}}}},\quad )"
                        R"(m(x) = \min\left(\max\left(\frac{R + z - x}{R}, 0\right), 1\right))";
    mechanism.papers = {{"Sukhbaatar et al., Adaptive Attention Span in Transformers", 2019}};
    mechanism.explanation =
        "A window says once for all how far back a token may look, and it is the same for every head. In a "
        "trained model most heads look only a few tokens back and some look very far, so that each would "
        "like a window of its own. A whole number of keys has no slope to learn from; this window has one. "
        "The score s is q · k / √d as ever. Keys up to z places back (`span`) count in full, over the next "
        "R places (`ramp`) they fade along a straight line, and beyond they have no weight at all. z is "
        "learned, one number for each head, with a penalty on its size; a head that needs little then costs "
        "little, for keys beyond z + R need not be kept. The mask multiplies the exponentials before the "
        "row is divided by its sum, so that the weights still sum to 1.";
    mechanism.cost =
        "n (z + R) (d + d_v) multiply-adds per head when only the span is scored; z + R keys and values "
        "in the cache. Here every score is computed.";
    mechanism.correction =
        "The mask stands inside the softmax’s fraction: multiplied onto finished weights it would leave "
        "rows that sum to less than 1. In the paper a token does not see itself, and the nearest key is at "
        "distance 1, in its code at 0. Here it does, at distance 0. A key after the query, where the mask "
        "lets it be seen, counts as one at distance 0. The code learns z as a share of the longest span, "
        "and holds it between 0 and 1; here no span is below 0.";
    mechanism.equivalences = {
        equal_when("window",
                   "with R = 1 and a whole z the span ends at once, after z keys and the query’s own",
                   {.here = {{"span", 2.0}, {"ramp", Index(1)}}, .there = {{"size", Index(3)}}}),
        equal_when("causal", "a span that is longer than the text leaves the softmax as it is",
                   {.here = {{"span", 4096.0}}})};
    mechanism.related = {"window", "alibi", "local_p", "symmetric_window"};

    AttentionSpec spec;
    spec.mask.rule = CausalMask{};
    spec.normalizer.type = NormalizerType::adaptive_span;
    spec.normalizer.options = {{"span", 2.0}, {"ramp", Index(3)}};
    compose(mechanism, spec, component_knobs(spec) + temperature_knob() + projection_knobs());

    mechanism.example.query = "the cat sat and the dog sat and the bird sat";
    mechanism.example.look_for =
        "Keys two places back count in full, three and four places back they fade, and from five on they "
        "are exactly 0. In causal attention the last “sat” gives each of the three 0.26; here the one four "
        "places back has 0.21, the first none, and it keeps 0.63 itself.";
    mechanism.properties = {.causal = true, .streaming = true, .sparse = true};
    return mechanism;
}

}  // namespace headlight
