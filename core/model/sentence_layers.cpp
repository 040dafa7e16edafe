#include "core/model/sentence_layers.h"

#include <algorithm>
#include <vector>

namespace headlight {

namespace {

/// What a layer does that has no mechanism, as one: only a mechanism can have a mask of its own.
AttentionSpec layer_as_mechanism(const TransformerConfiguration& configuration) {
    AttentionSpec spec;
    spec.projections = {.type = ProjectionType::learned, .bias = true};
    spec.score = configuration.score;
    spec.normalizer = configuration.normalizer;
    spec.heads = {.type = HeadsType::multi, .heads = configuration.heads};
    return spec;
}

void keep_layers_to(const PatternMask& parts, TransformerConfiguration& configuration) {
    const auto keep = [&](AttentionSpec& spec) {
        spec.mask = is_masked(spec.mask) ? Mask{AllOf{{Mask{parts}, spec.mask}}} : Mask{parts};
    };
    const bool is_list = std::ranges::any_of(configuration.encoder, &LayerSpec::lists_mechanism);
    for (LayerSpec& layer : configuration.encoder) {
        if (!layer.mechanism)
            layer = {.mechanism = layer_as_mechanism(configuration), .where_possible = !is_list};
        keep(*layer.mechanism);
    }
}

}  // namespace

void keep_to_sentences(TransformerConfiguration& configuration, Index sentence, Index longest) {
    keep_layers_to({MaskPattern::blocks, {{"size", sentence}}}, configuration);
    if (configuration.pooling_mechanism) {
        const auto count = static_cast<std::size_t>((longest + sentence - 1) / sentence);
        configuration.pooling_mechanism->algorithm.options["sentences"] = std::vector<Index>(count, sentence);
    }
}

void keep_question_apart(TransformerConfiguration& configuration, Index question, Index sentence,
                         Index longest) {
    std::vector<Index> lengths{question};
    for (Index end = question + sentence; sentence > 0 && end < longest; end += sentence)
        lengths.push_back(sentence);  // behind them is the last
    keep_layers_to({MaskPattern::documents, {{"lengths", lengths}}}, configuration);
    if (configuration.asked_text)
        configuration.asked_text->question = question;
}

}  // namespace headlight
