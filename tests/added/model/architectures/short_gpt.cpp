#include "core/model/architecture.h"

namespace headlight {

Architecture declare_architecture_short_gpt() {
    return {.meaning = "a decoder of one layer, whose places are told by ALiBi",
            .apply = Apply<TransformerConfiguration>([](TransformerConfiguration& c) {
                c.kind = TransformerKind::decoder;
                c.places = PositionEncoding::alibi;
            }),
            .layers = 1};
}

}  // namespace headlight
