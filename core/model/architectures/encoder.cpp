#include "core/model/architecture.h"

namespace headlight {

Architecture declare_architecture_encoder() {
    return {.order = 1000,
            .meaning = "a Transformer encoder that says one label",
            .apply = Apply<TransformerConfiguration>(
                [](TransformerConfiguration& c) { c.kind = TransformerKind::encoder; })};
}

}  // namespace headlight
