#include "core/model/architecture.h"

namespace headlight {

Architecture declare_architecture_universal() {
    return {
        .order = 1700,
        .meaning =
            "a Universal Transformer: one layer of an encoder and of a decoder, gone through several times",
        .apply = Apply<TransformerConfiguration>(
            [](TransformerConfiguration& c) { c.kind = TransformerKind::encoder_decoder; }),
        .layers = 1,
        .turns = 4};
}

}  // namespace headlight
