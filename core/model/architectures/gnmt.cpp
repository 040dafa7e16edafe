#include "core/model/architecture.h"

namespace headlight {

Architecture declare_architecture_gnmt() {
    return {.order = 400,
            .meaning =
                "long short-term memories in layers: the decoder’s first one asks, all are given the answer",
            .apply = Apply<RecurrentConfiguration>([](RecurrentConfiguration& c) {
                c.cell = nn::CellType::lstm;
                c.style = DecoderStyle::bahdanau;
            }),
            .layers = 3};
}

}  // namespace headlight
