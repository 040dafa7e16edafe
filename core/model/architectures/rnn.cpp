#include "core/model/architecture.h"

namespace headlight {

Architecture declare_architecture_rnn() {
    return {.order = 300,
            .meaning = "encoder and decoder of plain recurrent cells",
            .apply =
                Apply<RecurrentConfiguration>([](RecurrentConfiguration& c) { c.cell = nn::CellType::rnn; })};
}

}  // namespace headlight
