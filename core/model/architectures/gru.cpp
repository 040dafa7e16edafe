#include "core/model/architecture.h"

namespace headlight {

Architecture declare_architecture_gru() {
    return {.order = 100,
            .meaning = "encoder and decoder of gated recurrent units",
            .apply =
                Apply<RecurrentConfiguration>([](RecurrentConfiguration& c) { c.cell = nn::CellType::gru; })};
}

}  // namespace headlight
