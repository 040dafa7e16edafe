#include "ui/views/heatmap_view.h"

#include "ui/views/figure_canvas.h"
#include "ui/views/map_bar.h"

#include <QVBoxLayout>

namespace headlight {

HeatmapView::HeatmapView(Document& document, QWidget* parent)
    : QWidget(parent), canvas_(new FigureCanvas(document, ViewKind::heatmap)) {
    canvas_->setAccessibleName(tr("Heatmap"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(new MapBar(document, MapBar::Stages::all, MapBar::Heads::one));
    layout->addWidget(canvas_, 1);
    setFocusProxy(canvas_);
}

}  // namespace headlight
