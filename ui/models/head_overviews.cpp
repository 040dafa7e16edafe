#include "ui/models/head_overviews.h"

#include "core/analysis/displayed_weights.h"
#include "ui/jobs/percents.h"
#include "ui/models/document.h"

#include <algorithm>

namespace headlight {

HeadOverviews& HeadOverviews::of(Document& document) {
    return document.companions().of<HeadOverviews>([&document] { return new HeadOverviews(document); });
}

HeadOverviews::HeadOverviews(Document& document) : QObject(&document), document_(document) {
    connect(&document_, &Document::run_changed, this, &HeadOverviews::make);
    connect(&document_, &Document::session_changed, this, [this](const Session& before) {
        if (static_cast<const WeightLens&>(before.figure) != document_.session().figure)
            make();
    });
    connect(&job_, &LatestJob::busy_changed, this, &HeadOverviews::changed);
}

void HeadOverviews::set_wanted(const QObject* who, bool wanted) {
    if (!wanted)
        wanted_by_.erase(who);
    else if (wanted_by_.insert(who).second && is_cancelled_)
        asked_.reset();
    make();
}

void HeadOverviews::make() {
    const std::shared_ptr<const Run> run = document_.run();
    const WeightLens lens = document_.session().figure;
    if (run && run == run_ && lens == lens_ && overview_ && overview_->has_statistics) {
        // What is on its way is of a lens that has been undone: it would take the place of what is shown.
        if (run != asked_ || lens != asked_lens_) {
            job_.cancel();
            asked_ = run;
            asked_lens_ = lens;
        }
        return;
    }
    if (!run || wanted_by_.empty()) {
        job_.cancel();
        asked_.reset();
        // Nothing is kept of a run that is over: its maps may be large.
        if (run_ && run_ != run)
            take(nullptr, {}, nullptr);
        return;
    }
    if (run == asked_ && lens == asked_lens_)
        return;
    asked_ = run;
    asked_lens_ = lens;
    is_cancelled_ = false;
    refusal_.clear();
    progress_ = 0;
    job_.start_in_step(
        "look at every head",
        [this, run, lens](const Cancellation& cancellation) -> Job::Delivery {
            const std::vector<LabelledMaps> maps = seen_maps(run->trace, run->untouched, lens);
            const auto pictured = std::make_shared<const HeadOverview>(pictured_heads(maps));
            job_.deliver_part(cancellation, [this, run, lens, pictured] { take(run, lens, pictured); });
            Percents percents;
            const auto tell = [&](double share) {
                if (percents.is_news(share))
                    job_.deliver_part(cancellation, [this, share] {
                        progress_ = std::max(progress_, share);  // of two threads the later may be first
                        emit progressed();
                    });
            };
            const auto counted = std::make_shared<const HeadOverview>(with_statistics(*pictured, maps, tell));
            return [this, run, lens, counted] { take(run, lens, counted); };
        },
        [this, run, lens](const Error& error) {
            refusal_ = QString::fromStdString(error.what());
            take(run, lens, nullptr);
        });
}

void HeadOverviews::cancel() {
    if (!job_.is_running())
        return;
    job_.cancel();
    is_cancelled_ = true;
    refusal_ = tr("The counting was cancelled. It begins again when this view is next shown.");
    // What was seen before is of something else: without pictures yet, there is nothing.
    const bool has_pictures = run_ == asked_ && lens_ == asked_lens_;
    take(asked_, asked_lens_, has_pictures ? overview_ : nullptr);
}

void HeadOverviews::take(std::shared_ptr<const Run> run, WeightLens lens,
                         std::shared_ptr<const HeadOverview> overview) {
    run_ = std::move(run);
    lens_ = std::move(lens);
    overview_ = std::move(overview);
    emit changed();
}

}  // namespace headlight
