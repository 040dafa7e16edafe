#include "core/model/architecture.h"

namespace headlight {

Architecture declare_architecture_xl() {
    return {.order = 800,
            .meaning =
                "a Transformer-XL: a decoder alone that reads in segments, and remembers the one before",
            .apply = Apply<TransformerConfiguration>([](TransformerConfiguration& c) {
                c.kind = TransformerKind::decoder;
                c.places = PositionEncoding::distances;
            }),
            .segment = 16};
}

}  // namespace headlight
