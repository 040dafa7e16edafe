#include "core/model/sentence_layers.h"

#include <algorithm>
#include <vector>

namespace headlight {

namespace {

void keep_layers_to(const PatternMask& parts, TransformerConfiguration& configuration) {
    const bool is_list = std::ranges::any_of(configuration.encoder, &LayerSpec::lists_mechanism);
    for (LayerSpec& layer : configuration.encoder) {
        if (!layer.mechanism)  // only a mechanism can have a mask of its own
            layer = {.mechanism = configuration.plain_attention(), .where_possible = !is_list};
        layer.mechanism->mask = joined_masks({parts}, layer.mechanism->mask);
    }
}

}  // namespace

void keep_to_sentences(TransformerConfiguration& configuration, Index sentence, Index longest) {
    keep_layers_to({MaskPattern::blocks, {{"size", sentence}}}, configuration);
    if (configuration.pooling_mechanism) {
        const auto count = static_cast<std::size_t>(parts_of_size(longest, sentence));
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
