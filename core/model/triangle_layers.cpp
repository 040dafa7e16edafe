#include "core/model/triangle_layers.h"

namespace headlight {

bool attends_to_triangles(const LayerSpec& layer) {
    return layer.mechanism && layer.mechanism->algorithm.type == AlgorithmType::triangle;
}

void read_pairs_of(TransformerConfiguration& configuration, Index points) {
    for (LayerSpec& layer : configuration.encoder)
        if (attends_to_triangles(layer))
            layer.mechanism->algorithm.options["columns"] = points;
}

}  // namespace headlight
