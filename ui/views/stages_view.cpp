#include "ui/views/stages_view.h"

#include "ui/views/figure_canvas.h"
#include "ui/views/map_bar.h"

#include <QVBoxLayout>

namespace headlight {
namespace {

/// The bar above the picture names every stage: thumbnails of them would only take room.
Figure without_thumbnails(Figure figure) {
    std::erase_if(figure.panels, [](const Panel& panel) { return panel.thumbnail; });
    return figure;
}

}  // namespace

StagesView::StagesView(Document& document, QWidget* parent)
    : QWidget(parent), canvas_(new FigureCanvas(document, ViewKind::stages)) {
    canvas_->setAccessibleName(tr("Stages"));
    canvas_->set_filter(without_thumbnails);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(new MapBar(document, MapBar::Stages::all, MapBar::Heads::one));
    layout->addWidget(canvas_, 1);
    setFocusProxy(canvas_);
}

}  // namespace headlight
