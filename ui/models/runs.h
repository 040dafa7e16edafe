#pragma once

#include "core/tensor/error.h"
#include "core/workbench/run_session.h"
#include "ui/jobs/latest_job.h"

#include <QObject>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace headlight {

/// Runs sessions off the UI thread, the newest alone. A model stays open between runs, and how long a run
/// took says how long the next one of its mechanism or model will take on this machine.
class Runs : public QObject {
    Q_OBJECT
public:
    /// Takes a finished run, or null with what kept it from running; called on the thread of this object.
    using Delivery = std::function<void(std::shared_ptr<const Run> run, std::optional<Error> error)>;

    explicit Runs(Delivery deliver, QObject* parent = nullptr);

    /// Runs `session` in place of the one that is under way. A mechanism that takes less than a frame has
    /// been delivered when this returns.
    void start(const std::shared_ptr<const Session>& session);
    /// Gives up the run that is under way: nothing of it is delivered.
    void cancel() { job_.cancel(); }
    bool is_running() const { return job_.is_running(); }
    /// From how many seconds on estimated() tells of a run. For tests: a long run takes long.
    void set_long_run(double seconds) { long_run_ = seconds; }

signals:
    /// A run takes longer than a moment, or has ended.
    void busy_changed(bool busy);
    /// A run begins, and will take about so long and so much memory.
    void estimated(double seconds, double bytes);
    /// Tells the share of a run's rows, or of a model's steps, that are done while it is under way.
    void progressed(double share);

private:
    struct Telling;
    void start_capture(const std::shared_ptr<const Session>& session);
    void start_model(const std::shared_ptr<const Session>& session);
    void start_mechanism(const std::shared_ptr<const Session>& session);
    LatestJob::Refusal refuse() const;

    Delivery deliver_;
    double long_run_ = 2;
    // Only the jobs touch these two, which run one after another on one thread.
    std::shared_ptr<OpenModels> models_ = std::make_shared<OpenModels>();
    /// By what a run took longer than estimated on this machine, by mechanism or model, as its last run had
    /// it that took long enough to tell.
    std::map<std::string, double> delays_;
    LatestJob job_;  ///< last: its job has ended before the others go
};

}  // namespace headlight
