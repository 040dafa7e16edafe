#include "core/model/architecture.h"
#include "core/model/task_needs.h"

namespace headlight {

Architecture declare_architecture_set() {
    return {.order = 1100,
            .meaning =
                "a Set Transformer: an encoder without places, of which a learned query asks one label",
            .apply = Apply<TransformerConfiguration>([](TransformerConfiguration& c) {
                c.kind = TransformerKind::encoder;
                c.places = PositionEncoding::none;
                c.norm = NormPlacement::after;
                c.pooling = Pooling::attention;
            }),
            .need = no_order};
}

}  // namespace headlight
