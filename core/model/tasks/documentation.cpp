#include "core/model/tasks/documentation.h"

#include "core/model/tasks/task.h"

namespace headlight {
namespace {

std::string kind_of(const Task& task) {
    switch (task.kind) {
    case TaskKind::translation:
        return "a sequence from a sequence";
    case TaskKind::language_model:
        return "a text, predicted from its beginning";
    case TaskKind::classification:
        break;
    }
    return "a sequence, put in a class";
}

/// "26 characters, at most 12 of them".
std::string size_of(const Tokens& vocabulary, Writing writing, Index longest) {
    std::string text = std::to_string(vocabulary.size());
    text += writing == Writing::characters ? " characters" : " words";
    text += ", at most ";
    text += std::to_string(longest);
    return text;
}

std::string row(const Task& task, const Example& example) {
    std::string text;
    if (example.source.empty()) {
        const std::span<const std::string> tokens(example.target);
        const auto given = static_cast<std::size_t>(example.given);
        text += text_of(task, tokens.first(given), Side::target);
        text += " | ";
        text += text_of(task, tokens.subspan(given), Side::target);
    } else {
        text += text_of(task, example.source, Side::source);
        text += "  ->  ";
        text += text_of(task, example.target, Side::target);
    }
    return text + '\n';
}

}  // namespace

std::string tasks_markdown() {
    std::string text =
        "# Training tasks\n\n"
        "What the models of this program learn. The data is written by the program itself, under a seed: the "
        "number-th example of a seed is the same on every machine. One source in ten is held out, whatever "
        "the seed, and with them what people are shown first (the first of three rows below): training never "
        "sees them. The metric is exact match: all of the target right, or wrong; of a text, what follows "
        "the bar in the rows below, which the part before it determines.\n\n"
        "This page is written from the declarations in `core/model/tasks/entries` by "
        "`scripts/build_docs.sh`.\n";
    for (const Task& each : tasks()) {
        text += "\n## " + each.name + "\n\n`" + each.id + "`: " + kind_of(each) + ". ";
        if (!each.source_vocabulary.empty()) {
            text += "Source: " + size_of(each.source_vocabulary, each.source_writing, each.longest_source);
            text += ". Target: ";
        }
        text += size_of(each.target_vocabulary, each.target_writing, each.longest_target) + ".";
        if (each.sound.of)
            text += " Each character of the source is heard: a frame of " + std::to_string(each.sound.bands) +
                    " bands, every " + std::to_string(each.sound.milliseconds) + " ms.";
        if (each.sight)
            text += " Each character of the source is seen: a patch of " + std::to_string(Sight::numbers()) +
                    " pixels, of a picture of " + std::to_string(each.sight.grid.rows) + " × " +
                    std::to_string(each.sight.grid.columns) + ".";
        text += "\n\n";
        text +=
            each.meaning + "\n\n**What the attention should look like.** " + each.what_to_see + "\n\n```\n";
        if (each.shown)
            text += row(each, *each.shown);
        for (const Index number : {0, 1})
            text += row(each, example(each, 1, number, Split::held_out));
        text += "```\n";
    }
    return text;
}

}  // namespace headlight
