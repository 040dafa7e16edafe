#include "core/model/architecture.h"

namespace headlight {

Architecture declare_architecture_lstm() {
    return {.order = 200,
            .meaning = "encoder and decoder of long short-term memories",
            .apply = Apply<RecurrentConfiguration>(
                [](RecurrentConfiguration& c) { c.cell = nn::CellType::lstm; })};
}

}  // namespace headlight
