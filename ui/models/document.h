#pragma once

#include "core/attention/plan.h"
#include "core/attention/trace.h"
#include "core/figure/figure.h"
#include "core/io/session.h"
#include "core/tensor/error.h"

#include <QObject>
#include <QString>
#include <QUndoStack>

#include <memory>

namespace headlight {

/// A finished run: immutable, shared by every view.
struct Run {
    std::shared_ptr<const Plan> plan;
    std::shared_ptr<const Trace> trace;
};

/// The session that the window shows, its history, and the newest run of it. Panels and views change it through edit()
/// and repaint on its signals; none of them keeps state of its own that could disagree.
class Document : public QObject {
    Q_OBJECT
public:
    explicit Document(QObject* parent = nullptr);
    ~Document() override;

    const Session& session() const { return *session_; }
    /// Null until the first run has finished.
    std::shared_ptr<const Run> run() const { return run_; }
    /// What the current session cannot do, if so: the window keeps showing the last good run beside it.
    const std::optional<Error>& error() const { return error_; }
    QUndoStack* history() { return &history_; }

    /// One undoable step. Steps with the same non-empty `merge` key that follow one another become one (a slider's
    /// drag, a walk with the arrow keys).
    void edit(const QString& text, Session next, const QString& merge = {});
    /// edit() of the selection alone.
    void select(const Selection& selection);
    void change_view(const QString& text, const ViewSettings& view, const QString& merge = {});

    /// Replaces everything and clears the history: a file was opened.
    void reset(Session session);

    /// The picture of the newest run under the session's view settings, `view` overriding which one; carries the
    /// session. Null without a run.
    std::shared_ptr<const Figure> figure(std::optional<ViewKind> view = {}) const;

signals:
    void session_changed(const headlight::Session& before);
    void run_changed();
    /// error() was set or cleared.
    void error_changed();
    /// A run takes longer than a moment, or has ended.
    void busy_changed(bool busy);

private:
    class Step;
    void apply(std::shared_ptr<const Session> next);
    void start_run();

    std::shared_ptr<const Session> session_;
    std::shared_ptr<const Run> run_;
    std::optional<Error> error_;
    QUndoStack history_;
    struct Runner;
    std::unique_ptr<Runner> runner_;
};

}  // namespace headlight
