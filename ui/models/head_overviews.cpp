#include "ui/models/head_overviews.h"

#include "core/map/trace_maps.h"
#include "ui/models/document.h"

namespace headlight {

HeadOverviews& HeadOverviews::of(Document& document) {
    if (auto* existing = document.findChild<HeadOverviews*>(QString(), Qt::FindDirectChildrenOnly))
        return *existing;
    return *new HeadOverviews(document);
}

HeadOverviews::HeadOverviews(Document& document) : QObject(&document), document_(document) {
    connect(&document_, &Document::run_changed, this, &HeadOverviews::make);
    connect(&job_, &LatestJob::busy_changed, this, &HeadOverviews::changed);
}

void HeadOverviews::set_wanted(const QObject* who, bool wanted) {
    if (wanted)
        wanted_by_.insert(who);
    else
        wanted_by_.erase(who);
    make();
}

void HeadOverviews::make() {
    const std::shared_ptr<const Run> run = document_.run();
    if (run && run == run_ && overview_ && overview_->has_statistics)
        return;
    if (!run || wanted_by_.empty()) {
        job_.cancel();
        asked_.reset();
        // Of a run that is over nothing is kept: its maps may be large.
        if (run_ && run_ != run)
            take(nullptr, nullptr);
        return;
    }
    if (run == asked_)
        return;
    asked_ = run;
    refusal_.clear();
    job_.start_in_step(
        "look at every head",
        [this, run](const Cancellation& cancellation) -> Job::Delivery {
            const std::vector<LabelledMaps> maps = maps_of(run->trace, run->untouched);
            const auto pictured = std::make_shared<const HeadOverview>(pictured_heads(maps));
            job_.deliver_part(cancellation, [this, run, pictured] { take(run, pictured); });
            const auto counted = std::make_shared<const HeadOverview>(with_statistics(*pictured, maps));
            return [this, run, counted] { take(run, counted); };
        },
        [this, run](const Error& error) {
            refusal_ = QString::fromStdString(error.what());
            take(run, nullptr);
        });
}

void HeadOverviews::take(std::shared_ptr<const Run> run, std::shared_ptr<const HeadOverview> overview) {
    run_ = std::move(run);
    overview_ = std::move(overview);
    emit changed();
}

}  // namespace headlight
