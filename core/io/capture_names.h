#pragma once

#include "core/tensor/tensor.h"

#include <optional>
#include <string>
#include <vector>

namespace headlight {

/// What the name of an array says of the attention in it, in the words of the programs that write it: NumPy's
/// arr_3, transformers' cross_attentions, PyTorch's encoder.layers.3.self_attn, TransformerLens'
/// blocks.3.attn.hook_pattern, T5's decoder.block.3.layer.1.EncDecAttention, and of a map a head
/// layer3_head5 or L3H5.
struct ArrayName {
    std::string kind;    ///< "encoder", "decoder", "cross"; empty where it says none of these
    std::string family;  ///< the name with # for layer and head: one family is the maps of one kind
    std::string rest;    ///< the name without these numbers: "layer_self" of layer0_self
    std::optional<Index> layer{}, head{};  ///< from 0, as such names count
    /// The number follows a word for a layer, "blocks.3", or stands beside that of a head, "L3H5": a single
    /// array is one layer, too, while a single "arr_0" may have several.
    bool is_layer_alone = false;
};

ArrayName parse_array_name(const std::string& name);

/// Whether a name is of what models return beside attention: hidden states, logits, masks, caches.
bool is_beside_attention(const std::string& name);

/// Whether a name is of the weights among all that TransformerLens caches.
bool is_hooked_pattern(const std::string& name);

/// Layers that are counted from 0, as people read them: "layers 1 to 3 and 5", "layer 2". They rise.
std::string layers_in_words(const std::vector<Index>& layers);

/// The same of the layers below the last one that are not among them; empty where none lacks.
std::string missing_layers(const std::vector<Index>& layers, Index last);

}  // namespace headlight
