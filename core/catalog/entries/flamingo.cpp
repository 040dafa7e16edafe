#include "core/catalog/masked_entry.h"

namespace headlight {

Mechanism declare_flamingo() {
    Mechanism mechanism;
    mechanism.name = "Image intervals";
    mechanism.also_known_as = {"Flamingo mask", "per-image masking", "vision cross-attention mask"};
    mechanism.family = "Masks";
    mechanism.order = 5428;
    mechanism.formula = masked_formula(R"(a_k \le i < e_k,\quad k = \lfloor j / t \rfloor)");
    mechanism.papers = {{"Alayrac et al., Flamingo: a Visual Language Model for Few-Shot Learning", 2022}};
    mechanism.explanation =
        "A web page has images between its paragraphs, and a model that reads it has a sequence of words "
        "and another of image tokens, t for each image. The words ask, the images answer. Which word may "
        "ask which image is a matter of places: image k is seen by the words from a_k on, up to e_k. In "
        "Flamingo a word sees the last image before it and no other, so that e_k is where the next image "
        "stands; what earlier ones said reaches it through the words that saw them. A model that was "
        "trained with five images then reads thirty-two without having learned what it is to see so many. "
        "Words before the first image see nothing, and get zeros. Llama 3.2’s vision models have such "
        "intervals too; with ends of their own, images that stand side by side can share theirs. Here "
        "words stand for the image tokens, two for each image.";
    mechanism.cost =
        masked_cost("n t (d + d_v) multiply-adds per head when every word sees one image; memory n t.");
    mechanism.correction =
        "A softmax over nothing is no number: words before the first image need a row of zeros. An "
        "implementation that fills all their scores with one large negative number gives them the mean of "
        "all images instead.";
    mechanism.related = {"cross", "documents", "wait_k", "blocks"};

    AttentionSpec spec;
    spec.score.type = ScoreType::scaled_dot;
    spec.source.type = SourceType::cross;
    spec.mask.rule = PatternMask{MaskPattern::flamingo,
                                 {{"image_tokens", Index(2)}, {"starts", std::vector<Index>{1, 5}}}};
    compose(mechanism, spec, component_knobs(spec) + projection_knobs() + temperature_knob());

    mechanism.example.query = "look a cat sleeps here and a car drives here";
    mechanism.example.key = "kitten sofa truck road";
    mechanism.example.look_for =
        "Two images, “kitten sofa” and “truck road”. “cat” sees the first and “car” the second, and the "
        "two “here” each the image that stands before them. “look” comes before both and sees nothing.";
    return mechanism;
}

}  // namespace headlight
