#include "core/model/architecture.h"
#include "core/model/tasks/task.h"

namespace headlight {

Architecture declare_architecture_vision() {
    return {.order = 1600,
            .word = "vit",
            .meaning =
                "a Vision Transformer: an encoder of the patches of a picture, each with a learned place; a "
                "class token looks at them for one label",
            .apply = Apply<TransformerConfiguration>([](TransformerConfiguration& c) {
                c.kind = TransformerKind::encoder;
                c.places = PositionEncoding::learned;
                c.pooling = Pooling::attention;
            }),
            .layers = 2,
            .need = TaskNeed{[](const Task& task) { return bool(task.sight); }, "its source is no picture"},
            .read_task = [](TransformerConfiguration& c, const Task& task) {
                c.longest = task.sight.grid.count();
            }};
}

}  // namespace headlight
