#include "ui/panels/view_tabs.h"

#include "ui/models/document.h"
#include "ui/models/settled_view.h"
#include "ui/panels/compare_panel.h"
#include "ui/views/figure_canvas.h"
#include "ui/views/heads_view.h"
#include "ui/views/heatmap_view.h"
#include "ui/views/image_view.h"
#include "ui/views/lines_view.h"
#include "ui/views/map_bar.h"
#include "ui/views/shortcuts.h"
#include "ui/views/stages_view.h"
#include "ui/views/steps_view.h"

#include <QSignalBlocker>
#include <QTabBar>
#include <QVBoxLayout>

namespace headlight {
namespace {

QWidget* make_view(ViewKind kind, Document& document, const MechanismLibrary& library) {
    switch (kind) {
    case ViewKind::heatmap:
        return new HeatmapView(document);
    case ViewKind::grid:
        return new HeadsView(document);
    case ViewKind::steps:
        return new StepsView(document);
    case ViewKind::lines:
        return new LinesView(document);
    case ViewKind::compare:
        return new ComparePanel(document, library);
    case ViewKind::image:
        return new ImageView(document);
    case ViewKind::stages:
        break;
    }
    return new StagesView(document);
}

}  // namespace

std::vector<ViewTabs::Kind> ViewTabs::kinds() {
    return {
        {ViewKind::stages, tr("Stages"),
         tr("The way from tokens to output, one stage of the formula after another")},
        {ViewKind::heatmap, tr("Heatmap"), tr("One head large: row = query, column = key, colour = weight")},
        {ViewKind::grid, tr("Heads"), tr("All heads side by side on one colour scale")},
        {ViewKind::steps, tr("Steps"),
         tr("Decoding step by step: row after row arrives, and what the mask forbids is hatched")},
        {ViewKind::lines, tr("Lines"),
         tr("Queries on the left, keys on the right, weights as lines between them")},
        {ViewKind::compare, tr("Compare"),
         tr("The same tokens through several mechanisms, side by side, with their differences in numbers; of "
            "a model, all of its sites")},
        {ViewKind::image, tr("Image"),
         tr("What one patch looks at, over the image whose patches are the tokens; click a patch to let it "
            "look, Ctrl+click another for the numbers of the two")},
    };
}

ViewTabs::ViewTabs(Document& document, const MechanismLibrary& library, QWidget* parent)
    : QTabWidget(parent), document_(document), library_(library) {
    setObjectName(QStringLiteral("views"));
    setDocumentMode(true);
    tabBar()->setObjectName(QStringLiteral("view_tabs"));
    tabBar()->setAccessibleName(tr("Views"));
    tabBar()->setDrawBase(false);
    for (const Kind& kind : kinds()) {
        auto* page = new QWidget;
        page->setObjectName(QStringLiteral("view_page"));
        auto* layout = new QVBoxLayout(page);
        layout->setContentsMargins(0, 0, 0, 0);
        addTab(page, kind.title);
    }
    connect(this, &QTabWidget::currentChanged, this, [this](int tab) {
        ViewState next = document_.view();
        next.view = kinds()[static_cast<std::size_t>(tab)].view;
        view(next.view);
        document_.look(next);
    });
    connect(&document_, &Document::session_changed, this, &ViewTabs::show_current);
    connect(&document_, &Document::view_changed, this, &ViewTabs::show_current);
    show_current();
}

QWidget* ViewTabs::view(ViewKind kind) {
    const auto all = kinds();
    for (std::size_t tab = 0; tab < all.size(); ++tab) {
        if (all[tab].view != kind)
            continue;
        QWidget* page = widget(static_cast<int>(tab));
        if (page->layout()->count() == 0) {
            page->layout()->addWidget(make_view(kind, document_, library_));
            page->setFocusProxy(page->layout()->itemAt(0)->widget());
            if (auto* comparison = qobject_cast<ComparePanel*>(page->focusProxy()))
                connect(comparison, &ComparePanel::notice, this, &ViewTabs::notice);
            if (auto* bar = page->findChild<MapBar*>())
                bar->show_only_formula(only_picture_);
        }
        return page->layout()->itemAt(0)->widget();
    }
    return nullptr;
}

void ViewTabs::reset_zoom() {
    if (auto* canvas = currentWidget()->findChild<FigureCanvas*>())
        canvas->reset_zoom();
}

void ViewTabs::show_only_picture(bool only) {
    only_picture_ = only;
    tabBar()->setVisible(!only);
    for (const Qt::Corner corner : {Qt::TopLeftCorner, Qt::TopRightCorner})
        if (QWidget* beside = cornerWidget(corner))
            beside->setVisible(!only);
    for (MapBar* bar : findChildren<MapBar*>())
        bar->show_only_formula(only);
}

void ViewTabs::add_compared() {
    auto* comparison = static_cast<ComparePanel*>(view(ViewKind::compare));
    ViewState next = document_.view();
    next.view = ViewKind::compare;
    document_.look(next);
    comparison->open_chooser();
}

QString ViewTabs::tip(std::size_t number, const Session& session) {
    const Kind kind = kinds()[number];
    const QString missing = missing_for_view(kind.view, session);
    return missing.isEmpty() ? with_key(kind.effect, QStringLiteral("view_%1").arg(number + 1)) : missing;
}

void ViewTabs::show_current() {
    const QSignalBlocker quiet(this);
    const Session& session = document_.session();
    const auto all = kinds();
    for (std::size_t number = 0; number < all.size(); ++number) {
        const int tab = static_cast<int>(number);
        setTabEnabled(tab, missing_for_view(all[number].view, session).isEmpty());
        setTabToolTip(tab, tip(number, session));
    }
    for (std::size_t number = 0; number < all.size(); ++number)
        if (all[number].view == session.view.view) {
            view(session.view.view);
            setCurrentIndex(static_cast<int>(number));
        }
}

}  // namespace headlight
