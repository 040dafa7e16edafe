#include "core/model/architecture.h"

namespace headlight {

Architecture declare_architecture_transformer() {
    return {.order = 600,
            .meaning = "a Transformer encoder and decoder",
            .apply = Apply<TransformerConfiguration>(
                [](TransformerConfiguration& c) { c.kind = TransformerKind::encoder_decoder; })};
}

}  // namespace headlight
