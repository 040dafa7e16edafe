#include "ui/models/document.h"

#include "core/figure/query_key_factors.h"
#include "core/figure/view.h"
#include "core/io/view_subject.h"
#include "core/workbench/settled_view.h"

#include <algorithm>

namespace headlight {

Document::Document(QObject* parent) : Document(example_session(), parent) {}

Document::Document(Session session, QObject* parent)
    : QObject(parent), session_(std::make_shared<const Session>(std::move(session))),
      history_([this]() -> const Session& { return *session_; },
               [this](Session next) { go_to(std::move(next), Looking::Move::jump); }),
      looking_({.session = [this]() -> const Session& { return *session_; },
                .lead =
                    [this](Session next, std::optional<Looking::Move> move) {
                        if (!same_place(next.view, view()))
                            history_.part();
                        go_to(std::move(next), move);
                    },
                .replace = [this](Session next) { replace(std::move(next)); }}),
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
    const bool has_run = run_ && !is_run_of_another();
    ViewSubject subject = view_subject(*session_, nullptr, has_run ? run_->transcript.get() : nullptr);
    if (has_run)
        subject.has_queries_and_keys = run_has_factors_;
    return missing_for(view, subject);
}

void Document::edit(Edit edit) {
    if (same_edits(edit.after, *session_))
        return looking_.look_at(edit.after.view);
    if (!keeps_opened())
        opened_.reset();  // it was taken back, and this edit ends that it could be redone
    history_.push(std::move(edit));
}

void Document::open_into(Edit edit) {
    const std::string name = edit.name;
    this->edit(std::move(edit));
    if (lesson_)
        opened_ = {name, history_.lesson().index(), session_, true};
}

bool Document::keeps_opened() const { return opened_ && history_.lesson().index() >= opened_->steps; }

void Document::keep_opened() {
    if (!keeps_opened())
        opened_.reset();
    else if (opened_->is_shown)
        opened_->session = session_;
}

void Document::show_lesson(Edit step, const LessonPlace& place) {
    const bool begins = !own_;
    if (begins) {
        own_ = session_;
        history_.enter_lesson();
    }
    lesson_ = place;
    keep_opened();
    if (opened_)
        opened_->is_shown = false;
    if (begins)
        go_to(std::move(step.after), Looking::Move::jump);  // undo leads nowhere before the lesson
    else
        edit(std::move(step));
    history_.keep_lesson();
    emit lesson_changed();
}

void Document::leave_lesson() {
    if (!own_)
        return;
    keep_opened();
    const std::optional<Opened> opened = opened_;
    const FigureTheme theme = view().theme;
    Session own = *own_;
    own.view.theme = theme;
    end_lesson();
    go_to(std::move(own), Looking::Move::jump);
    if (opened) {
        Session kept = *opened->session;
        kept.view.theme = theme;
        edit({opened->name, std::move(kept)});
    }
    emit lesson_changed();
}

void Document::end_lesson() {
    own_.reset();
    lesson_.reset();
    opened_.reset();
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
    looking_.forget_places();
    is_just_opened_ = is_just_opened_ || !same_run(session, *session_);
    go_to(std::move(session), {});
    if (was_in_lesson)
        emit lesson_changed();
}

void Document::go_to(Session next, std::optional<Looking::Move> move) {
    next = settled(std::move(next));
    if (move)
        looking_.leave_for(next.view, *move);
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
        emit looking_.view_changed(before->view);
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
