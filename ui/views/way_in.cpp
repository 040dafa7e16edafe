#include "ui/views/way_in.h"

#include "core/attention/pipeline_stages.h"
#include "core/figure/view.h"
#include "ui/models/document.h"
#include "ui/views/cell_place.h"
#include "ui/views/motion_clock.h"

#include <QScopedValueRollback>

#include <algorithm>
#include <cmath>

namespace headlight {

using namespace std::chrono_literals;

namespace {

constexpr double zoom_of_a_stop = 350;       // milliseconds
constexpr double angle_of_a_stop = 4 * 120;  // eighths of a degree

/// A cell of `stage` belongs to a query and a key whose numbers are multiplied one by one: energies are made
/// of them in another way.
bool has_products(const Trace& trace, const Stage& stage) {
    const Stage* query = trace.find(last_form(trace, "query", stage.site), stage.site);
    const Stage* key = trace.find(last_form(trace, "key", stage.site), stage.site);
    return matrix_axes(stage) == MatrixAxes() && !trace.find("energy", stage.site) && query && key &&
           !query->shape.empty() && !key->shape.empty() && query->shape.back() == key->shape.back();
}

DepthFacts depth_facts(const Run& run, const ViewState& here) {
    const Trace& trace = *run.trace;
    const Selection wanted = shown_selection(trace, in_view(here, ViewKind::heatmap));
    DepthFacts facts;
    facts.is_explained = run.explained_at(wanted.site).plan != nullptr;
    const Stage* stage = trace.find(wanted.stage, wanted.site);
    if (!stage)
        return facts;
    const auto shows_it = [&](ViewKind kind) {
        return shown_selection(trace, in_view(here, kind)).stage == wanted.stage;
    };
    facts.has_heads = stage->heads() > 1 && shows_it(ViewKind::grid);
    facts.has_stages =
        shows_it(ViewKind::stages) && std::ranges::count(trace.stages(), wanted.site, &Stage::site) > 1;
    facts.has_products = has_products(trace, *stage);
    return facts;
}

}  // namespace

WayIn::WayIn(Document& document) : QObject(&document), document_(document) {
    connect(&ticks_, &FrameTicks::passed, this, &WayIn::advance);
    rest_.setSingleShot(true);
    rest_.setInterval(1200ms);
    connect(&rest_, &QTimer::timeout, this, &WayIn::settle);
    connect(&document.looking(), &Looking::view_changed, this, [this](const ViewState& before) {
        if (is_going_)
            return;
        if (before.view != document_.view().view)
            through_.clear();
        if (depth_of(before) != depth_of(document_.view()))
            arrive();
        emit moved();
    });
    connect(&document, &Document::run_changed, this, &WayIn::arrive);
    connect(&document, &Document::withheld_changed, this, &WayIn::arrive);
}

WayIn& WayIn::of(Document& document) {
    return document.companions().of<WayIn>([&document] { return new WayIn(document); });
}

// Where one is

std::optional<DepthStop> WayIn::stop() const {
    return document_.run() ? depth_of(document_.view()) : std::nullopt;
}

std::optional<Level> WayIn::page() const {
    const auto current = stop();
    return current && !level_of(*current) ? document_.view().level : std::nullopt;
}

const std::vector<DepthStop>& WayIn::stops() const {
    const std::shared_ptr<const Run> run = document_.run();
    if (!run || found_.run.lock() != run || !(found_.view == document_.view()))
        found_ = {run, document_.view(), found_stops()};
    return found_.stops;
}

std::vector<DepthStop> WayIn::found_stops() const {
    const auto current = stop();
    if (!current)
        return {};
    std::vector<DepthStop> stops = depth_stops(depth_facts(*document_.run(), document_.view()));
    // Where one is there is a stop, whatever leads to it.
    if (const auto place = std::ranges::lower_bound(stops, *current);
        place == stops.end() || *place != *current)
        stops.insert(place, *current);
    return stops;
}

std::optional<Index> WayIn::here() const {
    const auto current = stop();
    if (!current)
        return std::nullopt;
    const std::vector<DepthStop> all = stops();
    return std::ranges::find(all, *current) - all.begin();
}

Depth WayIn::depth() const {
    const auto at = here();
    const double offset = is_between() ? offset_ : 0;
    return at ? depth_at(static_cast<double>(*at) + offset, std::ssize(stops())) : Depth();
}

bool WayIn::is_between() const {
    // While a question is open no picture shows what is behind another one.
    return offset_ != 0 && stop() && !document_.asked() && !MotionClock::of(document_).is_reduced();
}

// From stop to stop

void WayIn::lead_to(Index stop, double offset) {
    const std::vector<DepthStop> all = stops();
    const ViewState before = document_.view();
    const DepthStop wanted = all[static_cast<std::size_t>(stop)];
    ViewState next = at_depth(before, wanted, all);
    // Two views are a matrix: back to the one that one came in through.
    if (!through_.empty() && !level_of(wanted))
        if (const ViewState came = in_view(next, through_.back()); depth_of(came) == wanted)
            next = came;
    const bool goes_in = wanted > *depth_of(before);
    if (goes_in && next.view != before.view)
        through_.push_back(before.view);
    else if (!through_.empty() && through_.back() == next.view)
        through_.pop_back();
    emit leaving();
    const QScopedValueRollback going(is_going_, true);
    offset_ = offset;
    document_.looking().look_at(next);
    emit moved();
}

bool WayIn::go_in() {
    const auto at = here();
    if (!at || *at + 1 >= std::ssize(stops()))
        return false;
    lead_to(*at + 1, offset_ - 1);
    settle();
    return true;
}

bool WayIn::go_out() {
    const auto at = here();
    if (!at || *at == 0)
        return false;
    lead_to(*at - 1, offset_ + 1);
    settle();
    return true;
}

bool WayIn::come_back() {
    if (through_.empty())
        return false;
    if (const auto at = stop(); at && level_of(*at))
        return go_out();  // to the picture that the level stands beside
    ViewState there = in_view(document_.view(), through_.back());
    there.level.reset();
    const std::vector<DepthStop> all = stops();
    const auto back = std::ranges::find_if(all, [&](DepthStop stop) { return stop == depth_of(there); });
    const auto at = here();
    if (at && back != all.end()) {
        const Index stop = back - all.begin();
        lead_to(stop, offset_ + static_cast<double>(*at - stop));
        settle();
        return true;
    }
    const QScopedValueRollback going(is_going_, true);
    through_.pop_back();
    document_.looking().look_at(there);
    arrive();
    return true;
}

void WayIn::go_to(DepthStop stop) {
    const std::vector<DepthStop> all = stops();
    const auto wanted = std::ranges::find(all, stop);
    const auto at = here();
    if (!at || wanted == all.end())
        return;
    const Index next = wanted - all.begin();
    if (next != *at)
        lead_to(next, offset_ + static_cast<double>(*at - next));
    settle();
}

// Between stops

void WayIn::turn_wheel(int angle) { turn(angle / angle_of_a_stop); }

void WayIn::spread(double factor) {
    if (factor > 0)
        turn(std::log2(factor));
}

void WayIn::turn(double stops) {
    if (const auto at = here()) {
        hold(static_cast<double>(*at) + offset_ + stops);
        rest_.start();
    }
}

void WayIn::hold(double place) {
    const auto at = here();
    if (!at)
        return;
    ticks_.stop();
    rest_.stop();
    const double within = std::clamp(place, 0.0, static_cast<double>(std::ssize(stops()) - 1));
    const Index stop = settled_stop(within, *at);
    if (stop != *at)
        return lead_to(stop, within - static_cast<double>(stop));
    offset_ = within - static_cast<double>(stop);
    emit moved();
}

void WayIn::settle() {
    rest_.stop();
    if (!is_between())
        return arrive();
    // A long way takes longer, but nobody waits.
    speed_ = std::max(1.0, std::abs(offset_) / 2) / zoom_of_a_stop;
    ticks_.start();
}

void WayIn::arrive() {
    rest_.stop();
    ticks_.stop();
    offset_ = 0;
    emit moved();
}

void WayIn::advance(double milliseconds) {
    const double gone = speed_ * milliseconds;
    if (std::abs(offset_) <= gone)
        return arrive();
    offset_ -= std::copysign(gone, offset_);
    emit moved();
}

}  // namespace headlight
