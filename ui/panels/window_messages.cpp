#include "ui/panels/window_messages.h"

#include "core/workbench/mending_edits.h"
#include "core/workbench/model_edits.h"
#include "ui/models/document.h"
#include "ui/panels/banner.h"
#include "ui/panels/font_hint.h"
#include "ui/panels/scale_hint.h"

#include <QEvent>

namespace headlight {

WindowMessages::WindowMessages(Document& document, const MessageRoom& room)
    : MessageArea(room), document_(document), problem_(new Banner(QStringLiteral("file_message"))),
      scales_(new ScaleHint(document)), run_problem_(new Banner(QStringLiteral("run_message"))) {
    add(problem_);
    add(run_problem_);
    auto* fonts = new FontHint(document);
    add_hint(fonts, [fonts] { fonts->hide(); });
    add_hint(scales_, [this] { scales_->dismiss(); });
    connect(run_problem_, &Banner::step_asked, this, [this] {
        if (const auto& error = document_.error())
            if (auto mending = mending_edit(document_.session(), *error))
                document_.edit(*std::move(mending));
    });
    connect(&document_, &Document::error_changed, this, &WindowMessages::show_run_problem);
    connect(&document_, &Document::session_changed, this, &WindowMessages::follow_session);
    connect(&document_, &Document::lesson_changed, this, [this] {
        if (document_.lesson())
            hide_what_was_before();
    });
    show_run_problem();
}

void WindowMessages::leave_to(QWidget& said) {
    elsewhere_ = &said;
    is_said_elsewhere_ = said.isVisible();
    said.installEventFilter(this);
    show_run_problem();
}

/// Panels that are folded away, or lie behind others, say nothing.
bool WindowMessages::eventFilter(QObject* watched, QEvent* event) {
    if (watched != elsewhere_)
        return MessageArea::eventFilter(watched, event);
    if (event->type() == QEvent::Show || event->type() == QEvent::Hide) {
        is_said_elsewhere_ = event->type() == QEvent::Show;
        show_run_problem();
    }
    return false;
}

void WindowMessages::follow_session(const Session& before) {
    const Session& now = document_.session();
    if (is_past_problem_ && !same_run(before, now))
        problem_->hide();
    if (has_lost_interventions(before, now))
        say(tr("What you changed inside the model was of other words: it is gone. Undo brings both back."));
}

void WindowMessages::show_run_problem() {
    const std::optional<Error>& error = document_.error();
    // What is wrong with a text that a model reads is said under it: on the way from word to word it is never
    // right.
    const bool is_said_below =
        error && document_.session().model && error->detail().where.find(" text") != std::string::npos;
    if (!error || is_said_below || is_said_elsewhere_)
        run_problem_->hide();
    else if (error->detail().got == "empty text")  // on the way to another one, and no mistake
        run_problem_->show_notice(tr("Type a %1: the picture shows the last one.")
                                      .arg(QString::fromStdString(error->detail().where)));
    else
        show_run_error(*error);
}

void WindowMessages::show_run_error(const Error& error) {
    run_problem_->show_error(error);
    if (const auto mending = mending_edit(document_.session(), error))
        run_problem_->offer_step(QString::fromStdString(mending->name));
}

void WindowMessages::show_past_problem(const Error& error) {
    is_past_problem_ = true;
    problem_->show_error(error);
}

void WindowMessages::show_lasting_problem(const Error& error) {
    is_past_problem_ = false;
    problem_->show_error(error);
}

void WindowMessages::show_lasting_notice(const QString& text) {
    is_past_problem_ = false;
    problem_->show_notice(text);
}

void WindowMessages::add_lasting_notice(const QString& text) {
    show_lasting_notice((problem_->text() + QChar(' ') + text).trimmed());
}

void WindowMessages::set_lesson_ended(bool ended) { scales_->set_lesson_ended(ended); }

void WindowMessages::hide_problem() { problem_->hide(); }

void WindowMessages::hide_what_was_before() {
    hide_passing();
    if (is_past_problem_ || problem_->kind() == Banner::Kind::notice)
        problem_->hide();
}

}  // namespace headlight
