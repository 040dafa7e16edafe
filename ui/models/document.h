#pragma once

#include "core/io/lesson_place.h"
#include "core/io/session.h"
#include "core/tensor/error.h"
#include "core/workbench/run_session.h"
#include "ui/models/companions.h"
#include "ui/models/edit_history.h"
#include "ui/models/figures.h"
#include "ui/models/looking.h"
#include "ui/models/runs.h"
#include "ui/models/site_runs.h"

#include <QObject>
#include <QString>

#include <memory>
#include <optional>

namespace headlight {

/// The session that the window shows, and the newest run of it. Panels and views change it through edit(),
/// which can be undone, or looking(), which Back and Forward lead through, and repaint on its signals; none
/// of them keeps state of its own that could disagree.
///
/// A lesson is shown in place of what a person has open, which is set aside with its history until the lesson
/// is left. What is edited inside the lesson has a history of its own, so that no step of a lesson is ever
/// taken for the person's work.
class Document : public QObject {
    Q_OBJECT
public:
    /// Shows the worked example.
    explicit Document(QObject* parent = nullptr);
    explicit Document(Session session, QObject* parent = nullptr);

    const Session& session() const { return *session_; }
    /// Where the session is being looked at; looking() goes elsewhere, and tells.
    const ViewState& view() const { return session_->view; }
    Looking& looking() { return looking_; }
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
    /// Returns the history of edits alone. It is clean while there is nothing to save. Inside a lesson it is
    /// that of the lesson.
    QUndoStack* history() { return history_.shown(); }
    /// For actions and signals that follow history() into a lesson and back.
    QUndoGroup* histories() { return history_.both(); }
    /// The place in the lesson that is shown; nothing outside of lessons.
    const std::optional<LessonPlace>& lesson() const { return lesson_; }
    /// What the person has open: inside a lesson what was set aside for it, else snapshot().
    std::shared_ptr<const Session> own_snapshot() const { return own_ ? own_ : session_; }
    /// Returns the history of own_snapshot().
    QUndoStack* own_history() { return history_.own(); }
    /// Whether what the person has open, or what they changed in the lesson, is in no file of theirs.
    bool has_unsaved_work() const {
        return !history_.own().isClean() || (lesson_ && !history_.lesson().isClean());
    }
    /// Why a view cannot show what the session runs on, in words; empty if it can.
    std::string lacks(ViewKind view) const;
    /// A run is under way on a worker: run() is still the one before it.
    bool is_running() const { return runs_.is_running(); }
    /// From how many seconds on run_estimated() tells of a run. For tests: a long run takes long.
    void set_long_run(double seconds) { runs_.set_long_run(seconds); }

    /// One undoable step. Edits with the same non-empty merge key that follow one another in one go
    /// (MergeKeys) become one. Where the session after it also looks elsewhere, undo comes back from there.
    void edit(Edit edit);

    /// The same for what a person opened into the session: a file, a picture. Inside a lesson it stays
    /// theirs, see leave_lesson().
    void open_into(Edit edit);
    /// Whether leave_lesson() keeps something that was opened in the lesson and not taken back, and whether
    /// that is what is shown.
    bool keeps_opened() const;
    bool shows_opened() const { return keeps_opened() && opened_->is_shown; }

    /// A mask that is being drawn and is not the session's yet, to be kept with the work; null once it is
    /// used or dropped.
    void keep_drawing(std::shared_ptr<const MatrixMask> mask);
    const std::shared_ptr<const MatrixMask>& drawing() const { return drawing_; }

    /// Replaces everything and clears the history: a file was opened. A lesson is over by that.
    void reset(Session session);

    /// Shows that place of a lesson, as a step of the lesson's history with nothing to save. The first one
    /// sets aside what was open; leave_lesson() opens it again as it was, and forgets the lesson's history.
    /// What a person opened in the lesson is opened in its place then, as they last saw it, and undo leads
    /// from there to what was open before.
    void show_lesson(Edit step, const LessonPlace& place);
    void leave_lesson();
    /// A question of the lesson is open that the picture of view `asked` is about: figure() of any other
    /// view, and of a map in any case, is an unanswered_figure(). Nothing: no question is open.
    void withhold_answer(std::optional<ViewKind> asked);
    std::optional<ViewKind> asked() const { return asked_; }

    /// The picture of the newest run under the session's view settings, `view` overriding which one. Null
    /// without a run, and of a view that takes longer than a frame (View::reads_every_head).
    std::shared_ptr<const Figure> figure(std::optional<ViewKind> view = {}) const;
    /// Why that view has no picture of the newest run, as figure() found; empty where it has one.
    QString missing_figure(ViewKind view) const { return figures_.problem(view); }

    /// What the views of this document share.
    Companions& companions() { return companions_; }

public slots:
    /// Gives up a run that takes long; the window keeps showing the last good one.
    void cancel_run();

signals:
    /// lesson() changed: a lesson began, went elsewhere or was left. What is shown is in place by then.
    void lesson_changed();
    void drawing_changed();
    /// Something was edited, undone, redone or opened. Where one looks elsewhere by it,
    /// Looking::view_changed() comes after it, both when all is in place.
    void session_changed(const headlight::Session& before);
    /// Another picture is withheld, or none any more.
    void withheld_changed();
    void run_changed();
    /// The numbers of a compared mechanism have come: run_at() has them now.
    void site_run_changed();
    /// error() was set or cleared.
    void error_changed();
    /// A run takes longer than a moment, or has ended.
    void busy_changed(bool busy);
    /// A run of the session's mechanism or model begins, and will take about so long and so much memory.
    void run_estimated(double seconds, double bytes);
    /// Tells the share of a run's rows, or of a model's steps, that are done while it is under way.
    void run_progressed(double share);

private:
    /// What a person opened inside the lesson.
    struct Opened {
        std::string name;                        ///< of the edit that did it
        int steps;                               ///< of the lesson's history, with that edit
        std::shared_ptr<const Session> session;  ///< what became of it
        bool is_shown;                           ///< no other place of the lesson was shown since
    };

    /// Takes what is shown for what became of what was opened, where it still is.
    void keep_opened();
    /// Forgets the lesson; what is shown stays.
    void end_lesson();
    /// Puts `next` in place, looked at where it can be. With a move, the place that was left is remembered.
    void go_to(Session next, std::optional<Looking::Move> move);
    /// Puts `next` in place and tells nobody.
    void replace(Session next) { session_ = std::make_shared<const Session>(std::move(next)); }
    /// `next`, looking at a place that it has.
    Session settled(Session next) const;
    /// Puts `next` in place, tells what changed, and runs it if that makes a difference.
    void apply(Session next);
    void finish(std::shared_ptr<const Run> run, std::optional<Error> error);
    /// Whether run_ is of another session than this one has come from, or of another model.
    bool is_run_of_another() const;

    std::shared_ptr<const Session> session_;
    std::shared_ptr<const Run> run_;
    bool run_has_factors_ = false;  ///< has_queries_and_keys() of it, which every menu asks at every look
    bool is_just_opened_ = false;   ///< run_ is of the session before
    std::optional<Error> error_;
    std::shared_ptr<const Session> own_;  ///< what is set aside for a lesson; else null
    std::optional<LessonPlace> lesson_;
    std::optional<Opened> opened_;
    std::optional<ViewKind> asked_;  ///< the view that an open question is about
    std::shared_ptr<const MatrixMask> drawing_;
    EditHistory history_;
    Looking looking_;
    Runs runs_;
    mutable Figures figures_;  ///< of run_ under the current view settings
    SiteRuns sites_;
    Companions companions_;
};

}  // namespace headlight
