#include "core/catalog/mechanism.h"
#include "core/model/architecture.h"
#include "core/model/sentence_layers.h"
#include "core/model/tasks/task.h"

namespace headlight {

Architecture declare_architecture_coattention() {
    return {.order = 1400,
            .meaning =
                "a question and a text, each read for itself, then together by co-attention; a learned query "
                "asks the text for one label",
            .apply = Apply<TransformerConfiguration>([](TransformerConfiguration& c) {
                c.kind = TransformerKind::encoder;
                c.pooling = Pooling::attention;
                c.asked_text = AskedText{1, build_spec(mechanism("co_attention"), {})};
            }),
            .need = TaskNeed{[](const Task& task) { return task.question > 0; },
                             "its source begins with no question"},
            .read_task = [](TransformerConfiguration& c, const Task& task) {
                keep_question_apart(c, task.question, task.sentence, task.longest_source);
            }};
}

}  // namespace headlight
