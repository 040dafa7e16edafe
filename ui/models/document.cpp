#include "ui/models/document.h"

#include "core/figure/query_key_factors.h"
#include "core/figure/stage_chain.h"
#include "core/figure/unanswered_figure.h"
#include "core/figure/view.h"
#include "core/io/view_subject.h"
#include "core/workbench/edit_step.h"
#include "core/workbench/settled_view.h"
#include "ui/jobs/latest_job.h"
#include "ui/models/menu_text.h"
#include "ui/models/run_figure.h"

#include <QUndoCommand>

#include <algorithm>
#include <atomic>
#include <chrono>

namespace headlight {
namespace {

/// A shorter run says more of what is done once than of its pairs.
constexpr std::chrono::milliseconds long_enough_to_tell{100};

}  // namespace

/// A step of the workbench on the stack of Qt.
class Document::Step : public QUndoCommand {
public:
    Step(Document& document, Edit edit)
        : QUndoCommand(menu_text(QString::fromStdString(edit.name))), document_(document),
          step_(document.session(), std::move(edit)) {}

    void undo() override { document_.go_to(step_.undone(document_.session()), ViewHistory::Move::jump); }
    void redo() override { document_.go_to(step_.done(document_.session()), ViewHistory::Move::jump); }
    int id() const override { return step_.may_merge() ? 1 : -1; }
    bool mergeWith(const QUndoCommand* other) override {
        // By now the document is at the end of the later step.
        const bool are_one = step_.merge(static_cast<const Step*>(other)->step_, document_.session());
        if (are_one)
            setObsolete(step_.changes_nothing());
        return are_one;
    }

private:
    Document& document_;
    EditStep step_;
};

struct Document::Runner {
    /// Only the jobs touch it, which run one after another on one thread; they end before it does.
    std::shared_ptr<OpenModels> models = std::make_shared<OpenModels>();
    /// By what a run took longer than estimated on this machine, by mechanism or model, as its last run had
    /// it that took long enough to tell. Of the jobs, too.
    std::map<std::string, double> delays;
    LatestJob job;
};

/// What a job tells of its run, on the worker: how long it will take, if that is long, and how far it is.
struct Document::Telling {
    using Progress = std::function<void(double share)>;

    Document& document;
    const Cancellation& cancellation;
    std::string of;  ///< a mechanism or a model, by which later runs know how long this one took
    double long_run = 0;

