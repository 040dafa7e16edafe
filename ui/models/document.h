#pragma once

#include "core/figure/figure.h"
#include "core/io/session.h"
#include "core/tensor/error.h"
#include "ui/models/run_session.h"

#include <QObject>
#include <QString>
#include <QUndoStack>

#include <map>
#include <memory>
#include <optional>

namespace headlight {

/// A plan and its trace with every stage.
struct SiteRun {
    std::shared_ptr<const Plan> plan;
    std::shared_ptr<const Trace> trace;
};

/// The session that the window shows, its history, and the newest run of it. Panels and views change it
/// through edit() and repaint on its signals; none of them keeps state of its own that could disagree.
class Document : public QObject {
    Q_OBJECT
public:
    /// Shows the worked example.
    explicit Document(QObject* parent = nullptr);
    explicit Document(Session session, QObject* parent = nullptr);
    ~Document() override;

    const Session& session() const { return *session_; }
    /// The session as an immutable snapshot, for jobs on other threads.
    std::shared_ptr<const Session> snapshot() const { return session_; }
    /// Null until the first run has finished, and where an opened session, or another model, cannot run: the
    /// last good run is then none of it.
    std::shared_ptr<const Run> run() const { return run_; }
    /// What the current session cannot do, if so: the window keeps showing the last good run beside it.
    const std::optional<Error>& error() const { return error_; }
    /// What the numbers of a site follow from: the run itself, the site of a model, or the compared mechanism
    /// of that name, run once more with every stage. No trace when that would take long; nothing when there
    /// is no such site.
    SiteRun run_at(const std::string& site) const;
    QUndoStack* history() { return &history_; }
    /// A run is under way on a worker: run() is still the one before it.
    bool is_running() const;

    /// One undoable step. Steps with the same non-empty `merge` key that follow one another become one (a
    /// slider's drag, a walk with the arrow keys).
    void edit(const QString& text, Session next, const QString& merge = {});
    /// edit() of the selection alone. Selections that follow one another are one step.
    void select(const Selection& selection);
    void change_view(const QString& text, const ViewSettings& view, const QString& merge = {});

    /// Replaces everything and clears the history: a file was opened.
    void reset(Session session);

    /// The picture of the newest run under the session's view settings, `view` overriding which one. Null
    /// without a run.
    std::shared_ptr<const Figure> figure(std::optional<ViewKind> view = {}) const;
    /// The same picture as it leaves the window: in `theme`, and carrying the session with the size that it
    /// is exported in. Null without a run; throws Error when the run has no such picture.
    std::shared_ptr<const Figure> figure_to_export(ViewKind view, FigureTheme theme,
                                                   const std::optional<ExportOptions>& size = {}) const;

public slots:
    /// Gives up a run that takes long; the window keeps showing the last good one.
    void cancel_run();

signals:
    void session_changed(const headlight::Session& before);
    void run_changed();
    /// error() was set or cleared.
    void error_changed();
    /// A run takes longer than a moment, or has ended.
    void busy_changed(bool busy);

private:
    class Step;
    struct Runner;
    void apply(std::shared_ptr<const Session> next);
    void start_run();
    void start_generating();
    /// The session as it is once its model has spoken: the view at a place that there is. No step of its own;
    /// whoever undoes to before it is settled again.
    std::shared_ptr<const Session> settled() const;
    Figure built(const ViewSettings& settings) const;
    void finish(std::shared_ptr<const Run> run, std::optional<Error> error);
    /// Whether run_ is of another session than this one has come from, or of another model.
    bool is_run_of_another() const;

    std::shared_ptr<const Session> session_;
    std::shared_ptr<const Run> run_;
    bool is_just_opened_ = false;  ///< run_ is of the session before
    std::optional<Error> error_;
    QUndoStack history_;
    std::unique_ptr<Runner> runner_;
    /// Pictures already built of run_ under the current view settings.
    mutable std::map<ViewKind, std::shared_ptr<const Figure>> figures_;
    mutable std::string explained_site_;
    mutable SiteRun explained_;  ///< the compared mechanism that run_at() was last asked for
};

}  // namespace headlight
