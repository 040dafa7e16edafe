#include "ui/views/way_in.h"

#include "core/figure/view.h"
#include "ui/models/document.h"
#include "ui/views/cell_place.h"

#include <QScopedValueRollback>

#include <cstdlib>

namespace headlight {
namespace {

/// The heads of what is selected are worth a stop: there are several, and the view of heads shows them.
bool has_stop_at_heads(const Trace& trace, const ViewState& here) {
    const Selection wanted = shown_selection(trace, in_view(here, ViewKind::heatmap));
    const Stage* stage = trace.find(wanted.stage, wanted.site);
    return stage && stage->heads() > 1 &&
           shown_selection(trace, in_view(here, ViewKind::grid)).stage == wanted.stage;
}

}  // namespace

std::optional<ViewState> stop_nearer(const Run& run, const ViewState& here) {
    if (here.level)
        return std::nullopt;
    if (here.view == ViewKind::map)
        return in_view(here, has_stop_at_heads(*run.trace, here) ? ViewKind::grid : ViewKind::heatmap);
    if (here.view == ViewKind::grid)
        return in_view(here, ViewKind::heatmap);
    if (here.view != ViewKind::heatmap || !run.is_of_mechanism())
        return std::nullopt;
    ViewState nearer = here;
    nearer.level = Level::arithmetic;
    return nearer;
}

std::optional<ViewState> stop_farther(const Run& run, const ViewState& here) {
    if (here.view == ViewKind::heatmap && here.level == Level::arithmetic) {
        ViewState farther = here;
        farther.level.reset();
        return farther;
    }
    if (here.view == ViewKind::heatmap)
        return in_view(here, has_stop_at_heads(*run.trace, here) ? ViewKind::grid : ViewKind::map);
    return here.view == ViewKind::grid ? std::optional(in_view(here, ViewKind::map)) : std::nullopt;
}

WayIn::WayIn(Document& document) : QObject(&document), document_(document) {
    connect(&document.looking(), &Looking::view_changed, this, [this](const ViewState& before) {
        if (!is_going_ && before.view != document_.view().view)
            through_.clear();
    });
}

WayIn& WayIn::of(Document& document) {
    return document.companions().of<WayIn>([&document] { return new WayIn(document); });
}

bool WayIn::go_in() {
    const std::shared_ptr<const Run> run = document_.run();
    const auto nearer = run ? stop_nearer(*run, document_.view()) : std::nullopt;
    if (!nearer)
        return false;
    const QScopedValueRollback going(is_going_, true);
    if (nearer->view != document_.view().view)
        through_.push_back(document_.view().view);
    document_.looking().look_at(*nearer);
    return true;
}

bool WayIn::go_out() {
    if (!document_.view().level && come_back())
        return true;
    const std::shared_ptr<const Run> run = document_.run();
    const auto farther = run ? stop_farther(*run, document_.view()) : std::nullopt;
    if (!farther)
        return false;
    document_.looking().look_at(*farther);
    return true;
}

void WayIn::turn_wheel(int angle) {
    constexpr int of_a_stop = 240;
    const bool turns_back = (angle < 0) != (wheeled_ < 0);
    wheeled_ = turns_back ? angle : wheeled_ + angle;
    if (std::abs(wheeled_) < of_a_stop)
        return;
    const bool goes_in = wheeled_ > 0;
    wheeled_ = 0;
    goes_in ? go_in() : go_out();
}

bool WayIn::come_back() {
    if (through_.empty())
        return false;
    const QScopedValueRollback going(is_going_, true);
    const ViewKind back = through_.back();
    through_.pop_back();
    document_.looking().look_at(in_view(document_.view(), back));
    return true;
}

}  // namespace headlight
