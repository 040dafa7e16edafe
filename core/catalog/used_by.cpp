#include "core/catalog/used_by.h"

#include "core/tensor/words.h"

#include <algorithm>

namespace headlight {

std::span<const KnownModel> known_models() {
    // Names as their authors write them. What has a mechanism in some of its layers only has it, too; what
    // another one of the list is made from (the window of "longformer") is not said again. OLMo brings the
    // queries of all heads to a length at once where others do it head by head.
    static const std::vector<KnownModel> all{
        {"RNNsearch", 2015, {"additive"}},
        {"BiDAF", 2017, {"trilinear"}},
        {"Pointer-generator network", 2017, {"coverage"}},
        {"Transformer",
         2017,
         {"scaled_dot_product", "multi_head", "causal", "padding", "cross", "sinusoidal"}},
        {"QANet", 2018, {"trilinear", "multi_head"}},
        {"Tacotron 2", 2018, {"location_aware"}},
        {"BERT", 2019, {"multi_head", "learned_positions", "padding"}},
        {"EfficientNet", 2019, {"squeeze_excitation"}},
        {"GPT-2", 2019, {"multi_head", "causal", "learned_positions"}},
        {"MobileNetV3", 2019, {"squeeze_excitation"}},
        {"RoBERTa", 2019, {"multi_head", "learned_positions", "padding"}},
        {"Sparse Transformer", 2019, {"strided", "fixed"}},
        {"Transformer-XL", 2019, {"transformer_xl"}},
        {"XLNet", 2019, {"transformer_xl", "permutation"}},
        {"BigBird", 2020, {"bigbird"}},
        {"DETR", 2020, {"multi_head", "cross"}},
        {"GPT-3", 2020, {"multi_head", "causal", "learned_positions"}},
        {"LED", 2020, {"longformer", "cross", "learned_positions"}},
        {"Longformer", 2020, {"longformer", "learned_positions"}},
        {"Reformer", 2020, {"reformer", "shared_query_key"}},
        {"T5", 2020, {"multi_head", "cross", "t5"}},
        {"AlphaFold 2", 2021, {"gated", "triangle"}},
        {"CLIP", 2021, {"multi_head", "causal", "learned_positions"}},
        {"DeBERTa", 2021, {"deberta"}},
        {"GPT-J", 2021, {"partial_rope", "rope_interleaved"}},
        {"HaloNet", 2021, {"halo"}},
        {"Nyströmformer", 2021, {"nystrom"}},
        {"Performer", 2021, {"performer"}},
        {"Routing Transformer", 2021, {"routing"}},
        {"Swin Transformer", 2021, {"swin", "shifted_swin", "grid_bias"}},
        {"ViT", 2021, {"multi_head", "learned_positions"}},
        {"XCiT", 2021, {"cross_covariance"}},
        {"BEiT", 2022, {"multi_head", "grid_bias"}},
        {"BLOOM", 2022, {"alibi"}},
        {"Flamingo", 2022, {"flamingo", "cross"}},
        {"FNet", 2022, {"fourier"}},
        {"GPT-NeoX-20B", 2022, {"partial_rope"}},
        {"MaxViT", 2022, {"grid_stride", "swin", "grid_bias"}},
        {"OPT", 2022, {"multi_head", "causal", "learned_positions"}},
        {"Stable Diffusion", 2022, {"cross"}},
        {"Swin Transformer V2", 2022, {"swin", "shifted_swin", "scaled_cosine"}},
        {"ESM-2", 2023, {"multi_head", "rope"}},
        {"Falcon-7B", 2023, {"multi_query", "rope"}},
        {"Llama", 2023, {"multi_head", "causal", "rope"}},
        {"Llama 2", 2023, {"grouped_query", "causal", "rope"}},
        {"Mistral 7B", 2023, {"grouped_query", "window", "rope"}},
        {"MobileViTv2", 2023, {"separable"}},
        {"MPT-7B", 2023, {"alibi"}},
        {"NAT", 2023, {"neighbourhood"}},
        {"PaLM", 2023, {"multi_query", "rope"}},
        {"Phi-2", 2023, {"multi_head", "partial_rope"}},
        {"Pythia", 2023, {"partial_rope"}},
        {"RetNet", 2023, {"retention"}},
        {"RWKV-4", 2023, {"rwkv4"}},
        {"SAM", 2023, {"swin", "cross"}},
        {"StarCoder", 2023, {"multi_query", "learned_positions"}},
        {"ViT-22B", 2023, {"qk_norm"}},
        {"Whisper", 2023, {"cross", "sinusoidal", "learned_positions"}},
        {"Chameleon", 2024, {"qk_norm", "rope"}},
        {"Command R", 2024, {"grouped_query", "rope_interleaved"}},
        {"Command R7B", 2024, {"grouped_query", "window", "rope_interleaved"}},
        {"DeepSeek-V2", 2024, {"latent", "yarn"}},
        {"DeepSeek-V3", 2024, {"latent", "yarn"}},
        {"Gemma", 2024, {"multi_query", "rope"}},
        {"Gemma 2", 2024, {"grouped_query", "softcap", "window", "rope"}},
        {"Grok-1", 2024, {"grouped_query", "softcap", "rope"}},
        {"Llama 3", 2024, {"grouped_query", "documents", "rope"}},
        {"Llama 3.1", 2024, {"grouped_query", "llama3_rope"}},
        {"Mamba-2", 2024, {"mamba2"}},
        {"Mixtral", 2024, {"grouped_query", "rope"}},
        {"ModernBERT", 2024, {"symmetric_window", "rope"}},
        {"OLMo 2", 2024, {"qk_norm", "rope"}},
        {"Qwen2", 2024, {"grouped_query", "rope"}},
        {"Qwen2-VL", 2024, {"grouped_query", "m_rope"}},
        {"RecurrentGemma", 2024, {"multi_query", "window", "partial_rope"}},
        {"RWKV-5", 2024, {"rwkv6"}},
        {"RWKV-6", 2024, {"rwkv6"}},
        {"StarCoder2", 2024, {"grouped_query", "window", "rope"}},
        {"Zamba2", 2024, {"mamba2"}},
        {"DeepSeek-V3.2", 2025, {"latent", "dsa", "yarn"}},
        {"Falcon-H1", 2025, {"mamba2", "grouped_query", "rope"}},
        {"Gemma 3", 2025, {"grouped_query", "qk_norm", "window", "rope"}},
        {"gpt-oss", 2025, {"grouped_query", "sink_logit", "window", "yarn"}},
        {"Kimi K2", 2025, {"latent", "yarn"}},
        {"Kimi Linear", 2025, {"kda", "latent"}},
        {"Llama 4", 2025, {"grouped_query", "qk_norm", "blocks", "rope_interleaved"}},
        {"MiniMax-01", 2025, {"grouped_query", "partial_rope"}},
        {"Nemotron-H", 2025, {"mamba2", "grouped_query"}},
        {"OLMo 3", 2025, {"qk_norm", "window", "yarn", "rope"}},
        {"Phi-4-mini", 2025, {"grouped_query", "partial_rope"}},
        {"Qwen2.5-1M", 2025, {"grouped_query", "minference"}},
        {"Qwen2.5-VL", 2025, {"grouped_query", "m_rope"}},
        {"Qwen3", 2025, {"grouped_query", "qk_norm", "rope"}},
        {"Qwen3-Next", 2025, {"gated_delta", "gated", "grouped_query", "qk_norm", "partial_rope"}},
        {"RWKV-7", 2025, {"rwkv7"}},
        {"xLSTM 7B", 2025, {"mlstm"}},
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

std::string list_of_models(std::span<const KnownModel* const> models, std::size_t most) {
    // One more name is no longer than the words that would stand for it.
    const std::size_t named = models.size() <= most + 1 ? models.size() : most;
    std::vector<std::string> names;
    for (const KnownModel* model : models.first(named))
        names.emplace_back(model->name);
    const std::size_t others = models.size() - named;
    return others == 0 ? list_in_words(names, "and") : list_with_others(names, others);
}

}  // namespace headlight
