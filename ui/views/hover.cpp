#include "ui/views/hover.h"

#include "ui/models/document.h"

namespace headlight {

HoverState& HoverState::of(Document& document) {
    return document.companions().of<HoverState>([&document] { return new HoverState(document); });
}

HoverState::HoverState(Document& document) : QObject(&document) {
    // A place in the matrices of the last run may not exist in those of the next.
    connect(&document, &Document::run_changed, this, [this] { set({}); });
    // Nor may its matrix be in the picture after a step of the player, which the resting pointer does not
    // follow.
    connect(&document.looking(), &Looking::view_changed, this, [this, &document](const ViewState& before) {
        const ViewState& now = document.view();
        if (now.view != before.view || now.selection.stage != before.selection.stage)
            set({});
    });
}

void HoverState::set(std::optional<CellPlace> place) {
    if (place == place_)
        return;
    place_ = std::move(place);
    emit changed();
}

}  // namespace headlight
