#include "ui/models/document.h"

#include "core/figure/query_key_factors.h"
#include "core/figure/view.h"
#include "core/io/view_subject.h"
#include "core/workbench/settled_view.h"

#include <algorithm>
#include <chrono>

namespace headlight {

Document::Document(QObject* parent) : Document(example_session(), parent) {}

Document::Document(Session session, QObject* parent)
    : QObject(parent), session_(std::make_shared<const Session>(std::move(session))),
      history_([this]() -> const Session& { return *session_; },
               [this](Session next) { go_to(std::move(next), ViewHistory::Move::jump); }),
      runs_([this](std::shared_ptr<const Run> run, std::optional<Error> error) {
          finish(std::move(run), std::move(error));
      }) {
    connect(&runs_, &Runs::busy_changed, this, &Document::busy_changed);
    connect(&runs_, &Runs::estimated, this, &Document::run_estimated);
    connect(&runs_, &Runs::progressed, this, &Document::run_progressed);
    connect(&sites_, &SiteRuns::changed, this, &Document::site_run_changed);
    runs_.start(session_);
}

std::string Document::lacks(ViewKind view) const {
    ViewSubject subject = view_subject(*session_);
    if (run_ && !is_run_of_another())
        subject.has_queries_and_keys = run_has_factors_;
    return missing_for(view, subject);
}

void Document::edit(Edit edit) {
    if (same_edits(edit.after, *session_))
        look(edit.after.view);
    else
        history_.push(std::move(edit));
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
        history_.enter_lesson();
    }
    lesson_ = place;
    if (begins)
        go_to(std::move(step.after), ViewHistory::Move::jump);  // undo leads nowhere before the lesson
    else
        edit(std::move(step));
    history_.keep_lesson();
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
    history_.leave_lesson();
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
    history_.clear_own();
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
        runs_.start(session_);
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
    runs_.cancel();
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
    return figures_.at(*run_, settings, asked_);
}

}  // namespace headlight
