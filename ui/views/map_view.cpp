#include "ui/views/map_view.h"

#include "core/figure/view.h"
#include "ui/models/document.h"
#include "ui/views/figure_canvas.h"
#include "ui/views/hover.h"
#include "ui/views/line_filter.h"
#include "ui/views/map_bar.h"

#include <QVBoxLayout>

#include <algorithm>

namespace headlight {
namespace {

bool has_lines(const Figure* figure) {
    return figure && std::ranges::count(figure->panels, Panel::Kind::lines, &Panel::kind) > 0;
}

/// Leaves of lines only those of the token that the pointer is at, and no thumbnails: the bar above the
/// picture names every stage, so that pictures of them would only take room.
void filter(FigureCanvas& canvas, Document& document) {
    HoverState& hover = HoverState::of(document);
    canvas.set_filter([&document, &hover](const Figure& figure) {
        Figure shown = figure;
        std::erase_if(shown.panels, [](const Panel& panel) { return panel.thumbnail; });
        if (const auto run = document.run(); run && hover.place())
            for (Panel& panel : shown.panels)
                if (panel.kind == Panel::Kind::lines)
                    keep_lines(panel, linked_place(*run->trace, *hover.place(), panel.stage, panel.head));
        return shown;
    });
    QObject::connect(&hover, &HoverState::changed, &canvas, [&canvas] {
        if (has_lines(canvas.figure()))
            canvas.refresh();
    });
}

}  // namespace

MapView::MapView(Document& document, ViewKind kind, QWidget* parent)
    : QWidget(parent), canvas_(new FigureCanvas(document, kind)) {
    const View& shown = view(kind);
    canvas_->setAccessibleName(QString::fromStdString(shown.title));
    if (shown.all_heads && shown.stages != View::Stages::patches)
        canvas_->set_click_action(FigureCanvas::ClickAction::enlarge);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(new MapBar(document, shown));
    layout->addWidget(canvas_, 1);
    setFocusProxy(canvas_);
    filter(*canvas_, document);
}

}  // namespace headlight
