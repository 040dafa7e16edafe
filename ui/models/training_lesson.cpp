#include "ui/models/training_lesson.h"

#include "core/tensor/interruption.h"

#include <utility>

namespace headlight {
namespace {

using namespace std::chrono_literals;

constexpr auto between_reports = 100ms;
constexpr auto between_checkpoints = 30s;
constexpr auto pace_of = 3s;

}  // namespace

TrainingRecord TrainingRun::Lesson::record_in(const std::filesystem::path& folder) {
    try {
        return read_training_record(folder);
    } catch (const Error& error) {
        TrainingRecord record;
        record.film_problem = error.what();
        return record;
    }
}

void TrainingRun::Lesson::prepare() {
    if (training)
        return;
    if (plan) {
        training = std::make_unique<WatchedTraining>(plan->settings, plan->text);
        plan.reset();
        return;
    }
    Checkpoint checkpoint = read_training_checkpoint(folder);
    TrainingRecord record = record_in(folder);
    if (record.text.source.empty())
        record.text = filmed_example(headlight::task(checkpoint.settings.task), 0);
    training = std::make_unique<WatchedTraining>(checkpoint.settings, std::move(checkpoint.state),
                                                 std::move(record));
}

TrainingRun::Report TrainingRun::Lesson::learn(Orders& orders, const std::function<void(Report)>& say) {
    prepare();
    summary.phase = TrainingPhase::training;
    try_to_write();
    say(report());
    // A run that is resumed beyond its goal is to go on.
    const bool may_stop_at_goal = !training->record().has_reached(summary.goal);
    Clock::time_point said = Clock::now(), written = said;
    marks_.clear();
    while (true) {
        std::optional<FilmedText> text;
        {
            const std::lock_guard lock(orders.mutex);
            if (orders.stop || orders.pause)
                summary.phase = orders.stop ? TrainingPhase::stopped : TrainingPhase::paused;
            text = std::exchange(orders.text, {});
        }
        if (text)
            training->film(std::move(*text));
        if (may_stop_at_goal && training->record().has_reached(summary.goal))
            summary.phase = TrainingPhase::paused;
        if (training->is_over())
            summary.phase = TrainingPhase::finished;
        if (summary.phase != TrainingPhase::training)
            break;
        training->step();
        const Clock::time_point now = Clock::now();
        if (now - said >= between_reports || text) {
            Report so_far = report();
            so_far.steps_per_second = pace();
            say(std::move(so_far));
            said = now;
        }
        if (now - written >= between_checkpoints) {
            try_to_write();
            written = now;
        }
    }
    try_to_write();
    Report last = report();
    put_away();
    return last;
}

void TrainingRun::Lesson::measure(const Orders& orders) {
    prepare();
    if (summary.exact_match.examples > 0)
        return;
    const Interruption interruption(orders.is_abandoned);
    summary.exact_match = {training->training().exact_match_rate(final_examples), final_examples};
    if (!unsaved_)
        write_training_summary(folder, summary);
}

void TrainingRun::Lesson::put_away() {
    if (unsaved_)
        training->rest();
    else
        training.reset();
}

void TrainingRun::Lesson::try_to_write() {
    try {
        write();
        unsaved_.reset();
    } catch (const Error& error) {
        unsaved_ = error;
    }
}

double TrainingRun::Lesson::pace() {
    const Clock::time_point now = Clock::now();
    marks_.emplace_back(now, training->training().steps());
    while (marks_.size() > 2 && now - marks_.front().first > pace_of)
        marks_.pop_front();
    const double seconds = std::chrono::duration<double>(now - marks_.front().first).count();
    return seconds > 0 ? static_cast<double>(marks_.back().second - marks_.front().second) / seconds : 0;
}

TrainingRun::Report TrainingRun::Lesson::report() const {
    Report report;
    report.summary = summary;
    report.summary.steps = training->training().steps();
    report.settings = training->training().settings();
    report.record = std::make_shared<const TrainingRecord>(training->record());
    report.unsaved = unsaved_;
    return report;
}

void TrainingRun::Lesson::write() {
    const Training& running = training->training();
    summary.steps = running.steps();
    write_training_folder(folder, summary, training->record(), {running.settings(), running.checkpoint()});
}

}  // namespace headlight
