#include "core/catalog/used_by.h"

#include "core/catalog/mechanism.h"
#include "core/tensor/words.h"

#include <algorithm>

namespace headlight {

std::span<const KnownModel> known_models() {
    // Names as their authors write them. What has a mechanism in some of its layers only has it, too; what
    // another one of the list is made from (the window of "longformer") is not said again. OLMo brings the
    // queries of all heads to a length at once where others do it head by head. Which features rotary
    // positions pair is as in the authors' own code: Hugging Face's ports of Llama and Mistral pair others.
    static const std::vector<KnownModel> all{
        {"Neural Turing Machine", 2014, {"ntm"}},
        {"End-to-end memory network", 2015, {"memory_hops"}},
        {"RNNsearch", 2015, {"additive"}},
        {"Pointer network", 2015, {"additive"}},
        {"Show, Attend and Tell", 2015, {"soft", "hard"}},
        {"GNMT", 2016, {"additive"}},
        {"Hierarchical attention network", 2016, {"hierarchical_pooling"}},
        {"BiDAF", 2017, {"trilinear"}},
        {"CapsNet", 2017, {"capsules"}},
        {"ConvS2S", 2017, {"dot"}},
        {"Pointer-generator network", 2017, {"coverage"}},
        {"Tacotron", 2017, {"additive"}},
        {"Transformer",
         2017,
         {"scaled_dot_product", "multi_head", "causal", "padding", "cross", "sinusoidal"}},
        {"Attention U-Net", 2018, {"attention_gate"}},
        {"Graph attention network", 2018, {"gat"}},
        {"Non-local network", 2018, {"non_local"}},
        {"QANet", 2018, {"trilinear", "multi_head"}},
        {"SASRec", 2018, {"causal", "learned_positions"}},
        {"SENet", 2018, {"squeeze_excitation"}},
        {"Tacotron 2", 2018, {"location_aware"}},
        {"BERT", 2019, {"multi_head", "learned_positions", "padding"}},
        {"DANet", 2019, {"danet"}},
        {"EfficientNet", 2019, {"squeeze_excitation"}},
        {"GCNet", 2019, {"gcnet"}},
        {"GPT-2", 2019, {"multi_head", "causal", "learned_positions"}},
        {"MobileNetV3", 2019, {"squeeze_excitation"}},
        {"Music Transformer", 2019, {"shaw"}},
        {"RoBERTa", 2019, {"multi_head", "learned_positions", "padding"}},
        {"Set Transformer", 2019, {"inducing_points", "attention_pooling"}},
        {"SKNet", 2019, {"selective_kernel"}},
        {"Sparse Transformer", 2019, {"strided", "fixed"}},
        {"Transformer-XL", 2019, {"transformer_xl"}},
        {"Universal Transformer", 2019, {"multi_head", "cross", "sinusoidal"}},
        {"XLNet", 2019, {"transformer_xl", "permutation", "two_stream"}},
        {"Axial-DeepLab", 2020, {"axial"}},
        {"BigBird", 2020, {"bigbird"}},
        {"Conformer", 2020, {"transformer_xl"}},
        {"DETR", 2020, {"multi_head", "cross", "object_queries"}},
        {"ECA-Net", 2020, {"eca"}},
        {"Funnel-Transformer", 2020, {"pooled_queries", "transformer_xl"}},
        {"GPT-3",
         2020,
         {"multi_head", "causal", "learned_positions"},
         "Layers that see all of the text and layers whose attention is sparse, in local bands as in the "
         "Sparse Transformer, take turns."},
        {"LED", 2020, {"longformer", "cross", "learned_positions", "global_projections"}},
        {"Linformer", 2020, {"linformer"}},
        {"Longformer", 2020, {"longformer", "learned_positions", "global_projections"}},
        {"LUKE", 2020, {"learned_positions", "global_projections"}},
        {"Reformer", 2020, {"reformer", "shared_query_key"}},
        {"SuperGlue", 2020, {"multi_head", "cross", "dustbin"}},
        {"T5", 2020, {"multi_head", "cross", "t5"}},
        {"AlphaFold 2", 2021, {"gated", "triangle", "invariant_points", "msa_rows"}},
        {"Autoformer", 2021, {"autoformer"}},
        {"CaiT", 2021, {"talking_heads"}},
        {"CLIP", 2021, {"multi_head", "causal", "learned_positions"}},
        {"CPVT", 2021, {"multi_head", "convolutional"}},
        {"DeBERTa", 2021, {"deberta"}},
        {"Deformable DETR", 2021, {"deformable", "object_queries"}},
        {"gMLP", 2021, {"spatial_gating"}},
        {"GPT-J", 2021, {"partial_rope", "rope_interleaved"}},
        {"Graphormer", 2021, {"graphormer"}},
        {"HaloNet", 2021, {"halo"}},
        {"Informer", 2021, {"informer"}},
        {"LambdaResNet", 2021, {"lambda_layer"}},
        {"LayoutLMv2", 2021, {"multi_head", "page"}},
        {"LoFTR", 2021, {"linear", "dual_softmax"}},
        {"MSA Transformer", 2021, {"msa_rows"}},
        {"Nyströmformer", 2021, {"nystrom"}},
        {"Performer", 2021, {"performer"}},
        {"PVT", 2021, {"spatial_reduction"}},
        {"RedNet", 2021, {"involution"}},
        {"Routing Transformer", 2021, {"routing"}},
        {"SegFormer", 2021, {"spatial_reduction"}},
        {"Swin Transformer", 2021, {"swin", "shifted_swin", "grid_bias"}},
        {"Twins-PCPVT", 2021, {"convolutional", "spatial_reduction"}},
        {"ViT", 2021, {"multi_head", "learned_positions"}},
        {"XCiT", 2021, {"cross_covariance"}},
        {"BEiT", 2022, {"multi_head", "grid_bias"}},
        {"BLOOM", 2022, {"alibi"}},
        {"CSWin Transformer", 2022, {"cswin"}},
        {"DiNAT", 2022, {"neighbourhood"}},
        {"Flamingo", 2022, {"flamingo", "cross"}},
        {"FLASH", 2022, {"gau"}},
        {"FNet", 2022, {"fourier"}},
        {"FocalNet", 2022, {"focal_modulation"}},
        {"GPT-NeoX-20B", 2022, {"partial_rope"}},
        {"LayoutLMv3", 2022, {"multi_head", "page"}},
        {"Mask2Former", 2022, {"multi_head", "predicted_mask"}},
        {"MaxViT", 2022, {"grid_stride", "swin", "grid_bias"}},
        {"Memorizing Transformer", 2022, {"memorizing"}},
        {"MViTv2", 2022, {"decomposed"}},
        {"OPT", 2022, {"multi_head", "causal", "learned_positions"}},
        {"PoolFormer", 2022, {"poolformer"}},
        {"RegionViT", 2022, {"region_tokens"}},
        {"RETRO", 2022, {"retro"}},
        {"SepViT", 2022, {"window_tokens"}},
        {"Stable Diffusion", 2022, {"cross"}},
        {"Swin Transformer V2", 2022, {"swin", "shifted_swin", "scaled_cosine"}},
        {"VOLO", 2022, {"outlook"}},
        {"WavLM", 2022, {"multi_head", "t5"}},
        {"Baichuan-13B", 2023, {"alibi"}},
        {"BiFormer", 2023, {"bi_level_routing"}},
        {"BLIP-2", 2023, {"object_queries", "cross"}},
        {"ChatGLM2-6B", 2023, {"grouped_query", "partial_rope"}},
        {"ESM-2", 2023, {"multi_head", "rope"}},
        {"EVA-02", 2023, {"grid_rope"}},
        {"Falcon-7B", 2023, {"multi_query", "rope"}},
        {"HyenaDNA", 2023, {"hyena"}},
        {"Jina Embeddings 2", 2023, {"alibi"}},
        {"LightGlue", 2023, {"multi_head", "cross", "shared_query_key", "matchability"}},
        {"Llama", 2023, {"multi_head", "causal", "rope_interleaved"}},
        {"Llama 2", 2023, {"grouped_query", "causal", "rope_interleaved"}},
        {"Mega", 2023, {"mega"}},
        {"Mistral 7B", 2023, {"grouped_query", "window", "rope_interleaved"}},
        {"MobileViTv2", 2023, {"separable"}},
        {"MosaicBERT", 2023, {"alibi"}},
        {"MPT-7B", 2023, {"alibi"}},
        {"NAT", 2023, {"neighbourhood"}},
        {"PaLM", 2023, {"multi_query", "rope"}},
        {"Phi-2", 2023, {"multi_head", "partial_rope"}},
        {"Pythia", 2023, {"partial_rope"}},
        {"RetNet", 2023, {"retention"}},
        {"RWKV-4", 2023, {"rwkv4"}},
        {"SAM", 2023, {"swin", "cross", "decomposed"}},
        {"StarCoder", 2023, {"multi_query", "learned_positions"}},
        {"SwiftFormer", 2023, {"efficient_additive"}},
        {"VAN", 2023, {"large_kernel"}},
        {"ViT-22B", 2023, {"qk_norm"}},
        {"Whisper", 2023, {"cross", "sinusoidal", "learned_positions"}},
        {"Yi", 2023, {"grouped_query", "rope"}},
        {"AlphaFold 3", 2024, {"triangle", "gated"}},
        {"Chameleon", 2024, {"qk_norm", "rope"}},
        {"Command R", 2024, {"multi_head", "rope_interleaved"}},
        {"Command R 08-2024", 2024, {"grouped_query", "rope_interleaved"}},
        {"Command R7B",
         2024,
         {"grouped_query", "window", "rope_interleaved"},
         "Three layers see a sliding window and have rotary positions, the fourth sees all of the text and "
         "has no positions.",
         {{"window", 3}, {"grouped_query"}}},
        {"DeepSeek-V2", 2024, {"latent", "yarn"}},
        {"DeepSeek-V3", 2024, {"latent", "yarn"}},
        {"Evo", 2024, {"hyena", "multi_head", "rope"}},
        {"FLUX.1", 2024, {"qk_norm", "grid_rope"}},
        {"Gemma", 2024, {"multi_query", "rope"}},
        {"Gemma 2",
         2024,
         {"grouped_query", "softcap", "window", "rope"},
         "Layers that see a sliding window and layers that see all of the text take turns.",
         {{"window"}, {"grouped_query"}}},
        {"Griffin",
         2024,
         {"multi_query", "window", "rope"},
         "Two recurrent layers (RG-LRU), then one that attends within a sliding window."},
        {"Grok-1", 2024, {"grouped_query", "softcap", "rope"}},
        {"Hymba",
         2024,
         {"hybrid_heads", "grouped_query", "window", "rope"},
         "Every layer has heads that attend beside heads that hold states. What attends sees a sliding "
         "window, but in the first, the middle and the last layer, where it sees all of the text."},
        {"InternLM2", 2024, {"grouped_query", "ntk_rope"}},
        {"Jamba",
         2024,
         {"mamba", "grouped_query"},
         "Of every eight layers seven are Mamba and one attends, without positions.",
         {{"mamba", 4}, {"grouped_query"}, {"mamba", 3}}},
        {"Llama 3", 2024, {"grouped_query", "documents", "rope_interleaved"}},
        {"Llama 3.1", 2024, {"grouped_query", "llama3_rope"}},
        {"Mamba", 2024, {"mamba"}},
        {"Mamba-2", 2024, {"mamba2"}},
        {"MiniCPM3", 2024, {"latent"}},
        {"Mixtral", 2024, {"grouped_query", "rope_interleaved"}},
        {"ModernBERT",
         2024,
         {"symmetric_window", "rope"},
         "Every third layer sees all of the text, the two between see a window around each token.",
         {{"rope"}, {"symmetric_window", 2}}},
        {"OLMo 2", 2024, {"qk_norm", "rope"}},
        {"PaliGemma", 2024, {"prefix_lm", "multi_query"}},
        {"Pixtral", 2024, {"grid_rope", "grouped_query"}},
        {"Qwen2", 2024, {"grouped_query", "rope"}},
        {"Qwen2-VL", 2024, {"grouped_query", "m_rope"}},
        {"RecurrentGemma",
         2024,
         {"multi_query", "window", "partial_rope"},
         "As in Griffin: two recurrent layers (RG-LRU), then one that attends within a sliding window."},
        {"RWKV-5", 2024, {"rwkv6"}},
        {"RWKV-6", 2024, {"rwkv6"}},
        {"SAM 2", 2024, {"grid_rope", "cross", "swin"}},
        {"Samba",
         2024,
         {"mamba", "window"},
         "Layers of Mamba and layers that attend within a sliding window take turns.",
         {{"mamba"}, {"window"}}},
        {"Stable Diffusion 3", 2024, {"multi_head", "qk_norm"}},
        {"StarCoder2", 2024, {"grouped_query", "window", "rope"}},
        {"TimesFM", 2024, {"dimension_scale", "causal"}},
        {"Zamba2",
         2024,
         {"mamba2"},
         "Layers of Mamba-2, and after every few of them a block that attends. These blocks share their "
         "weights: all of them are the same one or, in the larger models, two that take turns."},
        {"Command A",
         2025,
         {"grouped_query", "window", "rope_interleaved"},
         "Three layers see a sliding window and have rotary positions, the fourth sees all of the text and "
         "has no positions.",
         {{"window", 3}, {"grouped_query"}}},
        {"DeepSeek-V3.2", 2025, {"latent", "dsa", "yarn"}},
        {"DINOv3", 2025, {"multi_head", "grid_rope"}},
        {"Doge", 2025, {"dynamic_mask", "grouped_query", "rope"}},
        {"Falcon-H1",
         2025,
         {"mamba2", "grouped_query", "rope"},
         "Every layer has heads that attend beside heads of Mamba-2, which hold states."},
        {"Gemma 3",
         2025,
         {"grouped_query", "qk_norm", "window", "rope"},
         "Five layers see a sliding window, the sixth sees all of the text, and its rotary positions turn "
         "more slowly.",
         {{"window", 5}, {"grouped_query"}}},
        {"GLM-4.5", 2025, {"grouped_query", "qk_norm", "partial_rope"}},
        {"gpt-oss",
         2025,
         {"grouped_query", "sink_logit", "window", "yarn"},
         "Layers that see a sliding window and layers that see all of the text take turns. In all of them "
         "each head has a learned sink.",
         {{"window", 1, NormalizerType::sink}, {"grouped_query", 1, NormalizerType::sink}}},
        {"Granite 4.0",
         2025,
         {"mamba2", "grouped_query"},
         "In the hybrid ones (H) nine of every ten layers are Mamba-2 and one attends, without positions."},
        {"Kimi K2", 2025, {"latent", "yarn"}},
        {"Kimi Linear",
         2025,
         {"kda", "latent"},
         "Three layers of Kimi Delta Attention (KDA), then one of latent attention (MLA) without positions.",
         {{"kda", 3}, {"latent"}}},
        {"Llama 4",
         2025,
         {"grouped_query", "qk_norm", "blocks", "rope_interleaved", "temperature_tuning"},
         "Three layers attend within chunks and have rotary positions, the fourth sees all of the text and "
         "has no positions; there queries far on in the text are made longer.",
         {{"blocks", 3}, {"grouped_query"}}},
        {"MiniMax-01",
         2025,
         {"grouped_query", "partial_rope", "retention"},
         "Seven layers of lightning attention, which is linear, then one with a softmax, where half of each "
         "head is turned by rotary positions.",
         {{"retention", 7}, {"partial_rope"}}},
        {"MiniMax-M2", 2025, {"grouped_query", "qk_norm", "partial_rope"}},
        {"Nemotron-H",
         2025,
         {"mamba2", "grouped_query"},
         "Layers of Mamba-2 and as many that only feed forward, and among them, spread evenly, a few that "
         "attend: 4 of 52 in the model of 8 billion parameters, 10 of 118 in that of 56 billion."},
        {"OLMo 3",
         2025,
         {"qk_norm", "window", "yarn", "rope"},
         "Three layers see a sliding window, the fourth sees all of the text. Only the fourth has its rotary "
         "positions stretched (YaRN).",
         {{"window", 3}, {"yarn"}}},
        {"Phi-4-mini", 2025, {"grouped_query", "partial_rope"}},
        {"Qwen2.5-1M", 2025, {"grouped_query", "minference", "dual_chunk"}},
        {"Qwen2.5-VL", 2025, {"grouped_query", "m_rope"}},
        {"Qwen3", 2025, {"grouped_query", "qk_norm", "rope"}},
        {"Qwen3-Next",
         2025,
         {"gated_delta", "gated", "grouped_query", "qk_norm", "partial_rope"},
         "Three layers of Gated DeltaNet, then one of gated attention, where heads share keys, queries and "
         "keys are normalised, and a quarter of each head is turned by rotary positions.",
         {{"gated_delta", 3}, {"gated"}}},
        {"Rodimus", 2025, {"rodimus"}},
        {"RWKV-7", 2025, {"rwkv7"}},
        {"SmolLM3",
         2025,
         {"grouped_query", "rope"},
         "Three layers have rotary positions, the fourth has no positions.",
         {{"rope", 3}, {"grouped_query"}}},
        {"T5Gemma 2", 2025, {"merged_sources", "grouped_query", "qk_norm", "rope"}},
        {"TokenFormer", 2025, {"token_parameters"}},
        {"xLSTM 7B", 2025, {"mlstm"}},
        {"DeepSeek-V4",
         2026,
         {"compressed_entries", "shared_key_value", "grouped_output", "sink_logit", "rotary_values"}},
        {"MiniMax-M3", 2026, {"minimax_sparse", "grouped_query", "qk_norm", "partial_rope"}},
        {"Motif 3", 2026, {"differential_2", "latent", "window", "yarn"}},
    };
    return all;
}

std::vector<const KnownModel*> used_by(std::string_view mechanism) {
    std::vector<const KnownModel*> models;
    for (const KnownModel& each : known_models())
        if (std::ranges::find(each.mechanisms, mechanism) != each.mechanisms.end())
            models.push_back(&each);
    return models;
}

std::string layers_text(const KnownModel& model) {
    return std::string(model.name).append(": ").append(model.layers);
}

std::string family_of_layers(const KnownModel& model) {
    std::vector<LayerRun> runs;  // of each mechanism one, as long as all of its runs
    for (const LayerRun& run : model.pattern)
        if (const auto known = std::ranges::find(runs, run.mechanism, &LayerRun::mechanism);
            known != runs.end())
            known->count += run.count;
        else
            runs.push_back(run);
    const auto most = std::ranges::max_element(runs, {}, &LayerRun::count);
    return most == runs.end() ? std::string() : mechanism(most->mechanism).family;
}

std::span<const KnownModel* const> named_of(std::span<const KnownModel* const> models, std::size_t most) {
    // One more name is no longer than the words that would stand for it.
    return models.size() <= most + 1 ? models : models.first(most);
}

std::string list_of_models(std::span<const KnownModel* const> models, std::size_t most,
                           const std::function<std::string(std::string_view name)>& written) {
    const std::span<const KnownModel* const> named = named_of(models, most);
    std::vector<std::string> names;
    for (const KnownModel* model : named)
        names.push_back(written(model->name));
    const std::size_t others = models.size() - named.size();
    return others == 0 ? list_in_words(names, "and") : list_with_others(names, others);
}

}  // namespace headlight
