#include "ui/models/site_runs.h"

#include "core/attention/executor.h"

#include <utility>

namespace headlight {

SiteRun SiteRuns::at(const std::string& site, const std::shared_ptr<const Plan>& plan) {
    const auto known = known_.find(site);
    if (known != known_.end())
        return known->second;
    if (running_ == site)
        return {plan, nullptr};
    running_ = site;
    is_starting_ = true;
    job_.start_in_step(
        "run",
        [this, site, plan](const Cancellation&) -> Job::Delivery {
            return [this, site, plan, trace = std::make_shared<const Trace>(record(plan))] {
                keep(site, plan, trace);
            };
        },
        // What runs in the comparison may still be too large with every stage.
        [this, site, plan](const Error&) { keep(site, plan, nullptr); });
    is_starting_ = false;
    const auto quick = known_.find(site);
    return quick != known_.end() ? quick->second : SiteRun{plan, nullptr};
}

void SiteRuns::keep(const std::string& site, const std::shared_ptr<const Plan>& plan,
                    std::shared_ptr<const Trace> trace) {
    running_.clear();
    known_[site] = {plan, std::move(trace)};
    if (!is_starting_)
        emit changed();
}

void SiteRuns::clear() {
    job_.cancel();
    running_.clear();
    known_.clear();
}

}  // namespace headlight
