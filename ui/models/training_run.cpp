#include "ui/models/training_run.h"

#include "core/io/model_folder.h"
#include "ui/models/training_lesson.h"

#include <utility>

namespace headlight {
namespace {

TrainingSummary summary_of(const TrainingPlan& plan) {
    TrainingSummary summary;
    summary.name = plan.name;
    summary.title = plan.title;
    summary.phase = TrainingPhase::training;
    summary.of = plan.settings.steps;
    summary.goal = plan.goal;
    return summary;
}

TrainingRun::State state_of(TrainingPhase phase) {
    switch (phase) {
    case TrainingPhase::stopped:
        return TrainingRun::State::stopped;
    case TrainingPhase::finished:
        return TrainingRun::State::finished;
    case TrainingPhase::training:
    case TrainingPhase::paused:
        break;
    }
    return TrainingRun::State::paused;
}

}  // namespace

TrainingRun::TrainingRun(const TrainingPlan& plan, std::filesystem::path folder, QObject* parent)
    : QObject(parent), folder_(std::move(folder)), summary_(summary_of(plan)), settings_(plan.settings),
      lesson_(std::make_shared<Lesson>()) {
    lesson_->folder = folder_;
    lesson_->summary = summary_;
    lesson_->plan = plan;
    learn();
}

TrainingRun::TrainingRun(std::filesystem::path folder, TrainingSummary summary, QObject* parent)
    : QObject(parent), folder_(std::move(folder)), summary_(std::move(summary)),
      state_(state_of(summary_.phase)), was_interrupted_(summary_.phase == TrainingPhase::training),
      is_loaded_(false), lesson_(std::make_shared<Lesson>()) {
    lesson_->folder = folder_;
    lesson_->summary = summary_;
}

TrainingRun::TrainingRun(std::filesystem::path folder, const Error& problem, QObject* parent)
    : QObject(parent), folder_(std::move(folder)), state_(State::failed), problem_(problem) {
    summary_.name = folder_.filename().string();
}

void TrainingRun::load() {
    if (std::exchange(is_loaded_, true))
        return;
    worker_.add({"read a run",
                 [this, folder = folder_]() -> Job::Delivery {
                     auto record = std::make_shared<TrainingRecord>(Lesson::record_in(folder));
                     std::optional<TrainingSettings> settings;
                     Index steps = 0;
                     try {
                         const Checkpoint checkpoint = read_training_checkpoint(folder);
                         settings = checkpoint.settings;
                         steps = checkpoint.state.steps;
                         // A kill between the files of a folder leaves a record that is ahead.
                         record->cut_after(steps);
                     } catch (const Error&) {
                         // told by whoever needs the checkpoint: Resume
                     }
                     return [this, record, settings, steps] {
                         record_ = record;
                         settings_ = settings;
                         if (settings)
                             summary_.steps = steps;
                         emit changed();
                     };
                 },
                 [this](const Error& error) { fail(error); }});
    measure_what_is_over();
}

void TrainingRun::measure_what_is_over() {
    const bool is_over =
        summary_.phase == TrainingPhase::stopped || summary_.phase == TrainingPhase::finished;
    if (!is_over || summary_.exact_match.examples > 0)
        return;
    is_measuring_ = true;
    worker_.add({"measure a run",
                 [this, lesson = lesson_, orders = orders_]() -> Job::Delivery {
                     lesson->measure(*orders);
                     lesson->put_away();
                     return [this, summary = lesson->summary] {
                         summary_ = summary;
                         is_measuring_ = false;
                         emit changed();
                     };
                 },
                 // The model can still be saved, which measures it again and tells what is wrong.
                 [this](const Error&) {
                     is_measuring_ = false;
                     emit changed();
                 }});
}

TrainingRun::~TrainingRun() {
    orders_->is_abandoned = true;
    const std::lock_guard lock(orders_->mutex);
    orders_->pause = true;
}

void TrainingRun::learn(bool stops_at_once) {
    state_ = State::running;
    is_ending_ = stops_at_once;
    was_interrupted_ = false;
    is_loaded_ = true;
    saved_to_.clear();
    {
        const std::lock_guard lock(orders_->mutex);
        orders_->pause = false;
        orders_->stop = stops_at_once;
    }
    worker_.add({"train",
                 [this, lesson = lesson_, orders = orders_]() -> Job::Delivery {
                     const Report last = lesson->learn(*orders, [this](Report report) {
                         worker_.hand_back([this, report = std::move(report)] { take(report); });
                     });
                     return [this, last] { end(last); };
                 },
                 [this](const Error& error) { fail(error); }});
}

void TrainingRun::resume() {
    if (!can_resume())
        return;
    learn();
    emit changed();
}

void TrainingRun::pause() {
    if (state_ != State::running)
        return;
    is_ending_ = true;
    {
        const std::lock_guard lock(orders_->mutex);
        orders_->pause = true;
    }
    emit changed();
}

void TrainingRun::stop() {
    if (state_ == State::paused) {
        learn(true);
    } else if (state_ == State::running) {
        is_ending_ = true;
        const std::lock_guard lock(orders_->mutex);
        orders_->stop = true;
    } else {
        return;
    }
    emit changed();
}

void TrainingRun::film(const FilmedText& text) {
    const std::lock_guard lock(orders_->mutex);
    orders_->text = text;
}

void TrainingRun::save_model(const QString& folder) {
    if (state_ == State::running || state_ == State::failed)
        return;
    worker_.add({"save model",
                 [this, lesson = lesson_, orders = orders_, folder]() -> Job::Delivery {
                     lesson->measure(*orders);
                     write_model_folder(
                         trained_model(lesson->training->training(), lesson->summary.exact_match),
                         folder.toStdString());
                     lesson->put_away();
                     return [this, folder, summary = lesson->summary] {
                         summary_ = summary;
                         saved_to_ = folder;
                         emit changed();
                         emit saved(folder);
                     };
                 },
                 [this](const Error& error) { emit save_failed(error); }});
}

void TrainingRun::take(const Report& report) {
    summary_ = report.summary;
    settings_ = report.settings;
    record_ = report.record;
    problem_ = report.unsaved;
    steps_per_second_ = report.steps_per_second;
    emit progressed();
}

void TrainingRun::end(const Report& report) {
    take(report);
    steps_per_second_ = 0;
    is_ending_ = false;
    state_ = state_of(summary_.phase);
    measure_what_is_over();
    emit changed();
}

void TrainingRun::fail(const Error& error) {
    problem_ = error;
    steps_per_second_ = 0;
    is_ending_ = false;
    state_ = State::failed;
    emit changed();
}

}  // namespace headlight
