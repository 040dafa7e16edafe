#include "core/model/architecture.h"
#include "core/model/tasks/task.h"

namespace headlight {

Architecture declare_architecture_pointer() {
    return {.order = 500,
            .meaning = "a pointer network: its weights are its answer, which is made of words of its source",
            .apply = Apply<RecurrentConfiguration>([](RecurrentConfiguration& c) {
                c.cell = nn::CellType::lstm;
                c.style = DecoderStyle::luong;
                c.input_feeding = false;
                c.points = true;
            }),
            .need = TaskNeed{[](const Task& task) { return task.quotes_source; },
                             "its answers are not made of words of the source"}};
}

}  // namespace headlight