    std::shared_ptr<const Run>
    run(const RunEstimate& estimate,
        const std::function<std::shared_ptr<const Run>(const Progress&)>& work) const {
        LatestJob& job = document.runner_->job;
        std::map<std::string, double>& delays = document.runner_->delays;
        const auto known = delays.find(of);
        const double seconds = estimate.seconds * (known == delays.end() ? 1 : known->second);
        if (seconds >= long_run)
            job.deliver_part(cancellation, [&document = document, seconds, bytes = estimate.bytes] {
                emit document.run_estimated(seconds, bytes);
            });
        // Told once for each percent, by whichever thread gets there.
        std::atomic<int> told = 0;
        const auto progress = [&](double share) {
            const int percent = static_cast<int>(share * 100);
            int before = told.load(std::memory_order_relaxed);
            if (percent > before && told.compare_exchange_strong(before, percent))
                job.deliver_part(cancellation,
                                 [&document = document, share] { emit document.run_progressed(share); });
        };
        const auto start = std::chrono::steady_clock::now();
        auto made = work(progress);
        const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
        if (made && taken > long_enough_to_tell && estimate.seconds > 0)
            delays[of] = taken.count() / estimate.seconds;
        return made;
    }
};

Document::Document(QObject* parent) : Document(example_session(), parent) {}

Document::Document(Session session, QObject* parent)
    : QObject(parent), session_(std::make_shared<const Session>(std::move(session))),
      runner_(std::make_unique<Runner>()) {
    for (QUndoStack* history : {&history_, &lesson_history_}) {
        history->setUndoLimit(2000);
        histories_.addStack(history);
    }
    histories_.setActiveStack(&history_);
    connect(&runner_->job, &LatestJob::busy_changed, this, &Document::busy_changed);
    connect(&sites_, &SiteRuns::changed, this, &Document::site_run_changed);
    start_run();
}

Document::~Document() {
    histories_.disconnect();
    for (QUndoStack* history : {&history_, &lesson_history_}) {
        // Its commands refer to this document.
        history->disconnect();
        history->clear();
    }
}

std::string Document::lacks(ViewKind view) const {
    ViewSubject subject = view_subject(*session_);
    if (run_ && !is_run_of_another())
        subject.has_queries_and_keys = run_has_factors_;
    return missing_for(view, subject);
}

bool Document::is_running() const { return runner_->job.is_running(); }

void Document::edit(Edit edit) {
    if (same_edits(edit.after, *session_))
        look(edit.after.view);
    else
        history()->push(new Step(*this, std::move(edit)));
}

void Document::look(const ViewState& view, ViewHistory::Move move) {
    Session next = *session_;
    next.view = view;
    go_to(std::move(next), move);
}

void Document::select(const Selection& selection, ViewHistory::Move move) {
    ViewState next = view();
    next.selection = selection;
    look(next, move);
}

void Document::zoom_to(const std::optional<ZoomedPart>& part) {
    if (part == view().zoom)
        return;
    Session next = *session_;
    next.view.zoom = part;
    session_ = std::make_shared<const Session>(std::move(next));
    emit zoom_changed();
}

void Document::select_block(const std::optional<CellBlock>& block) {
    if (block == view().block)
        return;
    Session next = *session_;
    next.view.block = block;
    session_ = std::make_shared<const Session>(std::move(next));
    emit block_changed();
}

void Document::go_back() { revisit(places_.back(view(), std::chrono::steady_clock::now())); }

void Document::go_forward() { revisit(places_.forward(view(), std::chrono::steady_clock::now())); }

void Document::revisit(const ViewState& place) {
    Session next = *session_;
    next.view = place;
    apply(settled(std::move(next)));  // what was edited meanwhile may have taken the place away
}

void Document::show_lesson(Edit step, const LessonPlace& place) {
    const bool begins = !own_;
    if (begins) {
        own_ = session_;
        histories_.setActiveStack(&lesson_history_);
    }
    lesson_ = place;
    if (begins)
        go_to(std::move(step.after), ViewHistory::Move::jump);  // undo leads nowhere before the lesson
    else
        edit(std::move(step));
    lesson_history_.setClean();
    emit lesson_changed();
}

void Document::leave_lesson() {
    if (!own_)
        return;
    Session own = *own_;
    own.view.theme = view().theme;
    end_lesson();
    go_to(std::move(own), ViewHistory::Move::jump);
    emit lesson_changed();
}

void Document::end_lesson() {
    own_.reset();
    lesson_.reset();
    histories_.setActiveStack(&history_);
    lesson_history_.clear();
    lesson_history_.setClean();
}

void Document::keep_drawing(std::shared_ptr<const MatrixMask> mask) {
    if (!drawing_ && !mask)
        return;
    drawing_ = std::move(mask);
    emit drawing_changed();
}

void Document::reset(Session session) {
    const bool was_in_lesson = lesson_.has_value();
    end_lesson();
    history_.clear();
    history_.setClean();  // which clear() leaves as it is where no edit was made since resetClean()
    places_.clear();
    is_just_opened_ = is_just_opened_ || !same_run(session, *session_);
    apply(settled(std::move(session)));
    if (was_in_lesson)
        emit lesson_changed();
}

void Document::go_to(Session next, ViewHistory::Move move) {
    next = settled(std::move(next));
    places_.leave(view(), next.view, move, std::chrono::steady_clock::now());
    apply(std::move(next));
}

Session Document::settled(Session next) const {
    const bool has_run = run_ && !is_running() && !error_ && same_run(next, *session_);
    next.view = has_run ? settled_view(next, *run_) : settled_view(next);
    return next;
}

void Document::apply(Session next) {
    if (next == *session_)
        return;
    const auto before = std::exchange(session_, std::make_shared<const Session>(std::move(next)));
    const bool runs_again = !same_run(*before, *session_);
    const bool is_edit = !same_edits(*before, *session_), is_look = !(before->view == session_->view);
    if (is_look || !(before->figure == session_->figure))
        figures_.clear();
    if (is_edit)
        emit session_changed(*before);
    if (is_look)
        emit view_changed(before->view);
    if (runs_again)
        start_run();
}

void Document::start_run() {
    if (session_->model)
        start_model();
    else if (session_->capture)
        runner_->job.start(
            "open capture",
            [this, session = session_](const Cancellation&) -> Job::Delivery {
                return [this, run = captured_run(session)] { finish(run, std::nullopt); };
            },
            [this](const Error& error) { finish(nullptr, error); });
    else
        start_mechanism();
}

void Document::start_model() {
    runner_->job.start(
        "run",
        [this, session = session_, models = runner_->models,
         long_run = long_run_](const Cancellation& cancellation) -> Job::Delivery {
            const Telling telling{*this, cancellation, "model " + session->model->name, long_run};
            const auto run =
                telling.run(estimate_of(*session, *models), [&](const Telling::Progress& progress) {
                    return generate_run(
                        session, *models, [&] { return cancellation.requested(); }, progress);
                });
            return [this, run] { finish(run, std::nullopt); };
        },
        [this](const Error& error) { finish(nullptr, error); });
}

void Document::start_mechanism() {
    runner_->job.start_in_step(
        "run",
        [this, session = session_, long_run = long_run_](const Cancellation& cancellation) -> Job::Delivery {
            PreparedRun prepared = prepare_run(*session);
            const Telling telling{*this, cancellation, session->mechanism, long_run};
            const auto run = telling.run(estimate_of(prepared), [&](const Telling::Progress& progress) {
                return finish_run(session, std::move(prepared), progress);
            });
            return [this, run] { finish(run, std::nullopt); };
        },
        [this](const Error& error) { finish(nullptr, error); });
}

bool Document::is_run_of_another() const {
    if (!run_)
        return false;
    return is_just_opened_ || run_->session->attends_elsewhere() != session_->attends_elsewhere();
}

void Document::finish(std::shared_ptr<const Run> run, std::optional<Error> error) {
    const bool had_error = error_.has_value();
    error_ = std::move(error);
    if (!run && is_run_of_another()) {
        // Its pictures, words and numbers would pass for those of this session.
        run_.reset();
        figures_.clear();
        sites_.clear();
        emit run_changed();
    } else if (run) {
        is_just_opened_ = false;
        run_ = std::move(run);
        run_has_factors_ = has_queries_and_keys(*run_->trace);
        figures_.clear();
        sites_.clear();
        // The place settles in silence: nobody went anywhere.
        Session next = *session_;
        next.view = settled_view(next, *run_);
        apply(std::move(next));
        emit run_changed();
    }
    if (had_error || error_)
        emit error_changed();
}

void Document::cancel_run() {
    if (!is_running())
        return;
    runner_->job.cancel();
    finish(nullptr,
           Error({"run", "", "a finished run", "one that you cancelled; change anything to run again"}));
}

SiteRun Document::run_at(const std::string& site) {
    if (!run_ || site.empty() || !run_->plan)
        return run_ ? SiteRun{run_->plan, run_->trace} : SiteRun{};
    if (run_->transcript) {
        if (const SiteRecord* found = run_->transcript->find(site))
            return {found->plan, found->trace};
        return {};
    }
    const auto compared = std::find_if(run_->comparison.begin(), run_->comparison.end(),
                                       [&](const ComparedRun& each) { return each.name == site; });
    if (compared == run_->comparison.end() || !compared->plan)
        return {};
    return sites_.at(site, compared->plan);
}

void Document::withhold_answer(std::optional<ViewKind> asked) {
    if (asked == asked_)
        return;
    asked_ = asked;
    figures_.clear();
    emit withheld_changed();
}

std::shared_ptr<const Figure> Document::figure(std::optional<ViewKind> view) const {
    if (!run_)
        return nullptr;
    ViewSettings settings = view_settings(*session_);
    settings.view = view.value_or(settings.view);
    if (headlight::view(settings.view).reads_every_head)
        return nullptr;
    Pictured& known = figures_[settings.view];
    if (!known.figure && known.problem.isEmpty()) {
        try {
            Figure figure = build_run_figure(*run_, settings);
            if (asked_ && *asked_ != settings.view) {
                const std::string site = find_site(*run_->trace, settings.selection.site);
                figure = unanswered_figure(std::move(figure), run_->trace->tokens_at(site).query,
                                           settings.decoding_step);
            }
            known.figure = std::make_shared<const Figure>(std::move(figure));
        } catch (...) {  // too large for the memory, too: nothing that is thrown ends the program
            known.problem = current_problem("draw " + headlight::view(settings.view).title);
        }
    }
    return known.figure;
}

QString Document::missing_figure(ViewKind view) const {
    const auto known = figures_.find(view);
    return known == figures_.end() ? QString() : known->second.problem;
}

}  // namespace headlight
