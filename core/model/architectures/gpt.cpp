#include "core/model/architecture.h"

namespace headlight {

Architecture declare_architecture_gpt() {
    return {.order = 700,
            .meaning = "a Transformer decoder alone, which reads source and target as one text",
            .apply = Apply<TransformerConfiguration>(
                [](TransformerConfiguration& c) { c.kind = TransformerKind::decoder; })};
}

}  // namespace headlight
