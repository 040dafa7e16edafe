#pragma once

#include "ui/panels/message_area.h"

#include "core/tensor/error.h"

namespace headlight {

class Document;
class ScaleHint;
struct Session;

/// What the main window has to say, in the player's line or above it: about files and the program, about what
/// the session cannot do, about colours that show too little, and in passing.
class WindowMessages : public MessageArea {
    Q_OBJECT
public:
    WindowMessages(Document& document, const MessageRoom& room);

    /// What the session cannot do is not said here as well while `said`, which says it, is in sight.
    void leave_to(QWidget& said);

public slots:
    /// Something was refused and left no trace: it goes with the next work that is done.
    void show_past_problem(const headlight::Error& error);
    /// Stays until it is dismissed, or another file is opened.
    void show_lasting_problem(const headlight::Error& error);
    void show_lasting_notice(const QString& text);
    /// The same, after what the notice says already.
    void add_lasting_notice(const QString& text);
    void hide_problem();
    /// A lesson begins, goes on or ends: what was said before goes, but for problems that last.
    void hide_what_was_before();
    /// Hints about the picture wait while the end of a lesson is shown.
    void set_lesson_ended(bool ended);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void follow_session(const Session& before);
    void show_run_problem();
    /// With the step that mends it, where there is one.
    void show_run_error(const Error& error);

    Document& document_;
    Banner* problem_;
    bool is_past_problem_ = false;
    ScaleHint* scales_;
    Banner* run_problem_;  ///< goes when the session can run again
    const QWidget* elsewhere_ = nullptr;
    bool is_said_elsewhere_ = false;
};

}  // namespace headlight
