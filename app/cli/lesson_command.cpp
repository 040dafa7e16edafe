#include "app/cli/lesson_command.h"

#include "app/cli/arguments.h"
#include "app/cli/drawing.h"
#include "app/cli/offered_words.h"
#include "app/cli/output.h"
#include "app/cli/unknown_names.h"
#include "core/io/files.h"
#include "core/lesson/shipped_lessons.h"
#include "ui/publish/lesson_page.h"

namespace headlight {
namespace {

constexpr Flag lesson_options[] = {
    {"--output", "FILE",
     "where it goes: a name that ends in .html (a page with its pictures) or .pdf (a handout with blanks, "
     "answers on its back); printed as text unless given",
     "-o"},
    {"--pictures", "FORMAT",
     "every picture of the lesson, a file each in the folder that -o names: the ending of a format of "
     "render, such as pdf, svg or png"},
    memory_option,
    {"--help", "", "this text", "-h"},
};
constexpr Command lesson_usage{
    "lesson",
    "LESSON [-o FILE.html | -o FILE.pdf | --pictures FORMAT -o DIR]",
    "A lesson, by its name in headlight list or by its folder, with the numbers that the "
    "program computes for it.",
    lesson_options,
    1,
    lesson_ids,
    true};

void append_question(std::string& text, const Question& question, const std::string& answer,
                     const std::string& because) {
    text.append("\n? ").append(question.ask).append("\n");
    for (const std::string& option : question.options)
        text.append("  - ").append(option).append("\n");
    text.append("\n  ").append(answer).append(". ").append(because).append("\n");
}

std::string printed_lesson(LessonRuns& runs) {
    const Lesson& lesson = runs.lesson();
    std::string text;
    text.append("# ").append(lesson.title).append("\n\n").append(lesson.summary).append("\n");
    for (std::size_t step = 0; step < lesson.steps.size(); ++step) {
        const LessonStep& shown = lesson.steps[step];
        text.append("\n## ").append(shown.title).append("\n");
        for (std::size_t state = 0; state < shown.states.size(); ++state) {
            if (const std::string part = runs.text(step, state); !part.empty())
                text.append("\n").append(part).append("\n");
            if (state == 0 && shown.question)
                append_question(text, *shown.question, runs.answer(step).told(), runs.because(step));
        }
    }
    for (const Question& question : lesson.quiz)
        append_question(text, question, question.options.at(question.answer), question.because);
    return text;
}

/// By its ending, with or without the dot.
ExportFormat asked_format(const Arguments& arguments, const std::string& typed) {
    std::vector<std::string> endings;
    for (const Exporter& each : exporters()) {
        if (each.format.extension() == typed || '.' + std::string(each.format.extension()) == typed)
            return each.format;
        endings.emplace_back(each.format.extension());
    }
    arguments.refuse("--pictures", list_of(endings), quoted_with_hint(typed, endings));
}

int tell_lesson(const Arguments& arguments) {
    if (arguments.operands().empty())
        arguments.refuse("", "a lesson of headlight list, or a folder", "none");
    refuse_unknown_lesson(arguments.operands().front());
    const auto output = arguments.value("--output");
    if (const auto format = arguments.value("--pictures")) {
        if (!output)
            arguments.refuse("-o", "a folder for the pictures", "none");
        const ExportFormat known = asked_format(arguments, *format);
        const Drawing drawing;
        write_lesson_pictures(open_lesson(arguments.operands().front()), known, *output);
        return 0;
    }
    const std::string extension = output ? extension_of(*output) : "";
    if (output && extension != ".html" && extension != ".pdf")
        arguments.refuse("-o", "a name that ends in .html or .pdf", '"' + excerpt(*output) + '"');
    LessonRuns runs(open_lesson(arguments.operands().front()));
    if (!output) {
        print(printed_lesson(runs));
        return 0;
    }
    const Drawing drawing;
    const QByteArray bytes = extension == ".html" ? lesson_page(runs) : lesson_handout(runs);
    write_file_atomically(*output,
                          std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
    return 0;
}

}  // namespace

int lesson_command(const CommandUse& use) { return use(lesson_usage, tell_lesson); }

}  // namespace headlight
