#include "ui/publish/lesson_page.h"

#include "core/io/session_run.h"
#include "ui/render/export.h"
#include "ui/render/html_figure.h"
#include "ui/render/subscripts.h"

#include <QString>

#include <cstddef>

#include <md4c-html.h>

extern "C" const std::byte headlight_lesson_style[], headlight_lesson_style_end[];

namespace headlight {
namespace {

constexpr int picture_width = 720;  // pixels of CSS, as wide as the page's text

QByteArray escaped(const std::string& text) { return QString::fromStdString(text).toHtmlEscaped().toUtf8(); }

QByteArray html_of(const std::string& text) {
    return html_with_subscripts(QString::fromStdString(text)).toUtf8();
}

/// What a state shows, as wide as the page.
QByteArray picture_of(const Session& session) {
    static const Exporter fragment = [] {
        Exporter exporter = headlight::exporter(ExportFormat::html);
        exporter.write = html_figure;
        return exporter;
    }();
    Session shown = session;
    shown.view.theme = FigureTheme::paper;
    const Figure figure = session_figure(shown);
    ExportOptions options;
    options.width_px = picture_width;
    return export_figure(figure, fragment, options);
}

QByteArray options_of(const Question& question) {
    QByteArray html;
    for (const std::string& option : question.options)
        html += "<label><input type=\"radio\" name=\"" + escaped(question.ask) + "\"/> " + html_of(option) +
                "</label>\n";
    return html;
}

QByteArray asked(const Question& question) {
    return "<div class=\"question\">\n<p><strong>" + html_of(question.ask) + "</strong></p>\n" +
           options_of(question) + "</div>\n";
}

/// The states of a step; those that are revealed open one after another.
QByteArray step_html(LessonRuns& runs, std::size_t step) {
    const LessonStep& shown = runs.lesson().steps[step];
    QByteArray html = "<section>\n<h2>" + html_of(shown.title) + "</h2>\n" +
                      html_of_markdown(runs.text(step, 0)) + picture_of(shown.states.front());
    if (shown.question)
        html += asked(*shown.question);
    const bool opens = shown.question || shown.states.size() > 1;
    if (opens)
        html += "<details>\n<summary>" + QByteArray(shown.question ? "Show the answer" : "Go on") +
                "</summary>\n";
    if (shown.question)
        html += "<p><strong>" + html_of(runs.answer(step).told()) + "</strong>. " +
                html_of(runs.because(step)) + "</p>\n";
    for (std::size_t state = 1; state < shown.states.size(); ++state)
        html += html_of_markdown(runs.text(step, state)) + picture_of(shown.states[state]);
    return html + (opens ? "</details>\n" : "") + "</section>\n";
}

QByteArray quiz_html(const Lesson& lesson) {
    if (lesson.quiz.empty())
        return {};
    QByteArray html = "<section>\n<h2>What you know now</h2>\n";
    for (const Question& question : lesson.quiz)
        html += asked(question) + "<details>\n<summary>Show the answer</summary>\n<p><strong>" +
                html_of(question.options.at(question.answer)) + "</strong>. " + html_of(question.because) +
                "</p>\n</details>\n";
    return html + "</section>\n";
}

}  // namespace

QByteArray html_of_markdown(const std::string& markdown) {
    QByteArray html;
    const auto append = [](const MD_CHAR* text, MD_SIZE size, void* to) {
        static_cast<QByteArray*>(to)->append(text, static_cast<qsizetype>(size));
    };
    md_html(markdown.data(), static_cast<MD_SIZE>(markdown.size()), append, &html,
            MD_FLAG_TABLES | MD_FLAG_NOHTML, 0);
    return lowered_in_html(QString::fromUtf8(html)).toUtf8();
}

QByteArray lesson_page(LessonRuns& runs) {
    const Lesson& lesson = runs.lesson();
    const QByteArray style(reinterpret_cast<const char*>(headlight_lesson_style),
                           static_cast<qsizetype>(headlight_lesson_style_end - headlight_lesson_style));
    QByteArray html = "<h1>" + html_of(lesson.title) + "</h1>\n<p class=\"about\">" +
                      QByteArray::number(lesson.minutes) + " minutes</p>\n" +
                      html_of_markdown(lesson.summary);
    for (std::size_t step = 0; step < lesson.steps.size(); ++step)
        html += step_html(runs, step);
    return html_page(lesson.title, style, html + quiz_html(lesson));
}

}  // namespace headlight
