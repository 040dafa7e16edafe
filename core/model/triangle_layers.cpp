#include "core/model/triangle_layers.h"

namespace headlight {

void read_pairs_of(TransformerConfiguration& configuration, Index points) {
    for (LayerSpec& layer : configuration.encoder)
        if (layer.mechanism && layer.mechanism->algorithm.type == AlgorithmType::triangle)
            layer.mechanism->algorithm.options["columns"] = points;
}

}  // namespace headlight
