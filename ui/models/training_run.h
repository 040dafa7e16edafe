#pragma once

#include "core/io/training_folder.h"
#include "core/tensor/error.h"
#include "ui/jobs/worker.h"

#include <QObject>
#include <QString>

#include <atomic>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>

namespace headlight {

/// What a person wants to be trained.
struct TrainingPlan {
    std::string name;   ///< "dates-additive-gru"
    std::string title;  ///< the same in words
    TrainingSettings settings;
    double goal = 0;  ///< exact match that such a model is to reach; 0: there is none
    FilmedText text;
};

/// A model learning on a worker of low priority, in a folder of its own: what it has come to is written there
/// twice a minute and at every end, so that a killed program loses half a minute and a closed one nothing.
/// What there is to see crosses to this thread as snapshots, ten times a second.
class TrainingRun : public QObject {
    Q_OBJECT
public:
    enum class State {
        running,
        paused,
        stopped,  ///< for good, before its last step
        finished,
        failed,  ///< see problem(); what is on the disk stays
    };

    /// Begins to learn at once.
    TrainingRun(const TrainingPlan& plan, std::filesystem::path folder, QObject* parent = nullptr);
    /// One that is in the folder already; see load().
    TrainingRun(std::filesystem::path folder, TrainingSummary summary, QObject* parent = nullptr);
    /// One of which the folder says nothing any more.
    TrainingRun(std::filesystem::path folder, const Error& problem, QObject* parent = nullptr);
    /// Waits for the step that is being taken and for the disk, but not for held-out examples; one that was
    /// learning is paused.
    ~TrainingRun() override;

    QString name() const { return QString::fromStdString(summary_.name); }
    /// The name in words; of an older version's run the name.
    QString title() const { return summary_.title.empty() ? name() : QString::fromStdString(summary_.title); }
    /// What it learns with; nothing until that is known.
    const std::optional<TrainingSettings>& settings() const { return settings_; }
    std::string task() const { return settings_ ? settings_->task : std::string(); }  ///< empty likewise
    const TrainingSummary& summary() const { return summary_; }
    State state() const { return state_; }
    /// It runs, and has been asked to end that.
    bool is_ending() const { return is_ending_; }
    /// It is over, and how good it has become is found out.
    bool is_measuring() const { return is_measuring_; }
    /// A program that was killed left it.
    bool was_interrupted() const { return was_interrupted_; }
    /// Why it failed, or why what it has learned since the last checkpoint is not on the disk: that is tried
    /// again with the next one, and by Resume.
    const std::optional<Error>& problem() const { return problem_; }
    std::shared_ptr<const TrainingRecord> record() const { return record_; }  ///< never null
    double steps_per_second() const { return steps_per_second_; }             ///< 0 when it does not run
    const std::filesystem::path& folder() const { return folder_; }
    bool has_reached_goal() const { return record_->has_reached(summary_.goal); }
    bool can_resume() const { return state_ == State::paused; }
    /// The folder that its model was last saved to, as it is now; empty when it is nowhere.
    const QString& saved_to() const { return saved_to_; }

    /// Reads the curves and the film of one that was in the folder already; they arrive in a moment. Those
    /// that nobody looks at take no memory.
    void load();

public slots:
    void resume();
    void pause();
    void stop();
    /// From the next frame on.
    void film(const headlight::FilmedText& text);
    /// As a folder that the Model panel opens; while it does not run.
    void save_model(const QString& folder);

signals:
    /// The state, or what is known of it.
    void changed();
    void progressed();
    void saved(const QString& folder);
    void save_failed(const headlight::Error& error);

private:
    /// What this thread asks of the worker between two steps.
    struct Orders {
        std::mutex mutex;
        bool pause = false, stop = false;
        std::optional<FilmedText> text;
        /// Nobody waits for what is measured any more.
        std::atomic<bool> is_abandoned = false;
    };
    /// What the worker has; nobody else touches it.
    struct Lesson;
    /// What the worker says now and then.
    struct Report {
        TrainingSummary summary;
        TrainingSettings settings;
        std::shared_ptr<const TrainingRecord> record;
        std::optional<Error> unsaved;
        double steps_per_second = 0;
    };

    /// From where it is, or only to its end there.
    void learn(bool stops_at_once = false);
    /// After its last step, and not as a part of it: nobody waits for held-out examples who pauses or ends a
    /// run.
    void measure_what_is_over();
    void take(const Report& report);
    void end(const Report& report);
    void fail(const Error& error);

    std::filesystem::path folder_;
    TrainingSummary summary_;
    std::optional<TrainingSettings> settings_;
    State state_ = State::running;
    bool is_ending_ = false, is_measuring_ = false, was_interrupted_ = false;
    bool is_loaded_ = true;
    std::optional<Error> problem_;
    std::shared_ptr<const TrainingRecord> record_ = std::make_shared<const TrainingRecord>();
    double steps_per_second_ = 0;
    QString saved_to_;
    std::shared_ptr<Orders> orders_ = std::make_shared<Orders>();
    std::shared_ptr<Lesson> lesson_;
    Worker worker_{Worker::Priority::background};  ///< the last member: it is waited for before the rest goes
};

}  // namespace headlight
