#include "core/model/architecture.h"

namespace headlight {

Architecture declare_architecture_short_gpt() {
    return {.order = 10'000,
            .meaning = "a decoder of one layer, whose places are told by ALiBi",
            .apply = Apply<TransformerConfiguration>([](TransformerConfiguration& c) {
                c.kind = TransformerKind::decoder;
                c.places = PositionEncoding::alibi;
            }),
            .layers = 1};
}

}  // namespace headlight
