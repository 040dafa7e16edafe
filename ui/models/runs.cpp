#include "ui/models/runs.h"

#include "ui/jobs/percents.h"

#include <chrono>
#include <utility>

namespace headlight {
namespace {

/// A shorter run says more of what is done once than of its pairs.
constexpr std::chrono::milliseconds long_enough_to_tell{100};

}  // namespace

/// What a job tells of its run, on the worker: how long it will take, if that is long, and how far it is.
struct Runs::Telling {
    using Progress = std::function<void(double share)>;

    Runs& runs;
    const Cancellation& cancellation;
    std::string of;  ///< a mechanism or a model, by which later runs know how long this one took
    double long_run = 0;

    std::shared_ptr<const Run>
    run(const RunEstimate& estimate,
        const std::function<std::shared_ptr<const Run>(const Progress&)>& work) const {
        LatestJob& job = runs.job_;
        std::map<std::string, double>& delays = runs.delays_;
        const auto known = delays.find(of);
        const double seconds = estimate.seconds * (known == delays.end() ? 1 : known->second);
        if (seconds >= long_run)
            job.deliver_part(cancellation, [&runs = runs, seconds, bytes = estimate.bytes] {
                emit runs.estimated(seconds, bytes);
            });
        Percents percents;
        const auto progress = [&](double share) {
            if (percents.is_news(share))
                job.deliver_part(cancellation, [&runs = runs, share] { emit runs.progressed(share); });
        };
        const auto start = std::chrono::steady_clock::now();
        auto made = work(progress);
        const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
        if (made && taken > long_enough_to_tell && estimate.seconds > 0)
            delays[of] = taken.count() / estimate.seconds;
        return made;
    }
};

Runs::Runs(Delivery deliver, QObject* parent) : QObject(parent), deliver_(std::move(deliver)) {
    connect(&job_, &LatestJob::busy_changed, this, &Runs::busy_changed);
}

void Runs::start(const std::shared_ptr<const Session>& session) {
    if (session->model)
        start_model(session);
    else if (session->capture)
        start_capture(session);
    else
        start_mechanism(session);
}

LatestJob::Refusal Runs::refuse() const {
    return [this](const Error& error) { deliver_(nullptr, error); };
}

void Runs::start_capture(const std::shared_ptr<const Session>& session) {
    job_.start(
        "open capture",
        [this, session](const Cancellation&) -> Job::Delivery {
            return [this, run = captured_run(session)] { deliver_(run, std::nullopt); };
        },
        refuse());
}

void Runs::start_model(const std::shared_ptr<const Session>& session) {
    job_.start(
        "run",
        [this, session, models = models_,
         long_run = long_run_](const Cancellation& cancellation) -> Job::Delivery {
            const Telling telling{*this, cancellation, "model " + session->model->name, long_run};
            const auto run =
                telling.run(estimate_of(*session, *models), [&](const Telling::Progress& progress) {
                    return generate_run(
                        session, *models, [&] { return cancellation.requested(); }, progress);
                });
            return [this, run] { deliver_(run, std::nullopt); };
        },
        refuse());
}

void Runs::start_mechanism(const std::shared_ptr<const Session>& session) {
    job_.start_in_step(
        "run",
        [this, session, long_run = long_run_](const Cancellation& cancellation) -> Job::Delivery {
            PreparedRun prepared = prepare_run(*session);
            const Telling telling{*this, cancellation, session->mechanism, long_run};
            const auto run = telling.run(estimate_of(prepared), [&](const Telling::Progress& progress) {
                return finish_run(session, std::move(prepared), progress);
            });
            return [this, run] { deliver_(run, std::nullopt); };
        },
        refuse());
}

}  // namespace headlight
