#include "ui/models/looking.h"

#include "core/workbench/settled_view.h"

#include <chrono>
#include <utility>

namespace headlight {

Looking::Looking(Keeper keeper, QObject* parent) : QObject(parent), keeper_(std::move(keeper)) {}

Session Looking::seen_from(const ViewState& view) const {
    return with_view(keeper_.session(), view);
}

void Looking::look_at(const ViewState& view, Move move) { keeper_.lead(seen_from(view), move); }

void Looking::select(const Selection& selection, Move move) {
    ViewState next = view();
    next.selection = selection;
    look_at(next, move);
}

void Looking::zoom_to(const std::optional<ZoomedPart>& part) {
    if (part == view().zoom)
        return;
    ViewState next = view();
    next.zoom = part;
    keeper_.replace(seen_from(next));
    emit zoom_changed();
}

void Looking::select_block(const std::optional<CellBlock>& block) {
    if (block == view().block)
        return;
    ViewState next = view();
    next.block = block;
    keeper_.replace(seen_from(next));
    emit block_changed();
}

void Looking::leave_for(const ViewState& next, Move move) {
    places_.leave(view(), next, move, std::chrono::steady_clock::now());
}

// What was edited meanwhile may have taken the place away: the keeper settles it.

void Looking::go_back() {
    keeper_.lead(seen_from(places_.back(view(), std::chrono::steady_clock::now())), {});
}

void Looking::go_forward() {
    keeper_.lead(seen_from(places_.forward(view(), std::chrono::steady_clock::now())), {});
}

}  // namespace headlight
