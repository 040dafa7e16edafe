#include "ui/views/lines_view.h"

#include "ui/models/document.h"
#include "ui/views/figure_canvas.h"
#include "ui/views/hover.h"
#include "ui/views/line_filter.h"
#include "ui/views/map_bar.h"

#include <QVBoxLayout>

namespace headlight {

LinesView::LinesView(Document& document, QWidget* parent)
    : QWidget(parent), canvas_(new FigureCanvas(document, ViewKind::lines)) {
    canvas_->setAccessibleName(tr("Lines"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(new MapBar(document, MapBar::Stages::maps, MapBar::Heads::one));
    layout->addWidget(canvas_, 1);
    setFocusProxy(canvas_);

    HoverState& hover = HoverState::of(document);
    canvas_->set_filter([&document, &hover](const Figure& figure) {
        Figure shown = figure;
        if (const auto run = document.run(); run && hover.place())
            for (Panel& panel : shown.panels)
                keep_lines(panel, linked_place(*run->trace, *hover.place(), panel.stage, panel.head));
        return shown;
    });
    connect(&hover, &HoverState::changed, canvas_, &FigureCanvas::refresh);
}

}  // namespace headlight
