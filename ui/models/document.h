#pragma once

#include "core/figure/figure.h"
#include "core/io/session.h"
#include "core/tensor/error.h"
#include "ui/models/run_session.h"
#include "ui/models/site_runs.h"
#include "ui/models/view_history.h"

#include <QObject>
#include <QString>
#include <QUndoStack>

#include <map>
#include <memory>
#include <optional>

namespace headlight {

/// The session that the window shows, and the newest run of it. Panels and views change it through edit(),
/// which can be undone, or look(), which Back and Forward lead through, and repaint on its signals; none of
/// them keeps state of its own that could disagree.
class Document : public QObject {
    Q_OBJECT
public:
    /// Shows the worked example.
    explicit Document(QObject* parent = nullptr);
    explicit Document(Session session, QObject* parent = nullptr);
    ~Document() override;

    const Session& session() const { return *session_; }
    /// Where the session is being looked at.
    const ViewState& view() const { return session_->view; }
    /// The session as an immutable snapshot, for jobs on other threads.
    std::shared_ptr<const Session> snapshot() const { return session_; }
    /// Null until the first run has finished, and where an opened session, or another model, cannot run: the
    /// last good run is then none of it.
    std::shared_ptr<const Run> run() const { return run_; }
    /// What the current session cannot do, if so: the window keeps showing the last good run beside it.
    const std::optional<Error>& error() const { return error_; }
    /// What the numbers of a site follow from: the run itself, the site of a model, or the compared mechanism
    /// of that name, run once more with every stage. No trace until that has been computed, which
    /// site_run_changed() tells; nothing when there is no such site, and no plan of what was captured.
    SiteRun run_at(const std::string& site);
    /// Of edits alone. It is clean while there is nothing to save.
    QUndoStack* history() { return &history_; }
    /// Of looking.
    const ViewHistory& places() const { return places_; }
    /// Why a view cannot show what the session runs on, in words; empty if it can.
    std::string lacks(ViewKind view) const;
    /// A run is under way on a worker: run() is still the one before it.
    bool is_running() const;
    /// From how many seconds on run_estimated() tells of a run. For tests: a long run takes long.
    void set_long_run(double seconds) { long_run_ = seconds; }

    /// One undoable step. Steps with the same non-empty `merge` key that follow one another become one (a
    /// slider's drag). Where `next` also looks elsewhere, undo comes back from there.
    void edit(const QString& text, Session next, const QString& merge = {});
    /// edit() of the figure's settings alone.
    void change_figure(const QString& text, const FigureSettings& figure, const QString& merge = {});

    /// Looks elsewhere, or in another light. Never a step of the history.
    void look(const ViewState& view, ViewHistory::Move move = ViewHistory::Move::jump);
    /// look() at another selection in the same view.
    void select(const Selection& selection, ViewHistory::Move move = ViewHistory::Move::jump);

    /// Looks at another part of the matrices, at the same place: told by zoom_changed() alone.
    void zoom_to(const std::optional<ZoomedPart>& part);

    /// Selects a rectangle of cells, or none, at the same place: told by block_changed() alone.
    void select_block(const std::optional<CellBlock>& block);

    /// Replaces everything and clears the history: a file was opened.
    void reset(Session session);

    /// The picture of the newest run under the session's view settings, `view` overriding which one. Null
    /// without a run, and of a view that takes longer than a frame (View::reads_every_head).
    std::shared_ptr<const Figure> figure(std::optional<ViewKind> view = {}) const;
    /// Why that view has no picture of the newest run, as figure() found; empty where it has one.
    QString missing_figure(ViewKind view) const;

public slots:
    /// To the last place where one stayed, and forward again. Edits stay as they are.
    void go_back();
    void go_forward();
    /// Gives up a run that takes long; the window keeps showing the last good one.
    void cancel_run();

signals:
    /// Something was edited, undone, redone or opened.
    void session_changed(const headlight::Session& before);
    /// view() changed. Where an edit led elsewhere, session_changed() comes first, both when all is in place.
    void view_changed(const headlight::ViewState& before);
    /// view().zoom changed and nothing else. Dragging a picture tells it with every move of the pointer.
    void zoom_changed();
    /// view().block changed and nothing else, also with every move of the pointer.
    void block_changed();
    void run_changed();
    /// The numbers of a compared mechanism have come: run_at() has them now.
    void site_run_changed();
    /// error() was set or cleared.
    void error_changed();
    /// A run takes longer than a moment, or has ended.
    void busy_changed(bool busy);
    /// A run of the session's mechanism or model begins, and will take about so long and so much memory.
    void run_estimated(double seconds, double bytes);
    /// Of a run that is under way, the share of its rows, or of the steps of a model, that are done.
    void run_progressed(double share);

private:
    class Step;
    struct Runner;
    struct Telling;
    /// Puts `next` in place and remembers the place that was left.
    void go_to(Session next, ViewHistory::Move move);
    /// To a place of the history.
    void revisit(const ViewState& place);
    /// `next`, looking at a place that it has.
    Session settled(Session next) const;
    /// Puts `next` in place, tells what changed, and runs it if that makes a difference.
    void apply(Session next);
    void start_run();
    void start_model();
    void start_mechanism();
    void finish(std::shared_ptr<const Run> run, std::optional<Error> error);
    /// Whether run_ is of another session than this one has come from, or of another model.
    bool is_run_of_another() const;

    std::shared_ptr<const Session> session_;
    std::shared_ptr<const Run> run_;
    bool run_has_factors_ = false;  ///< has_queries_and_keys() of it, which every menu asks at every look
    double long_run_ = 2;
    bool is_just_opened_ = false;  ///< run_ is of the session before
    std::optional<Error> error_;
    QUndoStack history_;
    ViewHistory places_;
    std::unique_ptr<Runner> runner_;
    /// Pictures already built of run_ under the current view settings.
    struct Pictured {
        std::shared_ptr<const Figure> figure;
        QString problem;  ///< why there is none
    };
    mutable std::map<ViewKind, Pictured> figures_;
    SiteRuns sites_;
};

}  // namespace headlight
