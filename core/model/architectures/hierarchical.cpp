#include "core/catalog/mechanism.h"
#include "core/model/architecture.h"
#include "core/model/sentence_layers.h"
#include "core/model/tasks/task.h"

namespace headlight {

Architecture declare_architecture_hierarchical() {
    return {.order = 1300,
            .meaning =
                "a hierarchical attention network: words look about in their sentence alone, are weighed in "
                "it, and sentences in the text, for one label",
            .apply = Apply<TransformerConfiguration>([](TransformerConfiguration& c) {
                c.kind = TransformerKind::encoder;
                c.pooling_mechanism = build_spec(mechanism("hierarchical_pooling"), {});
            }),
            .layers = 1,
            .need = TaskNeed{[](const Task& task) { return task.sentence > 0 && task.question == 0; },
                             "its source is not made of sentences of one length"},
            .read_task = [](TransformerConfiguration& c, const Task& task) {
                keep_to_sentences(c, task.sentence, task.longest_source);
            }};
}

}  // namespace headlight
