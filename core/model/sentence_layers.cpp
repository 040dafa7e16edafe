#include "core/model/sentence_layers.h"

namespace headlight {

namespace {

void keep_to_blocks(AttentionSpec& spec, Index size) {
    const Mask block{PatternMask{MaskPattern::blocks, {{"size", size}}}};
    spec.mask = is_masked(spec.mask) ? Mask{AllOf{{block, spec.mask}}} : block;
}

/// What a layer does that has no mechanism, as one: only a mechanism can have a mask of its own.
AttentionSpec layer_as_mechanism(const TransformerConfiguration& configuration) {
    AttentionSpec spec;
    spec.projections = {.type = ProjectionType::learned, .bias = true};
    spec.score = configuration.score;
    spec.normalizer = configuration.normalizer;
    spec.heads = {.type = HeadsType::multi, .heads = configuration.heads};
    return spec;
}

}  // namespace

void keep_to_sentences(TransformerConfiguration& configuration, Index sentence, Index longest) {
    if (configuration.encoder_mechanisms.empty()) {
        if (!configuration.mechanism)
            configuration.mechanism = layer_as_mechanism(configuration);
        keep_to_blocks(*configuration.mechanism, sentence);
    }
    for (AttentionSpec& each : configuration.encoder_mechanisms)
        keep_to_blocks(each, sentence);
    if (configuration.pooling_mechanism) {
        const auto count = static_cast<std::size_t>((longest + sentence - 1) / sentence);
        configuration.pooling_mechanism->algorithm.options["sentences"] = std::vector<Index>(count, sentence);
    }
}

}  // namespace headlight
