#pragma once

#include "core/lesson/lesson_runs.h"

#include "ui/render/exporter.h"

#include <QByteArray>

#include <filesystem>

namespace headlight {

/// A lesson as a page that needs no other file and no network: its texts with their numbers, a picture for
/// each state, drawn by the program, whose cells say their number, and its questions, whose answers open.
/// Throws Error where a state cannot be run.
QByteArray lesson_page(LessonRuns& runs);

/// The questions of a lesson on one sheet of A4, with blanks to fill in, and the answers on its back: PDF.
QByteArray lesson_handout(LessonRuns& runs);

/// What every state of the lesson shows, each with its session, in files such as "softmax-2-1.pdf": the
/// lesson, the step, the state of it. Throws Error where a state cannot be run or the folder cannot be made.
void write_lesson_pictures(const Lesson& lesson, ExportFormat format, const std::filesystem::path& folder);

/// Markdown as HTML; without what it says in HTML itself, which is shown as text.
QByteArray html_of_markdown(const std::string& markdown);

}  // namespace headlight
