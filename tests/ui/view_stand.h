#pragma once

#include "tests/ui/views_support.h"
#include "ui/views/figure_canvas.h"
#include "ui/views/map_view.h"

#include <QToolButton>

#include <memory>
#include <string>

namespace headlight::view_stand {

template <const ViewKind& kind>
struct ViewOf : MapView {
    explicit ViewOf(Document& document) : MapView(document, kind) {}
};
using StagesView = ViewOf<ViewKind::stages>;
using HeatmapView = ViewOf<ViewKind::heatmap>;
using HeadsView = ViewOf<ViewKind::grid>;
using StepsView = ViewOf<ViewKind::steps>;
using LinesView = ViewOf<ViewKind::lines>;
using ProductsView = ViewOf<ViewKind::query_key>;

template <class Widget>
struct Stand {
    Document document;
    std::unique_ptr<Widget> view;

    explicit Stand(const Session& session) {
        open_session(document, session);
        view = std::make_unique<Widget>(document);
        view->resize(1000, 700);
        view->show();
    }
    FigureCanvas& canvas() const { return *view->canvas(); }
    const Selection& selection() const { return document.session().view.selection; }
    QToolButton* button(const QString& stage) const { return view->template findChild<QToolButton*>(stage); }
    Index panel_of(const std::string& stage) const {
        const auto& panels = canvas().figure()->panels;
        for (std::size_t i = 0; i < panels.size(); ++i)
            if (panels[i].stage == stage)
                return static_cast<Index>(i);
        return -1;
    }
    void hover(QPoint point) const {
        QTest::mouseMove(&canvas(), point + QPoint(1, 1));
        QTest::mouseMove(&canvas(), point);
    }
};

}  // namespace headlight::view_stand
