#include "ui/views/hover.h"

#include "ui/models/document.h"

namespace headlight {

HoverState::HoverState(QObject* parent) : QObject(parent) {}

HoverState& HoverState::of(Document& document) {
    if (auto* existing = document.findChild<HoverState*>(QString(), Qt::FindDirectChildrenOnly))
        return *existing;
    auto* made = new HoverState(&document);
    // A place in the matrices of the last run may not exist in those of the next.
    connect(&document, &Document::run_changed, made, [made] { made->set({}); });
    // Nor may its matrix be in the picture after a step of the player, which the resting pointer does not
    // follow.
    connect(&document, &Document::view_changed, made, [made, &document](const ViewState& before) {
        const ViewState& now = document.view();
        if (now.view != before.view || now.selection.stage != before.selection.stage)
            made->set({});
    });
    return *made;
}

void HoverState::set(std::optional<CellPlace> place) {
    if (place == place_)
        return;
    place_ = std::move(place);
    emit changed();
}

}  // namespace headlight
